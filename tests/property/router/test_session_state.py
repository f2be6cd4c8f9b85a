"""Session state against a model that keeps every record and derives the rest from the list."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from router.history import SuccessfulCapabilityHistory
from router.session_exposure import SessionSchemaExposure

Record = tuple[str, str, str | None]

tools = st.sampled_from(["a", "a.b", "crm", "検索"])
endpoints = st.sampled_from(["b", "bc", "c", "ü"])
fingerprints = st.none() | st.sampled_from(["f1", "f2", "f10", "x@y"])
events = st.lists(st.tuples(st.sampled_from(["record", "forget"]), tools, endpoints, fingerprints))


def survivors(history: list[tuple[str, str, str, str | None]]) -> set[str]:
    """Keys after some events: each route's bare form and its last fingerprint since a forget."""
    keys: dict[str, dict[bool, str]] = {}
    for kind, tool, endpoint, fingerprint in history:
        route = f"{tool}.{endpoint}"
        if kind == "forget":
            keys.pop(route, None)
        else:
            suffix = "" if fingerprint is None else f"@{fingerprint}"
            keys.setdefault(route, {})[fingerprint is None] = route + suffix
    return {key for forms in keys.values() for key in forms.values()}


def replay(log: list[tuple[str, str, str, str | None]]) -> SuccessfulCapabilityHistory:
    history = SuccessfulCapabilityHistory()
    for kind, tool, endpoint, fingerprint in log:
        if kind == "forget":
            history.forget(tool, endpoint)
        else:
            history.record_success(tool, endpoint, endpoint_fingerprint=fingerprint)
    return history


@given(events)
def test_a_history_is_what_survives_of_its_events(
    log: list[tuple[str, str, str, str | None]],
) -> None:
    history = replay(log)
    expected = survivors(log)
    assert history.snapshot() == dict.fromkeys(sorted(expected), 1)
    restored = SuccessfulCapabilityHistory.loads(history.dumps())
    assert restored == history
    assert restored.dumps() == history.dumps()
    assert restored.digest() == history.digest()
    for _, tool, endpoint, fingerprint in log:
        route = f"{tool}.{endpoint}"
        key = route if fingerprint is None else f"{route}@{fingerprint}"
        count = history.count(tool, endpoint, endpoint_fingerprint=fingerprint)
        assert count == int(bool({route, key} & expected))


@given(events, st.integers(0, 3))
def test_an_exposure_is_what_survives_of_its_events(
    log: list[tuple[str, str, str, str | None]], compactions: int
) -> None:
    exposure = SessionSchemaExposure()
    for _ in range(compactions):
        exposure.mark_exposed("gone", "after")
        exposure.compacted()
    for kind, tool, endpoint, fingerprint in log:
        if kind == "forget":
            exposure.forget(tool, endpoint)
        else:
            exposure.mark_exposed(tool, endpoint, endpoint_fingerprint=fingerprint)
    assert exposure.snapshot() == {
        "compaction_epoch": compactions,
        "exposed_routes": sorted(survivors(log)),
    }
    restored = SessionSchemaExposure.loads(exposure.dumps())
    assert restored == exposure
    assert restored.digest() == exposure.digest()


@given(st.data(), st.dictionaries(
    st.builds(
        lambda tool, endpoint, mark: f"{tool}.{endpoint}{mark}",
        tools, endpoints, st.sampled_from(["", "@f1", "@f2", "@f10"]),
    ),
    st.integers(0, 9),
))  # fmt: skip
def test_legacy_counts_compact_alike_in_any_order(
    data: st.DataObject, counts: dict[str, int]
) -> None:
    shuffled = dict(data.draw(st.permutations(list(counts.items()))))
    history = SuccessfulCapabilityHistory.loads(json.dumps(counts))
    assert SuccessfulCapabilityHistory.loads(json.dumps(shuffled)) == history
    assert SuccessfulCapabilityHistory.loads(history.dumps()) == history
    kept = set(history.snapshot())
    assert kept <= {key for key, count in counts.items() if count}
    routes = [key.partition("@")[0] for key in kept if "@" in key]
    assert len(routes) == len(set(routes))
    # Nothing that succeeded is lost altogether.
    assert {key.partition("@")[0] for key in kept} == {
        key.partition("@")[0] for key, count in counts.items() if count
    }
