"""Both bootstraps in plain Python, written from the study's statistics and not from the code."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice


def philox_words(key: int) -> Iterator[int]:
    """Philox4x64-10 (Salmon et al. 2011); the counter is raised before each four words."""
    mask = 2**64 - 1
    counter = 0
    while True:
        counter += 1
        a, b, c, d = (counter >> shift & mask for shift in (0, 64, 128, 192))
        k0, k1 = key & mask, key >> 64
        for _ in range(10):
            left, right = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
            a, b, c, d = (right >> 64) ^ b ^ k0, right & mask, (left >> 64) ^ d ^ k1, left & mask
            k0, k1 = (k0 + 0x9E3779B97F4A7C15) & mask, (k1 + 0xBB67AE8584CAA73B) & mask
        yield from (a, b, c, d)


def drawn_clusters(sizes: list[int], seed: int, scheme: str) -> Iterator[list[list[int]]]:
    """Yield, replicate by replicate, the positions drawn from each stratum."""
    stream, fewer = {"primary": (0, 0), "companion": (1, 1)}[scheme]
    words = philox_words((stream << 64) | seed)
    while True:
        yield [
            [((word >> 32) * size) >> 32 for word in islice(words, size - fewer)] for size in sizes
        ]


def plain_counts(sizes: list[int], iterations: int, seed: int, scheme: str) -> list[list[int]]:
    """How often each cluster was drawn in each replicate."""
    return [
        [
            drawn.count(place)
            for size, drawn in zip(sizes, cells, strict=True)
            for place in range(size)
        ]
        for cells in islice(drawn_clusters(sizes, seed, scheme), iterations)
    ]


def order_statistics(values: list[Fraction], level: Fraction) -> tuple[Fraction, Fraction]:
    """The k-th and the (B + 1 - k)-th smallest value, k = floor((B + 1) * (1 - level) / 2)."""
    rank = int((len(values) + 1) * (1 - level) / 2)
    ordered = sorted(values)
    return ordered[rank - 1], ordered[len(values) - rank]
