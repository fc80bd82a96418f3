"""Shares on the one axis of a report, from 0 to 100 %: places in percent of its width, as words keep their size."""

from dataclasses import dataclass
from math import isfinite, isnan

from django.utils.translation import gettext as _

from surveys.displays import NO_FIGURE, whole_percent

NOTHING = 0.005  # a smaller best guess is “about 0 %”: the nearest whole number


@dataclass(frozen=True)
class OnScale:
    """A share with its interval; `truth` is that of simulated people, `among` how common it is among all.

    label  what it is of, where that stands beside it
    part   the question that several answers are of
    hidden where the share lies behind “prefer not to say”, in a sentence
    """

    share: float
    low: float
    high: float
    truth: float | None = None
    among: float | None = None
    label: str = ""
    part: str = ""
    hidden: str = ""

    @property
    def position(self) -> str:
        return "" if isnan(self.share) else _place(self.share)

    @property
    def start(self) -> str:
        return _place(self.low)

    @property
    def right(self) -> str:
        return _place(self.high)

    @property
    def true_at(self) -> str:
        return "" if self.truth is None else _place(self.truth)

    @property
    def among_at(self) -> str:
        return "" if self.among is None else _place(self.among)

    @property
    def best_guess(self) -> str:
        """The best guess, which is never below 0 or above 100 %, as a raw estimate may be."""
        if not isfinite(self.share):
            return NO_FIGURE
        near = _("about %(share)s %%") if self.share < NOTHING else "%(share)s %%"
        return near % {"share": whole_percent(self.share)}

    @property
    def true(self) -> str:
        return "" if self.truth is None else _percent(self.truth)

    @property
    def range(self) -> str:
        """The interval in whole percent, as far as a share can lie there."""
        return f"{whole_percent(self.low)}–{whole_percent(self.high)}"


def _place(share: float) -> str:
    """A place on the axis; what lies beyond it, as raw estimates may, stands at its end."""
    return "0%" if isnan(share) else f"{100 * min(max(share, 0.0), 1.0):.1f}%"


def _percent(share: float) -> str:
    return f"{whole_percent(share)} %" if isfinite(share) else NO_FIGURE
