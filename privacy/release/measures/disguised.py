"""What disguised answers and disguised columns of a released table tell.

Answers of the disguised group are published as they are stored, with their design. What a class says of its people is
then an estimate: the true shares are reconstructed from its records, with intervals that hold for all values of a class
together (Bonferroni). A class is *shown* to have l values where l intervals lie above 0. A class that is too small to
tell is not shown diverse, whatever its records say. The direct group answered undisguised: its classes are judged as
they stand.

Of a column that the release disguises, who finds the row of a person learns what one coin lets through, which γ bounds.
Who knows only the class of a person reads all its rows: they tell how common each value is in the class, and no γ and
no k bounds that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design import Design
from privacy.design.gammas import Gamma, outward
from privacy.design.patterns import Pattern
from privacy.design.sentences import Said, three_digits
from privacy.errors import InputError, to_translate
from privacy.estimate.intervals import exact
from privacy.estimate.weights import line_of
from privacy.guarantee import epsilon, posterior_bound
from privacy.output import to_json_value
from privacy.reconstruct import Figures, PatternQuery, count_patterns, make_report
from privacy.records import Records
from privacy.release.classes import encode, tally
from privacy.release.measures import TableMeasures, measure
from privacy.release.methods.channels import Accuracy, Fact, ReleaseChannel

_LEVEL = 0.95  # how surely all intervals of a class hold together


@dataclass(frozen=True)
class ClassShares:
    """A class of the disguised group: its size, and each true answer's share and interval (None: not shown)."""

    size: int
    shares: tuple[float | None, ...]
    intervals: tuple[tuple[float, float] | None, ...]

    @property
    def shown(self) -> int:
        """The number of values that the class has for sure, by test."""
        return sum(interval is not None and interval[0] > 0 for interval in self.intervals)


@dataclass(frozen=True)
class Disguised:
    """What a released item tells: the classes of the disguised group, and the measures of the direct one."""

    item: str
    values: tuple[str, ...]
    level: float
    gamma: Gamma  # of this item alone, for a record of the disguised group
    classes: tuple[ClassShares, ...]
    direct: TableMeasures | None  # None where nobody answered directly

    def to_json(self) -> dict[str, Any]:
        return {
            "item": self.item,
            "values": list(self.values),
            "level": self.level,
            "gamma": float(self.gamma),
            "classes": [
                {
                    "size": one.size,
                    "shares": list(one.shares),
                    "ci": [interval and list(interval) for interval in one.intervals],
                    "shown": one.shown,
                }
                for one in self.classes
            ],
            "direct": self.direct and self.direct.to_json(),
        }


def judge_disguised(records: Records, item: str, member: Ints) -> Disguised:
    """Say how diverse a disguised answer is within the classes of a release.

    `member`: the class of each record, −1 where it is suppressed: these are a class, too. Raises `InputError` where the
    design has no such item with options, or lengths differ.
    """
    design = records.design
    places = [place for place, one in enumerate(design.items) if one.id == item and one.has_options]
    if not places:
        raise InputError(f"item: the design has no item {item!r} with options.")
    if len(member) != len(records):
        raise InputError(f"member: {len(member)} classes are given for {len(records)} records.")
    (place,) = places
    values = tuple(design.items[place].options)
    each = 1 - (1 - _LEVEL) / len(values)
    patterns = [Pattern(((place, frozenset([code])),)) for code in range(len(values))]
    classes = [
        _class_shares(Records(design, records.codes[rows], records.direct[rows]), patterns, each)
        for rows in _rows_of(member, ~records.direct)
    ]
    block, inside = design.place(place)
    gamma = design.blocks[block].item_gamma(inside)
    return Disguised(item, values, _LEVEL, gamma, tuple(classes), _direct(records, place, member))


def _rows_of(member: Ints, chosen: Bools) -> Sequence[Ints]:
    """The chosen rows, class by class; classes without any are left out."""
    rows = np.flatnonzero(chosen)
    order = rows[np.argsort(member[rows], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(member[order])) + 1) if len(order) else []


