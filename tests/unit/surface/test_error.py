"""Errors cross process boundaries whole."""

from __future__ import annotations

import pickle

import pytest

from gates.error import EstimationError
from harness.error import ConfigError, InfrastructureError, IntegrityError, NotTerminalError
from surface.error import StudyError, SurfaceError


@pytest.mark.parametrize(
    "kind", [ConfigError, EstimationError, InfrastructureError, IntegrityError, NotTerminalError]
)
def test_an_error_survives_pickling(kind: type[StudyError]) -> None:
    error = kind("It is so.", "Do this.")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert (copy.what, copy.remedy, str(copy)) == ("It is so.", "Do this.", "It is so. Do this.")


def test_a_surface_error_keeps_its_place() -> None:
    error = SurfaceError("It is so.", "Do this.", file="a.yaml", line=3, field="x[0]")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "a.yaml:3: x[0]: It is so. Do this."
    assert (copy.file, copy.line, copy.field, copy.problem) == ("a.yaml", 3, "x[0]", "It is so.")
