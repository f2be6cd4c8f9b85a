from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.browser import launch


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for every test of a file.

    Not for the session: while it runs, so does an event loop, and other tests begin their own.
    """
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()
