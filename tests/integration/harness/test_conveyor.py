"""The conveyor over three small studies, of which the second fails its gate."""

from __future__ import annotations

import fcntl
import json
import shutil
from pathlib import Path

import pytest

from harness.authorization import authorization_path, terminal_digest, terminal_path
from harness.chain import Chain, Link
from harness.conveyor import Standing, advance, table
from harness.error import ConfigError, InfrastructureError, IntegrityError
from harness.freeze import freeze
from harness.grid import Shard
from harness.hold import hold
from harness.shard import run_shard
from harness.store import file_sha256
from tests.support.chained import Chained
from tests.support.freezable import Committed

EMPTY = InfrastructureError("The server is unreachable.", "Start it.")


def states(found: list[Standing]) -> list[str]:
    return [item.state for item in found]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> tuple[Chained, list[Standing]]:
    """The chain, advanced as far as it goes."""
    chained = Chained.build(tmp_path_factory.mktemp("over"))
    return chained, chained.advance()


@pytest.fixture
def copy(over: tuple[Chained, list[Standing]], tmp_path: Path) -> Chained:
    """A copy of it that a test may damage."""
    source = over[0].tiny
    for name in ("configs", "tasks", "results"):
        shutil.copytree(getattr(source, name), tmp_path / name)
    tiny = type(source)(tmp_path / "configs", tmp_path / "tasks", tmp_path / "results")
    return Chained(tiny, over[0].chain)


def test_before_anything_ran_the_table_says_who_waits_for_whom(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path)
    found = chained.survey()
    assert states(found) == ["ready", "waiting", "waiting"]
    identities = [chained.study(name).identity[:12] for name in ("first", "second", "third")]
    assert table(found) == [
        f"study   agent      identity      {'state':7}  attempts  ",
        f"first   reference  {identities[0]}  ready    -         may run",
        f"second  reference  {identities[1]}  waiting  -         "
        "for first (reference), which is ready",
        f"third   reference  {identities[2]}  waiting  -         "
        "for second (reference), which is waiting",
    ]
    assert not chained.tiny.results.exists()


def test_a_study_starts_when_the_one_before_it_ended_as_needed(
    over: tuple[Chained, list[Standing]],
) -> None:
    chained, found = over
    assert states(found) == ["terminal", "terminal", "blocked"]
    assert found[2].detail == "second (reference) failed, not passed"
    for standing, verdict in zip(found, ("passed", "failed"), strict=False):
        assert standing.grant is not None
        assert standing.grant.verdict == verdict
        assert standing.detail == f"gate {verdict}, {standing.grant.artifact}"
        assert standing.attempts == {"finished": 2}
    assert not chained.study("third").folder.root.exists()


def test_a_study_hands_its_terminal_digest_on(over: tuple[Chained, list[Standing]]) -> None:
    chained, found = over
    first, second = chained.study("first"), chained.study("second")
    handed = json.loads(authorization_path(second.folder).read_bytes())
    digest = file_sha256(terminal_path(first.folder))
    assert handed == {
        "schema_version": 2,
        "study": "second",
        "identity": second.identity,
        "grants": [
            {
                "predecessor": "first",
                "agent": "reference",
                "identity": first.identity,
                "artifact": f"sha256:{digest}",
                "verdict": "passed",
            }
        ],
    }
    assert found[1].grant is not None
    assert found[1].grant.artifact == terminal_digest(second.folder)
    assert not authorization_path(first.folder).exists()


def test_advancing_again_changes_nothing(copy: Chained, over: tuple[object, object]) -> None:
    before = contents(copy.tiny.results)
    plant = copy.plant()
    assert copy.advance(plant) == over[1]
    assert plant.runs == 0
    assert copy.survey() == over[1]
    assert contents(copy.tiny.results) == before


@pytest.mark.parametrize("verdict", ["failed", "any"])
def test_a_failed_gate_is_an_outcome_that_others_may_wait_for(tmp_path: Path, verdict: str) -> None:
    chained = Chained.build(tmp_path, third=verdict)
    assert states(chained.advance()) == ["terminal", "terminal", "terminal"]


def test_the_plant_s_failure_is_recovered_and_stays_on_record(
    over: tuple[Chained, list[Standing]], tmp_path: Path
) -> None:
    chained = Chained.build(tmp_path)
    found = chained.advance(chained.plant(EMPTY))
    assert states(found) == ["terminal", "terminal", "blocked"]
    assert found[0].attempts == {"finished": 2, "infrastructure": 1}
    assert found[0].identity == over[1][0].identity
    digests = [
        json.loads(terminal_path(item.study("first").folder).read_bytes())["digest"]
        for item in (chained, over[0])
    ]
    assert digests[0] == digests[1]


