"""Making records of what was read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from router.contract import EndpointSpec
from router.interchange.place import Place

__all__ = ["built", "refuse_twice"]

Model = TypeVar("Model", bound=BaseModel)


def built(model: type[Model], place: Place, **members: Any) -> Model:
    """A record made of what was read at a place.

    Raises
    ------
    InterchangeError
        When the record refuses it.
    """
    try:
        return model(**members)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise place.error(
            f"This makes no {model.__name__}: {problem['msg']}{where and f' ({where})'}.",
            "Correct the document.",
        ) from error


def refuse_twice(endpoints: Iterable[tuple[Place, EndpointSpec]]) -> None:
    """Refuse two endpoints of one name.

    Raises
    ------
    InterchangeError
        At the second of them. Nothing is renamed: a suffix would depend on the order.
    """
    seen: set[str] = set()
    for place, endpoint in endpoints:
        if endpoint.name in seen:
            raise place.error(
                f"A second endpoint is named {endpoint.name[:80]!a}.", "Rename one of them."
            )
        seen.add(endpoint.name)
