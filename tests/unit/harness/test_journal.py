"""A journal gives back the whole records that were appended, whatever byte it was cut at."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness.error import IntegrityError
from harness.journal import encode, open_journal, read_journal

PAYLOADS = [b"{}", b"", b"a longer one with blanks \x00 and \xff bytes", b"4"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log" / "shard.log"


def write(path: Path, *payloads: bytes) -> bytes:
    with open_journal(path) as journal:
        for payload in payloads:
            journal.append(payload)
    return path.read_bytes()


def test_a_record_is_its_length_its_hash_and_its_payload() -> None:
    digest = hashlib.sha256(b"{}").hexdigest().encode()
    assert encode(b"{}") == b"00000002 " + digest + b" {}\n"


def test_a_record_is_one_line() -> None:
    with pytest.raises(ValueError, match="one line"):
        encode(b"a\nb")


def test_what_was_appended_is_read(path: Path) -> None:
    assert list(read_journal(path)) == []
    assert write(path, *PAYLOADS) == b"".join(map(encode, PAYLOADS))
    assert list(read_journal(path)) == PAYLOADS
    write(path, b"5")
    assert list(read_journal(path)) == [*PAYLOADS, b"5"]


def test_cut_at_any_byte_it_gives_the_whole_records_and_goes_on(path: Path) -> None:
    content = write(path, *PAYLOADS)
    ends = [len(b"".join(map(encode, PAYLOADS[:count]))) for count in range(len(PAYLOADS) + 1)]
    for size in range(len(content) + 1):
        path.write_bytes(content[:size])
        whole = sum(end <= size for end in ends) - 1
        assert list(read_journal(path)) == PAYLOADS[:whole]
        assert write(path, *PAYLOADS[whole:]) == content


@pytest.mark.parametrize("tail", [b"\0" * 512, b"\n", b"\n\n\n", b"garbage", encode(b"x")[:-1]])
def test_a_tail_that_no_append_made_is_cut_off(path: Path, tail: bytes) -> None:
    content = write(path, *PAYLOADS)
    path.write_bytes(content + tail)
    assert list(read_journal(path)) == PAYLOADS
    assert write(path) == content


def test_a_flipped_bit_anywhere_is_found(path: Path) -> None:
    content = write(path, *PAYLOADS)
    first = len(encode(PAYLOADS[0]))
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 1
        path.write_bytes(damaged)
        if position >= len(content) - len(encode(PAYLOADS[-1])):
            # Not to be told from a crash: the last record is given up, and no other.
            assert list(read_journal(path)) == PAYLOADS[:-1]
            continue
        with pytest.raises(IntegrityError, match="this record is damaged") as caught:
            list(read_journal(path))
        assert caught.value.exit_code == 3
        if position < first:
            assert f"{path}:1:" in caught.value.what


def test_nothing_is_appended_to_a_damaged_journal(path: Path) -> None:
    content = write(path, *PAYLOADS)
    path.write_bytes(content.replace(b"longer", b"shorter"))
    with pytest.raises(IntegrityError, match="this record is damaged"):
        write(path, b"more")
    assert path.read_bytes() == content.replace(b"longer", b"shorter")
