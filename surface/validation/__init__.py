"""Validation of the surface: everything that can be proved about catalogs and tasks."""

from __future__ import annotations

from surface.validation.catalogs import check_catalogs
from surface.validation.problem import Problem, Report

__all__ = ["Problem", "Report", "check_catalogs"]
