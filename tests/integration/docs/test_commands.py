"""Every command and every example of the pages is run, or held against what it would call."""

from __future__ import annotations

import re
import shutil
from argparse import Namespace
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from gates.export.format import FORMATS
from harness import cli, compose
from harness.chain import load_chain
from harness.compose import CONFIG_FOLDER, load_config
from harness.config import KEY_KINDS
from harness.heed import refuse_unheeded
from harness.protocol import StudyPredecessor
from tests.support.pages import PAGES, Block, all_blocks, blocks
from tests.unit.project.checkout import ROOT
from tests.unit.project.makefile import run_make

COMMANDS = all_blocks("console")
RUN = [block for block in COMMANDS if block.mark == "run"]
CHECKED = [block for block in COMMANDS if block.mark != "run"]
HARNESS = ("python", "-m", "harness")
COMPOSED = {"run-shard", "run", "freeze", "status", "aggregate", "verify", "export", "report"}
COMPOSED |= {"power", "replay", "doctor", "check-surface"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the configurations and all files that the pages show."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(CONFIG_FOLDER, folder / "configs")
    for block in all_blocks("yaml"):
        if block.file:
            path = folder / block.file
            assert not path.exists(), block
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture
def here(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, with commands reading its configurations and writing into it."""
    monkeypatch.chdir(tree)
    defaults = compose.load_config.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "folder", tree / "configs")
    return tree


def called(words: tuple[str, ...], folder: Path) -> list[tuple[str, ...]]:
    """What a command calls: itself, or what make would call in its place."""
    if words[0] != "make":
        return [words]
    named = {word.partition("=")[0] for word in words[1:] if "=" in word}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert named <= set(re.findall(r"^([A-Z]+) +\?=", makefile, re.MULTILINE))
    outcome = run_make(folder, *words[1:])
    assert outcome.code == 0, outcome.stderr
    return [("python", *command) for command in outcome.commands]


def parsed(words: tuple[str, ...]) -> Namespace:
    """What the command line reads in the words of a command, composed where it composes."""
    found = cli.parse(words[len(HARNESS) :])
    refuse_unheeded(found.verb, found.override)
    if found.verb in COMPOSED and not getattr(found, "bundle", None):
        load_config(found.override)
    return found


def hold_benchmark(module: str, options: tuple[str, ...]) -> None:
    source = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    assert all(f'"{word}"' in source for word in options if word.startswith("--"))


def hold_dask(verb: str, options: tuple[str, ...]) -> None:
    main = import_module(f"distributed.cli.dask_{verb}").main
    main.make_context(verb, list(options))


def hold_server(words: tuple[str, ...]) -> None:
    configs = (CONFIG_FOLDER / "agent").glob("*.yaml")
    heads = [re.sub(r"^#|\\$", " ", path.read_text(), flags=re.MULTILINE) for path in configs]
    assert any(set(words) <= set(head.split()) for head in heads)


@pytest.mark.parametrize("block", CHECKED, ids=str)
def test_a_command_is_understood(block: Block, here: Path, tmp_path: Path) -> None:
    listed = list(block.commands())
    assert listed
    for number, words in enumerate(listed):
        for command in called(words, tmp_path / str(number)):
            if command[: len(HARNESS)] == HARNESS:
                parsed(command)
            elif command[:2] == ("python", "-m") and command[2].startswith("benchmarks."):
                hold_benchmark(command[2], command[3:])
            elif command[0] == "dask":
                hold_dask(command[1], command[2:])
            elif command[0] == "vllm":
                hold_server(command)
            else:
                assert words[0] == "make", command


def test_the_others_run_one_after_the_other(
    here: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert RUN[0].page.startswith("docs/tutorial/")
    commands = [(block, words) for block in RUN for words in block.commands()]
    for number, (block, words) in enumerate(commands):
        for command in called(words, tmp_path / str(number)):
            assert command[: len(HARNESS)] == HARNESS, block
            code = cli.main(command[len(HARNESS) :])
            assert code == 0, f"{block}: {capfd.readouterr().err}"
    printed = capfd.readouterr().out
    assert "Study library (development split: never evidence)" in printed
    assert "Study slice (development split: never evidence)" in printed


@pytest.mark.parametrize(
    "path",
    [path for path in PAGES if any(block.kind == "python" for block in blocks(path))],
    ids=str,
)
def test_the_examples_of_a_page_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(path):
        if block.kind == "python":
            exec(compile("\n" * block.line + block.text, block.page, "exec"), names)


def test_every_block_is_of_a_kind_that_is_held() -> None:
    kinds = {"console", "python", "yaml", "text", "{include}"}
    pages = [block for path in PAGES for block in blocks(path)]
    assert [str(block) for block in pages if block.kind not in kinds] == []
    marked = {"run", "check"}
    unmarked = [block for block in COMMANDS if block.mark not in marked]
    assert {block.page for block in unmarked} <= {"README.md"}


def test_the_chain_and_what_it_waits_for_are_valid(tree: Path) -> None:
    (chain,) = (block for block in all_blocks("yaml") if "conveyor" in block.file)
    assert len(load_chain(Path(chain.file).stem, tree / "configs").links) == 2
    shown = [yaml.safe_load(block.text) for block in all_blocks("yaml") if not block.file]
    (waits,) = (item["authorization"] for item in shown)
    assert [StudyPredecessor.model_validate(item).predecessor for item in waits] == ["pilot"]


def test_the_page_of_exports_names_every_format() -> None:
    text = (ROOT / "docs" / "how-to" / "export.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| [^|]+ \| `(\w+)`: ", text, re.MULTILINE)) == set(FORMATS)


def test_the_page_of_the_configuration_names_every_key_and_choice() -> None:
    text = (ROOT / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    kinds = dict(re.findall(r"^\| `([\w.]+)` \| (\w+) \|$", text, re.MULTILINE))
    assert kinds == dict(KEY_KINDS)
    groups = re.findall(r"^\| `(\w+)` \| [^|]+ \| (`.*`) \|$", text, re.MULTILINE)
    assert {name: set(re.findall(r"`(\w+)`", files)) for name, files in groups} == {
        group: {
            path.stem
            for path in (CONFIG_FOLDER / group).glob("*.yaml")
            if group != "study" or compose.is_study(path)
        }
        for group in compose.GROUPS
    }
