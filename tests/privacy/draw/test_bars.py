"""Bars of shares: all on one axis, whatever they are; names and figures stay inside the drawing."""

import re

from privacy.draw.bars import Bar, bars
from privacy.draw.labels import text_width


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
