"""Mining in two waves of a list of words: the promise of both lists, and figures with true intervals."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from privacy.design import ONE, Design, Item
from privacy.design.blocks import matrix
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.lists import words_up_to
from privacy.design.blocks.one_of.waves import first_list, list_by_length, second_list, shrink
from privacy.design.blocks.one_of.word_shares import count_words, estimate_words
from privacy.design.gammas import of_matrix
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from tests.cases import first

GAMMA = Fraction(19)
ITEMS = [Item(f"q{number}") for number in range(12)]
NONE = [0] * len(ITEMS)


def people(count: int, seed: int = 1) -> np.ndarray:
    """Answers of people who differ in how often they say yes; the first items are commonest, and two go together."""
    chance = np.random.default_rng(seed)
    often = chance.gamma(2, 0.5, (count, 1))
    shares = 0.3 / np.arange(1, len(ITEMS) + 1) ** 0.7
    truth = (chance.random((count, len(ITEMS))) < shares * often).astype(np.uint8)
    truth[:, 4] |= truth[:, 0] & (chance.random(count) < 0.3)
    return truth


def true_share(truth: np.ndarray, name: tuple[tuple[str, str], ...]) -> float:
    return float(np.logical_and.reduce([truth[:, int(item[1:])] == int(option) for item, option in name]).mean())


def send(block: OneOfBlock, truth: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The counts of one survey: each person's word drawn by its chances."""
    ends = block.numerators(truth).cumsum(axis=1)
    return np.bincount((ends <= random.integers(ONE, size=(len(truth), 1))).sum(axis=1), minlength=len(block.records))


@dataclass(frozen=True)
class Listed:
    """A word of the second list: its share by both waves, and its interval by the second."""

    name: tuple[tuple[str, str], ...]
    share: float
    low: float
    high: float


def survey(truth: np.ndarray, gamma: Fraction, seed: int, wanted: int) -> tuple[OneOfBlock, list[Listed]]:
    """Two waves: every third person is asked first. The likeliest word is the first."""
    random = np.random.default_rng(seed)
    first = first_list(ITEMS, NONE, gamma)
    some, others = truth[::3], np.concatenate([truth[1::3], truth[2::3]])
    counts = send(first, some, random)
    second = second_list(first, counts, gamma, len(others), wanted)
    more = send(second, others[:, [int(item.id[1:]) for item in second.items]], random)
    shares, figures = shrink((first, second), (counts, more)), estimate_words(second, more)
    low, high = figures.share - 1.96 * figures.error, figures.share + 1.96 * figures.error
    listed = [
        Listed(tuple((second.items[place].id, "1") for place, _ in word.parts), *map(float, own))
        for word, *own in zip(second.words, shares, low, high, strict=True)
    ]
    return second, sorted(listed, key=lambda one: -one.share)


@pytest.mark.parametrize(("losses", "gamma"), [({1: 1, 2: 2}, 19), ({2: 3}, Fraction(5, 2)), ({}, 9)])
def test_a_list_with_a_loss_word_for_each_length_keeps_its_gamma(losses: dict[int, int], gamma: Fraction) -> None:
    """By the whole matrix in fractions: never above it, and no lower than steps of 2^-32 in the chances make it."""
    items = ITEMS[:4]
    words = words_up_to(items, [0] * 4, 2)
    full = {length: Fraction(most) for length, most in losses.items()}
    block = list_by_length(items, [0] * 4, Fraction(gamma), Fraction(2), words, full)
    design = Design.parse(Design((block,), direct=False).to_json())

    channel = matrix(design.blocks[0])

    assert all(sum(row) == 1 for row in channel)
    assert gamma * (1 - Fraction(1, 10**4)) < of_matrix(channel) <= block.gamma <= gamma


