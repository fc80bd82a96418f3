"""Floors under the errors at the prevalences given: what no disguise that keeps γ can do better there.

Both tables are of yes/no items, yes equally common, and hold √n times the least root mean square error of all channels
that keep γ, found by convex programming.

`least_errors.csv`, made by `benchmarks/least_errors.py`: unbiased figures of single answers, of pairs, and of both
(the root of the sum of their squares), for everybody with at most `most` true answers, where nobody has more and
answers are independent but for that. Up to four items all channels were tried. With more items they were searched for,
from random starts that agree, pairs up to ten items; `most` of all items means *whatever is true*.

`floors.csv`, made by `benchmarks/floors.py` with a proof of each floor: up to four items, where what a person's answers
add to a figure errs in one direction or the other by at most a tenth of the share, on average over all people.

Unbiased figures may be of any form (the programme is their Cramér-Rao bound); biased ones are sums over records.
Public chance only mixes channels, and a mixture is one. What holds whatever is true holds beyond what it was made for:

- Under a smaller γ, for fewer channels keep it.
- For the no of an item in place of its yes, which is the same question, for single answers.
- For more items: with the others drawn by chance, a channel of all is one of some items that keeps γ. What is least is
  convex in the bias, so the mean over all sets of so many items has no lower floor.
- Unbiased single answers, for items that are more common, up to a half, and need not be equally so. XOR each answer
  with a draw of chance δ_i, 0 ≤ δ_i ≤ ½: p becomes p_i = p + δ_i(1 − 2p). So these truths are a mixture, over the
  draws, of the former ones with some items named the other way round, and each of those has the same floor. The
  variance of a channel's estimates is concave in the chances of truths, and so is what is least of it.

For pairs between two prevalences, and with at most `most` true answers for more items, the lower entry is taken, too:
entries rise with both, which is seen and not proven.

For many items the argument of `privacy.plan.bound` gives more: products of (x_i − p_i)/√(p_i(1 − p_i)) are orthonormal,
so that the Fisher information of one record about all their means is at most T = (γ−1)²/(4γ) together, and

    n · mean variance ≥ (Σ_i √(p_i(1 − p_i)))²/(m·T)
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from math import ceil, comb, floor, hypot, log10, sqrt
from typing import Any, NamedTuple

from privacy.design.brief import Brief
from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.output import format_count, to_json_value

_DIGITS = 9  # to which prevalences are compared
_LEAST = to_translate("No unbiased way with this promise needs fewer than {people} people for this.")
_LEAST_IF = to_translate(
    "No unbiased way with this promise needs fewer than {people} people for this, where nobody has more than {most} "
    "true answers."
)
_ABOVE = 0.1  # of independent answers more people than that would have too many true ones


@dataclass(frozen=True)
class LeastErrors:
    """The least root mean square errors of unbiased figures with so many respondents.

    `most`: nobody has more true answers, and for nobody with so many a figure is biased; None: whatever is true.
    `pairs` and `both`, the root of the sum of both squares, are None where no pairs are asked for.
    """

    respondents: int
    most: int | None
    singles: float
    pairs: float | None = None
    both: float | None = None

    def fewest(self, singles: float, pairs: float | None = None) -> int:
        """The number of people below which no unbiased way has these errors of single answers and of pairs."""
        times = self.singles / singles
        if pairs is not None and self.pairs is not None and self.both is not None:
            times = max(times, self.pairs / pairs, self.both / hypot(singles, pairs))
        return ceil(self.respondents * times**2 - 1e-6)

    def sentence(self, singles: float, pairs: float | None = None) -> Said:
        """What people read of `fewest`."""
        people = format_count(self.fewest(singles, pairs))
        if self.most is None:
            return Said(_LEAST, {"people": people})
        return Said(_LEAST_IF, {"people": people, "most": self.most})


@dataclass(frozen=True)
class Floors:
    """The least root mean square errors of figures without a bias, and of single answers with one of up to a tenth of
    the share of the rarer answer; None where none is known.
    """

    unbiased: LeastErrors | None = None
    biased: float | None = None

    def comparison(self, errors: Sequence[float], biased: bool) -> Iterator[str]:
        """Yield sentences that compare the errors that a design has for single answers, and for pairs."""
        of_both, least = tuple(errors[:2]), self.unbiased
        own = " and for pairs by ".join(f"{error:.4g}" for error in of_both)
        yours = f"For single answers it errs by {own}."
        if biased and self.biased is not None:
            yield (
                f"{yours} At these prevalences no method with a bias of up to a tenth of the share that promises this "
                f"can do better than {self.biased:.4g} for single answers; for pairs no such floor is known."
            )
        if least and not biased:
            floors = " and ".join(f"{one:.4g}" for one in (least.singles, least.pairs) if one is not None)
            yield f"{yours} At these prevalences no unbiased method that promises this can do better than {floors}."

    def sentence(self, errors: Sequence[float], biased: bool) -> Iterator[Said]:
        """Yield that no unbiased way with these errors needs fewer people; nothing where a bias needs fewer."""
        of_both, least = tuple(errors[:2]), self.unbiased
        if least and (not biased or least.fewest(*of_both) <= least.respondents):
            yield least.sentence(*of_both)

    def to_json(self) -> dict[str, Any]:
        least = self.unbiased
        own = {"unbiased": least.singles, "pairs": least.pairs, "most": least.most} if least else {"unbiased": None}
        return to_json_value({**own, "biased": self.biased})


def floors(brief: Brief, most: int | None = None) -> Floors:
    """The floors under a brief: of yes/no items whose prevalences are guessed, all of them disguised.

    `most`: the unbiased ones of figures that are so for people with at most so many true answers.
    """
    shares = [min(question.expected) for question in brief.questions if question.expected and question.boolean]
    if len(shares) < len(brief.questions) or brief.promise or brief.direct_share or not min(shares):
        return Floors()
    gamma, prevalence, alike = float(brief.gamma), min(shares), max(shares) - min(shares) < 10**-_DIGITS
    unbiased = least_errors(len(shares), prevalence, gamma, brief.length, brief.respondents, most, alike=alike)
    biased = [
        entry.floor
        for entry in _with_bias()
        if entry.items <= len(shares) and entry.gamma >= gamma and entry.prevalence == round(prevalence, _DIGITS)
    ]
    if unbiased and unbiased.most is None:
        every = sum(sqrt(share * (1 - share)) for share in shares) / sqrt(len(shares) * (gamma - 1) ** 2 / (4 * gamma))
        unbiased = replace(unbiased, singles=max(unbiased.singles, _round_down(every / sqrt(brief.respondents))))
    return Floors(unbiased, _round_down(max(biased) / sqrt(brief.respondents)) if biased and alike else None)


def least_errors(
    items: int,
    prevalence: float,
    gamma: float,
    length: int,
    respondents: int,
    most: int | None = None,
    *,
    alike: bool = True,
) -> LeastErrors | None:
    """The least errors of unbiased figures of yes/no items, of single answers and with a `length` of 2 of pairs.

    Parameters
    ----------
    prevalence
        The share of the rarer answer to each item, or where these are not `alike` the least of them.
    most
        Figures are unbiased for people with so many true answers; without it the highest floor is taken, whatever is
        true or for as many as the table has.
    """
    rare = round(prevalence, _DIGITS)
    held = [one for one in _least() if one.items <= items and one.gamma >= gamma and one.prevalence <= rare]
    bounded = [
        one
        for one in held
        if one.most < one.items
        and (most is None or one.most <= most)
        and alike
        and _above(items, prevalence, one.most) <= _ABOVE
    ]
    groups: dict[int | None, list[_Least]] = {}
    for one in bounded:
        groups.setdefault(one.most, []).append(one)
    if most is None or most >= items:
        groups[None] = [one for one in held if one.most == one.items]
    root = sqrt(respondents)
    found: list[LeastErrors] = []
    for known, entries in groups.items():
        least = [max((one[place] for one in entries), default=0.0) for place in (4, 5, 6)[: 1 if length == 1 else 3]]
        if all(least):
            found.append(LeastErrors(respondents, known, *(_round_down(one / root) for one in least)))
    return max(found, key=lambda one: one.both or one.singles, default=None)


def _above(items: int, share: float, most: int) -> float:
    """The chance of more than `most` true answers, where they are independent."""
    return 1 - sum(comb(items, count) * share**count * (1 - share) ** (items - count) for count in range(most + 1))


def _round_down(error: float) -> float:
    """The error rounded down to six digits."""
    places = 5 - floor(log10(error))
    return floor(error * 10**places + 1e-6) / 10**places


class _Least(NamedTuple):
    items: int
    gamma: float
    prevalence: float
    most: int
    singles: float
    pairs: float
    both: float


class _Entry(NamedTuple):
    items: int
    gamma: float
    prevalence: float
    floor: float


@lru_cache(maxsize=1)
def _least() -> tuple[_Least, ...]:
    return tuple(
        _Least(int(items), float(gamma), float(share), int(most), *map(float, errors))
        for items, gamma, share, most, *errors in _rows("least_errors.csv")
    )


@lru_cache(maxsize=1)
def _with_bias() -> tuple[_Entry, ...]:
    return tuple(_Entry(int(items), *map(float, cells)) for items, *cells in _rows("floors.csv"))


def _rows(name: str) -> list[list[str]]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="ascii")
    return list(csv.reader(text.splitlines()))[1:]
