"""Shares of people with their error, and how pages write them: in percent, in points, as numbers of people."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isinf, isnan

from django.utils.translation import gettext as _

from privacy.draw.bars import Bar, Part
from privacy.estimate.intervals import interval_of_shares
from privacy.output import format_count, tenths


@dataclass(frozen=True)
class Share:
    """A share of people, with its standard error and its 95 % interval."""

    value: float
    se: float
    low: float
    high: float

    @property
    def raw_estimate(self) -> "Share":
        """The estimate as it came out, which is unbiased: differences are of this one."""
        return self


@dataclass(frozen=True)
class FittedShare(Share):
    """A share that was moved, so that the shares of all options can be true together; `raw` is what came out."""

    raw: Share

    @property
    def raw_estimate(self) -> Share:
        return self.raw


@dataclass(frozen=True)
class BiasedShare(Share):
    """A share whose interval reaches beyond its error, for people above the cap of a list."""


@dataclass(frozen=True)
class Between:
    """Where the share of an answer lies that people may hide behind “prefer not to say”.

    It is `none` if none of those who said so would have given the answer, and `all` if all of them would. From `low` to
    `high` also allows for the error of both: whatever these people would have said, the share lies there in 95 % of
    surveys or more. It begins where the interval of the answer's own share does, and holds that.
    """

    none: float
    all: float
    low: float
    high: float

    @classmethod
    def from_shares(cls, said: Share, hidden: Share, either: Share) -> "Between":
        """Build it from the shares who gave the answer and who preferred not to say, which are fitted together.

        `either` is the raw share who did one of both, for the upper end of its interval.

        >>> given, silent = Share(0.25, 0.01, 0.23, 0.27), Share(0.125, 0.01, 0.1, 0.15)
        >>> Between.from_shares(given, silent, Share(0.375, 0.01, 0.35, 0.4))
        Between(none=0.25, all=0.375, low=0.23, high=0.4)
        """
        most, high = said.value + hidden.value, either.high
        if isinstance(said, FittedShare):
            _low, high = interval_of_shares(either.value, (either.low, high), most)
        return cls(said.value, most, said.low, max(said.high, high))


def percent_with_error(share: float, se: float) -> tuple[str, str]:
    own = Share(share, se, share, share)
    return percent(own), error(own)


def bar(label: str, share: Share, parts: Sequence[Part] = (), heading: str = "") -> Bar:
    """A share as pictures draw it: its figure is that of the tables."""
    return Bar(label, share.value, share.low, share.high, percent(share), parts, heading)


NO_FIGURE = "–"
NO_ERROR = 1e-6  # a share of people is never known so well: all records say the same, or the estimate lies at an end


def of_people(share: Share) -> str:
    """A share in a sentence as a number of people: “of 100 people, about 25 (22–28)”; of 1 000 where it is rare.

    An end that no share can have, as raw estimates may have it, is left out, not cut off. A best guess that no share
    can be is never said.
    """
    of = 100 if max(share.value, share.high) >= 0.05 else 1000
    about, low, high = (str(round(of * _possible(value))) for value in (share.value, share.low, share.high))
    values = {"of": format_count(of), "about": about, "low": low, "high": high}
    match share.value > 0 and share.low > 0, share.value < 1 and share.high < 1:
        case True, True:
            return _("of %(of)s people, about %(about)s (%(low)s–%(high)s)") % values
        case True, False:
            return _("of %(of)s people, at least %(low)s") % values
        case False, True:
            return _("of %(of)s people, at most %(high)s") % values
    return _("any number of %(of)s people") % values


def whole_percent(share: float) -> str:
    """A share in whole percent, a dash where there is none; a raw estimate outside of 0 to 1 becomes the nearest one.

    >>> whole_percent(0.253), whole_percent(-0.0), whole_percent(1.004)
    ('25', '0', '100')
    """
    return f"{100 * _possible(share) + 0.0:.0f}" if isfinite(share) else NO_FIGURE


def _possible(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def percent(share: Share | None) -> str:
    """A share on a page; a raw estimate outside of 0 to 1 is shown as "about" the nearest possible share."""
    if share is None or not isfinite(share.value) or _is_open(share):
        return NO_FIGURE
    if 0 < share.value < 1 or 0 <= share.raw_estimate.value <= 1:
        return f"{_number(share.value)} %"
    return _("about %(share)s %%") % {"share": whole_percent(share.value)}


def percent_alone(share: float | None) -> str:
    """A share without an error, such as a true one of simulated people."""
    return NO_FIGURE if share is None else f"{_number(share)} %"


def interval(share: Share | None) -> str:
    """The 95 % interval of a share, without values that no share can have; never empty, even for raw estimates.

    Where nothing is excluded, “anything”.
    """
    if share is None or isnan(share.low) or isnan(share.high):
        return NO_FIGURE
    if _is_open(share):
        return _("anything")
    low, high = possible_ends(share)
    return f"{_number(low)}–{_number(high)} %"


def possible_ends(share: Share) -> tuple[float, float]:
    """The ends of an interval as far as a share can lie there; they stay infinite where nothing is excluded.

    >>> possible_ends(Share(0.9, 0.1, 0.7, 1.1)), possible_ends(Share(0.4, 9.0, -float("inf"), float("inf")))
    ((0.7, 1.0), (-inf, inf))
    """
    ends = share.low, share.high
    return interval_of_shares(share.value, ends, _possible(share.value)) if all(map(isfinite, ends)) else ends


def error(share: Share | None) -> str:
    """The standard error of a share; none where the estimate lies at an end and shows no error."""
    if share is None or not isfinite(share.se) or share.se < NO_ERROR or _is_open(share):
        return NO_FIGURE
    return f"± {_number(share.se)}"


def _is_open(share: Share) -> bool:
    """Whether the interval has no end, because its group may be empty."""
    return isinf(share.low) or isinf(share.high)


def with_interval(share: Share | None) -> str:
    return NO_FIGURE if share is None else f"{percent(share)} ({interval(share).removesuffix(' %')})"


def points(share: Share | None) -> str:
    """The difference of two shares in percentage points, with its sign and its interval."""
    if share is None:
        return NO_FIGURE
    if may_be_anything(share):
        return _("anything")
    return f"{points_alone(share)} ({points_interval(share)})"


def may_be_anything(difference: Share) -> bool:
    """Whether the interval of a difference of two shares holds all that such a difference can be."""
    return difference.low <= -1 and difference.high >= 1


def fit_difference(raw: Share, share: Share, other: Share) -> Share:
    """The difference `share` less `other` as a page shows these two: as far as shares can be so far apart.

    Its interval is that of the raw difference, as far as a difference can lie there, and holds the value.
    """
    value = _possible(share.value) - _possible(other.value)
    low, high = max(min(raw.low, value), -1.0), min(max(raw.high, value), 1.0)
    return FittedShare(value, raw.se, low, high, raw)


def points_alone(share: Share) -> str:
    """The difference of two shares in percentage points, with its sign."""
    return with_sign(share.value)


def with_sign(share: float) -> str:
    """A share or difference as percentage points, with its sign; none of what rounds to 0, which sums of floats choose.

    >>> with_sign(0.012), with_sign(-0.012), with_sign(1e-17), with_sign(-1e-17)
    ('+1.2', '−1.2', '0.0', '0.0')
    """
    number = _number(share)
    return f"+{number}" if share > 0 and number != _number(0.0) else number


def with_signs(interval: tuple[float, float]) -> str:
    """The ends of an interval of a difference, each with its sign.

    >>> with_signs((-0.012, 0.03))
    '−1.2 … +3.0'
    """
    return " … ".join(map(with_sign, interval))


def points_interval(share: Share) -> str:
    """The ends of a difference's interval, in percentage points, without values that no difference can have.

    >>> points_interval(Share(0.3, 0.6, -0.9, 1.5))
    '−90.0 … 100.0'
    """
    low, high = max(share.low, min(share.value, -1.0)), min(share.high, max(share.value, 1.0))
    return f"{_number(low)} … {_number(high)}"


def between_heading() -> str:
    """The heading of the column that `between_cell` fills."""
    return _("if none or all who preferred not to say would have said it, and the interval of both")


def between_cell(between: Between | None) -> str:
    """A cell of a table with both ends of a share that people may hide, and the interval of both."""
    if between is None:
        return NO_FIGURE
    return "{none}–{all} % ({low} … {high})".format(**_between_ends(between))


def between_sentence(answer: str, between: Between) -> str:
    """A sentence that says between which shares an answer lies that people may hide."""
    return _(
        "“%(answer)s” is %(none)s %% if none of those who preferred not to say would have said it, and %(all)s %% if "
        "all would; with the error of chance it lies between %(low)s and %(high)s %%."
    ) % {"answer": answer, **_between_ends(between)}


def _between_ends(between: Between) -> dict[str, str]:
    """All shares of a Between in percent, by their names; none is below 0 or above 100."""
    return {name: _number(_possible(end)) for name, end in vars(between).items()}


def _number(value: float) -> str:
    """A share in percent with one decimal, without the sign %."""
    return tenths(100 * value).replace("-0.0", "0.0").replace("-", "−")
