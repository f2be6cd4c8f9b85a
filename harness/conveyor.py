"""The conveyor: studies that start when those that they wait for are over (protocol, section 7).

What it goes by is derived anew each time, from locks, results and terminal records that verify: it
keeps no state of its own, so it can be stopped at any moment and run again. An outcome is read from
a verified terminal record and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from harness.authorization import (
    Authorization,
    Grant,
    Verdict,
    authorization_path,
    check_stated,
    needed_studies,
    satisfies,
    terminal_digest,
)
from harness.chain import Chain, Link
from harness.disk import is_there
from harness.error import ConfigError, InfrastructureError, IntegrityError, NotTerminalError
from harness.hold import compare
from harness.manifest import read_record, write_record
from harness.protocol import StudyPredecessor
from harness.status import study_status
from harness.study import Study
from surface.error import StudyError

State = Literal["terminal", "running", "ready", "waiting", "blocked", "interrupted"]
"""`waiting`: for a study before it, or to be frozen. `blocked`: a study before it is over in
another way than needed, which nothing will change. `running`: begun, and not all of it is there.
`interrupted`: the plant failed as often as the chain allows."""

_SHOWN: Final = 12


class Plant(Protocol):
    """What can be done about one study."""

    def study(self, link: Link) -> Study:
        """Load a study of the chain."""
        ...

    def run(self, study: Study) -> None:
        """Run every shard that is missing and in nobody's hands."""
        ...

    def aggregate(self, study: Study) -> Verdict:
        """Verify the grid, write the terminal record and return its verdict.

        Raises `NotTerminalError` when a shard is missing.
        """
        ...

    def verify(self, study: Study) -> Verdict | None:
        """Return the verdict of the terminal record; None where there is none yet.

        Raises `IntegrityError` when it is not what the results give.
        """
        ...


@dataclass(frozen=True)
class Standing:
    """Where a study of the chain stands; of its outcome it knows only when it is terminal."""

    link: Link
    identity: str
    state: State
    detail: str
    attempts: Mapping[str, int]
    """How the attempts at its shards ended."""
    grant: Grant | None = None
    """What it hands on, when it is terminal."""


Report = Callable[[Standing], None]
"""Called with each study's standing as it is found, in the order of the chain."""


def advance(chain: Chain, plant: Plant, report: Report) -> None:
    """Run what may run, one study after the other.

    Raises
    ------
    ConfigError
        If a study waits for one that does not stand before it.
    IntegrityError
        If what is there is not what was frozen, written or handed on.
    InfrastructureError, OSError
        If the plant failed as often as the chain allows; the study was reported as interrupted.
    """
    _follow(chain, plant, report, tries=chain.tries)


def survey(chain: Chain, plant: Plant, report: Report) -> None:
    """Find where each study stands; nothing is run or written. Errors are those of `advance`."""
    _follow(chain, plant, report, tries=0)


def table(standings: Iterable[Standing]) -> list[str]:
    """Return the standings as lines of text."""
    rows = [("study", "agent", "identity", "state", "attempts", "")]
    for item in standings:
        tries = ", ".join(f"{count} {name}" for name, count in sorted(item.attempts.items()))
        row = (item.link.study, item.link.agent, item.identity[:_SHOWN], item.state, tries or "-")
        rows.append((*row, item.detail))
    widths = [max(len(row[place]) for row in rows) for place in range(5)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]])
        for row in rows
    ]


def _follow(chain: Chain, plant: Plant, report: Report, *, tries: int) -> None:
    over: dict[tuple[str, str], Standing] = {}
    for link in chain.links:
        study = plant.study(link)
        begun = Standing(link, study.identity, "ready", "may run", {})
        needed = [(item, _before(item, link, over)) for item in needed_studies(study)]
        held_up = _held_up(study, needed)
        if held_up is not None:
            state, detail = held_up
            standing = replace(begun, state=state, detail=detail)
        else:
            _hand_on(study, [before.grant for _, before in needed if before.grant], tries > 0)
            try:
                standing = _settled(begun, study, plant, tries)
            except (InfrastructureError, OSError) as error:
                detail = error.what if isinstance(error, StudyError) else str(error)
                report(replace(begun, state="interrupted", detail=detail))
                raise
        over[link.study, link.agent] = standing
        report(standing)


def _settled(begun: Standing, study: Study, plant: Plant, tries: int) -> Standing:
    """Return where a study that may run comes to stand, after running it if there are tries."""
    verdict = _unless_incomplete(plant.verify, study)
    if verdict is None and tries:
        _run_missing(study, plant, tries)
        verdict = _unless_incomplete(plant.aggregate, study)
    found = study_status(study)
    if found is None:
        return begun
    if verdict is None:
        done = f"{found.count('finished')} of {len(found.shards)} shards are finished"
        return replace(begun, state="running", detail=done, attempts=found.attempts)
    grant = Grant(
        predecessor=begun.link.study,
        agent=begun.link.agent,
        identity=study.identity,
        artifact=terminal_digest(study.folder),
        verdict=verdict,
    )
    detail = f"gate {verdict}, {grant.artifact}"
    return replace(begun, state="terminal", detail=detail, attempts=found.attempts, grant=grant)


def _unless_incomplete(judge: Callable[[Study], Verdict | None], study: Study) -> Verdict | None:
    try:
        return judge(study)
    except NotTerminalError:
        return None


def _run_missing(study: Study, plant: Plant, tries: int) -> None:
    """Run the missing shards, again where the plant failed; each try is in the attempt ledger."""
    for left in reversed(range(tries)):
        try:
            plant.run(study)
        except (InfrastructureError, OSError):
            if not left:
                raise
        else:
            return


def _before(
    needed: StudyPredecessor, link: Link, over: Mapping[tuple[str, str], Standing]
) -> Standing:
    standing = over.get((needed.predecessor, needed.agent))
    if standing is None:
        raise ConfigError(
            f"{link.name} waits for {needed.predecessor} ({needed.agent}), which does not stand "
            "before it in the chain.",
            "Put that study before it.",
        )
    return standing


def _held_up(
    study: Study, needed: Sequence[tuple[StudyPredecessor, Standing]]
) -> tuple[State, str] | None:
    """Return why a study may not run yet, or ever; None when it may."""
    for item, before in needed:
        if before.grant is not None and not satisfies(before.grant, item):
            wrong_end = item.verdict not in {"any", before.grant.verdict}
            if wrong_end:
                return "blocked", f"{before.link.name} {before.grant.verdict}, not {item.verdict}"
            return "blocked", f"{before.link.name} ended with another record than {item.artifact}"
    for _, before in needed:
        if before.grant is None:
            return "waiting", f"for {before.link.name}, which is {before.state}"
    if study.config.study.development:
        return None
    try:
        check_stated(study)
        compare(study)
    except ConfigError as error:
        return "waiting", error.what
    return None


def _hand_on(study: Study, grants: Sequence[Grant], write: bool) -> None:
    """Hand on what is over to a study that waited for it, or find that this was done before."""
    if not grants:
        return
    handed = Authorization(
        study=study.config.study.name, identity=study.identity, grants=tuple(grants)
    )
    path = authorization_path(study.folder)
    there = read_record(path, Authorization) if is_there(path) else None
    if there == handed:
        return
    if is_there(study.folder.study_record):
        raise IntegrityError(
            f"Study {study.config.study.name!r} was begun, but not with the terminal records that "
            f"are there now: {path} is {'missing' if there is None else 'about others'}.",
            "Restore what it was begun with.",
        )
    if write:
        write_record(path, handed)
