"""What a few of the quasi-identifiers tell by themselves: k on every subset, and the records that a few single out.

A record that is alone with some attributes, and not alone with fewer of them, has a *minimal sample unique* there. One
that has such a set short of all attributes is a *special unique* (Elliot, Manning and Ford 2002): it stands out
whatever is done to the others. Its score is Σ (attributes − length of the set)!, the ways from its sets up to all
attributes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Bools, Ints
from privacy.errors import InputError
from privacy.output import format_count
from privacy.release.classes import compact, number_classes

MOST = 100_000  # subsets; beyond that nobody reads the list


@dataclass(frozen=True, eq=False)
class Subset:
    """Some of the quasi-identifiers: the smallest class by them alone, and the records that are alone.

    `minimal` are those of the records that are not alone with fewer of these attributes.
    """

    columns: tuple[str, ...]
    k: int
    alone: Ints
    minimal: Ints

    def to_json(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "k": self.k, "alone": len(self.alone)}


@dataclass(frozen=True)
class Special:
    """A record that a few attributes single out: its row, from 1, the sets that do, and its score."""

    row: int
    sets: tuple[tuple[str, ...], ...]
    score: int

    def to_json(self) -> dict[str, Any]:
        return {"row": self.row, "sets": [list(some) for some in self.sets], "score": self.score}


def of_subsets(columns: Mapping[str, ArrayLike], most: int) -> list[Subset]:
    """Look at every subset of the quasi-identifiers that has up to `most` of them.

    The shorter subsets come first, otherwise they are in the order of the columns.
    """
    if most < 1:
        raise InputError(f"subsets: {most} is below 1.")
    most = min(most, len(columns))
    if sum(comb(len(columns), size) for size in range(1, most + 1)) > MOST:
        raise InputError(
            f"subsets: {len(columns)} quasi-identifiers have more than {format_count(MOST)} subsets of up to {most}."
        )
    names = list(columns)
    codes = [number_classes([column]) for column in columns.values()]
    members: dict[tuple[int, ...], Ints] = {}
    lonely: dict[tuple[int, ...], Bools] = {}
    risks = []
    for size in range(1, most + 1):
        for some in combinations(range(len(names)), size):
            member = codes[some[0]]
            if size > 1:
                before, last = members[some[:-1]], codes[some[-1]]
                others = int(last.max()) + 1
                member = compact(before * others + last, (int(before.max()) + 1) * others)[0]
            sizes = np.bincount(member)
            alone = (sizes == 1)[member]
            fewer = [lonely[part] for part in combinations(some, size - 1) if part]
            minimal = alone & ~np.logical_or.reduce(fewer) if fewer else alone
            lonely[some] = alone
            if size < most:
                members[some] = member
            known = tuple(names[place] for place in some)
            risks.append(Subset(known, int(sizes.min()), np.flatnonzero(alone), np.flatnonzero(minimal)))
    return risks


def special_uniques(subsets: list[Subset], attributes: int) -> list[Special]:
    """List the records that a few attributes single out, the highest score first."""
    sets: dict[int, list[tuple[str, ...]]] = {}
    for subset in subsets:
        if len(subset.columns) < attributes:
            for row in subset.minimal.tolist():
                sets.setdefault(row, []).append(subset.columns)
    uniques = [
        Special(row + 1, tuple(some), sum(factorial(attributes - len(one)) for one in some))
        for row, some in sets.items()
    ]
    return sorted(uniques, key=lambda special: (-special.score, special.row))
