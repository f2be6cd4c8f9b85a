"""What every test shares."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# `ci` draws the same examples on every machine and never fails for slowness, so a red run is about
# the code. `explore` draws new ones: HYPOTHESIS_PROFILE=explore python -m pytest tests/property
settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, database=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Who starts the suite in the background may have it ignore interrupts, and the commands that it
# starts would inherit that: the tests that interrupt them would wait for nothing.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
