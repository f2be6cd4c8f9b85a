"""Schema tokens, counted once more from the catalog: a rule of the gate rests on them.

The tool that stands in a prompt is written here anew, as the chat API takes it. Only the tokenizer
is the harness's, since the protocol pins it (section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gates.finding import episode_name
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from harness.tokens import count_json
from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog


def miscounts(
    episodes: Mapping[EpisodeKey, EpisodeRows], catalogs: Mapping[int, Catalog]
) -> Iterator[str]:
    """Yield every turn whose schema tokens are not the sum over its exposed tools.

    Parameters
    ----------
    episodes
        The verified rows by key.
    catalogs
        The catalogs by size.
    """
    tokens = {size: tool_tokens(catalog.snapshot) for size, catalog in catalogs.items()}
    for key, item in episodes.items():
        of_tool = tokens[key.catalog_size]
        for row in item.turns:
            # A route of no tool has none; that it was exposed is another check's finding.
            if row["schema_tokens"] != sum(of_tool.get(route, 0) for route in row["exposure"]):
                yield f"episode {episode_name(key)}, turn {row['turn']}: other schema tokens"


def tool_tokens(snapshot: CatalogSnapshot) -> dict[str, int]:
    """Return the tokens of each tool's canonical JSON, by route."""
    return {
        route: count_json(
            {
                "type": "function",
                "function": {
                    "name": route.replace(".", "__"),
                    "description": endpoint.description,
                    "parameters": endpoint.input_schema,
                },
            }
        )
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
    }
