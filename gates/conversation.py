"""The messages of an episode as they stood when it ended, in the chat API's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gates.consistency import called
from gates.exchange import read_by_agent
from gates.results import EpisodeRows
from gates.transcript import Transcript
from router.snapshot import CatalogSnapshot

Message = Mapping[str, Any]


def conversation(item: EpisodeRows, query: str, snapshot: CatalogSnapshot) -> list[Message]:
    """Return what was said in an episode, from its log.

    Parameters
    ----------
    item
        The verified rows of the episode.
    query
        What the user asked for.
    snapshot
        The catalog, for the units of what was observed.

    Returns
    -------
    list of mapping
        System prompt, query and turns. A prompt that overflowed was never answered, and after the
        last turn nothing was said to the agent but what its call answered.
    """
    states = {row["turn"]: row for row in item.transitions}
    transcript = Transcript(query)
    answered = [turn for turn in item.turns if turn["accepted"]]
    for turn in answered:
        if called(turn):
            transcript.tool_turn(turn, read_by_agent(states[turn["turn"]], snapshot))
        else:
            transcript.idle_turn(turn)
    ended_idle = answered and answered[-1] is item.turns[-1] and not called(answered[-1])
    # The transcript tells what the next turn would have read.
    return transcript.messages[:-1] if ended_idle else transcript.messages
