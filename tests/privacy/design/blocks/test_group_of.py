"""Group-of blocks: words of a long list in groups, of which a record names one; its promise and its figures."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import ONE, Design, Item
from privacy.design.blocks.one_of.group_of import GroupOfBlock, groups_of_words
from privacy.design.blocks.one_of.lists import list_block, words_up_to
from privacy.design.gammas import of_matrix
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.cells import PatternCells, WholeRecords
from privacy.estimate.figures import CellFigures, figures
from privacy.estimate.power import line_of_pattern
from privacy.estimate.sampling import CellSums
from privacy.reconstruct import reconstruct

GAMMA = Fraction(19)


def a_list(count: int, longest: int, cap: Fraction, buckets: int, **more: Any) -> GroupOfBlock:
    items = [Item(f"q{number}") for number in range(count)]
    words = words_up_to(items, [0] * count, longest)
    gamma, even = more.pop("gamma", GAMMA), [Fraction(1)] * longest
    made = list_block(items, [0] * count, gamma, cap, words, even, groups=buckets, **more)
    assert isinstance(made, GroupOfBlock)
    return made


@pytest.mark.parametrize("buckets", [2, 3, 7, 79])
def test_each_two_words_share_exactly_one_group(buckets: int) -> None:
    groups = groups_of_words(min(buckets**2, 200), buckets)

    assert all(len(np.intersect1d(one, other)) == 1 for one, other in combinations(groups[::3], 2))
    assert groups.max() < buckets * (buckets + 1)


@given(
    st.sampled_from([(4, 1, 2), (4, 1, 3), (5, 2, 5)]),
    st.fractions(1, 3, max_denominator=4),
    st.fractions(Fraction(3, 2), 40, max_denominator=10),
    st.sampled_from([0, 1]),
    st.integers(0, 10).map(lambda tenths: Fraction(tenths, 10)),  # as JSON writes it
)
def test_groups_keep_the_gamma_they_are_made_for(
    size: tuple[int, int, int], cap: Fraction, gamma: Fraction, loss: int, spare: Fraction
) -> None:
    """By the whole matrix in fractions."""
    count, longest, buckets = size
    made = a_list(count, longest, cap, buckets, gamma=gamma, loss=Fraction(loss), spare=spare)
    design = Design((made,), direct=False)

    sent = made.numerators(np.array([*product((0, 1), repeat=count)])).tolist()
    channel = [[Fraction(one, ONE) for one in (*row, ONE - sum(row))] for row in sent]

    assert Design.parse(design.to_json()) == design == Design.parse(design.canonical())
    assert all(sum(row) == 1 and min(row) >= 0 for row in channel)
    assert of_matrix(channel) <= made.gamma <= gamma


def figures_of(block: GroupOfBlock, text: str, people: np.ndarray) -> CellFigures:
    """The figures of the mean of all records, by whole channels."""
    design = Design((block,), direct=False)
    pattern = PatternCells(design, parse_pattern(text, design))
    chances = block.numerators(people).sum(axis=0) / ONE
    chances = np.append(chances, len(people) - chances.sum()) / len(people)
    shown = WholeRecords(design, block.records.astype(np.uint8), np.zeros(len(block.records), bool))
    cells = pattern.cell_of(shown)
    counts = np.rint(np.bincount(cells, chances, 2 * pattern.count) * 1e12).astype(np.int64)
    return figures(pattern, CellSums.alike(counts, int(counts.sum())), "stratified", "available")


PATTERNS = {"q0": [(0, 1)], "!q0": [(0, 0)], "q0,q1": [(0, 1), (1, 1)], "q0,!q1": [(0, 1), (1, 0)]}


@pytest.mark.parametrize("text", PATTERNS)
def test_figures_are_exact_where_people_have_one_word(text: str) -> None:
    people = np.array([row for row in product((0, 1), repeat=7) if sum(row) <= 1], np.uint8)
    block = a_list(7, 2, Fraction(2), 7)

    truth = np.logical_and.reduce([people[:, place] == code for place, code in PATTERNS[text]]).mean()

    assert figures_of(block, text, people).support[-1] == pytest.approx(truth, abs=1e-6)


def test_what_words_share_is_nothing_in_the_mean_over_words() -> None:
    """Of people with two answers, up to the cap: each word is off by less than one group, all of them by little."""
    people = np.array([row for row in product((0, 1), repeat=7) if sum(row) <= 2], np.uint8)
    block = a_list(7, 2, Fraction(2), 7)
    texts = [f"q{one}" for one in range(7)] + [f"q{one},q{other}" for one, other in combinations(range(7), 2)]

    truth = [people[:, [int(part[1:]) for part in text.split(",")]].all(axis=1).mean() for text in texts]
    made = [figures_of(block, text, people) for text in texts]
    off = np.array([one.support[-1] for one in made]) - truth
    doubts = np.array([one.doubt for one in made])

    assert abs(off).max() < 1 / block.seeds
    assert abs(off.mean()) < 1 / block.seeds**2
    assert 0 < (off**2).mean() < doubts.mean() < 1 / block.seeds**2


@pytest.mark.each
@pytest.mark.parametrize(("above", "least", "most"), [(0, 0, 0.1), (200, 0.1, 0.2)])
def test_no_more_may_be_hidden_than_the_loss_word_tells(above: int, least: float, most: float) -> None:
    """Nobody, or a tenth of 2 000 people, has more answers than a word tells: seed 4."""
    design, people = Design((a_list(7, 2, Fraction(2), 7),), False), np.zeros((2_000, 7), np.uint8)
    people[:above] = 1

    (row,) = reconstruct(disguise(design, people, take=words_from_seed(4)), ["q0"]).patterns

    assert row.bias is not None
    assert least < row.bias < most


@pytest.mark.long
def test_intervals_hold_pairs_of_a_long_list() -> None:
    """50 items of .05, the first two mostly together: seed 3, 4 000 people."""
    design = Design.parse(
        {
            "model": "one-of",
            "gamma": 19,
            "cap": 3,
            "longest": 2,
            "groups": 79,
            "direct": False,
            "items": [f"q{number}" for number in range(50)],
        }
    )
    rng = np.random.default_rng(3)
    people = (rng.random((4_000, 50)) < 0.05).astype(np.uint8)
    people[:, 1] = np.where(rng.random(4_000) < 0.7, people[:, 0], people[:, 1])
    texts = ["q0", "q0,q1", "q2,q3", "q7,!q8"]

    made = reconstruct(disguise(design, people, take=words_from_seed(3)), texts).patterns

    for row, literals in zip(made, [[(0, 1)], [(0, 1), (1, 1)], [(2, 1), (3, 1)], [(7, 1), (8, 0)]], strict=True):
        truth = np.logical_and.reduce([people[:, place] == code for place, code in literals]).mean()
        assert row.ci is not None
        assert row.ci[0] <= truth <= row.ci[1]
        assert row.se is not None
        assert row.se < 0.03


def test_power_is_not_known_where_a_record_names_a_group() -> None:
    """How likely it names the group of a word depends on the other words of the person."""
    block = a_list(7, 2, Fraction(2), 7)

    with pytest.raises(InputError, match="power depends on their other answers, too"):
        line_of_pattern(Design((block,), direct=False), "q0,q1")


MODEL = {"model": "one-of", "gamma": 9, "cap": 1, "items": ["a", "b", "c", "d"]}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"groups": 4}, "4 groups of each seed do not fit 4 words: take a prime up to 127"),
        ({"groups": 131}, "131 groups of each seed do not fit"),
        ({"groups": 10**18 + 3}, "1000000000000000003 groups of each seed do not fit"),
        ({"groups": 10**400}, "10{56}… groups of each seed do not fit"),
        ({"groups": 3, "longest": 2}, "3 groups of each seed do not fit 10 words"),
        ({"groups": 5}, "so few questions cannot show the number of one of 30 groups"),
        ({"groups": 5, "longest": 2, "weights": [1, 0.5]}, "words in groups all weigh the same"),
    ],
)
def test_groups_that_cannot_work_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Design.parse({**MODEL, **changed})
