"""What servers do wrong is no outcome: the shard stops with 75 once trying again did not help."""

from __future__ import annotations

import itertools
import socket
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from harness.agents.openai.retry import LONGEST_WAIT, Fault, Patience, retry_after
from harness.agents.protocol import ContextOverflow
from harness.error import ConfigError, InfrastructureError
from tests.support.model import KEY, MESSAGES, TOOLS, Sleeper, agent
from tests.support.model_server import Answer, completion, failed, models, said, serving

FAULTS = {
    "dropped": Answer(drop=True),
    "cut off": Answer(said("x").body, cut=20),
    "429": failed(429, "Slow down."),
    "408": failed(408, "Too slow."),
    "500": failed(500, "CUDA out of memory."),
    "502": Answer(b"<html>Bad Gateway</html>", 502),
    "503": failed(503, "Loading model."),
    "504": Answer(b"", 504),
    "not JSON": Answer(b"<html>Welcome</html>"),
    "cut JSON": Answer(b'{"choices": [{"mess'),
    "not UTF-8": Answer(b"\xff\xfe"),
    "deep JSON": Answer(b"[" * 100_000),
    "deeper than any answer": Answer(b"[" * 500 + b"]" * 500),
    "empty": Answer(b""),
    "a list": Answer([]),
    "no choices": Answer({"choices": []}),
    "no message": Answer({"choices": [{"finish_reason": "stop"}]}),
    "null message": completion(None),
    "an error under 200": Answer({"error": {"message": "overloaded"}}),
    "another model": said("x", model="other-model"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_stays_stops_the_shard(fault: str) -> None:
    sleeper = Sleeper()
    with serving(itertools.repeat(FAULTS[fault])) as server:
        model = agent(server.base_url, sleeper)
        with pytest.raises(InfrastructureError) as caught:
            model.act(MESSAGES, TOOLS)
        assert len(server.requests) == 3
        # What answers after a fault may be another server: it is asked again who it is.
        assert server.asked == ["/v1/models"] * 3
    assert caught.value.exit_code == 75
    assert server.base_url in caught.value.what
    assert "attempt 3" in caught.value.what
    assert sleeper.pauses == [0.5, 1.0]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_passes_leaves_no_trace_but_its_time(fault: str) -> None:
    with serving([FAULTS[fault], FAULTS[fault], said("x")]) as server:
        turn = agent(server.base_url).act(MESSAGES, TOOLS)
        assert server.bodies[0] == server.bodies[1] == server.bodies[2]
    assert turn.text == "x"
    assert turn.latency is not None
    assert turn.latency.attempts == 3
    assert turn.latency.waited_ms > 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failed(401, "Incorrect API key provided."), "Put a valid key"),
        (failed(403, "Forbidden."), "Put a valid key"),
        (failed(404, "The model `test-model` does not exist."), "doctor"),
        (failed(400, "Unsupported parameter: 'seed'."), "doctor"),
        (failed(422, "Unexpected keys in the request."), "doctor"),
        (failed(429, "You exceeded your quota.", code="insufficient_quota"), "See to the server"),
        (Answer(b"", 302, {"Location": "http://127.0.0.1:9/"}), "doctor"),
    ],
)
def test_what_another_attempt_cannot_mend_is_tried_once(answer: Answer, words: str) -> None:
    with serving(itertools.repeat(answer)) as server:
        with pytest.raises(InfrastructureError, match=words) as caught:
            agent(server.base_url).act(MESSAGES, TOOLS)
        assert len(server.requests) == 1
    assert f"HTTP {answer.status}" in caught.value.what


