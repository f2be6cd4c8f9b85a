"""Near-duplicates are found by their 5-grams once literals are masked."""

from __future__ import annotations

from typing import Any

import pytest

from surface.argument import Rule
from surface.task import Task
from surface.validation.similarity import TOPIC_LIMIT, check_similarity, grams, jaccard, masked
from tests.support.small_surface import sound

TASK = sound()[1]["en-two"]


def task(query: str, name: str = "x", gloss: str | None = None, **rules: Any) -> Task:
    arguments = {key: Rule.model_validate(rule, strict=True) for key, rule in rules.items()}
    steps = (TASK.steps[0].model_copy(update={"arguments": arguments}), TASK.steps[1])
    return TASK.model_copy(
        update={
            "id": name,
            "query": query,
            # Of its own, so that only the queries are alike.
            "gloss": name * 10 if gloss is None else gloss,
            "steps": steps,
        }
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Cancel order 40718263 of CUS-1042.", "cancel order # of #."),
        ("Cancel  order\u00a040718263", "cancel order #"),
        ("Set 12.5 kg or 1,250 lb by 2026-03-14", "set # kg or # lb by #"),
        ("pay_7h2kq9x4m1tz, 9c41e07a-5d2f", "#, #"),
        ("소포 SHP-204817가 어디 있나요", "소포 #가 어디 있나요"),
        ("ＣＵＳ－１０４２", "#"),
    ],
)
def test_words_with_digits_are_masked(query: str, expected: str) -> None:
    assert masked(task(query)) == expected


def test_texts_that_rules_name_are_masked() -> None:
    query = "Tell Aurora Foods that it is urgent, for the seal is broken."
    assert (
        masked(
            task(
                query,
                a={"equals": "Aurora Foods"},
                b={"equals": "high", "says": "urgent"},
                c={"contains": "broken"},
                d={"one_of": ["seal", "is"]},
            )
        )
        == "tell # that it is #, for the # is #."
    )


def test_grams() -> None:
    assert grams("abcdefg") == {"abcde", "bcdef", "cdefg"}
    assert grams("abc") == {"abc"}
    assert grams("") == {""}


def test_jaccard() -> None:
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset("abc"), frozenset("abc")) == 1
    assert jaccard(frozenset("abc"), frozenset("def")) == 0


def test_queries_that_differ_in_literals_alone_are_duplicates() -> None:
    first = task("Please release the held shipment of customer CUS-1042.", "a")
    second = task("Please release the held shipment of customer CUS-2077.", "b")
    third = task("Gib die Sendung frei, die bei CUS-1042 festhängt.", "c")
    found = list(check_similarity([first, second, third]))
    assert [problem.place for problem in found] == ["b"]
    assert "shares 1.00 of its 5-grams with that of a" in found[0].what


def test_the_limit_itself_is_too_similar() -> None:
    # Of 3 + 3 grams 2 are shared: 2 / 4.
    first, second = task("abcdefg", "a"), task("abcdefh", "b")
    assert jaccard(grams("abcdefg"), grams("abcdefh")) == 0.5
    assert len(list(check_similarity([first, second]))) == 1
    assert not list(check_similarity([first, task("abcdeyz", "b")]))


def test_a_translation_is_found_by_what_it_says() -> None:
    meant = "Let the shipment of this customer go that is being held at the border."
    first = task("Please release the held shipment.", "a", meant)
    second = task("Bitte gib frei, was noch festsitzt.", "b", meant.replace("customer", "client"))
    (problem,) = check_similarity([first, second])
    assert problem.place == "b: gloss"
    assert "of its 5-grams with that of a, which must be below 0.5" in problem.what


def test_splits_share_no_chain_and_topic() -> None:
    meant = "Let the shipment of this customer go that is being held at the border."
    said = "The shipment of another customer is being held for want of a paper. Let it pass."
    first = task("Please release the held shipment.", "a", meant)
    second = task("Bitte gib frei, was noch festsitzt.", "b", said)
    assert TOPIC_LIMIT <= jaccard(grams(meant), grams(said)) < 0.5
    assert not list(check_similarity([first, second]))
    frozen = second.model_copy(update={"split": "frozen"})
    (problem,) = check_similarity([first, frozen])
    assert problem.place == "b: gloss"
    assert "of its 5-grams and its chain with that of a, which must be below 0.2" in problem.what
    shorter = frozen.model_copy(update={"steps": frozen.steps[:1] * 2})
    assert not list(check_similarity([first, shorter]))
