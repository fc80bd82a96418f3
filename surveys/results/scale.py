"""Shares on the one axis of a report, from 0 on: places in percent of its width, as words keep their size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan

from django.utils.translation import gettext as _

from surveys.percent import NO_FIGURE, whole_percent

TOPS = {10: 2, 20: 5, 30: 10, 40: 10, 50: 10, 60: 20, 80: 20, 100: 20}  # ends of an axis and steps on it, in percent
NOTHING = 0.005  # a best guess that is nearer to 0 or 1 is “about 0 %” or “about 100 %”


@dataclass(frozen=True)
class OnScale:
    """A share with its interval; `truth` is that of simulated people, `among` how common it is among all.

    label  what it is of, where that stands beside it
    part   the question that several answers are of
    hidden where the share lies behind “prefer not to say”, in a sentence
    written the share as tables have it
    top    where the axis ends, in percent
    """

    share: float
    low: float
    high: float
    truth: float | None = None
    among: float | None = None
    label: str = ""
    part: str = ""
    hidden: str = ""
    written: str = ""
    top: int = 100

    @property
    def steps(self) -> int:
        """How many parts of the axis its numbers make: lines stand where they do."""
        return self.top // TOPS[self.top]

    @property
    def position(self) -> str:
        return self._place(self.share)

    @property
    def start(self) -> str:
        return self._place(self.low) or "0%"

    @property
    def right(self) -> str:
        return self._place(self.high) or "0%"

    @property
    def true_at(self) -> str:
        return self._place(self.truth)

    @property
    def among_at(self) -> str:
        return self._place(self.among)

    def _place(self, share: float | None) -> str:
        """A place on the axis; what lies beyond it, as raw estimates may, stands at its end. Empty if not known."""
        if share is None or isnan(share):
            return ""
        return f"{100 * min(max(100 * share / self.top, 0.0), 1.0):.1f}%"

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
    """The rows on an axis that ends at the first of `TOPS` behind all that is drawn."""
    drawn = [end for one in rows for end in (one.share, one.high, one.truth) if end is not None and isfinite(end)]
    top = next((top for top in TOPS if max(drawn, default=1.0) <= top / 100), 100)
    return [replace(one, top=top) for one in rows]


def ticks(top: int = 100) -> list[tuple[str, str]]:
    """The places on an axis that have a number, and these; both ends say that they are percent."""
    values = range(0, top + 1, TOPS[top])
    return [(f"{100 * one / top:.4g}%", f"{one} %" if one in (0, top) else str(one)) for one in values]


def _percent(share: float) -> str:
    return f"{whole_percent(share)} %" if isfinite(share) else NO_FIGURE
