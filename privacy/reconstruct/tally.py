"""What is asked of the records, and the counts that answer it.

Counting and estimating are apart: `count` reduces records to integers that add up over parts of the respondents, so
that the work can be spread over workers, and a report needs only their sum.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.channels import Factor
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.reconstruct.bit_columns import Bits, cells
from privacy.reconstruct.estimators import ESTIMATORS
from privacy.reconstruct.factors import factors, obstacle
from privacy.reconstruct.group_difference import comparable
from privacy.reconstruct.joint import MOST_CELLS, View, table_shape, view_counts
from privacy.records import Records

__all__ = ["Question", "Tally", "count"]

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Question:
    """Which patterns are asked for, by which estimator; refused here if they cannot be answered."""

    design: Design
    patterns: tuple[Pattern, ...]
    estimator: str = "stratified"
    compared: tuple[Pattern, ...] = ()
    feasible: bool = True

    @classmethod
    def of(
        cls,
        design: Design,
        patterns: Iterable[str | Pattern],
        estimator: str = "stratified",
        feasible: bool = True,
    ) -> "Question":
        """Read patterns where they are text; compare the groups on every item of the design."""
        read = [parse_pattern(pattern, design) if isinstance(pattern, str) else pattern for pattern in patterns]
        return cls(design, tuple(read), estimator, tuple(comparable(design)) if design.direct else (), feasible)

    def __post_init__(self) -> None:
        if self.estimator not in ESTIMATORS:
            raise InputError(f"estimator: {self.estimator!r} is none of {', '.join(ESTIMATORS)}.")
        for pattern in self.patterns:
            if not pattern.literals:
                raise InputError("A pattern is empty; name at least one item.")
            refusal = obstacle(self.design, pattern, self.estimator)
            if refusal:
                raise InputError(refusal)

    @cached_property
    def factors(self) -> tuple[tuple[Factor, ...], ...]:
        return tuple(factors(self.design, pattern) for pattern in self.patterns)

    @cached_property
    def union(self) -> tuple[int, ...]:
        """The columns of all patterns, if feasible estimates are asked and one joint table can hold them; else none."""
        if not self.feasible:
            return ()
        columns = sorted({column for pattern in self.patterns for column in pattern.columns})
        return tuple(columns) if prod(table_shape(self.design, columns)) <= MOST_CELLS else ()


@dataclass(frozen=True)
class Tally:
    """All that a report needs of the records: whole numbers that add up over parts of the respondents."""

    sizes: Counts  # disguised, direct
    patterns: tuple[Counts, ...]  # each 2 groups × states
    compared: tuple[Counts, ...]
    joint: dict[View, Counts]

    def __add__(self, other: "Tally") -> "Tally":
        joint = dict(self.joint)
        for view, counts in other.joint.items():
            joint[view] = joint[view] + counts if view in joint else counts
        return Tally(
            self.sizes + other.sizes,
            tuple(mine + its for mine, its in zip(self.patterns, other.patterns, strict=True)),
            tuple(mine + its for mine, its in zip(self.compared, other.compared, strict=True)),
            joint,
        )


def count(records: Records, question: Question) -> Tally:
    """Reduce records, all of them or a part, to the counts a report needs."""
    if records.design != question.design:
        raise InputError("The records are of another design than the patterns.")
    bits = Bits(records)

    def counted(pattern: Pattern) -> Counts:
        atoms = [atom for part in factors(question.design, pattern) for atom in part.atoms]
        return cells(bits, atoms, pattern.columns)

    return Tally(
        np.array(bits.sizes, dtype=np.int64),
        tuple(map(counted, question.patterns)),
        tuple(map(counted, question.compared)),
        view_counts(records, question.union) if question.union else {},
    )
