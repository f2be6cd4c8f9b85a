"""Whether the rows that one episode left agree with each other.

Digests say that files are as they were written. These checks need no digest: each table tells part
of what another one tells, so that a row that was altered, dropped or moved to another episode
contradicts the rest even where every hash was made anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from gates.check import Check
from gates.finding import episode_name
from gates.results import EpisodeRows, Row
from gates.setting import Setting
from harness.grid import EpisodeKey
from harness.schema import TIMING_SUFFIX
from router.canonical import sha256_hex

Episodes = Mapping[EpisodeKey, EpisodeRows]


def sequences(episodes: Episodes, setting: Setting) -> Check:
    """Check that no row is missing, doubled or left over: what all other checks stand on."""
    return Check.of(
        "sequences",
        sum(len(item.turns) for item in episodes.values()),
        "turns",
        (
            f"episode {episode_name(key)}: {text}"
            for key, item in episodes.items()
            for text in sequence(item, len(setting.tasks[key.task_id].steps))
        ),
    )


def hash_chains(episodes: Episodes) -> Check:
    """Check that states hash to what is logged and each names the one before it."""
    return Check.of(
        "hash chains",
        sum(len(item.transitions) for item in episodes.values()),
        "states",
        (
            f"episode {episode_name(key)}, {text}"
            for key, item in episodes.items()
            for text in chain(item)
        ),
    )


def outcomes(episodes: Episodes, setting: Setting) -> Check:
    """Check every figure of an episode's row against its turns, its states and its task."""
    return Check.of(
        "outcomes",
        len(episodes),
        "episodes",
        (
            f"episode {episode_name(key)}: {text}"
            for key, item in episodes.items()
            for text in (
                *contradictions(item, setting.max_turns, setting.max_reminders),
                *_of_task(key, item, setting),
            )
        ),
    )


def called(turn: Row) -> bool:
    """Whether a turn's first call parsed: then it is a tool turn."""
    return bool(turn["calls"]) and not turn["malformed"]


def sequence(item: EpisodeRows, steps: int) -> Iterator[str]:
    """Yield what is missing or too much among the rows of an episode whose task has some steps."""
    turns = [row["turn"] for row in item.turns]
    if not turns or turns != list(range(1, len(turns) + 1)):
        yield "turns are missing or doubled"
        return
    if [row["turn"] for row in item.exchanges] != turns:
        yield "its exchanges are not one a turn"
    tool_turns = [row["turn"] for row in item.turns if called(row)]
    if [row["turn"] for row in item.transitions] != [0, *tool_turns]:
        yield "its states are not the first one and one after every tool turn"
    if [row["step"] for row in item.traces] != list(range(1, steps + 1)):
        yield "its gold trace does not have one row a step"
    for row in (item.episode, *item.turns):
        times = [value for name, value in row.items() if name.endswith(TIMING_SUFFIX)]
        if not all(math.isfinite(value) and value >= 0 for value in times):
            yield "a time is no length of time"


def chain(item: EpisodeRows) -> Iterator[str]:
    """Yield where the chain of an episode's states is broken."""
    previous: str | None = None
    for row in item.transitions:
        if sha256_hex(row["state"].encode()) != row["state_sha256"]:
            yield f"turn {row['turn']}: the state has another hash"
        if row["previous_state_sha256"] != previous:
            yield f"turn {row['turn']}: the chain of states is broken"
        previous = row["state_sha256"]


def contradictions(item: EpisodeRows, max_turns: int, max_reminders: int) -> Iterator[str]:
    """Yield what is contradictory in an episode's turns, states and row."""
    yield from _steps(item, max_turns)
    for row in item.turns:
        yield from (f"turn {row['turn']}: {text}" for text in _turn(item, row))
    yield from _episode(item)
    ended = ending(item, max_turns, max_reminders)
    if item.episode["ending"] != ended:
        yield f"its turns end it by {ended}" if ended else "its last turn does not end it"


def ending(item: EpisodeRows, max_turns: int, max_reminders: int) -> str | None:
    """Return how the turns end their episode, or None where they go on or went on (section 4)."""
    required, done, left = item.episode["required_steps"], 0, max_reminders
    completed = {row["turn"]: row["completed_steps"] for row in item.transitions}
    for row in item.turns:
        over = None
        if not row["accepted"]:
            over = "overflow"
        elif called(row):
            done = completed[row["turn"]]
        elif done == required:
            over = "malformed" if row["malformed"] else "clean_stop"
        elif left == 0:
            over = "malformed" if row["malformed"] else "third_text"
        else:
            left -= 1
        if over is not None:
            return over if row is item.turns[-1] else None
    return "turn_limit" if len(item.turns) == max_turns else None


def _steps(item: EpisodeRows, max_turns: int) -> Iterator[str]:
    """Check that steps are passed one at a time, and turns run out one at a time."""
    completed = 0
    for row in item.transitions:
        completed += row["advanced"]
        if row["completed_steps"] != completed:
            yield f"turn {row['turn']}: the steps passed do not add up"
            return
        if row["turn"] + row["turns_remaining"] != max_turns:
            yield f"turn {row['turn']}: the turns that remain do not add up"


def _turn(item: EpisodeRows, turn: Row) -> Iterator[str]:
    """Check a turn against the state before it and the one after it."""
    before = [row for row in item.transitions if row["turn"] < turn["turn"]][-1]
    if turn["gold_next_route"] != before["gold_next_route"]:
        yield "it requires another route than the state before it"
    flags = [(call["decision"] == "malformed", call["parallel"]) for call in turn["calls"]]
    if flags != [(turn["malformed"], position > 0) for position in range(len(flags))]:
        yield "its calls contradict each other"
    for row in item.transitions:
        if row["turn"] == turn["turn"]:
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


def _of_task(key: EpisodeKey, item: EpisodeRows, setting: Setting) -> Iterator[str]:
    """Check what an episode's rows say of its task."""
    episode, task = item.episode, setting.tasks[key.task_id]
    names = ("stratum", "language", "required_steps", "gold_required_routes")
    facts = [task.stratum, task.language, len(task.steps), list(task.required_routes)]
    if [episode[name] for name in names] != facts:
        yield "its row is not that of its task"
    routes = [step.route for step in task.steps]
    by_step = dict(enumerate(routes))
    states = [by_step.get(row["completed_steps"]) for row in item.transitions]
    required = [row["gold_next_route"] for row in (*item.transitions, *item.traces)]
    if required != [*states, *routes]:
        yield "its required routes are not those of its task"
