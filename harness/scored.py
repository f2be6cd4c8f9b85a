"""Under which identities a study was scored, as far as one machine can tell (protocol, section 7).

*Scored* means that a shard was begun: the results folder or the store pins the identity. Both are
those that the configuration names. Other folders, other buckets and other prefixes are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from harness.disk import is_there, listing
from harness.folder import StudyFolder
from harness.manifest import StudyRecord, parse_record, read_record
from harness.plant import S3Section
from harness.study import Study

_PIN: Final = "study.json"


def scored(study: Study) -> Iterator[tuple[str, str]]:
    """Yield every identity that a study was scored under, and the name of what says so.

    What was run for development is not scored.

    Raises
    ------
    ConfigError
        If the store needs what is not there: a package, or credentials in the environment.
    IntegrityError
        If what pins an identity is damaged.
    InfrastructureError, OSError
        If the plant fails: not seeing is not taken for absence.
    """
    for identity, place, record in (*_in_results(study), *_in_store(study)):
        if not record.development:
            yield identity, place


def _in_results(study: Study) -> Iterator[tuple[str, str, StudyRecord]]:
    for place in listing(study.config.results / study.config.study.name):
        path = StudyFolder(place).study_record
        if place.is_dir() and is_there(path):
            yield place.name, str(path), read_record(path, StudyRecord)


def _in_store(study: Study) -> Iterator[tuple[str, str, StudyRecord]]:
    section = study.config.store
    if not isinstance(section, S3Section):
        return
    # Loads clients that nobody else needs.
    from harness.s3 import s3_store

    store = s3_store(section, study.config.study.name)
    for identity in store.folders():
        content = store.read(f"{identity}/{_PIN}")
        if content is not None:
            place = f"{store.label}/{identity}/{_PIN}"
            yield identity, place, parse_record(content, StudyRecord, place)
