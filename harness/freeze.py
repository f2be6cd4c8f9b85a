"""Freezing a study: writing its lock, once (protocol, section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Final

from harness.authorization import check_stated
from harness.checkout import Checkout
from harness.disk import is_there, listing
from harness.environment import environment, locked_packages
from harness.error import ConfigError, IntegrityError
from harness.hold import refuse_development
from harness.identity import Files, analysis_files
from harness.lock import (
    Environment,
    Lock,
    lock_path,
    origin_of,
    read_lock,
    study_files,
    write_lock,
)
from harness.origin import LOCK_SUFFIX
from harness.scored import scored
from harness.study import Study
from router.canonical import digest, sha256_hex

_MOST_LISTED: Final = 20

_PACKAGE_LOCK: Final = "requirements.lock"
_PROJECT: Final = "state-aware-retrieval-study"


def freeze(study: Study, checkout: Checkout, *, replace: bool = False) -> tuple[Lock, bool]:
    """Freeze a study with its agent, unless it is frozen.

    Parameters
    ----------
    study
        The study.
    checkout
        What is committed.
    replace
        Replace a lock of another identity. One that was scored is never replaced.

    Returns
    -------
    lock, written
        The lock, and whether it was written now. A lock that holds stays as it is, with the commit
        and the environment that it was made with.

    Raises
    ------
    ConfigError
        If the study is for development, states no terminal authorization, has another lock already,
        or if anything is not committed.
    IntegrityError
        If the study was scored under another identity that no other lock holds, or if what is
        there is damaged.
    InfrastructureError, OSError
        If the plant fails.

    Notes
    -----
    What `harness.scored` sees decides: the results folder and the store that are configured. Others
    are not seen, hence the need to ask for a replacement.
    """
    refuse_development(study)
    check_stated(study)
    path = lock_path(study)
    lock = read_lock(path) if is_there(path) else None
    _refuse_scored(study)
    if lock is not None and lock.identity == study.identity:
        return lock, False
    if lock is not None and not replace:
        raise ConfigError(
            f"{path} holds another identity, {lock.identity}.",
            "Where no shard was scored under it anywhere, say --replace; else describe a successor "
            "under another name in configs/study.",
        )
    files = study_files(study)
    _refuse_uncommitted(checkout, files)
    lock = _lock(study, files, checkout)
    write_lock(path, lock)
    return lock, True


def _lock(study: Study, files: Mapping[str, Files], checkout: Checkout) -> Lock:
    config = study.config.hashed()
    here = environment()
    package_lock = checkout.root / _PACKAGE_LOCK
    return Lock(
        study=study.config.study.name,
        split=study.config.study.split,
        agent_name=origin_of(study).agent,
        agent=study.agent.identity,
        evidence=study.agent.evidence,
        identity=study.identity,
        components=study.components,
        files=files,
        config=config,
        authorization=tuple(config["study"]["authorization"]),
        commit=checkout.commit(),
        environment=Environment(
            interpreter=here["python"],
            platform=here["platform"],
            packages=locked_packages(package_lock),
            package_lock=sha256_hex(package_lock.read_bytes()),
        ),
        version=metadata.version(_PROJECT),
        analysis={name: digest(found) for name, found in analysis_files().items()},
    )


def _refuse_uncommitted(checkout: Checkout, files: Mapping[str, Files]) -> None:
    hashed = {name for found in files.values() for name in found}
    if names := sorted({*checkout.changes(), *checkout.uncommitted(hashed)}):
        more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        raise ConfigError(
            f"The tree is dirty: {', '.join(names[:_MOST_LISTED])}{more} not committed.",
            "Commit or remove it, then freeze.",
        )


def _refuse_scored(study: Study) -> None:
    """Refuse to freeze a study anew that was scored: it can only be superseded."""
    name, own = study.config.study.name, lock_path(study)
    held = {
        read_lock(path).identity
        for path in listing(own.parent)
        if path.name.startswith(f"{name}.") and path.name.endswith(LOCK_SUFFIX) and path != own
    }
    for identity, place in scored(study):
        if identity not in {study.identity, *held}:
            raise IntegrityError(
                f"Study {name!r} was scored under the identity {identity}, as {place} says, which "
                f"is not the one here, {study.identity}.",
                "A scored identity can only be superseded: describe a successor under another name "
                "in configs/study.",
            )
