"""`act` is a pure, total function of messages and tools, and sends valid arguments only."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.agents.protocol import TASK_INCOMPLETE, ToolSchema, Turn
from harness.agents.reference import ReferenceAgent
from router.canonical import CanonicalError
from surface.failure import ERROR_CLASSES

TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "Cancel booking BKG-12345 and send the invoice to jo@x.com.",
            "SHP-100001 배송을 조회해서 온도를 화씨 40도로 설정하고 알림을 보내줘",
            "Busca el envío SHP-100001, pesa 1.250,5 kg, antes del 5 de marzo de 2026",
            "出荷SHP-100001を確認して、一番重いものを-18℃に設定してください",
            'Bitte „Rechnung 7“ bis 05.03.2026 um 14:30 Uhr senden, "dringend"',
            "shipment_id weight (unit: kg)",
        ]
    ),
)
NAMES = st.one_of(
    st.sampled_from(["shipment_id", "weight", "note", "from_date", "items", "amount", "stage"]),
    st.text(min_size=1, max_size=8),
)
NUMBERS = st.one_of(
    st.integers(-(2**53) + 1, 2**53 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)
SCALAR_SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "number", "integer", "boolean", "object", "null"])
        | st.just(["string", "null"])
        | TEXTS,
        "description": st.sampled_from(["Weight (unit: lb)", "Reason", "(unit: ((x"]) | JSON,
        "pattern": st.sampled_from(["^SHP-[0-9]{6}$", "^[a-z]{2}$", "(", "^.*$", "x$|^y"]) | JSON,
        "enum": st.lists(JSON, max_size=3) | JSON,
        "const": JSON,
        "default": JSON,
        "format": st.sampled_from(["date", "date-time", "email", "time", "uri"]) | JSON,
        "minimum": NUMBERS | JSON,
        "maxLength": st.integers(-1, 40) | JSON,
        "minLength": st.integers(-1, 40) | JSON,
        "multipleOf": NUMBERS,
    },
)
SCHEMAS = st.one_of(
    SCALAR_SCHEMAS,
    st.fixed_dictionaries({"type": st.just("array"), "items": SCALAR_SCHEMAS | JSON}),
)
OBJECT_SCHEMAS = st.one_of(
    st.dictionaries(NAMES, SCHEMAS, max_size=4).flatmap(
        lambda properties: st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.just(properties),
                "required": st.lists(st.sampled_from(sorted(properties)), unique=True)
                if properties
                else st.just([]),
                "additionalProperties": st.just(False),
            }
        )
    ),
    st.dictionaries(st.sampled_from(["type", "properties", "required", "$ref", "allOf"]), JSON),
)


def _schema(name: str, description: str, parameters: dict[str, Any]) -> ToolSchema | None:
    try:
        return ToolSchema(name, description, parameters)
    except CanonicalError:
        return None  # no tool: it could not be hashed, and so never be exposed


TOOLS = st.lists(
    st.builds(
        _schema,
        st.sampled_from(["freight__find_shipments", "billing__void_invoice", "a__b", "tool"])
        | st.text(max_size=12),
        st.sampled_from(["Destructive: Void an invoice.", "List the shipments."]) | TEXTS,
        OBJECT_SCHEMAS,
    ),
    max_size=5,
).map(lambda tools: list({tool.name: tool for tool in tools if tool is not None}.values()))

ANSWERS = st.one_of(
    TEXTS,
    JSON.map(json.dumps),
    st.builds(
        lambda status, observation, error, units: json.dumps(
            {"status": status, "observation": observation, "error": error, "units": units}
        ),
        st.sampled_from(["ok", "executed", "error", "blocked"]),
        JSON,
        st.sampled_from(sorted(ERROR_CLASSES)).map(lambda name: f"{name}: text") | JSON,
        st.dictionaries(NAMES, st.sampled_from(["kg", "degC", "((", "USD"]), max_size=2) | JSON,
    ),
    st.sampled_from(['{"status": "ok", "observation": {"a": NaN}}', "{", "[" * 3000, '"\\ud800"']),
    st.none(),
)
TURNS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["freight__find_shipments", "billing__void_invoice"]) | TEXTS,
            JSON.map(json.dumps) | TEXTS,
            ANSWERS,
        ),
        st.none(),
    ),
    max_size=4,
)


def conversation(query: str, turns: list[Any]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You use tools."},
        {"role": "user", "content": query},
    ]
    for index, turn in enumerate(turns):
        if turn is None:
            messages.append({"role": "assistant", "content": "Done."})
            messages.append({"role": "user", "content": TASK_INCOMPLETE})
            continue
        name, arguments, answer = turn
        call = {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call_{index}", "content": answer})
    return messages


def check(turn: Turn, tools: list[ToolSchema]) -> None:
    if not turn.calls:
        assert turn.text
        return
    (call,) = turn.calls
    arguments = json.loads(call.arguments)
    assert isinstance(arguments, dict)
    (tool,) = (tool for tool in tools if tool.name == call.name)
    jsonschema.Draft202012Validator(dict(tool.parameters)).validate(arguments)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(query=TEXTS, turns=TURNS, tools=TOOLS)
def test_act_is_total_pure_and_sends_valid_arguments(
    query: str, turns: list[Any], tools: list[ToolSchema]
) -> None:
    messages = conversation(query, turns)
    turn = ReferenceAgent().act(messages, tools)
    check(turn, tools)
    assert ReferenceAgent().act(messages, tools) == turn


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(query=TEXTS, turns=TURNS, tools=TOOLS, random=st.randoms(use_true_random=False))
def test_the_order_of_tools_does_not_matter(
    query: str, turns: list[Any], tools: list[ToolSchema], random: Any
) -> None:
    messages = conversation(query, turns)
    shuffled = list(tools)
    random.shuffle(shuffled)
    assert ReferenceAgent().act(messages, shuffled) == ReferenceAgent().act(messages, tools)


@settings(max_examples=150, deadline=None)
@given(
    messages=st.lists(
        st.dictionaries(
            st.sampled_from(["role", "content", "tool_calls", "tool_call_id"]),
            st.sampled_from(["user", "assistant", "tool", "system"]) | JSON,
            max_size=4,
        ),
        max_size=6,
    ),
    tools=TOOLS,
)
def test_act_never_raises_on_messages_of_any_form(
    messages: list[dict[str, Any]], tools: list[ToolSchema]
) -> None:
    check(ReferenceAgent().act(messages, tools), tools)


@settings(max_examples=100, deadline=None)
@given(
    suffix=st.text(alphabet="0123456789", min_size=6, max_size=6),
    query=st.sampled_from(
        ["Look up the shipment.", "배송을 조회해줘", "出荷を確認して", "Busca el envío"]
    ),
)
def test_an_identifier_is_sent_only_if_the_conversation_holds_it(suffix: str, query: str) -> None:
    tool = ToolSchema(
        "freight__get_shipment",
        "Return one shipment.",
        {
            "type": "object",
            "properties": {"shipment_id": {"type": "string", "pattern": "^SHP-[0-9]{6}$"}},
            "required": ["shipment_id"],
            "additionalProperties": False,
        },
    )
    nudged = [None, None]  # it guesses from here on, but never an identifier
    without = ReferenceAgent().act(conversation(query, nudged), [tool])
    assert without.calls == ()
    identifier = f"SHP-{suffix}"
    turn = ReferenceAgent().act(conversation(f"{query} ({identifier})", []), [tool])
    assert [json.loads(call.arguments) for call in turn.calls] == [{"shipment_id": identifier}]
