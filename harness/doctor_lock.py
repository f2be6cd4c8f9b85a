"""Whether a study that a server is examined for is the frozen one, its agent too."""

from __future__ import annotations

from harness.doctor import Finding
from harness.error import ConfigError, IntegrityError
from harness.hold import compare
from harness.study import Study


def frozen(study: Study) -> Finding:
    """Tell whether all that the lock covers is here as it was frozen.

    The server is held to the configured model and context by other checks; this one says whether
    those are the frozen ones.

    Raises
    ------
    OSError
        If the system refuses.
    """
    if study.config.study.development:
        return Finding("frozen", "note", "a development study has no lock")
    try:
        lock = compare(study)
    except ConfigError as error:
        return Finding("frozen", "note", error.what.rstrip("."))
    except IntegrityError as error:
        return Finding("frozen", "FAILED", " ".join(error.what.split()))
    return Finding("frozen", "ok", f"identity {lock.identity}")
