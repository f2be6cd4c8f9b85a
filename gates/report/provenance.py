"""Where the report's figures come from: what was pinned, what ran, what was checked and chosen."""

from __future__ import annotations

from dataclasses import dataclass

from gates.choice import CHOICES, DEVIATIONS, Deviation, statement
from gates.finished import Finished
from gates.report.tables import Table, masked
from harness.schema import SCHEMA_VERSION
from router.canonical import canonical_json


@dataclass(frozen=True)
class Provenance:
    """Everything by which a reader finds the same study again."""

    facts: tuple[tuple[str, str], ...]
    components: Table
    environment: Table
    checks: Table
    choices: Table
    deviations: tuple[Deviation, ...]
    confirmatory: tuple[str, ...]
    exploratory: tuple[str, ...]


def provenance(finished: Finished, *, frozen: bool, blind: bool = False) -> Provenance:
    """Collect it.

    Parameters
    ----------
    finished
        The study.
    frozen
        Whether it ran under a lock.
    blind
        Whether the counts of the checks are masked, which tell how long episodes were.
    """
    record, results = finished.results.record, finished.results
    counts, plan = finished.terminal["counts"], finished.terminal["plan"]
    stated = statement(development=record.development, evidence=record.evidence)
    attempts = ", ".join(f"{number} {name}" for name, number in sorted(counts["attempts"].items()))
    environments: dict[tuple[str, str], int] = {}
    for manifest in results.manifests:
        for item in manifest.environment.items():
            environments[item] = environments.get(item, 0) + 1
    checks = Table(
        "What was verified before any number",
        ("check", "how many", "of what"),
        tuple((check.name, f"{check.count:,}", check.unit) for check in results.checks),
    )
    return Provenance(
        facts=(
            ("Study", f"{record.study}, split {record.split}"),
            ("Identity", record.identity),
            ("Digest of all tables", results.digest),
            ("Lock", "lock.json in the bundle" if frozen else "none: a development study"),
            ("Agent", canonical_json(dict(record.agent)).decode()),
            ("Shards", f"{counts['shards']}; attempts: {attempts}"),
            ("Last attempt", finished.ended.isoformat()),
            (
                "Intervals",
                f"{plan['iterations']:,} iterations, seed {plan['seed']},"
                f" {100 * float(plan['level']):.4g} %",
            ),
            ("Version of the result schema", str(SCHEMA_VERSION)),
        ),
        components=Table(
            "What the identity covers, by component",
            ("component", "SHA-256"),
            tuple(sorted(record.components.items())),
        ),
        environment=Table(
            "What the shards ran on (recorded, in no identity)",
            ("what", "value", "shards"),
            tuple((name, value, str(n)) for (name, value), n in sorted(environments.items())),
        ),
        checks=masked(checks) if blind else checks,
        choices=Table(
            "Choices that the source documents do not make",
            ("choice", "why", "the source documents' own scripts", "what can test it"),
            tuple(
                (item.choice, item.why, item.theirs, ", ".join(item.tested_by)) for item in CHOICES
            ),
        ),
        deviations=DEVIATIONS,
        confirmatory=tuple(stated["confirmatory"]),
        exploratory=tuple(stated["exploratory"]),
    )
