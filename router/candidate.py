"""Making candidates from a catalog."""

from __future__ import annotations

from collections.abc import Set

from router.contract import EndpointSpec
from router.retrieval import CapabilityCandidate, ScoreComponent
from router.snapshot import CatalogSnapshot
from router.text import words

__all__ = ["CandidateBuilder"]

Naming = tuple[frozenset[str], str]
"""The words of a thing that an output field goes by, and the field's name."""


class CandidateBuilder:
    """Candidates of one catalog, drafted when they are first wanted.

    Parameters
    ----------
    snapshot
        The catalog.
    """

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self._snapshot = snapshot
        self._drafts: dict[int, tuple[CapabilityCandidate, tuple[Naming, ...]]] = {}
        self._tool_fingerprints: dict[str, str] = {}

    def build(
        self,
        position: int,
        rank: int,
        score: int,
        components: tuple[ScoreComponent, ...],
        text_words: Set[str],
    ) -> CapabilityCandidate:
        """The candidate at a position of the catalog, ranked.

        Parameters
        ----------
        position
            Position of its route in the catalog.
        rank, score, components
            What the ranking says of it.
        text_words
            The words of the text that was ranked for.
        """
        draft, namings = self._drafts.get(position) or self._draft(position)
        named = [name for naming, name in namings if naming <= text_words]
        return draft._replaced(
            {
                "rank": rank,
                "score": float(score),
                "matched": score > 0,
                "matched_fields": tuple(dict.fromkeys(named)) if named else (),
                "score_components": components,
            }
        )

    def _draft(self, position: int) -> tuple[CapabilityCandidate, tuple[Naming, ...]]:
        tool = self._snapshot.owners[position]
        endpoint = self._snapshot.endpoints[position]
        if tool.key not in self._tool_fingerprints:
            self._tool_fingerprints[tool.key] = tool.fingerprint
        draft = CapabilityCandidate(
            rank=1,
            route_id=self._snapshot.routes[position],
            tool=tool.key,
            endpoint=endpoint.name,
            tool_description=tool.description,
            endpoint_description=endpoint.description,
            score=0.0,
            matched=False,
            matched_fields=(),
            score_components=(),
            parameters=endpoint.parameters,
            input_schema=endpoint.argument_schema,
            output_fields=endpoint.output_fields,
            output_schema=endpoint.observation_schema,
            read_only=endpoint.read_only,
            destructive=endpoint.destructive,
            source_type=tool.source_type,
            license=tool.license,
            provider=tool.provider,
            access_mode=tool.access_mode,
            tool_fingerprint=self._tool_fingerprints[tool.key],
            endpoint_fingerprint=endpoint.fingerprint,
        )
        self._drafts[position] = draft, _namings(endpoint)
        return self._drafts[position]


def _namings(endpoint: EndpointSpec) -> tuple[Naming, ...]:
    return tuple(
        (naming, field.name)
        for field in endpoint.output_fields
        for text in (field.name, *field.aliases, field.semantic_id or "")
        if (naming := frozenset(words(text)))
    )
