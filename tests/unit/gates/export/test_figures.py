"""Figures are drawn in both forms, labelled, and come out as the same bytes again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from gates.contrast_plot import plot_contrasts
from gates.export.figures import FIGURES, write_figures
from gates.metric_table import CONDITIONS
from gates.tradeoff_plot import plot_tradeoff
from tests.support.finished import shop


def test_the_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write_figures(shop(), tmp_path / name)
    first = sorted((tmp_path / "first").iterdir())
    assert [path.name for path in first] == sorted(
        f"{n}.{f}" for n in FIGURES for f in ("pdf", "svg")
    )
    for path in first:
        content = path.read_bytes()
        assert content == (tmp_path / "second" / path.name).read_bytes()
        assert content.startswith(b"%PDF" if path.suffix == ".pdf" else b"<?xml")
        if path.suffix == ".svg":
            text = content.decode()
            assert "exploratory, the scripted agent" in text
            assert not re.search(r"<dc:date>|<script", text)


def test_a_contrast_is_a_point_with_its_intervals() -> None:
    panel = plot_contrasts(shop().terminal).axes[0]
    assert [label.get_text() for label in panel.get_yticklabels()] == [
        f"minus {name}" for name in CONDITIONS if name != "SR-5-STATE-AWARE"
    ]
    points = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]
    logged = [
        item
        for item in shop().terminal["contrasts"]
        if (item["metric"], item["contrast"]) == ("task_pass", "difference")
    ]
    assert points == [item["value"] for item in logged]
    ends = [np.asarray(line.get_xdata()).tolist() for line in panel.lines]
    for item in logged:
        assert item["interval"] in ends
        assert item["companion_interval"] in ends
    assert [-0.02, -0.02] in ends


def test_the_tradeoff_has_a_line_a_condition_and_a_point_a_catalog() -> None:
    [panel] = plot_tradeoff(shop().terminal).axes
    assert [line.get_label() for line in panel.lines] == list(CONDITIONS)
    for line in panel.lines:
        catalogs = shop().terminal["metrics"][line.get_label()]["catalog"]
        assert list(line.get_xdata()) == [c["tool_schema_tokens"] for c in catalogs.values()]
        assert list(line.get_ydata()) == [c["task_pass"] for c in catalogs.values()]
    assert [text.get_text() for text in panel.texts] == ["4", "5"] * 5
