"""Server-rendered SVG charts: lines with bands, points with whiskers, points coloured by a value.

A chart has its title and a description for those who do not see it. It uses presentation attributes only (a page's
content security policy allows no inline style), takes its text colour from the page (`currentColor`) and its colours
from a palette with a contrast of at least 3:1 on white and on near-black. Series differ by marker and dash as well as
by colour. Values that cannot be drawn (infinite, missing, not positive on a logarithmic axis) leave a gap.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from privacy.draw.axis import Axis, AxisScale, scale_for
from privacy.draw.labels import NAME, Box, num, place_labels, svg, text_width, text_with_title, ticks_apart, wrap

PALETTE = ("#2f7fd6", "#c8641c", "#0f8f83", "#b0559f", "#8a7a1f", "#7a6ad8")
_DASHES = ("", "6 4", "2 3", "9 3 2 3", "12 4", "4 2")
_RAMP = ((0x5B, 0x6F, 0xE0), (0xB0, 0x4F, 0xA8), (0xD0, 0x5F, 0x3C), (0xB8, 0x88, 0x12))  # low to high
_PLAIN = Axis()
_GRID = 'stroke="currentColor" stroke-opacity=".12"'
_INK = 'stroke="currentColor" stroke-opacity=".5"'
_LINE = 16  # from a line of a name to the next
_CROWD = 24  # more points than this have thin whiskers, so that the points are seen among them
_THIN = 'stroke-width=".75" stroke-opacity=".55"'
_PLAIN_WHISKER = 'stroke-width="1.5" stroke-opacity=".75"'
_SOFT = 'fill-opacity=".72"'


@dataclass(frozen=True)
class Line:
    """A line through (x, y), with a band from `low` to `high` where they are given."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    markers: bool = False


