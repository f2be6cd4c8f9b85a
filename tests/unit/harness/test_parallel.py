"""Running at once: every result with its position, and an error that ends it."""

from __future__ import annotations

import threading

import pytest

from harness.parallel import run_together


@pytest.mark.parametrize("limit", [1, 2, 8, 100])
def test_every_key_has_its_result(limit: int) -> None:
    found = dict(run_together(lambda key: key * 10, range(50), limit=limit))
    assert found == {position: position * 10 for position in range(50)}


@pytest.mark.parametrize("limit", [1, 4])
def test_no_keys_are_no_results(limit: int) -> None:
    assert list(run_together(str, [], limit=limit)) == []


def test_so_many_run_at_once_and_no_more() -> None:
    barrier = threading.Barrier(4, timeout=30)
    running, most, lock = 0, 0, threading.Lock()

    def run(key: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        # Passed by four together only.
        barrier.wait()
        with lock:
            running -= 1

    assert len(list(run_together(run, range(12), limit=4))) == 12
    assert most == 4


def test_results_come_as_they_are_ready() -> None:
    second = threading.Event()

    def run(key: int) -> int:
        if key == 0:
            second.wait(30)
        return key

    results = run_together(run, [0, 1], limit=2)
    assert next(results) == (1, 1)
    second.set()
    assert next(results) == (0, 0)


@pytest.mark.parametrize("limit", [1, 3])
def test_an_error_ends_it(limit: int) -> None:
    begun = []

    def run(key: int) -> int:
        begun.append(key)
        if key == 2:
            raise ValueError("two")
        return key

    with pytest.raises(ValueError, match="two"):
        for _ in run_together(run, range(100_000), limit=limit):
            pass
    assert len(begun) < 100_000


def test_what_still_runs_is_not_waited_for() -> None:
    never = threading.Event()

    def run(key: int) -> int:
        if key == 0:
            never.wait(60)
        raise ValueError("gone")

    with pytest.raises(ValueError, match="gone"):
        list(run_together(run, [0, 1], limit=2))
    assert not never.is_set()
    never.set()


def test_one_at_a_time_runs_in_this_thread() -> None:
    threads = list(run_together(lambda key: threading.current_thread(), [1, 2], limit=1))
    assert {thread for _, thread in threads} == {threading.current_thread()}
