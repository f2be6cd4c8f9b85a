"""JSON that has one meaning, and everything that is refused because it has none or several."""

from __future__ import annotations

import pytest

from harness.strict_json import DEEPEST, strict_json


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": [1, 2.5, null, true, "\xc3\xa9"]}', {"a": [1, 2.5, None, True, "é"]}),
        ("0", 0),
        (b"-1e3", -1000.0),
        ('"' + "x" * 100_000 + '"', "x" * 100_000),
        ("[" * DEEPEST + "]" * DEEPEST, None),
    ],
)
def test_plain_json_is_read(content: bytes | str, value: object) -> None:
    found = strict_json(content)
    assert value is None or found == value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b"{} {}", "Extra data"),
        (b"\xff\xfe{\x00}\x00", "'utf-8' codec can't decode"),
        ("{}".encode("utf-16"), "'utf-8' codec can't decode"),
        ("{}".encode("utf-32"), "'utf-8' codec can't decode"),
        ('"é"'.encode("latin-1"), "'utf-8' codec can't decode"),
        ("\ufeff{}".encode(), "Unexpected UTF-8 BOM"),
        (b"NaN", "NaN is no number of JSON"),
        (b"[-Infinity]", "-Infinity is no number of JSON"),
        (b"1e400", "1e400 is too large a number"),
        (b"1" * 5_000, "Exceeds the limit"),
        (b'{"a": 1, "b": 2, "a": 1}', "the key 'a' stands twice"),
        (b'[{"b": {"a": 1, "a": 2}}]', "the key 'a' stands twice"),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "it is nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "it is nested too deeply"),
    ],
)
def test_what_has_no_one_meaning_is_refused(content: bytes | str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        strict_json(content)


def test_the_depth_is_the_caller_s() -> None:
    assert strict_json("[[]]", deepest=2) == [[]]
    with pytest.raises(ValueError, match="too deeply"):
        strict_json("[[]]", deepest=1)
