"""Speed of the router, beside the published package where `make compat` has installed it.

On the study's catalogs. The first parameter that a route requires is its requirement, for 100
routes; of what is required, a third has been observed, a third has been observed with another
type, and a third has not been observed. In the worst case everything required is of another type,
so that all 100 routes are left out with reasons.

The published package is timed in its own environment and process, one after the other.

    python -m benchmarks.router [--sizes 100 250 500] [--queries 12] [--compat .venv-compat]
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import router
from benchmarks._router_workload import median, times
from benchmarks.ranking import LANGUAGE_QUERIES
from router import CapabilityFieldContract, CatalogSnapshot
from surface.catalog import load_catalogs

_DECLARED = 100
_ROOT = Path(__file__).resolve().parent.parent
# What the published package knows of a declaration.
_TOOL = {"name", "description", "endpoints"}
_ENDPOINT = {"name", "description", "parameters", "output_fields", "read_only", "destructive"}
_PARAMETER = {"name", "description", "required", "json_schema"}
_FIELD = {"name", "description", "json_schema", "semantic_id", "unit", "qualifiers", "identifier"}
_INTERFACE: dict[str, Any] = {
    **dict.fromkeys(_TOOL, True),
    "endpoints": {
        "__all__": {
            **dict.fromkeys(_ENDPOINT, True),
            "parameters": {"__all__": _PARAMETER},
            "output_fields": {"__all__": _FIELD},
        }
    },
}


def workload(snapshot: CatalogSnapshot, n_queries: int) -> dict[str, Any]:
    """Plain data of a catalog, with queries, requirements and states, the same each time."""
    source = random.Random(20260929)
    required: dict[str, Any] = {}
    for route in source.sample(snapshot.routes, len(snapshot)):
        parameters = snapshot.endpoint(route).parameters
        found = [CapabilityFieldContract.from_field(one) for one in parameters if one.required]
        if found and found[0] is not None and len(required) < _DECLARED:
            required[route] = found[0].model_dump()
    meanings = {one["semantic_id"]: one for one in required.values()}
    other = {meaning: {**one, "json_schema": {"type": "null"}} for meaning, one in meanings.items()}
    shuffled = source.sample(sorted(meanings), len(meanings))
    described = source.sample(snapshot.endpoints, max(0, n_queries - len(LANGUAGE_QUERIES)))
    mixed = [meanings[one] for one in shuffled[::3]] + [other[one] for one in shuffled[1::3]]
    return {
        "tools": [one.model_dump(include=_INTERFACE) for one in snapshot.tools.values()],
        "queries": [*LANGUAGE_QUERIES, *(f"Please {one.description}" for one in described)],
        "requirements": {route: [one] for route, one in required.items()},
        "states": {
            "adds": {"observed_fields": [{"contract": one} for one in mixed]},
            "adds_worst": {"observed_fields": [{"contract": one} for one in other.values()]},
        },
    }


def published(folder: Path, load: dict[str, Any]) -> dict[str, list[float]] | None:
    """The published package's times; nothing where it is not installed."""
    python = folder / "bin" / "python"
    if not python.exists():
        return None
    program = (
        "import json, sys, schemarouter; from benchmarks._router_workload import times; "
        "json.dump(times(schemarouter, json.load(sys.stdin)), sys.stdout)"
    )
    done = subprocess.run(
        [str(python), "-c", program],
        input=json.dumps(load),
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, list[float]] = json.loads(done.stdout)
    return answer


def measure(size: int, n_queries: int, compat: Path) -> dict[str, float | int]:
    """Time one catalog: median milliseconds a query, ours and the published package's."""
    load = workload(load_catalogs()[size].snapshot, n_queries)
    row: dict[str, float | int] = {"endpoints": size, "requirements": len(load["requirements"])}
    theirs = published(compat, load)
    for case, values in times(router, load).items():
        row[f"{case}_ms"] = median(values)
        if theirs is not None:
            row[f"{case}_published_ms"] = median(theirs[case])
            row[f"{case}_ratio"] = round(median(theirs[case]) / median(values), 1)
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a catalog and case."""
    parser = argparse.ArgumentParser(description="Speed of the router on the study's catalogs.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 250, 500])
    parser.add_argument("--queries", type=int, default=12, help="distinct queries a size")
    parser.add_argument("--compat", type=Path, default=_ROOT / ".venv-compat")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args(arguments)
    if not (options.compat / "bin" / "python").exists():
        print(f"{options.compat} has no published package; say make compat.", file=sys.stderr)
    if not options.json:
        print(f"the study's catalogs, Python {platform.python_version()}, {platform.machine()}")
        print("endpoints  case                          ours ms  published ms  published / ours")
    for size in options.sizes:
        row = measure(size, options.queries, options.compat)
        if options.json:
            print(json.dumps({"catalog": "study", **row}))
            continue
        for case, name in (
            ("retrieve", "retrieve"),
            ("adds", f"state adds, {row['requirements']} required"),
            ("adds_worst", "state adds, all excluded"),
        ):
            theirs, ratio = row.get(f"{case}_published_ms", "-"), row.get(f"{case}_ratio", "-")
            ours = row[f"{case}_ms"]
            print(f"{size:>9}  {name:<28}  {ours:>7.3f}  {theirs:>12}  {ratio:>16}")


if __name__ == "__main__":
    main()
