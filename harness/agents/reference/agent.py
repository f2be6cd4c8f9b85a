"""The reference agent: one turn from what a model would be given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from harness.agents.protocol import (
    REQUEST_MORE_TOOLS,
    Evidence,
    Message,
    ToolCall,
    ToolSchema,
    Turn,
)
from harness.agents.reference.conversation import Conversation, read_conversation
from harness.agents.reference.demand import measure
from harness.agents.reference.evidence import gather
from harness.agents.reference.failure import answer, unresolved
from harness.agents.reference.policy import Policy
from harness.agents.reference.relevance import Situation
from harness.agents.reference.selection import Choice, best_choice, settled_calls
from harness.agents.reference.toolset import view_toolset
from router.canonical import CanonicalError, canonical_json, digest

DONE: Final = "Everything that was asked for has been done."
"""What the agent says when it believes so."""
_SUFFIXES: Final = frozenset({".json", ".md", ".py"})


class ReferenceAgent:
    """Deterministic agent without a model; ``POLICY.md`` beside this module says what it does.

    Parameters
    ----------
    policy
        Constants of the policy. They are part of the agent's identity.
    """

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy or Policy()

    @property
    def identity(self) -> Mapping[str, Any]:
        """Kind, version, and the digest of policy page, sources, glossary and constants."""
        return self._identity

    @cached_property
    def _identity(self) -> Mapping[str, Any]:
        sha256 = digest({"files": source_digests(), "constants": asdict_json(self._policy)})
        return {"kind": "reference", "version": "1", "policy_sha256": sha256}

    @property
    def evidence(self) -> Evidence:
        """An instrument check: nothing about language models."""
        return "instrument"

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn; a pure function of its two arguments and the policy.

        Parameters
        ----------
        messages
            The conversation so far.
        tools
            The visible tools; their order does not matter.
        """
        conversation = read_conversation(messages)
        evidence = gather(conversation, self._policy)
        toolset = view_toolset(tuple(tools), self._policy)
        excluded, dropped = settled_calls(evidence)
        situation = Situation(evidence, toolset, measure(evidence, toolset), excluded, dropped)
        move = answer(situation)
        if move is not None:
            turn = _call(move.name, move.arguments, conversation)
            if turn is not None:
                return turn
        choice = best_choice(situation)
        if choice is not None and self._worth(choice, conversation):
            best = choice.filling
            turn = _call(best.view.name, best.arguments, conversation)
            if turn is not None:
                return turn
        return Turn(self._text(situation))

    def _worth(self, choice: Choice, conversation: Conversation) -> bool:
        policy = self._policy
        return choice.score >= policy.at(policy.call_threshold, conversation.nudges)

    def _text(self, situation: Situation) -> str:
        succeeded = any(attempt.succeeded for attempt in situation.evidence.attempts)
        lacks = (
            not succeeded
            or unresolved(situation.evidence) is not None
            or situation.demand.open_share >= self._policy.open_demand
        )
        return REQUEST_MORE_TOOLS if lacks else DONE


def _call(name: str, arguments: Mapping[str, Any], conversation: Conversation) -> Turn | None:
    try:
        text = canonical_json(dict(arguments)).decode()
    except CanonicalError:
        return None
    return Turn(None, (ToolCall(f"call_{conversation.turns}", name, text),))


def asdict_json(policy: Policy) -> dict[str, Any]:
    """Return the constants as JSON has them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(policy).items()
    }


def source_digests() -> dict[str, str]:
    """Return the SHA-256 of every file of this package that makes up the policy."""
    folder = Path(__file__).parent
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.suffix in _SUFFIXES
    }
