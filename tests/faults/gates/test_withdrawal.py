"""A terminal record does not outlive the results that it was computed from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gates import aggregate as module
from gates.aggregate import aggregate
from harness.error import InfrastructureError, IntegrityError, NotTerminalError
from harness.grid import Shard
from harness.store import file_sha256
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks

Damage = Callable[[ShopStudy], object]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ShopStudy:
    study = ShopStudy.write(tmp_path_factory.mktemp("whole"))
    run(study)
    return study


@pytest.fixture
def study(whole: ShopStudy, tmp_path: Path) -> ShopStudy:
    """A copy with its terminal record, of which a test may damage what it likes."""
    copy = ShopStudy.copy(whole, tmp_path)
    shutil.copytree(whole.folder.terminal, copy.folder.terminal)
    return copy


def run(study: ShopStudy) -> dict[str, Any]:
    return aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())


def left(study: ShopStudy) -> list[str]:
    return [path.name for path in study.folder.root.iterdir() if "terminal" in path.name]


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (lambda study: study.folder.manifest(Shard(1, 2)).unlink(), NotTerminalError),
        (lambda study: study.folder.table("turns", Shard(1, 2)).unlink(), NotTerminalError),
        (lambda study: study.folder.manifest(Shard(1, 2)).write_text("{"), IntegrityError),
        (lambda study: study.folder.study_record.write_text("{"), IntegrityError),
        (lambda study: study.folder.study_record.unlink(), IntegrityError),
        (lambda study: study.alter(lambda rows: rows["turns"].clear()), IntegrityError),
        (lambda study: study.folder.attempts(Shard(0, 2)).write_text("7"), IntegrityError),
        (lambda study: (study.folder.manifests / "notes.txt").write_text(""), IntegrityError),
    ],
)
def test_a_refusal_takes_the_older_record_away(
    study: ShopStudy, damage: Damage, kind: type[Exception]
) -> None:
    (study.folder.terminal / "report.html").write_text("with outcomes")
    damage(study)
    with pytest.raises(kind):
        run(study)
    assert left(study) == []


def test_the_plant_s_failure_leaves_the_older_record(
    study: ShopStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("gates.shards.file_sha256", fail)
    with pytest.raises(PermissionError):
        run(study)
    assert left(study) == ["terminal"]


def test_a_record_that_cannot_be_removed_is_said(
    study: ShopStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied", str(path))

    study.folder.manifest(Shard(1, 2)).unlink()
    monkeypatch.setattr(module, "remove_whole", fail)
    with pytest.raises(PermissionError) as caught:
        run(study)
    assert caught.value.filename == str(study.folder.terminal)


def test_a_mended_study_gets_its_record_again(study: ShopStudy) -> None:
    before = file_sha256(study.folder.terminal / "terminal.json")
    manifest = study.folder.manifest(Shard(1, 2))
    content = manifest.read_bytes()
    manifest.unlink()
    with pytest.raises(NotTerminalError):
        run(study)
    manifest.write_bytes(content)
    run(study)
    assert file_sha256(study.folder.terminal / "terminal.json") == before


def test_a_file_where_the_terminal_folder_should_be(study: ShopStudy) -> None:
    shutil.rmtree(study.folder.terminal)
    study.folder.terminal.write_text("mine")
    with pytest.raises(InfrastructureError, match="File exists"):
        run(study)
    study.folder.manifest(Shard(1, 2)).unlink()
    with pytest.raises(NotTerminalError):
        run(study)
    assert study.folder.terminal.read_text() == "mine"
