"""The shop's study as its bundle tells it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gates.finished import Finished
from gates.finished_bundle import finished_bundle
from tests.support.bundles import honest, of_this_package, zipped


@cache
def shop() -> Finished:
    """The study, verified once a process."""
    with TemporaryDirectory() as name, of_this_package():
        return finished_bundle(zipped(Path(name) / "bundle.zip", honest()))
