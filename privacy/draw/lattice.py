"""The lattice of generalisations: of each height how many nodes hold, which are minimal, and which was taken.

Each height is a bar: how many of its nodes hold, how many of those are minimal, and where the one that was taken
stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from privacy.arrays import Bools
from privacy.draw.chart import PALETTE
from privacy.draw.labels import num, svg, text_width

Node = tuple[int, ...]
WIDTH = 560
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
    that a search looked at; a line shows their heights, from left to right.

    >>> picture = lattice("Two attributes", np.array([[False, True], [True, True]]), [(0, 1), (1, 0)], (0, 1))
    >>> "1/1" in picture, "2/2" in picture
    (True, True)
    """
    words = words or LatticeWords()
    kinds = holding.astype(np.int64)  # of each node: 0 fails, 1 holds, 2 is minimal, 3 is taken
    for node in minimal:
        kinds[node] = 2
    kinds[chosen] = 3
    by_height = 4 * np.indices(kinds.shape).sum(axis=0) + kinds
    heights = np.bincount(by_height.ravel(), minlength=4 * (sum(kinds.shape) - kinds.ndim + 1)).reshape(-1, 4).tolist()
    out, top = _draw_legend(words, bool(path))
    apart, thick = 22, 14
    widest, room = max(map(sum, heights)), WIDTH - _LEFT - 60
    bottom = top + apart * (len(heights) - 1) + 12
    for height, counts in enumerate(heights):
        y, nodes = bottom - apart * height, sum(counts)
        x = _LEFT + (room - room * nodes / widest) / 2
        out.append(f'<text x="{_LEFT - 12}" y="{num(y + 4)}" text-anchor="end" {_SOFT}>{height}</text>')
        for count, paint in zip(
            counts, (_GREY, f'fill="{PALETTE[0]}" fill-opacity=".4"', f'fill="{PALETTE[0]}"'), strict=False
        ):
            width = room * count / widest
            if count:
                width = max(width, 2.0)
                out.append(
                    f'<rect x="{num(x)}" y="{num(y - thick / 2)}" width="{num(width)}" height="{thick}" {paint}>'
                    f"<title>{count}</title></rect>"
                )
            x += width
        if counts[3]:
            out.append(_draw_node(x + 6, y, 3, ", ".join(map(str, chosen))))
        held = f"{nodes - counts[0]}/{nodes}"
        out.append(f'<text x="{WIDTH - 4}" y="{y + 4}" text-anchor="end" font-size="12" {_SOFT}>{held}</text>')
    if path:
        step = room / max(len(path) - 1, 1)
        places = [(_LEFT + index * step, bottom - apart * sum(node)) for index, node in enumerate(path)]
        out.append(_draw_path(places, str(len(path))))
    return svg("l", title, WIDTH, bottom + 16, out, size='width="100%"')


def _draw_legend(words: LatticeWords, path: bool) -> tuple[list[str], int]:
    out, x, y = [], 6.0, 10
    for kind, word in enumerate((words.fails, words.holds, words.minimal, words.chosen)):
        if x + 24 + text_width(word) > WIDTH:
            x, y = 6.0, y + 20
        out.append(_draw_node(x + 4, y, kind))
        out.append(f'<text x="{num(x + 14)}" y="{y + 4}" {_SOFT}>{escape(word)}</text>')
        x += 34 + text_width(word)
    if path:
        y += 20
        out.append(_draw_path([(6, y), (18, y)], words.path))
        out.append(f'<text x="24" y="{y + 4}" {_SOFT}>{escape(words.path)}</text>')
    out.append(f'<text x="0" y="{y + 30}" font-size="12" {_SOFT}>{escape(words.height)}</text>')
    return out, y + 40


def _draw_node(x: float, y: float, kind: int, name: str = "") -> str:
    """A node; the minimal ones are darker, and the one that was taken has a ring: colour is not all that tells."""
    title = f"<title>{escape(name)}</title>" if name else ""
    place = f'cx="{num(x)}" cy="{num(y)}"'
    if kind == 0:
        return f'<circle {place} r="4" {_GREY}>{title}</circle>'
    opacity = ' fill-opacity=".4"' if kind == 1 else ""
    ring = ' stroke="currentColor" stroke-width="2.5"' if kind == 3 else ""
    colour = PALETTE[1] if kind == 3 else PALETTE[0]
    return f'<circle {place} r="5" fill="{colour}"{opacity}{ring}>{title}</circle>'


def _draw_path(places: Sequence[tuple[float, float]], name: str) -> str:
    points = " ".join(f"{num(x)},{num(y)}" for x, y in places)
    paint = f'fill="none" stroke="{PALETTE[2]}" stroke-width="2" stroke-dasharray="5 3" stroke-linejoin="round"'
    return f'<polyline points="{points}" {paint}><title>{escape(name)}</title></polyline>'
