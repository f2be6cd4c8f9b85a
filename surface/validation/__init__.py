"""Validation of the surface: everything that can be proved about catalogs and tasks."""

from __future__ import annotations

from surface.validation.catalogs import check_catalogs
from surface.validation.problem import Problem, Report
from surface.validation.survey import check_surface, splits_in

__all__ = ["Problem", "Report", "check_catalogs", "check_surface", "splits_in"]
