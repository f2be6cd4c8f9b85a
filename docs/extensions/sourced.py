"""Pages that are made from the code itself: its commands and its modules."""

from __future__ import annotations

import os
import pkgutil
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

PACKAGES = ("router", "surface", "conditions", "harness", "gates")


class Sourced(SphinxDirective):
    """A directive whose content is reStructuredText that was made from the code."""

    def lines(self) -> Iterator[str]:
        """Yield the text."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Parse the text where the directive stands."""
        source, _ = self.get_source_info()
        container = nodes.section(document=self.state.document)
        text = StringList(list(self.lines()), source=source)
        self.state.nested_parse(text, self.content_offset, container, match_titles=True)
        return container.children


class Verbs(Sourced):
    """What the command and each of its verbs print as their help."""

    def lines(self) -> Iterator[str]:
        """Yield the help, under a title for each verb."""
        from harness.cli import parser

        # The width that argparse would otherwise take from the terminal.
        os.environ["COLUMNS"] = "90"
        whole = parser()
        yield from _literal(whole.format_help())
        for action in whole._actions:
            for name, verb in (action.choices or {}).items() if action.dest == "verb" else ():
                if isinstance(verb, ArgumentParser):
                    yield from _titled(name)
                    yield from _literal(verb.format_help())


class Modules(Sourced):
    """Every module of a package with all that is public in it."""

    required_arguments = 1

    def lines(self) -> Iterator[str]:
        """Yield a section for each module."""
        for name in module_names(self.arguments[0]):
            yield from _titled(name)
            # What a package takes from its modules stands with them.
            yield from (f".. automodule:: {name}", "   :ignore-module-all:", "")


def module_names(package: str) -> list[str]:
    """Return the names of all modules of a package, but for those that run when imported."""
    found = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
    return sorted(item.name for item in found if not item.name.endswith("__main__"))


def _titled(title: str) -> Iterator[str]:
    yield from (title, "-" * len(title), "")


def _literal(text: str) -> Iterator[str]:
    yield from (".. code-block:: text", "")
    yield from (f"   {line}" for line in text.splitlines())
    yield ""


def take_no_type(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Keep a sentence of an attribute whole.

    Napoleon takes what stands before a colon in the first line of an attribute's docstring for its
    type. The types stand in the annotations.
    """
    if what in {"attribute", "data", "property"}:
        # An empty comment, which has no colon.
        lines[:0] = ["..", ""]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives."""
    for package in PACKAGES:
        # Imported plainly: autodoc would have each library that it is the first to import load what
        # it needs for its types alone, with which not all of them work.
        for name in module_names(package):
            import_module(name)
    app.add_directive("verbs", Verbs)
    app.add_directive("modules", Modules)
    # Before napoleon, which has the default priority of 500.
    app.connect("autodoc-process-docstring", take_no_type, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
