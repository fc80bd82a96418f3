"""Estimates with their intervals, one under the other, against a value that says that nothing differs.

The name of an estimate stands above it and its figure at the end of the same line, so that the picture fits a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from privacy.draw.axis import Axis, scale_for
from privacy.draw.chart import PALETTE
from privacy.draw.labels import text_width, wrapped
from privacy.draw.svg import named, svg

WIDTH = 440
_LINE, _BELOW, _TOP, _BOTTOM = 17, 26, 30, 28
_INK = 'stroke="currentColor" stroke-opacity=".75" stroke-width="1.5" fill="none"'
_DASHED = 'stroke-opacity=".6" stroke-dasharray="3 4"'
_SOFT = 'fill-opacity=".72"'


@dataclass(frozen=True)
class ForestRow:
    """A figure with the ends of its interval; `written` is how it stands beside its label."""

    label: str
    value: float
    low: float
    high: float
    written: str = ""


def forest(
    title: str, shown: Sequence[ForestRow], none: tuple[float, str], *, log: bool = False, width: int = WIDTH
) -> str:
    """Draw one `<svg>`; `none` is the value that says that nothing differs, and its words. `log`: they are factors.

    >>> "1.40" in forest("Drugs", [ForestRow("men", 1.4, 1.1, 1.8)], (1.0, "no difference"), log=True)
    True
    """
    ends = [end for one in shown for end in (one.value, one.low, one.high)]
    scale = scale_for(Axis(log=log), [*ends, none[0]])
    figures = [one.written or f"{one.value:.2f}".replace("-", "−") for one in shown]
    lines = [
        wrapped(one.label, width - 32 - text_width(figure)) or [""] for one, figure in zip(shown, figures, strict=True)
    ]
    heights = [_LINE * len(label) + _BELOW for label in lines]
    height = _TOP + sum(heights) + _BOTTOM

    def at(value: float) -> float:
        return 8 + scale.at(value) * (width - 16)

    out: list[str] = []
    bottom = height - _BOTTOM
    for value, text in scale.ticks(5):
        out.append(f'<path d="M{at(value):.1f} {_TOP}V{bottom}" stroke="currentColor" stroke-opacity=".12"/>')
        out.append(_small_text(at(value), bottom + 17, text, width))
    same = at(none[0])
    out.append(_small_text(same, _TOP - 13, none[1], width))
    y = float(_TOP)
    for one, label, figure, room in zip(shown, lines, figures, heights, strict=True):
        for place, line in enumerate(label, 1):
            out.append(f'<text x="8" y="{y + _LINE * place - 2:.1f}">{escape(line)}</text>')
        out.append(f'<text x="{width - 8}" y="{y + _LINE - 2:.1f}" text-anchor="end" font-weight="600">{figure}</text>')
        middle = y + _LINE * len(label) + 10
        left, right = at(one.low), at(one.high)
        out.append(f'<path d="M{same:.1f} {middle - 9:.1f}v18" stroke="currentColor" {_DASHED}/>')
        out += [
            f'<path d="M{left:.1f} {middle:.1f}H{right:.1f}" {_INK}/>',
            f'<path d="M{left:.1f} {middle - 4:.1f}v8M{right:.1f} {middle - 4:.1f}v8" {_INK}/>',
            f'<circle cx="{at(one.value):.1f}" cy="{middle:.1f}" r="4.5" fill="{PALETTE[0]}"/>',
        ]
        y += room
    return svg(named("f", title, shown, none), title, width, height, out)


def _small_text(x: float, y: float, text: str, width: int) -> str:
    """A small text centred at x, or beside it where the drawing ends."""
    half = text_width(text) / 2
    anchor, place = ("start", 8.0) if x < half + 8 else ("end", width - 8.0) if x > width - half - 8 else ("middle", x)
    return f'<text x="{place:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" {_SOFT}>{escape(text)}</text>'
