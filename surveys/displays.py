"""What pages show of the answers to a question: shares with their error, ranges of numbers or days, texts.

A display draws itself (`svg`) and has the same figures as a table (`table`). None in place of a share means that it is
not shown: because too few people gave it, or nobody did; both look alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, isinf, isnan, log10, nan
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from privacy.draw.bars import Bar, Part, bars
from privacy.draw.histogram import histogram
from privacy.draw.map import Heat, Map, draw_map
from privacy.draw.steps import steps
from privacy.estimate.intervals import feasible_interval
from privacy.output import format_count, tenths
from surveys.sentences import join_sentences


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
    surveys or more. The interval of the answer's own share lies inside.
    """

    none: float
    all: float
    low: float
    high: float

    @classmethod
    def from_shares(cls, said: Share, hidden: Share, either: Share) -> "Between":
        """Build it from the shares who gave the answer and who preferred not to say, which are fitted together.

        `either` is the raw share who did one of both, for its interval.

        >>> given, silent = Share(0.2, 0.01, 0.18, 0.22), Share(0.1, 0.01, 0.08, 0.12)
        >>> Between.from_shares(given, silent, Share(0.3, 0.01, 0.28, 0.32))
        Between(none=0.2, all=0.3, low=0.18, high=0.32)
        """
        most, low, high = said.value + hidden.value, either.low, either.high
        if isinstance(said, FittedShare):
            low, high = feasible_interval(either.value, (low, high), most)
        return cls(said.value, most, min(said.low, low), max(said.high, high))


