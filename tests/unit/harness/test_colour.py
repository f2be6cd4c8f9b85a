"""Colour: on a terminal that takes it, and only on words that say the same."""

from __future__ import annotations

import io
import re

import pytest

from harness.colour import coloured, takes_colour


class Terminal(io.StringIO):
    """A stream that leads to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("line", "stressed"),
    [
        ("Gate NOT PASSED: 4 of 6 rules hold.", ["NOT PASSED"]),
        ("Gate PASSED: 6 of 6 rules hold.", ["PASSED"]),
        ("  pass  task_pass_non_inferiority      0.089  >= -0.020", ["pass"]),
        ("  FAIL  next_tool_recall               0.752   >= 0.970", ["FAIL"]),
        ("  grid                     450 episodes    ok", ["ok"]),
        ("  files                     40 files       1 finding", ["1 finding"]),
        ("  FAILED  tool call       no call came", ["FAILED"]),
        ("  ok      tool call       its answer was read", ["ok"]),
        ("  condition               pass  recall@5  gold trace", []),
        ("  verdict: inconclusive, ok or not", []),
    ],
)
def test_only_verdicts_are_stressed(line: str, stressed: list[str]) -> None:
    found = coloured(line)
    assert re.findall("\x1b\\[1;3[12]m(.*?)\x1b\\[0m", found) == stressed
    assert re.sub("\x1b\\[[0-9;]*m", "", found) == line


@pytest.mark.parametrize(
    ("stream", "environment", "taken"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {}, False),
        (io.StringIO(), {"TERM": "xterm"}, False),
    ],
)
def test_who_wants_no_colour_gets_none(
    stream: io.StringIO,
    environment: dict[str, str],
    taken: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert takes_colour(stream) is taken