@pytest.mark.parametrize(
    "answer",
    [
        Answer(said("x").body, delay=0.6),
        # A byte now and then keeps the connection alive and never ends.
        Answer(said("x").body, drip=0.05),
    ],
)
def test_a_server_that_is_too_slow_is_not_waited_for(answer: Answer) -> None:
    with serving(itertools.repeat(answer)) as server:
        model = agent(server.base_url, server={"timeout_seconds": 0.2, "retries": 1})
        with pytest.raises(InfrastructureError, match="did not answer within 1 s"):
            model.act(MESSAGES, TOOLS)
        assert len(server.requests) == 2


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    sleeper = Sleeper()
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        agent(f"http://127.0.0.1:{port}/v1", sleeper).act(MESSAGES, TOOLS)
    assert len(sleeper.pauses) == 2


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        agent("http://no-such-host.invalid/v1").act(MESSAGES, TOOLS)


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.5),
        ({"retry-after-ms": "2500", "Retry-After": "3"}, 2.5),
        ({"Retry-After": "soon"}, 0.5),
        ({"Retry-After": "-5"}, 0.5),
        ({"Retry-After": "inf"}, 0.5),
    ],
)
def test_a_server_that_asks_for_time_gets_it(headers: dict[str, str], pause: float) -> None:
    sleeper = Sleeper()
    with serving([failed(429, "Slow down.", headers), said("x")]) as server:
        agent(server.base_url, sleeper).act(MESSAGES, TOOLS)
    assert sleeper.pauses == [pause]


def test_a_server_that_asks_for_hours_is_left_alone() -> None:
    sleeper = Sleeper()
    asked = failed(429, "Daily limit.", {"Retry-After": str(LONGEST_WAIT + 1)})
    with (
        serving([asked]) as server,
        pytest.raises(InfrastructureError, match="asking to be left alone for 601 s"),
    ):
        agent(server.base_url, sleeper).act(MESSAGES, TOOLS)
    assert sleeper.pauses == []


def test_a_date_to_wait_for() -> None:
    now = datetime(2026, 9, 29, 12, 0, 0, tzinfo=UTC)

    def wait(text: str) -> float | None:
        return retry_after({"retry-after": text}, now=lambda: now)

    assert wait("Tue, 29 Sep 2026 12:00:30 GMT") == 30
    assert wait("Tue, 29 Sep 2026 11:00:00 GMT") == 0
    assert wait("Tue, 29 Sep 2026 12:00:30 -0000") == 30
    assert wait("") is None


def test_pauses_grow_to_a_bound_and_are_spread() -> None:
    for chance, first, longest in ((0.0, 0.5, 60.0), (1.0, 0.25, 30.0)):
        sleeper = Sleeper()
        patience = Patience(2000, sleep=sleeper, chance=partial(float, chance))
        with pytest.raises(Fault):
            patience.persist(_fail)
        assert len(sleeper.pauses) == 2000
        assert (sleeper.pauses[0], max(sleeper.pauses), sleeper.pauses[-1]) == (
            first,
            longest,
            longest,
        )


def _fail() -> None:
    raise Fault("fails")


def test_an_overflow_is_never_taken_for_a_fault() -> None:
    """One is an outcome, the other is not: neither can be caught as the other."""
    for fault in (InfrastructureError, Fault):
        assert not issubclass(ContextOverflow, fault)
        assert not issubclass(fault, ContextOverflow)


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "vLLM, model": ({}, {"/v1/models": models("other")}, "serves other, not test-model"),
    "vLLM, context": (
        {"context_tokens": 65536},
        {"/v1/models": models(max_model_len=4096)},
        "a context of 4096 tokens, not 65536",
    ),
    "vLLM, revision": (
        {"revision": "a" * 40},
        {"/v1/models": models(root=f"/cache/snapshots/{'b' * 40}")},
        f"at revision {'b' * 40}",
    ),
    "llama.cpp, model": (
        {"serving": "llama_cpp"},
        {"/v1/models": models("other.gguf"), "/props": {}},
        "serves other.gguf",
    ),
    "llama.cpp, context": (
        {"serving": "llama_cpp", "context_tokens": 8192},
        {
            "/v1/models": models(),
            "/props": {"default_generation_settings": {"n_ctx": 4096}},
        },
        "a context of 4096",
    ),
    "Ollama, model": (
        {"serving": "ollama"},
        {"/api/tags": {"models": [{"name": "other:latest"}]}},
        "serves other:latest",
    ),
    "Ollama, revision": (
        {"serving": "ollama", "revision": "0123456789ab"},
        {"/api/tags": {"models": [{"name": "test-model:latest", "digest": "f" * 64}]}},
        "at revision ffff",
    ),
    "Ollama, context": (
        {"serving": "ollama", "context_tokens": 32768},
        {
            "/api/tags": {"models": [{"name": "test-model"}]},
            "/api/ps": {"models": [{"name": "test-model", "context_length": 4096}]},
        },
        "a context of 4096",
    ),
    "nothing": ({}, {"/v1/models": {"data": []}}, "serves no model"),
    "no list": ({}, {}, "answered /models with HTTP 404"),
    "a page": ({}, {"/v1/models": Answer(b"<html>")}, "not JSON"),
}


@pytest.mark.parametrize("case", WRONG)
def test_the_wrong_model_behind_the_address(case: str) -> None:
    changes, pages, words = WRONG[case]
    sleeper = Sleeper()
    with serving([], pages=pages) as server:
        with pytest.raises(InfrastructureError, match=words):
            agent(server.base_url, sleeper, **changes).act(MESSAGES, TOOLS)
        # No request was made of it.
        assert server.requests == []
    assert len(sleeper.pauses) == 2


RIGHT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "vLLM": (
        {"context_tokens": 4096, "revision": "a" * 40},
        {"/v1/models": models(max_model_len=4096, root=f"/cache/snapshots/{'a' * 40}/")},
    ),
    "vLLM that tells little": ({"context_tokens": 4096, "revision": "a"}, {"/v1/models": models()}),
    "llama.cpp": (
        {"serving": "llama_cpp", "context_tokens": 8192},
        {"/v1/models": models(), "/props": {"default_generation_settings": {"n_ctx": 8192}}},
    ),
    "llama.cpp without properties": (
        {"serving": "llama_cpp", "context_tokens": 8192},
        {"/v1/models": models(), "/props": failed(501, "Not supported.")},
    ),
    "Ollama": (
        {"serving": "ollama", "revision": "0123456789ab", "context_tokens": 4096},
        {
            "/api/tags": {
                "models": [{"name": "test-model:latest", "digest": "sha256:0123456789abcdef"}]
            },
            "/api/ps": {"models": [{"name": "test-model:latest", "context_length": 4096}]},
        },
    ),
    "transformers": ({"serving": "transformers", "revision": "abc"}, {}),
    "hosted": ({"serving": "hosted"}, {}),
}


@pytest.mark.parametrize("case", RIGHT)
def test_the_right_model_behind_the_address(case: str) -> None:
    changes, pages = RIGHT[case]
    with serving([said("x"), said("y")], pages=pages) as server:
        model = agent(server.base_url, **changes)
        assert model.act(MESSAGES, TOOLS).text == "x"
        asked = len(server.asked)
        assert model.act(MESSAGES, TOOLS).text == "y"
        # While nothing goes wrong it is asked once.
        assert len(server.asked) == asked


def test_transformers_answers_by_name_and_revision() -> None:
    with serving([said("x", model="test-model@abc"), said("x", model="test-model@abd")]) as server:
        model = agent(
            server.base_url, serving="transformers", revision="abc", server={"retries": 0}
        )
        assert model.act(MESSAGES, TOOLS).text == "x"
        with pytest.raises(InfrastructureError, match="answered as test-model@abd"):
            model.act(MESSAGES, TOOLS)


@pytest.mark.parametrize("field", ["root", "max_model_len", "parent"])
def test_a_server_that_came_back_as_another(field: str) -> None:
    before: dict[str, Any] = {"root": "/a", "max_model_len": 4096, "parent": "x"}
    after = before | {field: 8192 if field == "max_model_len" else "/b"}
    with serving([said("x"), Answer(drop=True)], pages={"/v1/models": models(**before)}) as server:
        model = agent(server.base_url)
        assert model.act(MESSAGES, TOOLS).text == "x"

        def sleep(seconds: float) -> None:
            server.pages["/v1/models"] = models(**after)

        model._patience = Patience(2, sleep=sleep, chance=lambda: 0.0)
        with pytest.raises(InfrastructureError, match="changed while the study ran"):
            model.act(MESSAGES, TOOLS)
        assert len(server.requests) == 2


