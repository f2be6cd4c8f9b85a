"""A tool as the agent reads it: what it does, and what each parameter wants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from harness.agents.protocol import ToolSchema
from harness.agents.reference.glossary import load_glossary, phrases
from harness.agents.reference.observation import singular
from harness.agents.reference.pattern import is_specific
from harness.agents.reference.quantity import noted_unit
from harness.agents.reference.words import normalise, tokens

ParameterKind = Literal[
    "array", "boolean", "date", "datetime", "email", "enum", "identifier", "number", "object",
    "prose", "search", "text", "time", "unsupported",
]  # fmt: skip

DESTRUCTIVE: Final = "Destructive: "
"""How the description of a destructive tool begins."""
_FORMATS: Final[Mapping[str, ParameterKind]] = {
    "date": "date", "date-time": "datetime", "email": "email", "time": "time",
}  # fmt: skip
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "$id", "$anchor"})
_GENERAL: Final = frozenset({"id"})
_OPENING: Final = 2
"""Words of a description in which its verb stands."""
_NOTE: Final = re.compile(r"\(unit:[^()]*\)")


@dataclass(frozen=True, eq=False)
class ParameterView:
    """One parameter."""

    name: str
    required: bool
    kind: ParameterKind
    schema: Mapping[str, Any]
    """Its JSON Schema; for an array the schema of the items."""
    base_type: str
    unit: str | None
    concepts: frozenset[str]
    topics: frozenset[str]
    """Its concepts without those that every identifier has."""
    about: frozenset[str]
    """For an enum the concepts that its members may merely repeat: its own and its tool's."""
    stem: str
    """Its name without the mark of the plural."""
    cue: str | None
    """The direction in its name: from, to, min or max."""
    signature: str
    """Equal for parameters that want the same."""

    @property
    def item(self) -> ParameterView:
        """The parameter as if it wanted one value of its array."""
        return view_parameter(self.name, self.schema, required=self.required)


@dataclass(frozen=True, eq=False)
class ToolView:
    """One tool."""

    tool: ToolSchema
    service: frozenset[str]
    operation: frozenset[str]
    description: frozenset[str]
    named: frozenset[str]
    """Concepts of the parameters."""
    concepts: frozenset[str]
    """All of these together."""
    required: tuple[ParameterView, ...]
    optional: tuple[ParameterView, ...]
    act: frozenset[str]
    """What it does: the verb that its operation begins with and the one of its description."""
    destructive: bool
    callable: bool
    """Whether its schema has a form that the agent can fill and check."""

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.name

    @property
    def provider(self) -> str:
        """The part of the name before the operation."""
        return provider_of(self.tool.name)


def provider_of(name: str) -> str:
    """Return the service in a tool's name."""
    return name.partition("__")[0]


def operation_of(name: str) -> str:
    """Return the operation in a tool's name; the whole name if it has no service."""
    service, mark, operation = name.partition("__")
    return operation if mark else service


@lru_cache(maxsize=4096)
def view_tool(tool: ToolSchema) -> ToolView:
    """Read a tool; kept by the tool's content, as it depends on nothing else."""
    glossary = load_glossary()
    schema = tool.parameters
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    sound = (
        schema.get("type", "object") == "object"
        and isinstance(properties, Mapping)
        and isinstance(required, list | tuple)
        and all(isinstance(part, Mapping) for part in properties.values())
        and all(isinstance(name, str) and name in properties for name in required)
        and not _references(schema)
    )
    service = frozenset(glossary.english(provider_of(tool.name)))
    operation = frozenset(glossary.english(operation_of(tool.name)))
    description = frozenset(glossary.english(tool.description.removeprefix(DESTRUCTIVE)))
    views = (
        tuple(
            view_parameter(name, part, required=name in required, tool=operation | description)
            for name, part in sorted(properties.items())
        )
        if sound
        else ()
    )
    named = frozenset[str]().union(*(view.concepts for view in views))
    return ToolView(
        tool=tool,
        service=service,
        operation=operation,
        description=description,
        named=named,
        concepts=service | operation | description | named,
        required=tuple(view for view in views if view.required),
        optional=tuple(view for view in views if not view.required),
        act=_act(tool, operation),
        destructive=tool.description.startswith(DESTRUCTIVE),
        callable=sound,
    )


