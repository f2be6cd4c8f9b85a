"""Whether a value of one declared type can stand where another is required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from router.context import CompatibilityContext
from router.field import CapabilityFieldContract
from router.record import Record

__all__ = [
    "CapabilityCompatibility",
    "CompatibilityCode",
    "CompatibilityReason",
    "CompatibilityStatus",
    "Verdict",
    "compare_capability_fields",
    "judge",
]

CompatibilityStatus = Literal["exact", "compatible", "convertible", "incompatible", "unknown"]
CompatibilityCode = Literal[
    "semantic_id_mismatch",
    "semantic_equivalence_declared",
    "type_incompatible",
    "unit_incompatible",
    "dimension_incompatible",
    "qualifier_mismatch",
    "conversion_declared",
    "metadata_incomplete",
    "missing_requirement",
]
_SATISFYING = frozenset({"exact", "compatible", "convertible"})
_MISFITS = frozenset(
    {
        "semantic_id_mismatch",
        "type_incompatible",
        "unit_incompatible",
        "dimension_incompatible",
        "qualifier_mismatch",
    }
)
_INTEGER = frozenset({"integer"})
_SINGLE = {
    name: frozenset({name})
    for name in ("array", "boolean", "integer", "null", "number", "object", "string")
}
_NOTHING_DECLARED = CompatibilityContext()


Finding = tuple[CompatibilityCode, tuple[str, ...]]
"""A code, and what its detail is about."""
_DETAILS: dict[CompatibilityCode, str] = {
    "semantic_id_mismatch": "{!r} is not {!r}.",
    "semantic_equivalence_declared": "The host equates {!r} with {!r}.",
    "type_incompatible": "The JSON type may be {}.",
    "qualifier_mismatch": "The qualifier {!r} is not {!r}.",
    "dimension_incompatible": "The dimension {!r} is not {!r}.",
    "unit_incompatible": "No conversion of {!r} to {!r} is declared.",
    "conversion_declared": "The host converts {!r} to {!r}.",
    "metadata_incomplete": "Not declared: {}.",
}


class CompatibilityReason(Record):
    """One finding of a comparison."""

    code: CompatibilityCode
    detail: str
    """The finding in words, for people."""


class CapabilityCompatibility(Record):
    """The outcome of a comparison."""

    status: CompatibilityStatus
    reasons: tuple[CompatibilityReason, ...] = ()

    @property
    def satisfies(self) -> bool:
        """Whether the value can be used, as it is or after a declared conversion."""
        return self.status in _SATISFYING


class Verdict(NamedTuple):
    """The outcome of a comparison in its lightest form."""

    status: Literal["compatible", "convertible", "incompatible", "unknown"]
    findings: Sequence[Finding]

    @property
    def satisfies(self) -> bool:
        """As :attr:`CapabilityCompatibility.satisfies`."""
        return self.status in _SATISFYING


def compare_capability_fields(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    *,
    context: CompatibilityContext | None = None,
) -> CapabilityCompatibility:
    """Compare what is required with what is there.

    Parameters
    ----------
    required
        The type that a consumer needs.
    produced
        The type of the value that exists.
    context
        Synonyms and conversions that the host declares. Without it only equal spellings match.

    Returns
    -------
    CapabilityCompatibility
        ``exact``: the same declaration. ``compatible``: everything required is declared and
        fits. ``convertible``: fits after a declared unit conversion. ``incompatible``: something
        declared does not fit. ``unknown``: nothing contradicts, but something required is not
        declared. The last two do not satisfy.

    Notes
    -----
    JSON types are compared by the ``type`` at the top of the schemas: every type that may be
    produced has to be accepted, and ``number`` accepts ``integer``, not the reverse. Items,
    properties, patterns and enumerations are not compared. Unit, dimension and qualifiers are
    compared where the requirement declares them. A different meaning ends the comparison; other
    findings are listed in the order synonym, type, qualifiers, dimension, unit.
    """
    verdict = judge(required, produced, context or _NOTHING_DECLARED)
    same = verdict.status == "compatible" and required == produced
    return CapabilityCompatibility(
        status="exact" if same else verdict.status,
        reasons=tuple(
            CompatibilityReason(code=code, detail=_DETAILS[code].format(*about))
            for code, about in verdict.findings
        ),
    )


def judge(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    context: CompatibilityContext = _NOTHING_DECLARED,
) -> Verdict:
    """Compare as :func:`compare_capability_fields` does, but make no records.

    Equal declarations are ``compatible``.
    """
    findings: list[Finding] = []
    if produced.semantic_id != required.semantic_id:
        meanings = (produced.semantic_id, required.semantic_id)
        if not context.semantics_equivalent(*meanings):
            return Verdict("incompatible", [("semantic_id_mismatch", meanings)])
        findings.append(("semantic_equivalence_declared", meanings))
    undeclared = _judge_type(required.json_schema, produced.json_schema, findings)
    for key, value in required.qualifiers.items():
        if produced.qualifiers.get(key) != value:
            findings.append(("qualifier_mismatch", (key, value)))
    if required.unit is not None or required.dimension is not None:
        undeclared += _judge_measure(required, produced, context, findings)
    codes = [code for code, _ in findings]
    if not _MISFITS.isdisjoint(codes):
        return Verdict("incompatible", findings)
    if undeclared:
        findings.append(("metadata_incomplete", (", ".join(undeclared),)))
        return Verdict("unknown", findings)
    return Verdict("convertible" if "conversion_declared" in codes else "compatible", findings)


def _judge_type(
    required: Mapping[str, Any], produced: Mapping[str, Any], findings: list[Finding]
) -> tuple[str, ...]:
    """Add what does not fit to the findings; return what is not declared."""
    accepted, possible = _types(required.get("type")), _types(produced.get("type"))
    if not accepted or not possible:
        return ("JSON type",)
    if not possible <= accepted:
        surplus = possible - accepted
        if surplus != _INTEGER or "number" not in accepted:
            findings.append(("type_incompatible", (", ".join(sorted(surplus)),)))
    return ()


def _types(declared: object) -> frozenset[str]:
    """The JSON types that a schema's ``type`` lists; none where it is no list of names."""
    if isinstance(declared, str):
        return _SINGLE.get(declared) or frozenset((declared,))
    if isinstance(declared, list) and all(isinstance(one, str) for one in declared):
        return frozenset(declared)
    return frozenset()


def _judge_measure(
    required: CapabilityFieldContract,
    produced: CapabilityFieldContract,
    context: CompatibilityContext,
    findings: list[Finding],
) -> tuple[str, ...]:
    """Add what does not fit to the findings; return what is not declared."""
    undeclared: tuple[str, ...] = ()
    dimension = produced.dimension
    if required.dimension is not None and dimension != required.dimension:
        if dimension is None:
            undeclared += ("dimension",)
        else:
            findings.append(("dimension_incompatible", (dimension, required.dimension)))
    if required.unit is not None and produced.unit != required.unit:
        measured = required.dimension or dimension
        if produced.unit is None:
            return (*undeclared, "unit")
        units = (produced.unit, required.unit)
        declared = measured is not None and context.unit_convertible(measured, *units)
        findings.append(("conversion_declared" if declared else "unit_incompatible", units))
    return undeclared
