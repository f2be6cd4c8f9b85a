"""From a configuration to the files of a power analysis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

from gates.bundle import load_terminal
from gates.power import analyse_power
from gates.power_pilot import pilot_rates
from gates.power_plot import plot_power
from harness.config import StudyConfig
from harness.disk import write_whole
from harness.error import ConfigError, IntegrityError, NotTerminalError
from harness.power import RateSection
from router.canonical import canonical_json

__all__ = ["power_folder", "report_power"]


def power_folder(config: StudyConfig) -> Path:
    """Return where a study's power analysis lies, beside its identities and part of none."""
    return config.results / config.study.name / "power"


def report_power(
    config: StudyConfig, *, advance: Callable[[int], None] = lambda rows: None
) -> dict[str, Any]:
    """Simulate a study's design and write ``power.json`` and ``power.svg``.

    Parameters
    ----------
    config
        The study, and what is simulated.
    advance
        Called with the number of rows that were finished.

    Returns
    -------
    dict
        The content of ``power.json``.

    Raises
    ------
    ConfigError
        If a pilot is named that is not there or no terminal record.
    EstimationError
        If the rates do not fit the study.
    """
    section, rates, pilot = config.power, config.power.rates, None
    if section.pilot is not None:
        rates, pilot = _piloted(Path(section.pilot), rates)
    record = analyse_power(section, config.study, rates, pilot=pilot, advance=advance)
    content = canonical_json(record) + b"\n"
    folder = power_folder(config)
    write_whole(folder / "power.json", lambda stream: stream.write(content))
    # Without these the file would hold the time and new identifiers at every run.
    with matplotlib.rc_context({"svg.hashsalt": "power"}):
        figure = plot_power(record)
        write_whole(
            folder / "power.svg",
            lambda stream: figure.savefig(stream, format="svg", metadata={"Date": None}),
        )
    return record


def _piloted(path: Path, stated: RateSection) -> tuple[RateSection, dict[str, Any]]:
    """Return the rates of a pilot, and what it was."""
    remedy = "Let power.pilot name the terminal.json of a finished study, or leave it out."
    if not path.is_file():
        raise ConfigError(f"{path} is no file.", remedy)
    try:
        terminal = load_terminal(path)
        rates = pilot_rates(terminal, stated)
        # Whatever stands there is told as it stands.
        pilot = {name: terminal[name] for name in ("study", "identity", "digest", "evidence")}
    except (IntegrityError, NotTerminalError) as error:
        raise ConfigError(error.what, remedy) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{path} has not the figures that rates are taken from.", remedy
        ) from error
    return rates, pilot
