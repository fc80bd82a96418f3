"""Texts in a drawing: how wide they are, about, and where they stand beside points."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest

SIZE = 13  # of the text, in units of the drawing
_BESIDE = 11  # so far above or below its point a note does not cover the whiskers, and needs no line to its point
_RADIUS = 4  # of a point
_TOUCHED = 8  # a note moves up to this many steps away rather than touch a point
_SPACE = r"[^\S\u00a0\u202f]"  # at which a line may break
_PIECE = rf"[\u2e80-\uffff]|(?:[^\s\u2e80-\uffff]|[\u00a0\u202f])+{_SPACE}*|{_SPACE}+"
_STEPS = (_BESIDE, -_BESIDE, 0, *(sign * lines * (SIZE + 3) for lines in range(2, 9) for sign in (1, -1)))


def text_width(text: str) -> float:
    """Guess how wide a text is, rather too wide: the server has no font. Chinese characters are square.

    >>> text_width("support") < text_width("confidence")
    True
    """
    return sum(SIZE * (1.0 if ord(c) > 0x2E7F else 0.57) for c in text)


def shorten(text: str, most: float) -> str:
    """Return the text, or its two ends where it is wider than `most`: the options of one item differ at their end."""
    kept, short = len(text), text
    while text_width(short) > most and kept > 2:
        kept -= 1
        short = f"{text[: kept // 2]}…{text[-(kept - kept // 2) :]}"
    return short


def shorten_apart(texts: Sequence[str], most: float) -> list[str]:
    """Shorten all texts that are wider than `most`; where two would look alike, to what they differ in.

    >>> shorten_apart(["answered yes to a very long question", "answered yes to a very strong question"], 140)
    ['answe… long quest…', 'answe… strong que…']
    """
    short = {text: shorten(text, most) for text in texts}
    for _round in texts:  # each one tells at least one more text from another
        alike: dict[str, list[str]] = {}
        for text, cut in short.items():
            alike.setdefault(cut, []).append(text)
        groups = [group for group in alike.values() if len(group) > 1]
        for group in groups:
            differs = next(at for at, letters in enumerate(zip_longest(*group)) if len({*letters}) > 1)
            short |= {text: _shorten_from(text, differs, most) for text in group}
        if not groups:
            break
    return [short[text] for text in texts]


def _shorten_from(text: str, place: int, most: float) -> str:
    """Return the first letters of a text, and those from a place on."""
    space = text.rfind(" ", max(place - 8, 0), place)
    begin = space if space >= 0 else max(place - 2, 0)
    for kept in range(len(text), 0, -1):
        head = min(kept // 3, begin)
        end = begin + kept - head
        short = f"{text[:head]}…{text[begin:end]}{'…' if end < len(text) else ''}"
        if text_width(short) <= most:
            break
    return short


def ticks_apart(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The ticks of an axis, each a place and its text, without those whose text would touch the next one's.

    >>> ticks_apart([(0, "0"), (80, "80 %"), (100, "100 %")])
    [(0, '0'), (100, '100 %')]
    """
    kept: list[tuple[float, str]] = []
    for place, text in reversed(ticks):
        if not kept or kept[-1][0] - place > (text_width(text) + text_width(kept[-1][1])) / 2 + 4:
            kept.append((place, text))
    return kept[::-1]


def wrap(text: str, most: float, size: float = SIZE) -> list[str]:
    """Break a text of this font size into lines that are not wider than `most`: at spaces, and between Chinese letters.

    >>> wrap("how common each answer is", 100)
    ['how common', 'each answer', 'is']
    """
    lines, line = [], ""
    for piece in re.findall(_PIECE, text):
        if line and text_width((line + piece).rstrip()) * size / SIZE > most:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def break_lines(text: str, most: float, size: float = SIZE) -> list[str]:
    """Break a text as `wrap` does: a word that fits no line is broken too, so that different texts look different.

    >>> break_lines("snapshot b1c3d7d613d2", 60)
    ['snapshot', 'b1c3d7d6', '13d2']
    """
    lines = []
    for line in wrap(text, most, size):
        while text_width(line) * size / SIZE > most:
            kept = range(len(line) - 1, 0, -1)
            fits = next(one for one in kept if one == 1 or text_width(line[:one]) * size / SIZE <= most)
            lines.append(line[:fits])
            line = line[fits:]
        lines.append(line)
    return lines


