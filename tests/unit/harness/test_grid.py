from __future__ import annotations

import pytest

from harness.error import ConfigError
from harness.folder import shard_of
from harness.grid import Pair, Shard, episode_keys, grid_pairs

TASKS = [f"t-{number}" for number in range(30)]


@pytest.mark.parametrize("count", [1, 2, 6, 7, 90, 200])
def test_shards_partition_the_grid(count: int) -> None:
    pairs = grid_pairs(TASKS, (100, 250, 500))
    dealt = [pair for index in range(count) for pair in Shard(index, count).pairs(pairs)]
    assert sorted(dealt) == sorted(pairs)
    sizes = [len(Shard(index, count).pairs(pairs)) for index in range(count)]
    assert max(sizes) - min(sizes) <= 1


def test_dealing_does_not_depend_on_the_order_of_the_pairs() -> None:
    pairs = grid_pairs(TASKS, (100, 250))
    assert Shard(2, 5).pairs(pairs) == Shard(2, 5).pairs(reversed(pairs))


def test_dealing_is_pinned() -> None:
    pairs = grid_pairs(["a", "b", "c"], (100,))
    dealt = [Shard(index, 3).pairs(pairs) for index in range(3)]
    # Ordered by the SHA-256 of "<task>", NUL, "<catalog>".
    assert dealt == [(Pair("c", 100),), (Pair("b", 100),), (Pair("a", 100),)]


def test_episodes_whose_prompts_begin_alike_run_one_after_the_other() -> None:
    keys = episode_keys([Pair("a", 250), Pair("b", 100), Pair("c", 100)], ("Y", "X"))
    assert keys == (
        ("b", 100, "Y"),
        ("c", 100, "Y"),
        ("b", 100, "X"),
        ("c", 100, "X"),
        ("a", 250, "Y"),
        ("a", 250, "X"),
    )


@pytest.mark.parametrize(("index", "count"), [(6, 6), (-1, 6)])
def test_a_shard_that_does_not_exist_is_refused(index: int, count: int) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        Shard(index, count)


def test_a_shard_s_name_reads_back() -> None:
    assert shard_of(Shard(3, 12).name) == Shard(3, 12)
    for name in ("shard-3-of-12", "shard-00012-of-00012", "shard-x-of-y", "other"):
        assert shard_of(name) is None


def test_a_million_episodes_over_180_shards_balance() -> None:
    pairs = grid_pairs((f"task-{number:06d}" for number in range(66_667)), (100, 250, 500))
    sizes = [len(Shard(index, 180).pairs(pairs)) for index in range(180)]
    assert sum(sizes) * 5 == 1_000_005
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) < 1.1 * min(sizes)
    of_500 = [sum(size == 500 for _, size in Shard(index, 180).pairs(pairs)) for index in (0, 99)]
    assert all(0.8 < count / (sizes[0] / 3) < 1.2 for count in of_500)
