"""The figures of a table that is a sample: k-map, δ-presence, and the risk of each row and of all together.

k-map (Sweeney 2001) is how many people fit each class at least. Where nobody has a table of everybody, the number F of
people who fit a class with f rows is tested: k is the largest one for which fewer than k people would show f rows or
more with a chance of 5 % or less (El Emam and Dankar 2008). Rows are drawn from the class as a binomial of F with the
chance p, and classes without rows are not seen.

δ-presence (Nergiz, Atzori and Clifton 2007): an attacker with a table of everybody knows F people who fit a class, f of
whom are in it: each with the chance f/F.

The risk of a row after Benedetti and Franconi (1998): of F people who fit a class, f are in the table, each drawn with
the chance p. Given f, F − f is taken as negative binomial, so that a row is somebody's with the chance
r = E(1/F) = p/f · ₂F₁(1, 1; f + 1; 1 − p). p is f over how many people the rows of the class stand for: by their
weights, else by the sampling fraction.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.errors import to_translate
from privacy.release.measures import Measure
from privacy.release.measures.everybody import LEVEL, TABLE, SampleClasses, SampleFigure

TEST = to_translate("test")


def k_map(seen: SampleClasses) -> SampleFigure:
    """Find the fewest people who fit a class.

    >>> from privacy.release.measures.everybody import Everybody
    >>> k_map(SampleClasses(Everybody(size=100), [np.repeat([0, 1], [4, 6])]))
    SampleFigure(value=14.0, by='test', low=None, high=None)
    """
    if seen.people is not None:
        return SampleFigure(float(seen.people.min()), TABLE)
    return SampleFigure(float(fewest_people(seen.sizes, seen.chances).min()), TEST)


def fewest_people(rows: Ints, drawn: Floats) -> Ints:
    """Compute how many people a class with so many rows has at least, but for a chance of 5 %."""
    from scipy.special import bdtrc  # slow to import

    low, high = rows.astype(np.int64), np.ceil(rows / drawn).astype(np.int64)  # so many surely show as many rows
    while (low < high).any():
        middle = (low + high) // 2
        chance = bdtrc(rows - 1, middle, drawn) / -np.expm1(middle * np.log1p(-np.minimum(drawn, 1 - 1e-12)))
        enough = chance > 1 - LEVEL
        high, low = np.where(enough, middle, high), np.where(enough, low, np.minimum(middle + 1, high))
    return low


def presence(seen: SampleClasses) -> SampleFigure:
    """Find how sure somebody is of a person's presence, at most: of a table of everybody, who fit one class each.

    >>> import numpy as np
    >>> from privacy.release.measures.everybody import Everybody
    >>> classes = SampleClasses(Everybody(size=10), [np.array([0, 0, 1])], np.array([4, 4, 2]), 4)
    >>> presence(classes).value, absence(classes).value
    (0.5, 1.0)
    """
    return SampleFigure(float((seen.sizes / seen.people_who_fit).max()), TABLE)


def absence(seen: SampleClasses) -> SampleFigure:
    """Find how sure somebody is of a person's absence, at most: certain of people who fit no class."""
    return SampleFigure(1.0 if seen.others else float(1 - (seen.sizes / seen.people_who_fit).min()), TABLE)


BY = "Benedetti-Franconi"
WIDE = 1.959963984540054  # standard errors, of 95 %
POINTS = 80  # at which an integral is evaluated
MANY, TERMS = 50, 30  # rows of a class from which so many terms of a series are exact to the last digit


def class_risks(seen: SampleClasses) -> Floats:
    """Compute the risk of a row of each class: 1/F where a table of everybody says F, else its expectation."""
    from scipy.special import hyp2f1  # slow to import

    if seen.people is not None:
        return np.asarray(1 / seen.people)
    p, f = np.minimum(seen.chances, 1.0), seen.sizes
    # SciPy returns inf or nan for f from 100 on; there the series Σ (1 − p)^n / C(f + n, n) needs few terms.
    n = np.arange(1, TERMS)
    series = 1 + np.cumprod((1 - p[:, np.newaxis]) * n / (f[:, np.newaxis] + n), axis=1).sum(axis=1)
    return np.asarray(p / f * np.where(f < MANY, hyp2f1(1, 1, np.minimum(f, MANY) + 1, 1 - p), series))


def source_of(seen: SampleClasses) -> str:
    """What found the risks: a table of everybody, or the model."""
    return BY if seen.people is None else TABLE


