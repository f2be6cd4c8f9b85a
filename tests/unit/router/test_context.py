from __future__ import annotations

from router import CompatibilityContext, SemanticEquivalence, UnitConversion


def group(canonical: str, *aliases: str) -> SemanticEquivalence:
    return SemanticEquivalence(canonical_id=canonical, aliases=frozenset(aliases))


def test_a_group_contains_its_members() -> None:
    ids = group("order.id", "purchase.id")
    assert [ids.contains(one) for one in ("order.id", "purchase.id", "Order.id")] == [
        True,
        True,
        False,
    ]


def test_groups_that_share_an_id_are_one() -> None:
    context = CompatibilityContext(
        semantic_equivalences=(group("z", "a"), group("y", "b"), group("b", "a"), group("q", "q"))
    )
    assert context.semantic_equivalences == (group("a", "b", "y", "z"), group("q"))
    assert context.semantics_equivalent("z", "y")
    assert not context.semantics_equivalent("z", "q")
    assert context.canonical_ids() == {"a": "a", "b": "a", "y": "a", "z": "a", "q": "q"}


def test_an_id_means_the_same_as_itself_without_declaration() -> None:
    assert CompatibilityContext().semantics_equivalent("x", "x")
    assert not CompatibilityContext().semantics_equivalent("x", "X")


def test_conversions_are_neither_reversed_nor_chained() -> None:
    context = CompatibilityContext(
        unit_conversions=(
            UnitConversion(dimension="length", from_unit="km", to_unit="m"),
            UnitConversion(dimension="length", from_unit="mi", to_unit="km"),
        )
    )
    assert context.unit_convertible("length", "km", "m")
    assert context.unit_convertible("length", "m", "m")
    assert not context.unit_convertible("length", "m", "km")
    assert not context.unit_convertible("length", "mi", "m")
    assert not context.unit_convertible("depth", "km", "m")
