"""From values to places in a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Scale:
    """A line from values to places, both ends included."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    @classmethod
    def around(
        cls, values: Iterable[float], *, start: float, end: float, holds: Iterable[float] = ()
    ) -> Self:
        """Return a scale that holds every value and everything in `holds`, with some room."""
        found = [*values, *holds]
        low, high = min(found, default=0.0), max(found, default=1.0)
        room = (high - low) * 0.06 or 0.5
        return cls(low - room, high + room, start, end)

    @classmethod
    def powers(cls, values: Iterable[float], *, start: float, end: float) -> Self:
        """Return a logarithmic scale that holds every positive value."""
        found = [value for value in values if value > 0]
        low, high = min(found, default=1.0), max(found, default=10.0)
        return cls(low / 1.3, high * 1.3, start, end, logarithmic=True)

    def __call__(self, value: float) -> float:
        """Return the place of a value, to a hundredth: enough for the eye, and few bytes."""
        low, high, at = self.low, self.high, value
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(max(value, self.low))
        return round(self.start + (at - low) / (high - low) * (self.end - self.start), 2)

    def ticks(self, about: int = 5) -> tuple[float, ...]:
        """Return round values inside the scale: about so many, or 1, 2 and 5 by powers of ten."""
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            found = (step * 10.0**power for power in powers for step in (1, 2, 5))
            return tuple(tick for tick in found if self.low <= tick <= self.high)
        rough = (self.high - self.low) / about
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * item for item in _STEPS if power * item >= rough)
        first = math.ceil(self.low / step)
        last = math.floor(self.high / step)
        # Multiples, not sums, so that a tenth is a tenth.
        return tuple(round(item * step, 10) for item in range(first, last + 1))