@dataclass(frozen=True)
class Table:
    """A table of figures as text; the first cell of a row is what the row is about, and `words` columns hold words.

    `raw` are the estimates of the rows as they came out, for files: a page shows the nearest share that can be.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    raw: tuple[float | None, ...] = ()

    @property
    def with_raw(self) -> list[tuple[str, ...]]:
        """The rows for a file, with raw estimates if some of them are outside of 0 to 1."""
        lines = [self.head, *self.rows]
        if all(raw is None or 0 <= raw <= 1 for raw in self.raw):
            return lines
        last = [_("raw estimate"), *(NO_FIGURE if raw is None else f"{_number(raw)} %" for raw in self.raw)]
        return [(*line, cell) for line, cell in zip(lines, last, strict=True)]


@dataclass(frozen=True)
class ShareRow:
    """The share of an answer: of all, of direct and of disguised answers, and the difference between these two.

    `truth` is the share of simulated people who really give it; None of real ones. `between` is None where nobody could
    prefer not to say, or too few did.
    """

    label: str
    all: Share | None
    direct: Share | None = None
    disguised: Share | None = None
    difference: Share | None = None
    truth: float | None = None
    between: Between | None = None


@dataclass(frozen=True)
class NamedShare:
    """A known share and the answer that it is of; `truth` and `between` as in ShareRow."""

    label: str
    share: Share
    truth: float | None = None
    between: Between | None = None


@dataclass(frozen=True)
class Middle:
    """The mean of undisguised numbers with its 95 % interval, and between which ends the median lies.

    mean         None where the figures shown leave it too open; where they leave a little open, the middle of that
    mean_low, …  the interval, which holds all that is open; infinite where the scale has no end
    exact        whether the mean is known to the last digit
    least, most  the ends of the scale; infinite where it has none
    """

    mean: float | None
    mean_low: float
    mean_high: float
    median_low: float
    median_high: float
    exact: bool
    least: float
    most: float

    @property
    def _texts(self) -> dict[str, str]:
        """Write mean and interval with as many digits as the interval justifies."""
        half = (self.mean_high - self.mean_low) / 2
        digits = min(max(-floor(log10(half)), 0), 6) if half > 0 else 2
        ends = {"value": self.mean, "low": self.mean_low, "high": self.mean_high}
        return {name: f"{value:.{digits}f}".replace("-", "−") for name, value in ends.items() if value is not None}

    @property
    def best_guess(self) -> str:
        return self._texts["value"]

    @property
    def range(self) -> str:
        return _("%(low)s to %(high)s") % self._texts

    @property
    def without_mean(self) -> str:
        """What is said of the mean where it is too open to be one number; empty where it is not."""
        if self.mean is not None:
            return ""
        if not isfinite(self.mean_high - self.mean_low):
            return _("No mean is shown: the question has no minimum or no maximum.")
        return _("The mean is between %(low)s and %(high)s: ranges tell no more of it.") % self._texts

    @property
    def scale(self) -> str:
        return _("of %(low)s to %(high)s") % {"low": _as_people_write(self.least), "high": _as_people_write(self.most)}

    @property
    def median(self) -> str:
        low, high = _as_people_write(self.median_low), _as_people_write(self.median_high)
        if low == high:
            return _("Median %(value)s.") % {"value": low}
        match isfinite(self.median_low), isfinite(self.median_high):
            case False, True:
                return _("Median at most %(high)s.") % {"high": high}
            case True, False:
                return _("Median at least %(low)s.") % {"low": low}
            case False, False:
                return ""
        return _("Median from %(low)s to %(high)s.") % {"low": low, "high": high}

    @property
    def note(self) -> str:
        """Why the interval is wider than usual; empty where it is not."""
        if self.exact or self.mean is None:
            return ""
        return _("Worked out from the figures that are shown, so that it tells no single answer.")

    def __str__(self) -> str:
        mean = self.without_mean or _("Mean %(value)s (%(low)s to %(high)s).") % self._texts
        return join_sentences([mean, self.median, self.note])


@dataclass(frozen=True)
class Display:
    """What a type of question gives of its answers, about `n` people; 0 where they are too few to report.

    name     the short name in records
    rows     the shares that are compared from one version to the next, of answers that every version has alike; none
             where it tells ranges: these are made of the answers themselves, and differ from version to version
    heading  names one of several displays of a question
    texts    what people wrote
    said     what it tells in a sentence where no picture says it all
    middle   mean and median of undisguised numbers
    """

    name: str
    n: int
    rows: tuple[ShareRow, ...] = ()
    heading: str = ""
    texts: tuple[str, ...] = ()
    said: str = ""
    middle: Middle | None = None

    lines: ClassVar[bool] = True  # whether its picture has a line for each interval

    @property
    def shares_by_answer(self) -> Sequence[NamedShare]:
        """The known shares with their answers; none where the display tells no shares of answers."""
        return ()

    @property
    def has_gaps(self) -> bool:
        """Whether some share is not shown, because too few people or nobody gave the answer."""
        return False

    def sentence(self, phrase: str) -> str:
        """The main figure as a sentence; empty where a picture is enough. `phrase`: how a report words a yes."""
        return join_sentences([self.said, self.middle or ""])

    def svg(self, _title: str) -> str:
        """The picture; empty where there is nothing to draw."""
        return ""

    def table(self) -> Table:
        """Return the display's figures as a table."""
        return Table((), ())


@dataclass(frozen=True)
class Shares(Display):
    """How common each answer is. `together` is the share of all answers that are too rare to be named, and with
    `or_none` of people without an answer.
    """

    together: Share | None = None
    or_none: bool = False

    def sentence(self, phrase: str) -> str:
        """The share of the answer as a number of 100 people, the truth of simulated people, and the mean."""
        return join_sentences([self._describe_estimate(phrase), self._describe_truth(), self.middle or ""])

    def _describe_truth(self) -> str:
        true = [f"{row.label} {percent_alone(row.truth)}" for row in self.rows if row.truth is not None]
        return _("Simulated truth: %(shares)s.") % {"shares": "; ".join(true)} if true else ""

    def _describe_estimate(self, phrase: str) -> str:
        """A sentence with the share of a single answer, or of the most common one if it clearly is that."""
        known = sorted(((row.all, row.label) for row in self.rows if row.all), key=lambda one: -one[0].value)
        if len(known) < len(self.rows) or not known:
            return ""
        (most, label), *others = known
        counted = of_people(most)
        if others:
            if max(share.high for share, _label in others) >= most.low:
                return ""
            return _("The most common answer is “%(answer)s”: %(counted)s.") % {
                "answer": label,
                "counted": counted,
            }
        answer = phrase or _("answer “%(answer)s”") % {"answer": label}
        return _("%(counted)s %(answer)s.") % {"counted": counted[:1].upper() + counted[1:], "answer": answer}

    @property
    def shares_by_answer(self) -> Sequence[NamedShare]:
        return [NamedShare(row.label, row.all, row.truth, row.between) for row in self._rows_to_show if row.all]

    @property
    def is_simulated(self) -> bool:
        return any(row.truth is not None for row in self.rows)

    @property
    def has_gaps(self) -> bool:
        return any(row.all is None for row in self._rows_to_show)

    @property
    def by_group(self) -> bool:
        return any(row.difference for row in self.rows)

    def svg(self, title: str) -> str:
        drawn = [bar(row.label, row.all, _split(row)) for row in self._rows_to_show if row.all]
        names = (_("answered directly"), _("disguised")) if self.by_group else ()
        return bars(title, drawn, names) if drawn else ""

    def table(self) -> Table:
        head = [_("answer"), _("share"), _("95 % interval"), _("standard error")]
        if self.by_group:
            head += [_("answered directly"), _("disguised"), _("difference, percentage points")]
        if self._has_between:
            head.append(between_heading())
        if self.is_simulated:
            head.append(_("simulated truth"))
        raw = tuple(row.all.raw_estimate.value if row.all else None for row in self._rows_to_show)
        return Table(tuple(head), tuple(self._cells(row) for row in self._rows_to_show), raw=raw)

    @property
    def _has_between(self) -> bool:
        return any(row.between for row in self.rows)

    @property
    def _rows_to_show(self) -> Sequence[ShareRow]:
        """The rows to show: the answers, and at the end one for all that are too rare to be named."""
        hidden = [row.label for row in self.rows if not row.all]
        if self.together and self.or_none and len(hidden) == 1:  # this answer, and the few who gave none
            named = _("%(answer)s, or no answer") % {"answer": hidden[0]}
            return (*(row for row in self.rows if row.all), ShareRow(named, self.together))
        others = _("the other answers, or no answer") if self.or_none else _("the other answers together")
        return (*self.rows, *([ShareRow(others, self.together)] if self.together else []))

    def _cells(self, row: ShareRow) -> tuple[str, ...]:
        cells = [row.label, percent(row.all), interval(row.all), error(row.all)]
        if self.by_group:
            cells += [with_interval(row.direct), with_interval(row.disguised), points(row.difference)]
        if self._has_between:
            cells.append(between_cell(row.between))
        if self.is_simulated:
            cells.append(percent_alone(row.truth))
        return tuple(cells)


class StepShares(Shares):
    """Shares of the steps of a scale that was not disguised."""

    def svg(self, title: str) -> str:
        if not self.rows:
            return ""
        return steps(title, [row.label for row in self.rows], [row.all.value if row.all else None for row in self.rows])


class Crossed(Shares):
    """Shares of two answers together, a row for each pair: too many for an axis of answers."""

    @property
    def shares_by_answer(self) -> Sequence[NamedShare]:
        return ()

    def sentence(self, _phrase: str) -> str:
        return ""


@dataclass(frozen=True, kw_only=True)
class Histogram(Display):
    """Shares of people by ranges, one after the other: `edges` has one more than `shares` has."""

    edges: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()
    ticks: Callable[[float], str] | None = None  # how a value of the axis is written, where it is no number
    truth: tuple[float, ...] = ()  # of simulated people, by range

    @property
    def shares_by_answer(self) -> Sequence[NamedShare]:
        truths = self.truth or (None,) * len(self.shares)
        return [NamedShare(*one) for one in zip(self.labels, self.shares, truths, strict=True)]

    def svg(self, title: str) -> str:
        if not self.shares:
            return ""
        drawn = [(share.value, share.low, share.high) for share in self.shares]
        return histogram(title, self.edges, drawn, self.labels, self.ticks)

    def table(self) -> Table:
        head = [_("range"), _("share"), _("95 % interval"), _("standard error")]
        rows = [
            [label, percent(share), interval(share), error(share)]
            for label, share in zip(self.labels, self.shares, strict=True)
        ]
        if self.truth:
            head.append(_("simulated truth"))
            rows = [[*row, percent_alone(truth)] for row, truth in zip(rows, self.truth, strict=True)]
        return Table(tuple(head), tuple(map(tuple, rows)), raw=tuple(share.value for share in self.shares))


