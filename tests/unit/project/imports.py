"""Which package may import which: the third column of the tree table in the design, as code.

The rules are about what a module names in its own text. A name counts wherever it stands: inside a
function, under ``TYPE_CHECKING``, or as a literal given to ``import_module``.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

OURS = ("router", "surface", "conditions", "harness", "gates")

# What each package, or part of one, may import of ours. The longest matching name decides.
ALLOWED: dict[str, frozenset[str]] = {
    "router": frozenset(),
    "surface": frozenset({"router"}),
    "conditions": frozenset({"router", "surface"}),
    "harness": frozenset({"router", "surface", "conditions"}),
    "harness.__main__": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.cli": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.aggregate_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.report_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.terminal_study": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.power_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.verify_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.export_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.replay_command": frozenset({"router", "surface", "conditions", "gates"}),
    "harness.conveyor_command": frozenset({"router", "surface", "conditions", "gates"}),
    "gates": frozenset({"router", "surface", "conditions", "harness"}),
    "notebooks": frozenset({"gates"}),
}

# What they may not, although its package is allowed: an auditor that called the audited code would
# agree with its mistakes.
FORBIDDEN: dict[str, tuple[str, ...]] = {
    "gates": ("harness.agents", "harness.episode", "surface.executor", "surface.gold"),
}


def module_name(path: Path, root: Path) -> str:
    """Return the dotted name of the module that a file under `root` holds."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, module: str, *, package: bool = False) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of everything that a module's text imports.

    ``from a import b`` yields ``a.b``, since ``b`` may be a module; relative names are resolved
    against `module`, which is a package when its text is that of an ``__init__``.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=base, names=names, level=level):
                if level:
                    parents = module.split(".")
                    kept = parents[: len(parents) - level + package]
                    base = ".".join([*kept, *([base] if base else [])])
                yield from ((node.lineno, f"{base}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def _within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def violations(source: str, module: str, *, package: bool = False) -> list[str]:
    """Name every import of ours that the design does not allow in a module."""
    scope = max((key for key in ALLOWED if _within(module, key)), key=len)
    top = module.split(".", maxsplit=1)[0]
    found = []
    for line, name in imported(source, module, package=package):
        target = name.split(".", maxsplit=1)[0]
        if target not in OURS or target == top:
            continue
        closed = any(_within(name, prefix) for prefix in FORBIDDEN.get(top, ()))
        if closed or target not in ALLOWED[scope]:
            found.append(f"{module}:{line} imports {name}")
    return found


def undeclared(source: str, module: str, requirements: frozenset[str]) -> list[str]:
    """Name every third-party import of a module that none of the requirements installs.

    Parameters
    ----------
    source, module
        The text of the module and its dotted name.
    requirements
        Normalised names of the distributions that may be imported.
    """
    owners = _owners()
    found = []
    for line, name in imported(source, module, package=True):
        top = name.split(".", maxsplit=1)[0]
        if top in OURS or top in sys.stdlib_module_names:
            continue
        # A package that is not installed here is known by its own name only.
        candidates = {normalised(owner) for owner in owners.get(top, [top])}
        if not candidates & requirements:
            found.append(f"{module}:{line} imports {top}")
    return found


@cache
def _owners() -> Mapping[str, list[str]]:
    """Return the distributions of every importable name: a second of work, always the same."""
    return packages_distributions()


def normalised(distribution: str) -> str:
    """Return the name of a distribution as PEP 503 compares it, without version and extras."""
    name = re.split(r"[\s\[<>=!~;]", distribution.strip(), maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def notebook_source(text: str) -> str:
    """Return the code of a notebook as one module, line magics left out."""
    document: dict[str, Any] = json.loads(text)
    cells = ["".join(c["source"]) for c in document["cells"] if c["cell_type"] == "code"]
    lines = "\n".join(cells).splitlines()
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)
