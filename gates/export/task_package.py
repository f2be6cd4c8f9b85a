"""The task set as a Frictionless data package: queries, glosses, routes of the steps, catalogs.

What a study keeps from agents and retrievers stays in the task files: expected arguments, scripted
answers and approvals. The canary string stands in every row about a task.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from frictionless import Package

from gates.bundle_document import PROJECT, readable
from gates.finished import Finished
from harness.error import IntegrityError
from router.canonical import canonical_json
from surface.task import CANARY, Task

_TASK: Final = {"name": "task_id", "type": "string", "constraints": {"required": True}}
_CANARY: Final = {
    "name": "canary",
    "type": "string",
    "description": "never to be trained on",
    "constraints": {"required": True, "enum": [CANARY]},
}

_FIELDS: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "tasks": (
        {**_TASK, "constraints": {"required": True, "unique": True}},
        {"name": "split", "type": "string", "constraints": {"required": True}},
        {"name": "stratum", "type": "string", "constraints": {"required": True}},
        {
            "name": "language",
            "type": "string",
            "description": "`mixed` is code-switched",
            "constraints": {"required": True},
        },
        {
            "name": "query",
            "type": "string",
            "description": "what the agent is asked, and all that the first ranking reads",
            "constraints": {"required": True},
        },
        {
            "name": "gloss",
            "type": "string",
            "description": "what the query says, in English, for readers only",
            "constraints": {"required": True},
        },
        _CANARY,
    ),
    "steps": (
        _TASK,
        {
            "name": "step",
            "type": "integer",
            "description": "counted from 1",
            "constraints": {"required": True, "minimum": 1},
        },
        {
            "name": "route_id",
            "type": "string",
            "description": "the route that has to be called",
            "constraints": {"required": True},
        },
        _CANARY,
    ),
    "endpoints": (
        {"name": "route_id", "type": "string", "constraints": {"required": True, "unique": True}},
        {
            "name": "catalog_size",
            "type": "integer",
            "description": "the smallest catalog that holds it; all larger ones do too",
            "constraints": {"required": True},
        },
        {"name": "description", "type": "string"},
        {"name": "destructive", "type": "boolean"},
        {"name": "read_only", "type": "boolean"},
        {
            "name": "input_schema",
            "type": "object",
            "description": "JSON Schema of the arguments",
            "constraints": {"required": True},
        },
        {
            "name": "output_fields",
            "type": "array",
            "description": "fields of an observation, by path",
            "constraints": {"required": True},
        },
    ),
}

_KEYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "tasks": {"primaryKey": ["task_id"]},
    "steps": {
        "primaryKey": ["task_id", "step"],
        "foreignKeys": [
            {"fields": [mine], "reference": {"resource": table, "fields": [mine]}}
            for mine, table in (("task_id", "tasks"), ("route_id", "endpoints"))
        ],
    },
    "endpoints": {"primaryKey": ["route_id"]},
}


def write_task_package(finished: Finished, folder: Path) -> None:
    """Write the tables and their description, and hold them against Frictionless's validator.

    Raises
    ------
    IntegrityError
        If the validator finds something.
    OSError
        If the disk refuses.
    """
    rows = {"tasks": _tasks(finished), "steps": _steps(finished), "endpoints": _endpoints(finished)}
    for name, found in rows.items():
        _write(folder / f"{name}.csv", [str(field["name"]) for field in _FIELDS[name]], found)
    path = folder / "datapackage.json"
    path.write_bytes(readable(descriptor(finished)))
    report = Package(str(path)).validate()
    if not report.valid:
        problems = report.flatten(["title", "message"])
        raise IntegrityError(
            f"The package of the task set is not valid: {problems[0]}.",
            "Correct the surface, or export with the version of the package that made the study.",
        )


def descriptor(finished: Finished) -> dict[str, Any]:
    """Return the description of the package."""
    record = finished.results.record
    return {
        "profile": "data-package",
        "name": f"{PROJECT}-{record.split}",
        "title": f"Tasks of split {record.split}",
        "description": f"{len(finished.tasks)} tasks and the catalogs that they run on. {CANARY}",
        "licenses": [{"name": "MIT", "title": "MIT License"}],
        "canary": CANARY,
        "components": {
            name: sha256
            for name, sha256 in record.components.items()
            if name.startswith(("tasks", "catalog"))
        },
        "resources": [
            {
                "name": name,
                "path": f"{name}.csv",
                "profile": "tabular-data-resource",
                "scheme": "file",
                "format": "csv",
                "mediatype": "text/csv",
                "encoding": "utf-8",
                "schema": {"fields": [dict(field) for field in fields], **_KEYS[name]},
            }
            for name, fields in _FIELDS.items()
        ],
    }


def _tasks(finished: Finished) -> Iterator[Sequence[object]]:
    for task in _ordered(finished):
        yield task.id, task.split, task.stratum, task.language, task.query, task.gloss, CANARY


def _steps(finished: Finished) -> Iterator[Sequence[object]]:
    for task in _ordered(finished):
        for number, step in enumerate(task.steps, start=1):
            yield task.id, number, step.route, CANARY


def _endpoints(finished: Finished) -> Iterator[Sequence[object]]:
    known: set[str] = set()
    for size in sorted(finished.catalogs):
        snapshot = finished.catalogs[size].snapshot
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True):
            if route in known:
                continue
            known.add(route)
            yield (
                route,
                size,
                endpoint.description,
                _boolean(endpoint.destructive),
                _boolean(endpoint.read_only),
                canonical_json(endpoint.input_schema).decode(),
                canonical_json([field.pointer for field in endpoint.output_fields]).decode(),
            )


def _ordered(finished: Finished) -> list[Task]:
    return [finished.tasks[name] for name in sorted(finished.tasks)]


def _boolean(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
