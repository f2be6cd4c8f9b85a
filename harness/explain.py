"""What changed between two freezes, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from harness.change import Change, Item, changes, reworded
from harness.difference import ABSENT, differences
from harness.lock import Lock

_WORDS: Final[Mapping[str, str]] = {
    "agent": "What answers",
    "conditions": "The code of the conditions",
    "config": "The configuration of protocol and agent",
    "gate": "The definition of the gate",
    "metrics": "The definition of the metrics",
    "retriever": "The code of the research retriever",
    "source.agents": "The code of the agents",
    "source.episode": "The code of the episode loop",
    "source.router": "The code of the router",
    "source.surface": "The code of surface and executor",
    "state_contract": "The code of the state contract",
    "tasks": "The tasks",
    "vectors": "The committed vectors",
}


def explain(old: Lock, new: Lock) -> Iterator[str]:
    """Yield lines that say what changed from one freeze to another."""
    yield f"From {_title(old)}"
    yield f"  to {_title(new)}"
    if old.identity == new.identity:
        yield "They have one identity: nothing that could change an outcome differs."
    else:
        yield "What the identity covers:"
        for change in changes(old, new):
            yield from _told(change)
    recorded = [*_recorded(old, new), *map(_reworded, reworded(old, new))]
    if recorded:
        yield "What is recorded beside it:"
        yield from recorded


def _title(lock: Lock) -> str:
    about = f"study {lock.study!r} with agent {lock.agent_name!r}"
    return f"{about}, identity {lock.identity[:12]}, commit {lock.commit[:12]}"


def _told(change: Change) -> Iterator[str]:
    item = change.component
    what = _WORDS.get(item.name, f"The component {item.name}")
    if item.name.startswith("catalog."):
        what = f"The catalog of {item.name.removeprefix('catalog.')} endpoints"
    verb = "is new" if item.old == ABSENT else "is gone" if item.new == ABSENT else "changed"
    plural = item.name in {"tasks", "vectors"}
    yield f"  {what} {verb.replace('is ', 'are ') if plural else verb} ({_arrow(item)}):"
    yield from (f"    {_key(part)}" for part in change.keys)
    yield from (f"    {_file(part)}" for part in change.files)
    if not change.keys and not change.files:
        yield "    in none of its files; installed packages made the difference"


def _recorded(old: Lock, new: Lock) -> Iterator[str]:
    trees = (
        {
            "commit": lock.commit,
            "version of the project": lock.version,
            "interpreter": lock.environment.interpreter,
            "platform": lock.environment.platform,
            "requirements.lock": lock.environment.package_lock,
            "analysis code": lock.analysis,
        }
        for lock in (old, new)
    )
    yield from (f"  {_key(Item(*found))}" for found in differences(*trees))
    packages = differences(old.environment.packages, new.environment.packages)
    yield from (f"  package {_key(Item(*found))}" for found in packages)


def _reworded(item: Item) -> str:
    return f"  {_file(item)}, in nothing that counts, such as a comment"


def _key(item: Item) -> str:
    if item.old == ABSENT:
        return f"{item.name} was added: {item.new}"
    if item.new == ABSENT:
        return f"{item.name} was removed; it was {item.old}"
    return f"{item.name} was {item.old} and is {item.new}"


def _file(item: Item) -> str:
    verb = "was added" if item.old == ABSENT else "was removed" if item.new == ABSENT else "changed"
    return f"{item.name} {verb} ({_arrow(item)})"


def _arrow(item: Item) -> str:
    return " -> ".join(part for part in (item.old, item.new) if part != ABSENT)
