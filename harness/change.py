"""What changed between two things that an identity covers: components, their keys and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from harness.difference import ABSENT, differences, shown
from harness.identity import Files


class Covered(Protocol):
    """What an identity covers: a lock, or a study as it is here and now."""

    @property
    def components(self) -> Mapping[str, str]:
        """SHA-256 by component."""
        ...

    @property
    def files(self) -> Mapping[str, Files]:
        """SHA-256 by component and file."""
        ...

    @property
    def config(self) -> Mapping[str, Any]:
        """The protocol and identity keys."""
        ...

    @property
    def agent(self) -> Mapping[str, Any]:
        """What defines the agent's behaviour."""
        ...


@dataclass(frozen=True)
class Item:
    """A key or a file that is not the same; values and hashes as messages show them."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class Change:
    """A component that is not the same."""

    component: Item
    keys: tuple[Item, ...]
    """What differs in the configuration or in the agent, by key."""
    files: tuple[Item, ...]
    """What differs in the component's files. Empty where installed packages make the difference."""

    def sentence(self, there: str = "there", here: str = "here") -> str:
        """Return the change in one line: the component, then what of it, each with both values."""
        parts = [
            *(f"key {_pair(item, there, here)}" for item in self.keys),
            *(f"file {_pair(item, there, here)}" for item in self.files),
        ]
        of_what = "; ".join(parts) or "its files are the same, so installed packages differ"
        return f"{_pair(self.component, there, here)}: {of_what}"


def changes(old: Covered, new: Covered) -> tuple[Change, ...]:
    """Return the components that are not the same, by name."""
    trees = {"config": (old.config, new.config), "agent": (old.agent, new.agent)}
    return tuple(
        Change(
            component=item,
            keys=tuple(Item(*found) for found in differences(*trees.get(item.name, ({}, {})))),
            files=changed_files(old.files, new.files, item.name),
        )
        for item in _items(old.components, new.components)
    )


def changed_files(
    old: Mapping[str, Files], new: Mapping[str, Files], component: str
) -> tuple[Item, ...]:
    """Return the files of a component that are not the same, by name."""
    return tuple(_items(old.get(component, {}), new.get(component, {})))


def reworded(old: Covered, new: Covered) -> tuple[Item, ...]:
    """Return the files that changed in nothing that counts: of components that are the same."""
    same = (name for name, value in old.components.items() if new.components.get(name) == value)
    found = {item for name in same for item in changed_files(old.files, new.files, name)}
    counted = {item for change in changes(old, new) for item in change.files}
    return tuple(sorted(found - counted, key=lambda item: item.name))


def _items(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Item]:
    for name in sorted({*old, *new}):
        before, after = old.get(name, ABSENT), new.get(name, ABSENT)
        if before != after:
            yield Item(name, shown(before), shown(after))


def _pair(item: Item, there: str, here: str) -> str:
    return f"{item.name} ({item.old} {there}, {item.new} {here})"
