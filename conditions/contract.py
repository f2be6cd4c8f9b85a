"""The frozen state contract: exactly twelve fields, all of them observable (protocol, section 3).

A state validates itself, so that none can exist that breaks the contract. Nothing here knows tasks,
gold routes, approvals, conditions or rankings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator

from conditions.error import StateError
from conditions.observation import VALUE_TYPES
from surface.failure import ERROR_CLASSES

__all__ = ["COMPLETED", "FAILED", "MARKER", "STATE_FIELDS", "State", "Status"]

MARKER: Final = "[EXECUTION_STATE]"
"""The line that separates a query from its state; no query may hold it."""

COMPLETED: Final = frozenset({"ok", "executed"})
"""Statuses of a call that did what it was asked."""

FAILED: Final = frozenset({"error", "blocked"})
"""Statuses of a call that did not; they alone have an error class."""

Status = Literal["not_run", "ok", "executed", "error", "blocked"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_REMEDY: Final = "Build states with empty_state and update_state."


def _well_formed(text: str) -> str:
    if _SURROGATE.search(text):
        raise StateError(
            f"The text {text!r} holds a lone surrogate, which UTF-8 cannot write.",
            "Give well-formed Unicode text.",
        )
    return text


def _query(text: str) -> str:
    if not text:
        raise StateError("The query is empty.", "Give the task's query.")
    if MARKER in text:
        raise StateError(
            f"The query holds {MARKER}, which separates a query from its state.",
            "Word the query without it.",
        )
    return text


def _unique(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(texts)) != len(texts):
        raise StateError(f"A list in a state holds a member twice: {list(texts)!r}.", _REMEDY)
    return texts


def _ascending(texts: tuple[str, ...]) -> tuple[str, ...]:
    # Python compares strings by code point, which is what the protocol asks for.
    if list(texts) != sorted(texts):
        raise StateError(
            f"A list in a state is not sorted by code point: {list(texts)!r}.", _REMEDY
        )
    return texts


def _is_qualifier(text: str) -> bool:
    key, _, value = text.partition("=")
    return bool(key and value)


def _member(known: Callable[[str], bool], kind: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not known(text):
            raise StateError(f"A state holds {text!r}, which is not {kind}.", _REMEDY)
        return text

    return check


Text = Annotated[str, AfterValidator(_well_formed)]
Query = Annotated[Text, AfterValidator(_query)]
ValueType = Annotated[Text, AfterValidator(_member(VALUE_TYPES.__contains__, "a JSON type"))]
Qualifier = Annotated[Text, AfterValidator(_member(_is_qualifier, "of the form key=value"))]
ErrorClass = Annotated[
    Text,
    AfterValidator(_member(ERROR_CLASSES.__contains__, "in the closed list of error classes")),
]
Unique = AfterValidator(_unique)
Ascending = AfterValidator(_ascending)


class State(BaseModel):
    """What a retriever may know about an episode; frozen, and valid whenever it exists.

    Raises
    ------
    StateError
        When a value breaks the contract.
    pydantic.ValidationError
        When a field is missing, unknown or of another type.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    original_query: Query
    """The user's query; fixed for the episode."""
    executed_registered_route_ids: Annotated[tuple[Text, ...], Unique]
    """Routes in the order of their first attempt that reached the endpoint."""
    observation_field_names: Annotated[tuple[Text, ...], Unique, Ascending]
    """Last keys of all fields observed so far."""
    observation_semantic_ids: Annotated[tuple[Text, ...], Unique, Ascending]
    """Registered semantic ids of fields that completed calls answered."""
    observation_value_types: Annotated[tuple[ValueType, ...], Unique, Ascending]
    """JSON types of all field values and array elements observed so far."""
    observation_units: Annotated[tuple[Text, ...], Unique, Ascending]
    """Registered units of fields that completed calls answered."""
    observation_dimensions: Annotated[tuple[Text, ...], Unique, Ascending]
    """Registered dimensions of fields that completed calls answered."""
    observation_qualifiers: Annotated[tuple[Qualifier, ...], Unique, Ascending]
    """Registered qualifiers, ``key=value``, of fields that completed calls answered."""
    stable_observed_identifiers: Annotated[tuple[Text, ...], Unique, Ascending]
    """Identifier values that completed calls answered; integers in decimal."""
    last_execution_status: Status
    """Status of the last tool turn's first call."""
    last_error_class: ErrorClass | None
    """Its error class, given exactly when it failed."""
    task_incomplete_boolean: bool
    """Whether the deterministic executor still waits for a step."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        failed = self.last_execution_status in FAILED
        if failed != (self.last_error_class is not None):
            raise StateError(
                f"The status {self.last_execution_status!r} and the error class "
                f"{self.last_error_class!r} contradict each other.",
                "Give an error class with the statuses error and blocked, and with no other.",
            )
        if self.last_execution_status == "not_run" and any(
            isinstance(value, tuple) and value for value in self.__dict__.values()
        ):
            raise StateError("A state in which nothing ran holds routes or observations.", _REMEDY)
        return self

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Build a state from its twelve fields.

        Raises
        ------
        StateError
            When a field is missing, unknown, of another type or breaks the contract.
        """
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise StateError(
                f"The state's field {place} is wrong: {first['msg']}.", _REMEDY
            ) from error


STATE_FIELDS: Final = tuple(State.model_fields)
"""The twelve field names in the order of the protocol's table."""