class Texts(Display):
    """Texts in an order of their own letters, which tells nothing of who wrote them, and goes with nothing else."""


@dataclass(frozen=True, kw_only=True)
class PlaceMap(Display):
    """Shares of people by the cells of a grid, in rows from the bottom, and by zone, each with its standard error.

    None where a share is not shown; `rest` is that of all these cells together. `true_share` gives, of simulated
    people, how many are really inside of left, bottom, width and height.
    """

    lines = False
    map_: Map | None = None
    edges: Mapping[str, Sequence[float]] = field(default_factory=dict)
    shares: tuple[tuple[float | None, ...], ...] = ()
    errors: tuple[tuple[float | None, ...], ...] = ()
    zones: tuple[Mapping[str, Any], ...] = ()
    rest: tuple[float, float] | None = None
    true_share: Callable[[float, float, float, float], float] | None = None

    def svg(self, title: str) -> str:
        if self.map_ is None:
            return ""
        labels = [
            [f"{self._cell(row, column)}: {_without_error(share)}" for column, share in enumerate(shares)]
            for row, shares in enumerate(self.shares)
        ]
        x, y = self.edges["x"], self.edges["y"]
        zones = [
            (zone["zone"], zone["share"], f"{self._zone(zone['zone'])}: {_without_error(zone['share'])}")
            for zone in self.zones
            if zone["zone"] != "elsewhere" and not self._tells_inside(*zone["zone"])
        ]
        return draw_map(title, self.map_, Heat(x, y, self.shares, labels, zones, _("not shown")))

    def _tells_inside(self, left: float, bottom: float, width: float, height: float) -> bool:
        """Whether some cell inside this zone has a share; if none has, the zone's own share colours it."""
        x, y = self.edges["x"], self.edges["y"]
        return any(
            share is not None
            and left <= x[column] < x[column + 1] <= left + width
            and bottom <= y[row] < y[row + 1] <= bottom + height
            for row, shares in enumerate(self.shares)
            for column, share in enumerate(shares)
        )

    def table(self) -> Table:
        shown = [
            (row, column, share, error)
            for row, (shares, errors) in enumerate(zip(self.shares, self.errors, strict=True))
            for column, (share, error) in enumerate(zip(shares, errors, strict=True))
            if share is not None and error is not None
        ]
        rows = [(self._zone(zone["zone"]), *percent_with_error(zone["share"], zone["se"])) for zone in self.zones]
        rows += [(self._cell(row, column), *percent_with_error(share, error)) for row, column, share, error in shown]
        if self.rest:
            rows.append((_("all other places together"), *percent_with_error(*self.rest)))
        head = (_("where"), _("share"), _("standard error"))
        if self.true_share is None:
            return Table(head, tuple(rows))
        zones = self._true_shares([zone["zone"] for zone in self.zones])
        cells = self._true_shares(
            [*(self._sides_of_cell(row, column) for row, column, *_figures in shown), *["elsewhere"] * bool(self.rest)]
        )
        truths = [percent_alone(share) for share in (*zones, *cells)]
        return Table((*head, _("simulated truth")), tuple((*row, one) for row, one in zip(rows, truths, strict=True)))

    def _true_shares(self, places: Sequence[Any]) -> list[float]:
        """The share of simulated people who really are in each place; “elsewhere” is what the others leave."""
        assert self.true_share is not None  # asked for of simulated people alone
        inside = [0.0 if place == "elsewhere" else self.true_share(*place) for place in places]
        return [1 - sum(inside) if place == "elsewhere" else own for place, own in zip(places, inside, strict=True)]

    def _sides_of_cell(self, row: int, column: int) -> tuple[float, float, float, float]:
        (left, right), (bottom, top) = self.edges["x"][column : column + 2], self.edges["y"][row : row + 2]
        return left, bottom, right - left, top - bottom

    def _zone(self, zone: Any) -> str:
        if zone == "elsewhere":
            return _("outside the zones")
        left, bottom, width, height = zone
        return _("zone") + f" {left:g}–{left + width:g}, {bottom:g}–{bottom + height:g}"

    def _cell(self, row: int, column: int) -> str:
        x, y = self.edges["x"], self.edges["y"]
        return f"{x[column]:g}–{x[column + 1]:g}, {y[row]:g}–{y[row + 1]:g}"


