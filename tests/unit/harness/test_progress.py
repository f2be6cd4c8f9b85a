"""Progress tells counts, rate and what remains, and never an outcome."""

from __future__ import annotations

import io
import sys

import pytest

from harness.progress import PAUSE, Lines, episode_bar, step_bar


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_line_is_told_once_in_a_while_with_the_rate_since_the_last() -> None:
    clock, told = Clock(), list[str]()
    lines = Lines(2_700, "episode", clock=clock, tell=told.append)
    for _ in range(10):
        clock.now += PAUSE / 10
        lines.add(12)
    assert told == ["120 of 2,700 episodes, 120 a minute, 0:21:30 remain"]
    clock.now += PAUSE - 1
    lines.add(500)
    assert len(told) == 1
    clock.now += PAUSE + 1
    lines.add(220)
    assert told[1:] == ["840 of 2,700 episodes, 360 a minute, 0:05:10 remain"]


def test_nothing_is_promised_while_nothing_is_done() -> None:
    clock, told = Clock(), list[str]()
    lines = Lines(10, "row", clock=clock, tell=told.append)
    clock.now += 2 * PAUSE
    lines.add(0)
    assert told == ["0 of 10 rows, 0 a minute"]


def test_a_short_run_says_nothing_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    for enabled in (True, False):
        with episode_bar(5, enabled=enabled) as advance:
            advance(5)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("enabled", "shown"), [(True, "5/5"), (False, "")])
def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, enabled: bool, shown: str) -> None:
    terminal = a_terminal(monkeypatch)
    with episode_bar(5, enabled=enabled) as advance:
        advance(2)
        advance(3)
    assert shown in terminal.getvalue()
    assert bool(terminal.getvalue()) is enabled


def test_steps_are_counted_by_name_on_a_terminal_and_leave_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = a_terminal(monkeypatch)
    with step_bar(enabled=True) as step:
        step("grid")
    shown = terminal.getvalue()
    assert "0step" in shown
    assert shown.split("\r")[-2].strip() == ""
    with step_bar(enabled=False) as step:
        step("grid")
    assert terminal.getvalue() == shown


def test_steps_are_told_in_a_log_once_in_a_while() -> None:
    clock, told = Clock(), list[str]()
    lines = Lines(None, "step", clock=clock, tell=told.append)
    lines.add(1, "tables")
    clock.now += PAUSE
    lines.add(1, "grid")
    assert told == ["2 steps are done, the last one grid"]


def test_a_terminal_that_is_dumb_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with episode_bar(5, enabled=True) as advance, step_bar(enabled=True) as step:
        advance(5)
        step("grid")
    assert terminal.getvalue() == ""


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal
