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

from papers import breach
from privacy.design import Block, Design
from privacy.design.blocks import matrix
from privacy.design.gammas import of_matrix
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.guarantee import guarantee
from privacy.guarantee.breach import belief, posterior

SEED = 20031106
DRAWS = 40_000
SHORT = {"id": "drinks", "min": 0, "max": 9, "step": 1}
BLOCKS: dict[str, dict[str, Any]] = {
    "open uniform": {"number": "uniform", "spread": 3, "edge": "open"},
    "open uniform with a mix": {"number": "uniform", "spread": 3, "mix": 0.4},
    "wrapped uniform": {"number": "uniform", "spread": 14, "edge": "wrap"},
    "wrapped uniform with a mix": {"number": "uniform", "spread": 2, "edge": "wrap", "mix": 0.7},
    "square wave": {"number": "square-wave", "epsilon": 1},
}


def design(block: dict[str, Any], item: dict[str, Any] = SHORT, direct: bool = False) -> Design:
    return Design.parse({"candor": 1, "direct": direct, "blocks": [{**block, "items": [item]}]})


def block(name: str) -> Block:
    return design(BLOCKS[name]).blocks[0]


def declared(settings: dict[str, Any], steps: int = 10) -> list[list[Fraction]]:
    """The channel by the words of the format, written down again: line, edge, mix."""
    own = Design.parse({"blocks": [{**settings, "items": [{**SHORT, "max": steps - 1}]}]}).document["blocks"][0]
    one, rows = 2**32, []
    reach = own["reach"]
    for x in range(steps):
        line = [Fraction(0)] * (steps + 2 * reach)
        for place in range(len(line)):
            away = abs(place - reach - x)
            if own["number"] == "uniform":
                line[place] = Fraction(away <= reach, 2 * reach + 1)
            elif away <= reach:
                line[place] = Fraction(own["inside"], one * (2 * reach + 1))
            else:
                line[place] = Fraction(one - own["inside"], one * (steps - 1))
        edge = own.get("edge", "open")
        row = line if edge == "open" else [Fraction(0)] * steps
        for place, chance in enumerate(line):
            number = place - reach
            if edge == "wrap":
                row[number % steps] += chance
        mix = Fraction(own.get("mix", one), one)
        rows.append([mix * chance + (1 - mix) / len(row) for chance in row])
    return rows


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


@given(
    st.sampled_from(["uniform", "square-wave"]),
    st.sampled_from(["open", "wrap"]),
    st.integers(1, 30),
    st.integers(1, 40),
    st.sampled_from([1, 0.5, 0.25]),
)
def test_it_is_read_back_from_both_notations(noise: str, edge: str, strength: int, count: int, step: float) -> None:
    """What people write and what is hashed both describe the same design, whatever its steps."""
    own: dict[str, Any] = {"spread": strength * step, "edge": edge, "mix": 0.9}
    own = {"epsilon": strength / 4} if noise == "square-wave" else own
    item = {"id": "x", "min": -2, "max": -2 + count * step, "step": step}
    written = design({"number": noise, **own}, item, direct=True)

    assert Design.parse(written.to_json()) == written
    assert Design.parse(written.canonical()) == written
    assert written.to_json()["blocks"][0] == {"number": noise, **own, "items": [item]}


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
    settings = BLOCKS["square wave"]
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


def of_zero(own: Design) -> list[Fraction]:
    """The chance of the record 0 for each of the 1001 numbers."""
    return [own.blocks[0].chance([0], [x], [0]) for x in range(1001)]


def test_the_third_operator_of_the_paper_is_a_wrapped_uniform_noise_with_a_mix() -> None:
    """Table 1 again through a design: R₃ is uniform ±100 modulo 1001 kept with one half, and γ = 1 + 1001/201."""
    thousand = {"id": "x", "min": 0, "max": 1000, "step": 1}
    second = design({"number": "uniform", "spread": 100, "edge": "wrap"}, thousand)
    third = design({"number": "uniform", "spread": 100, "edge": "wrap", "mix": 0.5}, thousand)
    prior = np.array([Fraction(1, 100)] + [Fraction(99, 100_000)] * 1000)
    outside = [x for x in range(1001) if not 200 <= x <= 800]

    after = {
        name: posterior(prior, np.array([[chance, 1 - chance] for chance in of_zero(own)]), 0)
        for name, own in (("R2", second), ("R3", third))
    }

    printed = [breach.percent_text(belief(after[name], inputs)) for name in after for inputs in ([0], outside)]
    assert printed == ["4.808 %", "100 %", "2.937 %", "70.77 %"]
    assert (second.gamma, third.gamma) == (math.inf, 1 + Fraction(1001, 201))
    assert f"{float(third.gamma):.2f}" == "5.98"


