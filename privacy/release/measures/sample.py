"""The figures of a table that is a sample: k-map, δ-presence, and the risk of each row and of all together.

k-map (Sweeney 2001) is how many people fit each class at least. Where nobody has a table of everybody, the number F of
people who fit a class with f rows is tested: k is the largest one for which fewer than k people would show f rows or
more with a chance of 5 % or less (El Emam and Dankar 2008). Rows are drawn from the class as a binomial of F with the
chance p, and classes without rows are not seen.

δ-presence (Nergiz, Atzori and Clifton 2007): an attacker with a table of everybody knows F people who fit a class, f of
whom are in it: each with the chance f/F.

The risk of a row by a Poisson log-linear model (Skinner and Shlomo 2008): of F people who fit a class, f are in the
table, each drawn with the chance p, and the F − f others are Poisson with the mean μ = λ·(1 − p)/p. So a row is
somebody's with the chance r = E(1/F) = ₁F₁(1; f + 1; −μ)/f; the paper has f = 1. λ is how many of the other n − 1 rows
the class would have if the columns were independent, each label as common as among them: with the row itself rare
labels would look common, and r small. p is f over how many people the rows of the class stand for: by their weights,
else by the sampling fraction. Columns that go together make usual classes seem rarer than they are, and so overstate r.
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


BY = "log-linear"


def class_risks(seen: SampleClasses) -> Floats:
    """Compute the risk of a row of each class: 1/F where a table of everybody says F, else its expectation."""
    from scipy.special import hyp1f1  # slow to import

    if seen.people is not None:
        return np.asarray(1 / seen.people)
    p, f = np.minimum(seen.chances, 1.0), seen.sizes
    first, others = np.unique(seen.member, return_index=True)[1], max(seen.rows - 1, 1)
    expected = np.full(len(f), float(others))
    for column in seen.columns:
        codes = np.unique(column, return_inverse=True)[1]
        expected *= (np.bincount(codes)[codes[first]] - 1) / others
    return np.asarray(hyp1f1(1, f + 1, -expected * (1 - p) / p) / f)


def individual(seen: SampleClasses) -> SampleFigure:
    """Find the largest risk of a row."""
    return SampleFigure(float(class_risks(seen).max()), BY if seen.people is None else TABLE)


def global_risk(seen: SampleClasses) -> SampleFigure:
    """Compute the share of rows that are expected to be found: the mean risk."""
    return SampleFigure(float(seen.sizes @ class_risks(seen) / seen.rows), BY if seen.people is None else TABLE)


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
