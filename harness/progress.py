"""Progress on stderr: counts of what was done, never an outcome."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from tqdm import tqdm

from harness.colour import is_terminal
from harness.output import complain

PAUSE: Final = 60.0
"""Seconds between two plain lines: a short run says nothing, one of hours stays readable."""


@contextmanager
def episode_bar(
    total: int, *, enabled: bool, unit: str = "episode"
) -> Iterator[Callable[[int], None]]:
    """Show a bar over episodes while the body runs; plain lines when stderr is not a terminal.

    Yields what is to be called with the number of episodes that were added, or of other units.
    """
    if not is_terminal(sys.stderr):
        yield Lines(total, unit).add if enabled else _ignore
        return
    with _bar(total, unit, enabled) as bar:

        def advance(episodes: int) -> None:
            bar.update(episodes)

        yield advance


@contextmanager
def step_bar(*, enabled: bool) -> Iterator[Callable[[str], None]]:
    """Show how many steps are done while the body runs, where their number is not known before.

    Yields what is to be called with the name of each step that is done.
    """
    if not is_terminal(sys.stderr):
        lines = Lines(None, "step")

        def tell(name: str) -> None:
            lines.add(1, name)

        yield tell if enabled else _ignore
        return
    with _bar(None, "step", enabled) as bar:

        def show(name: str) -> None:
            bar.set_postfix_str(name, refresh=False)
            bar.update()

        yield show


def _bar(total: int | None, unit: str, enabled: bool) -> tqdm[NoReturn]:
    return tqdm(
        total=total,
        unit=unit,
        disable=not enabled,
        file=sys.stderr,
        dynamic_ncols=True,
        leave=total is not None,
    )


class Lines:
    """Progress for a log: a line now and then, with the rate since the one before.

    Parameters
    ----------
    total
        How many there are; None where nobody knows.
    unit
        Of what, in the singular.
    clock
        Seconds from an arbitrary start that never run backwards.
    tell
        Takes a line.
    """

    def __init__(
        self,
        total: int | None,
        unit: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] = complain,
    ) -> None:
        self._total = total
        self._unit = unit
        self._clock = clock
        self._tell = tell
        self._done = 0
        self._told = 0
        self._since = clock()

    def add(self, count: int, name: str = "") -> None:
        """Add what was done, under its name if it has one; say so when it is time."""
        self._done += count
        elapsed = self._clock() - self._since
        if elapsed < PAUSE:
            return
        rate = (self._done - self._told) / elapsed
        if self._total is None:
            self._tell(f"{self._done:,} {self._unit}s are done, the last one {name}")
        else:
            left = f", {_duration((self._total - self._done) / rate)} remain" if rate else ""
            self._tell(
                f"{self._done:,} of {self._total:,} {self._unit}s, {rate * 60:,.0f} a minute{left}"
            )
        self._told = self._done
        self._since += elapsed


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"


def _ignore(_: int | str) -> None:
    """Take a count or a name and say nothing."""
