"""A page that holds the episode browser alone, under the policy that the report has."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

import gates.report
from gates.report.browser import browser_json

_FOLDER = Path(gates.report.__file__).parent
_COLOURS = """
:root { --ink: #1a1a1a; --paper: #ffffff; --panel: #f6f7f9; --line: #d5d9df; --control: #767c87;
  --muted: #59606b; --link: #0b57a4; --good: #0a6640; --bad: #a82a10; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #15181c; --panel: #1e2227;
  --line: #383e46; --control: #8b929c; --muted: #a5acb6; --link: #7fb6f5; --good: #6fcf97;
  --bad: #ff9b85; } }
a { color: var(--link); }
body { margin: 1rem; font: 1rem/1.5 sans-serif; color: var(--ink); background: var(--paper); }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none';
 form-action 'none'; style-src '{{ hash(style) }}'; script-src '{{ hash(script) }}'">
<title>Episodes</title><style>{{ style }}</style></head>
<body><main><h1>Report</h1><p><a id="before" href="#browser">Episodes</a></p>
{% include "browser.html.j2" %}
<p><a id="after" href="#before">Up</a></p></main><script>{{ script }}</script></body></html>
"""


def write_page(path: Path, data: Mapping[str, Any]) -> Path:
    """Write a page of the browser's data, and return where it lies."""
    environment = Environment(loader=PackageLoader("gates.report", ""), autoescape=True)
    page = environment.from_string(_PAGE).render(
        browser=data,
        browser_json=Markup(browser_json(data)),
        style=Markup(_COLOURS + (_FOLDER / "browser.css").read_text(encoding="utf-8")),
        script=Markup((_FOLDER / "browser.js").read_text(encoding="utf-8")),
        hash=_hash,
    )
    path.write_text(page, encoding="utf-8")
    return path


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
