"""A real browser for what a report shows, and pages that tell what goes wrong in them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
FOLDER = Path(__file__).parents[1] / "integration" / "report"
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = FOLDER / "screenshots"
"""Kept as an artifact of continuous integration; not under version control."""


def missing(what: str, remedy: str) -> NoReturn:
    """Skip the test, or fail it on a machine that says that everything is there."""
    if os.environ.get("BROWSER_TESTS") == "required":
        pytest.fail(f"{what} {remedy}")
    pytest.skip(f"{what} {remedy}")


def executable() -> str | None:
    """Return where this machine's browser is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser of this machine; a machine without one skips the test."""
    path = executable()
    if path is None:
        missing("This machine has no Chromium.", "Install one, such as apt install chromium.")
    try:
        return playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
    except Error as error:
        # Such as the stand-in that a distribution has for a package of another kind.
        missing(f"{path} does not start: {error.message.splitlines()[0]}", "Install another one.")


EVIL = (
    "</script></textarea><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
    "<!-- \"'`> &amp; ${1} {{ 7 * 7 }} \u202egnirts\u202c \u2028 \0 \U0001f600"
)
"""A text that tries to be markup, script or template, to end what holds it, and to turn around."""


@dataclass
class Watched:
    """A page, and what must not happen in it."""

    page: Page
    faults: list[str] = field(default_factory=list)
    """Errors of scripts, everything written to the console, and requests that leave the disk."""

    def open(self, file: Path, fragment: str = "") -> Page:
        """Open a file anew, even if only the fragment differs from what is open."""
        self.page.goto("about:blank")
        self.page.goto(f"{file.as_uri()}{fragment}")
        return self.page

    def violations(self) -> list[str]:
        """What axe finds serious or critical."""
        if not AXE.is_file():
            missing("axe-core is not installed.", "Say make browser, which needs npm.")
        # Through the debugger, which the page's own policy does not bind.
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: list[dict[str, Any]] = self.page.evaluate(
            "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
        )
        return [
            f"{item['id']}: {node['html']} {node['failureSummary']}"
            for item in found
            if item["impact"] in {"serious", "critical"}
            for node in item["nodes"]
        ]

    def screenshot(self, name: str) -> None:
        """Keep a picture of the whole page."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


@contextmanager
def watched(browser: Browser, *, width: int = 1400, scheme: Any = "light") -> Iterator[Watched]:
    """Give a page in a context of its own, without a network, and check in the end what it did."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
    )
    context.set_default_timeout(10_000)
    found = Watched(context.new_page())
    page, faults = found.page, found.faults
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("console", lambda message: faults.append(f"console: {message.text}"))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("file:", "about:blank"))
            else faults.append(f"request: {request.url}")
        ),
    )
    try:
        yield found
        assert faults == []
    finally:
        context.close()