def test_a_plant_that_keeps_failing_stops_the_chain_which_can_go_on(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path)
    found: list[Standing] = []
    with pytest.raises(InfrastructureError):
        advance(chained.chain, chained.plant(EMPTY, EMPTY), found.append)
    assert states(found) == ["interrupted"]
    assert found[0].detail == "The server is unreachable."
    found = chained.survey()
    assert states(found) == ["running", "waiting", "waiting"]
    assert found[0].detail == "1 of 2 shards are finished"
    assert found[0].grant is None
    found = chained.advance()
    assert states(found) == ["terminal", "terminal", "blocked"]
    assert found[0].attempts == {"finished": 2, "infrastructure": 2}


def test_an_outcome_of_an_incomplete_grid_is_not_read(copy: Chained) -> None:
    """The terminal record is still there, but a shard is not."""
    study = copy.study("first")
    study.folder.manifest(Shard(1, 2)).unlink()
    assert terminal_path(study.folder).exists()
    for name in ("second", "third"):
        shutil.rmtree(copy.study(name).folder.root, ignore_errors=True)
    found = copy.survey()
    assert states(found) == ["running", "waiting", "waiting"]
    assert found[0].grant is None
    assert states(copy.advance()) == ["terminal", "terminal", "blocked"]


@pytest.mark.parametrize(
    ("old", "new"), [('"passed":false', '"passed":true'), ('"study":"second"', '"study":"other"')]
)
def test_a_terminal_record_that_does_not_verify_is_refused(
    copy: Chained, old: str, new: str
) -> None:
    path = terminal_path(copy.study("second").folder)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    for follow in (copy.survey, copy.advance):
        with pytest.raises(IntegrityError, match="is not what the results give"):
            follow()
    assert not copy.study("third").folder.root.exists()


def test_another_predecessor_than_a_study_began_with_is_refused(copy: Chained) -> None:
    """Run again, the first study takes other times, so that its record is another one."""
    shutil.rmtree(copy.study("first").folder.root)
    with pytest.raises(IntegrityError, match="was begun, but not with the terminal records"):
        copy.advance()
    with pytest.raises(IntegrityError, match="is not the record that authorized study 'second'"):
        hold(copy.study("second"))


def test_what_was_handed_on_cannot_be_lost_after_the_start(copy: Chained) -> None:
    authorization_path(copy.study("second").folder).unlink()
    with pytest.raises(IntegrityError, match="is missing"):
        copy.advance()


def test_a_study_that_is_not_frozen_waits(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path, frozen=False)
    found = chained.advance()
    assert states(found) == ["waiting", "waiting", "waiting"]
    assert "'first' with agent 'reference' is not frozen" in found[0].detail
    assert not chained.tiny.results.exists()


def test_a_study_that_is_not_what_was_frozen_is_refused(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path)
    path = chained.tiny.tasks / "first" / "en.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("gloss: ", "gloss: X. ", 1))
    with pytest.raises(IntegrityError, match="- tasks "):
        chained.advance()


def test_shards_in_other_hands_are_waited_for(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path)
    study = chained.study("first")
    run_shard(study, Shard(1, 2))
    lock = study.folder.lock(Shard(0, 2))
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = chained.advance()
    assert states(found) == ["running", "waiting", "waiting"]
    assert found[0].detail == "1 of 2 shards are finished"


def test_a_study_before_the_one_it_waits_for_is_refused(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path)
    links = (Link(study="second", agent="reference"), Link(study="first", agent="reference"))
    with pytest.raises(ConfigError, match="which does not stand before it"):
        advance(Chain(links=links), chained.plant(), list[Standing]().append)


def test_a_digest_that_was_named_is_the_one_that_counts(tmp_path: Path) -> None:
    chained = Chained.build(tmp_path, frozen=False)
    path = chained.tiny.configs / "study" / "second.yaml"
    other = "verdict: passed, artifact: 'sha256:" + "0" * 64 + "'"
    path.write_text(path.read_text().replace("verdict: passed", other))
    for link in chained.chain.links:
        freeze(chained.plant().study(link), Committed())
    found = chained.advance()
    assert states(found) == ["terminal", "blocked", "waiting"]
    assert "ended with another record than sha256:000" in found[1].detail