def _class_shares(records: Records, patterns: Sequence[Pattern], level: float) -> ClassShares:
    query = PatternQuery.parse(records.design, patterns)
    report = make_report(query, count_patterns(records, query), level)
    found = zip(patterns, report.patterns, strict=True)
    intervals = tuple(_exact_interval(records.design, pattern, figures, level) for pattern, figures in found)
    return ClassShares(len(records), tuple(figures.support for figures in report.patterns), intervals)


def _exact_interval(design: Design, pattern: Pattern, figures: Figures, level: float) -> tuple[float, float] | None:
    """The interval of Clopper and Pearson for the share of records that match, turned into one of true answers.

    It never misses more often than it says. Wilson's, which estimates have elsewhere, does in classes of ten.
    """
    if figures.ci is None or figures.observed is None:
        return None
    low, high = exact(np.array(figures.observed), np.array(figures.n), level)
    c, d = line_of(design, pattern)
    ends = sorted(((low - c) / d, (high - c) / d))
    return float(ends[0]), float(ends[1])


def _direct(records: Records, place: int, member: Ints) -> TableMeasures | None:
    """The measures of the direct group, whose answers are true; those who were not asked are left out."""
    codes = records.codes[:, place]
    rows = np.flatnonzero(records.direct & (codes < len(records.design.items[place].options)))
    if not len(rows):
        return None
    classes = np.unique(member[rows], return_inverse=True)[1]
    return measure(tally(classes.astype(np.int64), codes[rows].astype(np.int64)))


NODES = 201  # of the integral over the share of a class: exact for classes of up to 400 rows
PRIOR = Fraction(1, 20)

OF_ROW = to_translate(
    "“{secret}” is disguised: many rows show another value than the true one. Somebody who gave something a chance of "
    "{prior} gives it at most {posterior} after finding the person's row."
)
OF_CLASS = to_translate(
    "Rows of a group together tell more than one. Somebody who knows only that a person is one of {size} alike goes "
    "from {before} to {after} about “{value}” of “{secret}”. Neither γ nor k limits that."
)
TOGETHER = to_translate(
    "The disguised columns of one row together multiply the odds of anything by at most {gamma}, the product of their "
    "γ."
)
AGAIN = to_translate("To disguise the same rows once more would multiply γ. Publish them once.")


@dataclass(frozen=True)
class ClassBelief:
    """What somebody believes of a value before the rows of a class and after them."""

    value: str
    before: float
    after: float
    size: int

    @property
    def growth(self) -> float:
        return self.after / (1 - self.after) * (1 - self.before) / self.before


@dataclass(frozen=True)
class DisguisedColumn:
    """A column of the release that is disguised, and what it tells.

    `of_class` is the belief whose odds the rows of a class raise most, None where every value or none is certain;
    `notes` is what its channel says of the design.
    """

    name: str
    gamma: Gamma
    accuracy: Accuracy
    of_class: ClassBelief | None
    notes: tuple[Said, ...]

    def sentences(self) -> list[Said]:
        own = ceil(100 * posterior_bound(PRIOR, self.gamma))
        said = [Said(OF_ROW, {"secret": self.name, "prior": f"{int(100 * PRIOR)} %", "posterior": f"{own} %"})]
        if found := self.of_class:
            before, after = (f"{three_digits(100 * belief)} %" for belief in (found.before, found.after))
            about: dict[str, int | str] = {"secret": self.name, "value": found.value, "size": found.size}
            said.append(Said(OF_CLASS, about | {"before": before, "after": after}))
        return [*said, *self.notes]

    def to_json(self) -> dict[str, Any]:
        """An entry of the member `disguised` of the report."""
        found = self.of_class
        return {
            "column": self.name,
            "gamma": to_json_value(outward(self.gamma)),
            "epsilon": to_json_value(epsilon(self.gamma)),
            **self.accuracy.members,
            "class": found and {"value": found.value, "before": found.before, "after": found.after, "size": found.size},
        }