def test_the_second_list_is_what_the_first_wave_makes_likely() -> None:
    """From exact counts of the first wave: twice as many sets as wanted, at the same γ, and all that are wanted."""
    truth = people(20_000)
    first = first_list(ITEMS, NONE, GAMMA)
    sent = np.append(first.numerators(truth).mean(axis=0), 0) / ONE
    sent[-1] = 1 - sent.sum()

    second = second_list(first, sent * 20_000, GAMMA, 40_000, 16)

    names = {tuple((second.items[place].id, "1") for place, _ in word.parts) for word in second.words}
    sets = [one for length in (1, 2, 3) for one in combinations([(item.id, "1") for item in ITEMS], length)]
    commonest = sorted(sets, key=lambda one: -true_share(truth, one))[:16]
    assert len(names) == 32
    assert len(names & set(commonest)) >= 14
    assert second.gamma <= GAMMA
    assert [loss.length for loss in second.losses] == second.lengths


@pytest.mark.parametrize(("share", "respondents", "count"), [(0.1, 200_000, 48), (0.1, 2_000, 32), (0.02, 200_000, 32)])
def test_a_list_is_longer_where_many_pairs_may_be_common_and_people_are_many(
    share: float, respondents: int, count: int
) -> None:
    """Sixteen sets are wanted of forty answers, of which ten are always common."""
    items = [Item(f"q{number}") for number in range(40)]
    first = first_list(items, [0] * 40, GAMMA)
    truth = np.random.default_rng(4).random((20_000, 40)) < np.repeat([0.2, share], [10, 30])
    sent = np.append(first.numerators(truth.astype(np.uint8)).mean(axis=0), 0) / ONE
    sent[-1] = 1 - sent.sum()

    second = second_list(first, sent * 20_000, GAMMA, respondents, 16)

    assert len(second.words) == count


def test_lists_are_for_items_with_options_too() -> None:
    """Every option but the harmless one is a word, and no itemset holds two options of one item."""
    items = [Item("age", ("young", "middle", "old")), *ITEMS[:5]]
    first = first_list(items, [1, 0, 0, 0, 0, 1], GAMMA)
    truth = np.random.default_rng(2).integers(0, 2, (5_000, 6)).astype(np.uint8)
    second = second_list(first, send(first, truth, np.random.default_rng(3)), GAMMA, 5_000, 30)

    assert [first.text(word) for word in first.words] == ["age=young", "age=old", "q0", "q1", "q2", "q3", "!q4"]
    assert all(len({place for place, _ in word.parts}) == len(word.parts) for word in second.words)
    assert Design.parse(Design((second,), direct=False).to_json()).blocks == (second,)


def test_a_list_without_room_for_loss_words_loses_nothing() -> None:
    """Of three items a record can show no loss word, so that the cap is all words, and every figure is unbiased."""
    first = first_list(ITEMS[:3], [0] * 3, GAMMA)
    second = second_list(first, np.array([500, 400, 300, 0, 9_000]), GAMMA, 10_000, 4)

    assert not second.losses
    assert second.cap >= second.added.sum() * (1 - 1e-6)


def test_records_are_counted_by_the_word_that_they_show() -> None:
    """As often as the block's own disguise sent it; a record of a direct person shows no word."""
    items = ITEMS[:5]
    words = words_up_to(items, [0] * 5, 2)
    block = list_by_length(items, [0] * 5, GAMMA, Fraction(2), words, {1: Fraction(1), 2: Fraction(1)})
    truth = people(3_000)[:, :5]
    records = disguise(Design((block,), direct=False), truth, np.zeros(3_000, bool), words_from_seed(4)).codes

    counts = count_words(block, np.concatenate([records, [[1, 1, 1, 0, 0]]]).astype(np.uint8))

    assert counts.tolist() == [int((records == row).all(axis=1).sum()) for row in block.records]
    assert counts.sum() == 3_000


