from __future__ import annotations

import hashlib

import pytest
from pydantic import BaseModel, ConfigDict

from router import route_memory
from router.history import SuccessfulCapabilityHistory, apply_success_prior

# Written by schemarouter 0.17.0 (its digest below): two fingerprints of one route recorded in this
# order, a route with and without a fingerprint, names beyond ASCII and beyond the BMP, a quote.
GOLDEN = (
    r'{"counts":{"B\u00fccher.\u691c\u7d22":1,"a.\uffff":1,"a.\ud83d\ude00@'
    + "d4" * 32
    + r'":1,"crm.eu.find \"contact\"":1,"freight.find_shipments@'
    + "0a" * 32
    + r'":1,"freight.release_hold":1,"freight.release_hold@'
    + "c3" * 32
    + r'":1},"schema_version":1}'
)
GOLDEN_DIGEST = "00bb3847d3ad544a28eeddc8f286d127851c89543caf58900bc931bc09676202"


def test_a_success_counts_once_however_often_it_is_recorded() -> None:
    history = SuccessfulCapabilityHistory()
    for _ in range(3):
        history.record_success("freight", "find_shipments")
    assert history.count("freight", "find_shipments") == 1
    assert history.count("freight", "release_hold") == 0
    assert history.snapshot() == {"freight.find_shipments": 1}


def test_only_the_latest_fingerprint_counts() -> None:
    history = SuccessfulCapabilityHistory()
    history.record_success("a", "b", endpoint_fingerprint="new-then-old")
    history.record_success("a", "b", endpoint_fingerprint="latest")
    assert history.count("a", "b", endpoint_fingerprint="latest") == 1
    assert history.count("a", "b", endpoint_fingerprint="new-then-old") == 0
    assert history.count("a", "b") == 0
    assert history.snapshot() == {"a.b@latest": 1}


def test_a_route_recorded_without_a_fingerprint_counts_under_every_contract() -> None:
    history = SuccessfulCapabilityHistory()
    history.record_success("a", "b")
    assert history.count("a", "b", endpoint_fingerprint="any") == 1
    history.record_success("a", "b", endpoint_fingerprint="f")
    assert history.snapshot() == {"a.b": 1, "a.b@f": 1}


def test_forgetting_drops_a_route_in_every_form_and_no_other() -> None:
    history = SuccessfulCapabilityHistory()
    for endpoint in ("b", "bc"):
        history.record_success("a", endpoint)
        history.record_success("a", endpoint, endpoint_fingerprint="f")
    history.forget("a", "b")
    history.forget("never", "recorded")
    assert history.snapshot() == {"a.bc": 1, "a.bc@f": 1}
    history.reset()
    assert history.snapshot() == {}


def test_white_space_around_names_does_not_count() -> None:
    history = SuccessfulCapabilityHistory()
    history.record_success(" a", "b\n", endpoint_fingerprint=" f ")
    assert history.count("a ", " b", endpoint_fingerprint="f") == 1


@pytest.mark.parametrize(("tool", "endpoint", "fingerprint"), [
    ("", "b", None), ("a", " ", None), ("a", "b", ""), ("a", "b", "\t"),
])  # fmt: skip
def test_blank_names_are_refused_everywhere(
    tool: str, endpoint: str, fingerprint: str | None
) -> None:
    history = SuccessfulCapabilityHistory()
    with pytest.raises(ValueError, match="is blank"):
        history.record_success(tool, endpoint, endpoint_fingerprint=fingerprint)
    with pytest.raises(ValueError, match="is blank"):
        history.count(tool, endpoint, endpoint_fingerprint=fingerprint)
    if fingerprint is None:
        with pytest.raises(ValueError, match="is blank"):
            history.forget(tool, endpoint)


@pytest.mark.parametrize(("tool", "endpoint", "fingerprint"), [
    ("a", "b@c", None), ("a@b", "c", "f"), ("a", "b" * 511, None), ("a", "b", "f" * 509),
    ("a", "\ud800", None), ("a", "b", "\udfff"),
])  # fmt: skip
def test_what_a_checkpoint_could_not_give_back_is_not_recorded(
    tool: str, endpoint: str, fingerprint: str | None
) -> None:
    history = SuccessfulCapabilityHistory()
    with pytest.raises(ValueError, match="cannot be kept"):
        history.record_success(tool, endpoint, endpoint_fingerprint=fingerprint)
    assert history.count(tool, endpoint, endpoint_fingerprint=fingerprint) == 0
    assert history.snapshot() == {}


def test_the_longest_key_is_kept() -> None:
    history = SuccessfulCapabilityHistory()
    history.record_success("a", "b", endpoint_fingerprint="f" * 508)
    assert SuccessfulCapabilityHistory.loads(history.dumps()) == history


def test_the_routes_recorded_longest_ago_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_memory, "MAX_MEMBERS", 3)
    history = SuccessfulCapabilityHistory()
    for endpoint in ("first", "second", "third"):
        history.record_success("a", endpoint)
    history.record_success("a", "first")
    history.record_success("a", "fourth")
    assert list(history.snapshot()) == ["a.first", "a.fourth", "a.third"]
    # A route with both forms takes two of the three.
    history.record_success("a", "fourth", endpoint_fingerprint="f")
    assert list(history.snapshot()) == ["a.first", "a.fourth", "a.fourth@f"]


