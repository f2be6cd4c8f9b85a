"""The episode browser as a reader meets it: a real browser, a file on disk, no network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from gates.counts import failure_cause
from gates.report.browser import browser_data
from gates.results import EpisodeRows
from harness.grid import EpisodeKey
from surface.task import Task
from tests.support.browser import EVIL, Watched, watched
from tests.support.browser_page import write_page
from tests.support.rows import altered, rows_by_key
from tests.support.shop_study import record_of, records, tasks

Episodes = dict[EpisodeKey, EpisodeRows]
STUDY = record_of().config["study"]
DEEP = "#episode=shop-3/5/SR-5-STATIC&with=SR-5-STATE-AWARE"
ACTIVE = "document.activeElement"


@cache
def all_episodes() -> Episodes:
    return rows_by_key(records().values())


@pytest.fixture(scope="module")
def episodes() -> Episodes:
    return all_episodes()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, episodes: Episodes) -> Path:
    folder = tmp_path_factory.mktemp("page")
    return write_page(folder / "report.html", browser_data(STUDY, episodes, tasks()))


@pytest.fixture
def watch(browser: Browser) -> Iterator[Watched]:
    with watched(browser) as found:
        yield found


@pytest.fixture
def page(watch: Watched, file: Path) -> Page:
    return watch.open(file)


def count(page: Page) -> str:
    return page.locator("#browser-count").inner_text()


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_whole_and_open_to_everybody(
    browser: Browser, file: Path, scheme: str, width: int
) -> None:
    with watched(browser, width=width, scheme=scheme) as watch:
        for view, fragment in {"list": "", "episode": DEEP}.items():
            page = watch.open(file, fragment)
            wide = page.evaluate("document.documentElement.scrollWidth")
            watch.screenshot(f"browser-{view}-{width}-{scheme}")
            assert wide <= width
            assert watch.violations() == []


def passed(key: EpisodeKey, item: EpisodeRows) -> bool:
    return bool(item.episode["task_pass"])


def called(key: EpisodeKey, item: EpisodeRows) -> bool:
    return any(c["route"] == "mall.find_orders" for turn in item.turns for c in turn["calls"])


FILTERS: dict[str, tuple[dict[str, str], Callable[[EpisodeKey, EpisodeRows], Any]]] = {
    "condition": ({"condition": "FULL"}, lambda key, item: key.condition == "FULL"),
    "catalog": ({"catalog": "5"}, lambda key, item: key.catalog_size == 5),
    "stratum": (
        {"stratum": "recoverable_execution_failure"},
        lambda key, item: item.episode["stratum"] == "recoverable_execution_failure",
    ),
    "language": ({"language": "de"}, lambda key, item: item.episode["language"] == "de"),
    "passed": ({"outcome": "passed"}, passed),
    "failed": ({"outcome": "failed"}, lambda key, item: not passed(key, item)),
    "cause": (
        {"outcome": "not_exposed"},
        lambda key, item: not passed(key, item) and failure_cause(item) == "not_exposed",
    ),
    "start": (
        {"start": "miss"},
        lambda key, item: (
            not set(item.episode["gold_required_routes"]) <= set(item.episode["initial_exposure"])
        ),
    ),
    "unlike": (
        {"unlike": "FULL"},
        lambda key, item: (
            passed(key, item) != passed(key, all_episodes()[key._replace(condition="FULL")])
        ),
    ),
    "task": ({"text": "SHOP-2"}, lambda key, item: key.task_id == "shop-2"),
    "called": ({"text": "mall.find shop-1"}, lambda k, i: called(k, i) and k.task_id == "shop-1"),
    "several": (
        {"condition": "FULL", "catalog": "4", "outcome": "failed"},
        lambda key, item: key[1:] == (4, "FULL") and not passed(key, item),
    ),
    "nothing": ({"text": "no episode says this"}, lambda key, item: False),
}


def test_filters_leave_what_they_name(page: Page, episodes: Episodes) -> None:
    form = page.locator("#browser-filters")
    for name, (values, kept) in FILTERS.items():
        form.get_by_role("button", name="Clear").click()
        expect(page.locator("#browser-count")).to_contain_text("40 of 40")
        for field, value in values.items():
            control = form.locator(f"[name={field}]")
            control.fill(value) if field == "text" else control.select_option(value)
        wanted = {key: item for key, item in episodes.items() if kept(key, item)}
        passes = sum(passed(key, item) for key, item in wanted.items())
        told = f"{len(wanted)} of 40 episodes, {passes} passed"
        assert count(page) == (
            told if wanted else "No episode matches. Clear a filter to see more."
        )
        assert len(page.locator("#browser-table tbody tr").all()) == min(len(wanted), 20), name
        if name == "unlike":
            first = page.locator("#browser-table tbody a").first
            assert first.get_attribute("href").endswith("&with=FULL")
        # The address says the same, to somebody else and after a reload.
        page.reload()
        assert count(page).startswith(told if wanted else "No episode"), name


def test_pages_hold_every_episode_once(page: Page, episodes: Episodes) -> None:
    following = page.get_by_role("button", name="Next page")
    seen = []
    for number in (1, 2):
        expect(page.locator("#browser-page")).to_have_text(f"Page {number} of 2")
        seen += [row.inner_text() for row in page.locator("#browser-table tbody tr").all()]
        following.focus()
        page.keyboard.press("Enter")
    assert len(set(seen)) == len(seen) == len(episodes)
    # There is no third page, and whoever asked for one is still where it was asked for.
    expect(page.locator("#browser-page")).to_have_text("Page 2 of 2")
    expect(following).to_be_focused()
    expect(following).to_have_attribute("aria-disabled", "true")


def test_a_deep_link_shows_its_episode_beside_the_other_and_survives_a_reload(
    watch: Watched, file: Path, episodes: Episodes
) -> None:
    page = watch.open(file, DEEP)
    for _ in range(2):
        expect(page.locator("#browser-name")).to_be_focused()
        titles = [title.inner_text() for title in page.locator(".browser-card h5").all()]
        assert titles[:2] == ["SR-5-STATIC", "SR-5-STATE-AWARE"]
        key = EpisodeKey("shop-3", 5, "SR-5-STATIC")
        turn = page.locator(".browser-turns > li").first
        first = episodes[key].turns[0]
        assert first["calls"][0]["route"] in turn.inner_text()
        assert json.loads(turn.locator("pre").first.inner_text()) == json.loads(
            first["calls"][0]["arguments"]
        )
        page.reload()
    page.get_by_label("Compare with").select_option("no other condition")
    assert "with=" not in page.url
    assert {t.inner_text() for t in page.locator(".browser-card h5").all()} == {"SR-5-STATIC"}


TEXTS = """hash => new Promise(done => {
  addEventListener('hashchange', () => {
    const walker = document.createTreeWalker(document.getElementById('browser-episode'), 4);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.data);
    done(texts);
  }, {once: true});
  location.hash = hash;
})"""


def test_every_episode_opens_and_shows_no_value_of_the_script(
    page: Page, episodes: Episodes
) -> None:
    for task, catalog, condition in episodes:
        texts = page.evaluate(TEXTS, f"#episode={task}/{catalog}/{condition}&with=ORACLE")
        assert task in texts
        assert not {"", "0", "false", "null", "undefined", "NaN", "[object Object]"} & set(texts)
        turns = len(episodes[EpisodeKey(task, catalog, condition)].turns)
        cards = page.locator(".browser-card:first-child").all_inner_texts()
        assert sum("The episode is over." not in text for text in cards) == turns
        # Nothing stands beside itself.
        assert page.locator(".browser-pair-2").count() == 0 or condition != "ORACLE"
        gloss = tasks()[task].gloss
        assert (gloss in texts) == (episodes[task, catalog, condition].episode["language"] != "en")


@pytest.mark.parametrize(
    "fragment", ["#episode=shop-9/4/FULL", "#episode=", "#condition=NONE", "#page=99", "#elsewhere"]
)
def test_a_link_to_nothing_shows_the_list(watch: Watched, file: Path, fragment: str) -> None:
    page = watch.open(file, fragment)
    assert count(page).startswith("40 of 40 episodes")
    assert page.locator("#browser-episode").is_hidden()


def test_keys_alone_open_an_episode_and_lead_back_and_out(page: Page) -> None:
    page.locator("#browser-filters input").focus()
    # To the button, the meanings, the list.
    for key in ("Tab", "Tab", "Tab", "ArrowDown", "ArrowDown", "End", "ArrowUp"):
        page.keyboard.press(key)
    opened = page.evaluate(f"{ACTIVE}.closest('tr').rowIndex")
    assert opened == 19
    page.keyboard.press("Enter")
    expect(page.locator("#browser-name")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#browser-table tbody tr:nth-child(19) a")).to_be_focused()
    page.keyboard.press("PageDown")
    assert page.locator("#browser-page").inner_text() == "Page 2 of 2"
    page.go_back()  # To the episode, which the reader had left by a link.
    expect(page.locator("#browser-name")).to_be_focused()
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(f"{ACTIVE}.id") == "after":
            return
    pytest.fail("The Tab key does not lead out of an episode.")


def test_print_shows_the_episode_with_everything_open(watch: Watched, file: Path) -> None:
    page = watch.open(file, DEEP)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#browser-episode details:not([open])").count() == 0
    assert page.locator(".browser-moves").is_hidden()
    assert page.locator(".browser-query").is_visible()


WRITTEN = (
    '{"a":[],"b":{},"c":[1e400,12345678901234567890,1.0,"x, y: {z} \\"[","\\u00e9"],"d":{"e":'
    '[{"f":null,"long enough to be broken over several lines":"%s"}]}}' % ("word " * 20)
)
"""Numbers that no reader of doubles keeps, and marks of JSON inside its strings."""


def test_json_is_laid_out_and_nothing_of_it_changes(
    watch: Watched, tmp_path: Path, episodes: Episodes
) -> None:
    key = EpisodeKey("shop-1", 4, "SR-5-STATIC")

    def write(item: EpisodeRows) -> None:
        item.transitions[1].update(observation=WRITTEN)

    data = browser_data(STUDY, {key: altered(episodes[key], write)}, tasks())
    page = watch.open(
        write_page(tmp_path / "report.html", data), f"#episode={'/'.join(map(str, key))}"
    )
    told = page.get_by_role("region", name="Observation").first.inner_text()
    exactly = {"parse_float": str, "parse_int": str}
    assert json.loads(told, **exactly) == json.loads(WRITTEN, **exactly)
    assert "\\u00e9" in told
    assert told.splitlines()[:3] == ["{", '  "a": [],', '  "b": {},']


def _tamper(item: EpisodeRows) -> None:
    item.turns[0].update(text=EVIL)
    for call in item.turns[0]["calls"]:
        call.update(route=EVIL, name=EVIL, arguments=EVIL, error=EVIL)
    item.transitions[1].update(observation=json.dumps({EVIL: [EVIL]}))
    state = json.loads(item.transitions[1]["state"])
    item.transitions[1].update(state=json.dumps({**state, "stable_observed_identifiers": [EVIL]}))


def _evil_task(task: Task) -> Task:
    # Markup cannot hold a NUL; a name that is chosen from, unlike a text, stands in it.
    name = EVIL.replace("\0", "")
    return task.model_copy(update={"query": EVIL, "gloss": EVIL, "stratum": name, "language": name})


def test_text_that_tries_to_be_markup_is_text(
    watch: Watched, tmp_path: Path, episodes: Episodes
) -> None:
    key = EpisodeKey("shop-1", 4, "SR-5-STATIC")
    asked: Mapping[str, Task] = {name: _evil_task(task) for name, task in tasks().items()}
    data = browser_data(STUDY, {**episodes, key: altered(episodes[key], _tamper)}, asked)
    page = watch.open(write_page(tmp_path / "report.html", data))
    # What an attribute holds is held whole, too.
    page.locator("[name=stratum]").select_option(index=1)
    assert count(page).startswith("40 of 40")
    page.goto(f"{page.url.split('#')[0]}#episode={'/'.join(map(str, key))}")
    article = page.locator("#browser-episode")
    assert article.evaluate("node => node.querySelectorAll('script, img, textarea').length") == 0
    blocks = [block.evaluate("node => node.textContent") for block in article.locator("pre").all()]
    assert blocks[:2] == [EVIL, EVIL]
    assert json.loads(blocks[2]) == {EVIL: [EVIL]}
    for place in (".browser-query", ".browser-state ins", "code"):
        texts = [node.evaluate("node => node.textContent") for node in article.locator(place).all()]
        assert any(EVIL in text for text in texts), place
    assert page.evaluate("window.hacked") is None


def test_a_sample_says_that_it_is_one(watch: Watched, tmp_path: Path, episodes: Episodes) -> None:
    data = browser_data(STUDY, episodes, tasks(), budget=9_000)
    page = watch.open(write_page(tmp_path / "report.html", data))
    held = data["counts"]["episodes"]
    assert 0 < held < 40
    assert count(page).startswith(f"{held} of {held} episodes")
    told = page.locator("#browser > p").first.inner_text()
    assert told.startswith("A sample. All 40 episodes would make this page too large.")
    assert f"It holds {held} of them: {data['counts']['tasks']} of 4 tasks" in told
