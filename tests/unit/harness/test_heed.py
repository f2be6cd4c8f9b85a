"""What a verb would ignore is refused, and what `make` passes is not."""

from __future__ import annotations

import pytest

from harness.error import ConfigError
from harness.heed import refuse_unheeded

COMMON = ["study=dev", "results=DIR", "agent=reference", "store=s3", "store.bucket=abc"]


@pytest.mark.parametrize(
    ("verb", "override", "key"),
    [
        ("run", "shard.index=1", "shard.index"),
        ("run", "shard={index:1}", "shard.index"),
        ("run-shard", "workers=2", "workers"),
        ("run-shard", "engine.scheduler=tcp://x:1", "engine"),
        ("aggregate", "shard.index=1", "shard.index"),
        ("aggregate", "power=quick", "power"),
        ("status", "workers=2", "workers"),
        ("replay", "shard.count=2", "shard.count"),
        ("power", "agent=random", "agent"),
        ("check-surface", "store=s3", "store"),
        ("check-surface", "shard.count=3", "shard.count"),
        ("a verb to come", "workers=2", "workers"),
    ],
)
def test_what_it_would_ignore_is_refused(verb: str, override: str, key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        refuse_unheeded(verb, ["study=dev", override])
    assert caught.value.what == f"{verb} does not use {key}."
    assert caught.value.remedy == f"Leave {override} out."


@pytest.mark.parametrize(
    ("verb", "overrides"),
    [
        ("run-shard", [*COMMON, "shard.index=0", "shard.count=6"]),
        ("run", [*COMMON, "shard.count=6", "workers=2", "engine=dask", "engine.retries=0"]),
        ("status", [*COMMON, "shard.count=6"]),
        ("aggregate", [*COMMON, "shard.count=6", "progress=false"]),
        ("freeze", COMMON),
        ("verify", COMMON),
        ("replay", COMMON),
        ("doctor", COMMON),
        ("conveyor", ["chain=x", "results=DIR", "store=s3", "workers=2"]),
        ("power", ["study=dev", "results=DIR", "power=quick", "power.studies=10"]),
        ("check-surface", ["study=dev", "results=DIR"]),
    ],
)
def test_what_make_passes_is_heeded(verb: str, overrides: list[str]) -> None:
    refuse_unheeded(verb, overrides)
