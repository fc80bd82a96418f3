"""Charts: what a page, a screen reader and a file each need of them."""

import math
from xml.etree import ElementTree

import pytest

from privacy.axis import fit
from privacy.chart import Axis, Line, Mark, Points, chart, svg_document

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
    assert [text for _, text in fit(axis, values).ticks(6)] == expected
