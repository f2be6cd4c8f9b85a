"""The data dictionary of tidy tables: every column declared once, for Arrow, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from gates.metric_table import COLUMNS, METRICS, Metric


@dataclass(frozen=True)
class Column:
    """One column of a tidy table."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str | None = None
    nullable: bool = False


_TEXT: Final = pa.string()
_COUNT: Final = pa.int64()
_TIME: Final = pa.float64()

_CONFOUNDED: Final = "where episodes ran at once it is confounded with theirs"

_ABOUT: Final = (
    Column("study", _TEXT, "name of the study"),
    Column("split", _TEXT, "split of its tasks; `dev` is never evidence"),
    Column("evidence", _TEXT, "what can be shown: `instrument`, `model` or `simulation`"),
    Column("task_id", _TEXT, "the task, the unit of inference"),
    Column("catalog_size", pa.int32(), "endpoints of the catalog", "endpoints"),
    Column("condition", _TEXT, "what the agent could see"),
    Column("stratum", _TEXT, "kind of the task"),
    Column("language", _TEXT, "language of the query"),
)
"""What every row says, also when it is torn from its table."""

EPISODES: Final = (
    *_ABOUT,
    Column("ending", _TEXT, "how the episode ended"),
    Column("cause", _TEXT, "why it failed; empty where it passed", nullable=True),
    Column(
        "completed_at_turn",
        _COUNT,
        "turn in which the task was complete; empty if it never was",
        "turns",
        nullable=True,
    ),
    *(Column(name, _COUNT, f"count of {meaning}") for name, meaning in COLUMNS.items()),
    Column("wall_latency_ms", _TIME, f"time of the episode; {_CONFOUNDED}", "milliseconds"),
    Column("retrieval_ms", _TIME, "its part in retrieval", "milliseconds"),
    Column("model_ms", _TIME, "its part in the agent", "milliseconds"),
    Column("executor_ms", _TIME, "its part in the executor", "milliseconds"),
)
"""One row an episode, one column a count."""

OBSERVATIONS: Final = (
    *_ABOUT,
    Column("metric", _TEXT, "which metric, see below"),
    Column("numerator", _COUNT, "count above the line"),
    Column("denominator", _COUNT, "count below the line"),
    Column(
        "value",
        pa.float64(),
        "their ratio; empty where the denominator is 0, since it is then undefined and not 0",
        nullable=True,
    ),
)
"""One row an episode and metric."""

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "episodes": EPISODES,
    "observations": OBSERVATIONS,
}

_POOLING: Final = (
    "A metric of several episodes is the sum of their numerators divided by the sum of their"
    " denominators, and not the mean of their values. Tasks are the unit of inference: resample"
    " them with all their catalogs and conditions."
)


def arrow_schema(name: str, label: str) -> pa.Schema:
    """Return the schema of a table, with the study's label in its metadata."""
    fields = [
        pa.field(column.name, column.type, nullable=column.nullable) for column in TABLES[name]
    ]
    return pa.schema(fields, metadata={"label": label})


def dictionary(label: str) -> dict[str, Any]:
    """Return the dictionary as JSON.

    Parameters
    ----------
    label
        What the rows can show, see `gates.summary.label`.
    """
    return {
        "label": label,
        "pooling": _POOLING,
        "tables": {
            name: [
                {
                    "name": column.name,
                    "type": str(column.type),
                    "unit": column.unit,
                    "nullable": column.nullable,
                    "meaning": column.meaning,
                }
                for column in columns
            ]
            for name, columns in TABLES.items()
        },
        "metrics": [
            {
                "name": metric.key,
                "unit": metric.unit,
                "numerator": metric.numerator,
                "denominator": metric.denominator,
                "meaning": _meaning(metric),
            }
            for metric in METRICS.values()
        ],
    }


def dictionary_text(label: str) -> str:
    """Return the same dictionary as Markdown."""
    return "\n".join(_lines(dictionary(label))) + "\n"


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    yield from ("# Data dictionary", "", f"Label: {content['label']}.", "", content["pooling"])
    for name, columns in content["tables"].items():
        yield from ("", f"## {name}", "", "| column | type | unit | meaning |", "|---|---|---|---|")
        for column in columns:
            kind = f"{column['type']}, may be empty" if column["nullable"] else column["type"]
            yield f"| `{column['name']}` | {kind} | {column['unit'] or ''} | {column['meaning']} |"
    yield from ("", "## Metrics", "", "| metric | unit | meaning |", "|---|---|---|")
    for metric in content["metrics"]:
        yield f"| `{metric['name']}` | {metric['unit']} | {metric['meaning']} |"


def _meaning(metric: Metric) -> str:
    above, below = COLUMNS[metric.numerator], COLUMNS[metric.denominator]
    return f"{above}, divided by: {below}"
