"""Names and order of what is written change no request: ids, files, languages, strata, YAML."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.grid import EpisodeKey, episode_keys
from harness.study import Study
from surface.catalog import CATALOG_FOLDER, load_catalogs
from surface.task import TASK_FOLDER, Task
from tests.integration.leakage.listening import Played, play

FILE = TASK_FOLDER / "dev" / "en.yaml"


def shuffled(value: Any, lots: random.Random) -> Any:
    """The same mappings with their keys in another order; lists stay as they are."""
    if isinstance(value, dict):
        names = lots.sample(list(value), len(value))
        return {name: shuffled(value[name], lots) for name in names}
    if isinstance(value, list):
        return [shuffled(item, lots) for item in value]
    return value


class Dumper(yaml.SafeDumper):
    """Writes texts that YAML 1.1 would read as something else in quotation marks."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"')


Dumper.add_representer(str, _text)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10**6)
    path.write_text(text, encoding="utf-8")


def read(path: Path) -> Any:
    # Every scalar as the text that it is would lose numbers; these files hold no look-alikes.
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Yaml12)


class Yaml12(yaml.SafeLoader):
    """Reads the scalars of YAML 1.2 alone, as the surface does."""


Yaml12.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in found
        if tag.rpartition(":")[2] in {"int", "float", "null"} or first in "tTfF"
    ]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    if first not in "yYnNoO" or first in "nN"
}


def tasks_of(study: Study, folder: Path) -> Study:
    """The tiny study with its tasks from another folder."""
    copy = Study(study.config, folder)
    copy.__dict__["catalogs"] = study.catalogs
    return copy


def requests(study: Study, keys: tuple[EpisodeKey, ...]) -> list[tuple[tuple[bytes, ...], ...]]:
    """All requests and retrievals of some episodes."""
    played = [play(study, key) for key in keys]
    return [(item.requests, tuple(map(str.encode, item.strings))) for item in played]


def expected(
    batch: dict[EpisodeKey, Played], keys: tuple[EpisodeKey, ...]
) -> list[tuple[tuple[bytes, ...], ...]]:
    return [(batch[key].requests, tuple(map(str.encode, batch[key].strings))) for key in keys]


Change = Callable[[Any], Any]


def renamed_ids(content: Any) -> Any:
    for number, task in enumerate(content["tasks"]):
        task["id"] = f"other-{9 - number}"
    return content


def reordered(content: Any) -> Any:
    content["tasks"].reverse()
    return shuffled(content, random.Random(3))


def other_gloss(content: Any) -> Any:
    for task in content["tasks"]:
        task["gloss"] = "Something else altogether, which nobody reads."
    return content


@pytest.mark.parametrize("change", [renamed_ids, reordered, other_gloss])
def test_task_files(
    study: Study,
    keys: tuple[EpisodeKey, ...],
    batch: dict[EpisodeKey, Played],
    tmp_path: Path,
    change: Change,
) -> None:
    before = {task.query: name for name, task in study.tasks.items()}
    write(tmp_path / "tiny" / "zz-renamed.yaml", change(read(FILE)))
    copy = tasks_of(study, tmp_path)
    names = {before[task.query]: name for name, task in copy.tasks.items()}
    assert set(names) == set(study.tasks)
    moved = tuple(key._replace(task_id=names[key.task_id]) for key in keys)
    assert requests(copy, moved) == expected(batch, keys)


def of_another_language(task: Task) -> dict[str, Any]:
    return {"language": "ko"}


def of_another_stratum(task: Task) -> dict[str, Any]:
    return {"stratum": "typed_unit_state_transition"}


def without_spare_approvals(task: Task) -> dict[str, Any]:
    return {"approvals": tuple(item for item in task.approvals if item.step is not None)}


def without_quotes(task: Task) -> dict[str, Any]:
    steps = (step.model_copy(update={"apart": {}, "after": None}) for step in task.steps)
    return {"gloss": "Something else.", "steps": tuple(steps)}


@pytest.mark.parametrize(
    "change",
    [of_another_language, of_another_stratum, without_spare_approvals, without_quotes],
)
def test_what_a_task_says_of_itself(
    study: Study,
    keys: tuple[EpisodeKey, ...],
    batch: dict[EpisodeKey, Played],
    change: Callable[[Task], dict[str, Any]],
) -> None:
    copy = tasks_of(study, study.task_folder)
    tasks = {name: task.model_copy(update=change(task)) for name, task in study.tasks.items()}
    assert tasks != dict(study.tasks)
    copy.__dict__["tasks"] = tasks
    assert requests(copy, keys) == expected(batch, keys)


def test_catalog_files(
    study: Study, keys: tuple[EpisodeKey, ...], batch: dict[EpisodeKey, Played], tmp_path: Path
) -> None:
    lots = random.Random(5)
    vocabulary = read(CATALOG_FOLDER / "vocabulary.yaml")
    write(tmp_path / "vocabulary.yaml", shuffled(vocabulary, lots))
    files = sorted((CATALOG_FOLDER / "services").glob("*.yaml"))
    for path in files:
        content = read(path)
        lots.shuffle(content["endpoints"])
        content = {name: content[name] for name in reversed(content)}
        write(tmp_path / "services" / path.name, content)
    catalog = load_catalogs(tmp_path)[100]
    assert catalog.snapshot.fingerprint == study.catalogs[100].snapshot.fingerprint
    copy = Study(study.config, study.task_folder)
    copy.__dict__["catalogs"] = {100: catalog}
    chosen = tuple(key for key in keys if key.condition != "SR-5-STATIC")[::3]
    assert requests(copy, chosen) == expected(batch, chosen)
    assert len(episode_keys(copy.pairs, copy.config.study.conditions)) == len(keys)
