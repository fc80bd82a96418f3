"""Shares on the one axis of a report, from 0 on: places in percent of its width, as words keep their size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite, isnan

from django.utils.translation import gettext as _

from privacy.output import tenths
from surveys.percent import NO_FIGURE, whole_percent
from surveys.sentences import join_sentences

TOPS = {
    5: 5,
    10: 5,
    15: 5,
    20: 5,
    30: 10,
    40: 10,
    50: 10,
    60: 20,
    80: 20,
    100: 20,
}  # ends of an axis and steps on it, in percent
FEW, SQUEEZED = 5, 4  # of so many rows one may end beyond an axis that would else be so many times as long
NOTHING = 0.005  # a best guess that is nearer to 0 or 1 is “about 0 %” or “about 100 %”


@dataclass(frozen=True)
class OnScale:
    """A share with its interval; `truth` is that of simulated people.

    label  what it is of, where that stands beside it
    part   the question that several answers are of
    most   where the interval ends if all who preferred not to say would have said it; None where nobody could
    written the share as tables have it
    top    where the axis ends, in percent
    cut    whether one of its rows ends beyond
    """

    share: float
    low: float
    high: float
    truth: float | None = None
    label: str = ""
    part: str = ""
    most: float | None = None
    written: str = ""
    top: int = 100
    cut: bool = False

    @property
    def steps(self) -> int:
        """How many parts of the axis its numbers make: lines stand where they do."""
        return self.top // TOPS[self.top]

    @property
    def where_it_ends(self) -> str:
        return say_end(self.top, cut=self.cut)

    @property
    def is_beyond(self) -> bool:
        """Whether the best guess lies beyond the axis, so that an arrow stands for it."""
        return self.cut and 100 * self.share > self.top

    @property
    def position(self) -> str:
        return "" if self.is_beyond else self._place(self.share)

    @property
    def start(self) -> str:
        return self._place(self.low) or "0%"

    @property
    def right(self) -> str:
        return self._place(self.high) or "0%"

    @property
    def width(self) -> str:
        """How long the interval is."""
        return self._length(self.high)

    @property
    def whole_width(self) -> str:
        """How long the interval is if all who preferred not to say would have said it; "" where nobody could."""
        return "" if self.most is None else self._length(self.most)

    @property
    def up_to(self) -> str:
        return "" if self.most is None else whole_percent(self.most)

    @property
    def is_held(self) -> bool:
        """Whether the interval holds the truth of simulated people."""
        return self.truth is not None and self.low <= self.truth <= self.high

    @property
    def is_held_at_most(self) -> bool:
        """Whether the longer interval alone holds it."""
        return self.truth is not None and self.most is not None and self.high < self.truth <= self.most

    @property
    def true_at(self) -> str:
        return "" if self.is_beyond else self._place(self.truth)

    def _place(self, share: float | None) -> str:
        """A place on the axis; what lies beyond it, as raw estimates may, stands at its end. Empty if not known."""
        if share is None or isnan(share):
            return ""
        return f"{self._percent_of_axis(share):.1f}%"

    def _length(self, end: float) -> str:
        if not isfinite(self.low) or not isfinite(end):
            return "0%"
        return f"{self._percent_of_axis(end) - self._percent_of_axis(self.low):.1f}%"

    def _percent_of_axis(self, share: float) -> float:
        return 100 * min(max(100 * share / self.top, 0.0), 1.0)

    @property
    def best_guess(self) -> str:
        """The best guess, which is never below 0 or above 100 %, as a raw estimate may be."""
        if not isfinite(self.share):
            return NO_FIGURE
        near = _("about %(share)s %%") if not NOTHING <= self.share <= 1 - NOTHING else "%(share)s %%"
        return near % {"share": whole_percent(self.share)}

    @property
    def true(self) -> str:
        return "" if self.truth is None else _percent(self.truth)

    @property
    def range(self) -> str:
        """The interval in whole percent, as far as a share can lie there."""
        return f"{whole_percent(self.low)}–{whole_percent(self.high)}"


def on_one_axis(rows: Sequence[OnScale]) -> list[OnScale]:
    """The rows on an axis that ends behind all that is drawn, or behind all but one that would squeeze the others."""
    ends = [[end for end in (row.share, row.high, row.most, row.truth) if end is not None] for row in rows]
    others = sorted(ends, key=lambda drawn: max(filter(isfinite, drawn), default=0.0))[:-1]
    top, without = end_of_axis(chain(*ends)), end_of_axis(chain(*others))
    cut = len(rows) >= FEW and SQUEEZED * without <= top
    return [replace(row, top=without if cut else top, cut=cut) for row in rows]


def end_of_axis(drawn: Iterable[float]) -> int:
    """The first of `TOPS` behind all shares that are drawn, in percent: the tables that print them tell it, too."""
    most = max((float(tenths(100 * share)) for share in drawn if isfinite(share)), default=100.0)
    return next((top for top in TOPS if most <= top), 100)


def say_end(top: int, *, cut: bool = False) -> str:
    """That an axis ends at this percent, so that nobody reads it as one up to 100 %; "" where it is."""
    said = _("The axis ends at %(top)s %%, not at 100 %%.") % {"top": top} if top < 100 else ""
    return join_sentences([said, _("The longest bar goes on beyond it.")]) if cut else said


def by_size(rows: Sequence[OnScale]) -> list[OnScale]:
    """The rows of one answer alone with the largest share first; then questions with several answers, as asked."""
    largest: dict[str, float] = {}
    for one in rows:
        largest[one.part] = max(largest.get(one.part, -1.0), one.share)
    return sorted(rows, key=lambda row: (bool(row.part), -largest[row.part] if row.part else -row.share))


def not_apart(rows: Sequence[OnScale]) -> tuple[str, str] | None:
    """The two best guesses that are the farthest apart of those of which one lies in the interval of the other.

    Where a best guess and the end of its interval are always farther apart, the nearest such two: with few people best
    guesses lie close together, and no interval tells much.

    >>> not_apart([OnScale(0.05, 0.01, 0.09), OnScale(0.08, 0.04, 0.15), OnScale(0.11, 0.04, 0.18)])
    ('5', '11')
    >>> not_apart([OnScale(0.01, 0.0, 0.43), OnScale(0.0, 0.0, 0.31)]), not_apart([])
    (('0', '31'), None)
    """
    known = [row for row in rows if isfinite(row.share) and isfinite(row.low) and isfinite(row.high)]
    alike = [
        (lesser.share, greater.share)
        for lesser in known
        for greater in known
        if lesser.share < greater.share and (greater.share <= lesser.high or greater.low <= lesser.share)
    ]
    alike += sorted(((one.share, one.high) for one in known), key=lambda two: two[1] - two[0])[:1]
    farthest = sorted(alike, key=lambda two: two[0] - two[1])
    written = [(whole_percent(one), whole_percent(other)) for one, other in farthest]
    return next((two for two in written if two[0] != two[1]), None)


def ticks(top: int = 100) -> list[tuple[str, str]]:
    """The places on an axis that have a number, and these; both ends say that they are percent."""
    values = range(0, top + 1, TOPS[top])
    return [(f"{100 * value / top:.4g}%", f"{value} %" if value in (0, top) else str(value)) for value in values]


def _percent(share: float) -> str:
    return f"{whole_percent(share)} %" if isfinite(share) else NO_FIGURE
