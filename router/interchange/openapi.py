"""From the operations of an OpenAPI 3.1 document to a tool."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from router.contract import EndpointSpec, ToolSpec
from router.interchange.arguments import read_arguments
from router.interchange.budget import Budget
from router.interchange.building import built, refuse_twice
from router.interchange.media import json_schema_of
from router.interchange.observation import read_observation
from router.interchange.place import Place
from router.interchange.request import read_request, request_schema
from router.interchange.schema import SchemaReader
from router.interchange.security import read_security

__all__ = ["DESTRUCTIVE", "METHODS", "READ_ONLY", "UNBOUND", "tool_from_openapi"]

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
READ_ONLY: Final = "x-read-only"
"""Whether an operation only reads; null takes back what its method says."""
DESTRUCTIVE: Final = "x-destructive"
"""Whether an operation destroys."""
UNBOUND: Final = "x-unbound"
"""True for an operation whose method and path were made up, because its endpoint has none."""


def tool_from_openapi(
    name: str,
    document: Any,
    *,
    namespace: str | None = None,
    operations: Collection[str] | None = None,
) -> ToolSpec:
    """Import an OpenAPI 3.1 document as one tool, each operation an endpoint.

    Parameters
    ----------
    name
        Name of the tool.
    document
        The parsed document.
    namespace
        Namespace of the tool.
    operations
        Names of the operations to import; all of them where it is None. Others are not read.

    Returns
    -------
    ToolSpec
        Endpoints in document order, named by ``operationId``; ``method_path`` where there is none.
        Parameters from path, query, header and cookie, and from the JSON body; output fields from
        the JSON of the first successful response that has one. GET only reads, unless
        ``x-read-only`` says otherwise; no other method says anything about effects.

    Raises
    ------
    InterchangeError
        When the document, or one of the operations, cannot be imported as it stands.
    """
    root = Place(document)
    version = root.need("openapi")
    if version.text().split(".")[:2] != ["3", "1"]:
        raise version.error(
            f"OpenAPI {version.text()[:80]!a} is not 3.1.", "Convert the document to 3.1."
        )
    budget = Budget()
    reader = SchemaReader(root, budget)
    wanted = None if operations is None else set(operations)
    endpoints = [
        (place, _endpoint(title, place, item, reader, budget))
        for title, place, item in _operations(root, reader, budget)
        if wanted is None or title in wanted
    ]
    refuse_twice(endpoints)
    missing = (wanted or set()) - {endpoint.name for _, endpoint in endpoints}
    if missing:
        raise root.error(
            f"The document has no operation {min(missing)[:80]!a}.", "Name one that it has."
        )
    info = root.at("info")
    return built(
        ToolSpec,
        root,
        name=name,
        namespace=namespace,
        description="" if info is None else info.optional_text("description"),
        endpoints=tuple(endpoint for _, endpoint in endpoints),
    )


class _PathItem:
    """A path with what its operations share."""

    def __init__(self, path: str, place: Place) -> None:
        self.path = path
        self.place = place
        listed = place.at("parameters")
        self.parameters = [] if listed is None else listed.items()


def _operations(
    root: Place, reader: SchemaReader, budget: Budget
) -> Iterator[tuple[str, Place, _PathItem]]:
    """Name and place of each operation, and its path."""
    paths = root.at("paths")
    for path, listed in () if paths is None else paths.members():
        budget.spend(listed)
        if path.startswith("x-"):
            continue
        item = _PathItem(path, reader.resolve(listed))
        for key, operation in item.place.members():
            if key not in METHODS:
                continue
            budget.spend(operation)
            title = operation.at("operationId")
            # The name of an unnamed operation as the published package makes it.
            unnamed = f"{key}_{path.strip('/').replace('/', '_') or 'root'}"
            yield (unnamed if title is None else title.name()), operation, item


def _endpoint(
    name: str, place: Place, item: _PathItem, reader: SchemaReader, budget: Budget
) -> EndpointSpec:
    read_only = place.optional_flag(READ_ONLY)
    if place.optional_flag(UNBOUND):
        body = request_schema(place, reader)
        members = {} if body is None else read_arguments(body, reader)
    else:
        method = place.keys[-1]
        members = read_request(place, item.parameters, reader, budget)
        members |= {"method": method.upper(), "path": item.path}
        if method == "get" and place.at(READ_ONLY) is None:
            read_only = True
    output = _output(place, reader)
    if output is not None:
        members |= read_observation(output, reader)
    notes = [place.optional_text(key) for key in ("summary", "description")]
    return built(
        EndpointSpec,
        place,
        name=name,
        description="\n\n".join(note for note in notes if note),
        read_only=read_only,
        destructive=place.optional_flag(DESTRUCTIVE),
        auth_requirements=read_security(reader.document, place, reader),
        **members,
    )


def _output(operation: Place, reader: SchemaReader) -> Place | None:
    """The JSON schema of the first success: by status code, then ``2XX``."""
    listed = operation.at("responses")
    if listed is None:
        return None
    successes = [
        (status.upper(), place)
        for status, place in listed.members()
        if len(status) == 3 and status[0] == "2"
    ]
    for _, response in sorted(successes, key=lambda success: success[0]):
        content = reader.resolve(response).at("content")
        schema = None if content is None else json_schema_of(content)
        if schema is not None:
            return schema
    return None