def test_a_history_never_outgrows_its_checkpoint() -> None:
    history = SuccessfulCapabilityHistory()
    # A character beyond the BMP takes twelve in a checkpoint: about 700 of these keys fit.
    for number in range(800):
        history.record_success("a", f"{number:03}" + "\U0001f600" * 500)
    kept = list(history.snapshot())
    assert 600 < len(kept) < 800
    assert kept[-1].startswith("a.799")
    assert SuccessfulCapabilityHistory.loads(history.dumps()) == history


def test_a_checkpoint_of_the_published_package_loads_and_is_written_alike() -> None:
    history = SuccessfulCapabilityHistory.loads(GOLDEN)
    assert history.count("freight", "find_shipments", endpoint_fingerprint="0a" * 32) == 1
    assert history.count("freight", "find_shipments", endpoint_fingerprint="9f" * 32) == 0
    assert history.count("Bücher", "検索") == 1
    assert history.count("a", "\U0001f600", endpoint_fingerprint="d4" * 32) == 1
    assert history.count("crm.eu", 'find "contact"') == 1
    assert history.dumps() == GOLDEN
    assert history.digest() == GOLDEN_DIGEST


def test_the_digest_is_taken_over_the_snapshot() -> None:
    history = SuccessfulCapabilityHistory()
    history.record_success("a", "b")
    assert history.digest() == hashlib.sha256(b'{"a.b":1}').hexdigest()


@pytest.mark.parametrize("payload", [
    '{"a.b@f2":3,"a.b@f10":9,"a.b":4,"c.d@e":1,"c.d":0}',
    '{"c.d":0,"c.d@e":1,"a.b":4,"a.b@f10":9,"a.b@f2":3}',
    '{"counts":{"a.b@f10":1,"a.b@f2":2147483647,"a.b":1,"c.d@e":1},"schema_version":1}',
])  # fmt: skip
def test_older_forms_are_compacted_alike_in_any_order(payload: str) -> None:
    history = SuccessfulCapabilityHistory.loads(payload)
    # "f2" follows "f10" by code point; the published package keeps the same.
    assert history.snapshot() == {"a.b": 1, "a.b@f2": 1, "c.d@e": 1}
    assert history.digest() == hashlib.sha256(b'{"a.b":1,"a.b@f2":1,"c.d@e":1}').hexdigest()


def test_a_stale_fingerprint_is_a_miss_after_compaction() -> None:
    history = SuccessfulCapabilityHistory.loads('{"a.b@f2":1,"a.b@f1":1}')
    assert history.count("a", "b", endpoint_fingerprint="f1") == 0
    history.record_success("a", "b", endpoint_fingerprint="f1")
    assert history.snapshot() == {"a.b@f1": 1}


def test_a_zero_hides_no_other_fingerprint() -> None:
    history = SuccessfulCapabilityHistory.loads('{"a.b@f2":0,"a.b@f1":1}')
    assert history.snapshot() == {"a.b@f1": 1}


class Candidate(BaseModel):
    model_config = ConfigDict(frozen=True)
    rank: int
    endpoint: str
    score: float
    tool: str = "a"
    endpoint_fingerprint: str = "now"


class Retrieval(BaseModel):
    model_config = ConfigDict(frozen=True)
    candidates: tuple[Candidate, ...]
    total_ranked: int = 9


def retrieval(*rows: tuple[int, str, float]) -> Retrieval:
    return Retrieval(
        candidates=tuple(Candidate(rank=rank, endpoint=name, score=score)
                         for rank, name, score in rows)
    )  # fmt: skip


def successes(*endpoints: str, fingerprint: str | None = "now") -> SuccessfulCapabilityHistory:
    history = SuccessfulCapabilityHistory()
    for endpoint in endpoints:
        history.record_success("a", endpoint, endpoint_fingerprint=fingerprint)
    return history


FOUND = retrieval((1, "x", 5.0), (2, "y", 5.0), (4, "z", 4.5), (7, "w", 0.0))


@pytest.mark.parametrize("weight", [0, 0.0, -0.0])
def test_a_prior_of_no_weight_changes_nothing(weight: float) -> None:
    assert apply_success_prior(FOUND, successes("z"), weight=weight) is FOUND
    assert apply_success_prior(FOUND, successes("z")) is FOUND


@pytest.mark.parametrize(("weight", "order"), [
    (0.25, "xyzw"), (0.5, "xyzw"),  # 4.5 + 0.5 ties with 5: the better rank stays ahead
    (0.75, "zxyw"), (4.75, "zxyw"), (5.0, "zxyw"), (5.25, "zwxy"),
])  # fmt: skip
def test_the_prior_adds_its_weight_once(weight: float, order: str) -> None:
    ranked = apply_success_prior(FOUND, successes("z", "w"), weight=weight)
    assert [item.endpoint for item in ranked.candidates] == list(order)
    assert [item.rank for item in ranked.candidates] == [1, 2, 3, 4]
    by_name = {item.endpoint: item.score for item in ranked.candidates}
    assert by_name == {"x": 5.0, "y": 5.0, "z": 4.5, "w": 0.0}
    assert ranked.total_ranked == 9


def test_a_success_under_an_older_contract_is_no_prior() -> None:
    ranked = apply_success_prior(FOUND, successes("z", fingerprint="before"), weight=100)
    assert [item.endpoint for item in ranked.candidates] == ["x", "y", "z", "w"]
    ranked = apply_success_prior(FOUND, successes("z", fingerprint=None), weight=100)
    assert [item.endpoint for item in ranked.candidates] == ["z", "x", "y", "w"]


@pytest.mark.parametrize("weight", [-1, -1e-9, float("nan"), float("inf")])
def test_a_weight_that_does_not_rank_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="does not rank"):
        apply_success_prior(FOUND, successes("z"), weight=weight)
