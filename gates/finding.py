"""Findings: what a check found wrong, and the refusal that lists it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from harness.error import IntegrityError
from harness.grid import EpisodeKey

MOST_SHOWN: Final = 20
"""Findings that a refusal lists: one doubled shard alone can make hundreds."""

REMEDY: Final = (
    "Restore the files, or remove the manifests of the shards named and run these again."
)


def episode_name(key: EpisodeKey) -> str:
    """Return how messages name an episode: ``task/catalog/condition``."""
    return f"{key.task_id}/{key.catalog_size}/{key.condition}"


def refuse(findings: Iterable[str], remedy: str = REMEDY) -> None:
    """Stop when something is wrong.

    Raises
    ------
    IntegrityError
        If there is a finding; the message counts them all and lists the first `MOST_SHOWN`.
    """
    listed = list(findings)
    if not listed:
        return
    count = "1 finding" if len(listed) == 1 else f"{len(listed)} findings"
    lines = [f"- {finding}" for finding in listed[:MOST_SHOWN]]
    if len(listed) > MOST_SHOWN:
        lines.append(f"and {len(listed) - MOST_SHOWN} more")
    raise IntegrityError(
        f"The results are not what was written ({count}):\n" + "\n".join(lines), remedy
    )
