"""The verb ``completion``: a shell's script, with the names of the configuration tree."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

import shtab

from harness.answer import Answer
from harness.compose import CONFIG_FOLDER, GROUPS, is_study
from harness.error import ConfigError

PROGRAM: Final = "harness"
"""What the scripts complete: a function of this name stands for ``python -m harness``."""

SHELLS: Final = ("bash", "zsh", "tcsh")

# Bash takes key=value apart at the sign, so that the value alone is there to be completed.
_BASH: Final = Template("""\
_harness_override() {
  local word="$${COMP_WORDS[COMP_CWORD]}" before="$${COMP_WORDS[COMP_CWORD-1]}" key
  if [[ $$word == *?=* ]]; then
    compgen -W "$words" -- "$$word"
    return
  elif [[ $$word == "=" ]]; then
    key=$$before word=""
  elif [[ $$before == "=" ]]; then
    key=$${COMP_WORDS[COMP_CWORD-2]}
  else
    compgen -W "$words" -- "$$word"
    return
  fi
  local item
  for item in $words; do
    [[ $$item == "$$key=$$word"* ]] && printf '%s\\n' "$${item#*=}"
  done
}
""")

# A key without its value is not a whole word yet.
_BASH_END: Final = """\

_harness_complete() {
  _shtab_harness
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null || :
  fi
  return 0
}

complete -o bashdefault -F _harness_complete harness
"""


@dataclass(frozen=True)
class CompletionAnswer(Answer):
    """A script that completes the command line in a shell."""

    shell: str
    script: str

    def lines(self) -> list[str]:
        """Return what is said to people."""
        return self.script.splitlines()


def completion(arguments: argparse.Namespace) -> CompletionAnswer:
    """Print the script of one shell."""
    if len(arguments.override) != 1 or arguments.override[0] not in SHELLS:
        raise ConfigError(
            "There is no script for that.",
            f"Say python -m harness completion SHELL, with one of: {', '.join(SHELLS)}.",
        )
    shell = arguments.override[0]
    return CompletionAnswer(shell, script(shell))


def script(shell: str, folder: Path = CONFIG_FOLDER) -> str:
    """Return the script of a shell.

    Parameters
    ----------
    shell
        One of `SHELLS`.
    folder
        The configuration tree, whose names the overrides complete to.
    """
    # The command line imports the commands only when it runs one.
    from harness.cli import parser

    words = " ".join(overrides(folder))
    chosen = {
        "bash": "_harness_override",
        "zsh": f"({words})",
        "tcsh": f"({words})",
        "preamble": {"bash": _BASH.substitute(words=words)},
    }

    def added(verb: str, argument: argparse.Action) -> None:
        if verb == "completion":
            argument.choices = SHELLS
        else:
            files = verb == "diff" or argument.option_strings
            # The name that shtab looks for.
            vars(argument)["complete"] = shtab.FILE if files else chosen

    found = shtab.complete(parser(PROGRAM, added=added), shell=shell)
    return found + _BASH_END if shell == "bash" else found


def overrides(folder: Path) -> tuple[str, ...]:
    """Return every choice of a file as ``group=name``, and the other keys up to their sign."""
    choices = [
        f"{group}={path.stem}"
        for group in GROUPS
        for path in sorted((folder / group).glob("*.yaml"))
        if group != "study" or is_study(path)
    ]
    keys = ("shard.index", "shard.count", "results", "workers", "progress")
    return (*choices, *(f"{key}=" for key in keys))
