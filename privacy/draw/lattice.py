"""The lattice of generalisations: its nodes by height, which of them hold, which are minimal, and which was taken.

A lattice of few nodes is drawn node by node, with the steps between them. Of a large one each height is a bar: how many
of its nodes hold, how many of those are minimal, and where the one that was taken stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import product

from privacy.arrays import Bools
from privacy.draw.chart import PALETTE
from privacy.draw.labels import num, svg, text_width

Node = tuple[int, ...]
WIDTH = 560
MOST_DOTS = 120
_SOFT = 'fill-opacity=".72"'
_GREY = 'fill="currentColor" fill-opacity=".16"'
_LEFT = 34


@dataclass(frozen=True)
class LatticeWords:
    """What the drawing says, in the reader's language."""

    fails: str = "does not hold"
    holds: str = "holds"
    minimal: str = "minimal"
    chosen: str = "taken"
    height: str = "levels in all"
    path: str = "the path of the search"


def lattice(
    title: str,
    holding: Bools,
    minimal: Sequence[Node],
    chosen: Node,
    words: LatticeWords | None = None,
    path: Sequence[Node] = (),
) -> str:
    """Draw one `<svg>` of a lattice.

    `title`: for who does not see it. `holding`: which nodes hold, with an axis for each attribute. `path`: the nodes
    that a search looked at; a line leads from each to the next. Of a large lattice it shows their heights, from left to
    right.

    >>> import numpy as np
    >>> picture = lattice("Two attributes", np.array([[False, True], [True, True]]), [(0, 1), (1, 0)], (0, 1))
    >>> picture.count("<circle")
    8
    """
    words = words or LatticeWords()
    kinds = _kinds_by_height(holding, minimal, chosen)
    draw = _draw_nodes if holding.size <= MOST_DOTS else _draw_heights
    legend, top = _draw_legend(words, bool(path))
    drawn, height = draw(kinds, top, path)
    return svg("l", title, WIDTH, height, [*legend, *drawn], size='width="100%"')


def _kinds_by_height(holding: Bools, minimal: Sequence[Node], chosen: Node) -> list[list[tuple[Node, int]]]:
    """The nodes of each height with their kind: 0 fails, 1 holds, 2 is minimal, 3 is taken."""
    least = set(minimal)
    rows: list[list[tuple[Node, int]]] = [[] for _ in range(sum(length - 1 for length in holding.shape) + 1)]
    for node in product(*map(range, holding.shape)):
        kind = 3 if node == chosen else 2 if node in least else int(holding[node])
        rows[sum(node)].append((node, kind))
    return rows


def _draw_legend(words: LatticeWords, path: bool) -> tuple[list[str], int]:
    out, x, y = [], 6.0, 10
    for kind, word in enumerate((words.fails, words.holds, words.minimal, words.chosen)):
        if x + 24 + text_width(word) > WIDTH:
            x, y = 6.0, y + 20
        out.append(_draw_node(x + 4, y, kind, 5, ""))
        out.append(f'<text x="{num(x + 14)}" y="{y + 4}" {_SOFT}>{escape(word)}</text>')
        x += 34 + text_width(word)
    if path:
        y += 20
        out.append(_draw_path([(6, y), (18, y)], words.path))
        out.append(f'<text x="24" y="{y + 4}" {_SOFT}>{escape(words.path)}</text>')
    out.append(f'<text x="0" y="{y + 30}" font-size="12" {_SOFT}>{escape(words.height)}</text>')
    return out, y + 40


def _draw_node(x: float, y: float, kind: int, radius: float, name: str) -> str:
    """A node; the minimal ones are darker, and the one that was taken has a ring: colour is not all that tells."""
    title = f"<title>{escape(name)}</title>" if name else ""
    place = f'cx="{num(x)}" cy="{num(y)}"'
    if kind == 0:
        return f'<circle {place} r="{num(radius * 0.8)}" {_GREY}>{title}</circle>'
    opacity = ' fill-opacity=".4"' if kind == 1 else ""
    ring = ' stroke="currentColor" stroke-width="2.5"' if kind == 3 else ""
    colour = PALETTE[1] if kind == 3 else PALETTE[0]
    return f'<circle {place} r="{num(radius)}" fill="{colour}"{opacity}{ring}>{title}</circle>'