def judge_columns(
    design: Design, columns: Mapping[str, Sequence[str]], asked: Mapping[str, ReleaseChannel], member: Ints
) -> tuple[DisguisedColumn, ...]:
    """Say what each disguised column of a release tells; `member` is the class of each row."""
    judged = []
    for block, field in zip(design.blocks, design.fields, strict=True):
        channel, codes = asked[field.name], encode(columns[field.name], field.scales[0])
        found = _largest_rise(channel.facts(block, codes), member)
        accuracy = channel.accuracy(block, len(codes))
        judged.append(DisguisedColumn(field.name, block.gamma, accuracy, found, tuple(channel.notes(field.name))))
    return tuple(judged)


def say_columns(judged: Sequence[DisguisedColumn], design: Design) -> list[Said]:
    """Say what γ and k promise together of disguised columns, and what they do not."""
    said = [sentence for one in judged for sentence in one.sentences()]
    if len(judged) > 1:
        said.append(Said(TOGETHER, {"gamma": three_digits(outward(design.gamma))}))
    return [*said, Said(AGAIN, {})]


def _largest_rise(facts: Iterable[Fact], member: Ints) -> ClassBelief | None:
    """The belief whose odds grow most by the rows of a class, of facts that at least one row should have."""
    from scipy.sparse import csr_array  # a site that takes answers needs no scipy

    found: list[ClassBelief] = []
    for fact in facts:
        if not 1 / len(member) <= fact.share < 1:
            continue
        shape = int(member.max()) + 1, len(fact.own)
        counts = csr_array((np.ones(len(member)), (member, fact.sorts)), shape)
        rows = np.unique(counts.toarray(), axis=0) if len(fact.own) == 2 else counts  # many classes show the same
        after = class_beliefs(rows, fact.own, fact.others, fact.share)
        place = int(after.argmax())
        found.append(ClassBelief(fact.value, fact.share, float(after[place]), int(rows[[place]].sum())))
    return max(found, key=lambda one: one.growth, default=None)


def class_beliefs(counts: Any, own: Floats, others: Floats, share: float) -> Floats:
    """How likely a fact is true of a person of a class, to somebody who reads its rows and knows the channel.

    `counts` has the rows of each class by what they show, which has the chances `own` where the fact is true and
    `others` elsewhere. The reader thinks it as common in a class as in the table, `share`, and knows no more of the
    class: its share p there is Beta(share, 1 − share), the weight of one row. What a class then tells is an integral
    over p of a polynomial of degree `sizes`, which Gauss and Jacobi's rule gives exactly. Of larger classes the
    reconstructed share is taken, without bias.
    """
    from scipy.special import roots_jacobi

    sizes, used = counts.sum(axis=1), np.flatnonzero(counts.sum(axis=0))
    with np.errstate(invalid="ignore"):  # of a branch that is not taken, where the powers sum to −1 as here
        points, weights = roots_jacobi(min(int(sizes.max()) // 2 + 1, NODES), -share, share - 1)
    p = (points + 1) / 2
    shows = (1 - p) * others[used, None] + p * own[used, None]
    chances = counts[:, used] @ np.log(shows)
    chances = np.exp(chances - chances.max(axis=1, keepdims=True)) * weights
    exact = (chances * (counts[:, used] @ (p * own[used, None] / shows))).sum(axis=1) / chances.sum(axis=1) / sizes
    tells = np.divide(own - others, own + others, out=np.zeros(len(own)), where=own + others > 0)
    low, high = others @ tells, own @ tells
    large = np.clip((counts @ tells / sizes - low) / (high - low), 0, 1)
    return np.asarray(np.where(sizes < 2 * NODES, exact, (large * sizes + share) / (sizes + 1)))