def test_a_fingerprint_that_changes_is_another_revision() -> None:
    script = [said("x", system_fingerprint="a"), *[said("x", system_fingerprint="b")] * 3]
    with serving(script) as server:
        model = agent(server.base_url)
        model.act(MESSAGES, TOOLS)
        with pytest.raises(InfrastructureError, match="the fingerprint b, not a"):
            model.act(MESSAGES, TOOLS)
        assert len(server.requests) == 4


def test_a_hosted_api_is_held_to_the_fingerprint_that_is_configured() -> None:
    script = [said("x", system_fingerprint="a"), said("x", system_fingerprint="b")]
    with serving(script) as server:
        model = agent(server.base_url, serving="hosted")
        assert [model.act(MESSAGES, TOOLS).text for _ in range(2)] == ["x", "x"]
    with serving(script) as server:
        model = agent(server.base_url, serving="hosted", revision="a", server={"retries": 0})
        assert model.act(MESSAGES, TOOLS).text == "x"
        with pytest.raises(InfrastructureError, match="the fingerprint b, not a"):
            model.act(MESSAGES, TOOLS)


@pytest.mark.parametrize("value", ["", "two words", "sk-\n", "schlüssel", "a\x00b"])
def test_a_key_that_is_none_is_wrong_use(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.agents.openai.wire import Wire
    from tests.support.model import section

    server = section(server={"key_variable": "TEST_KEY"}).server
    with pytest.raises(ConfigError, match="TEST_KEY") as caught:
        Wire(server, environ={"TEST_KEY": value})
    assert caught.value.exit_code == 1
    assert not value or value not in str(caught.value)


def test_no_variable_but_the_named_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_ADMIN_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "OPENAI_WEBHOOK_SECRET",
    ):
        monkeypatch.setenv(name, "sk-ambient")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-ambient")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for variable, expected in ((None, "Bearer none"), ("TEST_KEY", f"Bearer {KEY}")):
        with serving([said("x")]) as server:
            agent(server.base_url, server={"key_variable": variable}).act(MESSAGES, TOOLS)
        headers = server.requests[0].headers
        assert headers["authorization"] == expected
        assert "sk-ambient" not in str(headers)


@pytest.mark.parametrize(
    "answer",
    [
        failed(401, f"Incorrect API key provided: {KEY}."),
        failed(500, f"debug: Authorization: Bearer {KEY}"),
        Answer(f"<pre>{KEY}</pre>".encode(), 502),
        said("x", model=KEY),
        said("x", model="test-model", system_fingerprint=KEY),
        Answer(b"", 302, {"Location": f"http://127.0.0.1:9/?key={KEY}"}),
    ],
)
def test_a_server_that_repeats_the_key_does_not_spread_it(answer: Answer) -> None:
    script = [said("x", system_fingerprint="a"), *[answer] * 3]
    with serving(script) as server:
        model = agent(server.base_url, server={"key_variable": "TEST_KEY"})
        model.act(MESSAGES, TOOLS)
        with pytest.raises(InfrastructureError) as caught:
            model.act(MESSAGES, TOOLS)
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in f"{error!s} {error!r} {vars(error)}"
        error = None if error.__suppress_context__ else error.__cause__ or error.__context__


def test_a_model_that_says_the_key_does_not_say_it_in_the_record() -> None:
    with serving([said(f"the key is {KEY}", echo={"authorization": KEY})]) as server:
        turn = agent(server.base_url, server={"key_variable": "TEST_KEY"}).act(MESSAGES, TOOLS)
    assert turn.text == "the key is [key]"
    assert KEY not in repr(turn)
