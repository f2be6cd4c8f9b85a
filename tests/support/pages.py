"""The pages of docs/ and the README as blocks that can be run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.unit.project.checkout import ROOT

PAGES: Final = (
    ROOT / "README.md",
    # A page may go on from what those before it have written; the tutorial is the first.
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not {"tutorial", "_build"} & set(path.relative_to(ROOT / "docs").parts)
    ),
)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    page: str
    line: int
    kind: str
    """The language, or the directive in braces."""
    mark: str
    """``run`` or ``check``, from the comment before it; empty without one."""
    file: str
    """The file that it shows, by its caption; empty if it shows none."""
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    def commands(self) -> Iterator[tuple[str, ...]]:
        """Yield what is typed after each prompt, in words."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                yield tuple(shlex.split(line[2:], comments=True))


@cache
def blocks(path: Path) -> tuple[Block, ...]:
    """Return the blocks of a page, in their order."""
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    page = path.relative_to(ROOT).as_posix()
    return tuple(
        _block(page, token, tokens[:place])
        for place, token in enumerate(tokens)
        if token.type == "fence" and not token.info.startswith("{toctree}")
    )


def all_blocks(*kinds: str) -> list[Block]:
    """Return the blocks of some kinds on all pages."""
    return [block for path in PAGES for block in blocks(path) if block.kind in kinds]


def _block(page: str, token: Token, before: list[Token]) -> Block:
    last = before[-2].content if len(before) > 1 and before[-1].type == "paragraph_close" else ""
    kind, _, language = token.info.strip().partition(" ")
    caption = re.match(r":caption: (\S+)\n\n", token.content)
    return Block(
        page,
        (token.map or [0])[0] + 1,
        language if kind == "{code-block}" else kind,
        last.removeprefix("% ") if last.startswith("% ") else "",
        caption[1] if caption else "",
        token.content[caption.end() :] if caption else token.content,
    )
