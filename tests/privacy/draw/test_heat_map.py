"""Heat maps: each cell has its figure, and says what it is."""

from xml.etree import ElementTree

import pytest

from privacy.draw.map import heat_map, percent

SVG = "{http://www.w3.org/2000/svg}"


def cells(svg: str) -> list[tuple[str, float]]:
    """What each cell says where a pointer rests on it, and how strong its colour is."""
    return [
        (rect.findtext(f"{SVG}title") or "", float(rect.get("fill-opacity") or 0))
        for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect")
    ]


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_cell_has_its_figure() -> None:
    """It is written in the cell and said with its row and its column; the largest share has the strongest colour."""
    svg = heat_map("Channel", ("true", ["no", "yes"]), ("stored", ["0", "1"]), [[0.8, 0.2], [0, 1]])

    assert cells(svg) == [("no → 0: 80 %", 0.6), ("no → 1: 20 %", 0.15), ("yes → 0: 0 %", 0), ("yes → 1: 100 %", 0.75)]
    assert texts(svg) == ["Channel", "stored", "true", "0", "1", "no", "80", "20", "yes", "0", "100"]


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.00001, "<0.1"), (0.0123, "1.2"), (0.0996, "10"), (0.12345, "12.3"), (0.99995, ">99.9"), (1, "100")],
)
def test_a_figure_has_the_digits_that_a_cell_has_room_for(share: float, written: str) -> None:
    """What is rare is not written as what never happens."""
    assert texts(heat_map("", ("", ["a"]), ("", ["b"]), [[share]]))[-1] == written


def test_only_what_is_certain_is_written_as_such() -> None:
    """Next to none and next to all are neither, with however many digits; between them nothing is rounded to an end."""
    assert [percent(share) for share in (0, 1e-9, 0.0009, 0.001, 0.99949, 0.9995, 1 - 1e-9, 1)] == [
        "0", "<0.1", "<0.1", "0.1", "99.9", ">99.9", ">99.9", "100",
    ]  # fmt: skip
    near = 1 - 1e-9
    assert cells(heat_map("", ("", ["a"]), ("", ["b", "c"]), [[near, 1 - near]]))[0][0] == "a → b: >99.99 %"
    assert percent(0.5432 / 100, 4) == "0.54"


def test_it_names_and_describes_itself() -> None:
    """Someone who cannot see it hears its title and its description."""
    svg = ElementTree.fromstring(heat_map("A & B", ("", ["a"]), ("", ["b"]), [[1]], description="All <of> it."))

    named = [svg.find(f".//*[@id='{name}']") for name in (svg.get("aria-labelledby") or "").split()]

    assert svg.get("role") == "img"
    assert [node.text for node in named if node is not None] == ["A & B", "All <of> it."]


def test_long_names_of_columns_stand_on_end() -> None:
    """A cell is no wider for them; it takes its ink from the page, and has no style of its own."""
    short, long = (heat_map("", ("", ["a"]), ("", [name] * 9), [[1] * 9]) for name in ("b", "1, 0, 18-29, Aachen"))

    widths = [float(ElementTree.fromstring(svg).get("width") or 0) for svg in (short, long)]
    assert widths[0] == widths[1]
    assert ("rotate" in short, "rotate" in long, "style" in short + long) == (False, True, False)
