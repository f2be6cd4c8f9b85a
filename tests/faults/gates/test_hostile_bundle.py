"""Bundles from anybody: what is none is refused in two sentences, and nothing is left anywhere."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gates import bundle_open
from gates.bundle_open import opened
from harness.error import ConfigError, IntegrityError, NotTerminalError
from tests.support.bundles import Files, confirmed, honest, sealed, unfolded, zipped

TERMINAL = "terminal/terminal.json"
TABLE = "turns/shard-00000-of-00002.parquet"


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Temporary folders go where they can be seen; afterwards none is there, nor anything else."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} <= {"temporary", "bundle", "b.zip", "target"}


def refusal(path: Path) -> str:
    with pytest.raises(IntegrityError) as caught:
        confirmed(path)
    assert caught.value.exit_code == 3
    assert caught.value.remedy.endswith(".")
    return caught.value.what


def added(name: str, content: bytes = b"{}") -> Files:
    return {**honest(), name: content}


# Names.


@pytest.mark.parametrize(
    "name",
    [
        "../evil.json",
        "../../terminal/terminal.json",
        "/etc/passwd",
        "turns/../../evil.parquet",
        "turns/../study.json",
        "./study.json",
        "turns\\..\\..\\evil.parquet",
        "C:\\evil.json",
        "turns//shard-00000-of-00002.parquet",
        "turns/shard-00000-of-00002.parquet\n",
        "turns/shard-0-of-2.parquet",
        "turns/more/shard-00000-of-00002.parquet",
        "turns/shard-00000-of-00002.json",
        "manifests/shard-00000-of-00002.parquet",
        "Study.json",
        "study.json ",
        "run.py",
        "__MACOSX/study.json",
        ".DS_Store",
        "ｓtudy.json",
    ],
)
def test_a_name_that_no_bundle_has(tmp_path: Path, name: str) -> None:
    what = refusal(zipped(tmp_path / "b.zip", added(name)))
    assert "is no file of a bundle" in what


@pytest.mark.parametrize("name", ["../", "evil/", "turns/more/", "/"])
def test_a_folder_that_no_bundle_has(tmp_path: Path, name: str) -> None:
    path = tmp_path / "b.zip"
    zipped(path, honest())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, b"")
    assert "belongs to no bundle" in refusal(path)


def test_folders_of_a_bundle_may_be_listed(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    zipped(path, honest())
    with zipfile.ZipFile(path, "a") as archive:
        archive.mkdir("turns")
        archive.mkdir("terminal")
    assert confirmed(path).checks


def test_a_nul_in_a_name(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", added("study.jsonX", b"{}"))
    path.write_bytes(path.read_bytes().replace(b"study.jsonX", b"study.json\0"))
    assert "is no file of a bundle" in refusal(path)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", honest())
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(TERMINAL, b"{}")
    assert "holds two files of one name" in refusal(path)


@pytest.mark.parametrize("name", ["study.json", TERMINAL, "LICENSE", "SHA256SUMS", "choices.json"])
def test_a_file_that_every_bundle_has(tmp_path: Path, name: str) -> None:
    files = {key: value for key, value in honest().items() if key != name}
    assert f"it has no {name}" in refusal(zipped(tmp_path / "b.zip", files))
    assert f"it has no {name}" in refusal(unfolded(tmp_path / "bundle", files))


@pytest.mark.parametrize("name", ["evil.json", "turns/notes.txt", "evil/study.json"])
def test_a_folder_with_more_in_it(tmp_path: Path, name: str) -> None:
    what = refusal(unfolded(tmp_path / "bundle", added(name)))
    assert "is no file of a bundle" in what or "belongs to no bundle" in what


# Links and special files.


def test_a_link_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    zipped(path, {name: value for name, value in honest().items() if name != "LICENSE"})
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo("LICENSE")
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert "'LICENSE' is a link or no regular file" in refusal(path)


@pytest.mark.parametrize("kind", ["file", "folder", "loop", "pipe"])
def test_links_and_special_files_in_a_folder(tmp_path: Path, kind: str) -> None:
    folder = unfolded(tmp_path / "bundle", honest())
    target = unfolded(tmp_path / "target", {"LICENSE": b"x", "turns/x": b"x"})
    if kind == "folder":
        for path in (folder / "turns").iterdir():
            path.rename(target / "turns" / path.name)
        (folder / "turns").rmdir()
        (folder / "turns").symlink_to(target / "turns", target_is_directory=True)
        name = "turns"
    else:
        (folder / "LICENSE").unlink()
        name = "LICENSE"
        if kind == "pipe":
            os.mkfifo(folder / name)
        else:
            (folder / name).symlink_to(target / name if kind == "file" else folder / name)
    assert f"'{name}' is a link or no regular file" in refusal(folder)


# Bombs.


@pytest.mark.parametrize("name", [TABLE, TERMINAL, "SHA256SUMS"])
def test_a_file_that_inflates_without_end(tmp_path: Path, name: str) -> None:
    files = added(name, bytes(2**23))
    what = refusal(zipped(tmp_path / "b.zip", files, zipfile.ZIP_DEFLATED))
    assert f"{name} would grow from " in what


@pytest.mark.parametrize("name", ["LICENSE", "study.json", "schema.json"])
def test_a_file_that_is_too_large(tmp_path: Path, name: str) -> None:
    files = added(name, b" " * (4 * 2**20 + 1))
    assert "more than it can have" in refusal(zipped(tmp_path / "b.zip", files))
    assert "more than it can have" in refusal(unfolded(tmp_path / "bundle", files))


def test_a_bundle_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_open, "LARGEST_BUNDLE", 1_000)
    assert "holds more than 1000 bytes" in refusal(zipped(tmp_path / "b.zip", honest()))


def test_more_files_than_any_study_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_open, "MOST_FILES", 10)
    assert "more than any study leaves" in refusal(zipped(tmp_path / "b.zip", honest()))


@pytest.mark.parametrize("size", [1, 10**6])
def test_a_size_that_is_a_lie(tmp_path: Path, size: int) -> None:
    # Size in the directory at the end, where it stands 24 bytes after the signature.
    path = zipped(tmp_path / "b.zip", honest(), zipfile.ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    at = content.rindex(b"PK\x01\x02", 0, content.rindex(b"LICENSE"))
    content[at + 24 : at + 28] = struct.pack("<I", size)
    path.write_bytes(content)
    assert "is damaged: " in refusal(path) or "more than it can have" in refusal(path)


@pytest.mark.parametrize("limit", ["_MOST_VALUES", "_LARGEST_BATCH"])
def test_a_table_that_unfolds_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(bundle_open, limit, 10)
    assert "would unfold without end" in refusal(zipped(tmp_path / "b.zip", honest()))


def test_json_nested_without_end(tmp_path: Path) -> None:
    files = sealed(added(TERMINAL, b'{"a":' * 200_000 + b"1" + b"}" * 200_000))
    assert "nested too deeply" in refusal(zipped(tmp_path / "b.zip", files))


# Damaged archives.


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip", b"PK\x05\x06" + bytes(17)])
def test_what_is_no_zip(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(content)
    assert "is no bundle" in refusal(path)


def test_an_empty_zip_and_an_empty_folder(tmp_path: Path) -> None:
    assert "is no bundle: it has no " in refusal(zipped(tmp_path / "b.zip", {}))
    (tmp_path / "bundle").mkdir()
    assert "is no bundle: it has no " in refusal(tmp_path / "bundle")


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing does not exist"), opened(tmp_path / "nothing"):
        pass
    (tmp_path / "b.zip").write_text("no zip")
    assert "is no bundle: neither a folder nor a zip" in refusal(tmp_path / "b.zip")


def test_a_zip_that_was_cut(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", honest())
    path.write_bytes(path.read_bytes()[:-100])
    assert "is no bundle" in refusal(path)


def test_a_flipped_byte_inside(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", honest())
    content = bytearray(path.read_bytes())
    content[content.index(b"MIT License")] ^= 1
    path.write_bytes(content)
    assert "is damaged: Bad CRC-32 for file 'LICENSE'" in refusal(path)


def test_an_encrypted_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", honest())
    content = bytearray(path.read_bytes())
    at = content.rindex(b"PK\x01\x02", 0, content.rindex(b"LICENSE"))
    content[at + 8] |= 1
    path.write_bytes(content)
    assert "LICENSE is encrypted" in refusal(path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_another_compression(tmp_path: Path, compression: int) -> None:
    assert "is compressed in another way" in refusal(
        zipped(tmp_path / "b.zip", honest(), compression)
    )


# Content that has not one meaning; every hash of it is right.


@pytest.mark.parametrize("name", ["study.json", TERMINAL, "manifests/shard-00000-of-00002.json"])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("{", '{"x":NaN,', 1), "NaN is no number of JSON"),
        (lambda text: text.replace("{", '{"x":-Infinity,', 1), "-Infinity is no number"),
        (lambda text: text.replace("{", '{"x":1,"x":2,', 1), "the key 'x' stands twice"),
        (lambda text: text[:-3], "Expecting|Unterminated"),
        (lambda text: "", "Expecting value"),
    ],
)
def test_json_that_has_not_one_meaning(
    tmp_path: Path, name: str, change: Callable[[str], str], reason: str
) -> None:
    files = sealed(added(name, change(honest()[name].decode()).encode()))
    with pytest.raises(IntegrityError, match=reason) as caught:
        confirmed(zipped(tmp_path / "b.zip", files))
    assert name in caught.value.what
    assert "is not JSON that has one meaning" in caught.value.what


@pytest.mark.parametrize("name", ["study.json", TERMINAL, "README.md", "DICTIONARY.md"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le"])
def test_other_encodings(tmp_path: Path, name: str, encoding: str) -> None:
    text = "é" + honest()[name].decode() if name.endswith(".md") else honest()[name].decode()
    files = sealed(added(name, text.encode(encoding)))
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert what.startswith(f"{name} is not ")


def test_a_byte_order_mark(tmp_path: Path) -> None:
    files = sealed(added("study.json", b"\xef\xbb\xbf" + honest()["study.json"]))
    assert "Unexpected UTF-8 BOM" in refusal(zipped(tmp_path / "b.zip", files))


@pytest.mark.parametrize("version", [0, 1, 3, "2", None])
@pytest.mark.parametrize("name", ["study.json", TERMINAL, "manifests/shard-00000-of-00002.json"])
def test_other_schema_versions(tmp_path: Path, name: str, version: Any) -> None:
    content = json.loads(honest()[name]) | {"schema_version": version}
    files = sealed(added(name, json.dumps(content).encode()))
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert "schema" in what


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"no table"])
def test_tables_that_are_none(tmp_path: Path, content: bytes) -> None:
    files = sealed(added(TABLE, content))
    assert "is damaged: " in refusal(zipped(tmp_path / "b.zip", files))


def test_a_table_of_another_schema(tmp_path: Path) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"task_id": ["shop-1"]}), sink)
    files = sealed(added(TABLE, sink.getvalue().to_pybytes()))
    assert "has another schema" in refusal(zipped(tmp_path / "b.zip", files))


# Hashes, metadata, lock and documents.


@pytest.mark.parametrize("name", sorted({*honest()} - {"SHA256SUMS"}))
def test_every_file_is_listed_with_its_hash(tmp_path: Path, name: str) -> None:
    content = honest()[name]
    changed = content[:-1]
    if not name.endswith(".parquet"):
        changed = content.replace(b"{", b"{ ", 1) if b"{" in content else content + b" "
    files = added(name, changed)
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert f"- files: {name} is not the file that is listed" in what or (
        name.endswith(".parquet") and "is damaged" in what
    )


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda text: text.replace(b"\n", b"\r\n"), "SHA256SUMS is not written as it is here"),
        (lambda text: text[:-1], "SHA256SUMS is not written as it is here"),
        (lambda text: text + text, "SHA256SUMS is not written as it is here"),
        (lambda text: text + b"0" * 64 + b"  evil\n", "evil is listed and not there"),
        (lambda text: text.split(b"\n", 1)[1], "DICTIONARY.md is there and not listed"),
        (lambda text: b"", "is there and not listed"),
    ],
)
def test_lists_of_hashes(tmp_path: Path, change: Callable[[bytes], bytes], text: str) -> None:
    files = added("SHA256SUMS", change(honest()["SHA256SUMS"]))
    assert f"- files: {text}" in refusal(zipped(tmp_path / "b.zip", files)) or text in refusal(
        tmp_path / "b.zip"
    )


def resummed(files: Files) -> Files:
    """The files with the list of hashes alone made anew."""
    return {**files, "SHA256SUMS": sealed_sums(files)}


def sealed_sums(files: Files) -> bytes:
    named = sorted(name for name in files if name != "SHA256SUMS")
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in named)
    return "".join(lines).encode()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda crate: crate["@graph"].pop(), "differ about the file"),
        (lambda crate: crate["@graph"][-1].update(sha256="0" * 64), "says something else of"),
        (lambda crate: crate["@graph"][-1].update(contentSize="1"), "says something else of"),
        (
            lambda crate: crate["@graph"].append({"@id": "evil.py", "@type": "File"}),
            "differ about the file evil.py",
        ),
        (lambda crate: crate.update({"@graph": 7}), "is no RO-Crate metadata"),
        (lambda crate: crate.pop("@graph"), "is no RO-Crate metadata"),
    ],
)
def test_metadata(tmp_path: Path, change: Callable[[Any], Any], text: str) -> None:
    crate = json.loads(honest()["ro-crate-metadata.json"])
    change(crate)
    files = resummed(added("ro-crate-metadata.json", json.dumps(crate).encode()))
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert "- crate: " in what
    assert text in what


@pytest.mark.parametrize("name", ["README.md", "choices.json", "schema.json", "report.html"])
def test_documents_that_say_something_else(tmp_path: Path, name: str) -> None:
    files = sealed(added(name, honest()[name].replace(b"e", b"3", 1)))
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert f"- documents: {name} is not what this package writes" in what


def test_a_lock_of_other_results_and_none_at_all(tmp_path: Path) -> None:
    files = sealed(added("lock.json", honest()["study.json"]))
    assert "is not a record of this version" in refusal(zipped(tmp_path / "b.zip", files))
    study = json.loads(honest()["study.json"]) | {"development": False}
    files = sealed(added("study.json", json.dumps(study).encode()))
    what = refusal(zipped(tmp_path / "b.zip", files))
    assert "- lock: a study that is not for development has no lock" in what


def test_another_study_s_record(tmp_path: Path) -> None:
    study = json.loads(honest()["study.json"]) | {"evidence": "model"}
    files = sealed(added("study.json", json.dumps(study).encode()))
    assert "evidence (model there, instrument here)" in refusal(zipped(tmp_path / "b.zip", files))


def test_a_bundle_without_a_shard_is_not_terminal(tmp_path: Path) -> None:
    files = {name: value for name, value in honest().items() if "shard-00001" not in name}
    with pytest.raises(NotTerminalError, match="1 of 2 shards are finished"):
        confirmed(zipped(tmp_path / "b.zip", sealed(files)))


def test_a_figure_of_the_record(tmp_path: Path) -> None:
    terminal = json.loads(honest()[TERMINAL])
    terminal["gate"]["rules"][1]["value"] = 0.99
    files = sealed(added(TERMINAL, json.dumps(terminal).encode()))
    assert "- terminal record: gate.rules.1.value is 0.99" in refusal(
        zipped(tmp_path / "b.zip", files)
    )


def test_a_temporary_folder_is_gone_when_the_body_fails(tmp_path: Path) -> None:
    seen = []

    def interrupted(path: Path) -> None:
        with opened(path) as folder:
            seen.append((folder, (folder / "study.json").is_file()))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(zipped(tmp_path / "b.zip", honest()))
    [(folder, was_there)] = seen
    assert was_there
    assert not folder.exists()
