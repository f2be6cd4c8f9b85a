"""From the tree of YAML files and the overrides of a command to its configuration.

Hydra composes. What it would let slip in is refused before, what it composed is validated after.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import ValidationError

from conditions.error import ConditionError
from harness.config import KEY_KINDS, StudyConfig
from harness.error import ConfigError
from harness.misfit import misfit, misplaced
from harness.origin import Origin
from surface.document import NodePath
from surface.yaml import read_yaml

CONFIG_FOLDER: Final = Path(__file__).resolve().parent.parent / "configs"

GROUPS: Final = ("agent", "retriever", "store", "engine", "power", "study")
"""The keys that choose a file each."""

_RESULTS: Final = "results="


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
    SurfaceError
        If a file of the tree is not strict YAML; names file and line.
    """
    for path in sorted(folder.rglob("*.yaml")):
        _read_one_way(path, folder.parent)
    for_hydra = [_checked(item, folder) for item in overrides if not item.startswith(_RESULTS)]
    composed, origin = _compose(for_hydra, folder)
    results = [item.removeprefix(_RESULTS) for item in overrides if item.startswith(_RESULTS)]
    if results:
        # A path may hold anything, much of which Hydra's grammar would read as its own.
        composed["results"] = _results_path(results[-1])
    config = _validated(composed, origin, for_hydra).model_copy(update={"origin": origin})
    if config.study.name != origin.choices["study"]:
        raise misplaced(("study", "name"), f"the file is called {origin.choices['study']}", origin)
    return config


def _checked(override: str, folder: Path) -> str:
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
        keys = ", ".join(sorted(name for name in KEY_KINDS if "." not in name))
        raise ConfigError(f"The key {key!r} does not exist.", f"Use one of: {keys}.")
    if kind == "protocol" and dot:
        raise ConfigError(
            f"The key {key!r} belongs to the protocol and cannot be overridden.",
            f"Describe another study in a file under configs/{top}/ and choose it.",
        )
    group = folder / top
    if not dot and group.is_dir():
        known = sorted(
            path.stem for path in group.glob("*.yaml") if top != "study" or is_study(path)
        )
        if _unquoted(value) not in known:
            raise ConfigError(f"There is no {top} {value!r}.", f"Use one of: {', '.join(known)}.")
    return override


def _read_one_way(path: Path, root: Path) -> None:
    """Refuse a file that Hydra, whose YAML is 1.1, would read in another way than it is written."""
    document = read_yaml(path, root=root)
    if document.data is None:
        return
    if not isinstance(document.data, dict):
        raise document.error("The file holds no keys.", "Write lines of the form key: value.")
    read = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    if json.dumps(read, sort_keys=True) == json.dumps(document.data, sort_keys=True):
        return
    place = _difference(document.data, read, ())
    raise document.error(
        "The value can be read in two ways.", "Write it plainly, or put it in quotes.", place
    )


def _difference(written: object, read: object, place: NodePath) -> NodePath:
    """Return the place of the first value that differs."""
    if isinstance(written, dict) and isinstance(read, dict) and written.keys() == read.keys():
        pairs: list[tuple[str | int, object, object]] = [
            (key, value, read[key]) for key, value in written.items()
        ]
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        pairs = list(zip(range(len(written)), written, read, strict=True))
    else:
        return place
    for key, mine, other in pairs:
        if json.dumps(mine) != json.dumps(other):
            return _difference(mine, other, (*place, key))
    return place


def _compose(overrides: Sequence[str], folder: Path) -> tuple[dict[str, Any], Origin]:
    """Return the keys and what they were composed from."""
    GlobalHydra.instance().clear()
    try:
        # Hydra warns of an order of defaults in which the files would not mean what they say.
        with (
            warnings.catch_warnings(action="error", category=UserWarning),
            initialize_config_dir(str(folder), version_base="1.3", job_name="harness"),
        ):
            composed = compose("config", overrides=list(overrides), return_hydra_config=True)
        origin = Origin(tree=folder, choices=_choices(composed.hydra.runtime.choices, folder))
        ours = OmegaConf.masked_copy(composed, [str(key) for key in composed if key != "hydra"])
        plain = OmegaConf.to_container(ours, resolve=True, throw_on_missing=True)
    except RecursionError as error:
        raise ConfigError(
            "The configuration cannot be composed: a list of defaults leads back to itself.",
            "Correct the defaults of the files under configs/.",
        ) from error
    except (HydraException, OmegaConfBaseException, UserWarning) as error:
        first = str(error).strip().splitlines()[0].partition(". See ")[0].rstrip(".")
        if isinstance(error, OmegaConfBaseException) and error.full_key and not _sets(overrides):
            raise misplaced(tuple(error.full_key.split(".")), first, origin) from error
        raise ConfigError(
            f"The configuration cannot be composed: {first}.",
            "Correct the override; configs/ holds every key and choice."
            if _sets(overrides)
            else "Correct the files under configs/.",
        ) from error
    finally:
        GlobalHydra.instance().clear()
    if not isinstance(plain, dict):
        raise ConfigError(
            "The configuration is not a mapping of keys.", "Restore configs/config.yaml."
        )
    return {str(key): value for key, value in plain.items()}, origin


def _sets(overrides: Sequence[str]) -> bool:
    """Whether any override sets a key, rather than choosing a file that has been found."""
    return any(item.partition("=")[0] not in GROUPS for item in overrides)


def _choices(chosen: Mapping[str, object], folder: Path) -> dict[str, str]:
    """Return what was chosen of each group, one file of it.

    Raises
    ------
    ConfigError
        If the list of defaults chooses nothing, or several.
    """
    found = {}
    for group in GROUPS:
        name = chosen.get(group)
        if not isinstance(name, str) or not (folder / group / f"{name}.yaml").is_file():
            raise ConfigError(
                f"The defaults of configs/config.yaml do not choose one file of configs/{group}/.",
                f"Write a line such as {group}: NAME among them.",
            )
        found[group] = name
    return found


def _results_path(text: str) -> Path:
    path = _unquoted(text)
    if not path:
        raise ConfigError("The results folder has no name.", "Write results=DIR, or leave it out.")
    return Path(path)


def _validated(composed: dict[str, Any], origin: Origin, overrides: Sequence[str]) -> StudyConfig:
    results = composed.get("results")
    if isinstance(results, Path):
        # Held back: a path of undecodable bytes has no JSON.
        composed = {**composed, "results": "results"}
    elif results == "":
        raise misplaced(("results",), "the folder has no name", origin)
    try:
        # Through JSON, whose strict reading takes lists for tuples and nothing else for anything.
        config = StudyConfig.model_validate_json(json.dumps(composed))
    except ValidationError as error:
        raise misfit(error, composed, origin, overrides) from error
    except ConditionError as error:
        # The retriever's numbers know their limits themselves.
        raise misplaced(("retriever",), error.what.rstrip("."), origin) from error
    return config.model_copy(update={"results": results}) if isinstance(results, Path) else config


def _unquoted(value: str) -> str:
    """Return a value without the quotes that Hydra's grammar would take off."""
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in {"'", '"'}
    return value[1:-1] if quoted else value


def is_study(path: Path) -> bool:
    """Whether a file in the study group is a study, not a protocol that studies share."""
    return not path.stem.startswith("protocol")
