"""The reference agent."""

from __future__ import annotations


class ReferenceAgent:
    """Deterministic agent (being assembled)."""
