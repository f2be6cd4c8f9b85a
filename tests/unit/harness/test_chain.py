"""Declared chains: what is read, what is refused, and what the command takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.chain import Chain, Link, load_chain
from harness.cli import main
from harness.error import ConfigError
from surface.error import SurfaceError

SOUND = """
links:
  - {study: pilot, agent: reference}
  - {study: main, agent: reference}
tries: 5
"""


def declared(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "configs" / "conveyor"
    folder.mkdir(parents=True)
    (folder / "pair.yaml").write_text(text)
    return tmp_path / "configs"


def test_a_chain_is_read(tmp_path: Path) -> None:
    links = (Link(study="pilot", agent="reference"), Link(study="main", agent="reference"))
    assert load_chain("pair", declared(tmp_path, SOUND)) == Chain(links=links, tries=5)
    assert Chain(links=links).tries == 3


def test_an_unknown_chain_is_told(tmp_path: Path) -> None:
    tree = declared(tmp_path, SOUND)
    for name in ("other", "../pair", ""):
        with pytest.raises(ConfigError, match="There is no chain") as caught:
            load_chain(name, tree)
        assert caught.value.remedy == "Use one of: pair."


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("links: []\n", "links"),
        (SOUND.replace("main", "pilot"), r"links: pilot \(reference\) stands twice"),
        (SOUND.replace("tries: 5", "tries: 0"), "tries"),
        (SOUND.replace("tries: 5", "tries: true"), "tries"),
        (SOUND.replace("tries: 5", "verdict: passed"), "verdict"),
        (SOUND.replace("pilot", "../pilot"), r"links\.0\.study"),
        (SOUND.replace("{study: pilot, agent: reference}", "pilot"), r"links\.0"),
        ("- pilot\n", "the whole"),
    ],
)
def test_what_is_no_chain_is_refused_with_its_place(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(ConfigError, match=f"not valid at {where}"):
        load_chain("pair", declared(tmp_path, text))


def test_a_file_that_is_no_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SurfaceError) as caught:
        load_chain("pair", declared(tmp_path, "links: [\n"))
    assert caught.value.file == "configs/conveyor/pair.yaml"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "0 chains are named, not one."),
        (["chain=a", "chain=b"], "2 chains are named, not one."),
        (["chain=none"], "There is no chain 'none'."),
    ],
)
def test_wrong_use_of_the_command_is_told(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conveyor", *words]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("study=dev", "The chain decides about its studies, not 'study=dev'."),
        ("agent.kind=x", "The chain decides about its studies, not 'agent.kind=x'."),
        ("shard.index=0", "conveyor does not use shard.index."),
    ],
)
def test_the_chain_decides_about_its_studies(
    tmp_path: Path,
    override: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tree = declared(tmp_path, SOUND)
    monkeypatch.setattr("harness.conveyor_command.CONFIG_FOLDER", tree)
    assert main(["conveyor", "chain=pair", override]) == 1
    assert told in capsys.readouterr().err
