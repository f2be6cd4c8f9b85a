"""The formats that a finished study is exported to, each with what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gates.export.folder import write_folder
from gates.finished import Finished
from harness.error import ConfigError

Writer = Callable[[Finished, Path], None]


@dataclass(frozen=True)
class Format:
    """One format."""

    holds: str
    load: Callable[[], Writer]
    """Loads what writes it: some of these libraries are large."""
    needs: tuple[str, ...] = ()
    """Modules that no other verb needs."""


def _inspect() -> Writer:
    from gates.export.inspect_log import write_logs

    return write_logs


def _tidy() -> Writer:
    from gates.export.tidy import write_tidy

    return write_tidy


def _latex() -> Writer:
    from gates.export.latex import write_latex

    return write_latex


def _markdown() -> Writer:
    from gates.export.markdown import write_markdown

    return write_markdown


def _figures() -> Writer:
    from gates.export.figures import write_figures

    return write_figures


def _tasks() -> Writer:
    from gates.export.task_package import write_task_package

    return write_task_package


FORMATS: Final[Mapping[str, Format]] = {
    "inspect": Format("episodes as logs of Inspect", _inspect, ("inspect_ai",)),
    "tidy": Format("episodes and metrics as Parquet and CSV, with a dictionary", _tidy),
    "latex": Format("gate and main results as LaTeX tables", _latex),
    "markdown": Format("the same tables in Markdown", _markdown),
    "figures": Format("the main plots as SVG and PDF", _figures),
    "tasks": Format("the task set as a Frictionless data package", _tasks, ("frictionless",)),
}


def _tell_nobody(name: str) -> None:
    """Say nothing about a format."""


def chosen(words: str | None) -> tuple[str, ...]:
    """Return the formats that a list with commas names; all of them where there is none.

    Raises
    ------
    ConfigError
        If one is unknown, or what it needs is not installed.
    """
    names = tuple(FORMATS) if words is None else tuple(dict.fromkeys(words.split(",")))
    for name in names:
        if name not in FORMATS:
            raise ConfigError(
                f"There is no export format {name!r}.", f"Choose among {', '.join(FORMATS)}."
            )
        for module in FORMATS[name].needs:
            if find_spec(module) is None:
                raise ConfigError(
                    f"The format {name} needs {module.replace('_', '-')}, which is not installed.",
                    "Install the extra `exports`, or choose other formats.",
                )
    return names


def export(
    finished: Finished,
    names: tuple[str, ...],
    folder: Path,
    *,
    tell: Callable[[str], None] = _tell_nobody,
) -> tuple[Path, ...]:
    """Write formats into a folder, each into one of its own, and return those.

    Parameters
    ----------
    finished
        What is exported.
    names
        Of the formats, see `chosen`.
    folder
        Where to.
    tell
        Is told the name of each format that is written.

    Raises
    ------
    ConfigError
        If something else has the name of one of the folders.
    InfrastructureError
        If the disk refuses. What was written before is whole.
    """
    written = []
    for name in names:
        fill = partial(FORMATS[name].load(), finished)
        write_folder(folder / name, name, finished, fill)
        written.append(folder / name)
        tell(name)
    return tuple(written)
