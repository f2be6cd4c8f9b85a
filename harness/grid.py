"""The grid of a study and how its episodes are dealt into shards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from harness.error import ConfigError
from router.canonical import sha256_hex


class Pair(NamedTuple):
    """A task over a catalog: the unit that a shard holds whole, with every condition."""

    task_id: str
    catalog_size: int


class EpisodeKey(NamedTuple):
    """What identifies an episode in a study (protocol, section 1)."""

    task_id: str
    catalog_size: int
    condition: str


@dataclass(frozen=True)
class Shard:
    """One of the parts that a study is dealt into."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise ConfigError(
                f"Shard {self.index} of {self.count} does not exist.",
                f"Number shards from 0 to {self.count - 1}.",
            )

    @property
    def name(self) -> str:
        """The shard's name in files: ``shard-00000-of-00006``."""
        return f"shard-{self.index:05d}-of-{self.count:05d}"

    def pairs(self, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
        """Return the shard's share: pairs ordered by hash and dealt round-robin.

        The order within the shard is by task and catalog, so that neighbours share prompts.
        """
        dealt = _in_order(tuple(pairs))[self.index :: self.count]
        return tuple(sorted(dealt, key=lambda pair: (pair.catalog_size, pair.task_id)))


def grid_pairs(task_ids: Iterable[str], catalogs: Sequence[int]) -> tuple[Pair, ...]:
    """Return every (task, catalog) pair of a study, in canonical order."""
    return tuple(sorted(Pair(task, size) for task, size in product(task_ids, catalogs)))


def episode_keys(pairs: Iterable[Pair], conditions: Sequence[str]) -> tuple[EpisodeKey, ...]:
    """Return the episodes of pairs: by catalog, then condition, in the order of the pairs.

    So the episodes that show the same whole catalog, and whose prompts begin with it, run one after
    the other, and a server that keeps what it read of one has the next half read.
    """
    found = [EpisodeKey(*pair, condition) for condition in conditions for pair in pairs]
    return tuple(sorted(found, key=lambda key: key.catalog_size))


@lru_cache(maxsize=2)
def _in_order(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """Return pairs ordered by hash: once for all shards that a process runs."""
    return tuple(sorted(pairs, key=_hash))


def _hash(pair: Pair) -> str:
    return sha256_hex(f"{pair.task_id}\x00{pair.catalog_size}".encode())
