"""Every example of the README runs, and every file it links to is there."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.unit.project.checkout import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
LINKS = sorted(set(re.findall(r"\]\((?!#)([^)#]+)\)", README)))
TARGETS = sorted(set(re.findall(r"(?:`|[$] )make ([a-z-]+)", README)))


@pytest.mark.parametrize("source", BLOCKS)
def test_an_example_runs(source: str) -> None:
    exec(compile(source, "README.md", "exec"), {})


def test_there_are_examples() -> None:
    assert BLOCKS


@pytest.mark.parametrize("link", LINKS)
def test_a_linked_file_exists(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("target", TARGETS)
def test_a_named_verb_exists(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(target)}:", makefile, flags=re.MULTILINE)


def test_a_server_of_one_s_own_takes_four_commands() -> None:
    blocks = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    [block] = (block for block in blocks if "serve " in block)
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    served, *made = commands
    section = yaml.safe_load((ROOT / "configs/agent/smollm3_vllm.yaml").read_text("utf-8"))
    assert served.startswith(f"vllm serve {section['model']} ")
    assert f"--revision {section['revision']}" in served
    assert [command.split()[:2] for command in made] == [
        ["make", verb] for verb in ("doctor", "study", "replay")
    ]
    assert all("AGENT=smollm3_vllm" in command for command in made)


def test_every_column_of_the_results_is_described() -> None:
    from harness.schema import KEY, TABLES

    text = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    for name, schema in TABLES.items():
        described = set(re.findall(r"`(\w+)`", sections[name]))
        assert set(schema.names) - set(KEY) <= described, name
