"""Places for the nodes of a cluster: network namespaces where they are allowed, else addresses."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address

RANGE = IPv4Address("198.18.0.0")
"""The first of 2**17 addresses that are kept for tests and stand in no real network."""

CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)"


@dataclass(frozen=True)
class Place:
    """Where a node runs."""

    enter: tuple[str, ...]
    """What its command begins with."""
    host: str
    """Its own address."""
    near: str
    """An address of this process that the node reaches."""


@contextmanager
def places(count: int) -> Iterator[list[Place]]:
    """Yield places, each with an address of its own; they reach the first one's `near`."""
    with ExitStack() as stack:
        try:
            found = [stack.enter_context(_namespace()) for _ in range(count)]
            for place in found:
                _reach(place, found[0].near)
        except (OSError, subprocess.CalledProcessError):
            # macOS has one loopback address.
            own = sys.platform == "linux"
            hosts = [f"127.0.0.{number + 2 if own else 1}" for number in range(count)]
            found = [Place((), host, "127.0.0.1") for host in hosts]
        yield found


@contextmanager
def _namespace() -> Iterator[Place]:
    """Make a namespace and a link to it; both go when the last process in it has ended."""
    mine = os.readlink("/proc/self/ns/net")
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while os.readlink(f"/proc/{holder.pid}/ns/net") == mine:
            if holder.poll() is not None or time.monotonic() > deadline:
                raise PermissionError("no network namespace can be made")
            time.sleep(0.01)
        enter = ("nsenter", f"--net=/proc/{holder.pid}/ns/net")
        first = RANGE + 4 * secrets.randbelow(2**15)
        near, host = str(first + 1), str(first + 2)
        link = f"study{secrets.token_hex(4)}"
        for command in (
            f"ip link add {link} type veth peer name eth0 netns {holder.pid}",
            f"ip address add {near}/30 dev {link}",
            f"ip link set {link} up",
        ):
            _call(*command.split())
        for command in (
            f"ip address add {host}/30 dev eth0",
            "ip link set eth0 up",
            "ip link set lo up",
            f"ip route add default via {near}",
        ):
            _call(*enter, *command.split())
        yield Place(enter, host, near)
    finally:
        holder.kill()
        holder.wait()


def _reach(place: Place, address: str) -> None:
    """Fail where a firewall stands between a place and an address."""
    with socket.create_server((address, 0)) as server:
        _call(*place.enter, sys.executable, "-c", CONNECT, address, str(server.getsockname()[1]))


def _call(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
