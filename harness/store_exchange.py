"""The exchange through an object store, which workers on many machines share.

Names are those of the results folder (results/README.md), but for tables: they are named by their
content, so that two workers that finish one shard never write over each other. The manifest,
created by the first, says which tables count; the loser takes its own away again. A table that no
manifest names means nothing, which is what a worker leaves that was killed between the two.
"""

from __future__ import annotations

from multiprocessing.pool import ThreadPool
from typing import Final

from harness.disk import is_there, read_file, write_whole
from harness.error import IntegrityError
from harness.folder import StudyFolder, shard_of
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import (
    LARGEST_RECORD,
    Manifest,
    StudyRecord,
    parse_record,
    read_record,
    record_bytes,
)
from harness.object_store import ObjectStore
from harness.schema import TABLES
from router.canonical import sha256_hex

_PIN: Final = "study.json"

_AT_ONCE: Final = 8
"""Shards that are fetched at once."""


class StoreExchange:
    """A results folder beside an object store.

    Parameters
    ----------
    folder
        The results folder of this machine.
    store
        The objects of the same study and identity.
    """

    shared = True

    def __init__(self, folder: StudyFolder, store: ObjectStore) -> None:
        self.folder = folder
        self.store = store

    def pin(self, record: StudyRecord) -> None:
        """Pin the study for every worker, unless it is pinned, and bring the pin here."""
        self.store.put_new(_PIN, record_bytes(record))
        self.fetch_pin()

    def fetch_pin(self) -> None:
        """Bring what pins the study into the results folder.

        Raises
        ------
        IntegrityError
            If the results folder pins something else.
        """
        content = self.store.read(_PIN)
        path = self.folder.study_record
        if content is None:
            return
        if not is_there(path):
            write_whole(path, lambda stream: stream.write(content))
        elif read_file(path, limit=LARGEST_RECORD, remedy=StudyRecord.remedy) != content:
            raise IntegrityError(
                f"{path} pins something else than {self._name(_PIN)}.",
                "Use another results folder, or another prefix of the store.",
            )

    def fetch(self, shard: Shard) -> None:
        """Bring a shard that was finished elsewhere into the results folder; what is here goes out.

        Raises
        ------
        IntegrityError
            If an object is lost or is not what its manifest describes.
        """
        self.ledger(shard).sync()
        path, name = self.folder.manifest(shard), f"manifests/{shard.name}.json"
        content = self.store.read(name)
        if content is None:
            if self.folder.is_finished(shard):
                # Finished while the folder was used without the store.
                self._publish(shard, read_record(path, Manifest))
            return
        manifest = parse_record(content, Manifest, self._name(name))
        here = is_there(path) and read_file(path, limit=LARGEST_RECORD, remedy=Manifest.remedy)
        if here == content and self.folder.is_finished(shard):
            return
        # Tables are about to change: what they are part of must not look finished meanwhile.
        path.unlink(missing_ok=True)
        for table in TABLES:
            self._fetch_table(shard, manifest, table)
        write_whole(path, lambda stream: stream.write(content))

    def fetch_all(self) -> None:
        """Bring the pin and every shard that was begun into the results folder."""
        self.fetch_pin()
        names = (*self.store.names("attempts"), *self.store.names("manifests"))
        shards = {shard_of(name.split("/")[1].removesuffix(".json")) for name in names}
        # Most of the time is spent waiting for answers.
        with ThreadPool(_AT_ONCE) as pool:
            for _ in pool.imap_unordered(self.fetch, filter(None, shards)):
                pass

    def ledger(self, shard: Shard) -> Ledger:
        """Return the attempt ledger of a shard, whose entries all workers see."""
        return Ledger(self.folder.attempts(shard), entries=Entries(self.store, shard))

    def commit(self, shard: Shard, manifest: Manifest) -> bool:
        """Finish a shard whose tables lie in the results folder; False when another was first."""
        if not self._publish(shard, manifest):
            return False
        content = record_bytes(manifest)
        write_whole(self.folder.manifest(shard), lambda stream: stream.write(content))
        return True

    def _publish(self, shard: Shard, manifest: Manifest) -> bool:
        objects = {name: _table_name(shard, manifest, name) for name in TABLES}
        for name, target in objects.items():
            self.store.put(target, self.folder.table(name, shard).read_bytes())
        path = f"manifests/{shard.name}.json"
        if self.store.put_new(path, record_bytes(manifest)):
            return True
        first = parse_record(self.store.read(path) or b"", Manifest, self._name(path))
        kept = {_table_name(shard, first, name) for name in TABLES}
        for target in sorted(set(objects.values()) - kept):
            self.store.remove(target)
        return False

    def _fetch_table(self, shard: Shard, manifest: Manifest, table: str) -> None:
        name = _table_name(shard, manifest, table)
        content = self.store.read(name)
        if content is None or sha256_hex(content) != manifest.tables[table].sha256:
            state = "is lost" if content is None else "is not what its manifest describes"
            raise IntegrityError(
                f"{self._name(name)} {state}.",
                f"Restore it, or remove {self._name(f'manifests/{shard.name}.json')} and run the "
                "shard again.",
            )
        write_whole(self.folder.table(table, shard), lambda stream: stream.write(content))

    def _name(self, name: str) -> str:
        return f"{self.store.label}/{name}"


class Entries:
    """The ledger entries of one shard, an object each."""

    def __init__(self, store: ObjectStore, shard: Shard) -> None:
        self._store = store
        self._folder = f"attempts/{shard.name}"

    def all(self) -> dict[str, bytes]:
        """Return every entry by name, in the order of attempts and of what happened to each."""
        found = {}
        for path in self._store.names(self._folder):
            content = self._store.read(path)
            if content is not None:
                found[path.rpartition("/")[2]] = content
        return found

    def add(self, name: str, content: bytes) -> bool:
        """Add an entry; False when another of this name is there."""
        return self._store.put_new(f"{self._folder}/{name}", content)


def _table_name(shard: Shard, manifest: Manifest, table: str) -> str:
    return f"{table}/{shard.name}.{manifest.tables[table].sha256}.parquet"