def _act(tool: ToolSchema, operation: frozenset[str]) -> frozenset[str]:
    """Return what a tool does; "reservation" in ``cancel_reservation`` is what it is done to."""
    glossary = load_glossary()
    opening = " ".join(tool.description.removeprefix(DESTRUCTIVE).split()[:_OPENING])
    first = operation_of(tool.name).partition("_")[0]
    verbs = {c for c in glossary.english(opening) if glossary.kind(c) == "verb"}
    own = {c for c in glossary.english(first) if glossary.kind(c) in {"verb", "word"}}
    return frozenset(own | verbs) or operation


def view_parameter(
    name: str,
    schema: Mapping[str, Any],
    *,
    required: bool,
    tool: frozenset[str] = frozenset(),
) -> ParameterView:
    """Read one parameter's schema; `tool` holds the concepts of what its tool does."""
    description = schema.get("description")
    description = description if isinstance(description, str) else ""
    items = schema.get("items")
    base = _base_type(schema)
    kind = _kind(name, description, schema, base)
    words = f"{name} {_NOTE.sub('', description)}"
    unit = noted_unit(description)
    inner: Mapping[str, Any] = schema
    if kind == "array":
        if not isinstance(items, Mapping):
            kind = "unsupported"
            items = {}
        inner = {"description": description, **items}
    concepts = frozenset(load_glossary().english(words))
    about = concepts | tool if kind == "enum" else concepts
    return ParameterView(
        name=name,
        required=required,
        kind=kind,
        schema=inner,
        base_type=base,
        unit=unit,
        concepts=concepts,
        topics=concepts - _GENERAL,
        about=about,
        stem=singular(name),
        cue=_cue(name),
        signature="\0".join(
            (name, kind, base, str(unit), description, repr(inner), repr(sorted(about)))
        ),
    )


def _base_type(schema: Mapping[str, Any]) -> str:
    declared = schema.get("type")
    if isinstance(declared, list | tuple):
        declared = next((name for name in declared if name != "null"), None)
    return declared if isinstance(declared, str) else "string"


def _kind(name: str, description: str, schema: Mapping[str, Any], base: str) -> ParameterKind:
    pattern, form = schema.get("pattern"), schema.get("format")
    if "const" in schema or (isinstance(schema.get("enum"), list | tuple) and schema["enum"]):
        return "enum"
    if base in {"number", "integer"}:
        return "identifier" if name.endswith("_id") else "number"
    simple: Mapping[str, ParameterKind] = {
        "boolean": "boolean", "array": "array", "object": "object", "string": "text",
    }  # fmt: skip
    kind = simple.get(base, "unsupported")
    if kind != "text":
        return kind
    if isinstance(form, str) and form in _FORMATS:
        return _FORMATS[form]
    if (isinstance(pattern, str) and is_specific(pattern)) or name.endswith("_id"):
        return "identifier"
    if set(phrases(load_glossary().tables["search"])) & set(tokens(normalise(name))):
        return "search"
    prose = phrases(load_glossary().tables["prose"])
    words = tokens(normalise(f"{name.replace('_', ' ')} {description}"))
    return "prose" if any(word in prose for word in words) else "text"


def _cue(name: str) -> str | None:
    words = set(tokens(normalise(name.replace("_", " "))))
    for cue, table in load_glossary().tables["direction"].items():
        if words & set(phrases(table["names"])):
            return str(cue)
    return None


def _references(schema: object) -> bool:
    """Whether a schema refers to another; such a tool is not called."""
    parts: Iterable[object] = ()
    if isinstance(schema, Mapping):
        if _REFERENCES & schema.keys():
            return True
        parts = schema.values()
    elif isinstance(schema, list | tuple):
        parts = schema
    return any(_references(part) for part in parts)
