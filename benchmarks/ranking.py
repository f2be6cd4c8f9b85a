"""Speed of the lexical ranking on synthetic catalogs.

The catalogs are synthetic: random words in the shape of real declarations. They say how time
grows with the catalog, nothing about the quality of a ranking.

    python -m benchmarks.ranking [--sizes 100 250 500 10000] [--queries 60] [--json]
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import time
from collections.abc import Sequence

from pydantic import JsonValue

from router import CatalogSnapshot, EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.lexical import LexicalIndex
from router.ranking import order

_ONSETS = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "pr", "st", "tr")
_RIMES = ("a", "e", "i", "o", "u", "al", "ar", "ect", "en", "er", "ice", "in", "ion", "it", "ort")
LANGUAGE_QUERIES = (
    "Find the open orders of customer CUS-1042 and hold the ones that weigh more than 12.5 kg",
    "고객 CUS-1042의 미결 주문을 찾아서 12.5kg을 넘는 것은 보류해 주세요",
    "Busca los pedidos abiertos del cliente CUS-1042 y retén los que pesen más de 12,5 kg",
    "顧客CUS-1042の未処理の注文を探して、12.5kgを超えるものを保留してください",
    "Suche die offenen Bestellungen des Kunden CUS-1042 und halte die über 12,5 kg zurück",
    "CUS-1042 고객의 open orders 중에서 12.5 kg 넘는 건 hold 걸어줘",
)


def synthetic_catalog(size: int, seed: int = 20260929) -> tuple[ToolSpec, ...]:
    """A catalog of ``size`` endpoints, twenty a tool, the same for the same arguments."""
    source = random.Random(seed)
    vocabulary = [
        "".join(source.choice(_ONSETS) + source.choice(_RIMES) for _ in range(source.randint(2, 3)))
        for _ in range(3000)
    ]
    # Word frequencies fall off as in prose.
    odds = [1 / (rank + 10) for rank in range(len(vocabulary))]

    def prose(length: int) -> str:
        return " ".join(source.choices(vocabulary, odds, k=length))

    def name(length: int) -> str:
        return "_".join(source.choices(vocabulary, odds, k=length))

    def endpoint(number: int) -> EndpointSpec:
        return EndpointSpec(
            name=f"{name(2)}_{number}",
            description=prose(14),
            parameters=tuple(
                ParameterSpec(
                    name=f"{name(2)}_{at}",
                    description=prose(4),
                    json_schema={"type": "string", "enum": list[JsonValue](prose(3).split())},
                )
                for at in range(4)
            ),
            output_fields=tuple(
                FieldSpec(name=f"{name(2)}_{at}", description=prose(4)) for at in range(5)
            ),
        )

    return tuple(
        ToolSpec(
            name=f"{name(1)}{first}",
            description=prose(12),
            endpoints=tuple(endpoint(number) for number in range(first, min(first + 20, size))),
        )
        for first in range(0, size, 20)
    )


def measure(size: int, n_queries: int) -> dict[str, float | int]:
    """Time one catalog size: seconds to build, median and 95th percentile ms a query."""
    tools = synthetic_catalog(size)
    started = time.perf_counter()
    snapshot = CatalogSnapshot.of(tools)
    snapshot_done = time.perf_counter()
    index = LexicalIndex(snapshot)
    index_done = time.perf_counter()
    source = random.Random(size)
    queries = list(LANGUAGE_QUERIES)
    while len(queries) < n_queries:
        described = source.choice(snapshot.endpoints).description
        queries.append(f"Please {described}, then {source.choice(snapshot.endpoints).description}")
    elapsed = []
    for query in queries * 3:
        begun = time.perf_counter()
        order(snapshot, index.score(query))
        elapsed.append(1000 * (time.perf_counter() - begun))
    elapsed.sort()
    return {
        "endpoints": size,
        "snapshot_s": round(snapshot_done - started, 3),
        "index_s": round(index_done - snapshot_done, 3),
        "query_median_ms": round(statistics.median(elapsed), 3),
        "query_p95_ms": round(elapsed[int(0.95 * len(elapsed))], 3),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a catalog size."""
    parser = argparse.ArgumentParser(description="Speed of the ranking on synthetic catalogs.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 250, 500, 10_000])
    parser.add_argument("--queries", type=int, default=60, help="distinct queries a size")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args(arguments)
    if not options.json:
        print(f"synthetic catalogs, Python {platform.python_version()}, {platform.machine()}")
        print("endpoints  snapshot s  index s  query median ms  query p95 ms")
    for size in options.sizes:
        row = measure(size, options.queries)
        if options.json:
            print(json.dumps({"catalog": "synthetic", **row}))
        else:
            print(
                f"{row['endpoints']:>9}  {row['snapshot_s']:>10.3f}  {row['index_s']:>7.3f}"
                f"  {row['query_median_ms']:>15.3f}  {row['query_p95_ms']:>12.3f}"
            )


if __name__ == "__main__":
    main()
