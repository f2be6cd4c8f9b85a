"""Findings: what the checks found wrong, and the refusal that lists it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gates.check import Check
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


def refuse(checks: Iterable[Check], remedy: str = REMEDY) -> None:
    """Stop when a check found something.

    Raises
    ------
    IntegrityError
        If there is a finding. The message counts them all, names the check of each and lists about
        `MOST_SHOWN`, some of every check that failed.
    """
    failed = [check for check in checks if check.findings]
    if not failed:
        return
    total = sum(len(check.findings) for check in failed)
    count = "1 finding" if total == 1 else f"{total} findings"
    lines = list(_listed(failed))
    if len(lines) < total:
        lines.append(f"and {total - len(lines)} more")
    raise IntegrityError(
        f"The results are not what was written ({count}):\n" + "\n".join(lines), remedy
    )


def _listed(failed: Sequence[Check]) -> Iterable[str]:
    """Yield what is shown: of every check an equal share, more where those before it need less."""
    left = MOST_SHOWN
    for position, check in enumerate(failed):
        share = max(1, left // (len(failed) - position))
        for finding in check.findings[:share]:
            left -= 1
            yield f"- {check.name}: {finding}"