def _draw_path(places: Sequence[tuple[float, float]], name: str) -> str:
    points = " ".join(f"{num(x)},{num(y)}" for x, y in places)
    paint = f'fill="none" stroke="{PALETTE[2]}" stroke-width="2" stroke-dasharray="5 3" stroke-linejoin="round"'
    return f'<polyline points="{points}" {paint}><title>{escape(name)}</title></polyline>'


def _draw_nodes(rows: list[list[tuple[Node, int]]], top: int, path: Sequence[Node]) -> tuple[list[str], int]:
    apart = 44
    bottom = top + apart * (len(rows) - 1) + 12
    places: dict[Node, tuple[float, float]] = {}
    for height, row in enumerate(rows):
        step = min((WIDTH - _LEFT - 20) / len(row), 60)
        middle = _LEFT + (WIDTH - _LEFT) / 2
        for index, (node, _) in enumerate(row):
            places[node] = (middle + (index - (len(row) - 1) / 2) * step, bottom - apart * height)
    out = [_height_label(height, bottom - apart * height) for height in range(len(rows))]
    for node, (x, y) in places.items():
        for axis in range(len(node)):
            above = (*node[:axis], node[axis] + 1, *node[axis + 1 :])
            if above in places:
                up, over = places[above]
                out.append(
                    f'<path d="M{num(x)} {num(y)}L{num(up)} {num(over)}" stroke="currentColor" stroke-opacity=".14"/>'
                )
    if path:
        out.append(_draw_path([places[node] for node in path], " → ".join(", ".join(map(str, node)) for node in path)))
    for row in rows:
        out += [_draw_node(*places[node], kind, 7, ", ".join(map(str, node))) for node, kind in row]
    return out, bottom + 16


def _draw_heights(rows: list[list[tuple[Node, int]]], top: int, path: Sequence[Node]) -> tuple[list[str], int]:
    apart, thick = 22, 14
    widest = max(map(len, rows))
    room = WIDTH - _LEFT - 60
    bottom = top + apart * (len(rows) - 1) + 12
    out = []
    for height, row in enumerate(rows):
        y = bottom - apart * height
        counts = [sum(kind == one for _, kind in row) for one in range(4)]
        x = _LEFT + (room - room * len(row) / widest) / 2
        out.append(_height_label(height, y))
        for kind, paint in enumerate((_GREY, f'fill="{PALETTE[0]}" fill-opacity=".4"', f'fill="{PALETTE[0]}"')):
            width = room * counts[kind] / widest
            if counts[kind]:
                width = max(width, 2.0)
                out.append(
                    f'<rect x="{num(x)}" y="{num(y - thick / 2)}" width="{num(width)}" height="{thick}" {paint}>'
                    f"<title>{counts[kind]}</title></rect>"
                )
            x += width
        if counts[3]:
            taken = next(node for node, kind in row if kind == 3)
            out.append(_draw_node(x + 6, y, 3, 5, ", ".join(map(str, taken))))
        held = f"{len(row) - counts[0]}/{len(row)}"
        out.append(f'<text x="{WIDTH - 4}" y="{y + 4}" text-anchor="end" font-size="12" {_SOFT}>{held}</text>')
    if path:
        step = room / max(len(path) - 1, 1)
        places = [(_LEFT + index * step, bottom - apart * sum(node)) for index, node in enumerate(path)]
        out.append(_draw_path(places, str(len(path))))
    return out, bottom + 16


def _height_label(height: int, y: float) -> str:
    return f'<text x="{_LEFT - 12}" y="{num(y + 4)}" text-anchor="end" {_SOFT}>{height}</text>'
