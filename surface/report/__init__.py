"""The report of the surface: what catalogs and tasks hold, as tables and a plot."""

from __future__ import annotations

from surface.report.page import PAGE, PLOT, render, write

__all__ = ["PAGE", "PLOT", "render", "write"]
