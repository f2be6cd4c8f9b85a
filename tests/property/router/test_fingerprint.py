"""The quick way to a tool's document gives what Pydantic gives."""

from __future__ import annotations

from typing import Any

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from router import EndpointSpec, ParameterSpec, ToolSpec, UnitNormalizationSpec, sha256_hex
from router.contract import FieldSpec
from router.fingerprint import FINGERPRINT_VERSION, catalog_fingerprint
from tests.property.router.strategies import json_values, names, prose, tools

schemas = st.dictionaries(prose, json_values, max_size=3)
rich = st.builds(
    EndpointSpec,
    name=names,
    parameters=st.lists(
        st.builds(
            ParameterSpec,
            name=names,
            json_schema=schemas,
            location=st.sampled_from(["path", "query", "argument"]),
            explode=st.none() | st.booleans(),
            aliases=st.lists(names, max_size=2).map(tuple),
            qualifiers=st.dictionaries(names, names, max_size=2),
        ),
        max_size=2,
        unique_by=lambda item: item.name,
    ).map(tuple),
    output_fields=st.lists(
        st.builds(
            FieldSpec,
            name=names,
            path=st.lists(names, min_size=1, max_size=2).map(tuple),
            json_schema=schemas,
            unit=st.just("kg"),
            unit_normalization=st.none()
            | st.just(UnitNormalizationSpec(dimension="mass", canonical_unit="g")),
        ),
        max_size=2,
        unique_by=lambda item: item.pointer,
    ).map(tuple),
    input_schema=schemas,
    output_schema=schemas,
    execution_metadata=schemas,
    read_only=st.none() | st.booleans(),
)
catalogs = st.lists(
    tools
    | st.builds(
        ToolSpec,
        name=names,
        namespace=st.none() | st.just("space"),
        endpoints=st.lists(rich, max_size=3, unique_by=lambda item: item.name).map(tuple),
        execution_metadata=schemas,
        metadata=st.just({"owner": object()}),
    ),
    max_size=3,
    unique_by=lambda item: item.key,
)


def document(tool: ToolSpec) -> dict[str, Any]:
    endpoints = [
        endpoint.model_copy(
            update={
                "parameters": tuple(sorted(endpoint.parameters, key=lambda item: item.name)),
                "output_fields": tuple(
                    sorted(endpoint.output_fields, key=lambda item: item.pointer)
                ),
            }
        )
        for endpoint in sorted(tool.endpoints, key=lambda item: item.name)
    ]
    return tool.model_copy(update={"endpoints": tuple(endpoints)}).model_dump(
        exclude_defaults=True,
        exclude={"metadata": True, "endpoints": {"__all__": {"metadata": True}}},
    )


@given(catalogs)
def test_a_fingerprint_is_that_of_the_dumped_records(listed: list[ToolSpec]) -> None:
    rows = [document(tool) for tool in sorted(listed, key=lambda item: item.key)]
    expected = sha256_hex(rfc8785.dumps({"version": FINGERPRINT_VERSION, "tools": rows}))
    assert catalog_fingerprint(listed) == expected
