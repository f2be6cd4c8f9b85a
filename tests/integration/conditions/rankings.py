"""Print one digest over the research retriever's rankings of development queries.

Run as a program, so that a test can choose the interpreter's hash seed, the number of threads of
the linear algebra library, and the order in which the catalog's tools are given.
"""

from __future__ import annotations

import sys

from conditions.retriever import ResearchRetriever
from conditions.state import empty_state, render_query, update_state
from router.canonical import digest
from router.snapshot import CatalogSnapshot
from surface.catalog import load_catalogs
from surface.task import load_tasks


def main(backwards: bool) -> None:
    """Rank every development query bare, and after its first step's route answered an error."""
    snapshot = load_catalogs()[500].snapshot
    tools = list(snapshot.tools.values())
    if backwards:
        tools = [
            tool.model_copy(update={"endpoints": tool.endpoints[::-1]}) for tool in tools[::-1]
        ]
    snapshot = CatalogSnapshot.of(tools)
    retriever = ResearchRetriever(snapshot)
    found = []
    for task in load_tasks("dev"):
        state = update_state(
            empty_state(task.query),
            endpoint=snapshot.endpoint(task.steps[0].route),
            route_id=task.steps[0].route,
            observation=None,
            status="error",
            error="lock_conflict",
            reached=True,
            task_incomplete=True,
        )
        for text in (task.query, render_query(state)):
            ranking = retriever.rank(text)
            found.append([list(ranking.routes), list(ranking.scores), list(ranking.matched)])
    print(digest(found))


if __name__ == "__main__":
    main("backwards" in sys.argv[1:])
