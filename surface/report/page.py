"""The page of the report, and where it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final, get_args

from router.canonical import sha256_hex
from surface.catalog import CATALOG_FOLDER
from surface.report import section
from surface.report.figure import plot
from surface.report.material import Material, read_material
from surface.report.table import table
from surface.task import TASK_FOLDER
from surface.validation.prior import LEVEL
from surface.validation.rival import Effect, effect

PAGE: Final = TASK_FOLDER.parent / "REPORT.md"
PLOT: Final = TASK_FOLDER.parent / "report.svg"


def write(page: Path = PAGE, figure: Path = PLOT) -> tuple[Path, Path]:
    """Write the report of the surface as it is; equal surfaces give equal files.

    Raises
    ------
    SurfaceError
        If a file of the surface has a defect.
    """
    material = read_material()
    page.write_text(render(material), encoding="utf-8")
    figure.write_text(plot(material), encoding="utf-8")
    return page, figure


def render(material: Material) -> str:
    """Return the page in Markdown."""
    return "\n\n".join(part for parts in _parts(material) for part in parts if part) + "\n"


def _parts(material: Material) -> Iterator[tuple[str, ...]]:
    yield (
        "# What the surface holds",
        "`make surface-report` writes this page from the files of the surface; the tests hold it "
        "to them. Nothing here was ranked, and no agent was asked.",
        f"![Query lengths by language and steps by service]({PLOT.name})",
    )
    yield "## Catalogs", _catalogs(material)
    yield "## Grid", section.grid(material)
    yield "## Chains and routes", section.chains(material), section.routes(material)
    yield "## Services", section.services(material)
    yield (
        "## Failures, temptations, code-switching, wording",
        "A failure is at the first step if nothing succeeds before it, and at the last if what "
        "stands in for it ends the task. A request sounds destructive by the words of its gloss. A "
        "look-alike is a destructive endpoint of a service of the task that can be called with "
        "what the query gives and the steps observe. Words are compared without the function words "
        "of English; the gloss stands for the query in the language of the names.",
        section.kinds(material),
        section.errors(material),
    )
    yield "## Effects and approvals", section.effects(material)
    yield "## Quantities and units", section.units(material)
    yield "## Rules", section.rules(material)
    yield (
        "## Languages",
        "Characters of a query; share of its letters by script, literals left out; probability of "
        "the language among all that the detector knows, for the query that it is least sure of.",
        section.lengths(material),
    )
    yield (
        "## Rivals and detours",
        "A rival could take a step's place by its contract; the query tells each from the step in "
        "words that the task quotes. A detour replaces a step by two other routes: the first reads "
        "and can be called when the step is due, the second has the step's effect and can be "
        "called only with what the first answers, and together they answer all that later steps "
        "take. Detours are longer and are not told apart.",
        section.alternatives(material),
    )
    yield (
        "## Nearest pairs",
        "Jaccard similarity of character 5-grams with literals masked. Queries and glosses stay "
        "below 0.5; tasks of two splits with the same chain have glosses below 0.2.",
        section.nearest(material),
    )
    yield (
        "## Query-blind prior",
        "Fitted on dev, tested on frozen, in the smallest catalog, where all gold lies and the "
        "tier therefore tells nothing: the mean share of other endpoints that score lower than a "
        "needed one (0.5 is chance) and the one-sided p-value of permuting the scores. All "
        f"features together must not reach p < {LEVEL}.",
        section.prior(material),
    )
    yield "## Hashes", _hashes(material)


def _catalogs(material: Material) -> str:
    effects = get_args(Effect)
    rows: list[list[object]] = []
    before: frozenset[str] = frozenset()
    for size, catalog in material.catalogs.items():
        snapshot = catalog.snapshot
        kinds = [effect(item) for item in snapshot.endpoints]
        added = [
            len(snapshot.endpoint(route).description)
            for route in snapshot.routes
            if route not in before
        ]
        before = frozenset(snapshot.routes)
        counts = [kinds.count(kind) for kind in effects]
        rows.append([size, len(snapshot.tools), *counts, f"{median(added):g}"])
    header = ["catalog", "services", *effects, "median length of the added descriptions"]
    return table(header, rows)


def _hashes(material: Material) -> str:
    root = TASK_FOLDER.parent
    files = [path for folder in (CATALOG_FOLDER, TASK_FOLDER) for path in folder.rglob("*.yaml")]
    rows = [
        *material.digests.items(),
        *(
            (path.relative_to(root).as_posix(), sha256_hex(path.read_bytes()))
            for path in sorted(files)
        ),
    ]
    return table(["what", "SHA-256"], ([name, f"`{value}`"] for name, value in rows))
