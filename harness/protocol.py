"""The protocol keys of a configuration: what a study is, held to what can be run and judged."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from conditions.exposure import ConditionParameters
from conditions.preregistered import CONDITIONS, ProgressiveStatic, StateAware
from harness.promise import at, promised
from surface.error import StudyError
from surface.kind import KINDS, Kinds
from surface.record import one_of

COMPARED: Final = (StateAware.name, ProgressiveStatic.name)
"""The arms that the gate compares (protocol, section 6); a study without one cannot be judged."""

LARGEST: Final = 2**53 - 1
"""The largest integer that canonical JSON keeps (RFC 8785)."""

_NAME: Final = r"^[a-z][a-z0-9_]{0,63}$"
_FOLDER: Final = r"^[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)*$"

Name = Annotated[str, Field(pattern=_NAME)]


def _threshold(text: str) -> str:
    if not -1 <= Decimal(text) <= 1:
        raise ValueError("a threshold lies between -1 and 1")
    return text


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    twice = [value for position, value in enumerate(values) if value in values[:position]]
    if twice:
        raise ValueError(f"{twice[0]!r} stands twice")
    return values


def _condition(name: str) -> str:
    if name not in CONDITIONS:
        raise ValueError(f"there is no condition {name!r}, only {', '.join(CONDITIONS)}")
    return name


def _ascending(sizes: tuple[int, ...]) -> tuple[int, ...]:
    if list(sizes) != sorted(sizes):
        raise ValueError("the catalogs do not ascend")
    return sizes


Threshold = Annotated[
    str, Field(pattern=r"^-?[0-9]{1,3}(\.[0-9]{1,12})?$"), AfterValidator(_threshold)
]
"""An exact decimal, as text so that no binary fraction comes between."""


Artifact = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
"""The digest of a terminal artifact."""


class Section(BaseModel):
    """Part of a configuration: frozen, no unknown keys, no coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ExposureConfig(Section):
    """How much the conditions expose (protocol, section 2)."""

    top_k: int = Field(ge=1, le=LARGEST)
    stages: tuple[Annotated[int, Field(le=LARGEST)] | None, ...] = Field(min_length=1)
    max_refreshes: int = Field(ge=0, le=LARGEST)

    @model_validator(mode="after")
    def _fit(self) -> ExposureConfig:
        try:
            self.parameters()
        except StudyError as error:
            raise ValueError(error.what) from error
        return self

    def parameters(self) -> ConditionParameters:
        """Return the record that the conditions take."""
        return ConditionParameters(self.top_k, self.stages, self.max_refreshes)


class EpisodeConfig(Section):
    """How long an episode lasts (protocol, section 4)."""

    max_turns: int = Field(ge=1, le=1_000)
    max_reminders: int = Field(ge=0, le=1_000)


class AnalysisConfig(Section):
    """How intervals are computed (protocol, section 6)."""

    iterations: int = Field(ge=1, le=1_000_000)
    seed: int = Field(ge=0, le=LARGEST)
    level: float = Field(gt=0, lt=1)

    @model_validator(mode="after")
    def _enough(self) -> AnalysisConfig:
        # The order statistics that bound an interval have to be there (statistics, algorithm), and
        # at least one more between them.
        level = Fraction(str(self.level))
        if (self.iterations + 1) * min(level, 1 - level) < 2:
            raise at(
                "level",
                f"{self.iterations} iterations are too few for an interval at level {self.level}",
            )
        return self


class GateConfig(Section):
    """The thresholds of the gate."""

    task_pass_margin: Threshold
    recall_threshold: Threshold


class RecordedPredecessor(Section):
    """An experiment elsewhere, known by what it left when it was over (protocol, section 7)."""

    kind: Literal["recorded"]
    predecessor: str = Field(min_length=1, max_length=200)
    run: str = Field(min_length=1, max_length=200)
    """The run that made the artifact, by the name that it has where it ran."""
    artifact: Artifact
    terminal: bool
    """Whether that artifact is the last word: no run is authorized by anything else."""


