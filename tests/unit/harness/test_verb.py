"""The verbs: each can be run, is explained with an example, and is completed in a shell."""

from __future__ import annotations

import shlex
import subprocess
from pkgutil import resolve_name

import pytest

from harness import answer, cli
from harness.completion_command import SHELLS, overrides, script
from harness.compose import CONFIG_FOLDER
from harness.verb import VERBS


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_example_of_a_verb_is_one_of_it(verb: str) -> None:
    command = VERBS[verb].example.partition("$(")[2].rstrip(')"') or VERBS[verb].example
    python, option, module, *words = shlex.split(command)
    assert (python, option, module) == ("python", "-m", "harness")
    assert cli.parse(words).verb == verb


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_verb_names_a_function_that_is_there(verb: str) -> None:
    run = VERBS[verb].run
    [place] = [cell.cell_contents for cell in run.__closure__ or ()]
    assert callable(resolve_name(place))


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_fits_a_narrow_terminal(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for columns in ("1", "40"):
        monkeypatch.setenv("COLUMNS", columns)
        assert cli.main([verb, "--help"]) == 0
    assert VERBS[verb].example in capsys.readouterr().out


def test_the_documents_of_all_verbs_are_described() -> None:
    assert set(described()) == set(VERBS)


def described() -> dict[str, str]:
    """Return what is said of each verb's document."""
    table = (answer.__doc__ or "").split("===\n")[2]
    found: dict[str, str] = {}
    for line in table.splitlines():
        name, keys = line[:16].strip(), line[16:]
        if name and not name.startswith("="):
            found[name] = keys
        elif keys and not name:
            found[next(reversed(found))] += f" {keys}"
    return found


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == "0.14.0a1\n"


def test_overrides_are_the_names_of_the_tree() -> None:
    found = overrides(CONFIG_FOLDER)
    assert {"study=dev", "agent=reference", "store=s3", "engine=dask", "power=quick"} <= set(found)
    assert not any("protocol" in item for item in found)
    for item in found:
        key, _, name = item.partition("=")
        assert not name or (CONFIG_FOLDER / key / f"{name}.yaml").is_file()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_holds_verbs_options_and_names(shell: str) -> None:
    text = script(shell)
    for word in (*VERBS, "json", "require-pass", "agent=smollm3_vllm"):
        assert word in text


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["st"], "status"),
        (["status", "study", "=", "d"], "dev"),
        (["status", "engine", "="], "dask local"),
        (["status", "study=sl"], "study=slice"),
        (["run", "study", "=", "dev", "agent", "=", "smollm3_v"], "smollm3_vllm"),
        (["run", "study", "=", "dev", "work"], "workers="),
        (["aggregate", "--req"], "--require-pass"),
        (["completion", "z"], "zsh"),
    ],
)
def test_bash_completes(words: list[str], found: str) -> None:
    line = " ".join(map(shlex.quote, ["harness", *words]))
    ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _harness_complete; echo ${{COMPREPLY[*]}}"
    told = subprocess.run(
        ["bash", "-euc", f"{script('bash')}\n{ask}"], capture_output=True, text=True, check=True
    )
    assert (told.stdout, told.stderr) == (f"{found}\n", "")
