"""The report of a study of 2,700 episodes: ``python -m benchmarks.report``.

The development study is run and aggregated once, and its episodes are taken under six names each,
so that 180 tasks are there; its figures stay as they are. Prints the size of the episode browser's
data, also if no two tasks had a text in common, size and time of the report, and in headless
Chromium the time to the first paint of content and to filter the episodes, from the event to a page
that is laid out again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from gates.confirm import confirm
from gates.finished import Finished
from gates.report.browser import browser_data, browser_json
from gates.report.page import report_page
from gates.terminal import Tally
from harness.compose import load_config
from harness.study import Study
from tests.support.browser import ARGUMENTS, executable

TIMES, VISITS = 6, 5
PAINTED = "performance.getEntriesByName('first-contentful-paint')"
FILTERS = (
    ("condition", "FULL"),
    ("catalog", "500"),
    ("outcome", "failed"),
    ("start", "miss"),
    ("text", "order"),
    ("text", "e a i"),
    ("text", "nothing holds this"),
    ("text", ""),
)

MEASURE = """filters => filters.map(([name, value]) => {
  const form = document.getElementById('browser-filters');
  const start = performance.now();
  form.elements[name].value = value;
  form.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  return performance.now() - start;
})"""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        study = Study(load_config(["study=dev", f"results={name}"]))
        for verb in ("run", "aggregate"):
            command = [sys.executable, "-m", "harness", verb, "study=dev", f"results={name}"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        confirmed = confirm(
            study.folder,
            expected=study.record(1),
            tasks=study.tasks,
            catalogs=study.catalogs,
        )
        once = Finished.of(confirmed, study.folder)
        finished = many(once)
        start = time.perf_counter()
        page = report_page(finished, frozen=False)
        written = time.perf_counter() - start
        file = Path(name) / "report.html"
        file.write_bytes(page)
        paints, filtered = look(file) if executable() else ([], [])
    size, data = _size(once), browser(finished)
    print(
        f"{data['counts']['episodes']:,} of {data['counts']['all_episodes']:,} episodes:"
        f" browser data {_size(finished) / 1e6:.2f} MB"
        f" ({TIMES * size / 1e6:.2f} MB if tasks had nothing in common)"
    )
    print(f"report {len(page) / 1e6:.2f} MB, written in {written:.1f} s")
    if not paints:
        print("This machine has no Chromium: paint and filters were not measured.")
        return
    print(
        f"first paint after {median(paints):.0f} ms (longest of {len(paints)}: {max(paints):.0f})"
    )
    for (name, value), times in zip(FILTERS, zip(*filtered, strict=True), strict=True):
        print(f"  {name}={value!r}: {median(times):.1f} ms (longest {max(times):.1f})")


def browser(finished: Finished) -> dict[str, Any]:
    """Return the data of a study's episode browser."""
    results = finished.results
    return browser_data(results.record.config["study"], results.episodes, finished.tasks)


def _size(finished: Finished) -> int:
    return len(browser_json(browser(finished)).encode())


def many(finished: Finished) -> Finished:
    """Return a study with each task and each of its episodes under several names."""
    tasks = {
        f"{name}-{number}": task.model_copy(update={"id": f"{name}-{number}"})
        for name, task in finished.tasks.items()
        for number in range(TIMES)
    }
    episodes = {
        key._replace(task_id=f"{key.task_id}-{number}"): item
        for key, item in finished.results.episodes.items()
        for number in range(TIMES)
    }
    columns = {
        name: [value for value in values for _ in range(TIMES)]
        for name, values in finished.tally.columns.items()
    }
    return replace(
        finished,
        results=replace(finished.results, episodes=episodes),
        tasks=tasks,
        tally=Tally(tuple(episodes), columns),
    )


def look(file: Path) -> tuple[list[float], list[list[float]]]:
    """Return milliseconds to the first paint and of each filter, of several visits.

    A new context has no cache, but for that of the file system.
    """
    paints, filtered = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        for _ in range(VISITS):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(file.as_uri())
            page.wait_for_function(f"{PAINTED}.length > 0")
            paints.append(page.evaluate(f"{PAINTED}[0].startTime"))
            filtered.append(page.evaluate(MEASURE, FILTERS))
            page.close()
        browser.close()
    return paints, filtered


if __name__ == "__main__":
    main()
