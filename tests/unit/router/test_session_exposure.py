from __future__ import annotations

import hashlib

import pytest
from pydantic import BaseModel

from router.session_exposure import (
    SchemaExposureDecision,
    SessionSchemaExposure,
    filter_unexposed_schemas,
)

# Written by schemarouter 0.17.0 after two compactions; the routes are those of the history's.
GOLDEN = (
    r'{"compaction_epoch":2,"exposed_routes":["B\u00fccher.\u691c\u7d22","a.\uffff",'
    r'"a.\ud83d\ude00@'
    + "d4" * 32
    + r'","crm.eu.find \"contact\"","freight.find_shipments@'
    + "0a" * 32
    + r'","freight.release_hold","freight.release_hold@'
    + "c3" * 32
    + r'"],"schema_version":1}'
)
GOLDEN_DIGEST = "093de7c772daf4ecf9cced31b15bbb9b22561db2c91866407d297c98df400e27"


def test_a_schema_is_injected_until_it_was_exposed() -> None:
    exposure = SessionSchemaExposure()
    assert exposure.decision("a", "b") == SchemaExposureDecision("a.b", True, "not_exposed")
    exposure.mark_exposed("a", "b")
    assert exposure.decision("a", "b") == SchemaExposureDecision("a.b", False, "already_exposed")
    assert exposure.decision(" a", "b ", endpoint_fingerprint="f").inject is False


def test_a_changed_contract_is_injected_again() -> None:
    exposure = SessionSchemaExposure()
    exposure.mark_exposed("a", "b", endpoint_fingerprint="f1")
    assert exposure.decision("a", "b", endpoint_fingerprint="f2").inject
    exposure.mark_exposed("a", "b", endpoint_fingerprint="f2")
    assert exposure.decision("a", "b", endpoint_fingerprint="f1").inject
    assert not exposure.decision("a", "b", endpoint_fingerprint="f2").inject
    assert exposure.snapshot()["exposed_routes"] == ["a.b@f2"]


def test_compaction_empties_the_context_and_counts() -> None:
    exposure = SessionSchemaExposure()
    exposure.mark_many_exposed([("a", "b"), ("c", "d")])
    exposure.compacted()
    exposure.compacted()
    assert exposure.compaction_epoch == 2
    assert exposure.decision("a", "b").inject
    exposure.mark_exposed("a", "b")
    exposure.reset()
    assert exposure.snapshot() == {"compaction_epoch": 0, "exposed_routes": []}


def test_forgetting_drops_a_route_in_every_form() -> None:
    exposure = SessionSchemaExposure()
    exposure.mark_exposed("a", "b")
    exposure.mark_exposed("a", "b", endpoint_fingerprint="f")
    exposure.mark_exposed("a", "bc")
    exposure.forget("a", "b")
    assert exposure.snapshot()["exposed_routes"] == ["a.bc"]


def test_the_epoch_has_an_end() -> None:
    exposure = SessionSchemaExposure(compaction_epoch=2**31 - 1)
    exposure.mark_exposed("a", "b")
    assert SessionSchemaExposure.loads(exposure.dumps()) == exposure
    with pytest.raises(ValueError, match="Reset it"):
        exposure.compacted()
    assert not exposure.decision("a", "b").inject
    for epoch in (-1, 2**31):
        with pytest.raises(ValueError, match="compaction epoch"):
            SessionSchemaExposure(compaction_epoch=epoch)


def test_a_checkpoint_of_the_published_package_loads_and_is_written_alike() -> None:
    exposure = SessionSchemaExposure.loads(GOLDEN)
    assert exposure.compaction_epoch == 2
    find = ("freight", "find_shipments")
    assert not exposure.decision(*find, endpoint_fingerprint="0a" * 32).inject
    assert exposure.decision(*find, endpoint_fingerprint="9f" * 32).inject
    assert not exposure.decision("Bücher", "検索").inject
    assert exposure.dumps() == GOLDEN
    assert exposure.digest() == GOLDEN_DIGEST


def test_the_digest_is_taken_over_the_snapshot() -> None:
    document = b'{"compaction_epoch":0,"exposed_routes":[]}'
    assert SessionSchemaExposure().digest() == hashlib.sha256(document).hexdigest()


@pytest.mark.parametrize("routes", [
    '"a.b@f2","a.b@f10","a.b","c.d","c.d"', '"c.d","a.b","a.b@f10","a.b@f2","a.b@f10"',
])  # fmt: skip
@pytest.mark.parametrize("version", ["", ',"schema_version":1'])
def test_older_forms_are_compacted_alike_in_any_order(routes: str, version: str) -> None:
    payload = f'{{"compaction_epoch":3,"exposed_routes":[{routes}]{version}}}'
    exposure = SessionSchemaExposure.loads(payload)
    # As schemarouter 0.17.0 writes it after loading the same.
    assert exposure.dumps() == (
        '{"compaction_epoch":3,"exposed_routes":["a.b","a.b@f2","c.d"],"schema_version":1}'
    )


class Candidate(BaseModel):
    rank: int
    endpoint: str
    score: float = 1.0
    tool: str = "a"
    endpoint_fingerprint: str = "now"


class Retrieval(BaseModel):
    candidates: list[Candidate]
    total_ranked: int = 9


def test_what_the_context_holds_is_left_out() -> None:
    found = Retrieval(
        candidates=[Candidate(rank=rank, endpoint=name) for rank, name in enumerate("xyzw", 1)]
    )
    exposure = SessionSchemaExposure()
    assert filter_unexposed_schemas(found, exposure) == found
    exposure.mark_exposed("a", "x", endpoint_fingerprint="before")
    exposure.mark_exposed("a", "y", endpoint_fingerprint="now")
    exposure.mark_exposed("a", "z")
    left = filter_unexposed_schemas(found, exposure)
    assert [(item.rank, item.endpoint) for item in left.candidates] == [(1, "x"), (2, "w")]
    assert isinstance(left.candidates, list)
    assert left.total_ranked == 9
    assert len(found.candidates) == 4
