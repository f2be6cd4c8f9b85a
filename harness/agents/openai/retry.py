"""Trying again: when it helps, how often, and how long to wait before it."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

T = TypeVar("T")

FIRST_PAUSE: Final = 0.5
"""Seconds; doubled with every attempt."""

LONGEST_PAUSE: Final = 60.0
"""Seconds of a pause that the server did not ask for."""

LONGEST_WAIT: Final = 600.0
"""Seconds that a server may ask for; beyond it the shard stops, which somebody then sees."""


class Fault(Exception):
    """The server did wrong; no outcome.

    Parameters
    ----------
    what
        What it did, as the rest of a sentence that begins with the server.
    remedy
        What to do about it.
    again
        Whether another attempt may help.
    retry_after
        Seconds that the server asks for.
    """

    def __init__(
        self,
        what: str,
        remedy: str = "See to the server, then run the same command again.",
        *,
        again: bool = True,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.again = again
        self.retry_after = retry_after


@dataclass(frozen=True)
class Patience:
    """How often and how fast to try again; time comes from outside."""

    retries: int
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.Random().random
    """From 0 to 1; spreads the attempts of clients that failed together."""

    def persist(self, attempt: Callable[[], T]) -> tuple[T, int]:
        """Call until it raises no `Fault`; return its result and the number of calls.

        Raises
        ------
        Fault
            The last one, with the number of attempts in it.
        """
        for number in range(1, self.retries + 2):
            try:
                return attempt(), number
            except Fault as fault:
                wait = self._pause(number, fault)
                if not fault.again or number > self.retries or wait > LONGEST_WAIT:
                    raise _counted(fault, number, wait) from None
                self.sleep(wait)
        raise Fault("was never asked", "Set agent.server.retries to 0 or more.", again=False)

    def _pause(self, number: int, fault: Fault) -> float:
        own = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(number - 1, 30))
        # Between half and all of it.
        own *= 1 - self.chance() / 2
        return own if fault.retry_after is None else max(own, fault.retry_after)


def _counted(fault: Fault, number: int, wait: float) -> Fault:
    asked = f", asking to be left alone for {wait:.0f} s" if wait > LONGEST_WAIT else ""
    tries = f" (attempt {number})" if number > 1 else ""
    return Fault(f"{fault.what}{asked}{tries}", fault.remedy, again=False)


def retry_after(
    headers: Mapping[str, str], *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> float | None:
    """Return the seconds that an answer's headers ask to wait, or None.

    ``Retry-After`` holds seconds or a date (RFC 9110, section 10.2.3); ``retry-after-ms`` is
    OpenAI's finer one.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            seconds = float(text) / unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    moment = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (moment - now()).total_seconds())
