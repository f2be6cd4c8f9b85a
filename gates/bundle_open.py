"""Opening a bundle that may come from anybody: a folder or a zip, of which nothing is believed.

Names are taken from a list (`gates.bundle_layout`), so none can lead anywhere else; links and
special files are refused; sizes are bounded before and while anything is read. What a zip holds is
written to a temporary folder and nowhere else.
"""

from __future__ import annotations

import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq

from gates.bundle_layout import LARGEST_BUNDLE, MOST_FILES, REQUIRED, is_folder, largest
from harness.disk import is_there
from harness.error import ConfigError, IntegrityError
from harness.strict_json import strict_json

_REMEDY: Final = "Take the bundle again from where it was published."

_INFLATION: Final = 200
"""How many times its size a compressed file may grow; JSON of ours grows tenfold."""

_CHUNK: Final = 2**20
_BATCH: Final = 256
_MOST_VALUES: Final = 2**28
"""Values of a table's column; a table of 2,700 episodes has two million at most."""
_LARGEST_BATCH: Final = 2**28
"""Bytes that so many rows may take."""


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """Yield a folder that holds the files of a bundle, all of them what their names say.

    Raises
    ------
    ConfigError
        If there is nothing of that name.
    IntegrityError
        If it is no bundle, or something in it is not what a bundle holds.
    OSError
        If the system refuses.
    """
    if not is_there(path):
        raise ConfigError(f"{path} does not exist.", "Name a bundle: a folder or a zip.")
    if path.is_dir():
        _check_folder(path)
        _check_content(path)
        yield path
    elif path.is_file() and zipfile.is_zipfile(path):
        with tempfile.TemporaryDirectory(prefix="bundle-") as name:
            folder = Path(name)
            _unpack(path, folder)
            _check_content(folder)
            yield folder
    else:
        refused(f"{path} is no bundle: neither a folder nor a zip")


def refused(problem: str) -> NoReturn:
    """Refuse a bundle."""
    raise IntegrityError(f"{problem}.", _REMEDY)


def _check_folder(path: Path) -> None:
    """Check names, kinds and sizes of everything in a folder; no link is followed."""
    sizes: dict[str, int] = {}
    for place, folders, files in os.walk(path, onerror=_raise):
        inside = Path(place).relative_to(path)
        for name in (*folders, *files):
            relative = (inside / name).as_posix()
            status = (Path(place) / name).lstat()
            if stat.S_ISDIR(status.st_mode):
                if not is_folder(relative):
                    refused(f"{path}: the folder {relative!r} belongs to no bundle")
            elif stat.S_ISREG(status.st_mode):
                sizes[relative] = status.st_size
            else:
                refused(f"{path}: {relative!r} is a link or no regular file")
    _check_sizes(path, sizes)


def _check_sizes(path: Path, sizes: dict[str, int]) -> None:
    if len(sizes) > MOST_FILES:
        refused(f"{path} holds {len(sizes)} files, more than any study leaves")
    for name, size in sizes.items():
        limit = largest(name)
        if limit is None:
            refused(f"{path}: {name!r} is no file of a bundle")
        if size > limit:
            refused(f"{path}: {name} has {size} bytes, more than it can have")
    if sum(sizes.values()) > LARGEST_BUNDLE:
        refused(f"{path} holds more than {LARGEST_BUNDLE} bytes")
    if missing := sorted(REQUIRED - set(sizes)):
        refused(f"{path} is no bundle: it has no {', '.join(missing)}")


def _unpack(path: Path, folder: Path) -> None:
    """Write the files of a zip into an empty folder, once all of them are known to be harmless."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [info for info in archive.infolist() if not _is_folder(path, info)]
            for info in entries:
                _check_entry(path, info)
            sizes = {info.filename: info.file_size for info in entries}
            if len(sizes) != len(entries):
                refused(f"{path} holds two files of one name")
            _check_sizes(path, sizes)
            for info in entries:
                _extract(archive, info, folder / info.filename)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        refused(f"{path} is damaged: {str(error).rstrip('.')}")


def _is_folder(path: Path, info: zipfile.ZipInfo) -> bool:
    if not info.filename.endswith("/"):
        return False
    if not is_folder(info.filename.rstrip("/")):
        refused(f"{path}: the folder {info.filename!r} belongs to no bundle")
    return True


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    name = info.filename
    if largest(name) is None or info.orig_filename != name:
        refused(f"{path}: {info.orig_filename!r} is no file of a bundle")
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        refused(f"{path}: {name!r} is a link or no regular file")
    if info.flag_bits & 1:
        refused(f"{path}: {name} is encrypted")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        refused(f"{path}: {name} is compressed in another way than zips of all systems are")
    if info.file_size > _INFLATION * info.compress_size + _CHUNK:
        refused(f"{path}: {name} would grow from {info.compress_size} to {info.file_size} bytes")


def _extract(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    left = info.file_size
    with archive.open(info) as source, target.open("xb") as sink:
        # A byte more or less than is announced would be a lie.
        while chunk := source.read(min(_CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                break
            sink.write(chunk)
    if left:
        raise zipfile.BadZipFile(f"{info.filename} is not as large as it says")


def _check_content(folder: Path) -> None:
    """Check that JSON has one meaning, text is UTF-8, and no table unfolds without end."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        name = path.relative_to(folder).as_posix()
        try:
            if path.suffix == ".parquet":
                _check_table(path)
            elif path.suffix == ".json":
                strict_json(path.read_bytes())
            elif path.suffix == ".jsonl":
                for line in path.read_bytes().splitlines():
                    strict_json(line)
            else:
                path.read_bytes().decode("utf-8")
        except ValueError as error:
            kind = "JSON that has one meaning" if "json" in path.suffix else "UTF-8"
            refused(f"{name} is not {kind} ({error})")


def _check_table(path: Path) -> None:
    try:
        with pq.ParquetFile(path) as file:
            groups = (file.metadata.row_group(at) for at in range(file.metadata.num_row_groups))
            columns = (group.column(at) for group in groups for at in range(group.num_columns))
            if any(column.num_values > _MOST_VALUES for column in columns):
                refused(f"The table {path.name} would unfold without end")
            for batch in file.iter_batches(batch_size=_BATCH):
                if batch.nbytes > _LARGEST_BATCH:
                    refused(f"The table {path.name} would unfold without end")
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        refused(f"The table {path.name} is damaged: {str(error).splitlines()[0].rstrip('.')}")


def _raise(error: OSError) -> NoReturn:
    raise error
