"""Machines that share a bucket and nothing else: one result a shard, every attempt on record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gates.aggregate import aggregate
from harness.compose import load_config
from harness.error import ConfigError, InfrastructureError, IntegrityError
from harness.exchange import study_exchange
from harness.freeze import freeze
from harness.grid import Shard
from harness.inspection import finished_manifest
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.object_store import ObjectStore
from harness.pin import pin_study, shard_count
from harness.plant import S3Section
from harness.s3 import s3_store
from harness.schema import TABLES
from harness.shard import run_shard
from harness.status import study_status
from harness.store import file_sha256
from harness.study import Study
from tests.support.bucket import Service, log_in
from tests.support.freezable import Committed, frozen
from tests.support.recorded import SHARD, Recorded
from tests.support.tiny import Tiny

NAME = f"manifests/{SHARD.name}.json"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded.build(tmp_path_factory.mktemp("recorded"))


@pytest.fixture(scope="module")
def digest(made: Recorded, tmp_path_factory: pytest.TempPathFactory) -> str:
    study = made.at(tmp_path_factory.mktemp("whole"))
    run_shard(study, SHARD)
    return read_record(study.folder.manifest(SHARD), Manifest).logical_digest


class Machines:
    """Machines with a folder each and one bucket."""

    def __init__(self, made: Recorded, service: Service, folder: Path) -> None:
        self.made = made
        self.folder = folder
        self.section = S3Section(
            kind="s3",
            bucket=service.bucket(),
            endpoint=service.endpoint,
            timeout_seconds=5,
            attempts=1,
        )

    def __getitem__(self, name: str) -> Study:
        study = self.made.at(self.folder / name)
        config = study.config.model_copy(update={"store": self.section})
        study.__dict__["config"] = config
        return study

    @property
    def store(self) -> ObjectStore:
        study = self.made.study
        return s3_store(self.section, f"{study.config.study.name}/{study.identity}")


@pytest.fixture
def machines(
    made: Recorded,
    service: Service,
    digest: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Machines:
    log_in(monkeypatch)
    made.ran.clear()
    monkeypatch.setattr(Study, "run", made.run)
    return Machines(made, service, tmp_path)


def whole(study: Study, digest: str) -> bool:
    """Whether a machine has the finished shard."""
    manifest = finished_manifest(study, SHARD)
    return manifest.logical_digest == digest and all(
        file_sha256(study.folder.table(name, SHARD)) == entry.sha256
        for name, entry in manifest.tables.items()
    )


def tables(store: ObjectStore) -> set[str]:
    return {path for name in TABLES for path in store.names(name)}


def after(episodes: int, do: Callable[[], object]) -> Callable[[int], None]:
    left = [episodes]

    def progress(count: int) -> None:
        left[0] -= count
        if left[0] == 0:
            do()

    return progress


def test_what_one_machine_finished_is_there_on_the_next(
    machines: Machines, made: Recorded, digest: str
) -> None:
    assert run_shard(machines["a"], SHARD).action == "ran"
    assert whole(machines["a"], digest)
    assert run_shard(machines["b"], SHARD).action == "skipped"
    assert whole(machines["b"], digest)
    assert len(made.ran) == 5
    assert len(tables(machines.store)) == len(TABLES)
    study_exchange(machines["c"]).fetch_all()
    status = study_status(machines["c"])
    assert status is not None
    assert status.shards[SHARD.index].state == "finished"
    assert status.attempts == {"finished": 1}


def test_of_two_machines_at_once_the_first_to_finish_counts(
    machines: Machines, digest: str
) -> None:
    def other() -> None:
        assert run_shard(machines["b"], SHARD).action == "ran"

    result = run_shard(machines["a"], SHARD, progress=after(5, other))
    assert result.action == "skipped"
    first, second = (machines[name].folder.manifest(SHARD).read_bytes() for name in "ab")
    assert first == second == machines.store.read(NAME)
    assert whole(machines["a"], digest)
    assert whole(machines["b"], digest)
    assert len(tables(machines.store)) == len(TABLES)
    attempts = Ledger(machines["a"].folder.attempts(SHARD)).attempts()
    assert [item.number for item in attempts] == [1, 2]
    assert read_record(machines["a"].folder.manifest(SHARD), Manifest).attempt == 2


def test_attempts_are_numbered_and_kept_over_all_machines(machines: Machines) -> None:
    def fail() -> NoReturn:
        raise InfrastructureError("The server is gone.", "Start it.")

    for name in "ab":
        with pytest.raises(InfrastructureError):
            run_shard(machines[name], SHARD, progress=after(2, fail))
    run_shard(machines["c"], SHARD)
    for name in "abd":
        study_exchange(machines[name]).fetch_all()
        found = Ledger(machines[name].folder.attempts(SHARD)).attempts()
        assert [(item.number, item.outcome) for item in found] == [
            (1, "infrastructure"),
            (2, "infrastructure"),
            (3, "finished"),
        ]
        assert [item.effort and item.effort.episodes for item in found] == [2, 2, 5]


def test_a_machine_that_was_killed_goes_on_from_its_log(
    machines: Machines, made: Recorded, digest: str
) -> None:
    class Killed(BaseException):
        pass

    def kill() -> NoReturn:
        raise Killed

    with pytest.raises(Killed):
        run_shard(machines["a"], SHARD, progress=after(3, kill))
    # Another machine cannot know whether the first one still runs.
    study_exchange(machines["b"]).fetch_all()
    [attempt] = Ledger(machines["b"].folder.attempts(SHARD)).attempts()
    assert attempt.outcome == "started"
    assert run_shard(machines["a"], SHARD).action == "ran"
    assert len(made.ran) == 5
    assert whole(machines["a"], digest)
    study_exchange(machines["b"]).fetch_all()
    found = Ledger(machines["b"].folder.attempts(SHARD)).attempts()
    assert [(item.outcome, item.failure) for item in found] == [
        ("infrastructure", "Killed"),
        ("finished", None),
    ]


@pytest.mark.parametrize("part", ["episodes", "exchanges", "manifests", "attempts"])
def test_a_store_that_vanishes_loses_nothing(
    machines: Machines, made: Recorded, service: Service, digest: str, part: str
) -> None:
    def fault(method: str, path: str) -> str | None:
        begun = part != "attempts" or len(made.ran) == 5
        return "503 Slow Down" if method == "PUT" and f"/{part}/" in path and begun else None

    with service.failing(fault), pytest.raises(InfrastructureError) as caught:
        run_shard(machines["a"], SHARD)
    assert caught.value.exit_code == 75
    assert run_shard(machines["a"], SHARD).action in {"ran", "skipped"}
    assert len(made.ran) == 5
    assert whole(machines["a"], digest)
    assert run_shard(machines["b"], SHARD).action == "skipped"
    assert whole(machines["b"], digest)


def test_a_store_that_is_not_there_begins_no_attempt(
    machines: Machines, made: Recorded, service: Service
) -> None:
    down = service.failing(lambda method, path: "503 Slow Down")
    with down, pytest.raises(InfrastructureError):
        run_shard(machines["a"], SHARD)
    assert made.ran == []
    assert not machines["a"].folder.root.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda store, name: store.remove(name), "is lost"),
        (lambda store, name: store.put(name, b"PAR1"), "is not what its manifest describes"),
    ],
)
def test_a_table_that_is_not_what_was_committed_is_refused(
    machines: Machines, change: Callable[[ObjectStore, str], None], said: str
) -> None:
    run_shard(machines["a"], SHARD)
    [name] = machines.store.names("turns")
    change(machines.store, name)
    with pytest.raises(IntegrityError, match=said) as caught:
        run_shard(machines["b"], SHARD)
    assert caught.value.exit_code == 3
    assert not machines["b"].folder.is_finished(SHARD)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (NAME, b"{", "is not valid JSON"),
        (f"attempts/{SHARD.name}/00001.0.json", b"[]", "is no entry of an attempt ledger"),
        ("study.json", b"{}", "is not a record of this version"),
    ],
)
def test_a_damaged_object_is_named(
    machines: Machines, name: str, content: bytes, said: str
) -> None:
    machines.store.put(name, content)
    with pytest.raises(IntegrityError, match=said):
        run_shard(machines["a"], SHARD)


def test_machines_that_pin_different_things_are_refused(machines: Machines) -> None:
    run_shard(machines["a"], SHARD)
    with pytest.raises(ConfigError, match="begun with 5 shards, not 4"):
        run_shard(machines["b"], Shard(0, 4))
    assert shard_count(machines["c"]) == 5
    local = machines.made.at(machines.folder / "d")
    pin_study(local, 7)
    with pytest.raises(IntegrityError, match="pins something else than s3://"):
        run_shard(machines["d"], SHARD)


def test_what_was_finished_without_the_store_is_published(
    machines: Machines, made: Recorded, digest: str
) -> None:
    run_shard(made.at(machines.folder / "a"), SHARD)
    assert run_shard(machines["a"], SHARD).action == "skipped"
    assert run_shard(machines["b"], SHARD).action == "skipped"
    assert whole(machines["b"], digest)
    assert len(made.ran) == 5


def test_a_study_over_a_bucket_aggregates_to_the_same_digest(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(monkeypatch)
    tiny = Tiny.build(tmp_path)
    options = ["store=s3", f"store.bucket={service.bucket()}", f"store.endpoint={service.endpoint}"]

    def study(name: str, *overrides: str) -> Study:
        return Tiny(tiny.configs, tiny.tasks, tmp_path / name).study(*overrides)

    def terminal(study: Study) -> dict[str, Any]:
        return aggregate(
            study.folder, expected=study.record(2), tasks=study.tasks, catalogs=study.catalogs
        )

    for index, name in enumerate(("first", "second")):
        run_shard(study(name, *options), Shard(index, 2))
        run_shard(study("alone"), Shard(index, 2))
    release = study("release", *options)
    study_exchange(release).fetch_all()
    assert terminal(release)["digest"] == terminal(study("alone"))["digest"]
    assert json.loads((release.folder.terminal / "terminal.json").read_bytes())["gate"]


def test_what_was_scored_into_a_bucket_is_not_frozen_anew(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(monkeypatch)
    tiny, old = frozen(tmp_path)
    options = ["store=s3", f"store.bucket={service.bucket()}", f"store.endpoint={service.endpoint}"]
    pin_study(tiny.study(*options), 2)
    assert freeze(tiny.study(*options), Committed()) == (old, False)
    protocol = tiny.configs / "study" / "protocol_0_14.yaml"
    protocol.write_text(protocol.read_text().replace('"0.97"', '"0.96"'))
    here = Tiny(tiny.configs, tiny.tasks, tmp_path / "another machine")
    with pytest.raises(IntegrityError, match=f"under the identity {old.identity}, as s3://"):
        freeze(here.study(*options), Committed(), replace=True)
    down = service.failing(lambda method, path: "503 Slow Down")
    with down, pytest.raises(InfrastructureError):
        freeze(here.study(*options, "store.attempts=1"), Committed(), replace=True)
    # Who does not name the bucket is told of the boundary in the help, and trusted.
    assert freeze(here.study(), Committed(), replace=True)[1]


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("store.prefix=../other", "not valid at store.prefix"),
        ("store.endpoint=http://user:word@host", "not valid at store.endpoint"),
        ("store.bucket=A", "not valid at store.bucket"),
        ("store.secret=word", "store.secret"),
        ("engine.scheduler=tcp://x", "engine.scheduler"),
    ],
)
def test_a_store_is_described_in_full_and_without_secrets(override: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(["store=s3", "store.bucket=some-bucket", override])
    assert said in str(caught.value)


def test_a_bucket_has_to_be_named() -> None:
    with pytest.raises(ConfigError, match=r"not valid at store\.bucket"):
        load_config(["store=s3"])
