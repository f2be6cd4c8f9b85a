"""The notebook is executed on a finished study, and refuses a bundle that is not terminal."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from gates.bundle import load_terminal
from gates.metric_table import METRICS
from harness.folder import StudyFolder
from tests.support.bundles import files_of, zipped
from tests.support.sliced import bundle, sliced
from tests.unit.project.checkout import ROOT

pytestmark = [
    # Jupyter's client and kernel talk through old interfaces of their own libraries.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

NOTEBOOK = ROOT / "notebooks" / "inspect_terminal.ipynb"


def execute(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[nbformat.NotebookNode]:
    """Execute the notebook and return the outputs of each of its code cells."""
    for name in ("BUNDLE", "RESULTS", "STUDY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (*variables.items(), ("PYTHONPATH", str(ROOT))):
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, timeout=240, record_timing=False)
    cells = client.execute(cwd=str(ROOT / "notebooks")).cells
    return [cell for cell in cells if cell.cell_type == "code"]


def test_it_verifies_and_shows_every_metric_and_figures_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder: StudyFolder = sliced()
    terminal = load_terminal(folder.terminal / "terminal.json")
    cells = execute(monkeypatch, RESULTS=str(folder.root.parents[1]), STUDY="slice")
    texts = ["".join(output.get("text", "") for output in cell.outputs) for cell in cells]
    data = [output["data"] for cell in cells for output in cell.outputs if "data" in output]
    shown = "".join(item.get("text/html", "") for item in data)
    assert texts[0].startswith("Answered by the reference agent: a check of the instrument")
    assert "policy decisions" in shown
    assert "development split: never evidence" in texts[1]
    assert terminal["digest"] in texts[1]
    assert all(f"<td>{name}</td>" in shown for name in METRICS)
    assert sum("image/png" in item for item in data) == 3
    # The figure of rule 1, written out by hand, and beside it the interval of the gate.
    [own] = [text for text in texts if text.startswith("OwnFigure")]
    rule = terminal["gate"]["rules"][0]
    assert f"value={rule['value']}" in own
    assert own.splitlines()[1] == str(rule["interval"])
    assert all(cell.outputs for cell in cells)


def test_it_refuses_a_bundle_without_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_of(bundle())
    name = "terminal/terminal.json"
    partial = zipped(
        tmp_path / "partial.zip", {key: value for key, value in files.items() if key != name}
    )
    with pytest.raises(CellExecutionError, match=f"is no bundle: it has no {name}"):
        execute(monkeypatch, BUNDLE=str(partial))


def test_it_is_committed_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
