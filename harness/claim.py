"""Who is at a shard: the lock that the kernel keeps, and takes back when its process dies.

No stale lock is ever left behind. Machines see each other's locks where they mount one file system
that passes them on; elsewhere the commit decides, see `harness.exchange`.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from harness.disk import disk_error, naming

_TRIES: Final = 5
_PAUSE: Final = 0.02
"""Seconds between two tries: whoever only looks lets go long before."""


@contextmanager
def claim(path: Path) -> Iterator[bool]:
    """Hold a lock file while the body runs; yields False when another process has it.

    Raises
    ------
    InfrastructureError
        If the file cannot be made or locked.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise disk_error(path, error) from error
    try:
        yield _claimed(path, descriptor)
    finally:
        os.close(descriptor)


def is_claimed(path: Path) -> bool:
    """Whether another process has a lock; nothing is written.

    Raises
    ------
    OSError
        If the system cannot tell.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        with naming(path):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _claimed(path: Path, descriptor: int) -> bool:
    for tries in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE if tries < _TRIES - 1 else 0)
        except OSError as error:
            raise disk_error(path, error) from error
        else:
            return True
    return False
