"""Which patterns are asked for, and all that a report needs of the records: counts.

Counting and estimating are apart. `count_patterns` reduces records to integers that add up over parts of the
respondents, so that the work can be spread over workers; a report needs only their sum.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE, CASES, ESTIMATORS
from privacy.design import Design, arguments
from privacy.design.channels import Factor
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.estimate.bit_columns import BitColumns, count_states
from privacy.estimate.cells import PatternCells, WholeRecords, is_read_whole
from privacy.estimate.sampled import SampledPattern, pattern_of_sample
from privacy.estimate.weights import factors, require_possible
from privacy.reconstruct.group_difference import comparable
from privacy.records import Records
from privacy.records.count_tables import CountTables
from privacy.records.records import NO_RECORDS

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class PatternQuery:
    """Which patterns are asked for, by which estimator; refused here if they cannot be answered."""

    design: Design
    patterns: tuple[Pattern, ...]
    estimator: str = "stratified"
    compared: tuple[Pattern, ...] = ()
    cases: str = AVAILABLE

    @classmethod
    def parse(
        cls,
        design: Design,
        patterns: Iterable[str | Pattern],
        estimator: str = "stratified",
        cases: str = AVAILABLE,
    ) -> "PatternQuery":
        """Parse the patterns that are texts, and let the groups be compared on every item of the design.

        Raises `InputError` where a pattern cannot be reconstructed from records of this design.
        """
        parsed = [parse_pattern(pattern, design) if isinstance(pattern, str) else pattern for pattern in patterns]
        compared = tuple(comparable(design)) if design.direct else ()
        return cls(design, tuple(parsed), estimator, compared, cases)

    def __post_init__(self) -> None:
        arguments.choice(self.estimator, "estimator", ESTIMATORS)
        arguments.choice(self.cases, "cases", CASES)
        for pattern in self.patterns:
            require_possible(self.design, pattern, self.estimator)

    @cached_property
    def factors(self) -> tuple[tuple[Factor, ...], ...]:
        """The factors of each pattern: its literals, by block of the design."""
        return tuple(factors(self.design, pattern) for pattern in self.patterns)

    @cached_property
    def sampled_patterns(self) -> tuple[SampledPattern | None, ...]:
        """For each pattern how it is estimated from a sampled block; None where from complete cases."""
        return tuple(pattern_of_sample(self.design, pattern, self.cases) for pattern in self.patterns)

    @cached_property
    def by_record(self) -> tuple[PatternCells | None, ...]:
        """For each pattern how whole records are read for it; None where no block needs that."""
        design, patterns = self.design, self.patterns
        return tuple(PatternCells(design, pattern) if is_read_whole(design, pattern) else None for pattern in patterns)

    def asked_and_matching(self, place: int, counts: "PatternCounts") -> tuple[Counts, Counts]:
        """How many of each group were asked all of a pattern, and how many of their records match it."""
        own, whole_record, seen = self.sampled_patterns[place], self.by_record[place], counts.patterns[place]
        if whole_record:
            return whole_record.asked_and_matching(seen)
        states = own.whole(seen) if own else seen
        return states.sum(axis=-1), states[..., -1]


@dataclass(frozen=True)
class PatternCounts:
    """All that a report needs of the records: whole numbers that add up over parts of the respondents.

    Those of each pattern are 2 groups × states; of available cases × those of each set, of whole records × cells.
    """

    sizes: Counts  # disguised, direct
    patterns: tuple[Counts, ...]
    compared: tuple[Counts, ...]

    def __add__(self, other: "PatternCounts") -> "PatternCounts":
        return PatternCounts(
            self.sizes + other.sizes,
            tuple(mine + its for mine, its in zip(self.patterns, other.patterns, strict=True)),
            tuple(mine + its for mine, its in zip(self.compared, other.compared, strict=True)),
        )


def count_parts(parts: Iterable[Records] | CountTables, query: PatternQuery) -> PatternCounts:
    """Count the records of all parts for a query, as `count_patterns` does; refused where there are none.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0], [1]], np.uint8), np.zeros(3, bool))
    >>> count_parts([records, records], PatternQuery.parse(design, ["drugs"])).sizes.tolist()
    [6, 0]
    """
    if isinstance(parts, CountTables):
        return _count_tables(parts, query)
    counts = (count_patterns(part, query) for part in parts if len(part))
    if (first := next(counts, None)) is None:
        raise InputError(NO_RECORDS)
    return reduce(add, counts, first)


def _count_tables(tables: CountTables, query: PatternQuery) -> PatternCounts:
    """The counts for a query, each pattern from a table that has its items."""

    def count(columns: Sequence[int], **asked: Any) -> PatternCounts:
        """Add up by powers of two, the highest first: what is counted so far counts twice."""
        own = replace(query, **{"patterns": (), "compared": ()} | asked)
        parts = (count_patterns(records, own) for records in tables.holding(columns).by_powers_of_two)
        return reduce(lambda total, part: total + total + part, parts)

    return replace(
        count(()),
        patterns=tuple(count(one.columns, patterns=(one,)).patterns[0] for one in query.patterns),
        compared=tuple(count(one.columns, compared=(one,)).compared[0] for one in query.compared),
    )


def count_patterns(records: Records, query: PatternQuery) -> PatternCounts:
    """Count records, all of them or a part, for all that the report of a query needs.

    Those of parts of the records add up to those of the whole. Raises `InputError` where they are of another design.

    >>> import numpy as np
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0], [1]], np.uint8), np.zeros(3, bool))
    >>> counts = count_patterns(records, PatternQuery.parse(design, ["drugs"]))
    >>> (counts + counts).sizes.tolist()
    [6, 0]
    """
    if records.design != query.design:
        raise InputError("The records and the patterns have different designs.")
    bits = BitColumns(records)

    whole = WholeRecords(query.design, records.codes, records.direct)

    def states(pattern: Pattern) -> Counts:
        atoms = [atom for factor in factors(query.design, pattern) for atom in factor.atoms]
        return count_states(bits, atoms, pattern.columns)

    return PatternCounts(
        np.array(bits.sizes, dtype=np.int64),
        tuple(
            whole_record.counts(whole) if whole_record else own.count(bits) if own else states(pattern)
            for pattern, own, whole_record in zip(query.patterns, query.sampled_patterns, query.by_record, strict=True)
        ),
        tuple(map(states, query.compared)),
    )
