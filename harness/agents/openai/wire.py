"""HTTP to the server, through the ``openai`` client: one request, one reply, no opinion.

The key comes from the one named environment variable. It goes into the client and nowhere else:
whatever a server sends back is cleaned of it before anybody sees it.
"""

from __future__ import annotations

import math
import os
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI, Stream

from harness.agents.openai.section import ServerSection
from harness.error import ConfigError

LARGEST_ANSWER: Final = 64 * 2**20
"""Bytes; a server that sends more has gone astray."""

NO_KEY: Final = "none"
"""Sent where the server wants no key."""

REMOVED: Final = b"[key]"


@dataclass(frozen=True)
class Reply:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes


class WireError(Exception):
    """No reply came: no connection, a broken one, or none in time."""


class Wire:
    """A server, as far as HTTP goes.

    Parameters
    ----------
    server
        Where it is.
    concurrency
        Connections that may be open at once.
    environ
        Where the key is found by its variable's name.
    clock
        Seconds from an arbitrary start.

    Raises
    ------
    ConfigError
        If the named variable holds no key.
    """

    def __init__(
        self,
        server: ServerSection,
        *,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._clock = clock
        self._key = _key(server.key_variable, environ)
        key = self._key or NO_KEY
        limits = httpx2.Limits(
            max_connections=server.concurrency, max_keepalive_connections=server.concurrency
        )
        self._client = OpenAI(
            base_url=server.base_url,
            api_key=key,
            # Given, so that the client looks for none of them in the environment.
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            default_headers={"Authorization": f"Bearer {key}"},
            timeout=server.timeout_seconds,
            max_retries=0,
            http_client=httpx2.Client(limits=limits, timeout=server.timeout_seconds),
        )
        # Nor are they sent when they are empty.
        self._client.organization = self._client.project = None
        # Connections end with their wire: nobody says when the last episode is over.
        weakref.finalize(self, self._client.close)

    def post(self, path: str, content: bytes) -> Reply:
        """Send a body; raises `WireError`."""
        return self._reply(
            lambda: self._client.post(
                path,
                cast_to=cast("type[Stream[object]]", httpx2.Response),
                content=content,
                stream=True,
                stream_cls=Stream[object],
            )
        )

    def get(self, path: str) -> Reply:
        """Ask for something, below the base URL or, with ``..``, beside it; raises `WireError`."""
        return self._reply(
            lambda: self._client.get(
                self._beside(path) if path.startswith("../") else path,
                cast_to=cast("type[Stream[object]]", httpx2.Response),
                stream=True,
                stream_cls=Stream[object],
            )
        )

    def _beside(self, path: str) -> str:
        root = self._server.base_url.rstrip("/").removesuffix("/v1")
        return f"{root}/{path.removeprefix('../')}"

    def _reply(self, send: Callable[[], object]) -> Reply:
        deadline = self._clock() + self._server.timeout_seconds
        try:
            # With this type to cast to the client hands over the response itself.
            response = cast(httpx2.Response, send())
        except APIStatusError as error:
            return self._made(error.response, error.response.content)
        except APITimeoutError:
            raise WireError(self._timeout()) from None
        except APIConnectionError as error:
            raise WireError(self._cleaned(f"cannot be reached ({error.__cause__})")) from None
        try:
            return self._made(response, self._read(response, deadline))
        except httpx2.TimeoutException:
            raise WireError(self._timeout()) from None
        except httpx2.HTTPError as error:
            raise WireError(self._cleaned(f"broke off its answer ({error})")) from None
        finally:
            response.close()

    def _read(self, response: httpx2.Response, deadline: float) -> bytes:
        """Read the whole answer; a server that sends a byte now and then is not waited for."""
        parts, size = [], 0
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                raise WireError(f"sent more than {LARGEST_ANSWER} bytes")
            if self._clock() > deadline:
                raise WireError(self._timeout())
        return b"".join(parts)

    def _made(self, response: httpx2.Response, body: bytes) -> Reply:
        if self._key:
            body = body.replace(self._key.encode(), REMOVED)
        headers = {
            name.lower(): self._cleaned(value) for name, value in response.headers.multi_items()
        }
        return Reply(response.status_code, headers, body)

    def _timeout(self) -> str:
        return f"did not answer within {math.ceil(self._server.timeout_seconds)} s"

    def _cleaned(self, text: str) -> str:
        return text.replace(self._key, REMOVED.decode()) if self._key else text


def _key(variable: str | None, environ: Mapping[str, str]) -> str:
    if variable is None:
        return ""
    key = environ.get(variable, "")
    if not key:
        raise ConfigError(
            f"The environment variable {variable}, which agent.server.key_variable names, holds "
            "no key.",
            f"Put the key into {variable}, or set agent.server.key_variable=null for a server "
            "that wants none.",
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigError(
            f"What the environment variable {variable} holds is no key: it has a space, a line "
            "break or a character beyond ASCII in it.",
            f"Put the key alone into {variable}.",
        )
    return key
