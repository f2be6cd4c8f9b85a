"""What the plant did, as opposed to what the agent did (protocol, section 4).

An outcome is an `EpisodeRecord` and goes to the episode log. A failure is a `Failure`, comes from
an exception of the plant alone and goes to the attempt ledger. Neither can be made of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from harness.error import InfrastructureError

PlantError: TypeAlias = InfrastructureError | OSError | MemoryError | KeyboardInterrupt
"""What ends an attempt and no episode. An overflowing context is none: it is an outcome."""

PLANT_ERRORS: Final = (InfrastructureError, OSError, MemoryError, KeyboardInterrupt)
"""The same for an ``except`` clause."""


@dataclass(frozen=True)
class Failure:
    """Why an attempt ended early."""

    kind: str
    """Class of what happened."""
    message: str

    @classmethod
    def of(cls, error: PlantError) -> Failure:
        """Return the failure that an error of the plant stands for."""
        if isinstance(error, KeyboardInterrupt):
            return cls(type(error).__name__, "The process was asked to end.")
        return cls(type(error).__name__, str(error))


KILLED: Final = Failure("Killed", "The process ended without a word.")
"""Of an attempt that left no end: its process was killed, or its machine stopped."""
