"""A cheap look at a finished shard: whether its manifest and tables belong here and are whole.

Footers and counts are read, no row and no outcome. The full verification is the gates' business.
"""

from __future__ import annotations

from harness.error import IntegrityError
from harness.grid import Shard
from harness.manifest import Manifest, read_record
from harness.schema import TABLES
from harness.store import count_rows
from harness.study import Study


def shard_episodes(study: Study, shard: Shard) -> int:
    """Return how many episodes a shard has, without dealing the pairs."""
    pairs = len(range(shard.index, len(study.pairs), shard.count))
    return pairs * len(study.config.study.conditions)


def finished_manifest(study: Study, shard: Shard) -> Manifest:
    """Return the manifest of a finished shard, held against the study and the shard's tables.

    Raises
    ------
    IntegrityError
        If the manifest is damaged or another's, or if a table is not the one that it describes.
    OSError
        If the system refuses.
    """
    path = study.folder.manifest(shard)
    manifest = read_record(path, Manifest)
    named = (manifest.study, manifest.identity, manifest.shard_index, manifest.shard_count)
    if named != (study.config.study.name, study.identity, shard.index, shard.count):
        raise _damage(f"{path} is the manifest of another shard or identity")
    if set(manifest.tables) != set(TABLES):
        raise _damage(f"{path} does not list the study's tables")
    entry, episodes = manifest.tables["episodes"], shard_episodes(study, shard)
    if {manifest.rows, entry.rows} != {episodes} or manifest.sha256 != entry.sha256:
        raise _damage(f"{path} is not about the {episodes} episodes of its shard")
    for name in TABLES:
        table = study.folder.table(name, shard)
        rows, expected = count_rows(table), manifest.tables[name].rows
        if rows != expected:
            raise _damage(f"{table} has {rows} rows, not the {expected} of its manifest")
    return manifest


def _damage(problem: str) -> IntegrityError:
    return IntegrityError(f"{problem}.", "Remove the manifest and run the shard again.")
