"""A number with noise: what a design declares of it is what it does, and what is promised of it is exact."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import chisquare

from privacy.design import Block, Design
from privacy.design.blocks import matrix
from privacy.design.gammas import of_matrix
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError

SEED = 20031106
DRAWS = 40_000
SHORT = {"id": "drinks", "min": 0, "max": 9, "step": 1}
BLOCKS: dict[str, dict[str, Any]] = {
    f"square wave {epsilon:g}": {"number": "square-wave", "epsilon": epsilon} for epsilon in (0.2, 1, 3)
}


def design(block: dict[str, Any], item: dict[str, Any] = SHORT, direct: bool = False) -> Design:
    return Design.parse({"candor": 1, "direct": direct, "blocks": [{**block, "items": [item]}]})


def block(name: str) -> Block:
    return design(BLOCKS[name]).blocks[0]


def declared(settings: dict[str, Any], steps: int = 10) -> list[list[Fraction]]:
    """The channel by the words of the format, written down again."""
    own = Design.parse({"blocks": [{**settings, "items": [{**SHORT, "max": steps - 1}]}]}).document["blocks"][0]
    reach, inside = own["reach"], Fraction(own["inside"], 2**32)
    near, far = inside / (2 * reach + 1), (1 - inside) / (steps - 1)
    return [
        [near if abs(place - reach - x) <= reach else far for place in range(steps + 2 * reach)] for x in range(steps)
    ]


@pytest.mark.parametrize("name", BLOCKS)
def test_its_chances_are_those_of_the_format(name: str) -> None:
    """P(sent | truth) of every number and every record, exactly; each row sums to 1."""
    chances = matrix(block(name))

    assert chances == declared(BLOCKS[name])
    assert [sum(row) for row in chances] == [1] * 10


@pytest.mark.parametrize("name", BLOCKS)
def test_its_gamma_is_that_of_the_matrix(name: str) -> None:
    """Worked out from the ends of the line alone, it is the largest ratio in any column."""
    assert block(name).gamma == of_matrix(declared(BLOCKS[name]))


@pytest.mark.parametrize("name", BLOCKS)
def test_its_bins_are_means_of_the_matrix(name: str) -> None:
    """The channel from bins to records is the matrix, averaged over the numbers of each bin."""
    rows = np.array(declared(BLOCKS[name]), dtype=float)

    shares = block(name).distribution((4,))

    means = [rows[start:stop].mean(axis=0) for start, stop in ((0, 2), (2, 5), (5, 7), (7, 10))]
    np.testing.assert_allclose(shares.wide, means, rtol=0, atol=1e-12)
    assert shares.edges == [0, 2, 5, 7, 10]


@given(st.integers(1, 30), st.integers(1, 40), st.sampled_from([1, 0.5, 0.25]))
def test_it_is_read_back_from_both_notations(strength: int, count: int, step: float) -> None:
    """What people write and what is hashed both describe the same design, whatever its steps."""
    item = {"id": "x", "min": -2, "max": -2 + count * step, "step": step}
    written = design({"number": "square-wave", "epsilon": strength / 4}, item, direct=True)

    assert Design.parse(written.to_json()) == written
    assert Design.parse(written.canonical()) == written
    assert written.to_json()["blocks"][0] == {"number": "square-wave", "epsilon": strength / 4, "items": [item]}


@pytest.mark.parametrize("name", BLOCKS)
def test_records_come_as_often_as_declared(name: str) -> None:
    """Counted from outside for the ends and a middle: 4·10^4 records each agree with the matrix, χ² at 10^-6."""
    own, rows, take = design(BLOCKS[name]), declared(BLOCKS[name]), words_from_seed(SEED)
    first = own.items[0].grid.firsts[0]
    worst = 1.0
    for truth in (0, 4, 9):
        codes = disguise(own, np.full((DRAWS, 1), truth + first), take=take).codes[:, 0]
        expected = np.array(rows[truth], dtype=float) * DRAWS
        counts = np.bincount(codes, minlength=len(expected))
        assert counts[expected == 0].sum() == 0
        common = expected >= 5
        seen = [*counts[common], counts[~common].sum()]
        due = [*expected[common], max(expected[~common].sum(), 1e-9)]
        if due[-1] < 5:
            seen, due = seen[:-1], [value * sum(seen[:-1]) / sum(due[:-1]) for value in due[:-1]]
        worst = min(worst, chisquare(seen, due).pvalue)

    assert worst > 1e-6


def test_the_browser_sends_records_as_often_as_declared(run_disguise: Any) -> None:
    """The shipped module as a black box: 8 000 records of the number 4 agree with the matrix, χ² at 10^-6."""
    settings = BLOCKS["square wave 1"]
    own, row = design(settings), np.array(declared(settings)[4], dtype=float)
    draws = 8_000

    counts = run_disguise(own, 4 + own.items[0].grid.firsts[0], draws, len(row))

    assert counts[row == 0].sum() == 0
    common = row * draws >= 5
    due = row[common] * counts[common].sum() / row[common].sum()
    assert chisquare(counts[common], due).pvalue > 1e-6


@pytest.fixture
def run_disguise(node: Any) -> Any:
    browser = Path(__file__).parents[4] / "privacy" / "disguise" / "browser"
    script = (
        f"import('{browser.as_uri()}/disguise.js')"
        ".then(async ({ disguise, loadKinds }) => {"
        "  const { design, truth, draws, size } = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "  await loadKinds(design); const counts = Array(size).fill(0);"
        "  for (let draw = 0; draw < draws; draw += 1) counts[disguise(design, [truth], [true])[0]] += 1;"
        "  console.log(JSON.stringify(counts)); })"
    )

    def run(own: Design, truth: int, draws: int, size: int) -> np.ndarray:
        job = {"design": own.document, "truth": truth, "draws": draws, "size": size}
        return np.array(json.loads(node("-e", script, input=json.dumps(job))))

    return run


@pytest.mark.parametrize(
    ("epsilon", "steps", "reach"),
    [(1, 100, 25), (2, 100, 13), (3, 100, 6), (2, 61, 8), (0.0001, 100, 50), (20, 100, 1)],
)
def test_the_square_wave_reaches_as_far_as_its_formula(epsilon: float, steps: int, reach: int) -> None:
    """b of Li et al. (2020) in whole steps: .256, .129 and .064 of the range for ε = 1, 2, 3; at least a step."""
    item = {"id": "x", "min": 0, "max": steps - 1, "step": 1}

    own = design({"number": "square-wave", "epsilon": epsilon}, item)

    assert own.document["blocks"][0]["reach"] == reach
    assert own.fields[0].size == steps + 2 * reach
    assert math.log(own.gamma) <= epsilon
    assert epsilon - math.log(own.gamma) < 4e-3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"number": "laplace", "spread": 3}, "number: 'laplace' is not one of square-wave."),
        ({"number": "square-wave"}, "epsilon is missing."),
        ({"number": "square-wave", "epsilon": 2, "mix": 0.5}, "the key 'mix' is unknown here"),
        ({"number": "square-wave", "epsilon": 0}, "epsilon: 0 is not above 0 and at most 20."),
        ({"number": "square-wave", "epsilon": 21}, "epsilon: 21 is not above 0 and at most 20."),
        ({"number": "square-wave", "epsilon": 1e-11}, "inside: a near step must be more likely than a far one."),
    ],
)
def test_a_noise_that_cannot_be_is_refused(settings: dict[str, Any], said: str) -> None:
    """One sentence, with the place, the value and the rule."""
    with pytest.raises(InputError, match=said.replace(".", r"\.")) as refusal:
        design(settings)

    assert str(refusal.value).startswith("blocks[0]")


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"id": "x", "min": 0, "max": 10, "step": 3}, "step: from 0 to 10 are no whole steps of 3."),
        ({"id": "x", "min": 0, "max": 10, "step": 0}, "step: the step 0 is not above 0."),
        ({"id": "x", "min": 5, "max": 5, "step": 1}, "max: max 5 is not above min 5."),
        (
            {"id": "x", "min": 0, "max": 100_000, "step": 1},
            "step: 100001 steps are more than 65536; take a larger step.",
        ),
        ({"id": "x", "max": 10}, "min is missing."),
        ({"id": "x", "min": math.nan, "max": 10}, "min: nan is not a number."),
        ({"id": "x", "min": 0, "max": math.inf}, "max: inf is too large a number."),
        ({"id": "x", "min": 0, "max": 10, "options": ["a"]}, "the key 'options' is unknown here"),
    ],
)
def test_a_range_that_is_no_grid_is_refused(item: dict[str, Any], said: str) -> None:
    """One sentence, with the place, the value and the rule."""
    with pytest.raises(InputError, match=said.replace(".", r"\.")) as refusal:
        design(BLOCKS["square wave 1"], item)

    assert str(refusal.value).startswith("blocks[0].items[0]")


def test_two_numbers_in_one_block_are_refused() -> None:
    """Each has a noise of its own."""
    with pytest.raises(InputError, match="a number needs its own block"):
        Design.parse({"blocks": [{**BLOCKS["square wave 1"], "items": [SHORT, {**SHORT, "id": "b"}]}]})


def test_an_answer_outside_the_range_is_refused_before_it_is_disguised() -> None:
    """A record may be −2; a person cannot answer so."""
    with pytest.raises(InputError, match=r"column 'drinks': -2 is no answer; answers are from 0 to 9\."):
        disguise(design(BLOCKS["square wave 1"]), np.array([[0]]))
