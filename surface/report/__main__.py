"""Write the report of the surface: ``python -m surface.report``."""

from __future__ import annotations

import sys

from surface.error import StudyError
from surface.report.page import write


def main() -> int:
    """Write the report beside the surface; return an exit code."""
    try:
        files = write()
    except StudyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(f"Written: {', '.join(str(path) for path in files)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
