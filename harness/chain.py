"""A declared chain of studies, each with the agent that answers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError

from harness.compose import CONFIG_FOLDER
from harness.error import ConfigError
from harness.protocol import Section
from surface.yaml import read_yaml

_NAME: Final = r"^[a-z][a-z0-9_]{0,63}$"


class Link(Section):
    """One study of a chain."""

    study: str = Field(pattern=_NAME)
    """A name in ``configs/study``."""
    agent: str = Field(pattern=_NAME)
    """A name in ``configs/agent``."""

    @property
    def name(self) -> str:
        """How messages name it."""
        return f"{self.study} ({self.agent})"


def _distinct(links: tuple[Link, ...]) -> tuple[Link, ...]:
    for position, link in enumerate(links):
        if link in links[:position]:
            raise ValueError(f"{link.name} stands twice")
    return links


class Chain(Section):
    """Studies in the order in which they are looked at; what each waits for, it says itself."""

    links: Annotated[tuple[Link, ...], Field(min_length=1), AfterValidator(_distinct)]
    tries: int = Field(default=3, ge=1, le=100)
    """How often the missing shards of a study are run before an infrastructure failure ends it."""


def load_chain(name: str, tree: Path = CONFIG_FOLDER) -> Chain:
    """Read a chain of a configuration tree.

    Raises
    ------
    ConfigError
        If there is none of that name, or if it is not a chain.
    SurfaceError
        If its file is not strict YAML; names file and line.
    """
    files = {path.stem: path for path in sorted((tree / "conveyor").glob("*.yaml"))}
    if name not in files:
        known = f"Use one of: {', '.join(files)}." if files else "Declare it in configs/conveyor."
        raise ConfigError(f"There is no chain {name!r}.", known)
    read: Any = read_yaml(files[name], root=tree.parent).data
    try:
        # Through JSON, whose strict reading takes lists for tuples and nothing else for anything.
        return Chain.model_validate_json(json.dumps(read))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        message = first["msg"].removeprefix("Value error, ").rstrip(".")
        raise ConfigError(
            f"The chain {name!r} is not valid at {where}: {message}.", "Correct its file."
        ) from error
