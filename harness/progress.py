"""Progress on stderr: counts of episodes and shards, never an outcome."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm


@contextmanager
def episode_bar(total: int, *, enabled: bool) -> Iterator[tqdm[None]]:
    """Show a bar over episodes while the body runs; off when stderr is not a terminal."""
    show = enabled and sys.stderr.isatty()
    with tqdm(total=total, unit="episode", disable=not show, file=sys.stderr, delay=1) as bar:
        yield bar
