"""The items of the strongest rules as a graph: an arrow leads from every condition to every conclusion."""

from __future__ import annotations

import math
from html import escape

from django.utils.translation import gettext as _

from mining.engines.found import Found

Arrows = dict[tuple[str, str], float]
_SIZE, _MARGIN, _RADIUS = 640, 120, 7


def best_confidences(found: Found, places: list[int]) -> Arrows:
    """From every condition to every conclusion of these rules the best confidence of any of them."""
    arrows: Arrows = {}
    for place in places:
        antecedent, consequent = found.sides(place)
        confidence = float(found.rules["confidence"][place])
        for start in antecedent:
            for end in consequent:
                arrows[start, end] = max(arrows.get((start, end), 0.0), confidence)
    return arrows


def item_graph(arrows: Arrows) -> str:
    """Items around a circle; the wider an arrow, the higher its confidence."""
    names = sorted({name for arrow in arrows for name in arrow})
    middle, radius = _SIZE / 2, _SIZE / 2 - _MARGIN
    at = {
        name: (
            middle + radius * math.cos(2 * math.pi * place / len(names) - math.pi / 2),
            middle + radius * math.sin(2 * math.pi * place / len(names) - math.pi / 2),
        )
        for place, name in enumerate(names)
    }
    title, described = _("Items of the strongest rules"), _("An arrow leads from a condition to a conclusion.")
    parts = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" width="100%" role="img"'
        f' aria-labelledby="graph-t graph-d" font-size="13" fill="currentColor">',
        f'<title id="graph-t">{escape(title)}</title><desc id="graph-d">{escape(described)}</desc>',
        '<marker id="graph-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9"'
        ' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#2f7fd6"/></marker>',
        f'<text x="0" y="16" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    for (start, end), confidence in arrows.items():
        parts.append(_arrow(at[start], at[end], confidence, f"{start} ⇒ {end}"))
    for name, (x, y) in at.items():
        anchor = "middle" if abs(x - middle) < 1 else "start" if x > middle else "end"
        away = 0 if anchor == "middle" else 12 if anchor == "start" else -12
        lift = (-14 if y < middle else 24) if anchor == "middle" else 4
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="#0f8f83"/>')
        parts.append(f'<text x="{x + away:.1f}" y="{y + lift:.1f}" text-anchor="{anchor}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def _arrow(start: tuple[float, float], end: tuple[float, float], confidence: float, label: str) -> str:
    """A curve that bends to the right, so that the two directions between two items stay apart."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down)
    bend = ((start[0] + end[0]) / 2 - 0.12 * down, (start[1] + end[1]) / 2 + 0.12 * across)
    tip = (end[0] - across / length * (_RADIUS + 2), end[1] - down / length * (_RADIUS + 2))
    width = 0.75 + 2.5 * min(max(confidence, 0.0), 1.0)
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {tip[0]:.1f} {tip[1]:.1f}" fill="none"'
        f' stroke="#2f7fd6" stroke-opacity=".7" stroke-width="{width:.2f}" marker-end="url(#graph-tip)">'
        f"<title>{escape(label)}</title></path>"
    )
