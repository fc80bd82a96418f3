"""Charts: what a page, a screen reader and a file each need of them."""

import math
import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from privacy.draw.axis import scale_for
from privacy.draw.bars import Bar, bars
from privacy.draw.chart import Axis, Line, Mark, Points, chart, svg_document
from privacy.draw.labels import Box, place_labels, text_width
from privacy.draw.lattice import LatticeWords, lattice

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def paths(svg: str) -> list[ElementTree.Element]:
    return [p for p in ElementTree.fromstring(svg).iter(f"{SVG}path") if p.get("stroke-width") == "2"]


def test_a_chart_names_and_describes_itself() -> None:
    """Someone who cannot see the chart hears its title and its description."""
    svg = ElementTree.fromstring(chart("Error & cost", [Line("", [0, 1], [1, 2])], description="It rises."))

    named = [svg.find(f".//*[@id='{name}']") for name in (svg.get("aria-labelledby") or "").split()]

    assert svg.get("role") == "img"
    assert [node.text for node in named if node is not None] == ["Error & cost", "It rises."]


def test_a_chart_in_a_page_has_no_style_of_its_own() -> None:
    """A page that forbids inline style shows the chart as it is."""
    svg = chart(
        "All kinds",
        [
            Line("line", [1, 2, 3], [1, 2, 3], [0.5, 1, 2], [2, 3, 4], markers=True),
            Points("points", [1, 2], [2, 3], low=[1, 2], high=[3, 4], labels=["<one>", "two"]),
            Points("coloured", [1, 2], [3, 1], left=[0.5, 1], right=[2, 3], values=[1.0, 4.0], values_label="lift"),
        ],
        marks=[Mark("here", x=2), Mark("there", y=2)],
    )

    assert "style" not in svg
    assert {"line", "points", "coloured", "here", "there", "lift 1"} <= set(texts(svg))


def test_a_chart_as_a_file_follows_the_readers_preference() -> None:
    """A chart opened alone is drawn on light or dark paper, as its reader prefers."""
    document = svg_document(chart("Alone", [Line("", [0, 1], [0, 1])]))

    ElementTree.fromstring(document.encode())
    assert "prefers-color-scheme:dark" in document


def test_what_cannot_be_drawn_leaves_a_gap() -> None:
    """An infinite error breaks the line instead of being drawn somewhere."""
    svg = chart("Gap", [Line("", [1, 2, 3, 4, 5], [1.0, 2.0, math.inf, 2.0, 1.0])])

    assert len(paths(svg)) == 2


@pytest.mark.parametrize(
    ("axis", "values", "expected"),
    [
        (Axis(), [0, 1], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Axis(), [-50, 50], ["−40", "−20", "0", "20", "40"]),
        (Axis(), [1, 4, 12], ["0", "3", "6", "9", "12"]),
        (Axis(percent=True), [0, 0.1], ["0 %", "2 %", "4 %", "6 %", "8 %", "10 %"]),
        (Axis(log=True), [1, 1000], ["1", "10", "100", "1\u202f000"]),
        (Axis(log=True), [1e-9, 1e9], ["10⁻⁸", "0.0001", "1", "10\u202f000", "10⁸"]),
        (Axis(log=True), [2, 3], ["2.00", "2.25", "2.50", "2.75", "3.00"]),
        (Axis(names=("drugs", "cheating")), [0, 1], ["drugs", "cheating"]),
    ],
)
def test_ticks_are_round_numbers(axis: Axis, values: list[float], expected: list[str]) -> None:
    """The axis is marked where a person would mark it."""
    assert [text for _, text in scale_for(axis, values).ticks(6)] == expected


