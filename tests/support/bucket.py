"""A bucket on this machine, behind an S3 API that can be told to fail."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import botocore.session
import pytest
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

Fault = Callable[[str, str], str | float | None]
"""Given method and path of a request: a status line to answer, seconds to wait first, or None."""

_buckets = itertools.count()


@dataclass
class Service:
    """An S3 service in threads of this process."""

    fault: Fault | None = None
    requests: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self, threaded=True)
        Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __call__(self, environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.requests.append((method, path))
        answer = self.fault(method, path) if self.fault else None
        if isinstance(answer, str):
            respond(answer, [("Content-Length", "0")])
            return []
        time.sleep(answer or 0.0)
        # What writes to the socket goes through here, so a client that left is nobody's problem.
        return self._app(environ, respond)  # type: ignore[no-any-return]

    def bucket(self) -> str:
        """Make a bucket of its own."""
        name = f"study-{next(_buckets)}"
        client = botocore.session.Session().create_client(
            "s3",
            region_name="us-east-1",
            endpoint_url=self.endpoint,
            aws_access_key_id="user",
            aws_secret_access_key="word",
        )
        client.create_bucket(Bucket=name)
        return name

    @contextmanager
    def failing(self, fault: Fault) -> Iterator[None]:
        """Fail while the body runs."""
        self.fault = fault
        try:
            yield
        finally:
            self.fault = None

    def close(self) -> None:
        self._server.shutdown()


def log_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put credentials that the service takes in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "user")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "word")
