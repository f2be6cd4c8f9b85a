"""Endpoints of a service stand by tier, then name, so that their place tells nothing."""

from __future__ import annotations

from dataclasses import replace

from surface.validation.arrangement import check_arrangement
from surface.validation.catalogs import read_catalog_files


def test_the_catalogs_are_arranged() -> None:
    assert not list(check_arrangement(read_catalog_files().services))


def test_the_first_endpoint_out_of_order_is_named() -> None:
    service = read_catalog_files().services[0]
    first, second, *others = service.listings
    turned = replace(service, listings=(second, first, *reversed(others)))
    found = list(check_arrangement([turned]))
    assert [item.place for item in found] == [first.route]
    assert repr(second.endpoint.name) in found[0].what
    assert found[0].remedy == "Move it up."
