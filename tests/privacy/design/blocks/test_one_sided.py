"""The one-sided kind: a harmless answer is turned with the chance g, the other one stays, and the promise says so."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from mining.engines.columns import columns_of
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.blocks import matrix
from privacy.design.rationals import ONE
from privacy.disguise import disguise
from privacy.guarantee import guarantee, outward
from privacy.guarantee.breach import worst_breach
from privacy.plan import Brief, errors_of_design, yes_no
from privacy.reconstruct import reconstruct
from privacy.reconstruct.group_difference import leak
from privacy.records import Records
from tests.commands import Shell
from tests.privacy.disguise.words import given_words
from tests.refusals import refusal_of

TWO = {"one-sided": 0.5, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]}
EXACT = {
    "one-sided": ONE // 2,
    "items": [
        {"id": "a", "options": ["0", "1"], "harmless": "0"},
        {"id": "b", "options": ["0", "1"], "harmless": "1"},
    ],
}


def design(*blocks: dict[str, Any], direct: bool = False) -> Design:
    return Design.parse({"direct": direct, "blocks": list(blocks)})


def test_both_notations_say_the_chance_and_the_harmless_answers() -> None:
    """People write g as a decimal; what is hashed and what the browser reads holds the numerator and the options."""
    of = design(TWO)

    assert of.to_json()["blocks"] == [TWO]
    assert of.document["blocks"] == [EXACT]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (TWO | {"one-sided": 1.5}, "blocks[0].one-sided: 1.5 is outside 0 to 1."),
        (TWO | {"one-sided": 0}, "blocks[0].one-sided: 0 turns no harmless answer, so nothing would be disguised."),
        (
            TWO | {"one-sided": 1},
            "blocks[0].one-sided: 1 turns every harmless answer, so nothing could be recovered without a direct group.",
        ),
        (
            {"one-sided": 0.5, "items": [{"id": "a"}]},
            "blocks[0].items[0]: harmless is missing.",
        ),
        (
            {"one-sided": 0.5, "items": [{"id": "a", "options": ["x", "y"], "harmless": "0"}]},
            "blocks[0].items[0]: 'a' is not a yes/no item with a harmless answer.",
        ),
        (
            TWO | {"coin": "each"},
            "blocks[0]: the key 'coin' is unknown here; known keys are one-sided, items, ask, by, draw.",
        ),
        (TWO | {"ask": 3}, "blocks[0].ask: 3 is not from 1 to the 2 items of the block."),
    ],
)
def test_what_cannot_work_is_refused(block: dict[str, Any], said: str) -> None:
    """Each refusal is one sentence with its place: a chance, a missing mark, options, a shared coin, too many asked."""
    assert refusal_of(lambda: design(block)) == said


def test_a_word_below_g_turns_a_harmless_answer_and_no_other() -> None:
    """One word for each asked item, in order, whatever its answer; the other answer always stays."""
    words = np.array([ONE // 2 - 1, ONE // 2, 0, 0], np.uint32)
    truth = np.array([[0, 1], [1, 0]], np.uint8)

    codes = disguise(design(TWO), truth, take=given_words(words)).codes

    assert codes.tolist() == [[1, 1], [1, 0]]


def test_gamma_is_infinite_and_the_odds_are_one_over_g(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`candor guarantee --json` says of one item γ "Infinity" and odds 1/g, for the block and in total.

    Beside the bound that γ sets stands the one that the odds set, which the table prints: 5 % becomes at most 4/23.
    """
    path = tmp_path / "design.json"
    path.write_text(json.dumps({"blocks": [{"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]}]}))

    assert main(["guarantee", str(path), "--json"]) == 0

    figures = {
        "gamma": "Infinity",
        "epsilon": "Infinity",
        "odds": 4.0,
        "posterior": 1.0,
        "posterior_odds": outward(Fraction(4, 23)),
    }
    block = figures | {"asked": 1, "items": [{"id": "a", **figures}]}
    assert json.loads(capsys.readouterr().out) == figures | {"prior": 0.05, "blocks": [block]}


def test_the_table_says_what_is_not_protected(tmp_path: Path, shell: Shell) -> None:
    """Beside an infinite γ the odds stand, and the bound on what someone can come to believe is theirs."""
    path = tmp_path / "design.json"
    path.write_text(json.dumps({"blocks": [{"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]}]}))

    lines = shell.out("guarantee", str(path)).splitlines()
    assert lines[0].split("  ")[-1].strip() == "0.05 becomes at most"
    assert lines[1].split() == ["whole", "record", "1", "inf", "inf", "4", "0.173914"]
    assert "a harmless answer in a record is true" in lines[5]


@given(st.integers(1, ONE - 1), st.lists(st.sampled_from("01"), min_size=1, max_size=3), st.data())
def test_the_odds_are_the_largest_of_the_matrix_against_harmless_answers(
    turned: int, harmless: list[str], data: st.DataObject
) -> None:
    """(1/g)^s is the largest P(y|x)/P(y|0), 0 the harmless answers; of one item, the others being equal, it is 1/g."""
    items = [{"id": f"i{j}", "options": ["0", "1"], "harmless": answer} for j, answer in enumerate(harmless)]
    blocks = [{"one-sided": turned, "items": items}]
    of = Design.parse({"candor": 1, "direct": False, "of": ONE, "blocks": blocks})
    (block,) = of.blocks
    cells = list(product((0, 1), repeat=len(items)))
    rows = dict(zip(cells, matrix(block), strict=True))
    none = tuple(map(int, harmless))

    def largest(x: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
        """Of the odds of x against the other, over the records that either can give."""
        pairs = [(a, b) for a, b in zip(rows[x], rows[other], strict=True) if a]
        return max(a / b for a, b in pairs)

    assert of.gamma == math.inf
    assert of.odds == block.odds == max(largest(x, none) for x in cells if x != none)
    place = data.draw(st.integers(0, len(items) - 1))
    did = [x for x in cells if x[place] != none[place]]
    without = [(*x[:place], none[place], *x[place + 1 :]) for x in did]
    assert block.item_odds(place) == max(map(largest, did, without)) == Fraction(ONE, turned)


@given(st.data())
def test_no_belief_makes_the_odds_of_anything_against_harmless_answers_grow_more(data: st.DataObject) -> None:
    """Whatever the prior over two items and a coin beside them: the odds grow at most by those of the design."""
    of = design(
        {"one-sided": data.draw(st.integers(10, 90)) / 100, "items": [{"id": n, "harmless": "0"} for n in "ab"]},
        {"keep": 0.3, "items": [{"id": "c", "theta": 0.6}]},
    )
    prior = [Fraction(data.draw(st.integers(0, 20))) for _ in range(8)]
    rows = [[p * q for p in first for q in second] for first in matrix(of.blocks[0]) for second in matrix(of.blocks[1])]
    event = data.draw(st.sets(st.integers(2, 7), min_size=1))  # some in which a or b is not the harmless answer
    others = [0, 1]  # both harmless, whatever c is
    for y in range(8):
        did, before_did = sum(prior[x] * rows[x][y] for x in event), sum(prior[x] for x in event)
        none, before_none = sum(prior[x] * rows[x][y] for x in others), sum(prior[x] for x in others)
        assert did * before_none <= of.odds * none * before_did


@given(st.data())
def test_several_blocks_promise_together(data: st.DataObject) -> None:
    """Whatever the prior over two blocks with different harmless answers: the odds that any is not harmless."""
    shares = [data.draw(st.integers(10, 90)) / 100 for _ in range(2)]
    marked = [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]
    blocks = [{"one-sided": g, "items": [item]} for g, item in zip(shares, marked, strict=True)]
    of = design(*blocks)
    prior = [Fraction(data.draw(st.integers(0, 20))) for _ in range(4)]
    rows = [[p * q for p in first for q in second] for first in matrix(of.blocks[0]) for second in matrix(of.blocks[1])]
    harmless = 1  # a = 0, b = 1
    before = sum(prior) - prior[harmless]

    for y in range(4):
        other = sum(prior[x] * rows[x][y] for x in range(4) if x != harmless)
        assert other * prior[harmless] <= of.odds * prior[harmless] * rows[harmless][y] * before


def test_no_block_promises_for_itself_where_there_are_two() -> None:
    """A prior of "both or neither" makes one block's harmless answer tell the other's: 5 % becomes certainty."""
    of = design(*({"one-sided": 0.5, "items": [{"id": n, "harmless": h}]} for n, h in ("a0", "b1")))
    truths = {(1, 1): Fraction(1, 20), (0, 0): Fraction(19, 20)}  # a = 1 is not harmless, b = 1 is

    seen = {
        x: share * of.blocks[0].chance([0], x[:1], (1,)) * of.blocks[1].chance([0], x[1:], (1,))
        for x, share in truths.items()
    }

    assert seen[1, 1] / sum(seen.values()) == 1


def test_who_believes_that_one_of_two_did_it_learns_from_a_harmless_answer() -> None:
    """What no one-sided kind can promise: the prior "a or b, and not both" makes b's true "no" accuse a."""
    of = design({"one-sided": 0.5, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "0"}]})
    prior = np.array([Fraction(0), Fraction(1, 2), Fraction(1, 2), Fraction(0)])

    breach = worst_breach(prior, np.array(matrix(of.blocks[0]), dtype=object))

    assert breach.after == 1


def test_a_sampled_block_promises_for_the_items_asked() -> None:
    """With two of three asked the odds are (1/g)², whichever they are; beside a coin the promises multiply."""
    block = {"one-sided": 0.25, "ask": 2, "items": [{"id": n, "harmless": "0"} for n in "abc"]}
    coin = {"keep": 0.3, "items": [{"id": "d", "theta": 0.6}]}

    assert design(block).odds == 16
    assert design(block, coin).odds == 16 * design(coin).gamma
    assert guarantee(design(coin)).leaves_open is False


def exact_records(direct: bool) -> tuple[Records, np.ndarray]:
    """Every record as often as it is expected at g = ½, from 16 people of each truth times 3, 2, 1 and 4."""
    of, times = design(TWO, direct=True), [3, 2, 1, 4]
    rows, plain = [], []
    cells = list(product((0, 1), repeat=2))
    for x, row, often in zip(cells, matrix(of.blocks[0]), times, strict=True):
        plain += [x] * (16 * often)
        for y, chance in zip(cells, row, strict=True):
            rows += [y] * int(16 * often * chance)
    codes = np.array(rows + (plain if direct else []), np.uint8)
    flags = np.array([False] * len(rows) + [True] * (len(plain) if direct else 0))
    return Records(of, codes, flags), np.array(times).reshape(2, 2) / 10


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("direct", [False, True], ids=["disguised alone", "half of them direct"])
def test_every_estimator_recovers_the_truth_from_what_is_expected(estimator: str, direct: bool) -> None:
    """From records exactly as often as expected every estimator, the joint table and the miner give the true shares.

    The combined one leaves each direct answer out of the weight that multiplies it, which costs a thousandth here.
    """
    records, truth = exact_records(direct)
    near = 1e-3 if direct and estimator == "combined" else 1e-12
    shares = {"a": truth[1].sum(), "!b": truth[:, 0].sum(), "a,b": truth[1, 1], "!a,!b": truth[0, 0]}

    report = reconstruct(records, list(shares), estimator=estimator)

    expected = list(shares.values())
    assert [figures.support for figures in report.patterns] == pytest.approx(expected, abs=near)
    table = candor.table(records, ["a", "b"], estimator=estimator)
    np.testing.assert_allclose(table.support, truth, atol=near)
    mined = columns_of(
        mine([(records.codes, records.direct)], records.design, MiningRequest(0.01, 0, 2, True, estimator))
    )
    named = {",".join(sorted(mined.names(place))): place for place in range(len(mined.items))}
    assert mined.itemsets["support"][named["a,b"]] == pytest.approx(truth[1, 1], abs=near)


def test_records_of_harmless_answers_alone_are_surely_true() -> None:
    """Leak names them alone."""
    records, _ = exact_records(direct=False)

    assert (records.codes[leak(records).rows] == (0, 1)).all()


def test_its_standard_errors_are_those_of_the_matrix() -> None:
    """n·Var = π(1−π) + (1−π) g/(1−g) for one item: a true yes weighs 1, a true no 1 or −g/(1−g)."""
    g, prevalence = 0.25, 0.1
    of = design({"one-sided": g, "items": [{"id": "item1", "harmless": "0"}]})

    (error,) = errors_of_design(of, Brief(yes_no(1, prevalence), 100, Fraction(4), 1)).expected

    assert error == pytest.approx(math.sqrt((prevalence * (1 - prevalence) + (1 - prevalence) * g / (1 - g)) / 100))
