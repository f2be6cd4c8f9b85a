"""Finding and reading a terminal record."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from harness.error import IntegrityError, NotTerminalError
from harness.schema import SCHEMA_VERSION
from harness.strict_json import strict_json

BUNDLE: Final = "bundle.zip"
"""The name of the bundle in a study's terminal folder."""

TERMINAL_KEYS: Final = (
    "schema_version",
    "study",
    "split",
    "development",
    "identity",
    "components",
    "agent",
    "evidence",
    "digest",
    "counts",
    "plan",
    "gate",
    "sensitivity",
    "metrics",
    "denominators",
    "intervals",
    "contrasts",
    "undefined",
    "latency",
    "timing",
    "usage",
)
"""The keys of a terminal record (results/README.md)."""


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
        record = strict_json(path.read_bytes())
    except FileNotFoundError as error:
        raise NotTerminalError(f"{path} does not exist.", "Run `make aggregate` first.") from error
    except (OSError, ValueError) as error:
        reason = f" ({error})" if isinstance(error, ValueError) else ""
        raise IntegrityError(
            f"{path} is not readable JSON{reason}.", "Run `make aggregate`."
        ) from error
    remedy = "Aggregate the study again with this version."
    if not isinstance(record, dict) or "schema_version" not in record:
        raise IntegrityError(f"{path} is not a terminal record.", remedy)
    version = record["schema_version"]
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise IntegrityError(f"{path} has schema {version!r}, not {SCHEMA_VERSION}.", remedy)
    missing = [key for key in TERMINAL_KEYS if key not in record]
    if missing:
        raise IntegrityError(
            f"{path} is not a terminal record: it has no {', '.join(missing)}.", remedy
        )
    return record
