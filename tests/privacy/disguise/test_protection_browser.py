"""What the browser says of a design's protection is what Python proves of it."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privacy.design import Block, Design, gammas
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_sided import OneSidedBlock
from privacy.design.blocks.place.design import PlaceBlock
from privacy.design.notation import EXACT
from privacy.guarantee import outward, posterior_bound
from tests.cases import first
from tests.privacy.channels import random_design

BROWSER = Path(__file__).parents[3] / "privacy" / "disguise" / "browser"
MODULE = BROWSER / "disguise.js"
Node = Callable[..., str]
SEED = 20100607
VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "disguise.json").read_text())

EXTREME: dict[str, dict[str, Any]] = {
    "ten items under one coin": {"keep": 0.3, "items": [{"id": f"i{j}", "theta": 0.6} for j in range(10)]},
    "a thousand items under one coin": {"keep": 0.3, "items": [{"id": f"i{j}", "theta": 0.01} for j in range(1000)]},
    "noise that never says no": {"keep": 0.3, "items": [{"id": "a", "theta": 1}]},
    "a coin that always keeps": {"keep": 1, "items": [{"id": "a", "theta": 0.5}]},
    "a block that keeps almost nothing": {"keep": 2**-32, "items": [{"id": "a", "theta": 0.5}]},
    "flips that say nothing": {"flips": [0.25, 0.5, 0.25], "items": [{"id": "a"}, {"id": "b"}]},
    "harmless answers that almost all stay": {"one-sided": 2**-32, "items": [{"id": "a", "harmless": "0"}]},
    "harmless answers that are all turned": {"one-sided": 1, "items": [{"id": "a", "harmless": "0"}]},
    "a thousand harmless answers": {"one-sided": 0.2, "items": [{"id": f"i{j}", "harmless": "1"} for j in range(1000)]},
    "flips that never turn all over": {"flips": [0.5, 0.5, 0], "items": [{"id": "a"}, {"id": "b"}]},
}


def odds(node: Node, documents: list[dict[str, Any]]) -> list[float]:
    script = (
        f"import({json.dumps(MODULE.as_uri())}).then(async ({{ odds, loadKinds }}) => {{"
        "  const designs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  await Promise.all(designs.map(loadKinds));"
        "  console.log(JSON.stringify(designs.map((design) => String(odds(design)))));"
        "})"
    )
    in_browser = node("-e", script, input=json.dumps(documents))
    return [float(value) for value in json.loads(in_browser)]


@pytest.mark.parametrize("count", first(1, [80, 300]))
def test_the_odds_of_what_is_hidden_are_the_same_float_as_in_python(node: Node, count: int) -> None:
    """So many random designs (seed 20100607): exact fractions, rounded upwards, to the same last digit.

    Where an answer stays open, the others have odds of their own; else these are γ.
    """
    rng = np.random.default_rng(SEED)
    designs = [random_design(rng) for _ in range(count)]

    assert odds(node, [design.document for design in designs]) == [outward(design.odds) for design in designs]


@pytest.mark.parametrize("name", first(2, EXTREME))
def test_the_odds_of_extreme_designs_are_the_same(node: Node, name: str) -> None:
    """Nothing protected, nothing told, and more than a float can hold."""
    design = Design.parse({"direct": True, "blocks": [EXTREME[name]]})

    assert odds(node, [design.document]) == [outward(design.odds)]


def told(block: Block, sent: list[int | None]) -> Fraction | float:
    """By how much the codes sent can change the odds of what is hidden, by enumeration: of all true answers that which
    makes them most likely, against that which makes them least likely, or where an answer is open against that.
    """
    here = [place for place, code in enumerate(sent) if code is not None]
    codes = [code for code in sent if code is not None]
    item = block.items[here[0]]
    grid = item.grid
    if isinstance(block, PlaceBlock) and not block.mechanism.everywhere and block.certain(np.array([codes]))[0]:
        return Fraction(1)  # it is true, and hides nothing
    if grid is not None:
        field = item.field(optional=False)
        scales = [range(first, first + len(own)) for first, own in zip(grid.firsts, grid.answers, strict=True)]
        truths = [(int(field.join([np.array([at]) for at in place])[0]),) for place in product(*scales)]
    else:
        truths = list(product(*(range(len(block.items[place].options)) for place in here)))
    chances = {truth: block.chance(here, truth, codes) for truth in truths}
    least = min(chances.values())
    if isinstance(block, OneSidedBlock):
        least = chances[tuple(int(block.entry(EXACT)["items"][place]["harmless"]) for place in here)]
    return max(chances.values()) / least if least else math.inf


def by_brute_force(design: Design, record: list[int | None]) -> Fraction | float:
    ends = np.cumsum([len(block.items) for block in design.blocks]).tolist()
    return gammas.product(
        told(block, record[end - len(block.items) : end]) for block, end in zip(design.blocks, ends, strict=True)
    )


@pytest.mark.parametrize("designs", first(1, [60, 200]))
def test_no_record_tells_more_than_the_limit(node: Node, designs: int) -> None:
    """The shared vectors, every kind of block, and 200 random designs with any record, by brute force.

    The limit of the receipt is that of the design: no record has a larger quotient of the largest over the smallest
    chance with which any true answers lead to it.
    """
    rng = np.random.default_rng(SEED)
    pairs = [(Design.parse(vector["design"]), vector["record"]) for vector in VECTORS["disguise"]]
    for _ in range(designs):
        design = random_design(rng)
        record: list[int | None] = []
        for block in design.blocks:
            if isinstance(block, OneOfBlock):  # the other records it can send are below
                record += block.records[rng.integers(len(block.words))].tolist()
                continue
            here = set(rng.choice(len(block.items), block.items_per_person, replace=False).tolist())
            options = [len(item.options) for item in block.items]
            record += [int(rng.integers(many)) if place in here else None for place, many in enumerate(options)]
        pairs.append((design, record))

    limits = odds(node, [design.document for design, _ in pairs])

    assert [pair for limit, pair in zip(limits, pairs, strict=True) if limit < by_brute_force(*pair)] == []


def test_the_bound_is_rounded_up_as_in_python(node: Node) -> None:
    """Whole percent, never below γ / (19 + γ), or γ / (1 + γ) where odds were even: at each whole percent, one float to
    either side, and at random.
    """
    whole = [19 * percent / (100 - percent) for percent in range(5, 100)] + list(range(1, 100))
    beside = [math.nextafter(factor, way) for factor in whole[1:] for way in (0, math.inf)]
    random = np.random.default_rng(SEED).lognormal(3, 3, 1000) + 1
    factors = [*whole, *beside, *random.tolist(), 1e6, 1e300]
    script = (
        f"import({json.dumps(MODULE.as_uri())}).then(({{sure}}) => {{"
        "  const factors = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  const both = one => [sure(one), sure(one, 1n)];"
        "  console.log(JSON.stringify([...factors, Infinity].map(both)));"
        "})"
    )

    in_browser = json.loads(node("-e", script, input=json.dumps(factors)))

    exact = [*map(Fraction, factors), math.inf]
    proven = [[posterior_bound(prior, factor) for prior in (0.05, 0.5)] for factor in exact]
    assert in_browser == [[math.ceil(100 * bound) / 100 for bound in both] for both in proven]


def test_no_figure_is_given_of_a_design_that_is_not_exact(node: Node) -> None:
    """A design made to look harmless, with a chance above 1, is refused instead of measured."""
    item = {"id": "a", "options": ["0", "1"], "noise": [2**31, 2**31]}
    script = (
        f"import({json.dumps(MODULE.as_uri())}).then(({{odds}}) => odds("
        f"{json.dumps({'of': 2**32, 'blocks': [{'keep': 2**33, 'items': [item]}]})}))"
        ".then(console.log, (error) => console.log(error.name))"
    )

    assert node("-e", script) == "RangeError\n"


@pytest.mark.parametrize("records", first(1, [20, 60]))
def test_what_nothing_and_a_loss_word_tell_is_never_more_than_is_said(node: Node, records: int) -> None:
    """At the cap the blank is as likely as steps of 2^-32 allow, and a loss word as its own chance at most."""
    rng = np.random.default_rng(SEED)
    pairs: list[tuple[Design, list[int | None]]] = []
    while len(pairs) < records:
        design = random_design(rng)
        if len(design.blocks) == 1 and isinstance(block := design.blocks[0], OneOfBlock):
            pairs += [(design, record) for record in block.records[len(block.words) :].tolist()]

    said = odds(node, [design.document for design, _ in pairs])

    assert all(one >= by_brute_force(*pair) for one, pair in zip(said, pairs, strict=True))
