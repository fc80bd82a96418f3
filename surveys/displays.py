"""What pages show of the answers to a question: shares with their error, ranges of numbers or days, texts.

A display draws itself (`svg`) and has the same figures as a table (`table`). None in place of a share means that it is
not shown: because too few people gave it, or nobody did; both look alike.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, log10, nan
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from privacy.draw.bars import Part, bars
from privacy.draw.histogram import histogram, steps
from privacy.draw.map import Heat, Map, draw_map
from surveys.percent import (
    NO_FIGURE,
    Between,
    Share,
    bar,
    between_cell,
    between_heading,
    error,
    interval,
    of_people,
    percent,
    percent_alone,
    percent_with_error,
    points,
    with_interval,
)
from surveys.sentences import join_sentences


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
    def named_rows(self) -> list[list[tuple[str, str]]]:
        """The rows with each cell beside its heading, which stands there where a phone shows a row as a card."""
        return [list(zip(self.head, row, strict=True)) for row in self.rows]

    @property
    def with_raw(self) -> list[tuple[str, ...]]:
        """The rows for a file, with raw estimates if some of them are outside of 0 to 1."""
        lines = [self.head, *self.rows]
        if all(raw is None or 0 <= raw <= 1 for raw in self.raw):
            return lines
        last = [_("raw estimate"), *map(percent_alone, self.raw)]
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


def or_no_answer(label: str) -> str:
    """The label of those who gave an answer and those who gave none, where one of both are too few."""
    return _("%(answer)s, or no answer") % {"answer": label}


def explain_no_answer(labels: Iterable[str]) -> str:
    """Why such a label is among these; "" where none is."""
    joined = next((label for label in labels if label.endswith(or_no_answer(""))), "")
    if not joined:
        return ""
    return _(
        "“%(label)s” is one figure: one of the two groups has too few people to be shown alone, and the rest "
        "would tell how few."
    ) % {"label": joined}


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
    or_none  whether people without an answer are among those of a share
    """

    name: str
    n: int
    rows: tuple[ShareRow, ...] = ()
    heading: str = ""
    texts: tuple[str, ...] = ()
    said: str = ""
    middle: Middle | None = None
    or_none: bool = False

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
            return _("The most common answer is “%(answer)s”: %(counted)s.") % {"answer": label, "counted": counted}
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
        head = [_("answer"), _("prevalence (share)"), _("confidence interval (95 %)"), _("standard error")]
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
            named = or_no_answer(hidden[0])
            return (*(row for row in self.rows if row.all), ShareRow(named, self.together))
        others = or_no_answer(_("the other answers")) if self.or_none else _("the other answers together")
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
        head = [_("range"), _("share"), _("confidence interval (95 %)"), _("standard error")]
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


def _without_error(share: float | None) -> str:
    return NO_FIGURE if share is None else percent_with_error(share, nan)[0]


def _split(row: ShareRow) -> tuple[Part, ...]:
    """Value, low and high of the direct and the disguised share, without one that is not known."""
    return tuple((share.value, share.low, share.high) for share in (row.direct, row.disguised) if share)


def _as_people_write(value: float) -> str:
    """A number with the sign that people write."""
    return f"{value:.10g}".replace("-", "−")
