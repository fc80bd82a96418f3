"""Horizontal bars with their intervals: how common each of some answers is.

The name of a bar stands above it and its figure at the end of the same line, so that the picture fits a phone. A bar
begins at 0 and may end below it, as raw estimates do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from privacy.draw.axis import Axis, scale_for
from privacy.draw.chart import PALETTE
from privacy.draw.labels import SIZE, shortened, text_width

__all__ = ["Bar", "bars"]

WIDTH = 440
_ROW, _APART = 44, 16  # the height of a bar with its name, and of each of its parts
_TOP, _BOTTOM = 6, 26
_INK = 'stroke="currentColor" stroke-opacity=".75" stroke-width="1.5"'
_SOFT = 'fill-opacity=".72"'

Part = tuple[float, float, float]
"""A share, and the ends of its interval."""


@dataclass(frozen=True)
class Bar:
    """A share with its interval; `parts` are shares of groups, drawn as points below the bar."""

    label: str
    value: float
    low: float
    high: float
    parts: Sequence[Part] = ()


def bars(title: str, shown: Sequence[Bar], parts: Sequence[str] = (), *, width: int = WIDTH) -> str:
    """Draw one `<svg>` of the bars; `parts` names the points below them.

    Parameters
    ----------
    title : str
        For who does not see it.
    shown : sequence of Bar
        The shares, from top to bottom.
    parts : sequence of str
        The names of the groups whose shares stand below each bar.
    width : int
        Of the drawing.

    Returns
    -------
    str

    Examples
    --------
    >>> "35.0 %" in bars("Cheated", [Bar("Yes", 0.35, 0.31, 0.39)])
    True
    """
    ends = [end for bar in shown for part in ((bar.value, bar.low, bar.high), *bar.parts) for end in part]
    scale = scale_for(Axis(percent=True, low=min(0.0, *ends), high=max(*ends, 0.05) * 1.04), ends)
    legend = 22 if parts else 0
    heights = [_ROW + _APART * len(bar.parts) for bar in shown]
    height = _TOP + legend + sum(heights) + _BOTTOM
    id_ = f"b{hashlib.sha256(repr((title, shown, parts)).encode()).hexdigest()[:8]}"

    def at(value: float) -> float:
        return 8 + scale.at(value) * (width - 16)

    out = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="{id_}" font-size="{SIZE}" fill="currentColor">',
        f'<title id="{id_}">{escape(title)}</title>',
    ]
    x = 8.0
    for place, name in enumerate(parts, 1):
        out.append(_marker(x, _TOP + 8, place))
        out.append(f'<text x="{x + 10:.1f}" y="{_TOP + 12}" font-size="12" {_SOFT}>{escape(name)}</text>')
        x += 30 + text_width(name)
    top, bottom = _TOP + legend, height - _BOTTOM
    for value, text in scale.ticks(5):
        line = f'd="M{at(value):.1f} {top}V{bottom}" stroke="currentColor"'
        out.append(f'<path {line} stroke-opacity=".12"/>')
        anchor = "end" if at(value) > width - 20 else "start" if at(value) < 20 else "middle"
        out.append(
            f'<text x="{at(value):.1f}" y="{bottom + 16}" text-anchor="{anchor}" font-size="12" {_SOFT}>{text}</text>'
        )
    y = float(top)
    for bar, room in zip(shown, heights, strict=True):
        figure = f"{100 * bar.value:.1f} %".replace("-", "−")
        label = shortened(bar.label, width - 40 - text_width(figure))
        whole = f"<title>{escape(bar.label)}</title>"
        left, right = sorted((at(0.0), at(bar.value)))
        middle = y + 29
        out += [
            f'<text x="8" y="{y + 15:.1f}">{escape(label)}{whole}</text>',
            f'<text x="{width - 8}" y="{y + 15:.1f}" text-anchor="end" font-weight="600">{figure}</text>',
            f'<rect x="{left:.1f}" y="{middle - 7:.1f}" width="{max(right - left, 1):.1f}" height="14" rx="2"'
            f' fill="{PALETTE[0]}" fill-opacity=".55"/>',
            _whisker(at(bar.low), at(bar.high), middle, _INK),
        ]
        for place, (value, low, high) in enumerate(bar.parts, 1):
            middle += _APART
            stroke = f'stroke="{PALETTE[place]}" stroke-width="1.5"'
            out += [_whisker(at(low), at(high), middle, stroke), _marker(at(value), middle, place)]
        y += room
    return "\n".join([*out, "</svg>"])


def _whisker(left: float, right: float, y: float, stroke: str) -> str:
    return (
        f'<path d="M{left:.1f} {y:.1f}H{right:.1f}M{left:.1f} {y - 4:.1f}v8M{right:.1f} {y - 4:.1f}v8"'
        f' {stroke} fill="none"/>'
    )


def _marker(x: float, y: float, place: int) -> str:
    """A circle for the first part and a square for the others, so that colour is not all that tells them apart."""
    paint = f'fill="{PALETTE[place]}"'
    if place == 1:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {paint}/>'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {paint}/>'
