"""What the verb `conveyor` does; loaded when it runs, since it loads the gates too."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gates.aggregate import aggregate, compute, withdrawn_on_refusal
from harness.answer import Answer
from harness.authorization import Verdict, terminal_path
from harness.carried import carried_surface
from harness.chain import Link, load_chain
from harness.compose import CONFIG_FOLDER, load_config
from harness.conveyor import Standing, advance, survey, table
from harness.disk import is_there
from harness.ending import plant_error
from harness.engine import run_shards
from harness.error import ConfigError, IntegrityError, NotTerminalError
from harness.exchange import study_exchange
from harness.grid import Shard
from harness.lock import kept_lock
from harness.pin import pin_study, shard_count
from harness.progress import episode_bar, step_bar
from harness.study import Study
from router.canonical import canonical_json
from surface.error import StudyError

_CHAIN: Final = "chain="


@dataclass(frozen=True)
class Studies:
    """The studies of a configuration tree, run and judged as the other verbs do it."""

    overrides: Sequence[str] = ()
    """Runtime keys for every study."""
    tree: Path = CONFIG_FOLDER

    def study(self, link: Link) -> Study:
        """Load a study of a chain, and bring what others finished of it."""
        chosen = (f"study={link.study}", f"agent={link.agent}")
        study = Study(load_config([*chosen, *self.overrides], folder=self.tree))
        study_exchange(study).fetch_all()
        return study

    def run(self, study: Study) -> None:
        """Run every missing shard in parallel."""
        config = study.config
        count = pin_study(study, shard_count(study)).shards
        with episode_bar(config.study.episodes, enabled=config.progress) as advance_bar:
            run_shards(
                study,
                [Shard(index, count) for index in range(count)],
                workers=config.workers,
                progress=advance_bar,
            )

    def aggregate(self, study: Study) -> Verdict:
        """Verify the grid, write the terminal record and return its verdict."""
        with withdrawn_on_refusal(study.folder):
            expected = study.record(shard_count(study))
        with step_bar(enabled=study.config.progress) as step:
            terminal = aggregate(
                study.folder,
                expected=expected,
                tasks=study.tasks,
                catalogs=study.catalogs,
                lock=kept_lock(study),
                surface=carried_surface(study.config.surface, study.config.study.split),
                step=step,
            )
        return _verdict(terminal)

    def verify(self, study: Study) -> Verdict | None:
        """Return the verdict of the terminal record that the results give again; None without."""
        path = terminal_path(study.folder)
        if not is_there(path):
            return None
        computed = compute(
            study.folder,
            expected=study.record(shard_count(study)),
            tasks=study.tasks,
            catalogs=study.catalogs,
        )
        if path.read_bytes() != canonical_json(computed) + b"\n":
            raise IntegrityError(
                f"{path} is not what the results give.",
                "Restore it, or remove it to have it written anew.",
            )
        return _verdict(computed)


@dataclass(frozen=True)
class ConveyorAnswer(Answer):
    """Where the studies of a chain stand."""

    standings: tuple[Standing, ...]
    error: StudyError | None
    """What held the chain up."""

    def lines(self) -> Iterable[str]:
        """Return what is said to people."""
        return table(self.standings)

    def document(self) -> Mapping[str, Any]:
        """Return what is said to machines."""
        return {"standings": [_standing(item) for item in self.standings]}

    def failure(self) -> StudyError | None:
        """Return what is wrong although there is an answer."""
        return self.error


def conveyor(arguments: argparse.Namespace) -> ConveyorAnswer:
    """Advance a chain of studies as far as it goes, or show where it stands."""
    named = [item.removeprefix(_CHAIN) for item in arguments.override if item.startswith(_CHAIN)]
    if len(named) != 1:
        raise ConfigError(
            f"{len(named)} chains are named, not one.",
            "Say python -m harness conveyor chain=NAME; a chain is a file in configs/conveyor.",
        )
    chain = load_chain(named[0], CONFIG_FOLDER)
    overrides = [item for item in arguments.override if not item.startswith(_CHAIN)]
    for item in overrides:
        if item.partition("=")[0].partition(".")[0] in {"study", "agent", "retriever", "shard"}:
            raise ConfigError(
                f"The chain decides about its studies, not {item!r}.",
                "Declare another chain in configs/conveyor.",
            )
    found: list[Standing] = []
    try:
        (survey if arguments.show else advance)(
            chain, Studies(overrides, CONFIG_FOLDER), found.append
        )
    except (StudyError, OSError) as error:
        if not found:
            raise
        # Where the others stand is worth knowing all the same.
        told = error if isinstance(error, StudyError) else plant_error(error)
        return ConveyorAnswer(tuple(found), told)
    over = sum(item.state == "terminal" for item in found)
    if over == len(found) or arguments.show:
        return ConveyorAnswer(tuple(found), None)
    return ConveyorAnswer(
        tuple(found),
        NotTerminalError(
            f"{over} of {len(found)} studies of the chain are terminal.",
            "Give the others what the table says that they wait for, then run the conveyor again.",
        ),
    )


def _standing(item: Standing) -> dict[str, Any]:
    return {
        "study": item.link.study,
        "agent": item.link.agent,
        "identity": item.identity,
        "state": item.state,
        "detail": item.detail,
        "attempts": item.attempts,
        "artifact": item.grant.artifact if item.grant else None,
        "verdict": item.grant.verdict if item.grant else None,
    }


def _verdict(terminal: dict[str, Any]) -> Verdict:
    return "passed" if terminal["gate"]["passed"] else "failed"
