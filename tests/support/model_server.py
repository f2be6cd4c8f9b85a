"""A model server on loopback that reads a script: each entry answers one request for an answer."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "test-model"


@dataclass(frozen=True)
class Answer:
    """What the server does about one request."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0
    """Seconds before anything is sent."""
    cut: int | None = None
    """Send so many bytes of the body, then break the connection."""
    drop: bool = False
    """Break the connection without an answer."""
    drip: float | None = None
    """Send a byte of the body each so many seconds."""

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body).encode()


def said(text: str | None, **fields: Any) -> Answer:
    """A completion that says something."""
    return completion({"role": "assistant", "content": text}, **fields)


def called(*calls: tuple[str, Any], text: str | None = None, **fields: Any) -> Answer:
    """A completion that calls tools, with the arguments as they are given."""
    listed = [
        {
            "id": f"server-{position}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for position, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, "tool_calls": listed}
    return completion(message, finish_reason="tool_calls", **fields)


def completion(message: Any, *, finish_reason: str = "stop", **fields: Any) -> Answer:
    """A completion with a message."""
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": MODEL}
    return Answer({**body, "choices": [choice], "usage": usage, **fields})


def failed(
    status: int, message: str, headers: Mapping[str, str] | None = None, **error: Any
) -> Answer:
    """An error as OpenAI words it."""
    return Answer({"error": {"message": message, **error}}, status, headers or {})


def models(name: str = MODEL, **fields: Any) -> dict[str, Any]:
    """What `/v1/models` lists."""
    return {"object": "list", "data": [{"id": name, "object": "model", **fields}]}


@dataclass
class Request:
    """What a client asked."""

    path: str
    headers: Mapping[str, str]
    body: Any


Script = Iterable[Answer] | Callable[[Request], Answer]


@dataclass
class ModelServer:
    """The server while it runs."""

    script: Script
    pages: dict[str, Any] = field(default_factory=lambda: {"/v1/models": models()})
    """What it says about itself, by path; an `Answer` is sent as it is."""
    requests: list[Request] = field(default_factory=list)
    """Requests for an answer, in the order in which they came."""
    asked: list[str] = field(default_factory=list)
    """Paths of the others."""
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.entries = None if callable(self.script) else iter(self.script)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[Any]:
        return [request.body for request in self.requests]

    def answer(self, request: Request) -> Answer:
        with self.lock:
            self.requests.append(request)
            if self.entries is not None:
                return next(self.entries, failed(418, "the script has ended"))
        if not callable(self.script):
            raise TypeError("a script is answers or a function")
        return self.script(request)

    def page(self, path: str) -> Answer:
        with self.lock:
            self.asked.append(path)
            found = self.pages.get(path)
        if found is None:
            return failed(404, "there is no such page")
        return found if isinstance(found, Answer) else Answer(found)


@contextmanager
def serving(script: Script, **fields: Any) -> Iterator[ModelServer]:
    """Run a server while the body runs."""
    server = ModelServer(script, **fields)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Small answers at once, whatever the kernel would rather collect.
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self.send(server.page(self.path))

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send(server.answer(Request(self.path, headers, json.loads(content))))

        def send(self, answer: Answer) -> None:
            time.sleep(answer.delay)
            if answer.drop:
                self.reset()
                return
            content = answer.content
            self.send_response(answer.status)
            headers = {"Content-Type": "application/json", **answer.headers}
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.drip is not None:
                self.dripped(content, answer.drip)
            elif answer.cut is not None:
                self.wfile.write(content[: answer.cut])
                self.wfile.flush()
                self.reset()
            else:
                self.wfile.write(content)

        def dripped(self, content: bytes, pause: float) -> None:
            try:
                for position in range(len(content)):
                    self.wfile.write(content[position : position + 1])
                    self.wfile.flush()
                    time.sleep(pause)
            except OSError:
                self.close_connection = True

        def reset(self) -> None:
            """Break the connection as a killed server does."""
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

        def finish(self) -> None:
            try:
                super().finish()
            except (OSError, ValueError):
                self.close_connection = True

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Say nothing of clients that have gone."""

    with Server(("127.0.0.1", 0), Handler) as http:
        server.port = http.server_address[1]
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
