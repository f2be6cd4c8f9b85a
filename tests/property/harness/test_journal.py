"""Whatever was appended and wherever it was cut, a journal gives the whole records and goes on."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from harness.journal import encode, open_journal, read_journal

PAYLOADS = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")), max_size=6)


@given(PAYLOADS, PAYLOADS, st.data())
def test_a_crash_at_any_byte_costs_what_was_being_written(
    first: list[bytes], second: list[bytes], data: st.DataObject
) -> None:
    content = b"".join(map(encode, first))
    size = data.draw(st.integers(0, len(content)), label="size")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(content[:size])
        whole = list(read_journal(path))
        assert whole == first[: len(whole)]
        assert len(b"".join(map(encode, whole))) <= size
        assert (
            len(whole) == len(first) or len(b"".join(map(encode, first[: len(whole) + 1]))) > size
        )
        with open_journal(path) as journal:
            for payload in second:
                journal.append(payload)
        assert list(read_journal(path)) == whole + second
        assert path.read_bytes() == b"".join(map(encode, whole + second))


@given(PAYLOADS.filter(bool), st.binary(max_size=200))
def test_what_follows_the_last_record_is_a_tail_or_damage(
    payloads: list[bytes], tail: bytes
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(b"".join(map(encode, payloads)) + tail)
        assert list(read_journal(path)) == payloads
