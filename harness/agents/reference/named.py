"""Names that the query says: capitalised words, places, codes of currencies and countries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from harness.agents.reference.candidate import Candidate
from harness.agents.reference.clause import says
from harness.agents.reference.evidence import Evidence
from harness.agents.reference.glossary import load_glossary
from harness.agents.reference.literal import LiteralValue
from harness.agents.reference.said import literal
from harness.agents.reference.toolview import ParameterView

_PLACES: Final = frozenset({"city", "location", "country", "region", "port", "airport"})
_PLACED: Final = re.compile(
    r"(?<![\u4e00-\u9fff\u30a0-\u30ffおご])[\u4e00-\u9fff\u30a0-\u30ff]{2,8}(?=で|へ|まで)"
    r"|(?<![\uac00-\ud7a3])[\uac00-\ud7a3]{2,6}(?=에서|까지|행)"
)


def names(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Capitalised names of the query."""
    for item in evidence.query.literals:
        if item.kind == "name":
            yield literal(parameter, evidence, item, item.value, evidence.policy.grades.name)


def places(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Words of Korean and Japanese that a particle of place marks and the glossary lacks."""
    if not parameter.topics & _PLACES:
        return
    for match in _PLACED.finditer(evidence.query.text):
        if not load_glossary().concepts(match.group(), ("ko", "ja")):
            item = LiteralValue("name", match.group(), match.start(), match.end())
            yield literal(parameter, evidence, item, item.value, evidence.policy.grades.name)


def named_values(parameter: ParameterView, evidence: Evidence) -> Iterator[Candidate]:
    """Codes of currencies, countries and languages that the query names."""
    kinds = load_glossary().tables["values"]
    for kind, codes in kinds.items():
        if kind in parameter.concepts or f"w:{kind}" in parameter.concepts:
            for code, terms in codes.items():
                if says(evidence.query.plain, terms):
                    yield Candidate(code, evidence.policy.grades.named_value, "query", key=code)
