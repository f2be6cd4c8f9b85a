"""Tables on disk: written whole, read back under their explicit schema."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from harness.error import IntegrityError
from harness.folder import write_whole

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
    """
    remedy = f"Remove the shard's manifest and run the shard again: {path.stem}."
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
    except FileNotFoundError as error:
        raise IntegrityError(f"The table {path} is missing.", remedy) from error
    except (OSError, pa.ArrowException) as error:
        first = str(error).splitlines()[0].rstrip(".")
        raise IntegrityError(f"The table {path} is damaged: {first}.", remedy) from error
    if not table.schema.equals(schema):
        raise IntegrityError(f"The table {path} has another schema.", remedy)
    return table


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises
    ------
    IntegrityError
        If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise IntegrityError(
            f"The file {path} cannot be read ({error.strerror}).",
            "Restore it, or remove the shard's manifest and run the shard again.",
        ) from error
