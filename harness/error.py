"""The harness's errors, each with the exit code of its kind (design, command line)."""

from __future__ import annotations

from surface.error import StudyError


class ConfigError(StudyError):
    """Wrong use, or refused by the configuration: exit code 1."""


class NotTerminalError(StudyError):
    """The grid is not complete yet: exit code 2."""

    exit_code = 2


class IntegrityError(StudyError):
    """What is there is not what was written or not what belongs here: exit code 3."""

    exit_code = 3


class InfrastructureError(StudyError):
    """The plant failed, not the agent; no episode is recorded and trying again helps: exit 75."""

    exit_code = 75
