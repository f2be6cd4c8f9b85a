"""A journal: one file of records that are appended, each durable and each checking itself.

What it survives, and by what:

- *The process is killed at any byte.* A record is one line: length, SHA-256, payload. A last line
  that does not check was being written; it is cut off before the next record is appended.
- *The machine loses its power.* `append` returns when the disk has the record; the folder's entry
  is made durable when the file is created. A tail of zeros or of garbage checks as little as half
  a line does.
- *The disk is full, or refuses.* What was begun is taken back and the caller is told (75). If even
  that is refused, the next reader cuts it off.
- *The file vanishes while it is open*, with its folder or its mount. Every append looks whether the
  name still leads to the file, so that nothing is written to where nobody finds it (75).
- *A bit flips, a line is lost or changed by hand.* A line that does not check with one that does
  after it was no crash: the journal is damaged and refused (3). Damage to the last record looks
  like a crash: that record alone is given up.
- *The clock jumps.* No record's order or validity depends on a time.

What it leaves to its caller: that one process at a time writes, and what the payloads mean.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final

from harness.disk import disk_error, naming, sync_folder, write_all
from harness.error import InfrastructureError, IntegrityError

REMEDY: Final = "Restore the file, or remove it: what it holds then has to be done again."

_HEAD: Final = 8 + 1 + 64 + 1
"""Characters before a payload: length in hex, blank, SHA-256, blank."""

_LENGTH: Final = re.compile(rb"[0-9a-f]{8}")

# Data and length of the file, not its times, which nothing reads. macOS has no such call.
_sync: Final = getattr(os, "fdatasync", os.fsync)


class Journal:
    """A journal that is open for appending; make it with `open_journal`."""

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size

    def append(self, payload: bytes) -> None:
        """Append a record; it is durable when this returns.

        Parameters
        ----------
        payload
            One line of text.

        Raises
        ------
        ValueError
            If the payload holds a line break.
        InfrastructureError
            If the disk refuses or the file has vanished: the record is not there.
        """
        line = encode(payload)
        self._check_place()
        try:
            write_all(self._descriptor, line)
            _sync(self._descriptor)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise disk_error(self.path, error) from error
        self._size += len(line)

    def _check_place(self) -> None:
        try:
            there = os.stat(self.path)
        except OSError as error:
            raise disk_error(self.path, error) from error
        if not os.path.samestat(there, os.fstat(self._descriptor)):
            raise InfrastructureError(
                f"{self.path} was replaced while it was written.",
                "See that one folder is used by one study, then run the same command again.",
            )


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """Open a journal for appending, create it if it is not there, and cut off a torn tail.

    Raises
    ------
    IntegrityError
        If it is damaged.
    InfrastructureError
        If the disk refuses.
    """
    size = sum(_HEAD + len(payload) + 1 for payload in read_journal(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError as error:
        raise disk_error(path, error) from error
    try:
        try:
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
            sync_folder(path.parent)
        except OSError as error:
            raise disk_error(path, error) from error
        yield Journal(path, descriptor, size)
    finally:
        os.close(descriptor)


def read_journal(path: Path) -> Iterator[bytes]:
    """Yield the payloads of the whole records, none where there is no file.

    Raises
    ------
    IntegrityError
        If a record that does not check stands before one that does.
    OSError
        If the system refuses.
    """
    with suppress(FileNotFoundError), naming(path), path.open("rb") as stream:
        yield from _records(path, stream)


def encode(payload: bytes) -> bytes:
    """Return the record of a payload."""
    if b"\n" in payload:
        raise ValueError("a record is one line")
    return b"%08x %s %s\n" % (len(payload), _sha256(payload), payload)


def _records(path: Path, stream: BinaryIO) -> Iterator[bytes]:
    for number, line in enumerate(stream, start=1):
        payload = _decoded(line)
        if payload is not None:
            yield payload
            continue
        if any(_decoded(later) is not None for later in chain((_unbroken(line),), stream)):
            raise IntegrityError(f"{path}:{number}: this record is damaged.", REMEDY)
        return


def _decoded(line: bytes) -> bytes | None:
    payload = line[_HEAD:-1]
    return payload if line == b"%08x %s %s\n" % (len(payload), _sha256(payload), payload) else None


def _unbroken(line: bytes) -> bytes:
    """Return what stands after the first record of a line, were its line break another byte."""
    length = line[:8]
    return line[_HEAD + int(length, 16) + 1 :] if _LENGTH.fullmatch(length) else b""


def _sha256(payload: bytes) -> bytes:
    return hashlib.sha256(payload).hexdigest().encode()
