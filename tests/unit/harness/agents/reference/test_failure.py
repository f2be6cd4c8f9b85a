"""After a failure: the same call, a recovery call, another provider, or something else."""

from __future__ import annotations

import pytest

from harness.agents.reference import Policy, ReferenceAgent
from surface.failure import PERMANENT, TRANSIENT
from tests.unit.harness.agents.reference.tools import (
    WORLD,
    called,
    choose,
    conversation,
    error,
    identifiers,
    ok,
    tool,
)

RELEASE = ("freight__release_hold", {"shipment_id": "SHP-100001"})
RELEASE_QUERY = "Release the hold on shipment SHP-100001."
PUBLISH = ("docs__publish_document", {"document_id": "doc_a1B2c3", "session_id": "ses_00000001"})
PUBLISH_QUERY = "Publish document doc_a1B2c3 with session ses_00000001."
QUOTE = ("seaway__quote_freight", {"weight": 500, "destination": "Rotterdam"})
QUOTE_QUERY = "Get a quote for moving 500 kg by sea to Rotterdam."


@pytest.mark.parametrize("name", sorted(TRANSIENT))
def test_a_transient_failure_is_answered_by_the_same_call(name: str) -> None:
    failed = (*RELEASE, error(f"{name}: try again"))
    assert called(ReferenceAgent().act(conversation(RELEASE_QUERY, failed), WORLD)) == RELEASE


def test_retries_are_bounded() -> None:
    failed = (*RELEASE, error("rate_limited: try again"))
    agent, tools = ReferenceAgent(), choose("freight__release_hold")
    limit = Policy().transient_retries
    assert called(agent.act(conversation(RELEASE_QUERY, *[failed] * limit), tools)) == RELEASE
    # The policy's own rule is over; ordinary selection may come back to the call, not for ever.
    last = agent.act(conversation(RELEASE_QUERY, *[failed] * (limit + 1)), tools)
    assert last.calls == () or called(last) == RELEASE


def test_an_expired_session_is_renewed_and_the_new_one_used() -> None:
    failed = (*PUBLISH, error("expired_session: the session has ended"))
    agent = ReferenceAgent()
    recovery = called(agent.act(conversation(PUBLISH_QUERY, failed), WORLD))
    assert recovery == ("docs__open_session", {"document_id": "doc_a1B2c3"})
    renewed = (*recovery, ok({"session_id": "ses_99999999"}))
    assert called(agent.act(conversation(PUBLISH_QUERY, failed, renewed), WORLD)) == (
        "docs__publish_document",
        {"document_id": "doc_a1B2c3", "session_id": "ses_99999999"},
    )


def test_a_stale_version_is_read_again_and_replaced() -> None:
    read = tool(
        "docs__get_document",
        "Return the record of a document with its current version.",
        identifiers("document_id"),
    )
    update = tool(
        "docs__rename_document",
        "Rename a document, given its current version.",
        {
            **identifiers("document_id"),
            "version": {"type": "integer", "description": "Version of the document"},
            "title": {"type": "string", "description": "New title"},
        },
    )
    query = 'Rename document doc_a1B2c3, version 3, to "Plan".'
    arguments = {"document_id": "doc_a1B2c3", "version": 3, "title": "Plan"}
    failed = (update.name, arguments, error("stale_version: the document has changed"))
    agent = ReferenceAgent()
    recovery = called(agent.act(conversation(query, failed), [read, update]))
    assert recovery == (read.name, {"document_id": "doc_a1B2c3"})
    seen = (*recovery, ok({"version": 7, "title": "Draft"}))
    name, sent = called(agent.act(conversation(query, failed, seen), [read, update]))
    assert (name, sent["version"]) == (update.name, 7)


def test_a_lock_is_lifted_and_the_call_repeated() -> None:
    unlock = tool(
        "docs__unlock_document", "Lift the lock of a document.", identifiers("document_id")
    )
    tools = [*choose("docs__export_document", "docs__open_session"), unlock]
    query = "Export document doc_a1B2c3 as pdf."
    export = ("docs__export_document", {"document_id": "doc_a1B2c3", "format": "pdf"})
    failed = (*export, error("lock_conflict: somebody is editing"))
    agent = ReferenceAgent()
    recovery = called(agent.act(conversation(query, failed), tools))
    assert recovery == ("docs__unlock_document", {"document_id": "doc_a1B2c3"})
    lifted = (*recovery, {"status": "executed"})
    assert called(agent.act(conversation(query, failed, lifted), tools)) == export


def test_a_hitch_of_the_recovery_call_is_retried_before_the_rest() -> None:
    failed = (*PUBLISH, error("expired_session: the session has ended"))
    recovery = ("docs__open_session", {"document_id": "doc_a1B2c3"})
    hitch = (*recovery, error("upstream_timeout: no answer"))
    turn = ReferenceAgent().act(conversation(PUBLISH_QUERY, failed, hitch), WORLD)
    assert called(turn) == recovery
    renewed = (*recovery, ok({"session_id": "ses_99999999"}))
    turn = ReferenceAgent().act(conversation(PUBLISH_QUERY, failed, hitch, renewed), WORLD)
    assert called(turn)[0] == "docs__publish_document"


@pytest.mark.parametrize("name", sorted(PERMANENT))
def test_a_permanent_failure_is_answered_by_another_provider(name: str) -> None:
    failed = (*QUOTE, error(f"{name}: not here"))
    turn = ReferenceAgent().act(conversation(QUOTE_QUERY, failed), WORLD)
    assert called(turn) == ("railway__quote_freight", QUOTE[1])


@pytest.mark.parametrize("nudges", [0, 1, 2])
def test_a_tool_that_failed_for_good_is_never_called_again(nudges: int) -> None:
    failed = (*QUOTE, error("provider_suspended: not here"))
    turn = ReferenceAgent().act(
        conversation(QUOTE_QUERY, failed, *[None] * nudges), choose("seaway__quote_freight")
    )
    assert turn.calls == ()


@pytest.mark.parametrize(
    "answer",
    [
        error("not_found: no such resource"),
        error("schema_invalid: shipment_id"),
        error("unavailable_tool: this tool is not available"),
        error("destructive_policy_block: not approved", status="blocked"),
    ],
)
def test_a_call_that_was_turned_away_is_not_repeated(answer: dict[str, str]) -> None:
    failed = (*RELEASE, answer)
    for nudges in range(3):
        turn = ReferenceAgent().act(
            conversation(RELEASE_QUERY, failed, *[None] * nudges), choose("freight__release_hold")
        )
        assert turn.calls == ()


def test_a_failed_call_covers_no_demand() -> None:
    failed = (*RELEASE, error("not_found: no such resource"))
    turn = ReferenceAgent().act(
        conversation(RELEASE_QUERY, failed), choose("bank__get_balance", "freight__release_hold")
    )
    assert turn.text == "REQUEST_MORE_TOOLS"