@dataclass(frozen=True)
class Points:
    """Points with vertical whiskers (`low`, `high`) or horizontal ones (`left`, `right`).

    `values` give their colours on a scale named `values_label`, `sizes` their areas. A label is shown when a pointer
    rests on its point, a note is written beside its point where there is room.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    left: Sequence[float] = ()
    right: Sequence[float] = ()
    labels: Sequence[str] = ()
    values: Sequence[float] = ()
    values_label: str = ""
    sizes: Sequence[float] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Mark:
    """A thin dashed line with a few words, across the chart at one value of x or of y."""

    label: str
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class _Frame:
    left: float
    right: float
    top: float
    bottom: float
    across: AxisScale
    up: AxisScale

    def x(self, value: float) -> float:
        return self.left + self.across.position(value) * (self.right - self.left)

    def y(self, value: float) -> float:
        place = self.up.position(value)
        if self.up.axis.names:  # names are read from the top
            place = 1 - place
        return self.bottom - place * (self.bottom - self.top)

    def shows(self, x: float, y: float) -> bool:
        return self.across.shows(x) and self.up.shows(y)


def chart(
    title: str,
    series: Sequence[Line | Points],
    x: Axis = _PLAIN,
    y: Axis = _PLAIN,
    *,
    description: str = "",
    marks: Sequence[Mark] = (),
    width: int = 560,
    height: int = 360,
    fluid: bool = True,
) -> str:
    """One `<svg class="chart">` to put inside a page; `svg_document` makes a file of it.

    It is as wide as its place, and its text scales with it: where the place is narrow, ask for a smaller `width`. If it
    is not `fluid`, it has the size that was asked for, so that the texts of several charts are of one size; the page
    writes its title then, perhaps on several lines.

    `description`: the text for people who do not see it. `marks`: dashed lines across the chart.

    >>> "<title" in chart("Error", [Line("", [0, 1], [1, 2])], Axis("share", percent=True))
    True
    """
    xs = [v for s in series for v in (*s.x, *_ends(s, "left"), *_ends(s, "right"))]
    ys = [v for s in series for v in (*s.y, *_ends(s, "low"), *_ends(s, "high"))]
    across = scale_for(x, [*map(float, xs), *(mark.x for mark in marks if mark.x is not None)])
    up = scale_for(y, [*map(float, ys), *(mark.y for mark in marks if mark.y is not None)])
    header, top = _draw_header(title if fluid else "", series, y.label, marks, width)
    height += 19 * max(len(wrap(title, width, 15)) - 1, 0) if fluid else 0
    rows = up.ticks(max(3, (height - top - 60) // 42))
    left = max((text_width(line) for _, text in rows for line in text.split("\n")), default=0) + 16
    right = width - max(16, _overhang(across, width - left))
    frame = _Frame(left, right, top, height - (56 if x.label else 34), across, up)
    size = 'width="100%"' if fluid else f'width="{width}" height="{height}"'
    parts = [
        f'<clipPath id="{NAME}c"><rect x="{num(frame.left - 6)}" y="{num(frame.top - 5)}"'
        f' width="{num(frame.right - frame.left + 12)}" height="{num(frame.bottom - frame.top + 10)}"/></clipPath>',
        *header,
        *_draw_axes(frame, rows),
        *(_draw_mark(frame, mark) for mark in marks),
        f'<g clip-path="url(#{NAME}c)">',
    ]
    for index, one in enumerate(series):
        parts += _draw_line(frame, one, index) if isinstance(one, Line) else _draw_points(frame, one, index)
    return svg("c", title, width, height, [*parts, "</g>"], size=size, description=description)


def svg_document(svg: str) -> str:
    """A chart as a file of its own, which follows the reader's light or dark preference.

    >>> svg_document(chart("Error", [Line("", [0, 1], [1, 2])])).startswith("<?xml")
    True
    """
    style = (
        "<style>svg{color:#22262b;background:#fff;font-family:system-ui,sans-serif}"
        "@media (prefers-color-scheme:dark){svg{color:#e4e7eb;background:#15181c}}</style>"
    )
    head, rest = svg.split(">", 1)
    left, top, width, height = -16, -12, *(int(n) for n in head.split('viewBox="0 0 ')[1].split('"')[0].split())
    head = head.replace(f"0 0 {width} {height}", f"{left} {top} {width + 32} {height + 24}", 1)
    head = head.replace('width="100%"', f'width="{width + 32}" height="{height + 24}"', 1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}>{style}{rest}\n'


def _draw_header(
    title: str, series: Sequence[Line | Points], label: str, marks: Sequence[Mark], width: int
) -> tuple[list[str], int]:
    """Return the parts above the drawing (title, legend, colour scale, label of the y axis) and their height."""
    lines = wrap(title, width, 15)
    parts = [
        f'<text x="0" y="{16 + 19 * index}" font-size="15" font-weight="600">{escape(line)}</text>'
        for index, line in enumerate(lines)
    ]
    top = 15 + 19 * len(lines) if title else 8
    key = [(index, one) for index, one in enumerate(series) if one.name]
    if len(key) > 1:
        legend, height = _draw_legend(key, width, top)
        parts += legend
        top += height
    coloured = next((one for one in series if isinstance(one, Points) and len(one.values)), None)
    if coloured:
        parts += _draw_colour_bar(coloured, f"{NAME}g", top)
        top += 34
    if label:
        parts.append(f'<text x="0" y="{top + 8}">{escape(label)}</text>')
        top += 22
    return parts, top + (16 if any(mark.x is not None for mark in marks) else 0)


def _most_ticks(width: float) -> int:
    """About how many figures an axis of a drawing of this width has room for."""
    return max(3, int(width) // 80)


def _overhang(across: AxisScale, width: float) -> float:
    """How far a figure at the right end of the axis reaches beyond it."""
    ends = (
        text_width(text) / 2 + 2 for value, text in across.ticks(_most_ticks(width)) if across.position(value) > 0.99
    )
    return max(ends, default=0)


def _draw_axes(frame: _Frame, rows: list[tuple[float, str]]) -> Iterator[str]:
    for value, text in rows:
        at, lines = frame.y(value), text.split("\n")
        yield f'<path d="M{num(frame.left)} {num(at)}H{num(frame.right)}" {_GRID}/>'
        for line, part in enumerate(lines):
            down = at + 4 + _LINE * (line - (len(lines) - 1) / 2)
            place = f'x="{num(frame.left - 8)}" y="{num(down)}" text-anchor="end"'
            yield f"<text {place} {_SOFT}>{_tick_text(frame.up, value, text, part)}</text>"
    across = [
        (frame.x(value), value, text) for value, text in frame.across.ticks(_most_ticks(frame.right - frame.left))
    ]
    kept = {at for at, _text in ticks_apart([(at, text) for at, _value, text in across])}
    for at, value, text in across:
        if at in kept or frame.across.axis.names:
            yield f'<path d="M{num(at)} {num(frame.bottom)}v5" {_INK}/>'
            place = f'x="{num(at)}" y="{num(frame.bottom + 19)}" text-anchor="middle"'
            yield f"<text {place} {_SOFT}>{_tick_text(frame.across, value, text, text)}</text>"
    yield f'<path d="M{num(frame.left)} {num(frame.bottom)}H{num(frame.right)}" {_INK}/>'
    if frame.across.axis.label:
        middle = (frame.left + frame.right) / 2
        label = escape(frame.across.axis.label)
        yield f'<text x="{num(middle)}" y="{num(frame.bottom + 43)}" text-anchor="middle">{label}</text>'


def _tick_text(scale: AxisScale, value: float, text: str, line: str) -> str:
    """A line of the text of a tick; the full name of a cut one appears on hover."""
    whole = scale.axis.names[int(value)] if scale.axis.names else text
    return escape(line) if text.replace("\n", " ") == whole else text_with_title(whole, line)


def _draw_line(frame: _Frame, line: Line, place: int) -> Iterator[str]:
    colour = PALETTE[place % len(PALETTE)]
    if len(line.low):
        for run in _runs(frame, line.x, line.low, line.high):
            edge = [(x, high) for x, _, high in run] + [(x, low) for x, low, _ in reversed(run)]
            yield f'<path d="M{_path(edge)}Z" fill="{colour}" fill-opacity=".16"/>'
    dash = f' stroke-dasharray="{_DASHES[place % len(_DASHES)]}"' if place % len(_DASHES) else ""
    for run in _runs(frame, line.x, line.y, line.y):
        through = _path([(x, y) for x, y, _ in run])
        yield (
            f'<path d="M{through}" fill="none" stroke="{colour}" stroke-width="2"'
            f' stroke-linejoin="round" stroke-linecap="round"{dash}/>'
        )
        if line.markers or len(run) == 1:
            yield from (_draw_marker(x, y, place, colour, "") for x, y, _ in run)


def _draw_points(frame: _Frame, points: Points, place: int) -> Iterator[str]:
    largest = max(points.sizes, default=0.0)
    colours = _colours_of(points.values) if len(points.values) else [PALETTE[place % len(PALETTE)]] * len(points.x)
    crowded = len(points.x) > _CROWD and not frame.up.axis.names
    for i, (x, y, colour) in enumerate(zip(points.x, points.y, colours, strict=True)):
        if not frame.shows(x, y):
            continue
        at, up = frame.x(x), frame.y(y)
        light = crowded and not (len(points.notes) and points.notes[i])
        stroke = f'stroke="{colour}" {_THIN if light else _PLAIN_WHISKER}'
        if len(points.low) and frame.shows(x, points.low[i]) and frame.shows(x, points.high[i]):
            yield f'<path d="M{num(at)} {num(frame.y(points.low[i]))}V{num(frame.y(points.high[i]))}" {stroke}/>'
        if len(points.left) and frame.shows(points.left[i], y) and frame.shows(points.right[i], y):
            yield f'<path d="M{num(frame.x(points.left[i]))} {num(up)}H{num(frame.x(points.right[i]))}" {stroke}/>'
        radius = 3 + 8 * math.sqrt(max(points.sizes[i], 0) / largest) if largest > 0 else 4
        yield _draw_marker(at, up, place, colour, points.labels[i] if len(points.labels) else "", radius)
    if len(points.notes):
        yield from _draw_notes(frame, points)


def _draw_notes(frame: _Frame, points: Points) -> Iterator[str]:
    """Write the notes on top of all points; a thin line joins a point with a note that is not next to it."""
    shown = [(x, y, text) for x, y, text in zip(points.x, points.y, points.notes, strict=True) if frame.shows(x, y)]
    at = [(round(frame.x(x), 6), round(frame.y(y), 6)) for x, y, _ in shown]  # so that ties are ties
    inside = Box(frame.left, frame.top, frame.right, frame.bottom)
    for note in place_labels(at, [text for *_, text in shown], inside):
        x, y = note.point
        if note.away:
            end = note.x - 3 if note.anchor == "start" else note.x + 3
            yield f'<path d="M{num(x)} {num(y)}L{num(end)} {num(note.y - 4)}" {_INK}/>'
        text = f'text-anchor="{note.anchor}">{escape(note.text)}</text>'
        yield f'<text class="note" x="{num(note.x)}" y="{num(note.y)}" {text}'


def _draw_marker(x: float, y: float, place: int, colour: str, label: str, radius: float = 4) -> str:
    paint = f'fill="{colour}" fill-opacity=".9"'
    said = f"<title>{escape(label)}</title>" if label else ""
    if place % 4 == 0:
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" {paint}>{said}</circle>'
    shape = {1: "m-4 -4h8v8h-8z", 2: "m0 -5l5 9h-10z", 3: "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"}[place % 4]
    return f'<path d="M{num(x)} {num(y)}{shape}" {paint}>{said}</path>'


def _draw_mark(frame: _Frame, mark: Mark) -> str:
    stroke = f'{_INK} stroke-dasharray="3 4"'
    text = f'font-size="12" {_SOFT}>{escape(mark.label)}</text>'
    if mark.x is not None:
        at = frame.x(mark.x)
        anchor = "end" if at > (frame.left + frame.right) / 2 else "start"
        line = f'<path d="M{num(at)} {num(frame.top - 6)}V{num(frame.bottom)}" {stroke}/>'
        return f'{line}<text x="{num(at)}" y="{num(frame.top - 10)}" text-anchor="{anchor}" {text}'
    assert mark.y is not None
    at = frame.y(mark.y)
    line = f'<path d="M{num(frame.left)} {num(at)}H{num(frame.right)}" {stroke}/>'
    return f'{line}<text x="{num(frame.right)}" y="{num(at - 5)}" text-anchor="end" {text}'


def _draw_legend(key: list[tuple[int, Line | Points]], width: int, top: int) -> tuple[list[str], int]:
    parts: list[str] = []
    x, y = 0.0, float(top)
    for place, one in key:
        lines = wrap(one.name, width - 26)
        needed = 26 + max(map(text_width, lines)) + 20
        if x and x + needed > width:
            x, y = 0.0, y + 20
        colour = PALETTE[place % len(PALETTE)]
        if isinstance(one, Line):
            dash = f' stroke-dasharray="{_DASHES[place % len(_DASHES)]}"' if place % len(_DASHES) else ""
            parts.append(f'<path d="M{num(x)} {num(y)}h20" stroke="{colour}" stroke-width="2"{dash}/>')
        if isinstance(one, Points) or one.markers:
            parts.append(_draw_marker(x + 10, y, place, colour, ""))
        for line, text in enumerate(lines):
            parts.append(f'<text x="{num(x + 26)}" y="{num(y + 4 + _LINE * line)}">{escape(text)}</text>')
        x, y = x + needed, y + _LINE * (len(lines) - 1)
    return parts, int(y - top + 20)


def _draw_colour_bar(points: Points, gradient_id: str, top: int) -> list[str]:
    shown = [v for v in points.values if math.isfinite(v)] or [0.0]
    stops = "".join(
        f'<stop offset="{num(100 * i / 12)}%" stop-color="{colour}"/>'
        for i, colour in enumerate(_colours_of(range(13)))
    )
    label = f"{points.values_label} " if points.values_label else ""
    begin = text_width(f"{label}{min(shown):.3g}") + 8
    return [
        f'<linearGradient id="{gradient_id}">{stops}</linearGradient>',
        f'<text x="0" y="{top + 12}" {_SOFT}>{escape(label)}{min(shown):.3g}</text>',
        f'<rect x="{num(begin)}" y="{top + 3}" width="120" height="9" rx="4.5" fill="url(#{gradient_id})"/>',
        f'<text x="{num(begin + 128)}" y="{top + 12}" {_SOFT}>{max(shown):.3g}</text>',
    ]


def _colours_of(values: Sequence[float]) -> list[str]:
    """A colour for each value, from the first of the ramp for the least to its last for the greatest."""
    shown = [v for v in values if math.isfinite(v)] or [0.0]
    low, span = min(shown), (max(shown) - min(shown)) or 1.0
    colours = []
    for value in values:
        place = round((value - low) / span * (len(_RAMP) - 1), 9) if math.isfinite(value) else 0.0
        step = min(int(place), len(_RAMP) - 2)
        mixed = (a + (place - step) * (b - a) for a, b in zip(_RAMP[step], _RAMP[step + 1], strict=True))
        colours.append("#" + "".join(f"{round(part):02x}" for part in mixed))
    return colours


def _runs(
    frame: _Frame, xs: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> Iterator[list[tuple[float, float, float]]]:
    """Yield the unbroken runs of values that can be drawn, in units of the drawing."""
    run: list[tuple[float, float, float]] = []
    for x, low, high in zip(xs, lows, highs, strict=True):
        if frame.shows(x, low) and frame.shows(x, high):
            run.append((frame.x(x), frame.y(low), frame.y(high)))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _ends(series: Line | Points, name: str) -> Sequence[float]:
    return getattr(series, name, ())


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{num(x)} {num(y)}" for x, y in points)