def percent_with_error(share: float, se: float) -> tuple[str, str]:
    own = Share(share, se, share, share)
    return percent(own), error(own)


def _without_error(share: float | None) -> str:
    return NO_FIGURE if share is None else percent_with_error(share, nan)[0]


def bar(label: str, share: Share, parts: Sequence[Part] = (), heading: str = "") -> Bar:
    """A share as pictures draw it: its figure is that of the tables."""
    return Bar(label, share.value, share.low, share.high, percent(share), parts, heading)


def _split(row: ShareRow) -> tuple[Part, ...]:
    """Value, low and high of the direct and the disguised share, without one that is not known."""
    return tuple((share.value, share.low, share.high) for share in (row.direct, row.disguised) if share)


NO_FIGURE = "–"


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

    >>> whole_percent(0.253), whole_percent(-0.012), whole_percent(1.004)
    ('25', '0', '100')
    """
    return f"{100 * _possible(share):.0f}" if isfinite(share) else NO_FIGURE


def _possible(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def percent(share: Share | None) -> str:
    """A share on a page; a raw estimate outside of 0 to 1 is shown as "about" the nearest possible share.

    >>> percent(Share(0.253, 0, 0, 0)), percent(Share(-0.417, 0, 0, 0)), percent(Share(1.02, 0, 0, 0))
    ('25.3 %', 'about 0 %', 'about 100 %')
    >>> percent(Share(0.4, 9.0, -float("inf"), float("inf")))  # it may be anything
    '–'
    """
    if share is None or not isfinite(share.value) or _is_open(share):
        return NO_FIGURE
    if 0 < share.value < 1 or 0 <= share.raw_estimate.value <= 1:
        return f"{_number(share.value)} %"
    return _("about %(share)s %%") % {"share": whole_percent(share.value)}


def percent_alone(share: float | None) -> str:
    """A share without an error, such as a true one of simulated people.

    >>> percent_alone(0.253), percent_alone(None)
    ('25.3 %', '–')
    """
    return NO_FIGURE if share is None else f"{_number(share)} %"


def interval(share: Share | None) -> str:
    """The 95 % interval of a share, without values that no share can have; never empty, even for raw estimates.

    Where nothing is excluded, “anything”.

    >>> interval(Share(0.05, 0.03, -0.01, 0.11)), interval(Share(-0.3, 0.1, -0.5, -0.1))
    ('0.0–11.0 %', '0.0–6.1 %')
    >>> interval(Share(0.0, *[float("nan")] * 3))  # records that are all alike do not show how they vary
    '–'
    """
    if share is None or isnan(share.low) or isnan(share.high):
        return NO_FIGURE
    if _is_open(share):
        return _("anything")
    low, high = feasible_interval(share.value, (share.low, share.high), _possible(share.value))
    return f"{_number(low)}–{_number(high)} %"


def error(share: Share | None) -> str:
    return NO_FIGURE if share is None or not isfinite(share.se) or _is_open(share) else f"± {_number(share.se)}"


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

    >>> raw = Share(2.439, 9.0, -15.0, 20.0)
    >>> fit_difference(raw, Share(0.3, 0.1, 0.1, 0.5), Share(-2.139, 9.0, -15.0, 20.0))
    FittedShare(value=0.3, se=9.0, low=-1.0, high=1.0, raw=Share(value=2.439, se=9.0, low=-15.0, high=20.0))
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


def _as_people_write(value: float) -> str:
    """A number with the sign that people write."""
    return f"{value:.10g}".replace("-", "−")


def _number(value: float) -> str:
    """A share in percent with one decimal, without the sign %."""
    return tenths(100 * value).replace("-0.0", "0.0").replace("-", "−")
