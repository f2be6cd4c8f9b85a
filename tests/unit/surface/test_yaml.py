"""What is written is what is read, and nothing that can be misread is accepted."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml

from surface.builder import MAX_ALIASES, MAX_DEPTH
from surface.error import SurfaceError
from surface.yaml import MAX_BYTES, parse_yaml, read_yaml


@pytest.fixture(autouse=True, params=["CSafeLoader", "SafeLoader"])
def _either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser in C and the one in Python, which stands in where libyaml is missing, agree."""
    monkeypatch.setattr("surface.yaml._Loader", getattr(yaml, request.param))


def read(text: str) -> object:
    return parse_yaml(text, file="x.yaml").data


def refused(text: str) -> SurfaceError:
    with pytest.raises(SurfaceError) as caught:
        parse_yaml(text, file="x.yaml")
    assert caught.value.file == "x.yaml"
    assert str(caught.value).startswith("x.yaml:")
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("12:30", "12:30"),
        ("1:02:03", "1:02:03"),
        ("2026-03-14", "2026-03-14"),
        ("2026-03-14T12:00:00Z", "2026-03-14T12:00:00Z"),
        ("1_000", "1_000"),
        ("E20914", "E20914"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-7", -7),
        ("+7", 7),
        ("0", 0),
        ("-0.5", -0.5),
        (".", "."),
        ("-", None),
        ("e5", "e5"),
        ("9c41e07a-5d2f", "9c41e07a-5d2f"),
        ("'007'", "007"),
        ('"true"', "true"),
        ("9007199254740991", 2**53 - 1),
        ('"\\u2028"', "\u2028"),
        ("", None),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    document = read(f"- {text}" if text != "-" else "-")
    assert document == [value]
    assert type(document[0]) is type(value)


def test_an_integer_is_no_float() -> None:
    assert type(read("5")) is int
    assert type(read("5.0")) is float


@pytest.mark.parametrize(
    "text",
    ["007", "-012", "010.5", "00e5", "0x1F", "0o17", ".inf", "-.INF", "+.inf", ".nan", ".NaN"],
)
def test_numbers_with_two_readings_are_refused(text: str) -> None:
    error = refused(f"a: 1\nb: {text}")
    assert error.line == 2
    assert "two ways" in error.problem
    assert error.remedy == "Quote it."


@pytest.mark.parametrize(
    "text", ["9007199254740992", "-9007199254740992", "1e999", "9" * 5000, "-1e400"]
)
def test_numbers_without_a_canonical_form_are_refused(text: str) -> None:
    error = refused(f"a: {text}")
    assert error.line == 1
    assert "too large" in error.problem


def test_a_float_that_fits_is_finite() -> None:
    value = read("1.7976931348623157e308")
    assert isinstance(value, float)
    assert math.isfinite(value)


def test_a_tab_for_indentation_is_refused_with_its_line() -> None:
    error = refused("a:\n  b: 1\n\tc: 2\n")
    assert error.line == 3
    assert "spaces" in error.remedy


@pytest.mark.parametrize("text", ['a: "x\\ud800y"', 'a: "x\\udfff"', "ok: 1\na: x\ud800y"])
def test_a_lone_surrogate_is_refused(text: str) -> None:
    assert refused(text).line == text.count("\n") + 1


@pytest.mark.parametrize("text", ["a: 1\nb: x\x00y", 'a: 1\nb: "x\\0y"'])
def test_nul_is_refused_with_its_line(text: str) -> None:
    assert refused(text).line == 2


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
def test_a_line_separator_is_refused_because_the_parser_would_fold_it(character: str) -> None:
    assert refused(f"a: 1\nb: 'x{character}y'").line == 2


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100, 100_000])
@pytest.mark.parametrize(("left", "right"), [("[", "]"), ("{a: ", "}")])
def test_deep_nesting_is_refused_without_exhausting_the_stack(
    depth: int, left: str, right: str
) -> None:
    error = refused("# Deep\n" + left * depth + right * depth)
    assert error.line == 2


def test_block_nesting_is_bounded_as_flow_nesting_is() -> None:
    text = "".join("  " * level + "a:\n" for level in range(100))
    assert f"deeper than {MAX_DEPTH} levels" in refused(text).problem


