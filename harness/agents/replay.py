"""The replay agent: answers an episode from its recording, without what answered it then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.agents.cassette import Request, decode, differences
from harness.agents.protocol import Agent, ContextOverflow, Evidence, Message, ToolSchema, Turn
from harness.error import IntegrityError
from harness.record import ExchangeRecord
from router.canonical import digest

REMEDY: Final = (
    "Replay with the package, tasks and catalogs that the study was run with, and the whole"
    " recording."
)


class CassetteMiss(IntegrityError):
    """The recording has no answer to a request."""


class ReplayAgent:
    """Answers the turns of one episode in their order.

    A turn is answered only when its request is the recorded one. Answers are not looked up across
    episodes, since a model may have answered the same request in two ways.

    Parameters
    ----------
    agent
        What answered; only its identity and evidence are read.
    exchanges
        The episode's exchanges in the order of turns.
    episode
        What the episode is called in a message.
    """

    def __init__(self, agent: Agent, exchanges: Sequence[ExchangeRecord], episode: str) -> None:
        self._identity = agent.identity
        self._evidence: Evidence = agent.evidence
        self._agent_sha256 = digest(dict(agent.identity))
        self._exchanges = tuple(exchanges)
        self._episode = episode
        self._taken = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        """Of what answered."""
        return self._identity

    @property
    def evidence(self) -> Evidence:
        """Of what answered: a replay shows what its recording shows."""
        return self._evidence

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        """Answer one turn as it was answered; see `Agent.act`.

        Raises
        ------
        CassetteMiss
            If the recording has no answer to this request; names the turn and what differs.
        ContextOverflow
            When the prompt did not fit then.
        """
        where = f"Episode {self._episode}, turn {self._taken + 1}"
        if self._taken == len(self._exchanges):
            raise CassetteMiss(
                f"{where}: the recording ends after {self._taken} turns of this episode.", REMEDY
            )
        recorded = self._exchanges[self._taken]
        request = Request.of(self._agent_sha256, messages, tools)
        differing = list(differences(request, recorded))
        if recorded.turn != self._taken + 1:
            differing.insert(0, f"the turn ({recorded.turn} there)")
        if differing:
            since = f"; all before turn {self._taken + 1} was as recorded" if self._taken else ""
            raise CassetteMiss(
                f"{where}: the request is not the recorded one"
                f" ({recorded.request_sha256[:12]} there, {request.sha256[:12]} here); this"
                f" differs: {', '.join(differing)}{since}.",
                REMEDY,
            )
        self._taken += 1
        try:
            answer = decode(recorded.answer)
        except ValueError as error:
            raise CassetteMiss(f"{where}: the recorded answer is damaged.", REMEDY) from error
        if isinstance(answer, ContextOverflow):
            raise answer
        return answer
