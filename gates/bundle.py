"""Finding and reading a terminal record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from harness.error import IntegrityError, NotTerminalError
from harness.schema import SCHEMA_VERSION

_REQUIRED: Final = ("study", "split", "identity", "agent", "evidence", "counts", "gate", "metrics")


def find_terminal(results: Path, study: str) -> Path:
    """Return the terminal record of a study below a results folder.

    Raises
    ------
    NotTerminalError
        If there is none.
    IntegrityError
        If there are several, of different identities.
    """
    found = sorted((results / study).glob("*/terminal/terminal.json"))
    if not found:
        raise NotTerminalError(
            f"{results / study} holds no terminal record.", f"Run `make study STUDY={study}`."
        )
    if len(found) > 1:
        names = ", ".join(path.parent.parent.name[:12] for path in found)
        raise IntegrityError(
            f"{results / study} holds terminal records of several identities: {names}.",
            "Name the one you mean by its path.",
        )
    return found[0]


def load_terminal(path: Path) -> dict[str, Any]:
    """Read a terminal record.

    Raises
    ------
    NotTerminalError
        If the file does not exist.
    IntegrityError
        If it is not a terminal record of this version.
    """
    try:
        record = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise NotTerminalError(f"{path} does not exist.", "Run `make aggregate` first.") from error
    except (OSError, ValueError) as error:
        raise IntegrityError(f"{path} is not readable JSON.", "Run `make aggregate`.") from error
    remedy = "Aggregate the study again with this version."
    if not isinstance(record, dict) or any(name not in record for name in _REQUIRED):
        raise IntegrityError(f"{path} is not a terminal record.", remedy)
    if record.get("schema_version") != SCHEMA_VERSION:
        raise IntegrityError(f"{path} has schema {record.get('schema_version')!r}.", remedy)
    return record