@dataclass(frozen=True)
class Box:
    """A rectangle of the drawing; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def contains(self, other: "Box") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom

    def count_points(self, points: Sequence[tuple[float, float]]) -> int:
        return sum(
            self.left - _RADIUS < x < self.right + _RADIUS and self.top - _RADIUS < y < self.bottom + _RADIUS
            for x, y in points
        )


@dataclass(frozen=True)
class Label:
    """A text beside the point it is about; it begins or ends at (x, y), as `anchor` says."""

    text: str
    point: tuple[float, float]
    x: float
    y: float
    anchor: str
    away: bool  # so far from its point that a line should lead to it


def place_labels(points: Sequence[tuple[float, float]], texts: Sequence[str], inside: Box) -> Iterator[Label]:
    """Place every text that is not empty near its point, where it covers no other text and the fewest points.

    The first texts are placed first; a text for which no room is left is not written.
    """
    taken: list[Box] = []
    for point, text in zip(points, texts, strict=True):
        if not text:
            continue
        free = [
            (_TOUCHED * box.count_points(points) + cost, box, note)
            for cost, box, note in _candidate_places(point, text)
            if inside.contains(box) and not any(box.overlaps(other) for other in taken)
        ]
        if free:
            _, box, note = min(free, key=lambda one: one[0])
            taken.append(box)
            yield note


def _candidate_places(point: tuple[float, float], text: str) -> Iterator[tuple[float, Box, Label]]:
    """Yield the places where a text could stand, best first, and how much worse each is than the first."""
    width = text_width(text)
    for index, up in enumerate(_STEPS):
        y, far = point[1] - up, abs(up) > _BESIDE
        apart = 20 if far else 6 if up else 9
        right, left = point[0] + apart, point[0] - apart
        yield index, Box(right, y - 8, right + width, y + 8), Label(text, point, right, y + 4, "start", far)
        yield index, Box(left - width, y - 8, left, y + 8), Label(text, point, left, y + 4, "end", far)


NAME = "\0"
"""Stands in the parts of a drawing for its identifier, which nothing else on the page has but the same drawing."""


def svg(
    letter: str, title: str, width: float, height: float, parts: Iterable[str], *, size: str = "", description: str = ""
) -> str:
    """Put the parts of a drawing into their frame; `size` is that on the page, if it is another than its own.

    `description`: the text for people who do not see it. The identifier begins with a letter and goes by what is
    drawn: the last bit of a figure, which differs from one processor to the next, changes nothing in it.
    """
    size = size or f'width="{width}" height="{height}"'
    described = [f'<desc id="{NAME}d">{escape(description)}</desc>'] if description else []
    drawn = "\n".join(
        [
            f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img"'
            f' aria-labelledby="{NAME}{f" {NAME}d" if description else ""}" font-size="{SIZE}" fill="currentColor">',
            f'<title id="{NAME}">{escape(title)}</title>',
            *described,
            *parts,
            "</svg>",
        ]
    )
    return drawn.replace(NAME, letter + hashlib.sha256(drawn.encode()).hexdigest()[:8])


def text_with_title(whole: str, text: str) -> str:
    """The inside of a `<text>`; the full text of a cut one appears on hover.

    >>> text_with_title("a long name", "a…name")
    'a…name<title>a long name</title>'
    """
    return escape(text) if text == whole else f"{escape(text)}<title>{escape(whole)}</title>"


def num(value: float, digits: int = 1) -> str:
    """A coordinate or length as text, with `digits` decimals at most, the same on every processor.

    What is half in exact arithmetic may be a last bit less or more in floats. It is half again before it is rounded.

    >>> num(2.25), num(2.25 - 4e-16), num(2.25 + 4e-16), num(3), num(-0.01)
    ('2.2', '2.2', '2.2', '3', '0')
    """
    written = f"{round(value, 9):.{digits}f}"
    written = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if written == "-0" else written
