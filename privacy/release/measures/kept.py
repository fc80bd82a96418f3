"""What a release keeps of its table: means, correlations and shares.

Who gets a release reads its labels as they stand: a range as its middle, any other label as the values that it covers,
each as likely. Suppressed rows are left out, unless all rows look so. All figures need the table as it is, and so are
for its owner alone.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import isfinite, nan, prod
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design.reading import quote
from privacy.errors import InputError, to_translate
from privacy.release.classes import Columns, is_missing, is_suppressed
from privacy.release.hierarchies import in_order

RANGE = re.compile(r"[\[(]\s*([^,\s]+)\s*,\s*([^,\s]+)\s*[\])]")
MOST_CELLS = 10**6
ABOUT = {
    "mean": to_translate("mean of"),
    "correlation": to_translate("correlation of"),
    "shares": to_translate("people in another place of"),
    "table": to_translate("people in another cell of"),
}
"""What each kind of figure is called, before the names of its columns."""
OF_NUMBERS = ("mean", "correlation")


@dataclass(frozen=True)
class KeptFigure:
    """A figure of the table and the same of its release; `about` says what kind it is."""

    about: str
    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """How far the release is from the table: of a mean as a share of it, of all else in points."""
        moved = self.after - self.before
        return moved / abs(self.before) if self.about == "mean" and self.before else moved

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> "KeptFigure":
        """Read what `to_json` gives; a figure that is none is null there.

        >>> KeptFigure.from_json({"about": "mean", "name": "age", "before": 40.0, "after": None}).after
        nan
        """
        before, after = (nan if entry[end] is None else float(entry[end]) for end in ("before", "after"))
        return cls(entry["about"], entry["name"], before, after)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, eq=False)
class _Pair:
    """A column as it is and as it is published, row by row, without the suppressed rows in what is published."""

    original: Sequence[str]
    published: Sequence[str]
    kept: Bools

    @property
    def values(self) -> Sequence[str]:
        """What is missing is a value here: a column with more empty cells than its table moves."""
        return [*in_order(self.original, ""), *sorted(filter(is_missing, set(self.original)))]

    @property
    def places(self) -> Ints:
        """The place of each original value among them."""
        place = {value: at for at, value in enumerate(self.values)}
        return np.array([place[one] for one in self.original])

    @property
    def numbers(self) -> tuple[Floats, Floats] | None:
        """Both as numbers; None where the table has other values than numbers."""
        before = np.array([_number(one) for one in self.original])
        if not np.isfinite(before).all():
            return None
        covered: dict[str, set[float]] = {}
        for label, one in zip(self.published, before.tolist(), strict=True):
            covered.setdefault(label, set()).add(one)
        known = set(self.original)
        middles = {label: _middle(label, under, label in known) for label, under in covered.items()}
        return before, np.array([middles[label] for label in self.published])

    @property
    def covers(self) -> dict[str, Ints]:
        """The places of the values that a reader takes each label for: its own, or all that it covers."""
        values = self.values
        place = {value: at for at, value in enumerate(values)}
        covered: dict[str, set[int]] = {}
        for label, one in zip(self.published, self.original, strict=True):
            covered.setdefault(label, set()).add(place[one])
        return {
            label: np.array([place[label]] if label in place else sorted(under)) for label, under in covered.items()
        }


def compare(
    original: Columns, published: Columns, known: Sequence[str], tabulate: Sequence[str] = ()
) -> list[KeptFigure]:
    """Compare a release with its table, whose rows have the same order; `known` are its quasi-identifiers.

    `tabulate` names the columns whose joint table is compared, beside each column's own shares.
    """
    names = list(published)
    for name in tabulate:
        if name not in names:
            raise InputError(f"compare: {quote(name)} is not a column of the release; it has {', '.join(names)}.")
    kept = ~is_suppressed([published[name] for name in known]) if known else np.ones(len(published[names[0]]), bool)
    if not kept.any():
        kept[:] = True  # everything is * in all rows, which says as little of each as of the others
    pairs = {name: _Pair(original[name], published[name], kept) for name in names}
    numbers = {name: both for name, pair in pairs.items() if (both := pair.numbers) is not None}
    figures = [
        KeptFigure("mean", name, float(before.mean()), float(after[kept].mean()))
        for name, (before, after) in numbers.items()
    ]
    for one, other in combinations(numbers, 2):
        (before, after), (beside, beside_after) = numbers[one], numbers[other]
        own = _correlation(before, beside), _correlation(after[kept], beside_after[kept])
        figures.append(KeptFigure("correlation", f"{one}, {other}", *own))
    changed = {name: moved for name in names if (moved := _distance([pairs[name]]))}
    figures += [KeptFigure("shares", name, 0.0, moved) for name, moved in changed.items()]
    if tabulate:
        figures.append(KeptFigure("table", ", ".join(tabulate), 0.0, _distance([pairs[name] for name in tabulate])))
    return figures


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan


def _middle(label: str, covered: set[float], is_value: bool) -> float:
    """The number that a reader takes a label for; the first digits of a code are not one."""
    if isfinite(own := _number(label)) and (is_value or min(covered) <= own <= max(covered)):
        return own
    ends = [_number(end) for end in found.groups()] if (found := RANGE.fullmatch(label)) else []
    if len(ends) == 2 and all(map(isfinite, ends)):
        return (ends[0] + ends[1]) / 2
    return sum(sorted(covered)) / len(covered)


def _correlation(one: Floats, other: Floats) -> float:
    """Pearson's; nan where a column is the same everywhere."""
    if not np.ptp(one) or not np.ptp(other):
        return nan
    return float(np.corrcoef(one, other)[0, 1])


