"""Horizontal bars with their intervals: how common each of some answers is.

The name of a bar stands above it and its figure at the end of the same line, so that the picture fits a phone. All bars
of all pictures are on one axis, from 0 to 100 %, so that shares of different questions can be compared. Raw estimates
may lie outside: the figure says so, and a line that goes on beyond the axis has no end there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from privacy.draw.axis import Axis, Scale
from privacy.draw.chart import PALETTE
from privacy.draw.labels import shortened, text_width, wrapped
from privacy.draw.svg import named, svg

WIDTH = 440
_ROW, _APART = 44, 16  # the height of a bar with a name of one line, and of each of its parts
_LINE, _ABOVE = 17, 8  # the height of one more line, and the room above a heading
_TOP, _BOTTOM = 6, 26
_SCALE = Scale(Axis(percent=True), 0.0, 1.0)
_INK = 'stroke="currentColor" stroke-opacity=".75" stroke-width="1.5"'
_SOFT = 'fill-opacity=".72"'

Part = tuple[float, float, float]
"""A share, and the ends of its interval."""


@dataclass(frozen=True)
class Bar:
    """A share with its interval; `parts` are shares of groups, drawn as points below the bar.

    A `heading` stands above the first bar of those that belong together.
    """

    label: str
    value: float
    low: float
    high: float
    parts: Sequence[Part] = ()
    heading: str = ""


def bars(title: str, shown: Sequence[Bar], parts: Sequence[str] = (), *, width: int = WIDTH) -> str:
    """Draw one `<svg>` of the bars; `parts` names the points below them.

    >>> "35.0 %" in bars("Cheated", [Bar("Yes", 0.35, 0.31, 0.39)])
    True
    """
    legend = 22 if parts else 0
    headings = [_broken(bar.heading, width - 16) for bar in shown]
    figures = [f"{100 * bar.value:.1f} %".replace("-", "−") for bar in shown]
    labels = [_broken(bar.label, width - 40 - text_width(own)) for bar, own in zip(shown, figures, strict=True)]
    above = [_ABOVE + _LINE * len(lines) if lines else 0 for lines in headings]
    heights = [
        _ROW + _LINE * (len(lines) - 1) + _APART * len(bar.parts) for bar, lines in zip(shown, labels, strict=True)
    ]
    height = _TOP + legend + sum(above) + sum(heights) + _BOTTOM

    def at(value: float) -> float:
        return 8 + _SCALE.at(min(max(value, 0.0), 1.0)) * (width - 16)

    def whisker(low: float, high: float, y: float, stroke: str) -> str:
        ends = "".join(f"M{at(end):.1f} {y - 4:.1f}v8" for end in (low, high) if 0 <= end <= 1)
        return f'<path d="M{at(low):.1f} {y:.1f}H{at(high):.1f}{ends}" {stroke} fill="none"/>'

    out: list[str] = []
    x = 8.0
    for place, name in enumerate(parts, 1):
        out.append(_marker(x, _TOP + 8, place))
        out.append(f'<text x="{x + 10:.1f}" y="{_TOP + 12}" font-size="12" {_SOFT}>{escape(name)}</text>')
        x += 30 + text_width(name)
    top, bottom = _TOP + legend, height - _BOTTOM
    for value, text in _SCALE.ticks(5):
        line = f'd="M{at(value):.1f} {top}V{bottom}" stroke="currentColor"'
        out.append(f'<path {line} stroke-opacity=".12"/>')
        anchor = "end" if at(value) > width - 20 else "start" if at(value) < 20 else "middle"
        out.append(
            f'<text x="{at(value):.1f}" y="{bottom + 16}" text-anchor="{anchor}" font-size="12" {_SOFT}>{text}</text>'
        )
    y = float(top)
    for bar, heading, label, figure, over, room in zip(shown, headings, labels, figures, above, heights, strict=True):
        out += _lines(heading, y + _ABOVE, ' font-weight="600"')
        y += over
        middle = y + 29 + _LINE * (len(label) - 1)
        out += [
            *_lines(label, y),
            f'<text x="{width - 8}" y="{y + 15:.1f}" text-anchor="end" font-weight="600">{figure}</text>',
            f'<rect x="{at(0):.1f}" y="{middle - 7:.1f}" width="{max(at(bar.value) - at(0), 1):.1f}" height="14" rx="2"'
            f' fill="{PALETTE[0]}" fill-opacity=".55"/>',
            whisker(bar.low, bar.high, middle, _INK),
        ]
        for place, (value, low, high) in enumerate(bar.parts, 1):
            middle += _APART
            stroke = f'stroke="{PALETTE[place]}" stroke-width="1.5"'
            out += [whisker(low, high, middle, stroke), _marker(at(value), middle, place)]
        y += room
    return svg(named("b", title, shown, parts), title, width, height, out)


def _broken(text: str, most: float) -> list[str]:
    return [shortened(line, most) for line in wrapped(text, most)]


def _lines(lines: Sequence[str], y: float, weight: str = "") -> list[str]:
    return [
        f'<text x="8" y="{y + 15 + _LINE * place:.1f}"{weight}>{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]


def _marker(x: float, y: float, place: int) -> str:
    """A circle for the first part and a square for the others, so that colour is not all that tells them apart."""
    paint = f'fill="{PALETTE[place]}"'
    if place == 1:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {paint}/>'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {paint}/>'
