"""Which keys a verb heeds: one that it would ignore is refused, for somebody meant something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from harness.error import ConfigError

HEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "shard.index": ("run-shard",),
    "shard.count": ("run-shard", "run", "status", "aggregate", "verify", "report", "export"),
    "workers": ("run", "conveyor"),
    "engine": ("run", "conveyor"),
    "power": ("power",),
}
"""The keys that some verbs alone heed, with these; the keys below them are of the same kind."""

UNHEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("power", "check-surface"),
    "store": ("power", "check-surface"),
}
"""The keys that all verbs but these heed."""


def refuse_unheeded(verb: str, overrides: Iterable[str]) -> None:
    """Refuse an override that a verb would ignore.

    Raises
    ------
    ConfigError
        If there is one.
    """
    ignored = {key for key, verbs in HEEDED.items() if verb not in verbs}
    ignored |= {key for key, verbs in UNHEEDED.items() if verb in verbs}
    for override in overrides:
        name = override.partition("=")[0]
        # `shard={index:1}` sets what is below it.
        for key in sorted(ignored):
            if f"{name}.".startswith(f"{key}.") or f"{key}.".startswith(f"{name}."):
                raise ConfigError(f"{verb} does not use {key}.", f"Leave {override} out.")


def refuse_beside_bundle(overrides: Sequence[str]) -> None:
    """Refuse an override beside a bundle.

    Raises
    ------
    ConfigError
        If there is one.
    """
    if overrides:
        raise ConfigError(
            f"A bundle says itself what it is; {overrides[0]!r} says it again.",
            "Name a bundle, or a study and its results.",
        )