def individual(seen: SampleClasses) -> SampleFigure:
    """Find the largest risk of a row; the interval holds the 1/F of such a row."""
    from scipy.special import nbdtrik  # slow to import

    risks = class_risks(seen)
    worst = int(risks.argmax())
    if seen.people is not None:
        return SampleFigure(float(risks[worst]), TABLE)
    f, p = seen.sizes[worst], seen.chances[worst]
    if p >= 1:
        return SampleFigure(float(risks[worst]), BY, float(risks[worst]), float(risks[worst]))
    more = [max(float(np.ceil(nbdtrik(chance, f, p))), 0.0) for chance in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)]
    return SampleFigure(float(risks[worst]), BY, *(float(1 / (f + own)) for own in more))


def global_risk(seen: SampleClasses) -> SampleFigure:
    """Compute the share of rows that are expected to be found: the mean risk, and where Σ f/F lies for these f."""
    risks = class_risks(seen)
    value = float(seen.sizes @ risks / seen.rows)
    if seen.people is not None:
        return SampleFigure(value, TABLE)
    spread = WIDE * float((seen.sizes**2) @ _variances(seen.sizes, seen.chances, risks)) ** 0.5 / seen.rows
    return SampleFigure(value, BY, max(value - spread, 0.0), min(value + spread, 1.0))


def _variances(f: Ints, p: Floats, risks: Floats) -> Floats:
    """The variance of 1/F given f: E(1/F²) is the integral of −ln s · s^(f − 1)·(p/(1 − (1 − p)·s))^f over 0 < s < 1.

    1 − s = p·(e^y − 1) spreads the points evenly over the orders of magnitude in which the integrand lives, and y is
    the end less a square, so that the logarithm does no harm where s is near 0.
    """
    pairs, owner = np.unique(np.stack([f, np.minimum(p, 1.0)]), axis=1, return_inverse=True)
    f, p = pairs[:, :, np.newaxis]
    at, weight = np.polynomial.legendre.leggauss(POINTS)
    end = np.log1p(1 / p)
    from_end = (at + 1) / 2
    y = end * (1 - from_end**2)
    gone = np.minimum(p * np.expm1(y), 1 - 1e-15)
    density = -np.log1p(-gone) * (1 - gone) ** (f - 1) * (p / (p + (1 - p) * gone)) ** f * p * np.exp(y)
    square = (density * from_end * weight).sum(axis=1) * end[:, 0]
    # Of many rows the integrand is too narrow for the points; there the first terms in 1/f do.
    many = (p / f) ** 2 * (1 - p) / f * (1 + (4 - 6 * p) / f)
    own = owner.ravel()
    return np.where(f[own, 0] < MANY, np.maximum(square[own] - risks**2, 0.0), many[own, 0])


SIZE, PEOPLE = "size", "table"


@dataclass(frozen=True, kw_only=True)
class SampleMeasure(Measure):
    """A figure of a sample, what computes it, and the member of a spec's `population` that it needs beside the size."""

    of: Callable[[SampleClasses], SampleFigure]
    needs: str = SIZE


OF_SAMPLES = (
    SampleMeasure(
        "k_map", "k-map", to_translate("how many people fit a class, at least"), at_least=True, of=k_map,
    ),
    SampleMeasure(
        "presence", "presence", to_translate("how surely somebody is known to be in the table, at most"),
        of=presence, needs=PEOPLE,
    ),
    SampleMeasure(
        "absence", "absence", to_translate("how surely somebody is known not to be in it, at most"),
        of=absence, needs=PEOPLE,
    ),
    SampleMeasure(
        "individual", "individual", to_translate("the chance to find the row of somebody among all people, at most"),
        of=individual,
    ),
    SampleMeasure(
        "global_risk", "global risk", to_translate("the share of rows that are found among all people, on average"),
        of=global_risk,
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SampleFigures(Mapping[str, SampleFigure]):
    """The figures of a sample by their keys, each computed when it is asked for; those that need more are not there."""

    seen: SampleClasses
    _found: dict[str, SampleFigure] = field(default_factory=dict)

    def __getitem__(self, key: str) -> SampleFigure:
        if key not in self._found:
            self._found[key] = self._computable[key].of(self.seen)
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._computable)

    def __len__(self) -> int:
        return len(self._computable)

    @cached_property
    def _computable(self) -> dict[str, SampleMeasure]:
        people = self.seen.people is not None and self.seen.others is not None
        known = {SIZE: True, PEOPLE: people}
        return {one.key: one for one in OF_SAMPLES if known[one.needs]}

    def rows(self) -> list[tuple[SampleMeasure, SampleFigure]]:
        """The figures, each with its declaration."""
        return [(one, self[key]) for key, one in self._computable.items()]