def test_notes_stand_apart_and_inside() -> None:
    """Words beside close points cover neither each other nor the edge; each is near its own point."""
    at = [(40.0, 50.0), (42.0, 52.0), (44.0, 50.0), (390.0, 8.0)]
    inside = Box(0, 0, 400, 200)

    notes = list(place_labels(at, ["first rule", "second rule", "third rule", "at the corner"], inside))

    boxes = []
    for note in notes:
        left = note.x if note.anchor == "start" else note.x - text_width(note.text)
        boxes.append(Box(left, note.y - 12, left + text_width(note.text), note.y + 4))
    assert [note.text for note in notes] == ["first rule", "second rule", "third rule", "at the corner"]
    assert all(inside.contains(box) for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_a_note_without_room_is_not_written() -> None:
    """Nothing is written over something else."""
    assert [note.text for note in place_labels([(5, 8), (5, 8)], ["here", "there"], Box(0, 0, 50, 16))] == ["here"]


def test_a_chart_that_is_not_fluid_is_as_large_as_asked() -> None:
    """The text of several is of one size then; its title is its name, and the page writes it above."""
    svg = ElementTree.fromstring(chart("Own size", [Line("", [0, 1], [1, 2])], width=300, height=200, fluid=False))

    assert (svg.get("width"), svg.get("height"), svg.get("viewBox")) == ("300", "200", "0 0 300 200")
    assert [node.text for node in svg.iter() if node.text == "Own size"] == ["Own size"]


def test_whiskers_of_many_points_are_thin_but_for_those_with_a_note() -> None:
    """Points are seen among them, and the noted ones stand out."""
    x = list(range(30))
    points = Points("", x, x, low=x, high=[1 + one for one in x], notes=["noted", *[""] * 29])

    widths = re.findall('V[^"]*" stroke="[^"]*" stroke-width="([^"]*)"', chart("Many", [points]))

    assert widths == ["1.5", *[".75"] * 29]


def test_the_last_figure_of_an_axis_stays_inside_the_drawing() -> None:
    """It is written around the end of the axis, and "100 %" is wide."""
    drawn = chart("", [Line("", [0, 1], [0, 1])], Axis("", percent=True))

    width = int(re.findall(r'viewBox="0 0 (\d+)', drawn)[0])
    (at,) = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle"[^>]*>100[^<]*</text>', drawn)
    assert float(at) + text_width("100 %") / 2 <= width


@pytest.mark.parametrize("most", [90, 140, 200])
def test_names_that_are_cut_stay_different(most: float) -> None:
    """Questions that begin and end alike are cut to what they differ in; the whole is said beside each."""
    names = [f"Have you ever {what} during an exam? Yes" for what in ("copied", "paid", "copied from a book")]

    drawing = chart("Common", [Points("", [0.1, 0.2, 0.3], [0, 1, 2])], y=Axis(names=tuple(names), widest=most))

    whole = {node[0].text: node.text or "" for node in ElementTree.fromstring(drawing).iter(f"{SVG}text") if len(node)}
    assert list(whole) == names
    assert len({*whole.values()}) == len(names)
    assert all(text_width(cut) <= most for cut in whole.values())


def test_a_long_title_has_more_lines_and_ticks_that_would_touch_are_left_out() -> None:
    """Nothing is cut at the edge, and the last figure of an axis, which names its unit, stays."""
    title = "How common each answer is among people who were asked this question and the one before it"
    drawing = chart(title, [Line("", [0, 1], [0, 1])], Axis(percent=True, low=0, high=1), width=260)

    lines = re.findall(r'font-size="15" font-weight="600">([^<]+)<', drawing)
    assert " ".join(lines) == title
    assert all(text_width(line) * 15 / 13 <= 260 for line in lines)
    places = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle"[^>]*>(\d+ %)<', drawing)
    assert places[-1][1] == "100 %"
    for (left, text), (right, after) in pairwise(places):
        assert float(right) - float(left) > (text_width(text) + text_width(after)) / 2


# Bars of shares: all on one axis, whatever they are; names and figures stay inside the drawing.


def widths(drawing: str) -> list[float]:
    return [float(width) for width in re.findall(r'<rect x="8.0" y="[\d.]+" width="([\d.]+)"', drawing)]


def test_shares_of_different_pictures_are_on_one_axis() -> None:
    """From 0 to 100 %: 16 % and 32 % in two pictures are bars of which one is twice as long, under the same ticks."""
    few = bars("Drank", [Bar("Yes", 0.16, 0.14, 0.18, "16.0 %")])
    many = bars("Cheated", [Bar("Yes", 0.32, 0.3, 0.34, "32.0 %"), Bar("No", 0.68, 0.66, 0.7, "68.0 %")])

    assert [round(width / 424, 3) for width in widths(few) + widths(many)] == [0.16, 0.32, 0.68]
    for drawing in (few, many):
        assert re.findall(r'font-size="12"[^>]*>([^<]+)</text>', drawing) == [
            *("0 %", "20 %", "40 %", "60 %", "80 %", "100 %")
        ]


def test_an_interval_that_goes_beyond_the_axis_has_no_end_there() -> None:
    """Raw estimates may lie below 0: the line stops at the axis without its end; the figure is its row's."""
    drawing = bars("Stole", [Bar("Yes", -0.02, -0.06, 0.02, "about 0 %"), Bar("No", 1.02, 0.98, 1.06, "about 100 %")])

    (low, high) = re.findall(r'<path d="(M[^"]*)" stroke="currentColor" stroke-opacity=".75"', drawing)
    assert (low.count("v8"), high.count("v8")) == (1, 1)
    assert low.startswith("M8 ")
    assert "H432" in high
    assert ">about 0 %<" in drawing
    assert ">about 100 %<" in drawing


def test_long_names_take_more_lines() -> None:
    """A question is read whole, and so is a word that fits no line, which is broken; the next bar is further down."""
    asked = "Have you ever copied text from the internet without naming the source of what you copied?"
    drawing = bars(
        "All", [Bar(asked, 0.3, 0.2, 0.4, "30.0 %"), Bar("x" * 99, 0.3, 0.2, 0.4, "30.0 %", heading="Which one?")]
    )

    texts = re.findall(r'<text x="8" y="[^"]*"(?: font-weight="600")?>([^<]+)</text>', drawing)
    assert " ".join(texts[:2]) == asked
    assert texts[2] == "Which one?"
    assert "".join(texts[3:]) == "x" * 99
    assert max(map(text_width, texts)) <= 424 - text_width("30.0 %")
    tops = [float(y) for y in re.findall(r'<rect x="8.0" y="([\d.]+)"', drawing)]
    assert tops[1] - tops[0] > 44


def test_names_of_parts_stand_inside_however_long_they_are() -> None:
    """Each begins a line of its own, with its mark before it, and goes on below."""
    name = "people who were asked in spring and have answered the same question in autumn once more than before"
    drawing = bars("All", [Bar("Yes", 0.3, 0.2, 0.4, "30.0 %", parts=[(0.3, 0.2, 0.4)] * 2)], (name, "others"))

    lines = re.findall(r'<text x="18" y="(\d+)" font-size="12"[^>]*>([^<]+)</text>', drawing)
    assert " ".join(text for _y, text in lines) == f"{name} others"
    assert all(18 + text_width(text) <= 440 for _y, text in lines)
    assert len({y for y, _text in lines}) == len(lines) > 2


# The drawing of a lattice shows which nodes hold, which are minimal, and which was taken.


def test_a_lattice_is_a_bar_for_each_height() -> None:
    """Of 4 320 nodes the picture stays small, and says of each height how many nodes hold."""
    holding = np.zeros((2, 5, 2, 3, 4, 3, 3, 2), bool)
    holding[1] = True

    drawn = lattice(
        "Adult", holding, [(1, 0, 0, 0, 0, 0, 0, 0)], (1, 0, 0, 0, 0, 0, 0, 0), LatticeWords(holds="<holds>")
    )

    texts = ["".join(text.itertext()) for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert "1/1" in texts
    assert sum(int(text.split("/")[0]) for text in texts if "/" in text) == holding.sum()
    assert len(drawn) < 12_000
    assert "<holds>" in texts


def test_the_path_of_a_search_is_a_line_through_the_heights_of_its_nodes() -> None:
    drawn = ElementTree.fromstring(
        lattice("Many", np.ones((11, 12), bool), [(0, 0)], (0, 0), path=[(5, 5), (0, 0), (10, 11)])
    )

    _, line = drawn.iter(f"{SVG}polyline")  # the first is that of the legend
    heights = [float(point.split(",")[1]) for point in str(line.get("points")).split()]
    assert (heights[1] - heights[0], heights[1] - heights[2]) == (10 * 22, 21 * 22)
    assert "the path of the search" in "".join(drawn.itertext())
