"""Which representation of a body is its JSON."""

from __future__ import annotations

import re
from typing import Final

from router.interchange.place import Place

__all__ = ["JSON_TYPE", "json_schema_of"]

JSON_TYPE: Final = "application/json"

_JSON: Final = re.compile(r"application/(?:[^;\s]+\+)?json\s*(?:;.*)?\Z", re.IGNORECASE)


def json_schema_of(content: Place) -> Place | None:
    """The schema of the JSON in a ``content`` object: plain JSON first, then ``+json`` types.

    Nothing where no JSON is offered, or no schema given.

    Raises
    ------
    InterchangeError
        When the content is malformed.
    """
    offered = [(name, media) for name, media in content.members() if _JSON.match(name)]
    offered.sort(key=lambda item: item[0] != JSON_TYPE)
    for _, media in offered:
        schema = media.at("schema")
        if schema is not None:
            return schema
    return None
