"""Episodes and their metrics as tidy tables, in Parquet and CSV, with their data dictionary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from gates.bundle_document import readable
from gates.counts import failure_cause
from gates.export.dictionary import TABLES, arrow_schema, dictionary, dictionary_text
from gates.finished import Finished
from gates.metric_table import COLUMNS, METRICS
from harness.grid import EpisodeKey


def write_tidy(finished: Finished, folder: Path) -> None:
    """Write both tables in both forms, and the dictionary in both.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    for name in TABLES:
        table = tidy_table(finished, name)
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
        pc.write_csv(table, folder / f"{name}.csv")
    (folder / "dictionary.json").write_bytes(readable(dictionary(finished.label)))
    (folder / "dictionary.md").write_text(dictionary_text(finished.label), encoding="utf-8")


def tidy_table(finished: Finished, name: str) -> pa.Table:
    """Return a tidy table.

    Parameters
    ----------
    finished
        The study.
    name
        ``episodes``, one row an episode, or ``observations``, one row an episode and metric.
    """
    rows = _episodes(finished) if name == "episodes" else _observations(finished)
    return pa.Table.from_pylist(list(rows), schema=arrow_schema(name, finished.label))


def _episodes(finished: Finished) -> Iterator[dict[str, Any]]:
    for place, key in enumerate(finished.tally.keys):
        item = finished.results.episodes[key]
        episode = item.episode
        measured = {name: episode[name] for name in episode if name.endswith("_ms")}
        yield {
            **_about(finished, key),
            "ending": episode["ending"],
            "cause": None if episode["task_pass"] else failure_cause(item),
            "completed_at_turn": episode["completed_at_turn"],
            **{name: finished.count(name, place) for name in COLUMNS},
            **measured,
        }


def _observations(finished: Finished) -> Iterator[dict[str, Any]]:
    for place, key in enumerate(finished.tally.keys):
        about = _about(finished, key)
        for metric in METRICS.values():
            above = finished.count(metric.numerator, place)
            below = finished.count(metric.denominator, place)
            yield {
                **about,
                "metric": metric.key,
                "numerator": above,
                "denominator": below,
                "value": above / below if below else None,
            }


def _about(finished: Finished, key: EpisodeKey) -> dict[str, Any]:
    record, episode = finished.results.record, finished.results.episodes[key].episode
    return {
        "study": record.study,
        "split": record.split,
        "evidence": record.evidence,
        **key._asdict(),
        "stratum": episode["stratum"],
        "language": episode["language"],
    }
