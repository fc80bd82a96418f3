"""Histograms: the share of people in each of some ranges, as areas with their intervals; or of each step of a scale."""

import itertools
from collections.abc import Callable, Sequence
from html import escape

from privacy.draw.axis import Axis, scale_for
from privacy.draw.bars import Part
from privacy.draw.chart import PALETTE
from privacy.draw.labels import num, shorten, svg, text_width
from privacy.output import tenths

WIDTH, HEIGHT = 440, 230
_TOP, _BOTTOM, _SIDE = 12, 28, 12
_INK = 'stroke="currentColor" stroke-opacity=".6" stroke-width="1.25" fill="none"'
_SOFT = 'font-size="12" fill-opacity=".72"'


def histogram(
    title: str,
    edges: Sequence[float],
    shares: Sequence[Part],
    labels: Sequence[str],
    written: Callable[[float], str] | None = None,
) -> str:
    """Draw one `<svg>`; `edges` has one more than `shares`. A wider range is drawn lower, so that areas are the shares.

    `labels` name the ranges where a pointer rests on them, and `written` says how a value of the axis is written.

    >>> "<svg" in histogram("Age", [18, 30, 50], [(0.4, 0.35, 0.45), (0.6, 0.55, 0.65)], ["18–30", "30–50"])
    True
    """
    widths = [end - start for start, end in itertools.pairwise(edges)]
    heights = [[part / width for part in share] for share, width in zip(shares, widths, strict=True)]
    most = max(max(height) for height in heights) * 1.04
    least = min(0.0, *(min(height) for height in heights))
    across = scale_for(Axis(low=float(edges[0]), high=float(edges[-1])), map(float, edges))
    base = HEIGHT - _BOTTOM

    def x(value: float) -> float:
        return _SIDE + across.position(value) * (WIDTH - 2 * _SIDE)

    def y(value: float) -> float:
        return base - (value - least) / (most - least) * (base - _TOP)

    out: list[str] = []
    for index, (height, low, high) in enumerate(heights):
        left, right = x(edges[index]), x(edges[index + 1])
        top, bottom = sorted((y(0.0), y(height)))
        said = f"{labels[index]}: {tenths(100 * shares[index][0])} %"
        out += [
            f'<rect x="{num(left + 0.5)}" y="{num(top)}" width="{num(max(right - left - 1, 0.5))}"'
            f' height="{num(max(bottom - top, 0.5))}" fill="{PALETTE[0]}" fill-opacity=".55">'
            f"<title>{escape(said)}</title></rect>",
            f'<path d="M{num((left + right) / 2)} {num(y(low))}V{num(y(high))}" {_INK}/>',
        ]
    out.append(f'<path d="M{_SIDE} {num(y(0.0))}H{WIDTH - _SIDE}" {_INK}/>')
    end = -1.0
    ticks = across.ticks(7) if written is None else [(edge, written(edge)) for edge in edges]
    for value, text in ticks:
        half = text_width(text) / 2
        middle = min(max(x(value), half), WIDTH - half)
        if middle - half > end + 8:
            out.append(f'<text x="{num(middle)}" y="{HEIGHT - 8}" text-anchor="middle" {_SOFT}>{escape(text)}</text>')
            out.append(f'<path d="M{num(x(value))} {base}v4" {_INK}/>')
            end = middle + half
    return svg("h", title, WIDTH, HEIGHT, out)


_SCALE_TOP, _SCALE_SIDE = 22, 8
_MIDDLE = 'text-anchor="middle" font-size="12" fill-opacity=".72"'


def steps(title: str, labels: Sequence[str], shares: Sequence[float | None]) -> str:
    """Draw a grey bar with its share for each step, as what was not disguised; the highest fills the height.

    None has no bar but a dash.

    >>> drawn = steps("Satisfied?", ["0", "1", "2"], [0.2, 0.8, None])
    >>> drawn.count("<rect"), ">80<" in drawn, ">–<" in drawn
    (2, True, True)
    """
    most = max((share for share in shares if share is not None), default=0.0) or 1.0
    base, width = HEIGHT - _BOTTOM, (WIDTH - 2 * _SCALE_SIDE) / len(labels)
    out = []
    for index, (label, share) in enumerate(zip(labels, shares, strict=True)):
        middle = _SCALE_SIDE + (index + 0.5) * width
        top = base if share is None else base - share / most * (base - _SCALE_TOP)
        said = "–" if share is None else f"{100 * share:.0f}"
        if share is not None:
            out.append(
                f'<rect x="{num(middle - 0.4 * width)}" y="{num(top)}" width="{num(0.8 * width)}"'
                f' height="{num(max(base - top, 1))}" rx="2" fill="currentColor" fill-opacity=".35">'
                f"<title>{escape(label)}: {tenths(100 * share)} %</title></rect>"
            )
        out.append(f'<text x="{num(middle)}" y="{num(top - 5)}" {_MIDDLE}>{said}</text>')
        out.append(f'<text x="{num(middle)}" y="{HEIGHT - 9}" {_MIDDLE}>{escape(shorten(label, width))}</text>')
    out.append(
        f'<path d="M{_SCALE_SIDE} {base}H{WIDTH - _SCALE_SIDE}" stroke="currentColor" stroke-opacity=".6" fill="none"/>'
    )
    return svg("s", title, WIDTH, HEIGHT, out)
