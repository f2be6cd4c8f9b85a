"""The whole report in a real browser: a file on disk, no network, for everybody to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from gates.aggregate import aggregate
from gates.confirm import confirm
from gates.finished import Finished
from gates.report.page import report_page
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from tests.support.browser import EVIL, Watched, watched
from tests.support.rows import altered
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks

SHADES = """
for (const row of document.querySelectorAll('.heat tbody tr')) {
  for (const shade of [0, 1, 2, 3, 4]) {
    const cell = row.lastElementChild.cloneNode(true);
    cell.className = `h${shade}`;
    row.append(cell);
  }
}
"""
"""Shows every shade of the heat map, for which the study is too small."""

DEEP = "#episode=shop-3/5/SR-5-STATIC&with=SR-5-STATE-AWARE"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = ShopStudy.write(tmp_path_factory.mktemp("study")).folder
    surface = {"expected": record_of(), "tasks": tasks(), "catalogs": catalogs()}
    aggregate(folder, **surface)
    return Finished.of(confirm(folder, **surface), folder)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, finished: Finished) -> Path:
    return write(tmp_path_factory.mktemp("page"), finished)


@pytest.fixture
def watch(browser: Browser) -> Iterator[Watched]:
    with watched(browser) as found:
        yield found


def write(folder: Path, finished: Finished, *, blind: bool = False) -> Path:
    path = folder / "report.html"
    path.write_bytes(report_page(finished, frozen=False, blind=blind))
    return path


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_is_whole_and_open_to_everybody(
    browser: Browser, file: Path, scheme: str, width: int
) -> None:
    with watched(browser, width=width, scheme=scheme) as watch:
        page = watch.open(file)
        page.evaluate(SHADES)
        wide = page.evaluate("document.documentElement.scrollWidth")
        watch.screenshot(f"report-{width}-{scheme}")
        assert wide <= width
        assert watch.violations() == []


def test_the_masked_report_is_open_to_everybody(
    watch: Watched, tmp_path: Path, finished: Finished
) -> None:
    page = watch.open(write(tmp_path, finished, blind=True))
    watch.screenshot("report-blind")
    assert page.locator("#browser").count() == 0
    assert watch.violations() == []


def test_the_theme_is_the_readers_choice(watch: Watched, file: Path) -> None:
    page = watch.open(file, DEEP)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Dark theme").click()
    dark = page.evaluate(paper)
    assert dark != light
    # All of it has changed with the ground: an episode that is open, too.
    assert watch.violations() == []
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate(paper) == light


def test_paper_is_light_and_holds_every_column(browser: Browser, file: Path) -> None:
    with watched(browser, width=718, scheme="dark") as watch:
        page = watch.open(file)
        paper = "getComputedStyle(document.body).backgroundColor"
        for chosen in ("Light theme", "Dark theme"):
            page.get_by_role("button", name=chosen).click()
            page.emulate_media(media="print", color_scheme="dark")
            assert page.evaluate(paper) == "rgb(255, 255, 255)"
            assert page.evaluate("document.documentElement.scrollWidth") <= 718
            page.emulate_media(media="screen", color_scheme="dark")
        page.emulate_media(media="print")
        watch.screenshot("report-print")


def test_an_episode_stays_open_while_the_reader_looks_elsewhere(watch: Watched, file: Path) -> None:
    page = watch.open(file, DEEP)
    expect(page.locator("#browser-name")).to_be_focused()
    page.locator("header nav a").first.click()
    assert page.url.split("#")[1] != DEEP[1:]
    expect(page.locator("#browser-episode")).to_be_visible()


def test_nothing_that_a_task_or_a_model_wrote_is_markup(
    watch: Watched, tmp_path: Path, finished: Finished
) -> None:
    key = EpisodeKey("shop-1", 4, "SR-5-STATIC")

    def tamper(item: EpisodeRows) -> None:
        item.turns[0].update(text=EVIL)
        for call in item.turns[0]["calls"]:
            call.update(route=EVIL, name=EVIL, arguments=EVIL, error=EVIL)
        item.transitions[1].update(observation=json.dumps({EVIL: [EVIL]}))

    results = finished.results
    agent = {"kind": EVIL, "model": EVIL, "revision": EVIL}
    record = results.record.model_copy(update={"study": EVIL, "split": EVIL, "agent": agent})
    episodes = {**results.episodes, key: altered(results.episodes[key], tamper)}
    asked = {
        name: task.model_copy(update={"query": EVIL, "gloss": EVIL})
        for name, task in finished.tasks.items()
    }
    tampered = replace(
        finished,
        results=replace(results, record=record, episodes=episodes),
        terminal={**finished.terminal, "study": EVIL, "split": EVIL, "agent": agent},
        tasks=asked,
    )
    page = watch.open(write(tmp_path, tampered), f"#episode={'/'.join(map(str, key))}")
    expect(page.locator("#browser-name")).to_be_focused()
    assert page.locator(".browser-query").evaluate("node => node.textContent") == EVIL
    assert page.locator("img, textarea").count() == 0
    assert page.locator("script").count() == 2
    # In markup a NUL cannot stand for itself.
    shown = page.locator("body").evaluate("node => node.textContent")
    assert EVIL.split("\0")[0] in shown
    assert page.evaluate("window.hacked") is None
