"""A floor under errors: what no disguise that keeps γ can do better, whatever it asks and however it draws.

docs/design.md derives it (*A bound*). It holds for unbiased figures of yes/no answers that are independent and half of
them yes, also where public chance decides who is asked what.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor, sqrt
from typing import Any

from privacy.design import arguments
from privacy.design.brief import Brief, yes_no
from privacy.guarantee import outward, rounded_up
from privacy.output import counted, strict
from privacy.result import DataFrame, Result, TextColumns, data_frame


@dataclass(frozen=True, repr=False)
class Bound(Result):
    """The least standard errors under a γ, for patterns of one answer, two, …; `candor.bound` makes it.

    `versions`: on average over all patterns of that length and all versions of each, with yes and no at every place;
    `yes`: over the patterns of yes alone.
    """

    items: int
    respondents: int
    gamma: Fraction
    versions: tuple[float, ...]
    yes: tuple[float, ...]

    def beside(self, error: float) -> Iterator[str]:
        """What is said beside the error of a design for patterns up to the longest one."""
        versions, yes = (percent_above(error, max(floors)) for floors in (self.versions, self.yes))
        yield (
            f"Where half of all answers are yes, it errs by {error:.4g}. No unbiased method that promises this can do "
            "better than"
        )
        yield (
            f"{max(self.versions):.4g} on average over all yes/no versions of patterns, and {max(self.yes):.4g} over "
            f"yes alone: this one is within {versions} % and {yes} %."
        )

    def contents(self) -> Iterator[str | TextColumns]:
        limit = float(rounded_up(self.gamma, 6))
        about = f"{counted(self.items, 'yes/no item')}, {counted(self.respondents, 'respondent')}"
        yield f"{about}, gamma at most {limit:g}: the least standard errors"
        yield "of unbiased figures, where answers are independent and half of them yes."
        rows = [[place, *pair] for place, pair in enumerate(zip(self.versions, self.yes, strict=True), start=1)]
        yield TextColumns(["answers", "all versions", "yes alone"], rows)

    def to_frame(self) -> DataFrame:
        """Return a row for each length."""
        return data_frame(self._rows())

    def to_json(self) -> dict[str, Any]:
        own = {"items": self.items, "respondents": self.respondents, "gamma": outward(self.gamma)}
        return strict({**own, "lengths": self._rows()})

    def _rows(self) -> list[dict[str, Any]]:
        pairs = enumerate(zip(self.versions, self.yes, strict=True), start=1)
        return [{"length": length, "versions": versions, "yes": yes} for length, (versions, yes) in pairs]


def percent_above(error: float, least: float) -> int:
    """Within how many percent of the least possible error an error is, in whole ones.

    >>> percent_above(0.0167, 0.0135)
    24
    """
    return max(ceil(100 * (error / least - 1) - 1e-6), 0)


def bound(items: int, respondents: int, gamma: float | Fraction, *, length: int | None = None) -> Bound:
    """Compute the least standard error that any disguise under a γ can have.

    Parameters
    ----------
    items : int
        How many yes/no items.
    respondents : int
        How many answer, all of them disguised.
    gamma : float or Fraction
        The largest γ of a whole record.
    length : int, optional
        The longest pattern; 2, or 1 where there is one item.

    Returns
    -------
    Bound

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
    """
    count = arguments.whole(items, "items")
    wished = min(2, count) if length is None else arguments.whole(length, "length")
    people, limit = arguments.whole(respondents, "respondents"), arguments.exact_number(gamma, "gamma")
    Brief(yes_no(count), people, limit, wished)  # refuses what nobody can be advised on
    told = sqrt(people * _most_told(count, float(limit)))
    lengths = range(1, wished + 1)
    versions = tuple(_of_versions(count, own) / told for own in lengths)
    return Bound(count, people, limit, versions, tuple(_of_yes(count, own) / told for own in lengths))


def _most_told(items: int, gamma: float) -> float:
    """The most that one record tells, in Fisher information, of all products of answers together.

    It is the largest variance of a likelihood ratio over the 2^items truths, with mean 1 and largest/least ≤ γ: a
    convex function, largest where a part of the truths has γ times the likelihood of the others.
    """
    truths = 2.0**items
    even = truths / (gamma + 1)
    parts = [count / truths for count in (max(floor(even), 1), min(ceil(even), truths - 1))]
    return max(part * (1 - part) * ((gamma - 1) / (1 + part * (gamma - 1))) ** 2 for part in parts)


def _of_versions(items: int, length: int) -> float:
    """Σ_S √w_S over the sets S of answers; w_S is what the variance of their product counts in the mean."""
    patterns = comb(items, length)
    return sum(
        comb(items, size) * sqrt(comb(items - size, length - size) / patterns) / 2**length
        for size in range(1, length + 1)
    )


def _of_yes(items: int, length: int) -> float:
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
