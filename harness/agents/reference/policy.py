"""The numbers of the reference agent's policy, all in one place."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Grades:
    """How much each kind of evidence counts for an argument; sums are cut to 0..1."""

    # Literals of the query.
    pattern_match: float = 0.75
    digits_only_name: float = 0.5
    """A token with digits for an identifier that states no pattern."""
    unused: float = 0.15
    used: float = 0.25
    used_doubt: float = 0.5
    """Share of that deduction which each nudge takes away."""
    cue: float = 0.1
    near: float = 0.12
    quantity: float = 0.7
    bare_quantity: float = 0.3
    number: float = 0.35
    number_near: float = 0.35
    count: float = 0.2
    date: float = 0.7
    date_as_instant: float = 0.4
    quoted: float = 0.8
    named_value: float = 0.8
    name: float = 0.45
    request_words: float = 0.45
    email: float = 0.8
    flag: float = 0.5

    # Observed values.
    observed: float = 0.5
    observed_field: float = 0.3
    same_name: float = 0.22
    same_field: float = 0.35
    shared_concepts: float = 0.15
    shared_field: float = 0.3
    latest: float = 0.12
    observed_used: float = 0.1
    chosen: float = 0.25

    same_record: float = 0.4
    head: float = 0.2
    """The noun before a literal names what the parameter is about."""
    head_number: float = 0.35
    misnamed: float = 0.5
    """It names something else, and the pattern alone does not tell."""
    unnamed: float = 0.4
    """An observed identifier of a pattern that does not tell, in a field of another name."""
    barred: float = 0.3
    """A literal of a clause that says what not to do."""
    said_instead: float = 1.2
    """An observed quantity where the query states an unused one of that dimension."""

    # Schemas.
    member_said: float = 0.9
    member_words: float = 0.8
    member_part: float = 0.35
    member_observed: float = 0.6
    only_member: float = 0.95
    default: float = 0.4
    first_member: float = 0.06
    flag_guess: float = 0.06

    # Which record of several.
    record_literal: float = 1.0
    record_words: float = 0.7
    record_verb: float = 0.3
    record_sift: float = 0.45
    """Records within this of the best are ranked by a superlative."""
    record_number: float = 0.8
    record_comparison: float = 0.6
    record_superlative: float = 1.0
    record_position: float = 0.4
    record_flag: float = 0.3
    record_some_words: float = 0.5
    record_linked: float = 0.8
    """A record that names what an earlier answer named."""
    record_elsewhere: float = 0.5
    """Share of what the rest of the query says, where one clause is in focus."""
    records_alike: float = 0.08
    """Records whose evidence differs by less go into a list together."""


@dataclass(frozen=True)
class Policy:
    """Constants of the policy; ``POLICY.md`` says what each is for.

    Scores and weights have no unit; evidence, shares and residuals lie between 0 and 1.
    """

    grades: Grades = field(default_factory=Grades)

    # Demand.
    verb_weight: float = 1.2
    noun_weight: float = 1.0
    state_weight: float = 0.6
    word_weight: float = 0.7
    covered_residual: float = 0.1
    open_clause: float = 0.5
    """A clause with more than this share of its demand open waits for a call."""
    credit_literal: float = 0.3
    """Credit of a clause that holds all the literals which a call used."""
    fit_discount: float = 0.5
    nudge_floor: float = 0.25

    # How much a tool's text says about what it does, by the place of a word.
    operation_weight: float = 1.0
    description_weight: float = 0.6
    service_weight: float = 0.4
    parameter_weight: float = 0.4

    # Selection.
    explained_share: float = 0.5
    """Weight of the share of a clause that a tool explains."""
    operation_share: float = 0.5
    """Weight of the share of a tool's operation that a clause asks for."""
    clause_decay: float = 0.75
    conditional: float = 0.8
    """Factor for a clause that holds only in some case, while no call has failed."""
    background: float = 0.35
    service_named: float = 0.15
    unused_literal: float = 0.15
    """For each of the first `most_literals`."""
    most_literals: int = 3
    operation_verb: float = 1.5
    """Factor for a verb among the words of an operation."""
    fresh_observation: float = 0.2
    full_use: float = 0.5
    """Relevance from which what a tool would use counts in full."""
    chain: float = 0.35
    confidence: float = 0.4
    repeat: float = 0.3
    failed_before: float = 0.3
    destructive_unasked: float = 5.0
    destructive_early: float = 0.4
    """Deducted while a clause before the one that asks for destruction is open."""
    asked: float = 0.3
    """A destructive verb is asked for while more of it than this is open."""
    shortlist: int = 48

    # Arguments.
    required_evidence: tuple[float, ...] = (0.3, 0.25, 0.05)
    """Least evidence for a required argument, by nudges so far."""
    optional_evidence: float = 0.75
    same_clause: float = 0.1
    """Evidence added to a literal of the clause that the call answers."""
    other_clause: float = 0.1
    """Taken from a number of another clause,"""
    rival_clause: float = 0.5
    """and where the clause at hand states one that fits."""
    destructive_named: float = 0.6
    """Evidence added to an identifier of the query where a call destroys."""
    significant_digits: int = 10
    variants: int = 12
    """Argument sets tried when the best ones were already sent."""

    # Failures.
    transient_retries: int = 3
    recovery_rounds: int = 2
    recovery_operation: float = 0.6
    recovery_description: float = 0.3
    recovery_value: float = 0.25
    recovery_service: float = 0.15
    recovery_relevance: float = 0.3
    recovery_threshold: float = 0.4
    restored_value: float = 0.3
    other_service: float = 0.1
    likeness_operation: float = 0.4
    likeness_description: float = 0.25
    likeness_parameters: float = 0.35
    provider_threshold: float = 0.25

    # Stopping.
    call_threshold: tuple[float, ...] = (0.7, 0.6, 0.05)
    """Least score of a call, by nudges so far."""
    open_demand: float = 0.45

    def at(self, levels: tuple[float, ...], nudges: int) -> float:
        """Return the level that holds after so many nudges; the last one holds for all later."""
        return levels[min(nudges, len(levels) - 1)]
