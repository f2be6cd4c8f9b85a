"""The kinds of tasks: strata and languages, those of the 0.14 study and those of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Stratum = Literal[
    "two_step_state_dependency",
    "three_step_state_dependency",
    "recoverable_execution_failure",
    "identifier_provenance_propagation",
    "typed_unit_state_transition",
]
Language = Literal["en", "ko", "es", "ja", "de", "mixed"]
STRATA: Final[tuple[Stratum, ...]] = get_args(Stratum)
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


@dataclass(frozen=True)
class Kinds:
    """The strata and languages that a surface knows; by default the 0.14 study's."""

    strata: tuple[str, ...] = STRATA
    languages: tuple[str, ...] = LANGUAGES


KINDS: Final = Kinds()
"""Those of the 0.14 study."""
