"""The tables of a paper say what the terminal record says, in markup that cannot be broken."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gates.export import latex, markdown
from gates.export.paper import paper_tables
from gates.text_table import number
from tests.support.finished import shop

NASTY = r"a_b & 5% of #1 {x} $y$ ~^ \input{z} <b> | [c](d) `e` *f*"


def test_gate_conditions_and_contrasts_are_those_of_the_record() -> None:
    terminal = shop().terminal
    gate, conditions, contrasts = paper_tables(terminal)
    assert [row[1] for row in gate.rows] == [rule["id"] for rule in terminal["gate"]["rules"]]
    assert [row[0] == "pass" for row in gate.rows] == [
        rule["passed"] for rule in terminal["gate"]["rules"]
    ]
    assert [row[0] for row in conditions.rows] == list(shop().conditions)
    assert [row[1] for row in conditions.rows] == [
        number(terminal["metrics"][name]["overall"]["task_pass"]) for name in shop().conditions
    ]
    logged = {
        (item["metric"], item["comparator"]): number(item["value"])
        for item in terminal["contrasts"]
        if item["contrast"] == "difference"
    }
    assert len(contrasts.rows) == 24
    assert all(logged[row[0], row[1]] == row[2] for row in contrasts.rows)
    for table in (gate, conditions, contrasts):
        assert "(exploratory, the scripted agent)" in table.caption
        assert "a check of the instrument, not a test of the hypothesis" in table.caption
        assert table.source == f"identity {terminal['identity']}, digest {terminal['digest']}"
        assert {len(row) for row in table.rows} == {len(table.head)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("latex")
    latex.write_latex(shop(), path)
    return path


@pytest.mark.parametrize("name", ["gate", "conditions", "contrasts"])
def test_a_latex_table_has_booktabs_rules_and_whole_rows(folder: Path, name: str) -> None:
    text = (folder / f"{name}.tex").read_text(encoding="utf-8")
    [columns] = re.findall(r"\\begin\{tabular\}\{(l+r+)\}", text)
    inside = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    rows = [line for line in inside.splitlines() if line.endswith(r" \\")]
    assert len(rows) > 4
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) + 1 == len(columns)
    assert text.count(r"\begin") == text.count(r"\end") == 2
    unescaped = re.sub(r"\\[{}]", "", text)
    assert unescaped.count("{") == unescaped.count("}")
    # A bare underscore ends a compilation.
    body = text.partition("\n")[2]
    assert not re.search(r"(?<!\\)[_#&%]", body.replace(" & ", " "))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX is installed")
def test_the_document_compiles(folder: Path) -> None:
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_special_characters_are_printed_as_they_are() -> None:
    escaped = latex.escape(NASTY)
    assert escaped.startswith(r"a\_b \& 5\% of \#1 \{x\} \$y\$ \textasciitilde{}")
    assert r"\textbackslash{}input\{z\} $<$b$>$" in escaped
    assert latex.escape("SR-5 >= -0.020, [-1, .5] == 1") == (
        r"SR-5 $\geq$ $-$0.020, [$-$1, .5] $=$ 1"
    )
    shown = markdown.escape(NASTY)
    assert re.sub(r"\\(.)", r"\1", shown) == NASTY
    assert not re.search(r"[\\_#<>|\[\]`*]", re.sub(r"\\.", "", shown))


def test_markdown_rows_have_as_many_cells_as_their_head(tmp_path: Path) -> None:
    markdown.write_markdown(shop(), tmp_path)
    text = (tmp_path / "tables.md").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if block.startswith("| ")]
    assert len(blocks) == 3
    for block in blocks:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
