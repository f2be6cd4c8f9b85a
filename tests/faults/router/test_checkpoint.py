"""Checkpoints that are damaged or forged are refused with one error, and quickly."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.checkpoint import CheckpointError
from router.history import SuccessfulCapabilityHistory
from router.session_exposure import SessionSchemaExposure


def history(counts: str) -> str:
    return f'{{"counts":{counts},"schema_version":1}}'


def exposure(routes: str, epoch: str = "0") -> str:
    return f'{{"compaction_epoch":{epoch},"exposed_routes":{routes},"schema_version":1}}'


ANY = {
    "empty": "",
    "cut off": '{"counts":{"a.b":1',
    "not JSON": "counts",
    "byte order mark": "\ufeff{}",
    "array": "[]",
    "null": "null",
    "number": "1",
    "NaN": "NaN",
    "trailing": "{} {}",
    "unclosed string": '"' + '\\"' * 1_000_000,
    "long": " " * (4 * 1024 * 1024 + 1),
    "deep arrays": "[" * 1_000_000,
    "deep objects": '{"a":' * 200_000,
    "closed first": "]" * 100_000 + "[" * 100_000,
    "many arrays": "[" + "[]," * 300_000 + "[]]",
    "many members": "{" + ",".join(f'"a.b{i}":1' for i in range(10_100)) + "}",
}
HISTORIES = {
    "no version's envelope": '{"counts":{"a.b":1}}',
    "other version": '{"counts":{},"schema_version":2}',
    "version as text": '{"counts":{},"schema_version":"1"}',
    "version as truth": '{"counts":{},"schema_version":true}',
    "version as fraction": '{"counts":{},"schema_version":1.0}',
    "no counts": '{"schema_version":1}',
    "extra member": '{"counts":{},"extra":0,"schema_version":1}',
    "counts as list": history("[]"),
    "count as truth": history('{"a.b":true}'),
    "count as text": history('{"a.b":"1"}'),
    "count as fraction": history('{"a.b":1.0}'),
    "count as exponent": history('{"a.b":1e3}'),
    "count as null": history('{"a.b":null}'),
    "count as object": history('{"a.b":{}}'),
    "negative": history('{"a.b":-1}'),
    "too many": history('{"a.b":2147483648}'),
    "huge": history('{"a.b":' + "9" * 100_000 + "}"),
    "not a number": history('{"a.b":NaN}'),
    "infinite": history('{"a.b":-Infinity}'),
    "twice": history('{"a.b":1,"a.b":1}'),
    "twice outside": '{"counts":{},"counts":{},"schema_version":1}',
    "no route": history('{"ab":1}'),
    "no tool": history('{".b":1}'),
    "no endpoint": history('{"a.":1}'),
    "blank tool": history('{" .b":1}'),
    "no route, not counted": history('{"ab":0}'),
    "mark in tool": history('{"a@1.b":1}'),
    "no fingerprint": history('{"a.b@":1}'),
    "blank fingerprint": history('{"a.b@ ":1}'),
    "lone surrogate": history('{"a.\\ud800":1}'),
    "raw surrogate": history('{"a.\ud800":1}'),
    "long key": history('{"a.' + "b" * 511 + '":1}'),
}
EXPOSURES = {
    "history": history('{"a.b":1}'),
    "empty object": "{}",
    "no epoch": '{"exposed_routes":[],"schema_version":1}',
    "no routes": '{"compaction_epoch":0,"schema_version":1}',
    "other version": '{"compaction_epoch":0,"exposed_routes":[],"schema_version":0}',
    "extra member": '{"compaction_epoch":0,"exposed_routes":[],"extra":1}',
    "routes as object": exposure("{}"),
    "route as number": exposure("[1]"),
    "route as list": exposure('[["a","b"]]'),
    "no route": exposure('["ab"]'),
    "lone surrogate": exposure('["a.\\udc00"]'),
    "epoch as truth": exposure("[]", "true"),
    "epoch as fraction": exposure("[]", "1.5"),
    "negative epoch": exposure("[]", "-1"),
    "epoch beyond": exposure("[]", "2147483648"),
    "huge epoch": exposure("[]", "9" * 5000),
}


@pytest.mark.parametrize("payload", [*ANY.values(), *HISTORIES.values()], ids=[*ANY, *HISTORIES])
def test_hostile_histories_are_refused(payload: str) -> None:
    with pytest.raises(CheckpointError) as caught:
        SuccessfulCapabilityHistory.loads(payload)
    assert len(str(caught.value)) < 400
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("payload", [*ANY.values(), *EXPOSURES.values()], ids=[*ANY, *EXPOSURES])
def test_hostile_exposures_are_refused(payload: str) -> None:
    with pytest.raises(CheckpointError) as caught:
        SessionSchemaExposure.loads(payload)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("payload", [b"{}", 3, None, {"a.b": 1}])
def test_what_is_no_text_is_refused(payload: object) -> None:
    with pytest.raises(CheckpointError, match="not text"):
        SuccessfulCapabilityHistory.loads(payload)  # type: ignore[arg-type]
    with pytest.raises(CheckpointError, match="not text"):
        SessionSchemaExposure.loads(payload)  # type: ignore[arg-type]


def test_the_largest_checkpoint_loads() -> None:
    counts = {f"a.b{number}": 1 for number in range(10_000)}
    assert SuccessfulCapabilityHistory.loads(history(json.dumps(counts))).snapshot() == dict(
        sorted(counts.items())
    )


def test_a_refusal_builds_nothing_large() -> None:
    payload = "[" + "[]," * 1_000_000 + "[]]"
    tracemalloc.start()
    try:
        with pytest.raises(CheckpointError):
            SuccessfulCapabilityHistory.loads(payload)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


VALID = (
    history('{"a.b":1,"a.b@f":1,"検索.ü@x":1}'),
    exposure('["a.b","a.b@f","検索.ü@x"]', "3"),
)


@given(st.sampled_from(VALID), st.data())
def test_damage_is_refused_or_loads_to_something_that_can_be_written(
    payload: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(payload)))
    end = data.draw(st.integers(start, len(payload)))
    noise = data.draw(st.text(st.sampled_from('{}[],:"\\@.-19eNaé \ud800'), max_size=6))
    damaged = payload[:start] + noise + payload[end:]
    for kind in (SuccessfulCapabilityHistory, SessionSchemaExposure):
        try:
            state = kind.loads(damaged)
        except CheckpointError:
            continue
        assert kind.loads(state.dumps()) == state
        assert state.dumps().isascii()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.one_of(
    json_values,
    st.fixed_dictionaries({"counts": json_values, "schema_version": json_values}),
    st.fixed_dictionaries({"compaction_epoch": json_values, "exposed_routes": json_values}),
))  # fmt: skip
def test_any_json_is_refused_or_loads(value: object) -> None:
    payload = json.dumps(value)
    for kind in (SuccessfulCapabilityHistory, SessionSchemaExposure):
        try:
            state = kind.loads(payload)
        except CheckpointError:
            continue
        assert kind.loads(state.dumps()) == state
