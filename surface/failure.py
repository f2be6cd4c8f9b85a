"""The closed list of error classes (protocol, sections 3 and 4).

An error text is ``class`` or ``class: explanation``. A class names what happened to the call and
never a tool, so that neither an agent nor a retriever learns from it what exists.
"""

from __future__ import annotations

from typing import Final

TURNED_AWAY: Final = frozenset(
    {
        "unavailable_tool",
        "schema_invalid",
        "destructive_policy_block",
        "parallel_tool_call_requires_observation",
    }
)
"""The call never reached its endpoint."""

TRANSIENT: Final = frozenset(
    {"rate_limited", "transient_backend", "upstream_timeout", "service_unavailable"}
)
"""The same call may succeed when it is made again."""

PRECONDITION: Final = frozenset({"lock_conflict", "expired_session", "stale_version"})
"""Another call has to restore something first; then the same call may succeed."""

PERMANENT: Final = frozenset({"provider_suspended", "quota_exhausted", "region_unsupported"})
"""The call will not succeed here; another provider may."""

SCRIPTABLE: Final = TRANSIENT | PRECONDITION | PERMANENT
"""What a task may script as the answer of a step."""

RETRIABLE: Final = TRANSIENT | PRECONDITION
"""After these the route that failed is still needed."""

ERROR_CLASSES: Final = TURNED_AWAY | SCRIPTABLE | {"not_found"}
"""Every class that can stand in a log."""


def error_class(error: str) -> str:
    """Return the class of an error text: what stands before its first colon.

    Raises
    ------
    ValueError
        If the class is not in the closed list.
    """
    name = error.split(":", 1)[0].strip()
    if name not in ERROR_CLASSES:
        raise ValueError(f"{name!r} is not in the closed list of error classes")
    return name
