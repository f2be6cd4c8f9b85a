"""The notebook runs on a terminal record, and refuses what is not terminal."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from gates.aggregate import aggregate
from harness.grid import Shard
from harness.shard import run_shard
from tests.support.tiny import Tiny
from tests.unit.project.checkout import ROOT

pytestmark = [
    # Jupyter's client and kernel talk through old interfaces of their own libraries.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

NOTEBOOK = ROOT / "notebooks" / "inspect_terminal.ipynb"


def execute(results: Path, monkeypatch: pytest.MonkeyPatch) -> nbformat.NotebookNode:
    monkeypatch.setenv("RESULTS", str(results))
    monkeypatch.setenv("STUDY", "tiny")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, timeout=120, record_timing=False)
    return client.execute(cwd=str(ROOT / "notebooks"))


def test_it_shows_gate_metrics_and_a_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Tiny.build(tmp_path).study()
    for index in range(2):
        run_shard(study, Shard(index, 2))
    aggregate(study.folder, expected=study.record(2), tasks=study.tasks, catalogs=study.catalogs)
    cells = execute(study.config.results, monkeypatch).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = "".join(output.get("text", "") for output in outputs)
    assert "Gate" in texts
    assert "development split: never evidence" in texts
    data = [output["data"] for output in outputs if "data" in output]
    assert any("image/png" in item for item in data)
    assert any("task_pass" in item.get("text/html", "") for item in data)


def test_it_refuses_a_study_that_is_not_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Tiny.build(tmp_path).study()
    run_shard(study, Shard(0, 2))
    with pytest.raises(CellExecutionError, match="holds no terminal record"):
        execute(study.config.results, monkeypatch)


def test_it_is_committed_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
