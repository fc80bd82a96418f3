"""The steps of a draw as pictures, black on white: what is drawn, what counts, and what a box says.

They are those of the respondents' page (surveys/client/features/own/picture.js); the words beside say the same.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from django.utils.html import escape
from django.utils.safestring import mark_safe

from privacy.own_draw.person_draw import Drawn, PersonDraw
from privacy.own_draw.sources import SOURCES

CELL = 24
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")  # of a die: the corners, the sides and the middle
TICK, CROSS, ARROW = "M6 12l4 4 8-9", "M7 7l10 10M17 7L7 17", "M0 0h12m-4-4l4 4-4 4"
PERSON = "M4-6a4 4 0 1 0 8 0a4 4 0 1 0-8 0M0 9c0-8 16-8 16 0"
TURNED = "M0-3h14m-4-4l4 4-4 4M14 4H0m4-4l-4 4 4 4"
BOTH = ((True, True), (False, False)), ((True, False), (False, True))
PAIRS = {"triangular": (((False, False),), (*BOTH[1], (True, True)))}  # of the codes 0 and 1
Row = tuple[Sequence[str], str, str]
"""Labels of an outcome, the same in words, and what they mean."""


def things(draws: Sequence[Drawn], count: int) -> str:
    """What is drawn with, and the facts that are asked about instead, one under the other."""
    parts = (
        f'<g transform="translate(0 {56 * place})">{"".join(THINGS[one.source](one, count))}</g>'
        for place, one in enumerate(draws)
    )
    return _svg("picture", 112, 56 * len(draws), parts)


def _digits(bold: Collection[int]) -> list[str]:
    """A number with some digits bold, by how many follow each."""
    return [_box(12 + 18 * at, 18, 16, 22, ' stroke-width="3"' * (4 - at in bold)) for at in range(5)]


THINGS: dict[str, Callable[[Drawn, int], Iterable[str]]] = {
    "day": lambda _drawn, _count: (_box(40, 12, 32, 36), _path(40, 20, "M0 0h32"), _word(56, 40, "1–31")),
    "die": lambda drawn, _count: [_die(44, 16, drawn.labels[-1])],
    "coin": lambda _drawn, _count: [f'<circle class="open" cx="{x}" cy="28" r="14"/>' for x in (40, 72)],
    "digit": lambda _drawn, count: _digits(range(1, count + 1)),
    "phone": lambda _drawn, _count: _digits([0]),
}
"""What is drawn with, by its source; of a number so many digits count."""


def grid(drawn: Drawn, counts: Iterable[str]) -> str:
    """A cell for each outcome, in rows as in a calendar; black where the fact is true, or its opposite is asked for."""
    labels, filled = list(SOURCES[drawn.source].chances), {*counts}
    wide = min(7 if drawn.source == "day" else 10, len(labels))
    cells = (
        f'<g{" class=counts" * (label in filled)} transform="translate({place % wide * CELL} {place // wide * CELL})">'
        f"{_box(1, 1, CELL - 2, CELL - 2)}{_pips(label) if drawn.source == 'die' else _word(12, 17, label)}</g>"
        for place, label in enumerate(labels)
    )
    return _svg("picture", wide * CELL, -(-len(labels) // wide) * CELL, cells)


def meanings(draw: PersonDraw, rows: Sequence[Row]) -> str:
    """A line for each outcome: what was drawn, and what it says of the first question."""
    lines = [part for place, row in enumerate(rows) for part in _line(draw, row, 26 * place)]
    return _svg("picture", 128, 26 * len(rows), lines)


def _line(draw: PersonDraw, row: Row, y: int) -> Iterator[str]:
    labels, said, means = row
    if draw.drawn.source == "die" and len(labels) < 4:
        yield from (_die(26 * at, y, label) for at, label in enumerate(labels))
    else:
        yield _word(38, y + 17, said if len(said) < 13 else f"{labels[0]} …")
    yield _path(82, y + 12, ARROW)
    if means == "other":
        yield _box(102, y + 3, 18, 18) + _path(102, y + 8, "M0 0h18")
    elif means in ("yes", "no"):
        yield _path(100, y, TICK if means == "yes" else CROSS)
    else:
        yield _path(102, y + 12, TURNED if means == "opposite" else PERSON)


def two_boxes() -> str:
    """What is crossed: the same in both boxes, as neither is right or wrong."""
    dots = (f'<circle cx="{28 + 56 * side + by}" cy="18" r="2"/>' for side in (0, 1) for by in (-8, 0, 8))
    return _svg("picture", 112, 36, [_box(4, 4, 48, 28), _box(60, 4, 48, 28), *dots])


def pair(way: str, code: int) -> str:
    """What a box says of A and B: each pair of a tick or a cross that it is for."""
    pairs = PAIRS.get(way, BOTH)[code]

    def half(name: str, yes: bool, x: int, y: int) -> str:
        sign = _path(11, 0, TICK if yes else CROSS)
        return f'<g transform="translate({x} {y})">{_word(5, 17, name)}{_box(12, 1, 22, 22)}{sign}</g>'

    lines = (half("A", a, 2, 26 * at) + half("B", b, 46, 26 * at) for at, (a, b) in enumerate(pairs))
    return _svg("pairs", 84, 26 * len(pairs), lines)


def _svg(kind: str, wide: int, high: int, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {wide} {high}" width="{wide / CELL:.2f}em" height="{high / CELL:.2f}em"'
    return mark_safe(f'<svg class="{kind}" {size} aria-hidden="true">{"".join(parts)}</svg>')


def _box(x: int, y: int, width: int, height: int, more: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"{more}/>'


def _path(x: int, y: int, d: str) -> str:
    return f'<path d="{d}" transform="translate({x} {y})"/>'


def _word(x: int, y: int, said: str) -> str:
    size = 13 if len(said) < 3 else 11 if len(said) < 6 else 9
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}">{escape(said)}</text>'


def _die(x: int, y: int, label: str) -> str:
    return f'<g transform="translate({x} {y})">{_box(0, 0, CELL, CELL)}{_pips(label)}</g>'


def _pips(label: str) -> str:
    return "".join(
        f'<circle cx="{6 + 6 * (place % 3)}" cy="{6 + 6 * (place // 3)}" r="2"/>'
        for place in map(int, PIPS[int(label)])
    )
