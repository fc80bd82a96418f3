"""Places: the browser and Python send the same cells from the same words, as often as declared."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from privacy.design import Design
from privacy.design.blocks import matrix
from privacy.disguise import disguise
from privacy.disguise.table import system_words, words_from_seed
from privacy.errors import EntryError
from privacy.guarantee import outward
from tests.cases import every, first
from tests.privacy.disguise.words import given_words

BROWSER = Path(__file__).parents[3] / "privacy" / "disguise" / "browser"
TEXTS = Path(__file__).parents[3] / "surveys" / "client" / "languages" / "en" / "rare.json"
RUN = Path(__file__).with_name("run_disguise.mjs")
Node = Callable[..., str]
SEED = 2023

SMALL = {
    "a square": {"place": "square", "epsilon": 1.5, "side": 2},
    "a square as high as the map": {"place": "square", "epsilon": 0.5, "side": 5},
    "two zones": {"place": "zones", "epsilon": 1.5, "side": 2, "zones": [[0, 0, 3, 2], [3, 2, 2, 3]]},
    "zones that touch": {"place": "zones", "epsilon": 2, "zones": [[0, 0, 3, 5], [3, 0, 2, 2]]},
    "two levels": {"place": "zones", "epsilon": 3, "side": 2, "zones": [[0, 0, 3, 2, 2], [3, 2, 3, 3]]},
    "levels everywhere": {"place": "zones", "epsilon": 2.5, "side": 2, "zones": [[0, 0, 3, 5, 2], [3, 0, 3, 5]]},
    "three levels": {
        "place": "zones",
        "epsilon": 3,
        "side": 1,
        "zones": [[0, 0, 2, 2, 2], [4, 0, 2, 2, 2.5], [2, 3, 3, 2]],
    },
    "four levels": {
        "place": "zones",
        "epsilon": 4,
        "zones": [[0, 0, 2, 2, 2.5], [4, 0, 2, 1, 3], [4, 3, 2, 2, 3.5], [0, 3, 1, 2]],
    },
    "a zone as large as the map": {"place": "zones", "epsilon": 1, "zones": [[0, 0, 6, 5]]},
}
DESIGNS = {
    name: Design.parse({"blocks": [{**block, "items": [{"id": "home", "width": 6, "height": 5, "cell": 1}]}]})
    for name, block in SMALL.items()
}


def agreement(counts: np.ndarray, chances: list[Fraction]) -> float:
    """The p-value of χ² that counted cells come from the declared chances; 0 if one came that cannot."""
    possible = np.array([chance > 0 for chance in chances])
    if counts[~possible].any():
        return 0.0
    expected = np.array([float(chance) for chance in chances])[possible] * counts.sum()
    return float(chisquare(counts[possible], expected * counts.sum() / expected.sum()).pvalue)


@pytest.mark.parametrize("draws", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", every(3, DESIGNS))
def test_cells_come_as_often_as_declared(name: str, draws: int) -> None:
    """From every place of a small map, seed 2023, χ² at 10⁻⁶."""
    design, take = DESIGNS[name], words_from_seed(SEED)
    channel = matrix(design.blocks[0])

    for place in range(0, 30, 1 if draws > 20_000 else 4):
        codes = disguise(design, np.full((draws, 1), place, np.uint8), take=take).codes[:, 0]
        assert agreement(np.bincount(codes, minlength=30), channel[place]) > 1e-6


@pytest.mark.parametrize("name", every(12, DESIGNS))
def test_cells_of_the_browser_come_as_often_as_declared(node: Node, name: str) -> None:
    """The shipped module with crypto.getRandomValues itself: one false alarm in 10⁹."""
    design = DESIGNS[name]
    channel, places = matrix(design.blocks[0]), [0, 8, 17, 29]
    script = (
        f"import({json.dumps((BROWSER / 'disguise.js').as_uri())})"
        ".then(async ({ disguise, loadKinds }) => {"
        f"  const [design, places] = {json.dumps([design.document, places])};"
        "  await loadKinds(design);"
        "  console.log(JSON.stringify(places.map((place) => {"
        "    const counts = Array(30).fill(0);"
        "    for (let draw = 0; draw < 2000; draw += 1) counts[disguise(design, [place], [true])[0]] += 1;"
        "    return counts;"
        "  })));"
        "})"
    )

    in_browser = json.loads(node("-e", script))

    for place, counts in zip(places, in_browser, strict=True):
        assert agreement(np.array(counts), channel[place]) > 1e-9


def test_cells_of_the_live_source_come_as_often_as_declared() -> None:
    design = DESIGNS["two zones"]

    codes = disguise(design, np.full((100_000, 1), 17, np.uint8), take=system_words()).codes[:, 0]

    assert agreement(np.bincount(codes, minlength=30), matrix(design.blocks[0])[17]) > 1e-9


@pytest.mark.parametrize("maps", first(1, [20, 60]))
def test_the_browser_and_python_send_the_same_cell_from_the_same_words(node: Node, maps: int) -> None:
    """Random maps, zones, sides and places, up to 10⁹ cells, with many words that are drawn again."""
    rng = np.random.default_rng(SEED)
    jobs: list[Any] = []
    expected = []
    for _ in range(maps):
        design = _random(rng)
        field = design.fields[0]
        truth = np.array([[rng.integers(field.size)]], design.code_type)
        words = rng.integers(0, 2**32, 60, dtype=np.uint32)
        words[rng.random(60) < 0.2] = 2**32 - 1
        jobs.append({"design": design.document, "answers": truth[0].tolist(), "words": words.tolist()})
        expected.append(disguise(design, truth, take=given_words(words)).codes[0].tolist())

    results = json.loads(node(RUN, BROWSER / "disguise.js", "words", input=json.dumps({"asked": [], "disguise": jobs})))

    assert [entry["result"] for entry in results["disguise"]] == expected


@pytest.mark.parametrize("maps", first(1, [20, 60]))
def test_what_is_said_and_proven_of_places_is_the_same_in_both(node: Node, maps: int) -> None:
    """Odds to the last digit, sentences word for word, texts and codes of places."""
    rng = np.random.default_rng(SEED)
    designs = [*DESIGNS.values(), *(_random(rng) for _ in range(maps))]
    script = (
        f"import({json.dumps((BROWSER / 'disguise.js').as_uri())})"
        ".then(async ({ odds, loadKinds, kindOf }) => {"
        "  const designs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        f"  const texts = JSON.parse(require('fs').readFileSync({json.dumps(str(TEXTS))}, 'utf8'));"
        "  await Promise.all(designs.map(loadKinds));"
        "  console.log(JSON.stringify(designs.map((design) => {"
        "    const [block] = design.blocks; const [item] = block.items;"
        "    const said = kindOf(block).explain([block])[0][1].map(([text, figures]) =>"
        "      texts[text].replace(/\\{(\\w+)\\}/g, (_, name) => figures[name]));"
        "    const { textOf, codeOf, fits } = kindOf(block);"
        "    const text = textOf(item, 3, block);"
        "    return [String(odds(design)), said, text, codeOf(item, text, block), fits(item, 4e9, block)];"
        "  })));"
        "})"
    )

    in_browser = json.loads(node("-e", script, input=json.dumps([design.document for design in designs])))

    for design, (odds, said, text, code, fits) in zip(designs, in_browser, strict=True):
        (block,) = design.blocks
        assert float(odds) == outward(block.odds)
        assert said == [str(one) for one in block.kind.words.explain([block])[0][1]]
        assert (text, code, fits) == (design.fields[0].text(3), 3, False)


def test_so_many_people_elsewhere_send_the_same_place(node: Node) -> None:
    """What the receipt says beside a place, never more than the least share of all people in another place sends it.

    It counts who draws from all zones; where every other place may be near, some more send the same. Outside the zones
    nobody else does.
    """
    script = (
        f"import({json.dumps((BROWSER / 'disguise.js').as_uri())})"
        ".then(async ({ loadKinds, kindOf }) => {"
        "  const designs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  await Promise.all(designs.map(loadKinds));"
        "  console.log(JSON.stringify(designs.map(({blocks: [block]}) => [...Array(30).keys()].map(code =>"
        "    kindOf(block).others(block, {...block.items[0], code}).map(String)))));"
        "})"
    )

    in_browser = json.loads(node("-e", script, input=json.dumps([design.document for design in DESIGNS.values()])))

    for name, shares in zip(DESIGNS, in_browser, strict=True):
        channel = matrix(DESIGNS[name].blocks[0])
        said = [Fraction(int(over), int(under)) for over, under in shares]
        least = [min(channel[place][code] for place in range(30) if place != code) for code in range(30)]
        assert [one for one, exact in zip(said, least, strict=True) if one > exact or (one == 0) != (exact == 0)] == []
        assert {*said} & {*least} - {0}


YES = {"id": "home", "width": 6, "height": 5, "cell": 1}
ZONES = {"place": "zones", "near": 2**31, "side": 2, "items": [YES]}


@pytest.mark.parametrize(
    ("block", "said"),
    every(
        5,
        [
            ({"place": "square", "near": 0, "side": 2, "items": [YES]}, "a square has no such numbers"),
            ({"place": "square", "near": 2**32, "side": 2, "items": [YES]}, "a square has no such numbers"),
            ({"place": "square", "near": 0.5, "side": 2, "items": [YES]}, "a square has no such numbers"),
            ({"place": "square", "near": 1, "side": 0, "items": [YES]}, "a square has no such numbers"),
            ({**ZONES, "zones": []}, "a square has no such numbers"),
            ({**ZONES, "place": "square", "zones": [[0, 0, 6, 5]]}, "a square has no such numbers"),
            ({"place": "square", "near": 1, "side": 6, "items": [YES]}, "its zones do not lie on the map side by side"),
            ({**ZONES, "zones": [[0, 0, 1, 2]]}, "its zones do not lie on the map side by side"),
            ({**ZONES, "zones": [[5, 0, 2, 2]]}, "its zones do not lie on the map side by side"),
            ({**ZONES, "zones": [[0, 0, 3, 3], [2, 2, 2, 2]]}, "its zones do not lie on the map side by side"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31, 0]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31 - 1, 1]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31 + 1, 1]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31, 2**30]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31, 1], [3, 2, 2, 3]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 3, 2, 2**31]]}, "its zones have no such levels"),
            ({**ZONES, "zones": [[0, 0, 6, 5]], "items": [{**YES, "width": 2**20}]}, "a map has no such size"),
            ({**ZONES, "zones": [[0, 0, 6, 5]], "items": [YES, YES]}, "a map has no such size"),
        ],
    ),
)
def test_maps_that_cannot_be_applied_as_published_are_refused(node: Node, block: dict[str, Any], said: str) -> None:
    script = (
        f"import({json.dumps((BROWSER / 'kinds/place.js').as_uri())})"
        f".then(({{ check }}) => check({json.dumps(block)}))"
        ".then(() => console.log('taken'), (error) => console.log(error.message))"
    )

    assert node("-e", script) == f"This design or these answers cannot be used: {said}.\n"


def _random(rng: np.random.Generator) -> Design:
    """A map with or without zones, as nobody would choose it."""
    columns, rows = (int(rng.integers(2, 1 + int(rng.choice([6, 100, 30_000])))) for _ in range(2))
    cell = float(rng.choice([1, 0.5, 25]))
    item = {"id": "home", "width": columns * cell, "height": rows * cell, "cell": cell}
    epsilon = round(float(rng.uniform(0.2, 8)), 2)
    side = int(rng.integers(1, min(columns, rows) + 1))
    if rng.random() < 0.3:
        return Design.parse({"blocks": [{"place": "square", "epsilon": epsilon, "side": side * cell, "items": [item]}]})
    zones = []
    for _ in range(int(rng.integers(1, 5))):
        left, bottom = int(rng.integers(columns)), int(rng.integers(rows))
        wide, high = int(rng.integers(1, columns - left + 1)), int(rng.integers(1, rows - bottom + 1))
        zones.append([left * cell, bottom * cell, wide * cell, high * cell])
    block = {"place": "zones", "epsilon": epsilon, "side": side * cell, "zones": zones, "items": [item]}
    own = [[*zone, round(epsilon * rng.uniform(0.6, 1), 2)] for zone in zones]
    try:  # with levels, where this side bears them
        return Design.parse({"blocks": [block | {"zones": own}]})
    except EntryError:
        return Design.parse({"blocks": [block]})
