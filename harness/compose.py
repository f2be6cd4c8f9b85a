"""From the tree of YAML files and the overrides of a command to its configuration.

Hydra composes. What it would let slip in is refused before, what it composed is validated after.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import ValidationError

from harness.config import KEY_KINDS, StudyConfig
from harness.error import ConfigError
from harness.origin import Origin
from surface.document import NodePath
from surface.error import StudyError
from surface.yaml import read_yaml

CONFIG_FOLDER: Final = Path(__file__).resolve().parent.parent / "configs"

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
    composed, choices = _compose(for_hydra, folder)
    results = [item.removeprefix(_RESULTS) for item in overrides if item.startswith(_RESULTS)]
    if results:
        # A path may hold anything, much of which Hydra's grammar would read as its own.
        composed["results"] = _results_path(results[-1])
    origin = Origin(tree=folder, choices=choices)
    return _validated(composed).model_copy(update={"origin": origin})


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
            path.stem for path in group.glob("*.yaml") if top != "study" or _is_study(path)
        )
        if _unquoted(value) not in known:
            raise ConfigError(f"There is no {top} {value!r}.", f"Use one of: {', '.join(known)}.")
    return override


def _read_one_way(path: Path, root: Path) -> None:
    """Refuse a file that Hydra, whose YAML is 1.1, would read in another way than it is written."""
    document = read_yaml(path, root=root)
    if not isinstance(document.data, dict):
        return
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


def _compose(overrides: Sequence[str], folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the keys and what was chosen of each group."""
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(folder), version_base="1.3", job_name="harness"):
            composed = compose("config", overrides=list(overrides), return_hydra_config=True)
        choices = composed.hydra.runtime.choices
        chosen = {group: choices[group] for group in KEY_KINDS if group in choices}
        ours = OmegaConf.masked_copy(composed, [str(key) for key in composed if key != "hydra"])
        plain = OmegaConf.to_container(ours, resolve=True, throw_on_missing=True)
    except RecursionError as error:
        raise ConfigError(
            "The configuration cannot be composed: a list of defaults leads back to itself.",
            "Correct the defaults of the files under configs/.",
        ) from error
    except (HydraException, OmegaConfBaseException) as error:
        first = str(error).strip().splitlines()[0].rstrip(".")
        raise ConfigError(
            f"The configuration cannot be composed: {first}.",
            "Correct the override; configs/ holds every key and choice.",
        ) from error
    finally:
        GlobalHydra.instance().clear()
    if not isinstance(plain, dict):
        raise ConfigError(
            "The configuration is not a mapping of keys.", "Restore configs/config.yaml."
        )
    return {str(key): value for key, value in plain.items()}, chosen


def _results_path(text: str) -> Path:
    path = _unquoted(text)
    if not path:
        raise ConfigError("The results folder has no name.", "Write results=DIR, or leave it out.")
    return Path(path)


def _validated(composed: dict[str, Any]) -> StudyConfig:
    results = composed.get("results")
    if isinstance(results, Path):
        # Held back: a path of undecodable bytes has no JSON.
        composed = {**composed, "results": "results"}
    try:
        # Through JSON, whose strict reading takes lists for tuples and nothing else for anything.
        config = StudyConfig.model_validate_json(json.dumps(composed))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(_keys(first["loc"], composed, first.get("ctx", {})))
        message = first["msg"].removeprefix("Value error, ").rstrip(".")
        raise ConfigError(
            f"The configuration is not valid at {where}: {message}.", "Correct the value."
        ) from error
    except StudyError as error:
        raise ConfigError(f"The configuration is not valid. {error.what}", error.remedy) from error
    return config.model_copy(update={"results": results}) if isinstance(results, Path) else config


def _keys(
    location: tuple[int | str, ...], composed: dict[str, Any], context: dict[str, Any]
) -> list[str]:
    """Return the keys that lead to an error, without the kind that a section was read as."""
    keys: list[str] = []
    value: Any = composed
    for position, part in enumerate(location):
        if isinstance(value, dict) and value.get("kind") == part:
            continue
        inside = isinstance(value, list) or (isinstance(value, dict) and part in value)
        if inside or position == len(location) - 1:
            keys.append(str(part))
            value = value[part] if inside else None
    return [*keys, "kind"] if "tag" in context else keys


def _unquoted(value: str) -> str:
    """Return a value without the quotes that Hydra's grammar would take off."""
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in {"'", '"'}
    return value[1:-1] if quoted else value


def _is_study(path: Path) -> bool:
    """Whether a file in the study group is a study, not a protocol that studies share."""
    return not path.stem.startswith("protocol")
