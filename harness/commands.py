"""What the verbs of the command line do; loaded when one of them runs, since it loads the rest."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from harness.carried import carried_surface
from harness.compose import load_config
from harness.engine import run_shards
from harness.error import ConfigError, IntegrityError
from harness.exchange import study_exchange
from harness.grid import Shard
from harness.hold import hold
from harness.lock import kept_lock
from harness.output import say
from harness.pin import pin_study, shard_count
from harness.progress import episode_bar
from harness.shard import ShardResult
from harness.shard import run_shard as run_one
from harness.status import Condition, ShardStatus, StudyStatus, study_status
from harness.study import Study

_MOST_LISTED = 20


def run_shard(arguments: argparse.Namespace) -> int:
    """Run one shard, unless it is finished."""
    study = _held_study(arguments)
    index = study.config.shard.index
    if index is None:
        raise ConfigError("No shard is named.", "Add shard.index=N, counted from 0.")
    shard = Shard(index, shard_count(study))
    with episode_bar(len(study.shard_keys(shard)), enabled=study.config.progress) as advance:
        result = run_one(study, shard, progress=advance)
    say(_describe(result))
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Run every missing shard in parallel."""
    study = _held_study(arguments)
    config = study.config
    count = pin_study(study, shard_count(study)).shards
    shards = [Shard(index, count) for index in range(count)]
    with episode_bar(config.study.episodes, enabled=config.progress) as advance:
        results = run_shards(study, shards, workers=config.workers, progress=advance)
    ran = sum(item.action == "ran" for item in results)
    skipped = sum(item.action == "skipped" for item in results)
    busy = len(results) - ran - skipped
    say(
        f"Study {config.study.name}: {ran} shards run, {skipped} finished before"
        + (f", {busy} in other hands" if busy else "")
        + f"; results in {study.folder.root}"
    )
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Show shards and attempts, no outcome."""
    study = _study(arguments)
    study_exchange(study).fetch_all()
    shard_count(study)
    found = study_status(study)
    say(f"Study {study.config.study.name}, identity {study.identity}")
    if found is None:
        say("No shard has been begun.")
        return 0
    for line in status_lines(found):
        say(line)
    if damaged := found.of("damaged"):
        raise IntegrityError(
            f"Finished shards are damaged: {_indices(damaged)}.",
            "Restore their files, or remove their manifests and run them again.",
        )
    return 0


def aggregate(arguments: argparse.Namespace) -> int:
    """Verify the complete grid and compute the terminal gate."""
    from gates.aggregate import aggregate as aggregate_study
    from gates.aggregate import withdrawn_on_refusal
    from gates.summary import summary_lines

    study = _held_study(arguments)
    study_exchange(study).fetch_all()
    if arguments.simulation:
        return _aggregate_simulation(study)
    with withdrawn_on_refusal(study.folder):
        count = shard_count(study)
    terminal = aggregate_study(
        study.folder,
        expected=study.record(count),
        tasks=study.tasks,
        catalogs=study.catalogs,
        lock=kept_lock(study),
        surface=carried_surface(study.config.surface, study.config.study.split),
    )
    for line in summary_lines(terminal):
        say(line)
    say(f"Written to {study.folder.terminal}")
    return 0 if terminal["gate"]["passed"] or not arguments.require_pass else 4


def _aggregate_simulation(study: Study) -> int:
    from gates.simulation import aggregate_simulation, simulation_lines

    config = study.config
    with episode_bar(config.study.episodes, enabled=config.progress) as advance:
        record = aggregate_simulation(
            study.folder,
            expected=study.record(shard_count(study)),
            tasks=study.tasks,
            catalogs=study.catalogs,
            progress=advance,
        )
    for line in simulation_lines(record):
        say(line)
    say(f"Written to {study.folder.simulation}")
    return 0


def power(arguments: argparse.Namespace) -> int:
    """Simulate the study's design: power of the gate, coverage of the intervals, sample sizes."""
    from gates.power import count_rows
    from gates.power_report import power_folder, report_power
    from gates.power_table import power_lines

    config = load_config(arguments.override)
    with episode_bar(count_rows(config.power), enabled=config.progress, unit="row") as advance:
        record = report_power(config, advance=advance)
    for line in power_lines(record):
        say(line)
    say(f"Written to {power_folder(config)}")
    return 0


def status_lines(found: StudyStatus) -> Iterator[str]:
    """Yield what is said about a study that was begun."""
    yield f"{found.count('finished')} of {len(found.shards)} shards are finished."
    states: tuple[Condition, ...] = (
        "damaged",
        "lost",
        "failed",
        "running",
        "unfinished",
        "missing",
    )
    for state in states:
        if shards := found.of(state):
            yield f"{len(shards)} {state}: {_indices(shards)}"
    attempts = ", ".join(f"{count} {name}" for name, count in sorted(found.attempts.items()))
    yield f"attempts: {attempts or 'none'}"
    told = [item for item in found.shards if item.state not in {"finished", "missing"}]
    for item in told[:_MOST_LISTED]:
        yield f"  shard {item.shard.index}: {item.state}, {_tries(item)}, {_why(item)}"
    if len(told) > _MOST_LISTED:
        yield f"  and {len(told) - _MOST_LISTED} more"
    seconds = found.remaining_seconds
    if seconds:
        yield f"about {_duration(seconds)} of one process remain, judging by finished attempts"


def _study(arguments: argparse.Namespace) -> Study:
    return Study(load_config(arguments.override))


def _held_study(arguments: argparse.Namespace) -> Study:
    study = _study(arguments)
    hold(study)
    return study


def _describe(result: ShardResult) -> str:
    shard = f"Shard {result.shard.index} of {result.shard.count}"
    if result.action == "busy":
        return f"{shard} is in the hands of another process; nothing was done."
    if result.action == "skipped":
        return f"{shard} was finished before ({result.episodes} episodes)."
    return f"{shard} is finished ({result.episodes} episodes)."


def _indices(shards: Iterable[ShardStatus]) -> str:
    names = [str(item.shard.index) for item in shards]
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _tries(item: ShardStatus) -> str:
    return "1 attempt" if len(item.attempts) == 1 else f"{len(item.attempts)} attempts"


def _why(item: ShardStatus) -> str:
    if item.note is not None:
        return item.note.rstrip(".")
    last = item.attempts[-1]
    if last.failure is None:
        return "no end is recorded"
    # The rest of a long message lists what it was about.
    first = (last.message or "").partition("\n")[0]
    return f"{last.failure}: {first}"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
