"""The episode browser of a report of 2,700 episodes: ``python -m benchmarks.report``.

The development study is run once and its episodes are taken under six names each, so that 180 tasks
are there. Prints the size of the browser's data, also for six times as many texts as these have in
common, how long writing its page takes, and in headless Chromium the time to the first paint of
content and to filter the list, from the event to a page that is laid out again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from gates.report.browser import browser_data, browser_json
from gates.results import EpisodeRows
from gates.verify import verify
from harness.compose import load_config
from harness.grid import EpisodeKey
from harness.study import Study
from surface.task import Task
from tests.support.browser import ARGUMENTS, executable
from tests.support.browser_page import write_page

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
        command = [sys.executable, "-m", "harness", "run", "study=dev", f"results={name}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        episodes = verify(
            study.folder,
            expected=study.record(1),
            tasks=study.tasks,
            catalogs=study.catalogs,
        ).episodes
        section = study.record(1).config["study"]
        once = len(browser_json(browser_data(section, episodes, study.tasks)).encode())
        start = time.perf_counter()
        data = browser_data(section, *many(episodes, study.tasks))
        file = write_page(Path(name) / "report.html", data)
        written = time.perf_counter() - start
        paints, filtered = look(file) if executable() else ([], [])
    size = len(browser_json(data).encode())
    print(
        f"{data['counts']['episodes']:,} of {data['counts']['all_episodes']:,} episodes:"
        f" data {size / 1e6:.2f} MB ({TIMES * once / 1e6:.2f} MB if tasks had nothing in common),"
        f" page written in {written:.1f} s"
    )
    if not paints:
        print("This machine has no Chromium: paint and filters were not measured.")
        return
    print(
        f"first paint after {median(paints):.0f} ms (longest of {len(paints)}: {max(paints):.0f})"
    )
    for (name, value), times in zip(FILTERS, zip(*filtered, strict=True), strict=True):
        print(f"  {name}={value!r}: {median(times):.1f} ms (longest {max(times):.1f})")


def many(
    episodes: Mapping[EpisodeKey, EpisodeRows], tasks: Mapping[str, Task]
) -> tuple[dict[EpisodeKey, EpisodeRows], dict[str, Task]]:
    """Return episodes and tasks under several names each."""
    renamed = {
        f"{name}-{number}": task.model_copy(update={"id": f"{name}-{number}"})
        for name, task in tasks.items()
        for number in range(TIMES)
    }
    return {
        key._replace(task_id=f"{key.task_id}-{number}"): item
        for key, item in episodes.items()
        for number in range(TIMES)
    }, renamed


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
