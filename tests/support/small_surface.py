"""A small sound surface, written to a folder and read back through the real loaders.

Twelve, fourteen and sixteen endpoints stand for the three catalogs; each stratum has one chain of
steps, and each language its own five requests. Tests mutate the plain data before it is written.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from surface.catalog import Catalog
from surface.task import CANARY, LANGUAGES, Language, Task, load_tasks
from surface.validation.catalogs import read_catalog_files
from surface.validation.problem import Report
from surface.validation.requirement import CatalogRequirement, SplitRequirement, Spread
from surface.validation.survey import check_surface

TWO = "two_step_state_dependency"
THREE = "three_step_state_dependency"
RECOVERABLE = "recoverable_execution_failure"
PROVENANCE = "identifier_provenance_propagation"
UNIT = "typed_unit_state_transition"
NAMES = {
    TWO: "two",
    THREE: "three",
    RECOVERABLE: "recoverable",
    PROVENANCE: "provenance",
    UNIT: "typed",
}

REQUIREMENT = CatalogRequirement(
    sizes={100: 12, 250: 14, 500: 16},
    services=4,
    spread={100: Spread(3, 1), 500: Spread(5, 2)},
    arranged=False,
)
SPLIT = SplitRequirement(per_cell=1, chain_uses=6, chains=5, routes=10, repeats=5)

CUSTOMER, SHIPMENT, SESSION = "CUS-1042", "SHP-204817", "ses_7h2kq9x4"


def _identifier(description: str, pattern: str, example: str, **more: Any) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": "string", "pattern": pattern},
        "identifier": True,
        "example": example,
        **more,
    }


VOCABULARY: dict[str, Any] = {
    "customer.id": _identifier("Customer number", "^CUS-[0-9]{4}$", "CUS-7000", common=True),
    "shipment.id": _identifier("Shipment number", "^SHP-[0-9]{6}$", "SHP-900001", common=True),
    "quote.id": _identifier("Quote number", "^QT-[0-9]{6}$", "QT-900001"),
    "session.id": _identifier("Session token", "^ses_[0-9a-z]{8}$", "ses_99999999"),
    "dataset.id": _identifier("Dataset identifier", "^[0-9a-f]{8}-[0-9a-f]{4}$", "99999999-9999"),
    "dataset.version": {
        "description": "Version of a dataset",
        "schema": {"type": "string", "pattern": r"^20[0-9]{2}\.[0-9]{2}$"},
        "example": "2019.01",
    },
    "data.source": {
        "description": "Origin of the data",
        "schema": {"type": "string", "enum": ["manual", "sensor", "import"]},
        "example": "manual",
    },
    "goods.weight": {
        "description": "Weight of the goods",
        "schema": {"type": "number", "minimum": 0},
        "unit": "kg",
        "dimension": "mass",
        "example": 10,
    },
    "cargo.temperature": {
        "description": "Temperature of the cargo",
        "schema": {"type": "number"},
        "unit": "degC",
        "dimension": "temperature",
        "example": 4.5,
    },
    "shipment.stage": {
        "description": "Stage of a shipment",
        "schema": {"type": "string", "enum": ["booked", "in_transit", "held"]},
        "example": "booked",
    },
    "delivery.date": {
        "description": "Day of delivery",
        "schema": {"type": "string", "format": "date"},
        "example": "2026-01-05",
    },
    "company.name": {
        "description": "Company name",
        "schema": {"type": "string"},
        "example": "Aurora Foods",
    },
    "reason.text": {"description": "Reason", "schema": {"type": "string"}, "example": "Damaged."},
    "item.count": {
        "description": "Number of items",
        "schema": {"type": "integer", "minimum": 0},
        "example": 3,
    },
    "consent.flag": {"description": "Consent", "schema": {"type": "boolean"}, "example": True},
}


def _endpoint(
    name: str,
    tier: int,
    effect: str,
    description: str,
    parameters: Mapping[str, Any],
    outputs: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "tier": tier,
        "effect": effect,
        "description": description,
        "parameters": dict(parameters),
        "outputs": dict(outputs or {}),
    }


def _optional(term: str, **more: Any) -> dict[str, Any]:
    return {"term": term, "required": False, **more}


SERVICES: dict[str, Any] = {
    "freight": {
        "description": "Books and follows consignments by road.",
        "endpoints": [
            _endpoint(
                "find_shipments",
                100,
                "read",
                "List the shipments of a customer with stage and declared weight.",
                {
                    "customer_id": "customer.id",
                    "stages": _optional("shipment.stage", many=True),
                    "max_count": _optional("item.count"),
                },
                {
                    "shipments[].shipment_id": "shipment.id",
                    "shipments[].stage": "shipment.stage",
                    "shipments[].weight": {
                        "term": "goods.weight",
                        "unit": "lb",
                        "qualifiers": {"source": "declared"},
                    },
                },
            ),
            _endpoint(
                "release_hold",
                100,
                "write",
                "Release a shipment that is held, so that it moves on.",
                {"shipment_id": "shipment.id"},
            ),
            _endpoint(
                "cancel_shipment",
                100,
                "destructive",
                "Cancel a shipment for good and give its slot away.",
                {"shipment_id": "shipment.id", "reason": "reason.text"},
                {"shipment_id": "shipment.id"},
            ),
            _endpoint(
                "price_shipment",
                100,
                "read",
                "Quote the transport of a shipment from its weight.",
                {"shipment_id": "shipment.id", "weight": "goods.weight"},
                {"quote_id": "quote.id"},
            ),
            _endpoint(
                "accept_quote",
                100,
                "write",
                "Accept a quote and order the transport.",
                {"quote_id": "quote.id", "insured": _optional("consent.flag")},
            ),
            _endpoint(
                "list_customers",
                250,
                "read",
                "Search the customers of the haulier by company.",
                {"company": "company.name"},
                {"customers[].customer_id": "customer.id", "customers[].company": "company.name"},
            ),
        ],
    },
    "carrier": {
        "description": "Express parcels of a rival haulier.",
        "endpoints": [
            _endpoint(
                "price_parcel",
                100,
                "read",
                "Calculate the express fee of a parcel.",
                {"shipment_id": "shipment.id", "weight": "goods.weight"},
                {"quote_id": "quote.id"},
            ),
            _endpoint(
                "open_session",
                100,
                "write",
                "Sign a customer in and open a session.",
                {"customer_id": "customer.id"},
                {"session_id": "session.id"},
            ),
            _endpoint(
                "track_parcel",
                100,
                "read",
                "Show where a parcel is and how warm its cargo is.",
                {
                    "shipment_id": "shipment.id",
                    "session_id": "session.id",
                    "day": _optional("delivery.date"),
                },
                {
                    "customer_id": "customer.id",
                    "stage": "shipment.stage",
                    "temperature": "cargo.temperature",
                },
            ),
            _endpoint(
                "find_parcels",
                500,
                "read",
                "Look up the parcels that a customer has under way.",
                {"customer_id": "customer.id"},
                {"parcels[].shipment_id": "shipment.id", "parcels[].pieces": "item.count"},
            ),
        ],
    },
    "archive": {
        "description": "Keeps measurement series of customers.",
        "endpoints": [
            _endpoint(
                "list_datasets",
                100,
                "read",
                "List the measurement series of a customer with their versions.",
                {"customer_id": "customer.id"},
                {
                    "datasets[].dataset_id": "dataset.id",
                    "datasets[].version": "dataset.version",
                    "datasets[].origin": "data.source",
                },
            ),
            _endpoint(
                "export_dataset",
                100,
                "write",
                "Export one version of a measurement series.",
                {
                    "dataset_id": "dataset.id",
                    "version": "dataset.version",
                    "origin": _optional("data.source"),
                },
                {"rows": "item.count"},
            ),
            _endpoint(
                "drop_dataset",
                100,
                "destructive",
                "Delete a measurement series with all its versions.",
                {"dataset_id": "dataset.id"},
            ),
            _endpoint(
                "share_dataset",
                500,
                "write",
                "Give a customer access to a measurement series.",
                {"dataset_id": "dataset.id", "customer_id": "customer.id"},
            ),
        ],
    },
    "climate": {
        "description": "Controls the cooling of containers.",
        "endpoints": [
            _endpoint(
                "set_temperature",
                100,
                "write",
                "Set the cooling of a shipment to a temperature.",
                {
                    "shipment_id": "shipment.id",
                    "temperature": {"term": "cargo.temperature", "unit": "degF"},
                },
            ),
            _endpoint(
                "read_temperature",
                250,
                "read",
                "Read the sensor of a refrigerated shipment.",
                {"shipment_id": "shipment.id"},
                {"temperature": "cargo.temperature"},
            ),
        ],
    },
}

QUOTED = "(start of the query)"
"""Stands for words of the query, whatever it says when it is written."""

_FOUND = {
    "route": "freight.find_shipments",
    "arguments": {"customer_id": {"equals": CUSTOMER}},
    "observation": {
        "shipments": [
            {"shipment_id": "SHP-100233", "stage": "booked", "weight": 12.5},
            {"shipment_id": "SHP-100234", "stage": "held", "weight": 220.0},
        ]
    },
}
_TRACK = {"shipment_id": {"equals": SHIPMENT}}
_TRACKED = {"customer_id": "CUS-5560", "stage": "in_transit", "temperature": 7.5}

STEPS: dict[str, list[dict[str, Any]]] = {
    TWO: [
        {**_FOUND, "apart": {"carrier.find_parcels": QUOTED}},
        {
            "route": "freight.release_hold",
            "arguments": {"shipment_id": {"from": {"step": 1, "path": "shipments[1].shipment_id"}}},
        },
    ],
    THREE: [
        _FOUND,
        {
            "route": "freight.price_shipment",
            "arguments": {
                "shipment_id": {"from": {"step": 1, "path": "shipments[0].shipment_id"}},
                "weight": {
                    "quantity": {"step": 1, "path": "shipments[0].weight", "tolerance": 0.01}
                },
            },
            "observation": {"quote_id": "QT-551830"},
            "apart": {"carrier.price_parcel": QUOTED},
        },
        {
            "route": "freight.accept_quote",
            "arguments": {
                "quote_id": {"from": {"step": 2, "path": "quote_id"}},
                "insured": {"equals": True},
            },
        },
    ],
    RECOVERABLE: [
        {
            "route": "carrier.track_parcel",
            "arguments": {**_TRACK, "session_id": {"equals": SESSION}},
            "error": "expired_session: sign in again",
        },
        {
            "route": "carrier.open_session",
            "arguments": {"customer_id": {"equals": CUSTOMER}},
            "observation": {"session_id": "ses_0a1b2c3d"},
        },
        {
            "route": "carrier.track_parcel",
            "arguments": {**_TRACK, "session_id": {"from": {"step": 2, "path": "session_id"}}},
            "observation": _TRACKED,
        },
    ],
    PROVENANCE: [
        {
            "route": "archive.list_datasets",
            "arguments": {"customer_id": {"equals": CUSTOMER}},
            "observation": {
                "datasets": [
                    {"dataset_id": "9c41e07a-5d2f", "version": "2025.03", "origin": "import"},
                    {"dataset_id": "3fb8a610-c74e", "version": "2025.04", "origin": "sensor"},
                ]
            },
        },
        {
            "route": "archive.export_dataset",
            "arguments": {
                "dataset_id": {"from": {"step": 1, "path": "datasets[1].dataset_id"}},
                "version": {"from": {"step": 1, "path": "datasets[1].version"}},
            },
            "observation": {"rows": 8812},
        },
    ],
    UNIT: [
        {
            "route": "carrier.track_parcel",
            "arguments": {**_TRACK, "session_id": {"equals": SESSION}},
            "observation": _TRACKED,
            "apart": {"climate.read_temperature": QUOTED},
        },
        {
            "route": "climate.set_temperature",
            "arguments": {
                "shipment_id": {"equals": SHIPMENT},
                "temperature": {"quantity": {"step": 1, "path": "temperature", "tolerance": 0.05}},
            },
            "apart": {"freight.release_hold": QUOTED},
        },
        {
            "route": "freight.cancel_shipment",
            "arguments": {"shipment_id": {"equals": SHIPMENT}, "reason": {"nonempty": True}},
            "observation": {"shipment_id": SHIPMENT},
            "after": QUOTED,
        },
    ],
}
APPROVALS: dict[str, list[dict[str, Any]]] = {
    UNIT: [
        {
            "route": "archive.drop_dataset",
            "arguments": {"dataset_id": {"equals": "5d20c1aa-0b3e"}},
        },
        {"step": 3},
    ]
}

GLOSSES: dict[str, tuple[str, ...]] = {
    TWO: (
        "For this customer, look up everything under way and let the one that is stuck go on.",
        "Of the goods that this client has on the road, free whatever has been stopped.",
        "One of their consignments does not move; find it and take the block away.",
        "Something sent by the account named here is being kept back. See which, and unblock it.",
        "A delivery of theirs hangs somewhere, and it should be on its way again, please.",
        "Search what they have in transit for the item on hold and clear it.",
    ),
    THREE: (
        "Have the lightest consignment quoted by its weight and order it with insurance.",
        "Get a price for whichever of their loads weighs least, then buy that with cover.",
        "How much is the carriage of the smallest cargo? Book this, and insure what is booked.",
        "They want the least heavy freight moved: estimate the charge and accept it insured.",
        "Ask for the cost of the shipment that is easiest to lift and say yes, with protection.",
        "The tiniest load by mass needs an offer, and then a purchase that includes a policy.",
    ),
    RECOVERABLE: (
        "Say where the parcel is; if the session is over, sign the customer in again.",
        "Track the box. In case the login has lapsed, open a new one for the client first.",
        "Tell me how far the packet has come, and renew the access of the account if need be.",
        "Which place has it reached by now? Authenticate again when the token is stale.",
        "Follow the package that I named; should I be logged out, log me in and look again.",
        "Find out the position of this delivery, with a new sign-on if the old one fails.",
    ),
    PROVENANCE: (
        "Of all the series of the customer, export the one that was measured by sensors.",
        "Take the data that instruments recorded out of the store, in exactly the edition it has.",
        "From what is kept for them, write out the readings of the probes with their own release.",
        "A file of the automatic measurements is wanted, and not of those typed in by hand.",
        "Among the archived sets there is one from devices; dump that, quoting its number.",
        "Please deliver the record which the gauges made, as it is versioned in the holdings.",
    ),
    UNIT: (
        "Set the cooling to the temperature that the parcel has now, and then cancel it.",
        "Read how warm the goods are, let the unit hold this value, and call the trip off.",
        "Whatever the thermometer shows shall be the new target; the journey is dropped then.",
        "Keep the cargo at its present heat and, once that is done, give up the transport.",
        "Measure the load, adjust the chiller so that it stays there, and withdraw the order.",
        "First check the degrees, then match the refrigeration, and end with an annulment.",
    ),
}
"""What the queries say, by stratum, in the order of the languages."""

QUERIES: dict[str, dict[str, str]] = {
    "en": {
        TWO: f"Customer {CUSTOMER} has a shipment that is held. Please release it.",
        THREE: f"What would the lightest consignment of {CUSTOMER} cost? Order it with insurance.",
        RECOVERABLE: f"Where is parcel {SHIPMENT}? My session is {SESSION}; if it has run out, "
        f"sign me in as {CUSTOMER}.",
        PROVENANCE: f"From the archive of {CUSTOMER} we need an export of the series that came "
        "from sensors, in its own version.",
        UNIT: f"Using session {SESSION}, read how warm the cargo of {SHIPMENT} is, set its cooling "
        "to exactly that and then cancel the transport, for it is not wanted any more.",
    },
    "ko": {
        TWO: f"고객 {CUSTOMER}의 화물 가운데 보류된 것을 풀어 주세요.",
        THREE: f"{CUSTOMER} 고객의 가장 가벼운 화물 운임 견적을 내고 보험을 들어 주문해 주십시오.",
        RECOVERABLE: f"소포 {SHIPMENT}가 지금 어디 있나요? 세션은 {SESSION}이고, 만료됐으면 "
        f"{CUSTOMER}로 다시 로그인하세요.",
        PROVENANCE: f"{CUSTOMER}의 보관 자료에서 센서로 측정한 계열을 그 판 그대로 내보내 줘.",
        UNIT: f"세션 {SESSION}으로 {SHIPMENT}의 온도를 확인해서 냉각을 그 온도에 맞춘 다음, "
        "더 이상 필요 없으니 운송을 취소해 주세요.",
    },
    "es": {
        TWO: f"El cliente {CUSTOMER} tiene un envío retenido; libéralo para que siga.",
        THREE: f"¿Cuánto cuesta llevar la carga más ligera de {CUSTOMER}? Pídela con el seguro.",
        RECOVERABLE: f"Dime por dónde va el paquete {SHIPMENT}. Mi sesión es {SESSION} y, si ya ha "
        f"caducado, entra de nuevo como {CUSTOMER}.",
        PROVENANCE: f"Exporta del archivo de {CUSTOMER} la serie medida por sensores, en su propia "
        "versión.",
        UNIT: f"Con la sesión {SESSION} mira la temperatura de {SHIPMENT}, ajusta el frío a ese "
        "valor y después anula el transporte, que ya no hace falta.",
    },
    "ja": {
        TWO: f"顧客{CUSTOMER}の荷物のうち、保留中のものを解除してください。",
        THREE: f"{CUSTOMER}さんの一番軽い貨物の運賃を見積もり、保険付きで注文してほしい。",
        RECOVERABLE: f"小包{SHIPMENT}はどこですか。セッションは{SESSION}で、切れていたら"
        f"{CUSTOMER}で入り直してください。",
        PROVENANCE: f"{CUSTOMER}の保存データから、センサーで測った系列をその版のまま書き出して。",
        UNIT: f"セッション{SESSION}で{SHIPMENT}の温度を調べ、冷却をその温度に合わせたうえで、不要に"
        "なったので輸送を取り消してください。",
    },
    "de": {
        TWO: f"Beim Kunden {CUSTOMER} hängt eine Sendung fest, bitte gib sie frei.",
        THREE: f"Was kostet die leichteste Fracht von {CUSTOMER}? Bestell sie "
        "mit der Versicherung.",
        RECOVERABLE: f"Wo steckt das Paket {SHIPMENT}? Ich habe die Sitzung {SESSION}; wenn sie "
        f"abgelaufen ist, melde mich als {CUSTOMER} neu an.",
        PROVENANCE: f"Aus dem Archiv von {CUSTOMER} brauchen wir die Reihe der Sensoren als "
        "Export, und zwar in ihrer Fassung.",
        UNIT: f"Lies in der Sitzung {SESSION} ab, wie warm {SHIPMENT} ist, stell die Kühlung auf "
        "diesen Wert und storniere dann den Transport, der nicht mehr gebraucht wird.",
    },
    "mixed": {
        TWO: f"{CUSTOMER} 고객 shipment 중에 on hold 상태인 거 release 해 주세요.",
        THREE: f"Quote, por favor: la carga más ligera of {CUSTOMER}, and order it con el seguro.",
        RECOVERABLE: f"パッケージ{SHIPMENT}の where is it now を教えて。session {SESSION} expired "
        f"なら{CUSTOMER}で sign in してね。",
        PROVENANCE: f"Export bitte aus dem archive of {CUSTOMER} die sensor series, with its "
        "version und nicht the latest.",
        UNIT: f"session {SESSION}로 {SHIPMENT} temperature 확인해서 cooling 을 그 값으로 set 하고, "
        "그다음 transport 는 cancel 부탁해요.",
    },
}


def task_id(language: str, stratum: str) -> str:
    """The id of one of the small tasks: ``en-two``, ``ko-provenance``."""
    return f"{language}-{NAMES[stratum]}"


@dataclass
class SmallSurface:
    """Plain data of a surface; change it, then write it."""

    vocabulary: dict[str, Any] = field(default_factory=lambda: copy.deepcopy(VOCABULARY))
    services: dict[str, Any] = field(default_factory=lambda: copy.deepcopy(SERVICES))
    tasks: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {language: _tasks(language) for language in LANGUAGES}
    )

    def task(self, stratum: str, language: str = "en") -> dict[str, Any]:
        """Return the data of one task."""
        return next(item for item in self.tasks[language] if item["stratum"] == stratum)

    def endpoint(self, route: str) -> dict[str, Any]:
        """Return the data of one endpoint."""
        service, name = route.split(".")
        endpoints: list[dict[str, Any]] = self.services[service]["endpoints"]
        return next(item for item in endpoints if item["name"] == name)

    def write(self, folder: Path) -> Path:
        """Write the files; JSON is YAML."""
        services = folder / "catalogs" / "services"
        tasks = folder / "tasks" / "dev"
        services.mkdir(parents=True)
        tasks.mkdir(parents=True)
        _dump(folder / "catalogs" / "vocabulary.yaml", {"terms": self.vocabulary})
        for name, service in self.services.items():
            _dump(services / f"{name}.yaml", {"service": name, **service})
        for language, listed in self.tasks.items():
            _dump(tasks / f"{language}.yaml", {"canary": CANARY, "tasks": _quoting(listed)})
        return folder


def _tasks(language: Language) -> list[dict[str, Any]]:
    return [
        {
            "id": task_id(language, stratum),
            "stratum": stratum,
            "language": language,
            "query": query,
            "gloss": GLOSSES[stratum][LANGUAGES.index(language)],
            "steps": copy.deepcopy(STEPS[stratum]),
            "approvals": copy.deepcopy(APPROVALS.get(stratum, [])),
        }
        for stratum, query in QUERIES[language].items()
    ]


def _quoting(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return tasks whose quotes are the first words of their queries, unless a test gave others."""
    written = copy.deepcopy(tasks)
    for task in written:
        words = task["query"][:14]
        for step in task["steps"]:
            for route, quote in step.get("apart", {}).items():
                step["apart"][route] = words if quote == QUOTED else quote
            if step.get("after") == QUOTED:
                step["after"] = words
    return written


def _dump(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def check(
    folder: Path,
    split: SplitRequirement = SPLIT,
    catalogs: CatalogRequirement = REQUIREMENT,
) -> Report:
    """Validate a written surface against the small requirements."""
    return check_surface(
        ["dev"],
        catalog_folder=folder / "catalogs",
        task_folder=folder / "tasks",
        catalog_requirement=catalogs,
        split_requirements={"dev": split},
    )


def load(folder: Path) -> tuple[Mapping[int, Catalog], dict[str, Task]]:
    """Read a written surface: catalogs by tier, tasks by id."""
    files = read_catalog_files(folder / "catalogs")
    if files.problems:
        raise ValueError(str(files.problems[0]))
    tasks = load_tasks("dev", folder / "tasks")
    return files.catalogs(REQUIREMENT), {task.id: task for task in tasks}


@cache
def sound() -> tuple[Mapping[int, Catalog], Mapping[str, Task]]:
    """The unchanged surface, read once: catalogs by tier, tasks by id. Not to be changed."""
    with tempfile.TemporaryDirectory() as folder:
        return load(SmallSurface().write(Path(folder)))
