"""A page that holds the episode browser alone, under a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gates.report.browser_section import browser_section

_COLOURS = """
:root { --ink: #1a1a1a; --paper: #ffffff; --panel: #f6f7f9; --line: #d5d9df; --control: #767c87;
  --muted: #59606b; --link: #0b57a4; --good: #0a6640; --bad: #a82a10; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #15181c; --panel: #1e2227;
  --line: #383e46; --control: #8b929c; --muted: #a5acb6; --link: #7fb6f5; --good: #6fcf97;
  --bad: #ff9b85; } }
a { color: var(--link); }
body { margin: 1rem; font: 1rem/1.5 sans-serif; color: var(--ink); background: var(--paper); }
"""


def write_page(path: Path, data: Mapping[str, Any]) -> Path:
    """Write a page of the browser's data, and return where it lies."""
    section = browser_section(data)
    style, script = _COLOURS + section.style, section.script
    path.write_text(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none';
 form-action 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'">
<title>Episodes</title><style>{style}</style></head>
<body><main><h1>Report</h1><p><a id="before" href="#browser">Episodes</a></p>
{section.markup}
<p><a id="after" href="#before">Up</a></p></main><script>{script}</script></body></html>
""",
        encoding="utf-8",
    )
    return path


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
