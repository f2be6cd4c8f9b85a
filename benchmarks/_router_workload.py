"""One workload for two routers: plain data, so that it crosses from one environment to another.

Nothing of ours is imported here, and the package that is timed is a parameter.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

__all__ = ["median", "times"]

_REPEATS = 5
_LONG = 100.0  # milliseconds


def times(package: Any, workload: dict[str, Any]) -> dict[str, list[float]]:
    """Time a package.

    Parameters
    ----------
    package
        A package with the interface of the router.
    workload
        ``tools``, ``queries``, ``requirements`` by route, ``states`` by name.

    Returns
    -------
    dict
        Milliseconds for each query, the best of a few: ``retrieve``, and for each state
        what retrieving in view of it takes more.
    """
    router = package.SchemaRouter()
    for tool in workload["tools"]:
        router.add_tool(package.ToolSpec.model_validate(tool))
    requirements = {
        route: [package.CapabilityFieldContract.model_validate(one) for one in listed]
        for route, listed in workload["requirements"].items()
    }
    states = {
        name: package.TypedExecutionState.model_validate(state)
        for name, state in workload["states"].items()
    }
    router.retrieve("build the index")
    found: dict[str, list[float]] = {"retrieve": []}
    found |= {name: [] for name in states}
    for query in workload["queries"]:
        plain = _best(partial(router.retrieve, query))
        found["retrieve"].append(plain)
        for name, state in states.items():
            ask = partial(router.reretrieve_state_aware, state_requirements=requirements)
            found[name].append(_best(partial(ask, query, execution_state=state)) - plain)
    return found


def _best(call: Callable[[], object]) -> float:
    """The best of five calls, in milliseconds; of fewer where they take long."""
    elapsed: list[float] = []
    while len(elapsed) < _REPEATS and sum(elapsed) < _LONG:
        started = time.perf_counter()
        call()
        elapsed.append(1000 * (time.perf_counter() - started))
    return min(elapsed)


def median(values: list[float]) -> float:
    """Median, rounded to a microsecond."""
    return round(statistics.median(values), 3)