def test_the_deepest_nesting_allowed_is_read() -> None:
    value = read("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for _ in range(MAX_DEPTH - 1):
        assert isinstance(value, list)
        value = value[0]
    assert value == []


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2", "x:\n  a: 1\n  b: 2\n  a: 3", "{a: 1, 'a': 2}", 'a: 1\n"\\u0061": 2']
)
def test_duplicate_keys_are_refused(text: str) -> None:
    error = refused(text)
    assert error.problem == "The key 'a' stands twice."
    assert error.line == text.count("\n") + 1


@pytest.mark.parametrize("key", ["1", "1.5", "true", "null", "~", "[a]", "{a: 1}"])
def test_keys_that_are_no_texts_are_refused(key: str) -> None:
    assert "is not a text" in refused(f"? {key}\n: 1").problem


def test_merge_keys_are_refused() -> None:
    error = refused("a: &a {x: 1}\nb:\n  <<: *a\n")
    assert error.line == 3
    assert "Merge keys" in error.problem


@pytest.mark.parametrize(
    "text", ["!!python/object:os.system x", "!!int '5'", "!own x", "!!set {a, b}", "!!binary eA=="]
)
def test_tags_are_refused(text: str) -> None:
    assert "tag" in refused(f"a: {text}").problem


def test_an_alias_stands_for_its_anchor() -> None:
    assert read("a: &x [1, 2]\nb: *x") == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize("text", ["a: *x", "a: &x [1, *x]", "a: &x {b: *x}"])
def test_an_alias_to_nothing_finished_is_refused(text: str) -> None:
    refused(text)


def test_an_alias_bomb_is_refused_before_it_is_large() -> None:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 10) + "]"]
    lines += [
        f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]"
        for n in range(1, MAX_ALIASES // 10 + 3)
    ]
    refused("\n".join(lines))


def test_as_many_aliases_as_allowed_are_read() -> None:
    text = "a: &x 1\nb: [" + ", ".join(["*x"] * MAX_ALIASES) + "]"
    assert read(text) == {"a": 1, "b": [1] * MAX_ALIASES}
    assert "aliases" in refused(text[:-1] + ", *x]").problem


def test_as_many_nodes_as_allowed_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surface.builder.MAX_NODES", 6)
    assert read("[1, 2, 3, 4, 5]") == [1, 2, 3, 4, 5]
    assert "more than 6 nodes" in refused("[1, 2, 3, 4, 5, 6]").problem
    # List, anchored list, its element, alias, and the two nodes that the alias stands for.
    assert read("[&x [1], *x]") == [[1], [1]]
    refused("[&x [1], *x, 2]")


def test_few_aliases_of_much_are_counted_as_what_they_stand_for() -> None:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 1000) + "]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 7) + "]" for n in range(1, 8)]
    assert "nodes" in refused("\n".join(lines)).problem


def test_a_second_document_is_refused() -> None:
    error = refused("a: 1\n---\nb: 2\n")
    assert error.problem == "The file holds a second document."
    assert error.line == 2


def test_lines_are_those_of_the_nodes() -> None:
    document = parse_yaml("a:\n  b:\n  - x\n  - y: 1\n", file="x.yaml")
    assert document.line(("a",)) == 1
    assert document.line(("a", "b", 1, "y")) == 4
    assert document.line(("a", "b", 1, "absent")) == 4
    error = document.error("Wrong.", "Mend it.", ("a", "b", 1, "y"))
    assert (error.line, error.field) == (4, "a.b[1].y")
    assert str(error) == "x.yaml:4: a.b[1].y: Wrong. Mend it."


def test_a_file_is_named_relative_to_its_root(tmp_path: Path) -> None:
    path = tmp_path / "catalogs" / "x.yaml"
    path.parent.mkdir()
    path.write_text("a: 007\n", encoding="utf-8")
    with pytest.raises(SurfaceError, match=r"^catalogs/x\.yaml:1: "):
        read_yaml(path, root=tmp_path)


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: x\r\n")
    assert read_yaml(path).data == {"a": 1, "b": "x"}


def test_invalid_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: 1\nb: \xff\xfe\n")
    with pytest.raises(SurfaceError) as caught:
        read_yaml(path)
    assert caught.value.line == 2
    assert caught.value.problem == "The file is not valid UTF-8."


def test_a_file_of_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert read_yaml(path).data is None
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(SurfaceError, match="more than"):
        read_yaml(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SurfaceError, match=r"absent\.yaml: The file cannot be read"):
        read_yaml(tmp_path / "absent.yaml", root=tmp_path)
