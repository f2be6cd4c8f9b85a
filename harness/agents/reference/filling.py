"""Filling: the arguments of one call, from the candidates of each parameter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from harness.agents.reference.candidate import Candidate
from harness.agents.reference.coherence import coherence, owners_of
from harness.agents.reference.conversation import call_key
from harness.agents.reference.evidence import Evidence
from harness.agents.reference.offer import candidates, ranked_for
from harness.agents.reference.toolview import ParameterView, ToolView
from harness.agents.reference.validation import is_valid

_CUE_ORDER: Final = {"from": -1, "to": 1}
_TIE: Final = 1e-9
Call = tuple[str, bytes | None]
Chosen = Mapping[str, Candidate]


@dataclass(frozen=True, eq=False)
class Filling:
    """Arguments for one tool."""

    view: ToolView
    chosen: Chosen

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments by parameter."""
        return {name: item.value for name, item in sorted(self.chosen.items())}

    @property
    def confidence(self) -> float:
        """The weakest evidence among the required arguments; 1 if there are none."""
        required = [self.chosen[view.name].evidence for view in self.view.required]
        return min((*required, 1.0))

    @property
    def unused(self) -> tuple[Candidate, ...]:
        """The literals of the query that it uses and no call has used."""
        return tuple(item for item in self.chosen.values() if item.unused and item.key)

    @property
    def uses_fresh(self) -> bool:
        """Whether it uses an identifier that the latest answer offered first."""
        return any(
            self.chosen[view.name].fresh
            for view in (*self.view.required, *self.view.optional)
            if view.kind in {"identifier", "array"} and view.name in self.chosen
        )


def missing(view: ToolView, evidence: Evidence) -> tuple[ParameterView, ...]:
    """Return the required parameters that nothing known can fill."""
    least = evidence.policy.at(evidence.policy.required_evidence, evidence.nudges)
    return tuple(
        parameter
        for parameter in view.required
        if not any(item.evidence >= least for item in candidates(parameter, evidence))
        and not _empty_object(parameter)
    )


def fill(
    view: ToolView,
    evidence: Evidence,
    clause: int,
    excluded: Collection[Call],
    preferred: frozenset[str] = frozenset(),
) -> Filling | None:
    """Fill a tool's parameters.

    Parameters
    ----------
    view
        The tool.
    evidence
        What arguments may be taken from.
    clause
        The clause of the query that the call would answer; its literals are preferred.
    excluded
        Calls that are not made again.
    preferred
        Values, as `value_key` writes them, that come before others: those of a call to restore.

    Returns
    -------
    Filling or None
        The best arguments that are valid and not excluded; None if there are none.
    """
    if not view.callable:
        return None
    least = evidence.policy.at(evidence.policy.required_evidence, evidence.nudges)
    options: dict[str, list[Candidate]] = {}
    for parameter in view.required:
        ranked = ranked_for(parameter, evidence, clause, preferred, careful=view.destructive)
        options[parameter.name] = [item for item in ranked if item.evidence >= least]
        if not options[parameter.name]:
            if not _empty_object(parameter):
                return None
            options[parameter.name] = [Candidate({}, 1.0, "schema")]
    cues = {parameter.name: parameter.cue for parameter in view.required}
    for base in _assignments(options, cues, evidence):
        filling = Filling(view, {**base, **_optional(view, evidence, clause, base)})
        if call_key(view.name, filling.arguments) not in excluded and is_valid(
            view.tool, filling.arguments
        ):
            return filling
    return None


def _assignments(
    options: Mapping[str, list[Candidate]], cues: Mapping[str, str | None], evidence: Evidence
) -> Iterator[dict[str, Candidate]]:
    """Yield assignments, the best first, then those that differ from it in one parameter."""
    best = _greedy(options, cues, {}, evidence)
    if best is None:
        return
    yield best
    swaps = sorted(
        (best[name].evidence - item.evidence, name, position)
        for name, items in options.items()
        for position, item in enumerate(items)
        if item != best[name]
    )
    for _, name, position in swaps[: evidence.policy.variants]:
        other = _greedy(options, cues, {name: options[name][position]}, evidence)
        if other is not None:
            yield other


def _greedy(
    options: Mapping[str, list[Candidate]],
    cues: Mapping[str, str | None],
    fixed: Mapping[str, Candidate],
    evidence: Evidence,
) -> dict[str, Candidate] | None:
    """Give each parameter its best candidate, no place of query or observation twice.

    What names a thing goes first, so that its version and amounts are taken from its own record;
    among equals the parameter that is surest, so that a clear one is not robbed by a vague one.
    """
    chosen = dict(fixed)
    taken = {item.key for item in fixed.values() if item.key}
    rank = {name: (_CUE_ORDER.get(cues[name] or "", 0), name) for name in options}
    order = sorted(
        options,
        key=lambda name: (not name.endswith("_id"), -options[name][0].evidence, rank[name]),
    )
    for name in order:
        if name in chosen:
            continue
        owners = owners_of(chosen, evidence)
        item = max(
            (item for item in options[name] if item.key not in taken),
            key=lambda item: item.evidence + coherence(item, owners, evidence),
            default=None,
        )
        if item is None:
            return None
        chosen[name] = item
        if item.key:
            taken.add(item.key)
    return _swapped(chosen, options, rank, fixed)


def _swapped(
    chosen: dict[str, Candidate],
    options: Mapping[str, list[Candidate]],
    rank: Mapping[str, tuple[int, str]],
    fixed: Mapping[str, Candidate],
) -> dict[str, Candidate]:
    """Swap literals of two parameters that are better evidenced the other way round.

    Of equals the first stands first: texts name the first night before the last one, and the
    source before the target.
    """
    free = sorted((name for name in rank if name not in fixed), key=lambda name: rank[name])
    for first, second in combinations(free, 2):
        one, two = chosen[first], chosen[second]
        if one.source != "query" or two.source != "query" or not (one.key and two.key):
            continue
        left = next((item for item in options[first] if item.key == two.key), None)
        right = next((item for item in options[second] if item.key == one.key), None)
        if left is None or right is None:
            continue
        gain = left.evidence + right.evidence - one.evidence - two.evidence
        if gain > _TIE or (gain >= -_TIE and one.order > two.order):
            chosen[first], chosen[second] = left, right
    return chosen


def _optional(
    view: ToolView, evidence: Evidence, clause: int, base: Chosen
) -> dict[str, Candidate]:
    """Return candidates for optional parameters from strong evidence that nothing else uses."""
    taken = {item.key for item in base.values() if item.key}
    owners = owners_of(base, evidence)
    chosen: dict[str, Candidate] = {}
    for parameter in view.optional:
        ranked = ranked_for(parameter, evidence, clause)
        lifted = [(item.evidence + coherence(item, owners, evidence), item) for item in ranked]
        for grade, item in sorted(lifted, key=lambda pair: -pair[0]):
            if grade < evidence.policy.optional_evidence:
                break
            spoken = item.source == "query" or parameter.topics & evidence.query.concepts
            if spoken and item.source != "schema" and item.key not in taken:
                chosen[parameter.name] = item
                taken |= {item.key} if item.key else set()
                break
    return chosen


def _empty_object(parameter: ParameterView) -> bool:
    return parameter.kind == "object" and not parameter.schema.get("required")
