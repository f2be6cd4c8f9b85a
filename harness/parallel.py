"""Running episodes at once where they wait for a server: threads of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing.pool import ThreadPool
from typing import TypeVar

K = TypeVar("K")
R = TypeVar("R")


def run_together(
    run: Callable[[K], R], keys: Sequence[K], *, limit: int
) -> Iterator[tuple[int, R]]:
    """Yield the result of every key with its position, as the results come.

    Parameters
    ----------
    run
        Called once for each key, from up to `limit` threads.
    keys
        In the order in which they are begun.
    limit
        How many run at once; 1 runs them in this thread, one after the other.

    Notes
    -----
    An error of one ends all: it is raised here, no other key is begun, and what runs is left to
    itself. The threads do not keep the process alive, so an interrupt need not wait for a server.
    """
    if limit == 1:
        for position, key in enumerate(keys):
            yield position, run(key)
        return

    def numbered(item: tuple[int, K]) -> tuple[int, R]:
        position, key = item
        return position, run(key)

    with ThreadPool(min(limit, max(1, len(keys)))) as pool:
        yield from pool.imap_unordered(numbered, enumerate(keys))
