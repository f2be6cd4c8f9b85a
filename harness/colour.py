"""Colour on a terminal: it stresses words that say the same without it."""

from __future__ import annotations

import os
import re
from typing import Final, TextIO

_GOOD: Final = "\x1b[1;32m"
_BAD: Final = "\x1b[1;31m"
_PLAIN: Final = "\x1b[0m"

# Verdicts are words in capitals; those of a rule and of a check stand at either end of a line.
_VERDICT: Final = re.compile(
    r"(?P<bad>\bNOT PASSED\b|\bFAIL(?:ED)?\b|\b\d+ findings?$)"
    r"|(?P<good>\bPASSED\b|(?<=^  )pass(?=  [a-z])|(?<= )ok$|(?<=^  )ok(?=  ))"
)


def takes_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user wants colours (https://no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can do more than print line after line."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def coloured(line: str) -> str:
    """Return a line with its verdicts in colour."""
    return _VERDICT.sub(_stressed, line)


def _stressed(found: re.Match[str]) -> str:
    return f"{_BAD if found['bad'] else _GOOD}{found[0]}{_PLAIN}"
