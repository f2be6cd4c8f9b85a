"""The documents of a bundle: what each of its files is, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any, Final

import pyarrow as pa

from gates.bundle_layout import CHOICES, ENVIRONMENT, README, SCHEMA
from gates.choice import statement
from gates.summary import label
from harness.identity import analysis_files
from harness.manifest import Manifest, StudyRecord
from harness.schema import ORDER, SCHEMA_VERSION, TABLES, TIMING_SUFFIX
from router.canonical import digest

PROJECT: Final = "state-aware-retrieval-study"

_README: Final = """\
# Results of study {study}

{label}; split {split}, {episodes:,} episodes, gate {gate}.

Identity `{identity}`
Digest `{digest}`

Compare the identity with the one that was published before the study was scored. With the package
of that identity, `make verify BUNDLE=<this folder or zip>` computes every figure again from the
tables and needs nothing else; `terminal/terminal.json` holds the figures.

| file | holds |
|---|---|
| `study.json` | what was pinned: identity, components, configuration, agent |
| `lock.json` | the lock that the study was frozen with; a development study has none |
| `surface.json` | catalogs and tasks, where the study brings its own |
| `episodes/`, `turns/`, `transitions/`, `gold_traces/`, `exchanges/` | the tables, as Parquet |
| `manifests/`, `attempts/` | of each shard what it holds, and every attempt at it |
| `terminal/terminal.json` | gate, metrics, intervals and analyses beside the gate |
| `report.html` | the report, to be read in a browser |
| `choices.json` | choices and deviations; what is confirmatory and what exploratory |
| `schema.json`, `DICTIONARY.md` | columns and types, and what they mean |
| `environment.json`, `requirements.lock` | what the study ran on |
| `ro-crate-metadata.json`, `SHA256SUMS` | every file with its hash |
"""


def written_documents(record: StudyRecord, terminal: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the documents that follow from a study's record and terminal record, by name."""
    words = {
        "study": record.study,
        "label": label(terminal).capitalize(),
        "split": record.split,
        "episodes": terminal["counts"]["episodes"],
        "gate": "passed" if terminal["gate"]["passed"] else "not passed",
        "identity": record.identity,
        "digest": terminal["digest"],
    }
    stated = statement(development=record.development, evidence=record.evidence)
    return {
        README: _README.format(**words).encode(),
        CHOICES: readable(stated),
        SCHEMA: readable(_schema()),
    }


def environment_document(manifests: Sequence[Manifest]) -> dict[str, bytes]:
    """Return the document of what the shards ran on, and which code wrote the bundle."""
    ran_on: dict[str, dict[str, Any]] = {}
    for manifest in manifests:
        environment = dict(manifest.environment)
        entry = ran_on.setdefault(digest(environment), {"environment": environment, "shards": 0})
        entry["shards"] += 1
    content = {
        "version": metadata.version(PROJECT),
        "analysis": analysis(),
        "shards": [ran_on[key] for key in sorted(ran_on)],
    }
    return {ENVIRONMENT: readable(content)}


def analysis() -> dict[str, str]:
    """Return the hash of the code that verifies and computes, by part: it is in no identity."""
    return {name: digest(dict(files)) for name, files in analysis_files().items()}


def readable(value: Any) -> bytes:
    """Return JSON for people to read: indented, keys in order, one way to write it."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def _schema() -> dict[str, Any]:
    """Return columns and types of every table as JSON."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tables": {
            name: {
                "key": list(ORDER[name]),
                "columns": [_column(field) for field in schema],
            }
            for name, schema in TABLES.items()
        },
    }


def _column(field: pa.Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "type": str(field.type),
        "nullable": field.nullable,
        "evaluation_only": field.name.startswith("gold_")
        or field.name in {"advanced", "completed_steps", "required_steps"},
        "measured_time": field.name.endswith(TIMING_SUFFIX),
    }
