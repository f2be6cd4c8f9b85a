"""Session state beside the published package's: same text, digests, answers and orderings.

Runs where schemarouter 0.17 is installed.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import router

published = pytest.importorskip("schemarouter", "0.17", reason="the extra compat is not installed")

tools = st.sampled_from(["a", "a.b", " a", "crm", "検索", "\U0001f600"])
endpoints = st.sampled_from(["b", "bc", "c ", "ü", "\uffff"])
fingerprints = st.none() | st.sampled_from(["f1", " f2", "f10", "x@y"])
kinds = st.sampled_from(["record"] * 4 + ["forget", "reload", "compact", "reset"])
events = st.lists(st.tuples(kinds, tools, endpoints, fingerprints), max_size=20)


@given(events)
def test_sessions_stay_alike(log: list[tuple[str, str, str, str | None]]) -> None:
    pair: Any = (published, router)
    histories = [package.SuccessfulCapabilityHistory() for package in pair]
    exposures = [package.SessionSchemaExposure() for package in pair]
    for kind, tool, endpoint, fingerprint in log:
        route = {"tool": tool, "endpoint": endpoint}
        under = {**route, "endpoint_fingerprint": fingerprint}
        if kind == "record":
            for history, exposure in zip(histories, exposures, strict=True):
                history.record_success(**under)
                exposure.mark_exposed(**under)
        elif kind == "forget":
            for state in (*histories, *exposures):
                state.forget(**route)
        elif kind == "reload":  # each from what the other wrote
            histories = [
                type(own).loads(other.dumps())
                for own, other in zip(histories, reversed(histories), strict=True)
            ]
            exposures = [
                type(own).loads(other.dumps())
                for own, other in zip(exposures, reversed(exposures), strict=True)
            ]
        else:
            for exposure in exposures:
                exposure.compacted() if kind == "compact" else exposure.reset()
        for theirs, ours in (histories, exposures):
            assert ours.dumps() == theirs.dumps()
            assert ours.digest() == theirs.digest()
            assert ours.snapshot() == theirs.snapshot()
        theirs, ours = (history.count(**under) for history in histories)
        assert ours == theirs
        theirs, ours = (exposure.decision(**under) for exposure in exposures)
        assert (ours.route_id, ours.inject, ours.reason) == (
            theirs.route_id,
            theirs.inject,
            theirs.reason,
        )


marks = st.sampled_from(["", "@f1", "@f2", "@f10", "@x@y"])
keys = st.builds(lambda tool, endpoint, mark: f"{tool}.{endpoint}{mark}", tools, endpoints, marks)


@given(st.dictionaries(keys, st.integers(0, 9)), st.lists(keys), st.booleans())
def test_older_checkpoints_compact_alike(
    counts: dict[str, int], routes: list[str], versioned: bool
) -> None:
    version = {"schema_version": 1} if versioned else {}
    payload = json.dumps({"counts": counts, **version} if versioned else counts)
    assert (
        router.SuccessfulCapabilityHistory.loads(payload).dumps()
        == published.SuccessfulCapabilityHistory.loads(payload).dumps()
    )
    payload = json.dumps({"compaction_epoch": 2, "exposed_routes": routes, **version})
    assert (
        router.SessionSchemaExposure.loads(payload).dumps()
        == published.SessionSchemaExposure.loads(payload).dumps()
    )


names = st.sampled_from("uvwxyz")


@given(
    st.lists(st.tuples(names, st.integers(0, 8)), unique_by=lambda row: row[0]),
    st.lists(st.tuples(names, st.sampled_from([None, "now", "before"]))),
    st.sampled_from([0, 0.5, 1, 2.0, 7]),
)
def test_retrievals_are_ordered_and_filtered_alike(
    rows: list[tuple[str, int]], log: list[tuple[str, str | None]], weight: float
) -> None:
    retrieval = published.CapabilityRetrieval(
        query="q",
        registry_version=1,
        requested_k=5,
        total_ranked=9,
        candidates=[
            published.CapabilityCandidate(
                rank=rank,
                route_id=f"a.{name}",
                tool="a",
                endpoint=name,
                score=score,
                tool_fingerprint="t",
                endpoint_fingerprint="now",
            )
            for rank, (name, score) in enumerate(rows, start=1)
        ],
    )
    ranked, left = [], []
    for package in (published, router):
        history = package.SuccessfulCapabilityHistory()
        exposure = package.SessionSchemaExposure()
        for name, fingerprint in log:
            history.record_success("a", name, endpoint_fingerprint=fingerprint)
            exposure.mark_exposed("a", name, endpoint_fingerprint=fingerprint)
        ranked.append(package.apply_success_prior(retrieval, history, weight=weight))
        left.append(package.filter_unexposed_schemas(retrieval, exposure))
    assert ranked[0] == ranked[1]
    assert left[0] == left[1]
