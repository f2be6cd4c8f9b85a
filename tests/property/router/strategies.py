"""Catalogs and texts that mix scripts, names that collide in parts, and empty descriptions."""

from __future__ import annotations

from hypothesis import strategies as st

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec

_WORDS = ["find", "orders", "order", "cancel", "größe", "kg", "주문", "注文", "キャンセル", "заказ"]

names = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map("_".join)
prose = st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join)
texts = st.one_of(
    prose,
    st.tuples(names, names).map(".".join),
    st.text(max_size=80),
    st.tuples(prose, st.text(max_size=20)).map("".join),
)

parameters = st.builds(ParameterSpec, name=names, description=prose, required=st.booleans())
fields = st.builds(FieldSpec, name=names, description=prose)
endpoints = st.builds(
    EndpointSpec,
    name=names,
    description=prose,
    parameters=st.lists(parameters, max_size=2, unique_by=lambda item: item.name).map(tuple),
    output_fields=st.lists(fields, max_size=2, unique_by=lambda item: item.name).map(tuple),
)
tools = st.builds(
    ToolSpec,
    name=names,
    description=prose,
    endpoints=st.lists(endpoints, max_size=4, unique_by=lambda item: item.name).map(tuple),
)
catalogs = st.lists(tools, max_size=4, unique_by=lambda item: item.name)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-(2.0**53) + 1, 2.0**53 - 1, allow_nan=False)
    | st.text()
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner)
)
"""Values with a canonical form that reads back as itself."""
