"""Speed of the research retriever, text channels and typed channel together.

On the study's catalogs with the committed vectors and the development queries, and on synthetic
catalogs with random vectors, which say how time grows. The cases:

``query``  a bare query whose text was read before, as for each condition of a task
``state``  the same with a state, as for each refresh of an episode
``text``   a query that was not read before, nor any of its words; its vectors are stored
``embed``  the same, where nothing is stored; needs the extra ``embed``
``again``  the same in new sentences of words that were read before

    python -m benchmarks.retriever [--sizes 100 250 500 10000] [--json]
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import platform
import random
import re
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.ranking import LANGUAGE_QUERIES, synthetic_catalog
from benchmarks.recall import SPLIT, events
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.state import empty_state, render_query, update_state
from conditions.vectors import committed_vectors, study_texts
from router import CatalogSnapshot, EncoderMissingError, SentenceEncoder, VectorSource, VectorStore
from surface.catalog import SIZES, load_catalogs
from surface.task import load_tasks

_REPEATS = 5
_CLAUSE_ENDS = re.compile(r"(?=[、。]|[.,;:!?](?:\s|$)|$)")


class RandomEncoder:
    """Gives each text a direction of its own, which no other text shares."""

    identity = "benchmarks: random directions"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Draw unit vectors from the texts' hashes: shape ``(n_texts, 512)``."""
        seeds = [
            int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts
        ]
        drawn = np.stack([np.random.default_rng(seed).standard_normal(512) for seed in seeds])
        return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@dataclass(frozen=True)
class Workload:
    """A catalog with its vectors, bare queries, and queries with a state."""

    kind: str
    snapshot: CatalogSnapshot
    source: VectorSource
    queries: tuple[str, ...]
    states: tuple[str, ...]


def study(size: int) -> Workload:
    """The study's catalog of a size with the development queries and their gold states."""
    catalog = load_catalogs()[size]
    tasks = load_tasks(SPLIT)
    states = [event.text for task in tasks for event in events(task, catalog) if event.step]
    queries = tuple(task.query for task in tasks)
    return Workload("study", catalog.snapshot, committed_vectors(), queries, tuple(states))


def synthetic(size: int) -> Workload:
    """A synthetic catalog; each query has a state in which one route has run."""
    snapshot = CatalogSnapshot.of(synthetic_catalog(size))
    source = random.Random(size)
    described = [
        f"Please {source.choice(snapshot.endpoints).description}, "
        f"then {source.choice(snapshot.endpoints).description}"
        for _ in range(24)
    ]
    queries = (*LANGUAGE_QUERIES, *described)
    states = []
    for query in queries:
        position = source.randrange(len(snapshot))
        endpoint = snapshot.endpoints[position]
        state = update_state(
            empty_state(query),
            endpoint=endpoint,
            route_id=snapshot.routes[position],
            observation={field.name: 1 for field in endpoint.output_fields},
            status="ok",
            error=None,
            reached=True,
            task_incomplete=True,
        )
        states.append(render_query(state))
    store = VectorStore.of(RandomEncoder(), study_texts([snapshot], queries))
    return Workload("synthetic", snapshot, VectorSource(store), queries, tuple(states))


def measure(work: Workload, encoder: SentenceEncoder | None) -> dict[str, float | int | str]:
    """Time one workload: seconds to build, and milliseconds a ranking, median and 95th percentile.

    The times of a case are those of its texts, each the best of a few.
    """
    started = time.perf_counter()
    made = ResearchRetriever(work.snapshot, RetrieverParameters(), work.source)
    row: dict[str, float | int | str] = {
        "catalog": work.kind,
        "endpoints": len(work.snapshot),
        "index_s": round(time.perf_counter() - started, 3),
    }

    def fresh(retriever: ResearchRetriever) -> Callable[[str], object]:
        def rank(text: str) -> object:
            retriever.forget()
            return retriever.rank(text)

        return rank

    cases: dict[str, tuple[Callable[[str], object], Iterable[str]]] = {
        "query": (made.rank, work.queries),
        "state": (made.rank, work.states),
        "text": (fresh(made), work.queries),
    }
    if encoder is not None and work.kind == "study":
        store = VectorStore.of(encoder, study_texts([work.snapshot], ()))
        live = ResearchRetriever(work.snapshot, RetrieverParameters(), VectorSource(store, encoder))
        cases["embed"] = (fresh(live), work.queries)
        numbers = itertools.count(1)
        # A number at the end of each clause is no word, but makes the clause a new one.
        cases["again"] = (
            lambda text: live.rank(_CLAUSE_ENDS.sub(f" {next(numbers)}", text)),
            work.queries,
        )
    for name, (call, texts) in cases.items():
        found = sorted(_best(call, text) for text in texts)
        row[f"{name}_median_ms"] = round(statistics.median(found), 3)
        row[f"{name}_p95_ms"] = round(found[int(0.95 * len(found))], 3)
    return row


def _best(call: Callable[[str], object], text: str) -> float:
    elapsed = []
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        call(text)
        elapsed.append(1000 * (time.perf_counter() - begun))
    return min(elapsed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a catalog: the study's where it has one of that size, else a synthetic one."""
    parser = argparse.ArgumentParser(description="Speed of the research retriever.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[*SIZES, 10_000])
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args(arguments)
    try:
        encoder: SentenceEncoder | None = SentenceEncoder()
    except EncoderMissingError:
        encoder = None
    if not options.json:
        print(f"research retriever, Python {platform.python_version()}, {platform.machine()}")
    for size in options.sizes:
        row = measure(study(size) if size in SIZES else synthetic(size), encoder)
        print(json.dumps(row) if options.json else "  ".join(f"{k} {v}" for k, v in row.items()))


if __name__ == "__main__":
    main()
