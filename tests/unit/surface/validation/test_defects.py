"""Each rule of the validator catches a planted defect, and no other rule reports it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surface.task import LANGUAGES
from surface.validation.problem import Problem
from tests.support.small_surface import (
    CUSTOMER,
    PROVENANCE,
    QUOTED,
    RECOVERABLE,
    SESSION,
    SHIPMENT,
    THREE,
    TWO,
    UNIT,
    SmallSurface,
    check,
)

Change = Callable[[SmallSurface], Any]
Case = tuple[str, Change, str, str]
"""Name, what is planted, the place that has to be reported, words of what is wrong."""


def problems(folder: Path, change: Change) -> tuple[Problem, ...]:
    surface = SmallSurface()
    change(surface)
    return check(surface.write(folder)).problems


def test_the_small_surface_is_sound(tmp_path: Path) -> None:
    report = check(SmallSurface().write(tmp_path))
    assert report.problems == ()
    assert report.counts == {
        "terms": 15,
        "services": 4,
        "endpoints in catalog 100": 12,
        "endpoints in catalog 250": 14,
        "endpoints in catalog 500": 16,
        "read endpoints": 8,
        "write endpoints": 6,
        "destructive endpoints": 2,
        "tasks in dev": 30,
        "distinct chains in dev": 5,
        "routes used in dev": 10,
        "tasks with a repeated route in dev": 6,
    }


# What is changed, and how.


def endpoint(route: str, **changes: Any) -> Change:
    return lambda surface: surface.endpoint(route).update(changes)


def without(route: str, part: str, key: str) -> Change:
    return lambda surface: surface.endpoint(route)[part].pop(key)


def task(stratum: str, language: str = "en", **changes: Any) -> Change:
    return lambda surface: surface.task(stratum, language).update(changes)


def step(stratum: str, number: int, **changes: Any) -> Change:
    return lambda surface: surface.task(stratum)["steps"][number - 1].update(changes)


def rule(stratum: str, number: int, name: str, **keys: Any) -> Change:
    def change(surface: SmallSurface) -> None:
        surface.task(stratum)["steps"][number - 1]["arguments"][name] = keys

    return change


def no_rule(stratum: str, number: int, name: str) -> Change:
    return lambda surface: surface.task(stratum)["steps"][number - 1]["arguments"].pop(name)


def no_observation(stratum: str, number: int) -> Change:
    return lambda surface: surface.task(stratum)["steps"][number - 1].pop("observation")


def query(stratum: str, change: Callable[[str], str], language: str = "en") -> Change:
    def apply(surface: SmallSurface) -> None:
        data = surface.task(stratum, language)
        data["query"] = change(data["query"])

    return apply


def approvals(*listed: dict[str, Any]) -> Change:
    return task(UNIT, approvals=[*listed, {"step": 3}])


def both(*changes: Change) -> Change:
    return lambda surface: [change(surface) for change in changes]


def origin(number: int, path: str) -> dict[str, Any]:
    return {"from": {"step": number, "path": path}}


def observed(number: int, path: str, tolerance: float = 0.05) -> dict[str, Any]:
    return {"quantity": {"step": number, "path": path, "tolerance": tolerance}}


SHIPMENT_RULE = "en-two: step 2, argument 'shipment_id'"
TEMPERATURE_RULE = "en-typed: step 2, argument 'temperature'"

CATALOG_CASES: list[Case] = [
    (
        "too many endpoints",
        lambda surface: surface.services["archive"]["endpoints"].append(
            {
                **surface.endpoint("archive.share_dataset"),
                "name": "lend_dataset",
                "description": "Let a customer use a measurement series for a while.",
            }
        ),
        "catalog 500",
        "holds 17 endpoints instead of 16",
    ),
    (
        "endpoint in another tier",
        endpoint("climate.read_temperature", tier=500),
        "catalog 250",
        "holds 13 endpoints instead of 14",
    ),
    (
        "too few consumers",
        without("carrier.find_parcels", "parameters", "customer_id"),
        "catalog 500: customer.id",
        "4 consumers, fewer than 5",
    ),
    (
        "too few producers",
        without("freight.list_customers", "outputs", "customers[].customer_id"),
        "catalog 500: customer.id",
        "1 producers, fewer than 2",
    ),
    (
        "term that nobody uses",
        lambda surface: surface.vocabulary.update(
            {"seat.count": {**surface.vocabulary["item.count"], "description": "Seats"}}
        ),
        "vocabulary: seat.count",
        "No endpoint uses the term",
    ),
    (
        "description twice",
        endpoint(
            "climate.read_temperature",
            description="Set the cooling, of a SHIPMENT to a temperature!",
        ),
        "climate.set_temperature",
        "that of climate.read_temperature too",
    ),
    (
        "service description twice",
        lambda surface: surface.services["climate"].update(
            description="Keeps measurement series of customers."
        ),
        "climate",
        "that of archive too",
    ),
    (
        "numbered name",
        endpoint("archive.share_dataset", name="share_dataset_2"),
        "archive.share_dataset_2",
        "'share_dataset_2' is numbered",
    ),
    (
        "filler",
        endpoint("carrier.find_parcels", description="An auxiliary look-up of the parcels."),
        "carrier.find_parcels",
        "'auxiliary' is filler",
    ),
    (
        "tool name that does not lead back",
        endpoint("archive.share_dataset", name="share__dataset"),
        "archive.share__dataset",
        "does not lead back",
    ),
    (
        "text not in NFC",
        endpoint("carrier.find_parcels", description="Look up cafe\u0301 parcels."),
        "carrier.find_parcels",
        "not in NFC",
    ),
    (
        "invisible character",
        endpoint("carrier.find_parcels", description="Look up the\u200b parcels."),
        "carrier.find_parcels",
        "nobody sees (U+200B)",
    ),
    (
        "unknown term",
        lambda surface: surface.endpoint("carrier.find_parcels")["parameters"].update(x="a.b"),
        "catalogs/services/carrier.yaml:",
        "no term 'a.b'",
    ),
    (
        "broken vocabulary",
        lambda surface: surface.vocabulary["item.count"].update(example="three"),
        "catalogs/vocabulary.yaml:",
        "does not match the schema",
    ),
    (
        "no services",
        lambda surface: surface.services.clear(),
        "",
        "holds no services",
    ),
]

FORM_CASES: list[Case] = [
    (
        "empty cell",
        lambda surface: surface.tasks["ko"].pop(0),
        f"split dev: {TWO} x ko",
        "holds 0 tasks instead of 1",
    ),
    (
        "unknown route",
        step(TWO, 1, route="freight.search"),
        "en-two: step 1, route",
        "'freight.search' is not in the smallest catalog",
    ),
    (
        "unknown route that a quantity reads",
        step(UNIT, 1, route="carrier.trace"),
        "en-typed: step 1, route",
        "not in the smallest catalog",
    ),
    (
        "route of a larger catalog",
        step(RECOVERABLE, 2, route="carrier.find_parcels"),
        "en-recoverable: step 2, route",
        "not in the smallest catalog",
    ),
    (
        "rule for no parameter",
        rule(TWO, 1, "colour", equals="held"),
        "en-two: step 1, argument 'colour'",
        "has no such parameter",
    ),
    (
        "required parameter without a rule",
        no_rule(UNIT, 3, "reason"),
        "en-typed: step 3",
        "required parameter 'reason' has no rule",
    ),
    (
        "missing observation",
        no_observation(RECOVERABLE, 3),
        "en-recoverable: step 3",
        "observation exactly when",
    ),
    (
        "observation without outputs",
        step(TWO, 2, observation={}),
        "en-two: step 2",
        "observation exactly when",
    ),
    (
        "observation of another type",
        step(PROVENANCE, 2, observation={"rows": "8812"}),
        "en-provenance: step 2, observation[rows]",
        "does not match the outputs",
    ),
    (
        "observation with a field too many",
        step(PROVENANCE, 2, observation={"rows": 8812, "total": 1}),
        "en-provenance: step 2, observation",
        "does not match the outputs",
    ),
    (
        "value of another type",
        rule(TWO, 1, "customer_id", equals=1042),
        "en-two: step 1, argument 'customer_id'",
        "does not take the rule's value",
    ),
    (
        "day that does not exist",
        rule(RECOVERABLE, 1, "day", equals="2026-02-30"),
        "en-recoverable: step 1, argument 'day'",
        "does not take the rule's value",
    ),
    (
        "choice that the parameter refuses",
        rule(PROVENANCE, 2, "origin", one_of=["sensor", "guess"]),
        "en-provenance: step 2, argument 'origin'",
        "does not take the rule's value",
    ),
    (
        "free text for what is none",
        rule(TWO, 1, "customer_id", nonempty=True),
        "en-two: step 1, argument 'customer_id'",
        "does not take the rule's value",
    ),
    (
        "observed value of another kind",
        rule(TWO, 2, "shipment_id", **origin(1, "shipments[1].stage")),
        SHIPMENT_RULE,
        "does not take the rule's value",
    ),
    (
        "source that is not earlier",
        rule(TWO, 2, "shipment_id", **origin(2, "shipments[1].shipment_id")),
        SHIPMENT_RULE,
        "Step 2 has not been passed",
    ),
    (
        "source that does not exist",
        rule(TWO, 2, "shipment_id", **origin(7, "shipments[1].shipment_id")),
        SHIPMENT_RULE,
        "Step 7 has not been passed",
    ),
    (
        "source that observes nothing",
        rule(RECOVERABLE, 3, "session_id", **origin(1, "session_id")),
        "en-recoverable: step 3, argument 'session_id'",
        "Step 1 observes nothing",
    ),
    (
        "place where nothing stands",
        rule(TWO, 2, "shipment_id", **origin(1, "shipments[2].shipment_id")),
        SHIPMENT_RULE,
        "no declared field at 'shipments[2].shipment_id'",
    ),
    (
        "place that is no field",
        rule(TWO, 2, "shipment_id", **origin(1, "shipments[1]")),
        SHIPMENT_RULE,
        "no declared field",
    ),
    (
        "value copied into another unit",
        rule(UNIT, 2, "temperature", **origin(1, "temperature")),
        TEMPERATURE_RULE,
        "observed in degC and expected in degF",
    ),
    (
        "quantity that is a text",
        rule(UNIT, 2, "temperature", **observed(1, "stage")),
        TEMPERATURE_RULE,
        "'in_transit' is not a number",
    ),
    (
        "quantity for a parameter without a unit",
        rule(TWO, 1, "max_count", quantity={"value": 5, "unit": "kg", "tolerance": 0}),
        "en-two: step 1, argument 'max_count'",
        "needs a unit where it comes from",
    ),
    (
        "unknown unit",
        rule(UNIT, 2, "temperature", quantity={"value": 5, "unit": "parsnip", "tolerance": 0}),
        TEMPERATURE_RULE,
        "'parsnip' is not a unit",
    ),
    (
        "unit of another dimension",
        rule(UNIT, 2, "temperature", quantity={"value": 5, "unit": "kg", "tolerance": 0}),
        TEMPERATURE_RULE,
        "'kg' does not convert to 'degF'",
    ),
    (
        "approval of an unknown route",
        approvals({"route": "archive.burn"}),
        "en-typed: approval 1, route",
        "'archive.burn' is not in the smallest catalog",
    ),
    (
        "approval of a harmless route",
        approvals({"route": "archive.list_datasets"}),
        "en-typed: approval 1",
        "is not destructive",
    ),
    (
        "approval of a harmless step",
        approvals({"step": 2}),
        "en-typed: approval 1",
        "is not destructive",
    ),
    (
        "approval with an unknown parameter",
        approvals({"route": "archive.drop_dataset", "arguments": {"name": {"equals": "x"}}}),
        "en-typed: approval 1, argument 'name'",
        "has no such parameter",
    ),
    (
        "approval with a value of another type",
        approvals({"route": "archive.drop_dataset", "arguments": {"dataset_id": {"equals": "x"}}}),
        "en-typed: approval 1, argument 'dataset_id'",
        "does not take the rule's value",
    ),
    (
        "approval whose source does not exist",
        approvals(
            {"route": "archive.drop_dataset", "arguments": {"dataset_id": origin(4, "dataset_id")}}
        ),
        "en-typed: approval 1, argument 'dataset_id'",
        "Step 4 has not been passed",
    ),
]

MEANING_CASES: list[Case] = [
    (
        "literal that the query does not say",
        rule(TWO, 1, "customer_id", equals="CUS-9999"),
        "en-two: step 1, argument 'customer_id'",
        "'CUS-9999' cannot be found",
    ),
    (
        "number that the query does not say",
        rule(TWO, 1, "max_count", equals=1042),
        "en-two: step 1, argument 'max_count'",
        "1042 cannot be found",
    ),
    (
        "words that the query does not say",
        rule(TWO, 1, "max_count", equals=2, says="a couple"),
        "en-two: step 1, argument 'max_count'",
        "'a couple' cannot be found",
    ),
    (
        "quantity that the query does not say",
        rule(THREE, 2, "weight", quantity={"value": 5.67, "unit": "kg", "tolerance": 0.01}),
        "en-three: step 2, argument 'weight'",
        "The number 5.67 cannot be found",
    ),
    (
        "text that the query does not say",
        rule(UNIT, 3, "reason", contains="broken"),
        "en-typed: step 3, argument 'reason'",
        "'broken' cannot be found",
    ),
    (
        "choices of which the query says none",
        rule(UNIT, 3, "reason", one_of=["broken", "wet"]),
        "en-typed: step 3, argument 'reason'",
        "None of the values",
    ),
    (
        "hidden identifier in the query",
        query(TWO, lambda text: text.replace("it.", "shp-100234.")),
        SHIPMENT_RULE,
        "'SHP-100234' is to be observed and stands in the query",
    ),
    (
        "hidden version in the query",
        query(PROVENANCE, lambda text: text.replace("own version", "version 2025.04")),
        "en-provenance: step 2, argument 'version'",
        "'2025.04' is to be observed",
    ),
    (
        "hidden quantity in the query",
        query(UNIT, lambda text: text.replace("exactly that", "exactly 7.5 °C")),
        TEMPERATURE_RULE,
        "7.5 is to be observed",
    ),
    (
        "destructive step without approval",
        task(UNIT, approvals=[]),
        "en-typed: step 3",
        "destructive_policy_block",
    ),
    (
        "destructive step that is called twice and approved once",
        lambda surface: surface.task(UNIT)["steps"].insert(
            2,
            {
                "route": "freight.cancel_shipment",
                "arguments": surface.task(UNIT)["steps"][2]["arguments"],
                "error": "upstream_timeout",
                "after": QUOTED,
            },
        ),
        "en-typed: step 4",
        "destructive_policy_block",
    ),
    (
        "identifier that nobody can have seen",
        rule(TWO, 1, "customer_id", equals="CUS-9999", says="a shipment"),
        "en-two: step 1",
        "In catalog 100 the right call gets not_found",
    ),
    (
        "two steps with an error",
        both(step(TWO, 2, error="rate_limited")),
        "en-two: stratum",
        "not have exactly 2 steps without errors",
    ),
    (
        "two steps without a data edge",
        both(
            query(TWO, lambda text: text.replace("it.", f"{SHIPMENT}.")),
            rule(TWO, 2, "shipment_id", equals=SHIPMENT),
        ),
        "en-two: stratum",
        "0 data edges",
    ),
    (
        "three steps of which one hangs in the air",
        both(
            query(THREE, lambda text: f"{text} Take {SHIPMENT} and 12.5 kg."),
            rule(THREE, 2, "shipment_id", equals=SHIPMENT),
            rule(THREE, 2, "weight", equals=12.5),
        ),
        "en-three: stratum",
        "1 data edges, which must be at least 2",
    ),
    (
        "nothing to recover from",
        both(
            lambda surface: surface.task(RECOVERABLE)["steps"][0].pop("error"),
            step(
                RECOVERABLE,
                1,
                observation={"customer_id": "CUS-5560", "stage": "held", "temperature": 1.5},
            ),
        ),
        "en-recoverable: stratum",
        "No step scripts an error",
    ),
    (
        "failure that is never recovered",
        lambda surface: surface.task(RECOVERABLE)["steps"].pop(),
        "en-recoverable: stratum",
        "never called again after expired_session",
    ),
    (
        "failure at the end",
        lambda surface: surface.task(RECOVERABLE).update(
            steps=surface.task(RECOVERABLE)["steps"][1:2] + surface.task(RECOVERABLE)["steps"][:1]
        ),
        "en-recoverable: stratum",
        "Nothing succeeds after the error of step 2",
    ),
    (
        "permanent failure that goes away",
        step(RECOVERABLE, 1, error="provider_suspended"),
        "en-recoverable: stratum",
        "fails for good, and its route succeeds later",
    ),
    (
        "precondition that nobody restores",
        both(
            lambda surface: surface.task(RECOVERABLE)["steps"].pop(1),
            rule(RECOVERABLE, 2, "session_id", equals=SESSION),
        ),
        "en-recoverable: stratum",
        "Nothing restores what expired_session",
    ),
    (
        "permanent failure within one provider",
        both(
            step(RECOVERABLE, 1, error="quota_exhausted"),
            lambda surface: surface.task(RECOVERABLE)["steps"].pop(),
        ),
        "en-recoverable: stratum",
        "no other provider is called",
    ),
    (
        "call that is never made again",
        both(
            lambda surface: surface.task(RECOVERABLE)["steps"].pop(1),
            step(RECOVERABLE, 1, error="rate_limited"),
            rule(RECOVERABLE, 2, "session_id", nonempty=True),
            lambda surface: surface.task(RECOVERABLE)["steps"][1]["arguments"].update(
                session_id={"equals": SESSION}, day={"equals": "2026-01-05", "says": "parcel"}
            ),
        ),
        "en-recoverable: stratum",
        "The call of step 1 is never made again after rate_limited",
    ),
    (
        "version of another item",
        rule(PROVENANCE, 2, "version", **origin(1, "datasets[0].version")),
        "en-provenance: stratum",
        "come from different items",
    ),
    (
        "identifier that a step creates and the query knows",
        both(
            lambda surface: surface.endpoint("archive.export_dataset")["outputs"].update(
                copy_id="dataset.id"
            ),
            lambda surface: [
                surface.task(PROVENANCE, language)["steps"][1]["observation"].update(
                    copy_id="7a7a7a7a-1b1b"
                )
                for language in LANGUAGES
            ],
            query(PROVENANCE, lambda text: f"{text} It will be 7a7a7a7a-1b1b."),
        ),
        "en-provenance: step 2, observation",
        "creates '7a7a7a7a-1b1b', which stands in the query",
    ),
    (
        "one candidate only",
        both(
            lambda surface: surface.task(PROVENANCE)["steps"][0]["observation"]["datasets"].pop(0),
            rule(PROVENANCE, 2, "dataset_id", **origin(1, "datasets[0].dataset_id")),
            rule(PROVENANCE, 2, "version", **origin(1, "datasets[0].version")),
        ),
        "en-provenance: stratum",
        "from an observation that offers several",
    ),
    (
        "identifier without its version",
        rule(PROVENANCE, 2, "version", equals="2025.04", says="version"),
        "en-provenance: stratum",
        "No step takes a version",
    ),
    (
        "identifier that is qualified itself, without its version",
        both(
            lambda surface: surface.endpoint("archive.list_datasets")["outputs"].update(
                {"datasets[].dataset_id": {"term": "dataset.id", "qualifiers": {"kind": "raw"}}}
            ),
            rule(PROVENANCE, 2, "version", equals="2025.04", says="version"),
        ),
        "en-provenance: stratum",
        "No step takes a version",
    ),
    (
        "no conversion",
        both(
            query(UNIT, lambda text: text.replace("exactly that", "45.5 °F")),
            rule(UNIT, 2, "temperature", quantity={"value": 45.5, "unit": "degF", "tolerance": 0}),
        ),
        "en-typed: stratum",
        "No step needs an observed quantity in another unit",
    ),
]

TEXT_CASES: list[Case] = [
    (
        "query not in NFC",
        query(TWO, lambda text: unicodedata.normalize("NFD", text), "es"),
        "es-two",
        "not in NFC",
    ),
    (
        "line break in a query",
        query(TWO, lambda text: text.replace(". ", ".\n")),
        "en-two",
        "nobody sees (U+000A)",
    ),
    (
        "invisible character in a rule",
        rule(UNIT, 3, "reason", one_of=["not wanted", "not\u00adwanted"]),
        "en-typed",
        "nobody sees (U+00AD)",
    ),
    (
        "state marker",
        query(TWO, lambda text: f"{text} [Execution_State]"),
        "en-two: query",
        "holds [EXECUTION_STATE]",
    ),
    (
        "route in a query",
        query(TWO, lambda text: f"{text} Use freight.release_hold for that."),
        "en-two: query",
        "names the route 'freight.release_hold'",
    ),
    (
        "tool in a query",
        query(TWO, lambda text: f"{text} Use freight__release_hold for that."),
        "en-two: query",
        "names the route 'freight.release_hold'",
    ),
    (
        "English that is German",
        task(TWO, query=f"Bitte gib die Sendung von {CUSTOMER} frei, die noch fest hängt."),
        "en-two: query",
        "does not look like 'en'",
    ),
    (
        "Korean that is English",
        task(TWO, "ko", query=f"Please let the held consignment of {CUSTOMER} go on its way."),
        "ko-two: query",
        "does not look like 'ko'",
    ),
    (
        "Japanese that is Korean",
        task(TWO, "ja", query=f"{CUSTOMER} 고객에게 잡혀 있는 물건을 어서 풀어 주시기 바랍니다."),
        "ja-two: query",
        "does not look like 'ja'",
    ),
    (
        "mixture that is one language",
        task(TWO, "mixed", query=f"Let the consignment go which {CUSTOMER} is waiting for."),
        "mixed-two: query",
        "does not look like 'mixed'",
    ),
    (
        "Spanish that is Portuguese",
        task(
            TWO,
            "es",
            query=f"A remessa do cliente {CUSTOMER} de Lisboa está retida na alfândega; não há "
            "razão para isso, e ele já pediu duas vezes que a liberem, por favor.",
        ),
        "es-two: query",
        "does not take the query for 'es'",
    ),
    (
        "mixture without English",
        task(
            TWO,
            "mixed",
            query=f"고객 {CUSTOMER} 화물 la remesa retenida en la aduana 풀어 주세요, por favor.",
        ),
        "mixed-two: query",
        "does not find English and a second language",
    ),
    (
        "short query",
        task(TWO, query=f"Release it for the {CUSTOMER}."),
        "en-two: query",
        "has 28 characters, and 'en' asks for 40 to 900",
    ),
    (
        "long query",
        query(TWO, lambda text: " ".join([text] * 20), "ko"),
        "ko-two: query",
        "'ko' asks for 25 to 500",
    ),
    (
        "gloss in another language",
        task(TWO, "de", gloss="Gib bitte die Sendung des Kunden frei, die noch fest hängt."),
        "de-two: gloss",
        "does not look like English",
    ),
    (
        "gloss that is the query",
        lambda surface: surface.task(TWO).update(gloss=surface.task(TWO)["query"]),
        "en-two: gloss",
        "The gloss is the query",
    ),
    (
        "translation of another task",
        lambda surface: surface.task(TWO, "ja").update(gloss=surface.task(TWO, "de")["gloss"]),
        "ja-two: gloss",
        "of its 5-grams with that of",
    ),
    (
        "near-duplicate",
        lambda surface: surface.task(PROVENANCE).update(
            query=surface.task(THREE)["query"].replace("cost?", "cost us?")
        ),
        "en-provenance",
        "of its 5-grams with that of en-three",
    ),
]


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        pytest.param(*rest, id=name)
        for name, *rest in (*CATALOG_CASES, *FORM_CASES, *MEANING_CASES, *TEXT_CASES)
    ],
)
def test_a_planted_defect_is_the_one_that_is_found(
    tmp_path: Path, change: Change, place: str, words: str
) -> None:
    found = problems(tmp_path, change)
    assert len(found) == 1, [str(problem) for problem in found]
    # A place in a file ends with a line and a field, that of the whole folder is a temporary one.
    exact = place and not place.endswith(":")
    assert found[0].place == place if exact else found[0].place.startswith(place)
    assert words in found[0].what
    assert found[0].remedy.endswith(".")
