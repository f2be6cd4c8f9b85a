from __future__ import annotations

from typing import Any

import pytest

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.interchange import InterchangeError, openai_from_tool, tool_from_openai

FUNCTION: dict[str, Any] = {
    "name": "get_weather",
    "description": "The weather of a place",
    "parameters": {
        "type": "object",
        "properties": {
            "place": {"type": "string", "description": "City", "x-semantic-id": "city.name"}
        },
        "required": ["place"],
    },
}
IMPORTED = EndpointSpec(
    name="get_weather",
    description="The weather of a place",
    parameters=(
        ParameterSpec(
            name="place",
            description="City",
            required=True,
            json_schema={"type": "string"},
            semantic_id="city.name",
        ),
    ),
    input_schema={
        "type": "object",
        "properties": {"place": {"type": "string", "description": "City"}},
        "required": ["place"],
    },
)


@pytest.mark.parametrize("listed", [
    {"type": "function", "function": {**FUNCTION, "strict": True}},
    {"type": "function", **FUNCTION, "strict": None},
    FUNCTION,
])  # fmt: skip
def test_each_form_of_a_list_becomes_a_tool(listed: dict[str, Any]) -> None:
    tool = tool_from_openai("assistant", [listed], description="D", namespace="n")
    assert tool == ToolSpec(name="assistant", description="D", namespace="n", endpoints=(IMPORTED,))


def test_a_tool_becomes_chat_functions_without_what_the_form_has_no_place_for() -> None:
    endpoint = IMPORTED.model_copy(
        update={"read_only": True, "output_fields": (FieldSpec(name="celsius"),)}
    )
    assert openai_from_tool(ToolSpec(name="assistant", endpoints=(endpoint,))) == [
        {"type": "function", "function": FUNCTION}
    ]


def test_a_function_without_arguments() -> None:
    bare = {"type": "function", "function": {"name": "now"}}
    tool = tool_from_openai("t", [bare])
    assert tool.endpoints == (EndpointSpec(name="now"),)
    assert openai_from_tool(tool) == [bare]


@pytest.mark.parametrize(("document", "pointer", "what"), [
    ({}, "", "should be an array"),
    ([{"type": "web_search"}], "/0/type", "'web_search' is not a function"),
    ([{"type": "function", "function": {}}], "/0/function", "no 'name'"),
    ([{"type": "function"}], "/0", "no 'name'"),
    ([{"name": "f", "parameters": []}], "/0/parameters", "should be an object"),
    ([{"name": "f", "parameters": {"required": [1]}}], "/0/parameters/required/0", "a string"),
    ([{"name": "f"}, {"name": "f"}], "/1", "second endpoint"),
])  # fmt: skip
def test_what_cannot_be_imported_is_named(document: Any, pointer: str, what: str) -> None:
    with pytest.raises(InterchangeError, match=what) as caught:
        tool_from_openai("t", document)
    assert caught.value.pointer == pointer


@pytest.mark.parametrize("name", ["find orders", "find.orders", "検索", "a" * 65, "a\n"])
def test_a_name_that_the_api_refuses_is_not_exported(name: str) -> None:
    tool = ToolSpec(name="t", endpoints=(EndpointSpec(name=name),))
    with pytest.raises(InterchangeError, match="no name of a function") as caught:
        openai_from_tool(tool)
    assert caught.value.pointer == "/endpoints/0/name"
