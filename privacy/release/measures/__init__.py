"""Measures of a table as it stands: how many share a class, how diverse it is, and how surely a person is found.

k-anonymity is Samarati's and Sweeney's (1998); l-diversity in its three forms that of Machanavajjhala, Kifer, Gehrke
and Venkitasubramaniam (2007); t-closeness that of Li, Li and Venkatasubramanian (2007); discernibility is Bayardo's
and Agrawal's (2005); HASR is Zhu's, Zhao's and Wang's (2010); the three risks are those of El Emam and Dankar (2008);
mutual information is Shannon's (1948).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from privacy.errors import to_translate
from privacy.release.classes import Classes
from privacy.release.measures.beliefs import LEVELS, Fall, Rise, fall, least_rho2, rise
from privacy.release.measures.everybody import SampleFigure
from privacy.release.models import EQUAL, Closeness

LOSS, TELLS, UNBOUNDED = "loss", "tells", ""
_LEAST, _MOST = min, max


@dataclass(frozen=True)
class Measure:
    """One figure of a table: the member of `TableMeasures` that holds it, its name in print, and what it means.

    `about`: what the table tells, a loss, or nothing that can be bounded from above, since a model demands it or since
    another figure says the same. `worst`: of a figure about sensitive values, which of several is least safe.
    `within`: the member of the JSON that it is in, where it is not on its own there. `at_least`: the larger, the safer.
    """

    key: str
    name: str
    meaning: str
    about: str = TELLS
    worst: Callable[..., Any] | None = None
    within: str = ""
    at_least: bool = False

    @property
    def of_values(self) -> bool:
        """Whether it is about sensitive values."""
        return self.worst is not None


MEASURES = (
    Measure("k", "k", "the smallest class", UNBOUNDED),
    Measure("distinct", "l, distinct", "the fewest sensitive values in a class", UNBOUNDED, _LEAST, "l"),
    Measure("entropy", "l, entropy", "the same, counted by how evenly they occur", UNBOUNDED, _LEAST, "l"),
    Measure("t", "t", to_translate("how far a class is from the whole table, at most"), worst=_MOST),
    Measure("discernibility", "discernibility", to_translate("the sum of squared class sizes"), LOSS),
    Measure("average_class", "average class", to_translate("records per class"), LOSS),
    Measure("unicity", "unicity", to_translate("the share of records that are alone in their class")),
    Measure(
        "prosecutor",
        "prosecutor",
        to_translate("the chance to find somebody known to be in the table, at most"),
        within="risk",
    ),
    Measure("journalist", "journalist", to_translate("the same without knowing that, at most"), within="risk"),
    Measure("marketer", "marketer", to_translate("the share of all people that are found, on average"), within="risk"),
    Measure(
        "homogeneity",
        "homogeneity",
        to_translate("the share of records whose class tells the sensitive value"),
        worst=_MOST,
    ),
    Measure(
        "homogeneous_classes",
        "HASR",
        to_translate("the share of classes that tell it, however many records they have"),
        worst=_MOST,
    ),
    Measure(
        "growth",
        "odds growth",
        to_translate("how many times the odds of somebody's value grow, at most"),
        worst=_MOST,
        within="beliefs",
    ),
    Measure(
        "excluded",
        "ruled out",
        to_translate("how common a value is that some class rules out, at most"),
        worst=_MOST,
        within="beliefs",
    ),
    Measure(
        "information",
        "mutual information",
        to_translate("bits that the class of a record tells of its sensitive value"),
        worst=_MOST,
    ),
    Measure("penalty", "penalty", to_translate("how much of what its cell could tell is lost, on average"), LOSS),
    Measure(
        "penalty_sum", "ILP(T)", "the same of all records together; with literal each weight counts twice", UNBOUNDED
    ),
)
"""The figures that are single numbers, in the order in which they are printed."""

_WORST = {one.key: one.worst for one in MEASURES if one.worst and one.within != "beliefs"}
ABOUT_ANSWERS = (*_WORST, "recursive", "rise", "fall", "rho")
"""The members of `TableMeasures` that are about sensitive values; the growth of odds and what is ruled out follow."""


@dataclass(frozen=True)
class TableMeasures:
    """The measures of a table; both penalties need the hierarchies by which it was generalised, and are None without.

    So is whatever is about sensitive values, where no column is sensitive.
    """

    k: int
    distinct: int | None
    entropy: float | None
    recursive: dict[int, float]
    t: float | None
    discernibility: int
    average_class: float
    penalty: float | None
    unicity: float
    prosecutor: float
    journalist: float
    marketer: float
    homogeneity: float | None
    homogeneous_classes: float | None
    information: float | None
    rise: Rise | None
    fall: Fall | None
    rho: dict[float, float | None]  # None where no value is so rare, or its absence
    penalty_sum: float | None = None
    sample: Mapping[str, SampleFigure] = field(default_factory=dict)  # where it is known of whom the rows are a sample

    @property
    def growth(self) -> float | None:
        """How many times the odds of a value grow, at most: infinite where one becomes certain."""
        return self.rise.growth if self.rise else None

    @property
    def excluded(self) -> float | None:
        """How common the commonest value is that some class rules out, among all records."""
        return self.fall.before / self.fall.of if self.fall else None

    def rows(self) -> list[tuple[Measure, float]]:
        """The figures that the table has, each with its declaration, in the order of print."""
        figures = [(declared, getattr(self, declared.key)) for declared in MEASURES]
        return [(declared, value) for declared, value in figures if value is not None]

    def to_json(self) -> dict[str, Any]:
        """The member `metrics` of `candor measure --json`, whose keys are fixed.

        Odds growth may be infinite, so `beliefs` says what it and `excluded` are computed from.
        """
        made: dict[str, Any] = {}
        for declared in MEASURES:
            if declared.within != "beliefs":
                place = made.setdefault(declared.within, {}) if declared.within else made
                place[declared.key] = getattr(self, declared.key)
        made["l"]["recursive"] = self.recursive
        made["beliefs"] = {
            "positive": self.rise and self.rise.to_json(),
            "negative": self.fall and self.fall.to_json(),
            "rho": self.rho,
        }
        if self.sample:
            made["sample"] = {key: asdict(found) for key, found in self.sample.items()}
        return made


def measure(classes: Classes, distance: Closeness = EQUAL) -> TableMeasures:
    """Compute every measure that needs nothing but the table's classes.

    >>> from privacy.release.classes import classes_of
    >>> measured = measure(classes_of([[20, 20, 30, 30]], ["flu", "cold", "flu", "flu"]))
    >>> measured.k, measured.distinct, measured.homogeneity
    (2, 1, 0.5)
    """
    sizes, records = classes.sizes, classes.records
    k, distinct = int(sizes.min()), int(classes.distinct.min())
    share = classes.count / sizes[classes.owner]
    return TableMeasures(
        k=k,
        distinct=distinct,
        entropy=float(np.exp(classes.sums(-share * np.log(share)).min())),
        recursive=_recursive(classes, distinct),
        t=float(distance.distances(classes).max()),
        discernibility=int((sizes**2).sum()),
        average_class=records / len(sizes),
        penalty=None,
        unicity=float((sizes == 1).sum() / records),
        prosecutor=1 / k,
        journalist=1 / k,  # at the most: a class of the population is never smaller than its part in the table
        marketer=len(sizes) / records,
        homogeneity=float(sizes[classes.distinct == 1].sum() / records),
        homogeneous_classes=float((classes.distinct == 1).mean()),
        information=_information(classes, share),
        rise=rise(classes),
        fall=fall(classes),
        rho={level: least_rho2(classes, level) for level in LEVELS},
    )


def sizes_alone(measures: TableMeasures) -> TableMeasures:
    """The same measures without those of sensitive values, for a table that has no such column."""
    nothing = dict.fromkeys(ABOUT_ANSWERS) | {"recursive": {}, "rho": {}}
    return replace(measures, **nothing)  # type: ignore[arg-type]


def worst(measures: Sequence[TableMeasures]) -> TableMeasures:
    """Join the measures of one table for several sensitive attributes: of each figure the one that is least safe."""
    lengths = set.intersection(*(set(one.recursive) for one in measures))
    figures = {key: least_safe(getattr(one, key) for one in measures) for key, least_safe in _WORST.items()}
    recursive = {length: max(one.recursive[length] for one in measures) for length in sorted(lengths)}
    beliefs = {
        "rise": max((one.rise for one in measures if one.rise), key=lambda one: one.order),
        "fall": max((one.fall for one in measures if one.fall), key=lambda one: one.before / one.of),
        "rho": {
            level: max((own for one in measures if (own := one.rho[level]) is not None), default=None)
            for level in LEVELS
        },
    }
    return replace(measures[0], recursive=recursive, **figures, **beliefs)  # type: ignore[arg-type]


def _recursive(classes: Classes, distinct: int) -> dict[int, float]:
    """For each l the bound above which every c makes the table recursively (c, l)-diverse, by its worst class.

    Counts of a class are r₁ ≥ r₂ ≥ … ≥ r_m, the bound is r₁ / (r_l + … + r_m): r₁ < c·(r_l + … + r_m) for larger c.
    """
    most = classes.most
    tail = classes.sizes.astype(float)
    least_c = {}
    for place in range(1, distinct):
        tail = tail - classes.frequent(place - 1)
        least_c[place + 1] = float((most / tail).max())
    return least_c


def _information(classes: Classes, share: np.ndarray) -> float:
    """I(class; value) = Σ p(class, value)·log₂(p(value | class) / p(value)) over the records in classes.

    It counts chance, too: a table of single records tells all of H(value), whatever the attributes mean.
    """
    among = np.bincount(classes.value, weights=classes.count) / classes.records
    bits = classes.count @ np.log2(share / among[classes.value]) / classes.records
    return max(float(bits), 0.0)