@pytest.mark.parametrize("seed", range(4))
def test_the_sum_of_a_length_is_right_for_every_population(seed: int) -> None:
    """In expectation, as far as no loss word is certain: what all words of a length lose is given back to them."""
    chance = np.random.default_rng(seed)
    truth = np.array(list(product((0, 1), repeat=5)), np.uint8)
    often = chance.dirichlet([5.0] + [0.4] * 31)
    words = words_up_to(ITEMS[:5], NONE[:5], 2)
    full = {1: Fraction(5), 2: Fraction(10)}
    block = list_by_length(ITEMS[:5], NONE[:5], GAMMA, Fraction(4), words, full)
    sent = often @ block.numerators(truth) / ONE

    figures = estimate_words(block, np.append(sent, 1 - sent.sum()) * 10**6)

    shares = often @ block.is_true(truth)
    lengths = np.array([len(parts) for parts in words])
    for length in (1, 2):
        assert figures.share[lengths == length].sum() == pytest.approx(shares[lengths == length].sum(), rel=1e-5)
        assert (figures.given_back[lengths == length] >= -1e-9).all()


@pytest.mark.parametrize("count", first(1, [300, 1_500]))
def test_errors_are_those_of_many_surveys(count: int) -> None:
    """The standard deviation over many surveys, when what was given back adds nothing to the error; of sums, too."""
    truth = people(2_000)[:, :6]
    words = words_up_to(ITEMS[:6], NONE[:6], 2)
    block = list_by_length(ITEMS[:6], NONE[:6], GAMMA, Fraction(2), words, {1: Fraction(2), 2: Fraction(3)})
    sent = block.numerators(truth).mean(axis=0) / ONE
    surveys = np.random.default_rng(5).multinomial(20_000, np.append(sent, 1 - sent.sum()), count)

    figures = [estimate_words(block, counts, [(0, 3), (1, 2, 4)]) for counts in surveys]

    assert figures[0].share[-2:] == pytest.approx([figures[0].share[[0, 3]].sum(), figures[0].share[[1, 2, 4]].sum()])
    spread = np.std([one.share for one in figures], axis=0)
    stated = np.sqrt(np.mean([one.error**2 - (0.5 * one.given_back) ** 2 for one in figures], axis=0))
    assert spread == pytest.approx(stated, rel=4.5 / np.sqrt(2 * count))


@pytest.mark.parametrize(("gamma", "surveys"), first(1, [(Fraction(5, 2), 5), (Fraction(5, 2), 20), (GAMMA, 20)]))
def test_intervals_cover_and_the_likeliest_are_found(gamma: Fraction, surveys: int) -> None:
    """In surveys of 30 000 people, stated seeds: at least .93 of intervals, and most of the 16 commonest sets."""
    truth = people(30_000)
    sets = [one for length in (1, 2, 3) for one in combinations([(item.id, "1") for item in ITEMS], length)]
    commonest = set(sorted(sets, key=lambda one: -true_share(truth, one))[:16])
    covered, found = [], []
    for seed in range(surveys):
        _, itemsets = survey(truth, gamma, seed, 16)
        covered += [one.low <= true_share(truth, one.name) <= one.high for one in itemsets if one.name in commonest]
        found.append(len({one.name for one in itemsets[:16]} & commonest) / 16)

    assert np.mean(covered) >= 0.93
    assert np.mean(found) >= (0.75 if gamma < GAMMA else 0.85)


def test_a_word_that_no_record_shows_has_an_error() -> None:
    """It has its base chance at least, so its error is that of a share of 0, not 0."""
    block = list_by_length(ITEMS[:4], NONE[:4], GAMMA, Fraction(1), words_up_to(ITEMS[:4], NONE[:4], 1), {})

    figures = estimate_words(block, np.array([0, 5, 5, 5, 85]))

    base = block.words[0].base / ONE
    assert figures.error[0] == pytest.approx(np.sqrt(base * (1 - base) / 100) / (18 * base), rel=1e-6)


@pytest.mark.parametrize("truth", [np.zeros((300, 12), np.uint8), np.ones((300, 12), np.uint8), people(300)])
@pytest.mark.parametrize("gamma", [Fraction(11, 10), Fraction(60)])
def test_few_people_and_extreme_answers_have_finite_figures(truth: np.ndarray, gamma: Fraction) -> None:
    """Nobody, or everybody, says yes, and of 300 people: every share and interval is a number."""
    second, itemsets = survey(truth, gamma, 7, 8)

    assert second.gamma <= gamma
    assert all(np.isfinite([one.share, one.low, one.high]).all() and one.low <= one.high for one in itemsets)
