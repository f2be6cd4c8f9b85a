"""What every test shares."""

from __future__ import annotations

import os

from hypothesis import settings

# `ci` draws the same examples on every machine and never fails for slowness, so a red run is about
# the code. `explore` draws new ones: HYPOTHESIS_PROFILE=explore python -m pytest tests/property
settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, database=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
