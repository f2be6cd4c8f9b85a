"""Import and export of catalogs in the forms in which they exist.

Pure functions from parsed JSON to :class:`~router.contract.ToolSpec` and back. Nothing is fetched
and nothing is guessed: typing, effects and requirements are what a document declares.
"""

from __future__ import annotations

from router.interchange.error import InterchangeError
from router.interchange.mcp import mcp_from_tool, tool_from_mcp
from router.interchange.openai import openai_from_tool, tool_from_openai
from router.interchange.openapi import tool_from_openapi
from router.interchange.openapi_export import openapi_from_tool

__all__ = [
    "InterchangeError",
    "mcp_from_tool",
    "openai_from_tool",
    "openapi_from_tool",
    "tool_from_mcp",
    "tool_from_openai",
    "tool_from_openapi",
]
