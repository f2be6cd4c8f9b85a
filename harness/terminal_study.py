"""A finished study on this machine, verified again: what `report` and `export` are made of."""

from __future__ import annotations

from collections.abc import Sequence

from gates.confirm import confirm
from gates.finished import Finished
from harness.compose import load_config
from harness.error import NotTerminalError
from harness.exchange import study_exchange
from harness.hold import hold
from harness.pin import shard_count
from harness.progress import step_bar
from harness.study import Study


def terminal_study(overrides: Sequence[str]) -> tuple[Study, Finished]:
    """Load and verify a finished study.

    Raises
    ------
    NotTerminalError
        If it has no terminal record, or a simulated agent answered.
    ConfigError, IntegrityError
        As `load_config` and `confirm` raise them.
    InfrastructureError, OSError
        If the plant fails.
    """
    study = Study(load_config(overrides))
    hold(study)
    if study.agent.evidence == "simulation":
        raise NotTerminalError(
            "These are results of a simulated agent, which are never terminal.",
            "Take a study that another agent answered.",
        )
    study_exchange(study).fetch_all()
    with step_bar(enabled=study.config.progress) as step:
        confirmed = confirm(
            study.folder,
            expected=study.record(shard_count(study)),
            tasks=study.tasks,
            catalogs=study.catalogs,
            tell=lambda check: step(check.name),
            aggregated=True,
        )
    return study, Finished.of(confirmed, study.folder)
