"""Every logged state against the frozen contract of twelve fields (protocol, section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from conditions.error import StateError
from conditions.state import State, state_json
from gates.check import Check
from gates.consistency import Episodes
from gates.finding import episode_name
from harness.strict_json import strict_json


def state_contract(episodes: Episodes) -> Check:
    """Check that each state has exactly the twelve fields, valid and in their canonical form."""
    return Check.of(
        "state contract",
        sum(len(item.transitions) for item in episodes.values()),
        "states",
        _breaches(episodes),
    )


def _breaches(episodes: Episodes) -> Iterator[str]:
    # Arms that did the same were in the same states.
    valid: set[str] = set()
    for key, item in episodes.items():
        for row in item.transitions:
            text = row["state"]
            if text in valid:
                continue
            breach = _breach(text)
            if breach is None:
                valid.add(text)
            else:
                yield f"episode {episode_name(key)}, turn {row['turn']}: {breach}"


def _breach(text: str) -> str | None:
    """Return how a state breaks the contract, or None."""
    try:
        fields = strict_json(text)
        if not isinstance(fields, dict):
            return "the state is no object"
        state = State.of(
            {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        )
        canonical = state_json(state)
    except StateError as error:
        return error.what.rstrip(".")
    except ValueError as error:
        return f"the state is not readable JSON ({error})"
    return None if canonical == text else "the state is not in its canonical form"
