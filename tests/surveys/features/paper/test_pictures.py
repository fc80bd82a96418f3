"""The pictures of a draw are drawn twice: by the respondents' page, and for paper. Both draw the same shapes."""

import ast
import re

from surveys.features.own.draft import CLIENT
from surveys.features.paper import words as pictures
from tests.servers import ROOT

ON_PAGE = (CLIENT / "features/own/picture.js").read_text(encoding="utf-8")
ON_PAPER = (ROOT / "surveys/features/paper/words.py").read_text(encoding="utf-8")


def of_page(name: str) -> object:
    """A constant of the page's module, as Python reads it."""
    written = re.search(rf"const {name} = (.+?);\n", ON_PAGE, re.DOTALL)
    assert written is not None, name
    return ast.literal_eval(re.sub(r"(\w+):", r'"\1":', written[1]).replace("true", "True").replace("false", "False"))


def test_signs_and_rows_are_those_of_the_page() -> None:
    """Ticks, crosses, arrows and people, the points of a die, what a button says."""
    names: dict[str, object] = {
        "TICK": pictures.TICK,
        "CROSS": pictures.CROSS,
        "ARROW": pictures.ARROW,
        "PERSON": pictures.PERSON,
    }
    names |= {"TURNED": pictures.TURNED, "PIPS": [*pictures.PIPS], "SIZE": pictures.CELL}
    pairs = {name: tuple(map(tuple, own)) for name, own in of_page("PAIRS").items()}  # type: ignore[attr-defined]

    assert {name: of_page(name) for name in names} == names
    assert (pairs["same"], pairs["differ"]) == pictures.BOTH
    assert {"triangular": (pairs["none"], pairs["least"])} == pictures.PAIRS


def test_shapes_beside_them_are_those_of_the_page() -> None:
    """Leaves of a calendar and the other paths that stand where they are drawn."""
    drawn = re.compile(r"""["'](M[\d][^"']*)["']""")

    assert set(drawn.findall(ON_PAPER)) == set(drawn.findall(ON_PAGE))
