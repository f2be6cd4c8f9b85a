from harness.agents.reference.agent import ReferenceAgent

__all__ = ["ReferenceAgent"]