class StudyPredecessor(Section):
    """A study of this project, whose terminal record the conveyor finds and verifies."""

    kind: Literal["study"]
    predecessor: str = Field(pattern=_NAME)
    agent: str = Field(pattern=_NAME)
    """A name in ``configs/agent``: what answered."""
    verdict: Literal["passed", "failed", "any"]
    """How its gate must have been decided."""
    artifact: Artifact | None = None
    """Null takes the terminal record that the conveyor hands on, whichever it is."""


Prerequisite = Annotated[RecordedPredecessor | StudyPredecessor, Field(discriminator="kind")]
"""What must be over before a study may run."""


class StudySection(Section):
    """What the study is."""

    name: str = Field(pattern=_NAME)
    protocol: str = Field(pattern=r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$")
    split: str = Field(pattern=_NAME)
    partial: bool = False
    """Whether the split's tasks of other strata and languages are left out; for development."""
    tasks_per_cell: int = Field(ge=1, le=1_000_000)
    development: bool
    authorization: Annotated[tuple[Prerequisite, ...], Field(min_length=1)] | None = None
    """What must be over before it may run; a study without any is for development only."""
    surface: str | None = Field(default=None, pattern=_FOLDER)
    """Folder with ``catalogs`` and ``tasks`` of its own, named from the folder that holds the
    configuration tree; null takes the 0.14 surface."""
    strata: Annotated[tuple[Name, ...], Field(min_length=1), AfterValidator(_distinct)]
    languages: Annotated[tuple[Name, ...], Field(min_length=1), AfterValidator(_distinct)]
    catalogs: Annotated[
        tuple[Annotated[int, Field(ge=1, le=LARGEST)], ...],
        Field(min_length=1),
        AfterValidator(_distinct),
        AfterValidator(_ascending),
    ]
    conditions: Annotated[
        tuple[Annotated[str, AfterValidator(_condition)], ...], AfterValidator(_distinct)
    ]
    exposure: ExposureConfig
    episode: EpisodeConfig
    analysis: AnalysisConfig
    gate: GateConfig

    @model_validator(mode="after")
    def _is_whole(self) -> StudySection:
        if self.partial and not self.development:
            raise at("partial", "a study of part of its split is for development only")
        return self

    @model_validator(mode="after")
    def _can_be_judged(self) -> StudySection:
        missing = [name for name in COMPARED if name not in self.conditions]
        if missing:
            raise at(
                "conditions",
                f"the gate compares {' with '.join(COMPARED)}; {missing[0]} is missing",
            )
        return self

    @model_validator(mode="after")
    def _keeps_what_its_names_promise(self) -> StudySection:
        for name, number in promised(self.protocol, self.conditions).items():
            if (stated := getattr(self.exposure, name)) != number:
                told, asked = (json.dumps(value) for value in (stated, number))
                raise at(
                    f"exposure.{name}",
                    f"the names of protocol and conditions stand for {asked}, not {told}",
                )
        return self

    @model_validator(mode="after")
    def _kinds_are_there(self) -> StudySection:
        if self.surface is None:
            for key, values, known in (
                ("strata", self.strata, KINDS.strata),
                ("languages", self.languages, KINDS.languages),
            ):
                for position, value in enumerate(values):
                    try:
                        one_of(value, known)
                    except ValueError as error:
                        raise at(f"{key}.{position}", str(error)) from error
        return self

    @property
    def kinds(self) -> Kinds:
        """The kinds of tasks that the study's surface knows."""
        return KINDS if self.surface is None else Kinds(self.strata, self.languages)

    @property
    def pairs(self) -> int:
        """How many (task, catalog) pairs the grid has."""
        cells = len(self.strata) * len(self.languages)
        return cells * self.tasks_per_cell * len(self.catalogs)

    @property
    def episodes(self) -> int:
        """How many episodes the grid has."""
        return self.pairs * len(self.conditions)
