"""The episode browser as a part of a page: markup with its data, style and script.

The style takes its colours from variables of the page: ``--ink`` on ``--paper``, ``--panel`` for
what stands out from it, ``--line`` and ``--control`` for borders, ``--muted``, ``--link``, and
``--good`` and ``--bad`` for what passed and failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gates.report.browser import browser_json


@dataclass(frozen=True)
class BrowserSection:
    """What a page has to hold for the browser to work."""

    markup: Markup
    """A section with its heading of the second level, and its data."""
    style: str
    script: str
    """Runs after the markup. Neither it nor the style holds anything from the data."""


def browser_section(data: Mapping[str, Any]) -> BrowserSection:
    """Return the episode browser of what `gates.report.browser.browser_data` returned.

    The page has to allow style and script by their hash, and nothing else.
    """
    environment = Environment(
        loader=PackageLoader("gates.report", ""), autoescape=True, undefined=StrictUndefined
    )
    # The one text that is no markup and is not escaped as such: JSON without a "<".
    told = Markup(browser_json(data))
    template = environment.get_template("browser.html.j2")
    folder = files("gates.report")
    return BrowserSection(
        Markup(template.render(browser=data, browser_json=told)),
        folder.joinpath("browser.css").read_text(encoding="utf-8"),
        folder.joinpath("browser.js").read_text(encoding="utf-8"),
    )
