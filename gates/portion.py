"""A part of a finished study that a reader chooses, as the sums that estimates are computed from.

Cells keep their tasks and the draws their order, so that a part of the catalogs is resampled with
the draws of the whole study. No part of a study decides anything: what it shows is exploratory.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from gates.design import Sample
from gates.error import EstimationError
from gates.finished import Finished

Name = TypeVar("Name", str, int)


def portion(
    finished: Finished,
    *,
    catalogs: Collection[int] | None = None,
    strata: Collection[str] | None = None,
    languages: Collection[str] | None = None,
    tasks: Collection[str] | None = None,
) -> Sample:
    """Return the sums over a part of a study's episodes, for `gates.estimator.estimate`.

    Parameters
    ----------
    finished
        The study.
    catalogs, strata, languages, tasks
        What is kept; all of it if not given.

    Raises
    ------
    EstimationError
        If the study has no such catalog, stratum, language or task, or if nothing is left.
    """
    known = finished.tasks
    sizes = _chosen("catalog", catalogs, finished.catalogs)
    kinds = _chosen("stratum", strata, {task.stratum for task in known.values()})
    spoken = _chosen("language", languages, {task.language for task in known.values()})
    named = _chosen("task", tasks, known)
    kept = {
        name for name in named if known[name].stratum in kinds and known[name].language in spoken
    }
    if not kept or not sizes:
        raise EstimationError(
            "No episode of the study is in the part that was chosen.", "Choose a larger part."
        )
    tally = finished.tally
    places = [
        place
        for place, key in enumerate(tally.keys)
        if key.task_id in kept and key.catalog_size in sizes
    ]
    return Sample.tally(
        finished.sample.restrict(kept).design,
        [tally.keys[place].task_id for place in places],
        [tally.keys[place].condition for place in places],
        {name: [values[place] for place in places] for name, values in tally.columns.items()},
    )


def _chosen(axis: str, wanted: Collection[Name] | None, known: Collection[Name]) -> frozenset[Name]:
    if wanted is None:
        return frozenset(known)
    strangers = sorted(set(wanted) - set(known))
    if strangers:
        raise EstimationError(
            f"The study has no {axis} {strangers[0]!r}.",
            f"It has {', '.join(map(str, sorted(known)))}.",
        )
    return frozenset(wanted)
