"""Configuration: Hydra composes YAML, Pydantic validates it into immutable records.

Every key is of one kind (design, configuration and freeze):

- *protocol* keys say what the study is. They are hashed and come from files alone.
- *identity* keys say what answers. They are hashed.
- *runtime* keys say where and how it runs. They are free and recorded, never hashed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from conditions.exposure import ConditionParameters
from conditions.retriever import RetrieverParameters
from harness.error import ConfigError

CONFIG_FOLDER: Final = Path(__file__).resolve().parent.parent / "configs"

DEFAULT_SHARDS: Final = 12

Kind = Literal["protocol", "identity", "runtime"]

KEY_KINDS: Final[Mapping[str, Kind]] = {
    "study": "protocol",
    "retriever": "protocol",
    "agent": "identity",
    "shard": "runtime",
    "results": "runtime",
    "workers": "runtime",
    "progress": "runtime",
    "store": "runtime",
    "engine": "runtime",
}
"""The kind of every top-level key; the keys below it are of the same kind."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExposureConfig(_Section):
    """How much the conditions expose (protocol, section 2)."""

    top_k: int = Field(ge=1)
    stages: tuple[int | None, ...] = Field(min_length=1)
    max_refreshes: int = Field(ge=0)

    def parameters(self) -> ConditionParameters:
        """Return the record that the conditions take."""
        return ConditionParameters(self.top_k, self.stages, self.max_refreshes)


class EpisodeConfig(_Section):
    """How long an episode lasts (protocol, section 4)."""

    max_turns: int = Field(ge=1)
    max_reminders: int = Field(ge=0)


class AnalysisConfig(_Section):
    """How intervals are computed (protocol, section 6)."""

    iterations: int = Field(ge=1)
    seed: int = Field(ge=0)
    level: float = Field(gt=0, lt=1)


class GateConfig(_Section):
    """The thresholds of the gate, as exact decimals."""

    task_pass_margin: str
    recall_threshold: str

    @field_validator("task_pass_margin", "recall_threshold")
    @classmethod
    def _decimal(cls, value: str) -> str:
        Fraction(value)
        return value


class StudySection(_Section):
    """What the study is."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    protocol: str
    split: str
    tasks_per_cell: int = Field(ge=1)
    development: bool
    strata: tuple[str, ...] = Field(min_length=1)
    languages: tuple[str, ...] = Field(min_length=1)
    catalogs: tuple[int, ...] = Field(min_length=1)
    conditions: tuple[str, ...] = Field(min_length=1)
    exposure: ExposureConfig
    episode: EpisodeConfig
    analysis: AnalysisConfig
    gate: GateConfig

    @property
    def pairs(self) -> int:
        """How many (task, catalog) pairs the grid has."""
        cells = len(self.strata) * len(self.languages)
        return cells * self.tasks_per_cell * len(self.catalogs)

    @property
    def episodes(self) -> int:
        """How many episodes the grid has."""
        return self.pairs * len(self.conditions)


class AgentSection(_Section):
    """What answers."""

    kind: Literal["reference"]


class ShardSection(_Section):
    """Which part of the study runs."""

    index: int | None = Field(default=None, ge=0)
    count: int | None = Field(default=None, ge=1, le=99_999)
    """Null takes the number that the study was begun with, and `DEFAULT_SHARDS` before that."""


class KindSection(_Section):
    """A store or an engine that has no options of its own."""

    kind: Literal["local"]


class StudyConfig(_Section):
    """A composed, validated configuration."""

    study: StudySection
    retriever: RetrieverParameters
    agent: AgentSection
    store: KindSection
    engine: KindSection
    shard: ShardSection
    results: Path
    workers: int | None = Field(default=None, ge=1)
    progress: bool = True

    def hashed(self) -> dict[str, Any]:
        """Return the protocol and identity keys, JSON-ready: what the study's identity covers."""
        return {
            key: value
            for key, value in self.model_dump(mode="json").items()
            if KEY_KINDS[key] != "runtime"
        }


def load_config(overrides: Sequence[str] = (), *, folder: Path = CONFIG_FOLDER) -> StudyConfig:
    """Compose and validate the configuration.

    Parameters
    ----------
    overrides
        Hydra overrides such as ``study=dev`` or ``shard.index=0``. Groups can be chosen and runtime
        and identity keys set; a key inside a protocol group cannot.
    folder
        The configuration tree.

    Raises
    ------
    ConfigError
        If an override is malformed, names a key that does not exist or a protocol key, or if a
        value is not valid.
    """
    for override in overrides:
        _check_override(override, folder)
    for_hydra, results = _take_path(overrides)
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(folder), version_base="1.3", job_name="harness"):
            composed = compose("config", overrides=for_hydra)
        plain = OmegaConf.to_container(composed, resolve=True, throw_on_missing=True)
    except (HydraException, OmegaConfBaseException) as error:
        first = str(error).strip().splitlines()[0].rstrip(".")
        raise ConfigError(
            f"The configuration cannot be composed: {first}.",
            "Correct the override; configs/ holds every key and choice.",
        ) from error
    except yaml.YAMLError as error:
        raise ConfigError(
            "A file of the configuration is not valid YAML.", f"Correct it: {error}."
        ) from error
    finally:
        GlobalHydra.instance().clear()
    if results is not None and isinstance(plain, dict):
        plain["results"] = results
    try:
        return StudyConfig.model_validate(plain)
    except ValidationError as error:
        first_error = error.errors()[0]
        where = ".".join(str(part) for part in first_error["loc"])
        raise ConfigError(
            f"The configuration is not valid at {where}: {first_error['msg']}.",
            "Correct the value.",
        ) from error


def _check_override(override: str, folder: Path) -> None:
    """Refuse what Hydra would let slip in: additions, deletions, keys of a frozen group."""
    key, separator, value = override.partition("=")
    if override.startswith(("+", "~")) or not separator:
        raise ConfigError(
            f"The override {override!r} is not of the form key=value.",
            "Set keys that exist; adding and deleting keys is not possible.",
        )
    top, dot, _ = key.partition(".")
    kind = KEY_KINDS.get(top)
    if kind is None:
        raise ConfigError(
            f"The key {key!r} does not exist.", f"Use one of: {', '.join(sorted(KEY_KINDS))}."
        )
    if kind == "protocol" and dot:
        raise ConfigError(
            f"The key {key!r} belongs to the protocol and cannot be overridden.",
            f"Describe another study in a file under configs/{top}/ and choose it.",
        )
    group = folder / top
    if not dot and group.is_dir():
        known = sorted(
            path.stem for path in group.glob("*.yaml") if top != "study" or _is_study(path)
        )
        if value not in known:
            raise ConfigError(f"There is no {top} {value!r}.", f"Use one of: {', '.join(known)}.")


def _take_path(overrides: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the overrides for Hydra, and apart from them the results folder if one is given.

    A path may hold anything, much of which Hydra's grammar would read as its own.
    """
    prefix = "results="
    paths = [item.removeprefix(prefix) for item in overrides if item.startswith(prefix)]
    others = [item for item in overrides if not item.startswith(prefix)]
    if not paths:
        return others, None
    path = paths[-1]
    quoted = len(path) > 1 and path[0] == path[-1] and path[0] in {"'", '"'}
    return others, path[1:-1] if quoted else path


def _is_study(path: Path) -> bool:
    """Whether a file in the study group is a study, not a protocol that studies share."""
    return not path.stem.startswith("protocol")
