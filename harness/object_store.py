"""An object store: whole objects by name, written once each, over any `pyarrow.fs` file system.

An object appears whole or not at all, and is readable everywhere when its write returns. The one
step that only the first of several writers can take is `put_new`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.fs as pafs

from harness.error import InfrastructureError


@dataclass(frozen=True)
class ObjectStore:
    """The objects below one name.

    Every method raises `InfrastructureError` when the store does not answer or refuses.
    """

    filesystem: pafs.FileSystem
    root: str
    """What the names are below."""
    create: Callable[[str, bytes], bool]
    """Creates an object by its whole path; False, and nothing else, when there is one."""
    label: str
    """How messages name the store."""

    def read(self, name: str) -> bytes | None:
        """Return an object, or None where there is none."""
        with self._answering(name):
            try:
                with self.filesystem.open_input_stream(
                    self._path(name), compression=None
                ) as stream:
                    return bytes(stream.read())
            except FileNotFoundError:
                return None

    def put(self, name: str, content: bytes) -> None:
        """Write an object, over one that is there."""
        with self._answering(name):
            path = self._path(name)
            with self.filesystem.open_output_stream(path, compression=None) as stream:
                stream.write(content)

    def put_new(self, name: str, content: bytes) -> bool:
        """Create an object unless there is one; return whether it now is what was given."""
        with self._answering(name):
            created = self.create(self._path(name), content)
        # A request that was sent again may find what its first try created.
        return created or self.read(name) == content

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the objects in a folder, sorted; nothing where there is none."""
        base = self._path(folder)
        with self._answering(folder):
            found = self.filesystem.get_file_info(
                pafs.FileSelector(base, allow_not_found=True, recursive=True)
            )
        names = (item.path for item in found if item.type == pafs.FileType.File)
        return tuple(sorted(name.removeprefix(f"{self.root}/") for name in names))

    def folders(self) -> tuple[str, ...]:
        """Return the first parts of the names of objects in folders, sorted."""
        with self._answering(""):
            found = self.filesystem.get_file_info(
                pafs.FileSelector(self.root, allow_not_found=True)
            )
        return tuple(sorted(item.base_name for item in found if not item.is_file))

    def remove(self, name: str) -> None:
        """Remove an object, if there is one."""
        with self._answering(name):
            try:
                self.filesystem.delete_file(self._path(name))
            except FileNotFoundError:
                return

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}"

    @contextmanager
    def _answering(self, name: str) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise InfrastructureError(
                f"{self.label}/{name} cannot be used ({reason}).",
                "See to the store and its credentials, then run the same command again; what is "
                "finished is kept.",
            ) from error
