"""The steps of a scale, one upright bar beside the other, each with its share: grey, as what was not disguised."""

from collections.abc import Sequence
from html import escape

from privacy.draw.histogram import HEIGHT, WIDTH
from privacy.draw.labels import shorten
from privacy.draw.svg import num, svg
from privacy.output import tenths

_TOP, _BOTTOM, _SIDE = 22, 28, 8
_SOFT = 'text-anchor="middle" font-size="12" fill-opacity=".72"'


def steps(title: str, labels: Sequence[str], shares: Sequence[float | None]) -> str:
    """Draw one `<svg>`; the highest bar fills the height, and None has no bar but a dash.

    >>> drawn = steps("Satisfied?", ["0", "1", "2"], [0.2, 0.8, None])
    >>> drawn.count("<rect"), ">80<" in drawn, ">–<" in drawn
    (2, True, True)
    """
    most = max((share for share in shares if share is not None), default=0.0) or 1.0
    base, width = HEIGHT - _BOTTOM, (WIDTH - 2 * _SIDE) / len(labels)
    out = []
    for place, (label, share) in enumerate(zip(labels, shares, strict=True)):
        middle = _SIDE + (place + 0.5) * width
        top = base if share is None else base - share / most * (base - _TOP)
        said = "–" if share is None else f"{100 * share:.0f}"
        if share is not None:
            out.append(
                f'<rect x="{num(middle - 0.4 * width)}" y="{num(top)}" width="{num(0.8 * width)}"'
                f' height="{num(max(base - top, 1))}" rx="2" fill="currentColor" fill-opacity=".35">'
                f"<title>{escape(label)}: {tenths(100 * share)} %</title></rect>"
            )
        out.append(f'<text x="{num(middle)}" y="{num(top - 5)}" {_SOFT}>{said}</text>')
        out.append(f'<text x="{num(middle)}" y="{HEIGHT - 9}" {_SOFT}>{escape(shorten(label, width))}</text>')
    out.append(f'<path d="M{_SIDE} {base}H{WIDTH - _SIDE}" stroke="currentColor" stroke-opacity=".6" fill="none"/>')
    return svg("s", title, WIDTH, HEIGHT, out)
