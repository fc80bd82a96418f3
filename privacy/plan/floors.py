"""Floors under single answers at the prevalences given: what no disguise that keeps γ can do better there.

`floors.csv` has, for up to four yes/no items, the least √n times the root mean square error, over the items, of all
channels that keep γ, where answers are independent and yes is equally common. `benchmarks/floors.py` makes it by convex
programming, with a proof of each floor: unbiased, whatever is true; or where what a person's answers add to a figure
errs in one direction or the other by at most a tenth of the share, on average over all people. Unbiased figures may be
of any form (the programme is their Cramér-Rao bound); biased ones are sums over records. Public chance only mixes
channels, and a mixture is one. An entry holds beyond what it was made for:

- Under a smaller γ, for fewer channels keep it.
- For the no of an item in place of its yes, which is the same question.
- For more items: with the others drawn by chance, a channel of all is one of some items that keeps γ. What is least is
  convex in the bias, so the mean over all sets of so many items has no lower floor.
- Unbiased, for items that are more common, up to a half, and need not be equally so. XOR each answer with a draw of
  chance δ_i, 0 ≤ δ_i ≤ ½: p becomes p_i = p + δ_i(1 − 2p). So these truths are a mixture, over the draws, of the former
  ones with some items named the other way round, and each of those has the same floor. The variance of a channel's
  estimates is concave in the chances of truths, and so is what is least of it.

For many items the argument of `privacy.plan.bound` gives more: products of (x_i − p_i)/√(p_i(1 − p_i)) are orthonormal,
so that the Fisher information of one record about all their means is at most T = (γ−1)²/(4γ) together, and

    n · mean variance ≥ (Σ_i √(p_i(1 − p_i)))²/(m·T)
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import floor, log10, sqrt
from typing import Any, NamedTuple

from privacy.design.brief import Brief
from privacy.output import to_json_value

_DIGITS = 9  # to which prevalences are compared


@dataclass(frozen=True)
class Floors:
    """The least root mean square errors over items of single answers; None where none is known.

    `biased`: of figures whose bias is at most a tenth of the share of the rarer answer.
    """

    unbiased: float | None
    biased: float | None

    def comparison(self, error: float) -> Iterator[str]:
        """Yield a sentence that compares the error that a design has for single answers."""
        if self.unbiased is None:
            return
        biased = (
            "" if self.biased is None else f", and none with a bias of up to a tenth of the share {self.biased:.4g}"
        )
        yield (
            f"For single answers it errs by {error:.4g}. At these prevalences no unbiased method that promises this "
            f"can do better than {self.unbiased:.4g}{biased}."
        )

    def to_json(self) -> dict[str, Any]:
        return to_json_value({"unbiased": self.unbiased, "biased": self.biased})


def floors(brief: Brief) -> Floors:
    """The floors under a brief: of yes/no items whose prevalences are guessed, all of them disguised.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> floors(Brief(yes_no(4, 0.05), 10_000, Fraction(19)))
    Floors(unbiased=0.005367, biased=0.003355)
    """
    shares = [min(question.expected) for question in brief.questions if question.expected and question.boolean]
    if len(shares) < len(brief.questions) or brief.promise or brief.direct_share or not min(shares):
        return Floors(None, None)
    gamma, least, root = float(brief.gamma), round(min(shares), _DIGITS), sqrt(brief.respondents)
    spread = sum(sqrt(share * (1 - share)) for share in shares)
    known = [entry for entry in _table() if entry.items <= len(shares) and entry.gamma >= gamma]
    unbiased = [entry.floor for entry in known if not entry.bias and entry.prevalence <= least]
    alike = max(shares) - min(shares) < 10**-_DIGITS
    biased = [entry.floor for entry in known if entry.bias and entry.prevalence == least and alike]
    every = spread / sqrt(len(shares) * (gamma - 1) ** 2 / (4 * gamma))
    return Floors(_round_down(max([every, *unbiased]) / root), _round_down(max(biased) / root) if biased else None)


def _round_down(error: float) -> float:
    """The error rounded down to six digits."""
    places = 5 - floor(log10(error))
    return floor(error * 10**places + 1e-6) / 10**places


class _Entry(NamedTuple):
    items: int
    gamma: float
    prevalence: float
    bias: float
    floor: float


@lru_cache(maxsize=1)
def _table() -> tuple[_Entry, ...]:
    text = resources.files(__package__).joinpath("floors.csv").read_text(encoding="ascii")
    _, *rows = csv.reader(text.splitlines())
    return tuple(_Entry(int(items), *map(float, cells)) for items, *cells in rows)
