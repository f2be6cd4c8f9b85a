"""Progress on stderr: counts of what was done, never an outcome."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from tqdm import tqdm


@contextmanager
def episode_bar(
    total: int, *, enabled: bool, unit: str = "episode"
) -> Iterator[Callable[[int], None]]:
    """Show a bar over episodes while the body runs; off when stderr is not a terminal.

    Yields what is to be called with the number of episodes that were added, or of other units.
    """
    show = enabled and sys.stderr.isatty()
    bar: tqdm[NoReturn] = tqdm(total=total, unit=unit, disable=not show, file=sys.stderr)

    def advance(episodes: int) -> None:
        bar.update(episodes)

    with bar:
        yield advance