def test_an_age_with_uniform_noise_alone_is_the_breach_that_it_is() -> None:
    """Age + uniform[−50, 50]: γ is infinite, a belief of 30 % can become 100 %, and the block is for study alone."""
    age = design({"number": "uniform", "spread": 50, "edge": "open"}, {"id": "age", "min": 0, "max": 99, "step": 1})

    promise = guarantee(age, prior=0.3)

    assert (promise.gamma, promise.posterior, age.leaks) == (math.inf, 1, True)
    assert promise.to_json()["gamma"] == "Infinity"


def test_a_mix_makes_the_same_noise_fit_for_people() -> None:
    """Kept with a quarter, else any number from −50 to 149: γ = 1 + (1/4·1/101) / (3/4·1/200)."""
    settings = {"number": "uniform", "spread": 50, "mix": 0.25}
    age = design(settings, {"id": "age", "min": 0, "max": 99, "step": 1})

    assert age.gamma == 1 + Fraction(200, 3 * 101)
    assert not age.leaks


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
        ({"number": "laplace", "spread": 3}, "number: 'laplace' is not one of uniform, square-wave."),
        (
            {"number": "uniform", "spread": 0.5},
            "spread: 0.5 is less than one step of 1.0, so nothing would be disguised.",
        ),
        ({"number": "uniform", "spread": 0}, "spread: 0 is not above 0."),
        ({"number": "uniform"}, "spread is missing."),
        ({"number": "uniform", "spread": 3, "edge": "round"}, "edge: 'round' is not one of open, wrap."),
        ({"number": "square-wave", "epsilon": 2, "mix": 0.5}, "the key 'mix' is unknown here"),
        ({"number": "uniform", "spread": 3, "mix": 0}, "mix: 0 keeps no number, so nothing could be recovered."),
        ({"number": "uniform", "spread": 3, "mix": 1.5}, "mix: 1.5 is outside 0 to 1."),
        ({"number": "uniform", "spread": 40_000}, "step: records would have 80010 steps, more than 65536"),
        ({"number": "square-wave", "epsilon": 0}, "epsilon: 0 is not above 0 and at most 20."),
        ({"number": "square-wave", "epsilon": 21}, "epsilon: 21 is not above 0 and at most 20."),
        ({"number": "square-wave", "epsilon": 1, "edge": "open"}, "the key 'edge' is unknown here"),
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
        design({"number": "uniform", "spread": 3}, item)

    assert str(refusal.value).startswith("blocks[0].items[0]")


def test_two_numbers_in_one_block_are_refused() -> None:
    """Each has a noise of its own."""
    with pytest.raises(InputError, match="a number needs its own block"):
        Design.parse({"blocks": [{"number": "uniform", "spread": 3, "items": [SHORT, {**SHORT, "id": "b"}]}]})


def test_noise_that_leaves_nothing_is_refused() -> None:
    """Uniform over exactly one turn of the wrapped range: every record is as likely, whatever the truth."""
    with pytest.raises(InputError, match="every record is equally likely for every truth"):
        design({"number": "uniform", "spread": 5, "edge": "wrap"}, {**SHORT, "max": 10})


def test_an_answer_outside_the_range_is_refused_before_it_is_disguised() -> None:
    """A record may be −3; a person cannot answer so."""
    with pytest.raises(InputError, match=r"column 'drinks': -3 is no answer; answers are from 0 to 9\."):
        disguise(design(BLOCKS["open uniform"]), np.array([[0]]))


def test_a_record_at_the_very_end_is_known_to_be_certain() -> None:
    """Only 0 becomes −3 and only 9 becomes 12; with a mix nothing is certain."""
    records = np.array([[0], [1], [14], [15]])

    assert block("open uniform").certain(records).tolist() == [True, False, False, True]
    assert not block("open uniform with a mix").certain(records).any()
