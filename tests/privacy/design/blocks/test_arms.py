"""A block in two arms: what it is read from, what it promises, and that its figures are those of the mean of both."""

import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privacy.design import ARM, ARMS, ONE, Design
from privacy.design.blocks import RECIPES
from privacy.design.gammas import of_matrix
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.guarantee import explain
from privacy.guarantee.crowd import promise_of_crowd
from privacy.records import read_records, write_records
from privacy.records.open_columns import read_columns

COIN = {"keep": 0.5, "stronger": {"keep": 0.2}, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.3}]}
FLIPS = {"flips": [0.6, 0.3, 0.1], "stronger": {"flips": [0.4, 0.4, 0.2]}, "items": [{"id": "a"}, {"id": "b"}]}
BOTH = pytest.mark.parametrize("block", [COIN, FLIPS], ids=["coin", "flips"])


def design(block: dict) -> Design:
    return Design.parse({"blocks": [block]})


@BOTH
def test_it_is_read_back_from_both_notations(block: dict) -> None:
    """What people write and what is hashed both describe the same two arms."""
    read = design(block)
    assert Design.parse(read.to_json()) == Design.parse(read.canonical()) == read
    assert read.to_json()["blocks"] == [block]


@pytest.mark.parametrize(
    ("entry", "stronger"),
    [
        ({"keep": 0.5, "stronger": 0.4, "items": COIN["items"]}, {"keep": 0.2}),
        (
            {"flips": [0.6, 0.3, 0.1], "stronger": 0.5, "items": FLIPS["items"]},
            {"flips": pytest.approx([0.425, 0.4, 0.175], abs=1e-9)},
        ),
        ({"model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["a"], "stronger": 0.4}, {"keep": 0.2}),
    ],
)
def test_a_number_says_how_much_of_the_first_arm_the_second_keeps(entry: dict, stronger: dict) -> None:
    """Else it says what tells nothing: noise, or each answer turned over as often as not."""
    assert design(entry).to_json()["blocks"][0]["stronger"] == stronger


@BOTH
def test_it_promises_what_the_weaker_arm_does(block: dict) -> None:
    """γ is the largest ratio in the matrix of either arm, by brute force: which one was drawn is seen."""
    read = design(block)
    assert read.arms is not None
    cells = list(product(range(2), repeat=2))
    ratios = [of_matrix([[arm.blocks[0].chance((0, 1), x, y) for y in cells] for x in cells]) for arm in read.arms]
    assert read.gamma == max(ratios) == ratios[0]
    assert [str(one) for one in explain(read)[:-1]] == [str(one) for one in explain(read.arms[0])]
    assert promise_of_crowd(read, 500).epsilon == max(promise_of_crowd(arm, 500).epsilon for arm in read.arms)


@BOTH
def test_figures_are_read_from_the_mean_of_both_arms(block: dict) -> None:
    """Exactly what both do to records of which nobody looks at the arm, in every pattern."""
    read = design(block)
    (own,) = read.blocks
    for text in ("a", "!b", "a,b", "a,!b"):
        pattern = parse_pattern(text, read)
        literals = dict(pattern.literals)
        for truth in product(range(2), repeat=2):
            matched = sum(
                own.chance((0, 1), truth, sent)
                for sent in product(range(2), repeat=2)
                if all(sent[column] in options for column, options in literals.items())
            )
            by_arms = [
                sum(
                    arm.chance((0, 1), truth, sent)
                    for sent in product(range(2), repeat=2)
                    if all(sent[column] in options for column, options in literals.items())
                )
                for arm in own.arms
            ]
            assert matched == sum(by_arms) / 2
            table = np.zeros((2, 2))
            table[truth] = 1.0
            for part in own.patterns.along([0, 1], [0, 1], (2, 2)):
                table = part.disguise(table)
            share = sum(
                table[cell] for cell in product(range(2), repeat=2) if all(cell[c] in o for c, o in literals.items())
            )
            assert share == pytest.approx(float(matched), abs=4 / ONE)


def test_each_record_says_which_arm_it_is_of() -> None:
    """Drawn by one word, the weaker arm by its lower half; nobody's answers survive in the stronger arm here."""
    block = {"keep": 1 - 2**-32, "stronger": {"keep": 2**-31}, "items": [{"id": "a", "theta": 2**-31}]}
    records = disguise(design(block), np.ones((1000, 1), np.uint8), take=words_from_seed(5))
    drawn = records.open_columns[ARM]
    words = words_from_seed(5)(1000)
    assert drawn.tolist() == [ARMS[int(word >= 2**31)] for word in words.tolist()]
    assert records.codes[:, 0].tolist() == [int(arm == "weaker") for arm in drawn]


def test_files_of_records_hold_the_arm(tmp_path) -> None:
    """As the last column; shares alone are read without it."""
    records = disguise(design(FLIPS), np.ones((50, 2), np.uint8), take=words_from_seed(1))
    for name in ("records.csv", "records.jsonl", "records.parquet"):
        write_records(records, tmp_path / name)
        assert read_columns(tmp_path / name)[ARM].tolist() == records.open_columns[ARM].tolist()
        assert (read_records(tmp_path / name, records.design).codes == records.codes).all()


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (COIN | {"stronger": {"keep": 0.6}}, "must disguise more than the first"),
        (COIN | {"stronger": 1.0}, "must disguise more than the first"),
        (COIN | {"stronger": {"flips": [1, 0]}}, "the key 'flips' is unknown here; known keys are keep."),
        (COIN | {"ask": 1, "coin": "each"}, "'each' cannot have two arms"),
        (COIN | {"items": [{"id": "arm", "theta": 0.5}]}, "the item 'arm' has the name of the column of arms."),
        ({"model": "warner", "theta": 0.7, "items": ["a", "b"], "stronger": 0.5}, "two arms need one coin"),
    ],
)
def test_what_cannot_be_two_arms_is_refused(block: dict, said: str) -> None:
    """In one sentence that says why."""
    with pytest.raises(InputError, match=re.escape(said)):
        design(block)


def test_one_block_alone_can_be_in_two_arms() -> None:
    """A record says one arm."""
    other = COIN | {"items": [{"id": "c", "theta": 0.5}]}
    with pytest.raises(InputError, match="only one block of a design"):
        Design.parse({"blocks": [COIN, other]})


def test_the_forms_write_two_arms() -> None:
    """As those of one coin and of flips do, with what the second arm keeps."""
    coin = RECIPES["coin-arms"].write({"keep": 0.5, "stronger": 0.4}, [{"id": "a", "theta": 0.6}])
    flips = RECIPES["flip-arms"].write({"gamma": 19, "radius": 0, "stronger": 0.5}, [{"id": "a"}, {"id": "b"}])
    made = [Design.parse({"blocks": own}) for own in (coin, flips)]
    assert [float(Fraction(one.arms[1].gamma)) for one in made if one.arms] == pytest.approx(
        [1 + 0.2 / 0.8 / 0.4, (0.5 * 19 / 22 + 0.125) / (0.5 / 22 + 0.125)], rel=1e-6
    )
