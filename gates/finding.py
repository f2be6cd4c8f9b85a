"""Findings: what a check found wrong, and the refusal that lists all of it."""

from __future__ import annotations

from collections.abc import Iterable

from harness.error import IntegrityError
from harness.grid import EpisodeKey


def episode_name(key: EpisodeKey) -> str:
    """Return how messages name an episode: ``task/catalog/condition``."""
    return f"{key.task_id}/{key.catalog_size}/{key.condition}"


def refuse(findings: Iterable[str]) -> None:
    """Stop when something is wrong.

    Raises
    ------
    IntegrityError
        If there is a finding; the message lists every one.
    """
    listed = list(findings)
    if not listed:
        return
    count = "1 finding" if len(listed) == 1 else f"{len(listed)} findings"
    raise IntegrityError(
        f"The results are not what was written ({count}):\n"
        + "\n".join(f"- {finding}" for finding in listed),
        "Restore the files, or remove the manifests of the shards named and run these again.",
    )
