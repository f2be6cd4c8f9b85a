"""Between the schema of what an endpoint answers and its output fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from router.contract import EndpointSpec, FieldSpec
from router.interchange.arguments import written_schema
from router.interchange.budget import Budget
from router.interchange.building import built
from router.interchange.extension import is_typed, take_typing, write_typing
from router.interchange.place import Place
from router.interchange.schema import SchemaReader, as_object

__all__ = ["observation_schema", "read_observation"]

_ITEMS = "[]"

Path = tuple[str, ...]


class _Node(NamedTuple):
    """A schema within the schema of an observation."""

    path: Path
    schema: dict[str, Any]
    leaf: bool
    """Nothing below it has a path of its own."""
    around: dict[str, Any] | None
    """The schema of the array whose items these are."""

    @property
    def is_field(self) -> bool:
        """A field stands where a schema is typed, and where nothing stands below.

        The plain items of an array that is typed itself are part of it.
        """
        covered = self.around is not None and is_typed(self.around)
        return self.path != (_ITEMS,) and (is_typed(self.schema) or (self.leaf and not covered))


def read_observation(place: Place, reader: SchemaReader) -> dict[str, Any]:
    """``output_fields`` and ``output_schema`` of an endpoint, from the schema of what it answers.

    Fields are the plain values at any depth (``items[].order_id``), and whatever is typed. All
    alternatives (``allOf``, ``anyOf``, ``oneOf``) are looked into. The output schema is the schema
    as it stands, with its references followed and without the typing and descriptions that the
    fields carry.

    Raises
    ------
    InterchangeError
        When it is no schema, or one field is typed in two ways.
    """
    schema = reader.read(place)
    everywhere: defaultdict[Path, list[_Node]] = defaultdict(list)
    for node in _nodes(schema, place):
        everywhere[node.path].append(node)
    declared = {
        path: [node for node in nodes if node.is_field] for path, nodes in everywhere.items()
    }
    taken = {path: _taken(nodes, path, place) for path, nodes in declared.items() if nodes}
    fields = []
    for path, members in taken.items():
        first, *others = (node.schema for node in everywhere[path])
        fields.append(
            built(
                FieldSpec,
                place,
                name=path[-1].removesuffix(_ITEMS),
                path=path,
                # Alternatives that differ leave open what the field holds.
                json_schema=first if all(other == first for other in others) else {},
                **members,
            )
        )
    return {"output_fields": tuple(fields), "output_schema": schema}


def observation_schema(endpoint: EndpointSpec, place: Place, budget: Budget) -> dict[str, Any]:
    """The schema of what an endpoint answers, with what its fields declare; empty for nothing.

    The output schema is the base; what it lacks of a field is added.

    Raises
    ------
    InterchangeError
        When the output schema, or a field's, cannot be read, or a field has no place in it.
    """
    schema = written_schema(endpoint.output_schema, place.child("output_schema", None), budget)
    # Of several alternatives the one that is read back as a field.
    nodes = sorted(_nodes(schema, place), key=lambda node: not node.leaf)
    known = {node.path: node.schema for node in reversed(nodes)}
    for index, field in enumerate(endpoint.output_fields):
        here = place.child("output_fields", None).child(str(index), None)
        path = field.path or (field.name,)
        if path not in known:
            value = written_schema(field.json_schema, here.child("json_schema", None), budget)
            known[path] = _placed(schema, path, value, here)
        if field.description:
            known[path]["description"] = field.description
        write_typing(known[path], field)
    return schema


def _taken(nodes: list[_Node], path: Path, place: Place) -> dict[str, Any]:
    """Description and typing of a field, removed from the schemas that declare it."""
    typings = []
    description = ""
    for node in nodes:
        # An array is often described where its items are not.
        above = node.around or {}
        description = (
            description or node.schema.pop("description", "") or above.get("description", "")
        )
        node.schema.pop("description", None)
        typing = take_typing(node.schema)
        if typing and typing not in typings:
            typings.append(typing)
    if len(typings) > 1:
        raise place.error(
            f"The field {'.'.join(path)[:80]!a} is typed in two ways.", "Type it in one."
        )
    return {"description": description, **(typings[0] if typings else {})}


def _nodes(root: dict[str, Any], place: Place) -> Iterator[_Node]:
    """Every schema that has a path, in document order.

    Raises
    ------
    InterchangeError
        When a property's name ends like the mark of an array.
    """
    pending = [_Node((), root, False, None)]
    while pending:
        node = pending.pop()
        below = list(_below(node))
        if any(item.around is None and item.path[-1].endswith(_ITEMS) for item in below):
            raise place.error(
                f"A property's name ends with {_ITEMS!r}, which marks arrays.", "Rename it."
            )
        if node.path:
            yield node._replace(leaf=not below)
        pending.extend(reversed(below))


def _below(node: _Node) -> Iterator[_Node]:
    """The properties of an object and the items of an array, in every alternative."""
    alternatives = [node.schema]
    # An array of arrays is walked once: its items are plain values.
    is_items = bool(node.path) and node.path[-1].endswith(_ITEMS)
    while alternatives:
        schema = alternatives.pop(0)
        properties = schema.get("properties", {})
        for name, value in properties.items():
            properties[name] = as_object(value)
            yield _Node((*node.path, name), properties[name], False, None)
        items = schema.get("items")
        if isinstance(items, dict) and not is_items:
            last = node.path[-1] if node.path else ""
            yield _Node((*node.path[:-1], last + _ITEMS), items, False, schema)
        for key in ("allOf", "anyOf", "oneOf"):
            alternatives += [item for item in schema.get(key, ()) if isinstance(item, dict)]


def _placed(
    root: dict[str, Any], path: Path, value: dict[str, Any], place: Place
) -> dict[str, Any]:
    """Put a field's schema where its path leads, with the objects and arrays on the way."""
    schema = root
    for depth, part in enumerate(path, start=1):
        last = value if depth == len(path) else {}
        name = part.removesuffix(_ITEMS)
        steps = [("properties", "object")] if name else []
        if name != part:
            steps.append(("items", "array"))
        for keyword, kind in steps:
            if schema.setdefault("type", kind) != kind or not isinstance(
                schema.get(keyword, {}), dict
            ):
                raise place.error(
                    f"The field {'.'.join(path)[:80]!a} has no place in the output schema.",
                    "Correct its path or the schema.",
                )
            child = last if keyword == steps[-1][0] else {}
            if keyword == "items":
                schema = schema.setdefault("items", child)
            else:
                schema = schema.setdefault("properties", {}).setdefault(name, child)
    return schema
