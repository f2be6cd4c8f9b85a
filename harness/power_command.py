"""What the verb ``power`` does; loaded when it runs, since it loads the gates."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gates.power import count_rows
from gates.power_report import power_folder, report_power
from gates.power_table import power_lines
from harness.answer import Answer
from harness.compose import load_config
from harness.progress import episode_bar


@dataclass(frozen=True)
class PowerAnswer(Answer):
    """A simulation of a study's design."""

    record: Mapping[str, Any]
    folder: Path

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        yield from power_lines(self.record)
        yield f"Written to {self.folder}"


def power(arguments: argparse.Namespace) -> PowerAnswer:
    """Simulate the study's design: power of the gate, coverage of the intervals, sample sizes."""
    config = load_config(arguments.override)
    with episode_bar(count_rows(config.power), enabled=config.progress, unit="row") as advance:
        record = report_power(config, advance=advance)
    return PowerAnswer(record, power_folder(config))
