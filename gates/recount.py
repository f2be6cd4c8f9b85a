"""Tools as they stand in a prompt, written anew from the catalog, with their tokens and hashes.

A rule of the gate rests on their tokens. Only the tokenizer is the harness's, since the protocol
pins it (section 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.tokens import count_tokens
from router.canonical import canonical_json, digest, sha256_hex
from router.snapshot import CatalogSnapshot


@dataclass(frozen=True)
class Prompted:
    """The tools of one exposure."""

    tokens: int
    """Tokens of all their schemas."""
    sha256: str
    """Hash of the list of their hashes, in the order in which they are shown."""


@dataclass
class Tools:
    """The tools of one catalog."""

    snapshot: CatalogSnapshot
    texts: Mapping[str, str] = field(init=False)
    """Canonical JSON by route, as the chat API takes a tool."""
    tokens: Mapping[str, int] = field(init=False)
    known: dict[tuple[str, ...], Prompted] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = {
            route: canonical_json(
                {
                    "type": "function",
                    "function": {
                        "name": route.replace(".", "__"),
                        "description": endpoint.description,
                        "parameters": endpoint.input_schema,
                    },
                }
            ).decode()
            for route, endpoint in zip(self.snapshot.routes, self.snapshot.endpoints, strict=True)
        }
        self.tokens = {route: count_tokens(text) for route, text in self.texts.items()}

    def prompted(self, exposure: Sequence[str]) -> Prompted:
        """Return what an exposure puts into a prompt.

        A route of no tool puts nothing there; that it was exposed is another check's finding.
        """
        routes = tuple(exposure)
        found = self.known.get(routes)
        if found is None:
            held = [route for route in routes if route in self.texts]
            found = Prompted(
                sum(self.tokens[route] for route in held),
                digest([sha256_hex(self.texts[route].encode()) for route in held]),
            )
            self.known[routes] = found
        return found
