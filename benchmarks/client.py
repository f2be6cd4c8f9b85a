"""Overhead of the model client: ``python -m benchmarks.client``.

A server in a process of its own answers on loopback, at once or after a fixed delay, with the same
bytes whatever is asked. Printed are the client's milliseconds a call with 5 and with 500 tools, and
the throughput of 32 threads against a delay of 200 ms as a share of the ideal. The server is a bare
socket loop, so that what is measured is the client; its own time is printed beside, measured with a
bare socket too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median, quantiles

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.section import OpenAISection
from harness.agents.protocol import ToolSchema
from harness.parallel import run_together
from harness.prompt import Toolbox, opening
from surface.catalog import load_catalogs

MESSAGE = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "call",
            "type": "function",
            "function": {"name": "orders__find", "arguments": '{"email": "ann@example.org"}'},
        }
    ],
}
ANSWER = json.dumps(
    {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "bench",
        "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
).encode()


def _serve(pipe: Connection, delay: float) -> None:
    """Answer every request after a delay, for ever."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                writer.close()
                return
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    await reader.readexactly(int(line.partition(b":")[2]))
            await asyncio.sleep(delay)
            length = str(len(ANSWER)).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + length
                + b"\r\n\r\n"
                + ANSWER
            )

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=2**20, backlog=256)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def serving(delay: float) -> Iterator[int]:
    """Run the server in a process of its own; yields its port."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_serve, args=(theirs, delay), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.kill()
        process.join()


def _agent(port: int, concurrency: int) -> OpenAIAgent:
    section = OpenAISection.model_validate(
        {
            "kind": "openai",
            # Asks the server nothing about itself.
            "serving": "hosted",
            "model": "bench",
            "calling": "native",
            "sampling": {"temperature": 0.0, "seed": 1, "max_tokens": 256},
            "server": {"base_url": f"http://127.0.0.1:{port}/v1", "concurrency": concurrency},
        }
    )
    return OpenAIAgent(section)


def _bare(port: int, body: bytes, calls: int) -> list[float]:
    """Time the server alone: the same bytes through a socket."""
    spent = []
    request = (
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    ) + body
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(calls):
            start = time.perf_counter()
            connection.sendall(request)
            received = b""
            while not received.endswith(ANSWER):
                received += connection.recv(65536)
            spent.append((time.perf_counter() - start) * 1000)
    return spent


def _overhead(tools: tuple[ToolSchema, ...], calls: int) -> None:
    messages = opening("Find the orders of ann@example.org.")
    with serving(0) as port:
        agent = _agent(port, 1)
        agent.act(messages, tools)
        wall, processor = [], []
        for _ in range(calls):
            start, used = time.perf_counter(), time.process_time()
            agent.act(messages, tools)
            wall.append((time.perf_counter() - start) * 1000)
            processor.append((time.process_time() - used) * 1000)
        bare = median(_bare(port, agent.rendering.body(messages, tools), calls))
    print(
        f"{len(tools):4d} tools  overhead {median(wall) - bare:6.2f} ms  processor "
        f"{median(processor):6.2f} ms  (whole call {median(wall):.2f}, 95% below "
        f"{quantiles(wall, n=20)[-1]:.2f}, server alone {bare:.2f})"
    )


def _throughput(tools: tuple[ToolSchema, ...], concurrency: int, delay: float, calls: int) -> None:
    messages = opening("Find the orders of ann@example.org.")
    with serving(delay) as port:
        agent = _agent(port, concurrency)

        def ask(number: int) -> None:
            agent.act(messages, tools)

        # Connections are made before the clock starts.
        list(run_together(ask, range(concurrency), limit=concurrency))
        start = time.perf_counter()
        list(run_together(ask, range(calls), limit=concurrency))
        rate = calls / (time.perf_counter() - start)
    ideal = concurrency / delay
    print(
        f"{len(tools):4d} tools  {concurrency} at once against {delay * 1000:.0f} ms: "
        f"{rate:.0f} calls a second, {rate / ideal:.1%} of the ideal {ideal:.0f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=300, help="calls (default: 300)")
    calls = parser.parse_args().calls
    tools = tuple(Toolbox.of(load_catalogs()[500].snapshot).tools.values())
    for count in (5, 500):
        _overhead(tools[:count], calls)
    for count in (5, 500):
        _throughput(tools[:count], 32, 0.2, 32 * 30)


if __name__ == "__main__":
    main()
