"""What the names of a study promise: a protocol's and an arm's stand for numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

from pydantic_core import PydanticCustomError

from conditions.exposure import ConditionParameters
from conditions.preregistered import StateAware, StaticTopK

PREREGISTERED: Final = "0.14"
"""The protocol whose numbers are known here; a study of another states its own."""

_BY_NAME: Final = (StaticTopK.name, StateAware.name)


def promised(protocol: str, conditions: Iterable[str]) -> Mapping[str, Any]:
    """Return the numbers of the exposure that names fix (protocol, section 2).

    Parameters
    ----------
    protocol
        Its name: the preregistered one fixes every number.
    conditions
        The study's arms: the 5 in a name fixes the Top-K of both that bear it, under any protocol.
    """
    numbers = ConditionParameters()
    if protocol == PREREGISTERED:
        return {item.name: getattr(numbers, item.name) for item in fields(numbers)}
    return {"top_k": numbers.top_k} if set(conditions) & set(_BY_NAME) else {}


def at(key: str, message: str) -> PydanticCustomError:
    """Return an error about a key below the section whose validator raises it.

    Parameters
    ----------
    key
        Dotted, such as ``exposure.top_k``.
    message
        What is wrong, without a full stop.
    """
    return PydanticCustomError("at", "{message}", {"message": message, "key": key})
