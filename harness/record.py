"""What an episode leaves behind: frozen records, one for each table (results/README.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.grid import EpisodeKey

Ending = Literal["clean_stop", "third_text", "malformed", "turn_limit", "overflow"]


@dataclass(frozen=True)
class CallRecord:
    """One tool call of a turn."""

    call_id: str
    name: str
    """The tool name as the agent wrote it."""
    route: str
    """The route id that the name stands for; the name itself where it stands for none."""
    arguments: str
    """The arguments as the agent wrote them."""
    parallel: bool
    """Whether it was not the turn's first call, and so was turned away."""
    decision: str
    """Which of the executor's rules decided; ``parallel`` or ``malformed`` before it."""
    status: str
    error: str | None
    approval: int | None
    """Position of the approval that the call used up."""


@dataclass(frozen=True)
class TurnRecord:
    """One turn: what stood in the prompt and what was answered."""

    turn: int
    """One-based."""
    accepted: bool
    """False when the prompt did not fit the agent's context."""
    exposure: tuple[str, ...]
    schema_tokens: int
    input_tokens: int
    text: str | None
    malformed: bool
    calls: tuple[CallRecord, ...]
    gold_next_route: str | None
    """Evaluation only: the route that was required next; None once complete."""
    model_ms: float


@dataclass(frozen=True)
class TransitionRecord:
    """The state after a tool turn, or at the start, and the exposure that followed."""

    turn: int
    """The tool turn; 0 is the start."""
    turns_remaining: int
    route: str | None
    status: str
    error: str | None
    observation: str | None
    """Canonical JSON of the observation."""
    state: str
    """Canonical JSON of the twelve fields."""
    state_sha256: str
    previous_state_sha256: str | None
    retrieval_query_sha256: str | None
    """Of the string that was ranked for the exposure; None where nothing was ranked."""
    ranking_head: tuple[str, ...]
    """The first routes of the ranking in force; empty where nothing was ranked."""
    ranking_sha256: str | None
    """Of the whole ranking in force, as canonical JSON."""
    exposure: tuple[str, ...]
    """Exposed from now on."""
    advanced: bool
    """Evaluation only: whether the turn passed a step."""
    completed_steps: int
    """Evaluation only."""
    gold_next_route: str | None
    """Evaluation only: the route that is required next; None once complete."""
    gold_next_rank: int | None
    """Evaluation only: its one-based rank in the ranking in force."""


@dataclass(frozen=True)
class TraceRecord:
    """A step of the gold trace: what is exposed when the step is next, no agent involved."""

    step: int
    """One-based."""
    exposure: tuple[str, ...]
    retrieval_query_sha256: str | None
    """Of the string that was ranked for the exposure; None where nothing was ranked."""
    ranking_head: tuple[str, ...]
    ranking_sha256: str | None
    gold_next_route: str
    gold_next_rank: int | None


@dataclass(frozen=True)
class ExchangeRecord:
    """What an agent was asked in a turn, by hash, and what it answered."""

    turn: int
    """One-based."""
    request_sha256: str
    """Address of the request: the agent's identity, the messages and the tools."""
    messages_sha256: str
    tools_sha256: str
    answer: str
    """JSON of the answer, or of the overflow; see `harness.agents.cassette.encode`."""


@dataclass(frozen=True)
class EpisodeRecord:
    """What an episode came to."""

    key: EpisodeKey
    stratum: str
    language: str
    task_pass: bool
    required_steps: int
    completed_steps: int
    gold_required_routes: tuple[str, ...]
    """Evaluation only: the required routes in the order of first need."""
    initial_exposure: tuple[str, ...]
    ending: Ending
    completed_at_turn: int | None
    retrieval_calls: int
    refreshes: int
    wall_latency_ms: float
    retrieval_ms: float
    model_ms: float
    executor_ms: float
    turns: tuple[TurnRecord, ...]
    transitions: tuple[TransitionRecord, ...]
    traces: tuple[TraceRecord, ...]
    exchanges: tuple[ExchangeRecord, ...]
