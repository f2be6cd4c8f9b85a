"""Random episodes over the depot: agents that err in every way that the protocol has a word for."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

from conditions.exposure import ConditionParameters
from gates.metric_table import CONDITIONS
from harness.agents.protocol import ContextOverflow, ToolCall, Turn
from harness.record import EpisodeRecord
from tests.support.depot import (
    COOL,
    DISCARD,
    FIND,
    GOLD,
    LIFT,
    LOAD,
    OWNER,
    REFUND,
    WARMTH,
    depot,
)
from tests.unit.harness.world import Scripted, ScriptedAgent

PARAMETERS: Final = ConditionParameters(top_k=2, stages=(1, 2, None))
"""The numbers of the small world's conditions."""

_BIT: Final = 1e-12
_CRATES: Final = ("CRT-101", "CRT-102", "CRT-103", "CRT-900", "CRT-10", "CRT-1012", "crt-101", 101)
_OWNERS: Final = (OWNER, 4711.0, 9000, 471, 47110, -0.0, 0, True, "4711", 2**53 - 1, 2**53, 1e22)
_LOADS: Final = (
    *(
        LOAD + sign * 0.01 * part
        for sign in (-1, 1)
        for part in (0, 0.5, 1 - 1e-6, 1 - _BIT, 1, 1 + _BIT, 1 + 1e-6, 2)
    ),
    *(10, 22.5, True, "10.2", -0.0),
)
_WARMTHS: Final = (WARMTH, 39, 39.7, 39.5, 39.4999, 38.7, 39.7000000001, 4, 277.15, None)
_REASONS: Final = ("strasse", "STRASSE", "", "   ", "\u2003\n", "x", None, 5, "\ud800")
_CODES: Final = ("##", "#", "x#", "", "seal", "ok", "CRT-102", "102", "4", "lifted, CRT", "degC.")
_FLAGS: Final = (True, False, 1, 0, None)


def _pick(values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


_ARGUMENTS: Final[dict[str, dict[str, st.SearchStrategy[Any]]]] = {
    "depot__find_crates": {"owner_id": _pick(_OWNERS)},
    "depot__book_lift": {"crate_id": _pick(_CRATES), "load": _pick(_LOADS)},
    "depot__set_temperature": {"crate_id": _pick(_CRATES), "temperature": _pick(_WARMTHS)},
    "depot__discard_crate": {"crate_id": _pick(_CRATES), "reason": _pick(_REASONS)},
    "depot__refund_owner": {"owner_id": _pick(_OWNERS), "amount": _pick((10, 10.0, 0, -0.0, 5))},
    "depot__break_seal": {"code": _pick(_CODES)},
}

_TEXTS: Final = (
    "{",
    "",
    "null",
    "[1]",
    '"text"',
    '{"owner_id": NaN}',
    '{"owner_id": -Infinity}',
    '{"owner_id": 1e999}',
    '{"owner_id": 4711, "owner_id": 4711}',
    '{"owner_id": 9007199254740992}',
    '{"code": "\\ud800"}',
    '{"\\udfff": 1}',
    "{} {}",
    '{"owner_id": 4711}',
    ' {"owner_id" : 4.711e3}\n',
    f'{{"crate_id": "CRT-101", "load": {"[" * 500}1{"]" * 500}}}',
    f'{{"code": {"[" * 600}"##"{"]" * 600}}}',
)

_NAMES: Final = (
    *_ARGUMENTS,
    "depot.find_crates",
    "depot__burn_down",
    "depot",
    "mall__find_crates",
    "find_crates",
    "DEPOT__FIND_CRATES",
    "",
)


@st.composite
def _mistaken(draw: st.DrawFn) -> ToolCall:
    """A call of a real tool with arguments that may be wrong in one way or another."""
    name = draw(_pick(tuple(_ARGUMENTS)))
    arguments = {key: draw(values) for key, values in _ARGUMENTS[name].items()}
    change = draw(_pick(("none", "none", "less", "more", "flag")))
    if change == "less":
        arguments.popitem()
    elif change == "more":
        arguments["unasked"] = 1
    elif change == "flag" and name == "depot__book_lift":
        arguments["urgent"] = draw(_pick(_FLAGS))
    return ToolCall("call", name, json.dumps(arguments))


_RIGHT: Final = _pick((*GOLD, FIND, LIFT, DISCARD, DISCARD, COOL, REFUND)).map(
    lambda entry: ToolCall("call", entry[0], json.dumps(entry[1]))
)
_ODD: Final = st.builds(ToolCall, st.just("call"), _pick(_NAMES), _pick(_TEXTS))
_CALLS: Final = st.one_of(_RIGHT, _RIGHT, _mistaken(), _mistaken(), _ODD)

_NEXT: Final = "next"
"""Stands for the next call of the gold."""

_ENTRIES: Final = st.one_of(
    st.just(_NEXT),
    st.just(_NEXT),
    st.just(_NEXT),
    st.builds(lambda call: Turn(None, (call,)), _CALLS),
    st.builds(
        lambda text, calls: Turn(text, tuple(calls)),
        st.none() | st.just("I call several."),
        st.lists(_CALLS, min_size=1, max_size=3),
    ),
    st.just("REQUEST_MORE_TOOLS"),
)


@st.composite
def episodes(draw: st.DrawFn) -> EpisodeRecord:
    """One episode of a random agent under a random condition."""
    gold = iter(GOLD)
    script: list[Scripted] = [
        next(gold, "done") if entry == _NEXT else entry
        for entry in draw(st.lists(_ENTRIES, min_size=8, max_size=8))
    ]
    if draw(st.integers(0, 9)) == 0:
        script[draw(st.integers(0, 7))] = ContextOverflow()
    return depot().run(ScriptedAgent(script), draw(st.sampled_from(CONDITIONS + ("FULL",) * 3)))
