"""The report: one HTML file that shows a finished study and needs nothing else.

Style and script stand in the file and are allowed by their hashes, so that nothing that a task or a
model wrote can run, whatever it is. Every text is escaped. The same study gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gates.finished import Finished
from gates.metric_table import STATE_AWARE
from gates.report.browser import browser_data
from gates.report.browser_section import browser_section
from gates.report.course import courses
from gates.report.flow import flows
from gates.report.forest import forest
from gates.report.heat import heat_map
from gates.report.power_curve import power_curve
from gates.report.provenance import provenance
from gates.report.tables import (
    condition_table,
    cost_tables,
    ending_table,
    failure_table,
    masked,
    sensitivity_remarks,
    sensitivity_tables,
)
from gates.report.tradeoff import trade_off
from gates.report.verdict import rule_views
from gates.summary import answered, label

BLIND_REPORT: Final = "report-blind.html"
"""The name of the masked one."""

_NAMING: Final = ("kind", "model", "revision", "version")
_VERDICTS: Final = {True: "The gate passed", False: "The gate did not pass"}


def report_page(finished: Finished, *, frozen: bool, blind: bool = False) -> bytes:
    """Return the report of a study.

    Parameters
    ----------
    finished
        The study, verified and terminal.
    frozen
        Whether it ran under a lock.
    blind
        Whether every outcome is masked, for a review of the report before anybody knows one. What
        is left is the same whatever came out, but for the digest.

    Returns
    -------
    bytes
        The page in UTF-8.
    """
    terminal = finished.terminal
    environment = Environment(
        loader=PackageLoader("gates.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    rules = rule_views(terminal, blind=blind)
    tables = {
        "conditions": (condition_table(terminal),),
        "failures": (failure_table(terminal), ending_table(terminal)),
        "costs": cost_tables(terminal),
        "sensitivity": sensitivity_tables(terminal),
    }
    if blind:
        tables = {name: tuple(map(masked, found)) for name, found in tables.items()}
    style, script = _asset("page.css"), _asset("page.js")
    content: dict[str, Any] = {
        "blind": blind,
        "record": finished.results.record,
        "answered": answered(terminal),
        "agent": _agent(terminal["agent"]),
        "label": label(terminal),
        # What stands beside the gate describes, also where the gate confirms.
        "beside": label({**terminal, "development": True}),
        "claim": _claim(finished),
        "counts": terminal["counts"],
        "level": f"{100 * float(terminal['plan']['level']):.4g}\u202f%",
        "verdict": "The verdict is masked" if blind else _VERDICTS[terminal["gate"]["passed"]],
        "rules": rules,
        "held": sum(rule.passed is True for rule in rules),
        "tables": tables,
        "state_aware": STATE_AWARE,
        "power": power_curve(terminal, blind=blind),
        "provenance": provenance(finished, frozen=frozen, blind=blind),
    }
    if not blind:
        study = finished.results.record.config["study"]
        browser = browser_section(browser_data(study, finished.results.episodes, finished.tasks))
        style, script = style + browser.style, script + browser.script
        content |= {
            "forest": forest(terminal),
            "heat": heat_map(finished),
            "tradeoff": trade_off(terminal),
            "flows": flows(finished),
            "courses": courses(finished),
            "remarks": sensitivity_remarks(terminal),
            "browser": browser.markup,
        }
    page = environment.get_template("page.html.j2").render(
        **content,
        # Files of this package, which hold nothing from the data.
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return page.encode()


def _claim(finished: Finished) -> str:
    """Return what may be claimed from these results and what may not."""
    record = finished.results.record
    if record.development:
        return (
            "The retriever and the reference agent were built on these tasks. What is shown here is"
            " no evidence for or against the hypothesis, whatever it is."
        )
    if record.evidence == "instrument":
        return (
            "No language model answered. The study shows that the instrument works from end to end,"
            " and says nothing about the hypothesis."
        )
    return (
        "The six rules test the hypothesis for this model, this retriever, these tasks and these"
        " catalogs. Everything else describes, and holds for nothing beyond them. Retrieval changes"
        " what is seen; it authorizes nothing."
    )


def _agent(agent: Mapping[str, Any]) -> str:
    """Return what names an agent; all of its identity stands with the provenance."""
    return ", ".join(f"{name} {agent[name]}" for name in _NAMING if agent.get(name))


def _asset(name: str) -> str:
    return files("gates.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
