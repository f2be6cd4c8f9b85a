"""Catalogs nest and hold as many endpoints as they say."""

from __future__ import annotations

import pytest

from surface.catalog import Catalog, build_catalog, load_services
from surface.error import SurfaceError
from surface.service import Service
from tests.support.small_surface import SmallSurface, sound


def small_services(folder: object) -> tuple[Service, ...]:
    return load_services(folder)[1]  # type: ignore[arg-type]


def test_a_tier_holds_what_is_not_above_it() -> None:
    catalogs = sound()[0]
    assert [len(catalogs[tier].snapshot.routes) for tier in (100, 250, 500)] == [12, 14, 16]
    assert set(catalogs[100].snapshot.routes) < set(catalogs[250].snapshot.routes)
    assert set(catalogs[250].snapshot.routes) < set(catalogs[500].snapshot.routes)
    assert "freight.list_customers" not in catalogs[100].snapshot


def test_every_route_has_an_example_or_none_that_is_named() -> None:
    for catalog in sound()[0].values():
        assert set(catalog.examples) == set(catalog.snapshot.routes)


def test_a_catalog_that_is_not_full_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = SmallSurface().write(tmp_path_factory.mktemp("surface")) / "catalogs"
    with pytest.raises(SurfaceError, match="Catalog 100 holds 12 endpoints"):
        build_catalog(100, small_services(folder))


def test_validators_are_made_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    catalog: Catalog = sound()[0][100]
    assert catalog.argument_validators is catalog.argument_validators
    assert set(catalog.argument_validators) == set(catalog.snapshot.routes)
