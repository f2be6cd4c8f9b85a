"""Plain scalars of YAML 1.2's core schema: what an unquoted text means."""

from __future__ import annotations

import math
import re
from typing import Final

MAX_INTEGER: Final = 2**53 - 1
"""Greatest integer that canonical JSON can write."""

_BOOLEAN: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NULL: Final = {"", "~", "null", "Null", "NULL"}
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_DOUBTFUL: Final = re.compile(
    r"[-+]?(0[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?|0[xo][0-9a-f]+|\.(inf|nan))\Z", re.I
)


class ScalarError(ValueError):
    """A plain scalar that is refused: it has two readings, or no exact one."""


def resolve(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar; whatever is no number, boolean or null stays a text.

    Raises
    ------
    ScalarError
        For leading zeros, other bases, infinities and numbers that canonical JSON cannot write.
    """
    if text in _NULL:
        return None
    if text in _BOOLEAN:
        return _BOOLEAN[text]
    if _DOUBTFUL.match(text):
        raise ScalarError(f"{text[:40]} can be read in two ways")
    if not _FLOAT.match(text):
        return text
    number = float(text)
    whole = _INTEGER.match(text) is not None
    if math.isinf(number) or (whole and abs(number) > MAX_INTEGER):
        raise ScalarError(f"{text[:40]} is too large a number")
    return int(text) if whole else number
