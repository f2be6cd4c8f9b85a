from __future__ import annotations

import pytest

from harness.error import ConfigError
from harness.toolname import tool_name, tool_names


def test_names_lead_back_to_routes() -> None:
    assert tool_names(["a.b", "a.c"]) == {"a__b": "a.b", "a__c": "a.c"}


def test_two_routes_with_one_name_are_refused() -> None:
    assert tool_name("a.b") == tool_name("a__b")
    with pytest.raises(ConfigError, match="one tool name"):
        tool_names(["a.b", "a__b"])


@pytest.mark.parametrize("route", ["a.b c", "ä.b", "a." + "b" * 64])
def test_a_name_that_a_provider_would_refuse_is_refused(route: str) -> None:
    with pytest.raises(ConfigError, match="no valid tool name"):
        tool_names([route])
