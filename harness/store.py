"""Tables on disk: written whole, read back under their explicit schema."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from harness.disk import naming, write_whole
from harness.error import IntegrityError

COMPRESSION_LEVEL = 3


def write_table(path: Path, table: pa.Table) -> str:
    """Write a table and return the SHA-256 of its file.

    One row group and combined chunks, so that equal tables give equal bytes under one Arrow
    version.
    """
    sink = pa.BufferOutputStream()
    pq.write_table(
        table.combine_chunks(),
        sink,
        compression="zstd",
        compression_level=COMPRESSION_LEVEL,
        version="2.6",
        write_page_checksum=True,
    )
    content = sink.getvalue()
    write_whole(path, lambda stream: stream.write(content))
    return hashlib.sha256(content).hexdigest()


def read_table(path: Path, schema: pa.Schema) -> pa.Table:
    """Read a table and check that it is what its schema says.

    Raises
    ------
    IntegrityError
        If the file is missing, truncated, damaged or of another schema.
    OSError
        If the system refuses.
    """
    with _parquet(path) as file:
        table = file.read()
    if not table.schema.equals(schema):
        raise IntegrityError(f"The table {path} has another schema.", _remedy(path))
    return table


def count_rows(path: Path) -> int:
    """Return a table's number of rows as its footer tells, without reading any of them.

    The footer stands at the end, so that a file that was cut or emptied has none.

    Raises
    ------
    IntegrityError
        If the file is missing, or is no whole table.
    OSError
        If the system refuses.
    """
    with _parquet(path) as file:
        return int(file.metadata.num_rows)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises
    ------
    IntegrityError
        If it is missing or no file.
    OSError
        If the system refuses.
    """
    with _opened(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _parquet(path: Path) -> Iterator[pq.ParquetFile]:
    # Arrow gets the open file: it cannot open every name that Python can.
    with _opened(path) as stream:
        try:
            with pq.ParquetFile(stream, page_checksum_verification=True) as file:
                yield file
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            first = str(error).splitlines()[0].rstrip(".")
            raise IntegrityError(f"The table {path} is damaged: {first}.", _remedy(path)) from error


@contextmanager
def _opened(path: Path) -> Iterator[BufferedReader]:
    """Open a file to read it; the system's errors name it."""
    try:
        with naming(path):
            # Opening a pipe would wait for whoever writes to it.
            if not stat.S_ISREG(path.stat().st_mode):
                raise IntegrityError(f"The table {path} is not a file.", _remedy(path))
        with naming(path), path.open("rb") as stream:
            yield stream
    except FileNotFoundError as error:
        raise IntegrityError(f"The table {path} is missing.", _remedy(path)) from error


def _remedy(path: Path) -> str:
    return f"Remove the shard's manifest and run the shard again: {path.stem}."
