"""The sections of the report about tasks: each counts one thing by split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import quantiles

from surface.report.material import Material
from surface.report.table import by_split, table
from surface.task import LANGUAGES, STRATA, Task
from surface.validation.alternative import has_detour
from surface.validation.chain import chain_of, count_chains
from surface.validation.detector import probability
from surface.validation.failure import failures, service_of
from surface.validation.prior import blind_tests
from surface.validation.rival import effect, rivals
from surface.validation.script import shares
from surface.validation.similarity import grams, jaccard, masked
from surface.validation.site import step_sites
from surface.validation.variety import count_variety

Counts = Mapping[str, Mapping[str, object]]


def grid(material: Material) -> str:
    """Tasks by stratum and language."""
    rows = []
    for split, tasks in material.splits.items():
        cells = Counter((task.stratum, task.language) for task in tasks)
        for stratum in STRATA:
            rows.append([split, stratum, *(cells[stratum, item] for item in LANGUAGES)])
    return table(["split", "stratum", *LANGUAGES], rows)


def chains(material: Material) -> str:
    """How varied the chains of routes are, and how long."""

    def counts(tasks: Sequence[Task]) -> Iterator[tuple[str, int]]:
        yield from count_chains(tasks).items()
        uses = Counter(map(chain_of, tasks))
        yield "tasks that share a chain with another", sum(n for n in uses.values() if n > 1)
        for length, number in sorted(Counter(len(task.steps) for task in tasks).items()):
            yield f"tasks of {length} steps", number
        yield "steps", sum(len(task.steps) for task in tasks)

    found = _by_split(material, lambda tasks: dict(counts(tasks)))
    return by_split("", found, keys=_keys(found))


def services(material: Material) -> str:
    """Steps by service, beside the endpoints that it has in the smallest and largest catalog."""
    small, large = (
        Counter(map(service_of, catalog.routes))
        for catalog in (material.smallest, material.largest)
    )
    steps = _by_split(
        material,
        lambda tasks: Counter(service_of(step.route) for task in tasks for step in task.steps),
    )
    rows = [
        [name, small[name], large[name], *(counts.get(name, 0) for counts in steps.values())]
        for name in sorted(large)
    ]
    sizes = [f"endpoints in {size}" for size in (min(material.catalogs), max(material.catalogs))]
    unseen = [
        name
        for name in sorted(small)
        if any(counts.get(name) for counts in steps.values()) and not steps["dev"].get(name)
    ]
    note = f"Services unseen in dev and used elsewhere: {', '.join(unseen) or 'none'}."
    return (
        f"{table(['service', *sizes, *(f'steps in {split}' for split in steps)], rows)}\n\n{note}"
    )


def routes(material: Material) -> str:
    """How many of the smallest catalog's routes are needed by how many tasks."""

    def counts(tasks: Sequence[Task]) -> Mapping[str, int]:
        uses = Counter(route for task in tasks for route in task.required_routes)
        shown = Counter(min(uses[route], 6) for route in material.smallest.routes)
        return {_tasks(number): count for number, count in shown.items()}

    return by_split(
        "needed by", _by_split(material, counts), keys=[_tasks(number) for number in range(7)]
    )


def kinds(material: Material) -> str:
    """Failures, temptations, code-switching and wording, as the validation asks for them."""
    found = _by_split(material, lambda tasks: count_variety(tasks, material.smallest))
    return by_split("", found, keys=_keys(found))


def errors(material: Material) -> str:
    """Scripted errors by class."""
    return by_split(
        "class",
        _by_split(
            material, lambda tasks: Counter(item.name for task in tasks for item in failures(task))
        ),
    )


def effects(material: Material) -> str:
    """Steps by effect, and approvals."""

    def counts(tasks: Sequence[Task]) -> Mapping[str, int]:
        used = Counter(
            f"{effect(material.smallest.endpoint(step.route))} steps"
            for task in tasks
            for step in task.steps
        )
        listed = [approval for task in tasks for approval in task.approvals]
        needed = sum(approval.step is not None for approval in listed)
        return {
            **used,
            "approvals that a step needs": needed,
            "approvals that no step needs": len(listed) - needed,
        }

    return by_split("", _by_split(material, counts))


