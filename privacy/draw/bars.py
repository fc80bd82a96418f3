"""Rows with their intervals: bars of how common each of some answers is, and points against "nothing differs".

The name of a row stands above it and its figure at the end of the same line, so that the picture fits a phone. The bars
of all questions are on one axis, from 0 to 100 %, so that their shares can be compared. Raw estimates may lie outside:
a line that goes on beyond the axis has no end there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import isnan

from privacy.draw.axis import Axis, AxisScale, scale_for
from privacy.draw.chart import PALETTE
from privacy.draw.labels import break_lines, num, svg, text_width, ticks_apart

WIDTH = 440
_ROW, _APART = 44, 16  # the height of a bar with a name of one line, and of each of its parts
_LINE, _ABOVE = 17, 8  # the height of one more line, and the room above a heading
_TOP, _BOTTOM = 6, 26
_BELOW, _WORDS = 26, 30  # the height of a point below its name, and the room for what "nothing differs" is called
_INK = 'stroke="currentColor" stroke-opacity=".75" stroke-width="1.5"'
_DASHED = 'stroke-opacity=".6" stroke-dasharray="3 4"'
_GREEN = PALETTE[2]
_SOFT = 'fill-opacity=".72"'

Part = tuple[float, float, float]
"""A share, and the ends of its interval."""


@dataclass(frozen=True)
class ForestRow:
    """A figure with the ends of its interval; `written` is how its label says it."""

    label: str
    value: float
    low: float
    high: float
    written: str = ""


@dataclass(frozen=True)
class Bar(ForestRow):
    """A share with its interval; `parts` are shares of groups, drawn as points below the bar.

    A `heading` stands above the first bar of those that belong together.
    """

    parts: Sequence[Part] = ()
    heading: str = ""


@dataclass(frozen=True)
class _Across:
    """The axis of a picture that is so wide."""

    scale: AxisScale
    width: int

    def position(self, value: float) -> float:
        return 8 + self.scale.position(min(max(value, self.scale.low), self.scale.high)) * (self.width - 16)

    def whisker(self, low: float, high: float, y: float, stroke: str) -> str:
        """An interval at the height y, as a line with a stroke at each end that lies on the axis; none if not known."""
        if isnan(low) or isnan(high):
            return ""
        shown = (end for end in (low, high) if self.scale.low <= end <= self.scale.high)
        ends = "".join(f"M{num(self.position(end))} {num(y - 4)}v8" for end in shown)
        return f'<path d="M{num(self.position(low))} {num(y)}H{num(self.position(high))}{ends}" {stroke} fill="none"/>'

    def tick_lines(self, top: int, bottom: int) -> Iterator[str]:
        for at, text in ticks_apart([(self.position(value), text) for value, text in self.scale.ticks(5)]):
            yield f'<path d="M{num(at)} {top}V{bottom}" stroke="currentColor" stroke-opacity=".12"/>'
            yield self.text(at, bottom + 16, text)

    def text(self, x: float, y: float, text: str) -> str:
        """A small text centred at x, or beside it where the drawing ends."""
        half, end = text_width(text) / 2, self.width - 8.0
        anchor, place = ("start", 8.0) if x < half + 8 else ("end", end) if x > end - half else ("middle", x)
        return f'<text x="{num(place)}" y="{y}" text-anchor="{anchor}" font-size="12" {_SOFT}>{escape(text)}</text>'

    def value_at_end(self, y: float, text: str) -> str:
        """The value of the row that begins at y, at the end of the row."""
        return f'<text x="{self.width - 8}" y="{num(y + 15)}" text-anchor="end" font-weight="600">{escape(text)}</text>'


def bars(title: str, shown: Sequence[Bar], parts: Sequence[str] = (), top: float = 1.0) -> str:
    """Draw one `<svg>` of the bars; `parts` names the points below them, `top` is the share at the end of the axis.

    >>> "35.0 %" in bars("Cheated", [Bar("Yes", 0.35, 0.31, 0.39, "35.0 %")])
    True
    """
    named = [break_lines(name, WIDTH - 30) for name in parts]
    legend = sum(5 + _LINE * len(lines) for lines in named)
    headings = [break_lines(bar.heading, WIDTH - 16) for bar in shown]
    labels = [break_lines(bar.label, WIDTH - 40 - text_width(bar.written)) for bar in shown]
    above = [_ABOVE + _LINE * len(lines) if lines else 0 for lines in headings]
    heights = [
        _ROW + _LINE * (len(lines) - 1) + _APART * len(bar.parts) for bar, lines in zip(shown, labels, strict=True)
    ]
    height = _TOP + legend + sum(above) + sum(heights) + _BOTTOM

    across = _Across(AxisScale(Axis(percent=True), 0.0, top), WIDTH)
    out: list[str] = []
    top = _TOP
    for index, lines in enumerate(named, 1):
        out.append(_marker(8.0, top + 8, index))
        for line in lines:
            out.append(f'<text x="18" y="{top + 12}" font-size="12" {_SOFT}>{escape(line)}</text>')
            top += _LINE
        top += 5
    out += across.tick_lines(top, height - _BOTTOM)
    y = float(top)
    for bar, heading, label, over, room in zip(shown, headings, labels, above, heights, strict=True):
        out += _text_lines(heading, y + _ABOVE, ' font-weight="600"')
        y += over
        middle = y + 29 + _LINE * (len(label) - 1)
        out += [
            *_text_lines(label, y),
            across.value_at_end(y, bar.written),
            f'<rect x="8.0" y="{num(middle - 7)}" width="{num(max(across.position(bar.value) - 8, 1))}" height="14"'
            f' rx="2"'
            f' fill="{_GREEN}" fill-opacity=".55"/>',
            across.whisker(bar.low, bar.high, middle, _INK),
        ]
        for place, (value, low, high) in enumerate(bar.parts, 1):
            middle += _APART
            stroke = f'stroke="{PALETTE[place]}" stroke-width="1.5"'
            out += [across.whisker(low, high, middle, stroke), _marker(across.position(value), middle, place)]
        y += room
    return svg("b", title, WIDTH, height, out)


def forest(
    title: str, shown: Sequence[ForestRow], none: tuple[float, str], *, log: bool = False, width: int = WIDTH
) -> str:
    """Draw one `<svg>`; `none` is the value of no difference with its label. `log`: values are factors.

    >>> "1.40" in forest("Drugs", [ForestRow("men", 1.4, 1.1, 1.8)], (1.0, "no difference"), log=True)
    True
    """
    ends = [end for one in shown for end in (one.value, one.low, one.high)]
    across = _Across(scale_for(Axis(log=log), [*ends, none[0]]), width)
    figures = [one.written or f"{one.value:.2f}".replace("-", "−") for one in shown]
    labels = [
        break_lines(one.label, width - 32 - text_width(figure)) or [""]
        for one, figure in zip(shown, figures, strict=True)
    ]
    height = _WORDS + sum(_LINE * len(label) + _BELOW for label in labels) + _BOTTOM
    same = across.position(none[0])
    out = [*across.tick_lines(_WORDS, height - _BOTTOM), across.text(same, _WORDS - 13, none[1])]
    y = float(_WORDS)
    for one, label, figure in zip(shown, labels, figures, strict=True):
        middle = y + _LINE * len(label) + 10
        out += [
            *_text_lines(label, y),
            across.value_at_end(y, figure),
            f'<path d="M{num(same)} {num(middle - 9)}v18" stroke="currentColor" {_DASHED}/>',
            across.whisker(one.low, one.high, middle, _INK),
            f'<circle cx="{num(across.position(one.value))}" cy="{num(middle)}" r="4.5" fill="{_GREEN}"/>',
        ]
        y += _LINE * len(label) + _BELOW
    return svg("f", title, width, height, out)


def _text_lines(lines: Sequence[str], y: float, weight: str = "") -> list[str]:
    return [
        f'<text x="8" y="{num(y + 15 + _LINE * index)}"{weight}>{escape(line)}</text>'
        for index, line in enumerate(lines)
    ]


def _marker(x: float, y: float, place: int) -> str:
    """A circle for the first part and a square for the others, so that parts differ in more than colour."""
    paint = f'fill="{PALETTE[place]}"'
    if place == 1:
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="4.5" {paint}/>'
    return f'<rect x="{num(x - 4)}" y="{num(y - 4)}" width="8" height="8" {paint}/>'
