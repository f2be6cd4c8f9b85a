"""Files as the plant gives them: written whole or not at all, read within bounds, listed honestly.

What the plant refuses stays an `OSError` that names its path, unless a rule says more; the command
line ends with 75 on it. A question such as "does it exist" is therefore never answered by a guess.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from harness.error import InfrastructureError, IntegrityError

TEMPORARY_PREFIX: Final = ".writing-"
REMOVED_PREFIX: Final = ".removing-"


def is_there(path: Path) -> bool:
    """Whether a file or folder exists.

    Raises
    ------
    OSError
        If the system cannot tell; `Path.exists` takes some of these for "no".
    """
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def listing(folder: Path) -> tuple[Path, ...]:
    """Return what a folder holds by name; nothing when it does not exist.

    Raises
    ------
    OSError
        If it cannot be listed; `Path.glob` takes that for an empty folder.
    """
    try:
        return tuple(sorted(folder.iterdir()))
    except FileNotFoundError:
        return ()


def read_file(path: Path, *, limit: int, remedy: str) -> bytes:
    """Read a regular file that can be no larger than a limit in bytes.

    Raises
    ------
    IntegrityError
        If it is missing, larger, or no regular file; with the remedy given.
    OSError
        If the system refuses.
    """
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise IntegrityError(f"{path} is missing.", remedy) from error
    if not stat.S_ISREG(status.st_mode):
        raise IntegrityError(f"{path} is not a file.", remedy)
    if status.st_size > limit:
        raise IntegrityError(f"{path} is larger than any such file can be.", remedy)
    with naming(path):
        return path.read_bytes()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let the system's errors name a path: those of an open file name none by themselves."""
    try:
        yield
    except OSError as error:
        # Libraries raise the class without a number, for damage that they find in the content.
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def write_whole(
    path: Path, write: Callable[[BinaryIO], object], *, exclusive: bool = False
) -> None:
    """Write a file so that it appears whole or not at all, and survives a crash.

    Temporary name in the same folder, flush, fsync, then the final name, then fsync of the folder.

    Parameters
    ----------
    path
        The final name.
    write
        Writes the content.
    exclusive
        Refuse to replace a file that exists.

    Raises
    ------
    FileExistsError
        If `exclusive` and the file exists.
    InfrastructureError
        If the disk refuses; nothing is left behind.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=path.parent)
        with os.fdopen(descriptor, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        if exclusive:
            os.link(temporary, path)
        else:
            os.replace(temporary, path)
            temporary = None
        sync_folder(path.parent)
    except OSError as error:
        # Only the link says that the file itself is there; a folder's way may be blocked as well.
        if exclusive and isinstance(error, FileExistsError) and temporary is not None:
            raise
        raise disk_error(path, error) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def append(path: Path, content: bytes) -> None:
    """Append to a file, which is made if it is not there; it is durable when this returns.

    Raises
    ------
    InfrastructureError
        If the disk refuses; a part may have been written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            write_all(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_folder(path.parent)
    except OSError as error:
        raise disk_error(path, error) from error


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of some bytes to an open file; the system may take them in parts."""
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]


def remove_whole(folder: Path) -> None:
    """Remove a folder so that it is there whole or not at all; what is no folder stays.

    A removal that was killed leaves a hidden name beside it, which the next one takes along.

    Raises
    ------
    OSError
        If the system refuses.
    """
    for leftover in listing(folder.parent):
        if leftover.name.startswith(REMOVED_PREFIX):
            shutil.rmtree(leftover)
    if folder.is_dir():
        aside = Path(tempfile.mkdtemp(prefix=REMOVED_PREFIX, dir=folder.parent))
        os.rename(folder, aside / folder.name)
        sync_folder(folder.parent)
        shutil.rmtree(aside)


def disk_error(path: Path, error: OSError) -> InfrastructureError:
    """Return the error for a disk that refuses to write."""
    reason = error.strerror or str(error)
    # A temporary name says nothing to anybody.
    told = error.filename in {None, str(path)} or TEMPORARY_PREFIX in str(error.filename)
    place = "" if told else f": {error.filename}"
    return InfrastructureError(
        f"{path} cannot be written ({reason}{place}).",
        "Make room or restore the folder, then run the same command again; nothing is lost.",
    )


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
