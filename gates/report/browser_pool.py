"""Values that are stored once, however often episodes use them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Pool:
    """Different values in the order of their first use; place 0 is that of nothing."""

    values: list[Any] = field(default_factory=lambda: [None])
    _places: dict[Hashable, int] = field(default_factory=dict)

    def place(self, value: Hashable) -> int:
        """Return where a value stands, and put it there if it stands nowhere; None stands at 0."""
        if value is None:
            return 0
        found = self._places.get(value)
        if found is None:
            found = self._places[value] = len(self.values)
            self.values.append(value)
        return found
