"""A floor under errors: what no disguise that keeps γ can do better, whatever it asks and however it draws.

It holds for unbiased figures of independent answers that are equally common, "prefer not to say" among them, also where
public chance decides who is asked what.

First m yes/no answers, half of them yes. Let χ_S be the product of the answers ±1 in S, θ_S = E[χ_S], and g_y(x) =
P(y|x)/P(y) the likelihood ratio of a record. At θ = 0 the slope of ln P(y) along θ_S is the mean of g_y·χ_S over all
truths, so by Parseval the Fisher information of one record about all θ_S adds up to Σ_y P(y)·Var(g_y). g_y has the
mean 1 and max/min ≤ γ. Variance is convex, so the largest is that of a g of two levels, γ times as high on k of the
2^m truths. With κ = k/2^m

    Σ_S I_SS ≤ T = max_k κ(1−κ)·((γ−1)/(1+κ(γ−1)))² ≤ (γ−1)²/(4γ)

the last by κ = 1/(γ+1). Public chance only averages such sums. The support of a version of a pattern E of L answers is
2^−L·(1 + Σ_{∅≠S⊆E} ±θ_S), and n·Var(θ̂_S) ≥ 1/I_SS for unbiased figures. Two floors of n times the mean variance follow
by Cauchy and Schwarz:

    all patterns, all versions   Σ_S w_S/I_SS ≥ (Σ_S √w_S)²/T,  w_S = 4^−L·C(m−|S|, L−|S|)/C(m, L)
    all patterns of yes alone    tr(W·I⁻¹) ≥ (tr W^½)²/T,  W the mean of c cᵀ over patterns, c = 2^−L on their parts
    tr W^½ = 2^−L Σ_j (C(m,j) − C(m,j−1))·√(Σ_s C(L−j, s−j)·C(m−s−j, L−s)/C(m,L)),  j ≤ min(L, m−L), s ≥ max(1, j)

The last line is the Johnson scheme: W has the eigenvalues of the matrix with an entry 4^−L·(2^|E∩E′| − 1) for two
patterns. No worst error is less than such a mean.

With d_i answers to item i the d_i − 1 contrasts of its answers, of mean 0 and variance 1, take the place of ±1:
products over S are orthonormal over all M = Π d_i truths, so the same sum is at most T with κ = k/M. A version of E
has the support Π_{i∈E} 1/d_i; over all its versions, the squares of its slopes along a product over S ⊆ E add up to
this support, and products of different slopes to 0. So all versions have the floor (Σ_S Π_{i∈S}(d_i − 1)·√w_S)²/T,
with w_S the mean over all E of Π_{i∈E} d_i^−2 where S ⊆ E, and 0 elsewhere. Supports are shares of all who were asked,
also of those who prefer not to say; a share among those who said is a ratio of two and has no unbiased figure.

One coin over one or two answers reaches the first floor, and the best mixture of channels reaches that of one item
with three answers. With shares p the argument holds as well (yes alone: p^L in place of 2^−L, a factor ((1 − p)/p)^s
in the sum over s), but T is then far from what is possible: one answer of .285 has an error of at least 1.2 (γ = e) to
2.3 times the floor (γ = 19) by any channel. So none is printed there. Tables of two levels over three to eight asked
places, found by annealing for even positions, come no nearer than the advisor does.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, comb, floor, prod, sqrt
from typing import Any

from privacy.design import arguments
from privacy.design.brief import Brief, ExpectedItem, check_count, yes_no
from privacy.design.items import MOST_OPTIONS
from privacy.design.reading import entries
from privacy.errors import InputError
from privacy.guarantee import outward, round_up
from privacy.output import count_of, to_json_value
from privacy.result import DataFrame, Result, TextColumns, data_frame


@dataclass(frozen=True, repr=False)
class Bound(Result):
    """The least standard errors under a γ, for patterns of one answer, two, …; `candor.bound` makes it.

    `sizes`: how many answers each item has. `versions`: on average over all patterns of that length and all versions of
    each, with every answer at every place; `yes`: over the patterns of yes alone, empty where not all items are yes/no.
    """

    sizes: tuple[int, ...]
    respondents: int
    gamma: Fraction
    versions: tuple[float, ...]
    yes: tuple[float, ...]

    @property
    def items(self) -> int:
        return len(self.sizes)

    def comparison(self, error: float) -> Iterator[str]:
        """Yield sentences that compare the error of a design with the least possible one."""
        where = "half of all answers are yes" if self.yes else "the answers to an item are equally common"
        yield f"Where {where}, it errs by {error:.4g}. No unbiased method that promises this can do better than"
        versions = percent_above(error, max(self.versions))
        if not self.yes:
            yield f"{max(self.versions):.4g} on average over all versions of patterns: this one is within {versions} %."
            return
        yield (
            f"{max(self.versions):.4g} on average over all yes/no versions of patterns, and {max(self.yes):.4g} over "
            f"yes alone: this one is within {versions} % and {percent_above(error, max(self.yes))} %."
        )

    def contents(self) -> Iterator[str | TextColumns]:
        limit = float(round_up(self.gamma, 6))
        kind, common = ("yes/no item", "half of them yes") if self.yes else ("item", "those to an item equally common")
        about = f"{count_of(self.items, kind)}, {count_of(self.respondents, 'respondent')}"
        yield f"{about}, gamma at most {limit:g}: the least standard errors"
        yield f"of unbiased figures, where answers are independent and {common}."
        names = ["answers", "all versions", *(["yes alone"] if self.yes else [])]
        yield TextColumns(names, [[value for value in row.values() if value is not None] for row in self._rows()])

    def to_frame(self) -> DataFrame:
        """Return a row for each length."""
        return data_frame(self._rows())

    def to_json(self) -> dict[str, Any]:
        own = {"items": self.items, "respondents": self.respondents, "gamma": outward(self.gamma)}
        return to_json_value({**own, "lengths": self._rows()})

    def _rows(self) -> list[dict[str, Any]]:
        yes = self.yes or (None,) * len(self.versions)
        pairs = enumerate(zip(self.versions, yes, strict=True), start=1)
        return [{"length": length, "versions": versions, "yes": alone} for length, (versions, alone) in pairs]


def percent_above(error: float, least: float) -> int:
    """By how many percent an error is above the least possible one, rounded up.

    >>> percent_above(0.0167, 0.0135)
    24
    """
    return max(ceil(100 * (error / least - 1) - 1e-6), 0)


def bound(items: int | Sequence[int], respondents: int, gamma: float | Fraction, *, length: int | None = None) -> Bound:
    """Compute the least standard error that any disguise under a γ can have.

    Parameters
    ----------
    items : int or sequence of int
        How many yes/no items, or how many answers each item has; "prefer not to say" is one of them.
    respondents : int
        How many answer, all of them disguised.
    gamma : float or Fraction
        The largest γ of a whole record.
    length : int, optional
        The longest pattern; 2, or 1 where there is one item.

    Raises
    ------
    InputError
        Where `candor.advise` would refuse the same.

    Examples
    --------
    >>> import candor
    >>> candor.bound(10, 10_000, 19, length=3)
    10 yes/no items, 10000 respondents, gamma at most 19: the least standard errors
    of unbiased figures, where answers are independent and half of them yes.
    answers  all versions   yes alone
          1    0.00765782  0.00765782
          2     0.0135372   0.0119776
          3      0.016982   0.0131615
    >>> candor.bound([3, 3, 4], 10_000, 19)
    3 items, 10000 respondents, gamma at most 19: the least standard errors
    of unbiased figures, where answers are independent and those to an item equally common.
    answers  all versions
          1     0.0058345
          2    0.00659127
    """
    questions = _questions(items)
    sizes = tuple(len(question.options) for question in questions)
    wished = min(2, len(sizes)) if length is None else arguments.whole_number(length, "length")
    people, limit = arguments.whole_number(respondents, "respondents"), arguments.exact_number(gamma, "gamma")
    check_count(Brief(questions, people, limit, wished))  # refuses what nobody can be advised on
    known = sqrt(people * _most_information(prod(sizes), float(limit)))
    lengths = range(1, wished + 1)
    versions = tuple(_root_sum_of_versions(sizes, own) / known for own in lengths)
    yes = tuple(_root_sum_of_yes(len(sizes), own) / known for own in lengths) if {*sizes} == {2} else ()
    return Bound(sizes, people, limit, versions, yes)


def _questions(items: int | Sequence[int]) -> tuple[ExpectedItem, ...]:
    if entries(items) is None:
        return yes_no(arguments.whole_number(items, "items"))
    sizes = arguments.wholes(items, "items")
    for size in sizes:
        if not 2 <= size <= MOST_OPTIONS:
            raise InputError(f"items: {size} answers are outside 2 to {MOST_OPTIONS}.")
    return tuple(ExpectedItem(f"item{place}", tuple(map(str, range(size)))) for place, size in enumerate(sizes))


def _most_information(cells: int, gamma: float) -> float:
    """The most that one record can say, in Fisher information, about all answers together, if there are `cells` truths.

    It is the largest variance of a likelihood ratio over that many truths, with mean 1 and largest/least ≤ γ: a convex
    function, largest where a part of the truths has γ times the likelihood of the others.
    """
    truths = float(cells)
    even = truths / (gamma + 1)
    parts = [count / truths for count in (max(floor(even), 1), min(ceil(even), truths - 1))]
    return max(part * (1 - part) * ((gamma - 1) / (1 + part * (gamma - 1))) ** 2 for part in parts)


def _root_sum_of_versions(sizes: Sequence[int], length: int) -> float:
    """Σ_S √w_S over the contrasts of answers to the items in S; w_S is what the variance of one counts in the mean."""
    kinds = Counter(sizes)
    roots = 0.0
    for parts in range(1, length + 1):
        for chosen in combinations_with_replacement(kinds, parts):
            own = Counter(chosen)
            contrasts = prod(comb(kinds[size], count) * (size - 1) ** count for size, count in own.items())
            if contrasts:
                roots += contrasts * sqrt(_sum_over_choices(kinds - own, length - parts) / prod(chosen) ** 2)
    return roots / sqrt(comb(len(sizes), length))


def _sum_over_choices(kinds: Counter[int], length: int) -> float:
    """Σ Π 1/d² over all choices of `length` items, d the number of answers to each."""
    sums = [1.0] + [0.0] * length
    for size in kinds.elements():
        for place in range(length, 0, -1):
            sums[place] += sums[place - 1] / size**2
    return sums[length]


def _root_sum_of_yes(items: int, length: int) -> float:
    """tr W^½; W has the eigenvalues of 4^−L Σ_S 1[S ⊆ E ∩ E′] over patterns E, E′ (the Johnson scheme's)."""
    roots = 0.0
    for order in range(min(length, items - length) + 1):
        eigenvalue = sum(
            comb(length - order, size - order) * comb(items - size - order, length - size)
            for size in range(max(order, 1), length + 1)
        )
        alike = comb(items, order) - (comb(items, order - 1) if order else 0)
        roots += alike * sqrt(eigenvalue / comb(items, length))
    return roots / 2**length