def units(material: Material) -> str:
    """Quantities that are needed in a unit other than the one observed or stated."""

    def counts(tasks: Sequence[Task]) -> Counter[str]:
        found: Counter[str] = Counter()
        for site in (site for task in tasks for site in step_sites(task, material.smallest)):
            quantity = site.rule.quantity
            if quantity is None:
                continue
            source = quantity.source
            field = site.field(source) if source is not None else None
            unit = quantity.unit if field is None else field.unit
            origin = "stated" if source is None else "observed"
            change = "kept" if unit == site.parameter.unit else f"to {site.parameter.unit}"
            found[f"{site.parameter.dimension}: {origin} in {unit}, {change}"] += 1
        return found

    return by_split("quantity", _by_split(material, counts))


def rules(material: Material) -> str:
    """Rules by kind."""

    def kind(rule: Mapping[str, object]) -> str:
        return "equals, with says" if len(rule) > 1 else next(iter(rule))

    def counts(tasks: Sequence[Task]) -> Counter[str]:
        return Counter(
            kind(rule.model_dump(by_alias=True, exclude_unset=True))
            for task in tasks
            for step in task.steps
            for rule in step.arguments.values()
        )

    return by_split("rule", _by_split(material, counts))


def lengths(material: Material) -> str:
    """Characters of the queries, letters by script, and the detector's least certainty."""
    rows = []
    for split, tasks in material.splits.items():
        for language in LANGUAGES:
            queries = [task.query for task in tasks if task.language == language]
            sizes = [len(query) for query in queries]
            scripts: Counter[str] = Counter()
            for query in queries:
                scripts.update(shares(query))
            letters = ", ".join(
                f"{script} {share / len(queries):.0%}" for script, share in sorted(scripts.items())
            )
            sure = "" if language == "mixed" else f"{min(_sure(queries, language)):.2f}"
            low, middle, high = (round(cut) for cut in quantiles(sizes, n=4, method="inclusive"))
            rows.append([split, language, min(sizes), low, middle, high, max(sizes), letters, sure])
    header = ["split", "language", "shortest", "25%", "median", "75%", "longest"]
    return table([*header, "mean share of letters", "least probability"], rows)


def alternatives(material: Material) -> str:
    """Rivals by contract, and detours over two routes."""

    def counts(tasks: Sequence[Task]) -> Mapping[str, int]:
        places = [(task, number) for task in tasks for number in range(len(task.steps))]
        found = [len(rivals(task, number, material.largest)) for task, number in places]
        return {
            "steps": len(places),
            "steps with a rival, all told apart": sum(count > 0 for count in found),
            "rivals": sum(found),
            "steps with a detour of two routes": sum(
                has_detour(task, number, material.largest) for task, number in places
            ),
            "steps whose order only the query states": sum(
                step.after is not None for task in tasks for step in task.steps
            ),
        }

    found = _by_split(material, counts)
    return by_split("", found, keys=_keys(found))


def nearest(material: Material) -> str:
    """The pairs of tasks that are most alike."""
    profiles = [
        (task, {"query": grams(masked(task)), "gloss": grams(masked(task, task.gloss))})
        for task in material.tasks
    ]
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for (first, left), (second, right) in combinations(profiles, 2):
        where = " and ".join(dict.fromkeys((first.split, second.split)))
        for text in ("query", "gloss"):
            pair = (jaccard(left[text], right[text]), f"{first.id}, {second.id}")
            best[text, where] = max(best.get((text, where), pair), pair)
    rows = (
        [text, where, f"{shared:.2f}", pair]
        for (text, where), (shared, pair) in sorted(best.items())
    )
    return table(["text", "splits", "shared 5-grams", "pair"], rows)


def prior(material: Material) -> str:
    """The query-blind prior, where both splits exist."""
    tests = blind_tests(material.tasks, material.smallest, material.order)
    if not tests:
        return "It takes the tasks of both splits."
    rows = ([item.feature, f"{item.found:.3f}", f"{item.p_value:.4f}"] for item in tests)
    return table(["feature", "found", "p"], rows)


def _sure(queries: Sequence[str], language: str) -> list[float]:
    return [probability(query, language) for query in queries]


def _by_split(
    material: Material, count: Callable[[Sequence[Task]], Mapping[str, int]]
) -> Mapping[str, Mapping[str, int]]:
    return {split: count(tasks) for split, tasks in material.splits.items()}


def _keys(counts: Counts) -> list[str]:
    return list(dict.fromkeys(key for values in counts.values() for key in values))


def _tasks(number: int) -> str:
    return {0: "no task", 1: "1 task", 6: "6 tasks or more"}.get(number, f"{number} tasks")
