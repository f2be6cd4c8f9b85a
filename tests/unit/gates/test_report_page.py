"""The page of the report: what it says first, whatever ran, and that it is one file."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from gates.report.page import report_page
from tests.support.finished import shop


class Page(HTMLParser):
    """Collects what a reader and a browser are given."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def ids(self) -> list[str]:
        return [name for _, attrs in self.tags if (name := attrs.get("id"))]


def page(*, development: bool = True, evidence: str = "instrument", blind: bool = False) -> str:
    """The report of the shop's study, as if that had run."""
    finished = shop()
    ran = {"development": development, "evidence": evidence}
    results = replace(finished.results, record=finished.results.record.model_copy(update=ran))
    terminal = {**finished.terminal, **ran}
    told = replace(finished, results=results, terminal=terminal)
    return report_page(told, frozen=not development, blind=blind).decode()


@pytest.mark.parametrize(
    ("development", "evidence", "said", "unsaid"),
    [
        (
            True,
            "instrument",
            "no evidence for or against the hypothesis",
            "test the hypothesis for",
        ),
        (True, "model", "no evidence for or against the hypothesis", "Confirmatory, a language"),
        (False, "instrument", "says nothing about the hypothesis", "Confirmatory, the"),
        (
            False,
            "model",
            "The six rules test the hypothesis for this model",
            "Confirmatory: nothing",
        ),
    ],
)
def test_the_boundary_of_the_claim_comes_before_the_verdict(
    development: bool, evidence: str, said: str, unsaid: str
) -> None:
    text = Page(page(development=development, evidence=evidence)).text
    assert text.index(said) < text.index("The gate ")
    assert unsaid not in text
    confirms = not development and evidence == "model"
    # Every table beside the gate says what it is, also where the gate confirms.
    assert ("(confirmatory, " in text) == confirms
    assert "(exploratory, " in text


@pytest.mark.parametrize("blind", [False, True])
def test_nothing_is_loaded_and_only_what_the_page_brings_runs(blind: bool) -> None:
    content = page(blind=blind)
    found = Page(content)
    (policy,) = (
        str(attrs["content"]) for _, attrs in found.tags if attrs.get("http-equiv") is not None
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (body,) = re.findall(f"<{tag}>(.*?)</{tag}>", content, re.DOTALL)
        told = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{told}'" in policy
    for _, attrs in found.tags:
        assert not {"src", "style", "action"} & attrs.keys()
        assert not any(name.startswith("on") for name in attrs)
        assert str(attrs.get("href", "#")).startswith("#")


@pytest.mark.parametrize("blind", [False, True])
def test_headings_are_in_order_and_links_lead_somewhere(blind: bool) -> None:
    found = Page(page(blind=blind))
    levels = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = found.ids()
    assert len(set(ids)) == len(ids)
    named = [str(attrs["href"])[1:] for tag, attrs in found.tags if tag == "a"]
    assert set(named) <= set(ids)
    labels = [
        str(attrs["aria-labelledby"]) for _, attrs in found.tags if "aria-labelledby" in attrs
    ]
    assert set(labels) <= {*ids, "browser-name"}
