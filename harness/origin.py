"""Where a configuration was composed from: its tree of files and the choices made in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from harness.protocol import Section
from surface.yaml import read_yaml

LOCK_SUFFIX: Final = ".lock.json"

_DEFAULTS: Final = "defaults"


class Origin(Section):
    """The tree that a configuration was composed from, and what was chosen of each group."""

    tree: Path
    choices: Mapping[str, str]

    @property
    def agent(self) -> str:
        """Name of the agent's file, which selects a lock."""
        return self.choices["agent"]

    @property
    def surface(self) -> Path:
        """Folder that a study's surface is named relative to."""
        return self.tree.parent

    def lock(self, study: str) -> Path:
        """Return where the lock of a study with the chosen agent lies."""
        return self.locks / f"{study}.{self.agent}{LOCK_SUFFIX}"

    @property
    def locks(self) -> Path:
        """The folder of all locks."""
        return self.tree / "frozen"

    def files(self, group: str) -> tuple[Path, ...]:
        """Return the files that the keys of a group come from, those taken as defaults too.

        Raises
        ------
        SurfaceError
            If one is not strict YAML.
        """
        return tuple(sorted(set(self.sources(group))))

    def sources(self, group: str) -> Iterator[Path]:
        """Yield the files of a group, what one says before what its defaults say; see `files`."""
        yield from self._files(group, self.choices[group])

    def _files(self, group: str, name: str) -> Iterator[Path]:
        path = self.tree / group / f"{name}.yaml"
        yield path
        listed = read_yaml(path, root=self.surface).data
        for item in listed.get(_DEFAULTS, ()) if isinstance(listed, dict) else ():
            if isinstance(item, str) and item != "_self_":
                # A package may follow the name, as in `protocol_0_14@study`.
                yield from self._files(group, item.partition("@")[0])
