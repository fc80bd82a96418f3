"""Maps: an outline or a plain grid, sensitive zones, shares of people in each cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from privacy.draw.chart import PALETTE
from privacy.draw.labels import NAME, num, svg

WIDTH, MOST_HEIGHT = 440, 440
_INK = 'fill="none" stroke="currentColor"'
_LEGEND = 30
_STEPS = 5  # of the legend
_HATCH = (
    f'<pattern id="{NAME}h" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M3 0V6" stroke="currentColor" stroke-opacity=".3"/></pattern>'
)
_HATCHED = f'fill="url(#{NAME}h)"'


@dataclass(frozen=True)
class Map:
    """All in units of the map; `lines` are x, y, x, y, …, `zones` left, bottom, width and height.

    `levels` are the ε of each zone, where they have different ones: the less, the darker the zone.
    """

    width: float
    height: float
    lines: Sequence[Sequence[float]] = ()
    zones: Sequence[Sequence[float]] = ()
    levels: Sequence[float] = ()


@dataclass(frozen=True)
class Heat:
    """Shares in rows from the bottom, over edges; `labels` name the cells where a pointer rests on them.

    A cell that is not reported has None: outside `zones` it is hatched, and `blank` says so in the legend. `zones` are
    reported as a whole: left, bottom, width and height of each, its share and its label.
    """

    x: Sequence[float]
    y: Sequence[float]
    shares: Sequence[Sequence[float | None]]
    labels: Sequence[Sequence[str]]
    zones: Sequence[tuple[Sequence[float], float, str]] = ()
    blank: str = "not shown"

    def is_blank(self, row: int, column: int) -> bool:
        """Whether nothing is reported of a cell, neither by itself nor with its zone."""
        x, y = self.x[column], self.y[row]
        inside = (
            left <= x < left + width and bottom <= y < bottom + height
            for (left, bottom, width, height), *_ in self.zones
        )
        return self.shares[row][column] is None and not any(inside)

    @property
    def has_blank(self) -> bool:
        return any(
            self.is_blank(row, column) for row, shares in enumerate(self.shares) for column in range(len(shares))
        )

    @property
    def most(self) -> float:
        shares = [share or 0.0 for row in self.shares for share in row]
        return max([*shares, *(share for _, share, _ in self.zones)], default=0.0)


def draw_map(title: str, map_: Map, heat: Heat | None = None) -> str:
    """Draw one `<svg>`. Where there is heat, a legend below says what the colours mean.

    >>> "<svg" in draw_map("Home", Map(1000, 800, zones=[[400, 300, 200, 200]]))
    True
    """
    scale = min(WIDTH / map_.width, MOST_HEIGHT / map_.height)
    wide, high = map_.width * scale, map_.height * scale
    wide, high = ceil(wide), ceil(high)  # files of figures set a picture among others by whole sides
    total = high + (_LEGEND if heat else 0)

    def rectangle(left: float, bottom: float, width: float, height: float, look: str, label: str = "") -> str:
        place = f'x="{num(left * scale, 2)}" y="{num(high - (bottom + height) * scale, 2)}"'
        size = f'width="{num(width * scale, 2)}" height="{num(height * scale, 2)}"'
        return f"<rect {place} {size} {look}>{f'<title>{escape(label)}</title>' if label else ''}</rect>"

    out: list[str] = []
    if heat:
        if heat.has_blank:
            out.append(_HATCH)

        def colour(share: float | None) -> str:
            part = max(share or 0.0, 0.0) / heat.most if heat.most > 0 else 0
            return f'fill="{PALETTE[0]}" fill-opacity="{num(part, 2)}"'

        for row, (bottom, top) in enumerate(zip(heat.y, heat.y[1:], strict=False)):
            for column, (left, right) in enumerate(zip(heat.x, heat.x[1:], strict=False)):
                look = _HATCHED if heat.is_blank(row, column) else colour(heat.shares[row][column])
                label = heat.labels[row][column]
                out.append(rectangle(left, bottom, right - left, top - bottom, look, label))
        for (left, bottom, width, height), share, label in heat.zones:
            out.append(rectangle(left, bottom, width, height, colour(share), label))
    out.append(rectangle(0, 0, map_.width, map_.height, f'{_INK} stroke-opacity=".6"'))
    for line in map_.lines:
        points = " ".join(
            f"{num(x * scale, 2)},{num(high - y * scale, 2)}" for x, y in zip(line[::2], line[1::2], strict=True)
        )
        out.append(f'<polyline points="{points}" {_INK} stroke-opacity=".55" stroke-linejoin="round"/>')
    steps = sorted(set(map_.levels), reverse=True)
    for place, (left, bottom, width, height) in enumerate(map_.zones):
        shade = num(0.06 + 0.24 * (steps.index(map_.levels[place]) + 1) / len(steps), 2) if steps else ".12"
        look = f'fill="{PALETTE[1]}" fill-opacity="{shade}" stroke="{PALETTE[1]}" stroke-width="1.5"'
        out.append(rectangle(left, bottom, width, height, f'{look} stroke-dasharray="6 3"'))
        if steps:
            at = f'x="{num(left * scale + 4, 2)}" y="{num(high - (bottom + height) * scale + 14, 2)}"'
            out.append(f'<text {at} font-size="12">ε = {map_.levels[place]:.3g}</text>')
    if heat:
        out += _draw_legend(high, heat)
    return svg("m", title, wide, total, out)


def _draw_legend(top: float, heat: Heat) -> list[str]:
    box, y = 26, top + 8
    drawn = [
        f'<rect x="{26 + index * box}" y="{num(y, 2)}" width="{box}" height="12" fill="{PALETTE[0]}"'
        f' fill-opacity="{num(index / (_STEPS - 1), 2)}" stroke="currentColor" stroke-opacity=".3"/>'
        for index in range(_STEPS)
    ]
    text = f'y="{num(y + 11, 2)}" font-size="12" fill-opacity=".72"'
    if heat.has_blank:
        drawn += [
            f'<rect x="250" y="{num(y, 2)}" width="{box}" height="12" {_HATCHED} stroke="currentColor"'
            ' stroke-opacity=".3"/>',
            f'<text x="{258 + box}" {text}>{escape(heat.blank)}</text>',
        ]
    return [
        f'<text x="0" {text}>0 %</text>',
        *drawn,
        f'<text x="{34 + _STEPS * box}" {text}>{100 * heat.most:.2g} %</text>',
    ]
