"""The items of rules as a graph: an arrow leads from every condition to every conclusion."""

import math
from html import escape

from django.utils.translation import gettext as _

from mining.engines.columns import Columns
from privacy.draw.axis import Axis
from privacy.draw.labels import SIZE, num, text_width

Arrows = dict[tuple[str, str], float]
_RADIUS, _GAP, _TOP = 6, 12, 74
_WIDEST = 150  # of a name: wider ones would leave the items no room
_LEAST_DOWN = 130
_LINE = 16
_BLUE = "#2f7fd6"


def best_confidences(strongest: Columns, count: int) -> Arrows:
    """The best confidence from every condition to every conclusion, of the first `count` rules."""
    arrows: Arrows = {}
    for index, confidence in enumerate(strongest.rules["confidence"][:count].tolist()):
        antecedent, consequent = strongest.sides(index)
        for start in antecedent:
            for end in consequent:
                arrows[start, end] = max(arrows.get((start, end), 0.0), confidence)
    return arrows


def item_graph(title: str, arrows: Arrows, width: int) -> str:
    """Items around an ellipse; the wider and darker an arrow, the higher its confidence. The key says how high."""
    names = sorted({name for arrow in arrows for name in arrow})
    axis = Axis(names=tuple(names), widest=min(_WIDEST, 0.27 * width), lines=3)
    shown = {name: written.split("\n") for name, written in zip(names, axis.name_lines, strict=True)}
    most = max(text_width(line) for lines in shown.values() for line in lines)
    across = width / 2 - most - _RADIUS - _GAP
    down = min(max(across, _LEAST_DOWN), 60 + 12 * len(names))
    middle, centre = width / 2, _TOP + down
    at = {name: _on_ellipse(index / len(names), middle, centre, across, down) for index, name in enumerate(names)}
    height = round(max(y for _, y in at.values())) + 40
    id_ = f"graph-{width}"  # a page holds it in two sizes
    described = _("An arrow leads from a condition to a conclusion.")
    low, high = min(arrows.values()), max(arrows.values())
    parts = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="{id_}-t {id_}-d" font-size="{SIZE}" fill="currentColor">',
        f'<title id="{id_}-t">{escape(title)}</title><desc id="{id_}-d">{escape(described)}</desc>',
        f'<marker id="{id_}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10"'
        f' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{_BLUE}"/></marker>',
        *_key(low, high),
    ]
    for (start, end), confidence in sorted(arrows.items(), key=lambda one: one[1]):
        share = (confidence - low) / (high - low) if high > low else 1.0
        parts.append(_arrow(at[start], at[end], share, f"{start} ⇒ {end}: {100 * confidence:.1f} %", id_))
    for name, (x, y) in at.items():
        anchor = "middle" if abs(x - middle) < 1 else "start" if x > middle else "end"
        away = 0 if anchor == "middle" else _GAP if anchor == "start" else -_GAP
        more = _LINE * (len(shown[name]) - 1)
        lift = (-14 - more if y < centre else 24) if anchor == "middle" else 4 - more / 2
        whole = f"<title>{escape(name)}</title>"
        parts.append(f'<circle cx="{num(x)}" cy="{num(y)}" r="{_RADIUS}" fill="#0f8f83">{whole}</circle>')
        for line, part in enumerate(shown[name]):
            at_name = f'x="{num(x + away)}" y="{num(y + lift + _LINE * line)}" text-anchor="{anchor}"'
            parts.append(f'<text class="note" {at_name}>{escape(part)}</text>')
    return "\n".join([*parts, "</svg>"])


def _on_ellipse(turn: float, middle: float, centre: float, across: float, down: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn - math.pi / 2
    return middle + across * math.cos(angle), centre + down * math.sin(angle)


def _key(low: float, high: float) -> list[str]:
    """Legend entries for the lowest and the highest confidence; one entry if they are the same."""
    label = _("confidence")
    parts, x = [f'<text x="0" y="16" fill-opacity=".72">{escape(label)}</text>'], text_width(label) + 12
    for confidence, share in [(low, 0.0), (high, 1.0)] if high > low else [(high, 1.0)]:
        text = f"{100 * confidence:.0f} %"
        parts.append(f'<path d="M{num(x)} 12h32" {_stroke(share)}/>')
        parts.append(f'<text x="{num(x + 40)}" y="16" fill-opacity=".72">{text}</text>')
        x += 40 + text_width(text) + 16
    return parts


def _stroke(share: float) -> str:
    """Return the stroke of an arrow; `share` is 0 for the lowest confidence and 1 for the highest."""
    return f'stroke="{_BLUE}" stroke-opacity="{num(0.55 + 0.4 * share, 2)}" stroke-width="{num(1 + 4 * share, 2)}"'


def _arrow(start: tuple[float, float], end: tuple[float, float], share: float, label: str, id_: str) -> str:
    """A curve that bends to the right, so that the two directions between two items stay apart."""
    across, down = end[0] - start[0], end[1] - start[1]
    bend = ((start[0] + end[0]) / 2 - 0.12 * down, (start[1] + end[1]) / 2 + 0.12 * across)
    away = (end[0] - bend[0], end[1] - bend[1])
    length = math.hypot(*away)
    tip = (end[0] - away[0] / length * (_RADIUS + 2), end[1] - away[1] / length * (_RADIUS + 2))
    (x, y), (over, up) = start, tip
    return (
        f'<path d="M{num(x)} {num(y)}Q{num(bend[0])} {num(bend[1])} {num(over)} {num(up)}" fill="none"'
        f' {_stroke(share)} marker-end="url(#{id_}-tip)"><title>{escape(label)}</title></path>'
    )
