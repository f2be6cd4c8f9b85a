"""What models do wrong, as a server passes it on: recorded as it is, never repaired."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.agents.protocol import ContextOverflow, ToolCall, Turn, Usage
from harness.call import parse_arguments
from tests.support.model import MESSAGES, TOOLS, agent
from tests.support.model_server import Answer, called, completion, failed, said, serving

ORDERS = '{"email": "ann@example.org"}'


def turn_of(answer: Answer, **changes: Any) -> Turn:
    with serving([answer]) as server:
        return agent(server.base_url, **changes).act(MESSAGES, TOOLS)


def malformed(turn: Turn) -> bool:
    return bool(turn.calls) and parse_arguments(turn.calls[0]) is None


def test_a_call_is_a_call() -> None:
    turn = turn_of(called(("shop__find_orders", ORDERS)))
    assert turn.calls == (ToolCall("call00000", "shop__find_orders", ORDERS),)
    assert turn.text is None
    assert turn.finish_reason == "tool_calls"
    assert turn.usage == Usage(input_tokens=100, output_tokens=10)
    assert turn.raw is not None
    assert turn.raw["choices"][0]["message"]["tool_calls"][0]["id"] == "server-0"
    assert turn.latency is not None
    assert (turn.latency.attempts, turn.latency.answer_ms > 0) == (1, True)


def test_calls_are_named_after_their_turn() -> None:
    later = [*MESSAGES, {"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}]
    with serving([called(("a", "{}"), ("b", "{}"))]) as server:
        turn = agent(server.base_url).act(later, TOOLS)
    assert [call.id for call in turn.calls] == ["call01000", "call01001"]


def test_the_usage_tells_cached_and_thought_tokens() -> None:
    usage = {
        "prompt_tokens": 5000,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 4000},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    assert turn_of(said("x", usage=usage)).usage == Usage(5000, 4000, 50, 40)


@pytest.mark.parametrize(
    ("details", "cached"), [(None, 4000), ({}, 4000), ({"cached_tokens": 3}, 3)]
)
def test_llama_cpp_tells_of_its_cache_beside_the_usage(details: Any, cached: int) -> None:
    usage = {"prompt_tokens": 5000, "completion_tokens": 50, "prompt_tokens_details": details}
    timings = {"cache_n": 4000, "prompt_n": 1000, "predicted_n": 50}
    assert turn_of(said("x", usage=usage, timings=timings)).usage == Usage(5000, cached, 50)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        *({"prompt_tokens": figure} for figure in ("many", True, -1, 2**53, 1.5, None, [])),
    ],
)
def test_a_usage_that_is_none_is_none(usage: Any) -> None:
    found = turn_of(said("x", usage=usage)).usage
    assert found is None or found == Usage()


@pytest.mark.parametrize(
    "arguments",
    [
        '{"email": "ann@',
        '{"email": ',
        "",
        "not json",
        "{'email': 'ann@example.org'}",
        '{"email": "a"} {"email": "b"}',
        "[1]",
        "null",
        '"{\\"email\\": \\"ann@example.org\\"}"',
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        '{"a": "\\ud800"}',
        "{" * 5000,
    ],
)
def test_malformed_and_truncated_arguments_stay_as_they_are(arguments: str) -> None:
    turn = turn_of(called(("shop__find_orders", arguments)))
    assert turn.calls[0].arguments == arguments
    assert malformed(turn)


@pytest.mark.parametrize(
    "name", ["shop.find_orders", "shop__find_order", "Shop__Find_Orders", "find_orders", "rm -rf"]
)
def test_unknown_and_near_miss_names_are_not_repaired(name: str) -> None:
    assert turn_of(called((name, ORDERS))).calls[0].name == name


def test_several_calls_are_kept_in_their_order() -> None:
    turn = turn_of(called(("b", "{}"), ("a", ORDERS), ("b", "{")))
    assert [(call.name, call.arguments) for call in turn.calls] == [
        ("b", "{}"),
        ("a", ORDERS),
        ("b", "{"),
    ]


def test_endless_repetition_is_kept_whole() -> None:
    calls = [("shop__find_orders", ORDERS)] * 200
    assert len(turn_of(called(*calls)).calls) == 200
    text = "again " * 100_000
    turn = turn_of(said(text, finish_reason="length"))
    assert (turn.text, turn.finish_reason) == (text, "length")


@pytest.mark.parametrize("text", ["", None])
def test_an_empty_answer_is_a_turn_without_a_call(text: str | None) -> None:
    assert turn_of(said(text)) == turn_of(said(text))
    turn = turn_of(said(text))
    assert (turn.text, turn.calls) == (text, ())


def test_a_refusal_is_what_was_said() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    assert turn_of(completion(message)).text == "I cannot help with that."


def test_a_filtered_answer_keeps_its_reason() -> None:
    turn = turn_of(completion({"role": "assistant", "content": ""}, finish_reason="content_filter"))
    assert (turn.text, turn.calls, turn.finish_reason) == ("", (), "content_filter")


def test_thinking_is_kept_where_it_stands() -> None:
    text = "<think>I should call shop__find_orders.</think>\n\n<tool_call>{</tool_call>"
    assert turn_of(said(text)).text == text
    message = {"role": "assistant", "content": "yes", "reasoning_content": "Hm."}
    turn = turn_of(completion(message))
    assert turn.text == "yes"
    assert turn.raw is not None
    assert turn.raw["choices"][0]["message"]["reasoning_content"] == "Hm."


def test_text_in_parts_is_one_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert turn_of(said(parts)).text == "ab"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "text"), [({"a": [1, "ü"]}, '{"a": [1, "ü"]}'), (None, "null"), (3, "3")]
)
def test_a_server_that_sends_the_object_itself_is_read(arguments: Any, text: str) -> None:
    assert turn_of(called(("shop__find_orders", arguments))).calls[0].arguments == text


@pytest.mark.parametrize(
    "item", [None, "x", {}, {"function": None}, {"function": {"arguments": "{}"}}]
)
def test_a_call_without_a_name_is_malformed(item: Any) -> None:
    turn = turn_of(completion({"role": "assistant", "content": "x", "tool_calls": [item]}))
    assert malformed(turn)
    assert turn.text == "x"


@pytest.mark.parametrize("listed", [None, [], {}, "x"])
def test_no_list_of_calls_is_no_call(listed: Any) -> None:
    turn = turn_of(completion({"role": "assistant", "content": "x", "tool_calls": listed}))
    assert turn.calls == ()


def test_what_has_no_canonical_form_is_recorded_as_text() -> None:
    body = said("x").body
    odd = f'"created": 1e999, "b": NaN, "c": {2**60}'
    text = json.dumps(body).replace('"created": 1', odd)
    text = text.replace('"x", "object"', '"\\ud800", "object"')
    turn = turn_of(Answer(text.encode()))
    assert turn.raw is not None
    assert (turn.raw["created"], turn.raw["b"], turn.raw["c"]) == ("inf", "NaN", str(2**60))
    assert turn.raw["id"] == "\\ud800"


def test_a_lone_surrogate_makes_a_call_malformed() -> None:
    content = json.dumps(called(("shop__find_orders", "?")).body).replace('"?"', r'"{\ud800}"')
    assert malformed(turn_of(Answer(content.encode())))


CONSTRAINED = {
    '{"turn": {"tool": "shop__find_orders", "arguments": {"a": 1}}}': (
        "shop__find_orders",
        '{"a": 1}',
    ),
    ' {"turn":{"tool":"x","arguments":{},"text":"so"}}': ("x", "{}"),
    '{"turn": {"tool": "x", "arguments": "{}"}}': ("x", '"{}"'),
}


@pytest.mark.parametrize("text", CONSTRAINED)
def test_a_constrained_call_is_read(text: str) -> None:
    (call,) = turn_of(said(text), calling="json_schema").calls
    assert (call.name, call.arguments) == CONSTRAINED[text]


@pytest.mark.parametrize(
    "text",
    [
        '{"turn": {"tool": "shop__find_orders", "arguments": {"a": ',
        '{"turn": {"tool": "shop__find_orders"}}',
        '{"turn": {"tool": 3, "arguments": {}}}',
        '{"turn": {"tool": "a", "tool": "b", "arguments": {}}}',
        '{"tool": "a", "arguments": {}}',
        '{"turn": {}}',
        '{"turn": "tool"}',
        "shop__find_orders()",
        "[]",
        '"turn"',
    ],
)
def test_a_constrained_answer_that_does_not_parse_is_malformed(text: str) -> None:
    turn = turn_of(said(text), calling="json_schema")
    assert malformed(turn)
    assert (turn.calls[0].name, turn.calls[0].arguments) == ("", text)


def test_a_constrained_answer_can_say_something() -> None:
    turn = turn_of(said('{"turn": {"text": "REQUEST_MORE_TOOLS"}}'), calling="json_schema")
    assert (turn.text, turn.calls) == ("REQUEST_MORE_TOOLS", ())
    assert turn_of(said('{"turn": {"text": 3}}'), calling="json_schema").text == "3"
    empty = turn_of(said(""), calling="json_schema")
    assert (empty.text, empty.calls) == ("", ())


OVERFLOWS = {
    "OpenAI": (
        failed(
            400,
            "This model's maximum context length is 128000 tokens. However, your messages resulted "
            "in 130123 tokens (100123 in the messages, 30000 in the functions). Please reduce the "
            "length of the messages or functions.",
            type="invalid_request_error",
            param="messages",
            code="context_length_exceeded",
        ),
        130123,
        128000,
    ),
    "OpenAI, newer": (
        failed(
            400,
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in "
            "300001 tokens. Please reduce the length of the messages.",
            code="context_length_exceeded",
        ),
        300001,
        272000,
    ),
    "OpenAI, without figures": (
        failed(
            400,
            "Your input exceeds the context window of this model. Please adjust your input and "
            "try again.",
            code="context_length_exceeded",
        ),
        None,
        None,
    ),
    "vLLM": (
        failed(
            400,
            "This model's maximum context length is 8192 tokens. However, you requested 9000 "
            "tokens (8744 in the messages, 256 in the completion). Please reduce the length of the "
            "messages or completion.",
            type="BadRequestError",
            code=400,
        ),
        8744,
        8192,
    ),
    "OpenAI, with functions": (
        failed(
            400,
            "This model's maximum context length is 4097 tokens. However, you requested 5356 "
            "tokens (4000 in the messages, 1100 in the functions, and 256 in the completion). "
            "Please reduce the length of the messages, functions, or completion.",
            code="context_length_exceeded",
        ),
        5100,
        4097,
    ),
    "vLLM, room for the answer apart": (
        failed(
            400,
            "This model's maximum context length is 8192 tokens. However, you requested 256 output "
            "tokens and your prompt contains at least 9000 input tokens, for a total of at least "
            "9256 tokens. Please reduce the length of the input prompt or the number of requested "
            "output tokens.",
            code=400,
        ),
        9000,
        8192,
    ),
    "vLLM, newer": (
        failed(
            400,
            "You passed 9000 input tokens and requested 256 output tokens. However, the model's "
            "context length is only 8192 tokens, resulting in a maximum input length of 7936 "
            "tokens. Please reduce the length of the input prompt.",
            code=400,
        ),
        9000,
        8192,
    ),
    "vLLM, measured in characters": (
        failed(
            400,
            "This model's maximum context length is 8192 tokens. However, you requested 256 output "
            "tokens and your prompt contains 900000 characters (more than 634880 characters, which "
            "is the upper bound for 7936 input tokens).",
            code=400,
        ),
        None,
        8192,
    ),
    "SGLang": (
        failed(
            400, "The input (9000 tokens) is longer than the model's context length (8192 tokens)."
        ),
        9000,
        8192,
    ),
    "SGLang, with the answer": (
        failed(
            400,
            "Requested token count exceeds the model's maximum context length of 8192 tokens. You "
            "requested a total of 9256 tokens: 9000 tokens from the input messages and 256 tokens "
            "for the completion.",
        ),
        9000,
        8192,
    ),
    "vLLM, unnested": (
        Answer(
            {
                "object": "error",
                "message": "This model's maximum context length is 8192 tokens. However, your "
                "request has 9100 input tokens. Please reduce the length of the input messages.",
                "type": "BadRequestError",
                "code": 400,
            },
            400,
        ),
        9100,
        8192,
    ),
    "vLLM, no room for the answer": (
        failed(
            400,
            "'max_tokens' or 'max_completion_tokens' is too large: 256. This model's maximum "
            "context length is 8192 tokens and your request has 8000 input tokens (256 > 8192 - "
            "8000).",
            code=400,
        ),
        8000,
        8192,
    ),
    "vLLM, measured first": (
        failed(
            400,
            "The decoder prompt (length 9000) is longer than the maximum model length of 8192. "
            "Make sure that `max_model_len` is no smaller than the number of text tokens.",
            code=400,
        ),
        9000,
        8192,
    ),
    "llama.cpp": (
        failed(
            400,
            "request (9000 tokens) exceeds the available context size (8192 tokens), try "
            "increasing it",
            code=400,
            type="exceed_context_size_error",
            n_prompt_tokens=9000,
            n_ctx=8192,
        ),
        9000,
        8192,
    ),
    "llama.cpp, older": (
        failed(
            400,
            "the request exceeds the available context size. try increasing the context size or "
            "enable context shift",
            code=400,
            type="invalid_request_error",
        ),
        None,
        None,
    ),
    "Ollama": (
        failed(400, "the input length exceeds the context length", type="api_error", code=None),
        None,
        None,
    ),
    "Ollama, unnested": (
        Answer({"error": "the input length exceeds the maximum context length"}, 500),
        None,
        None,
    ),
    "Ollama, figures that are none": (
        failed(
            400,
            "the input length exceeds the context length",
            n_prompt_tokens=-1,
            n_ctx="8 GB",
        ),
        None,
        None,
    ),
    "Anthropic": (
        failed(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        210000,
        200000,
    ),
    "Google": (
        Answer(
            [
                {
                    "error": {
                        "code": 400,
                        "message": "The input token count (1200000) exceeds the maximum number of "
                        "tokens allowed (1048576).",
                        "status": "INVALID_ARGUMENT",
                    }
                }
            ],
            400,
        ),
        1200000,
        1048576,
    ),
    "Mistral": (
        Answer(
            {
                "object": "error",
                "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model "
                "with 32768 maximum context length",
            },
            400,
        ),
        40000,
        32768,
    ),
}


@pytest.mark.parametrize("server", OVERFLOWS)
def test_a_context_overflow_is_an_outcome_with_its_figures(server: str) -> None:
    answer, prompt, context = OVERFLOWS[server]
    with serving([answer]) as running:
        with pytest.raises(ContextOverflow) as caught:
            agent(running.base_url).act(MESSAGES, TOOLS)
        # Asked once: another attempt would not make it fit.
        assert len(running.requests) == 1
    assert (caught.value.prompt_tokens, caught.value.context_tokens) == (prompt, context)
    assert caught.value.raw == {"status": answer.status, "body": answer.body}


def test_a_prompt_that_fills_the_context_was_cut_to_fit() -> None:
    usage = {"prompt_tokens": 4096, "completion_tokens": 1}
    with pytest.raises(ContextOverflow) as caught:
        turn_of(said("x", usage=usage), context_tokens=4096)
    assert (caught.value.prompt_tokens, caught.value.context_tokens) == (4096, 4096)
    assert turn_of(said("x", usage=usage), context_tokens=4097).text == "x"


def test_a_prompt_of_which_ollama_read_a_part_was_cut() -> None:
    long = [*MESSAGES, {"role": "user", "content": "word " * 3000}]
    usage = {"prompt_tokens": 900, "completion_tokens": 1}
    pages = {"/api/tags": {"models": [{"name": "test-model", "digest": "0" * 64}]}}
    for context, cut in ((1000, True), (8000, False)):
        with serving([said("x", usage=usage)], pages=pages) as server:
            model = agent(server.base_url, serving="ollama", context_tokens=context)
            if cut:
                with pytest.raises(ContextOverflow):
                    model.act(long, TOOLS)
            else:
                assert model.act(long, TOOLS).text == "x"


UNPARSED = {
    "Ollama": (
        Answer({"error": {"message": "error parsing tool call: raw='{\"a\": }', err=x"}}, 500),
        '{"a": }',
    ),
    "llama.cpp": (
        failed(500, 'Failed to parse input at pos 12: <tool_call>{"a', code=500),
        '<tool_call>{"a',
    ),
    "Groq": (
        failed(400, "Failed to call a function.", code="tool_use_failed", failed_generation="<f(x"),
        "<f(x",
    ),
}


@pytest.mark.parametrize("server", UNPARSED)
def test_a_call_that_the_server_could_not_parse_is_malformed(server: str) -> None:
    answer, text = UNPARSED[server]
    with serving([answer]) as running:
        turn = agent(running.base_url).act(MESSAGES, TOOLS)
        assert len(running.requests) == 1
    assert malformed(turn)
    assert turn.calls[0].arguments == text
    assert turn.raw == {"status": answer.status, "body": answer.body}
