"""Names and descriptions of endpoints: distinct, without filler, fit for every provider."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.validation.problem import Problem

DESTRUCTIVE: Final = "Destructive: "
"""What the description of a destructive endpoint, and of no other, begins with."""

_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")
_NUMBERED: Final = re.compile(r"(_[0-9]+|[0-9]{2,})\Z")
_FILLER: Final = re.compile(
    r"(?<![a-z])(auxiliary|dummy|filler|placeholder|lorem|foobar|foo|miscellaneous|todo|tbd)(?![a-z])"
)


def tool_name(route: str) -> str:
    """Return what a route is called toward a provider: ``service__operation``."""
    return route.replace(".", "__")


def check_tool_names(snapshot: CatalogSnapshot) -> Iterator[Problem]:
    """Prove that every route has a valid tool name that leads back to it alone."""
    owners: dict[str, str] = {}
    for route in snapshot.routes:
        name = tool_name(route)
        if not _TOOL_NAME.match(name):
            yield Problem(
                route,
                f"The tool name {name!r} is not valid for every provider.",
                "Use 1 to 64 letters, digits, underscores and hyphens.",
            )
        elif route.count(".") != 1 or name.split("__") != route.split("."):
            yield Problem(
                route,
                f"The tool name {name!r} does not lead back to the route.",
                "Use no second dot, no double underscore, and none at the end of a service.",
            )
        if owners.setdefault(name, route) != route:
            yield Problem(
                route, f"The tool name {name!r} is that of {owners[name]} too.", "Rename one."
            )


def check_descriptions(snapshot: CatalogSnapshot) -> Iterator[Problem]:
    """Find descriptions that stand twice, filler, and destructive endpoints that do not say so."""
    seen: dict[str, str] = {}
    for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True):
        plain = endpoint.description.removeprefix(DESTRUCTIVE)
        key = _plain(plain)
        if seen.setdefault(key, route) != route:
            yield Problem(
                route,
                f"The description is that of {seen[key]} too.",
                "Say what tells the two apart.",
            )
        yield from _filler(route, endpoint.name, plain)
        if bool(endpoint.destructive) != endpoint.description.startswith(DESTRUCTIVE):
            yield Problem(
                route,
                f"A description begins with {DESTRUCTIVE!r} exactly when its endpoint is "
                "destructive.",
                "Correct the endpoint's effect or its description.",
            )
        if endpoint.destructive and endpoint.read_only:
            yield Problem(route, "The endpoint is destructive and read-only.", "Choose one.")
    for name, tool in snapshot.tools.items():
        key = _plain(tool.description)
        if seen.setdefault(key, name) != name:
            yield Problem(
                name, f"The description is that of {seen[key]} too.", "Say what the service is."
            )
        yield from _filler(name, name, tool.description)


def _filler(place: str, name: str, description: str) -> Iterator[Problem]:
    if _NUMBERED.search(name):
        yield Problem(place, f"The name {name!r} is numbered.", "Name what it does.")
    found = _FILLER.search(_plain(f"{name.replace('_', ' ')} {description}"))
    if found:
        yield Problem(
            place,
            f"{found[0]!r} is filler.",
            "Write it as a product that somebody sells would.",
        )


def _plain(text: str) -> str:
    """Return a text as it is compared: casefolded words without punctuation."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
