"""``python -m harness``."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    # Imported here, so that an interrupt meanwhile is told like any other, and workers, which
    # import this module too, load no command line.
    try:
        from harness.cli import main

        code = main()
    except KeyboardInterrupt:
        print("Interrupted.\nRun the same command again.", file=sys.stderr)
        code = 130
    sys.exit(code)
