"""Verifying and aggregating 2,700 episodes: ``python -m benchmarks.verify``.

The development study is run once and its rows are written under six names, so that 180 tasks stand
there, each with an episode of its own in every table. Prints wall and processor seconds of
aggregation (all checks, the audit, all analyses, the bundle) and of confirming its bundle's
content, the peak memory of a process that does nothing else, and the size of the bundle. The same
over one and three names shows that cost is linear.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from gates.check import Check
from gates.confirm import confirm
from harness.compose import load_config
from harness.folder import StudyFolder
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, StudyRecord, TableEntry, read_record, write_record
from harness.schema import TABLES
from harness.store import read_table, write_table
from harness.study import Study
from harness.table import logical_digest
from surface.catalog import Catalog, load_catalogs
from surface.task import Task, load_tasks

TIMES = (1, 3, 6)


def main(arguments: Sequence[str]) -> None:
    """Measure and print; with arguments, what a child process does."""
    if arguments:
        _measure(Path(arguments[0]), int(arguments[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        results = Path(name)
        _harness("run", "study=dev", f"results={results / 'once'}")
        study = Study(load_config(["study=dev", f"results={results / 'once'}"]))
        for times in TIMES:
            write_many(study.folder, results / str(times), times)
            command = [sys.executable, "-m", "benchmarks.verify", str(results / str(times))]
            subprocess.run([*command, str(times)], check=True)


def write_many(source: StudyFolder, root: Path, times: int) -> None:
    """Write the rows of a finished study under several names each, one shard for each of its own.

    Parameters
    ----------
    source
        The finished study.
    root
        Folder of the new one.
    times
        How many names.
    """
    folder, record = StudyFolder(root), read_record(source.study_record, StudyRecord)
    write_record(folder.study_record, record)
    for index in range(record.shards):
        shard = Shard(index, record.shards)
        manifest = read_record(source.manifest(shard), Manifest)
        tables = {
            name: _renamed(read_table(source.table(name, shard), schema), times)
            for name, schema in TABLES.items()
        }
        entries = {
            name: TableEntry(
                rows=table.num_rows, sha256=write_table(folder.table(name, shard), table)
            )
            for name, table in tables.items()
        }
        changes = {
            "rows": entries["episodes"].rows,
            "sha256": entries["episodes"].sha256,
            "tables": entries,
            "logical_digest": logical_digest({name: [table] for name, table in tables.items()}),
        }
        with Ledger(folder.attempts(shard)).attempt():
            write_record(folder.manifest(shard), manifest.model_copy(update=changes))


def surface(times: int) -> tuple[dict[str, Task], Mapping[int, Catalog]]:
    """Return the development tasks, each under several names, and the catalogs."""
    catalogs = load_catalogs()
    tasks = {
        f"{task.id}-{number}": task.model_copy(update={"id": f"{task.id}-{number}"})
        for task in load_tasks("dev", snapshot=catalogs[100].snapshot)
        for number in range(times)
    }
    return tasks, catalogs


def _renamed(table: pa.Table, times: int) -> pa.Table:
    parts = []
    for number in range(times):
        names = pc.binary_join_element_wise(table["task_id"], str(number), "-")
        parts.append(table.set_column(0, table.schema.field(0), names))
    return pa.concat_tables(parts)


def _measure(root: Path, times: int) -> None:
    folder = StudyFolder(root)
    record = read_record(folder.study_record, StudyRecord)
    start, processor = time.perf_counter(), time.process_time()
    tasks, catalogs = surface(times)
    terminal = aggregate(folder, expected=record, tasks=tasks, catalogs=catalogs)
    wall, processor = time.perf_counter() - start, time.process_time() - processor
    # Linux counts in KiB.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = (folder.terminal / BUNDLE).stat().st_size / 1e6
    print(
        f"{terminal['counts']['episodes']:,} episodes: aggregate {wall:.1f} s"
        f" ({processor:.1f} s of processor), peak memory {peak:.0f} MB, bundle {size:.1f} MB"
    )
    if times == TIMES[-1]:
        _tell_checks(folder, record, tasks, catalogs)


def _tell_checks(
    folder: StudyFolder,
    record: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
) -> None:
    """Print when each check was done, in seconds of processor."""
    start = time.process_time()

    def tell(check: Check) -> None:
        print(
            f"  {time.process_time() - start:6.2f} s  {check.name} ({check.count:,} {check.unit})"
        )

    confirm(folder, expected=record, tasks=tasks, catalogs=catalogs, tell=tell)


def _harness(*argv: str) -> None:
    subprocess.run([sys.executable, "-m", "harness", *argv], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1:])