def _distance(pairs: Sequence[_Pair]) -> float:
    """Half the sum of the differences of all cells of a table: the share of people who stand in another cell."""
    values, covers, kept = [pair.values for pair in pairs], [pair.covers for pair in pairs], pairs[0].kept
    shape = tuple(map(len, values))
    if (cells := prod(shape)) > MOST_CELLS:
        raise InputError(f"compare: a table of {cells} cells is larger than {MOST_CELLS}; name fewer columns.")
    own = [pair.places for pair in pairs]
    before = np.bincount(np.ravel_multi_index(own, shape), minlength=cells) / len(kept)
    after = np.zeros(cells)
    rows = zip(
        *([label for label, stays in zip(pair.published, kept, strict=True) if stays] for pair in pairs), strict=True
    )
    for labels, count in Counter(rows).items():
        under = np.ix_(*(cover[label] for cover, label in zip(covers, labels, strict=True)))
        place = np.ravel_multi_index(under, shape).ravel()
        after[place] += count / len(place)
    return float(np.abs(before - after / kept.sum()).sum() / 2)


def picture(
    figures: Sequence[KeptFigure],
    names: Sequence[str] = (),
    title: str = "What the release moves",
    across: str = "difference",
    none: str = "none",
) -> str:
    """Draw what is kept as a row for each figure: how far from that of the table, as a share of it or in points.

    `names` say what each figure is, in the reader's language.

    >>> picture([KeptFigure("mean", "age", 40.0, 42.0)]).count("mean of age")
    2
    """
    from privacy.draw.chart import Axis, Mark, Points
    from privacy.draw.named_rows import MOST_ROWS, rows

    called = names or [f"{ABOUT[one.about]} {one.name}" for one in figures]
    shown = [both for both in zip(called, figures, strict=True) if isfinite(both[1].difference)][:MOST_ROWS]
    own = [name for name, _ in shown]
    points = Points("", [one.difference for _, one in shown], range(len(shown)), labels=own)
    return rows(title, own, [points], Axis(across, percent=True), marks=[Mark(none, x=0)])
