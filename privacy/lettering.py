"""Words in a drawing: about how wide they are, and where they stand beside points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIZE = 13  # of the text, in units of the drawing
_LINE = SIZE + 3
_FARTHEST = 8  # lines


def text_width(text: str) -> float:
    """A generous guess: the server has no font to measure with; Chinese characters are square."""
    return sum(SIZE * (1.0 if ord(c) > 0x2E7F else 0.57) for c in text)


@dataclass(frozen=True)
class Box:
    """A part of the drawing; y goes down."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: "Box") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom

    def over(self, points: Sequence[tuple[float, float]]) -> int:
        """How many of the points it covers."""
        return sum(self.left <= x <= self.right and self.top <= y <= self.bottom for x, y in points)


@dataclass(frozen=True)
class Note:
    """Words beside the point they are about: where their line begins or ends (`anchor`)."""

    text: str
    point: tuple[float, float]
    x: float
    y: float
    anchor: str


def notes(points: Sequence[tuple[float, float]], texts: Sequence[str], inside: Box) -> Iterator[Note]:
    """Every text that is not empty, where it covers no other and the fewest points, near its own point.

    The first texts choose first; one for which no room is left is not written.
    """
    taken: list[Box] = []
    for point, text in zip(points, texts, strict=True):
        free = [
            (box.over(points) + abs(line) / 2, box, note)
            for line, box, note in _places(point, text)
            if inside.holds(box) and not any(box.meets(other) for other in taken)
        ]
        if text and free:
            _, box, note = min(free, key=lambda one: one[0])
            taken.append(box)
            yield note


def _places(point: tuple[float, float], text: str) -> Iterator[tuple[int, Box, Note]]:
    width = text_width(text)
    for line in sorted(range(-_FARTHEST, _FARTHEST + 1), key=abs):
        y = point[1] + line * _LINE
        away = 20 if line else 9
        right, left = point[0] + away, point[0] - away
        yield line, Box(right, y - 8, right + width, y + 8), Note(text, point, right, y + 4, "start")
        yield line, Box(left - width, y - 8, left, y + 8), Note(text, point, left, y + 4, "end")
