"""Whether the rows that one episode left agree with each other.

Digests say that files are as they were written. These checks need no digest: each table tells part
of what another one tells, so that a row that was altered, dropped or moved to another episode
contradicts the rest even where every hash was made anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from gates.metric_table import PROGRESSIVE
from gates.results import EpisodeRows, Row
from router.canonical import sha256_hex


def contradictions(condition: str, item: EpisodeRows) -> Iterator[str]:
    """Yield what is contradictory in an episode's rows.

    Parameters
    ----------
    condition
        The episode's condition.
    item
        Its rows.
    """
    turns = [row["turn"] for row in item.turns]
    if not turns or turns != list(range(1, len(turns) + 1)):
        yield "turns are missing or doubled"
        return
    called = [row["turn"] for row in item.turns if _called(row)]
    if [row["turn"] for row in item.transitions] != [0, *called]:
        yield "its states are not the first one and one after every tool turn"
        return
    yield from _chain(item)
    yield from _steps(item)
    for row in item.turns:
        yield from (f"turn {row['turn']}: {text}" for text in _turn(condition, item, row))
    said = [row["input_tokens"] - row["schema_tokens"] for row in item.turns]
    if said[0] < 0 or said != sorted(said):
        yield "its conversation loses tokens"
    yield from _episode(item)


def _called(turn: Row) -> bool:
    return bool(turn["calls"]) and not turn["malformed"]


def _chain(item: EpisodeRows) -> Iterator[str]:
    """Check that states hash to what is logged and each names the one before it."""
    previous: str | None = None
    for row in item.transitions:
        if sha256_hex(row["state"].encode()) != row["state_sha256"]:
            yield f"turn {row['turn']}: the state has another hash"
        if row["previous_state_sha256"] != previous:
            yield f"turn {row['turn']}: the chain of states is broken"
        previous = row["state_sha256"]


def _steps(item: EpisodeRows) -> Iterator[str]:
    """Check that steps are passed one at a time, and turns run out one at a time."""
    first, completed = item.transitions[0], 0
    for row in item.transitions:
        completed += row["advanced"]
        if row["completed_steps"] != completed:
            yield f"turn {row['turn']}: the steps passed do not add up"
            return
        if row["turn"] + row["turns_remaining"] != first["turns_remaining"]:
            yield f"turn {row['turn']}: the turns that remain do not add up"


def _turn(condition: str, item: EpisodeRows, turn: Row) -> Iterator[str]:
    """Check a turn against the state before it and the one after it."""
    before = [row for row in item.transitions if row["turn"] < turn["turn"]][-1]
    if turn["gold_next_route"] != before["gold_next_route"]:
        yield "it requires another route than the state before it"
    # Only this condition changes its exposure after a turn that leaves no state.
    widened = condition == PROGRESSIVE and set(turn["exposure"]) > set(before["exposure"])
    if turn["exposure"] != before["exposure"] and not widened:
        yield "it exposes something else than the state before it"
    malformed = [call["decision"] == "malformed" for call in turn["calls"]]
    if any(flag is not turn["malformed"] for flag in malformed):
        yield "its calls contradict each other"
    if turn["accepted"] is (turn is item.turns[-1] and item.episode["ending"] == "overflow"):
        yield "whether its prompt was accepted contradicts the ending"
    after = [row for row in item.transitions if row["turn"] == turn["turn"]]
    for row in after:
        call = turn["calls"][0]
        answered = all(row[name] == call[name] for name in ("route", "status", "error"))
        if not answered or row["advanced"] is not (call["decision"] == "step"):
            yield "its call and the state after it contradict each other"


def _episode(item: EpisodeRows) -> Iterator[str]:
    """Check the episode's row against its turns and states."""
    episode, first, last = item.episode, item.transitions[0], item.transitions[-1]
    required = episode["required_steps"]
    complete = last["completed_steps"] == required
    if episode["completed_steps"] != last["completed_steps"] or (
        complete is not (last["gold_next_route"] is None)
    ):
        yield "its completed steps are not those of its last state"
    if episode["task_pass"] is not (complete and episode["ending"] != "overflow"):
        yield "whether it passed contradicts its steps and its ending"
    done = [row["turn"] for row in item.transitions if row["completed_steps"] == required]
    if episode["completed_at_turn"] != (done[0] if done else None):
        yield "it was complete in another turn"
    if episode["initial_exposure"] != first["exposure"]:
        yield "its initial exposure is not that of its first state"
    if not _ended(item, complete=complete):
        yield "its ending contradicts its last turn"
    if [row["step"] for row in item.traces] != list(range(1, required + 1)):
        yield "its gold trace does not have one row a step"


def _ended(item: EpisodeRows, *, complete: bool) -> bool:
    """Whether the last turn bears out the ending."""
    last = item.turns[-1]
    text_alone = not last["calls"]
    borne_out: dict[str, bool] = {
        "clean_stop": complete and text_alone,
        "third_text": not complete and text_alone,
        "malformed": last["malformed"],
        "turn_limit": last["turn"] == item.transitions[0]["turns_remaining"],
        "overflow": not last["accepted"],
    }
    return borne_out.get(item.episode["ending"], False)
