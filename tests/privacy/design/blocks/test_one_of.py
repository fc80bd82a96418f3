"""One-of blocks: one word of a public list, its promise, its figures, and how far people above the cap pull them."""

import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import candor
from privacy.design import ONE, Design, Item
from privacy.design.blocks import ADVISORS, RECIPES, matrix
from privacy.design.blocks.one_of.advise import Listed, OneOfPlan
from privacy.design.blocks.one_of.design import OneOfBlock, answers_of, parts_of_word
from privacy.design.blocks.one_of.lists import list_block, own_words, words_up_to
from privacy.design.blocks.one_of.waves import list_by_length
from privacy.design.brief import Brief, yes_no
from privacy.design.gammas import of_matrix
from privacy.design.patterns import parse_pattern
from privacy.design.recipes import EnteredItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.cells import PatternCells, WholeRecords
from privacy.estimate.figures import CellVariation, figures, figures_of_counts
from privacy.estimate.power import line_of_pattern
from privacy.estimate.sampling import CellSums, Sampling
from privacy.plan.proposal import propose_lists
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.cases import first
from tests.refusals import refusal_of

GAMMA = Fraction(19)


def a_list(
    count: int, longest: int, cap: Fraction, gamma: Fraction = GAMMA, start: int = 0, **more: Fraction
) -> OneOfBlock:
    items = [Item(f"q{start + number}") for number in range(count)]
    weights = [Fraction(1)] * longest
    return list_block(items, [0] * count, gamma, cap, words_up_to(items, [0] * count, longest), weights, **more)


def everybody(count: int) -> np.ndarray:
    """Every set of answers to so many yes/no items, one a row."""
    return np.array(list(product((0, 1), repeat=count)), np.uint8)


@given(
    st.integers(2, 4),
    st.integers(1, 2),
    st.fractions(1, 4, max_denominator=4),
    st.fractions(Fraction(3, 2), 40, max_denominator=10),
    st.sampled_from([0, 1]),
    st.fractions(0, 1, max_denominator=5),
)
def test_a_list_keeps_the_gamma_it_is_made_for(
    count: int, longest: int, cap: Fraction, gamma: Fraction, loss: int, spare: Fraction
) -> None:
    """By the whole matrix in fractions: never above it, and no lower than steps of 2^-32 in the chances make it."""
    if count <= longest:
        loss = 0  # no record would be left for a loss word
    block = a_list(count, longest, cap, gamma, loss=Fraction(loss), spare=spare)

    channel = matrix(Design((block,), direct=False).blocks[0])

    assert all(sum(row) == 1 for row in channel)
    assert of_matrix(channel) <= block.gamma <= gamma
    assert of_matrix(channel) > gamma * (1 - Fraction(1, 10**4))


def test_a_person_at_the_cap_owns_so_many_words() -> None:
    assert [own_words(Fraction(3), length) for length in (1, 2, 3)] == [3, 3, 1]
    assert own_words(Fraction(3, 2), 2) == Fraction(3, 8)


ITEMS = [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "0"}, {"id": "c", "harmless": "1"}]
WORDS = [
    {"word": "a", "base": 0.05, "own": 0.3},
    {"word": "b", "base": 0.05, "own": 0.3},
    {"word": "!c", "base": 0.05, "own": 0.2},
]
BLOCKS: dict[str, dict[str, Any]] = {
    "yes/no": {"one-of": 0.3, "items": ITEMS, "words": [*WORDS, {"word": "a,b", "base": 0.02, "own": 0.1}]},
    "options": {
        "one-of": 0.3,
        "items": [*ITEMS, {"id": "d", "options": ["p", "q", "r"], "harmless": "q"}],
        "words": [*WORDS, *({"word": f"d={option}", "base": 0.02, "own": 0.2} for option in "pr")],
    },
    "loss words": {
        "one-of": 0.3,
        "items": ITEMS,
        "words": WORDS,
        "losses": [{"length": 0, "base": 0.02, "own": 0.2, "full": 0.75, "spare": 0.1}],
    },
}


OPTIONS = {"options": [str(option) for option in range(50)], "harmless": "0"}
MODEL = {"model": "one-of", "gamma": 19, "cap": 2, "longest": 3}


def changed(**more: Any) -> dict[str, Any]:
    return {**BLOCKS["loss words"], **more}


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (changed(words=[*WORDS, {"word": "c", "base": 0.1, "own": 0.2}]), "'c' is the harmless answer"),
        (changed(words=[*WORDS, WORDS[0]]), "the word a stands twice"),
        (changed(words=WORDS[:2]), "no word speaks of 'c'"),
        (changed(words=[*WORDS, {"word": "a,d", "base": 0.1, "own": 0.2}]), "'d' names no answer of this block"),
        (changed(words=[*WORDS, {"word": "a,!a", "base": 0.1, "own": 0.2}]), "names an item twice"),
        (changed(words=[*WORDS, {"word": "a,b", "base": 0.2, "own": 0.2}]), "a word needs 0 < base < own < 1"),
        (changed(**{"one-of": 0.2}), "the cap is below what one word, or all loss words, add: 0.25"),
        (changed(**{"one-of": 0.9}), "the base chances and the cap leave nothing for the blank"),
        (changed(items=[*ITEMS[:2], {"id": "c", "harmless": "2"}]), "'2' is none of its answers, 0, 1"),
        (changed(items=[*ITEMS[:2], {"id": "c"}]), "harmless is missing"),
        (changed(losses=[{"length": 2, "base": 0.02, "own": 0.2, "full": 1}]), "the length 2 is that of no word"),
        (changed(losses=[{"length": 1, "base": 0.02, "own": 0.2, "full": 1, "spare": 0.1}]), "spare is 0.1"),
        (changed(losses=[{"length": 0, "base": 0.02, "own": 0.2, "full": 0.001}]), "full is 0.001, below 0.01"),
        (changed(losses=[{"length": 0, "base": 0.02, "own": 0.2, "full": 1e10}]), "the loss word measures nothing"),
        (changed(losses=[{"length": 0, "base": 0.02, "own": 0.2, "full": 1, "spare": 1.5}]), "spare is 1.5; .* to 1"),
        (changed(words=[{"word": "a", "base": 0.1, "own": 0.2}] * 20_000), "20000 words are more than 16384"),
        (MODEL | {"items": [{"id": f"q{one}", **OPTIONS} for one in range(100)]}, "19035733150 words are more than"),
        (
            {
                "one-of": 0.3,
                "items": ITEMS[:2],
                "words": [*WORDS[:2], {"word": "a,b", "base": 0.02, "own": 0.1}],
                "losses": [{"length": 0, "base": 0.02, "own": 0.2, "full": 0.5}],
            },
            "words of 2 answers leave no record for a loss word",
        ),
    ],
)
def test_a_list_that_cannot_work_is_refused(block: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Design.parse({"blocks": [block]})


@pytest.mark.parametrize("full", [0, 1e-300])
def test_an_exact_design_whose_loss_word_is_certain_at_once_is_refused(full: float) -> None:
    """Before what follows from it is worked out."""
    document = Design.parse({"blocks": [BLOCKS["loss words"]]}).document
    document["blocks"][0]["losses"][0]["full"] = full

    with pytest.raises(InputError, match=r"full is .*, below 0.01"):
        Design.parse(document)


@pytest.mark.parametrize(
    ("text", "parts"),
    [("d=q, !c", ((2, 0), (3, 1))), (" a , b ", ((0, 1), (1, 1))), ("a = 1,c=0", ((0, 1), (2, 0))), ("!a", ((0, 0),))],
)
def test_a_word_is_written_as_a_pattern(text: str, parts: tuple[tuple[int, int], ...]) -> None:
    answers = answers_of([Item("a"), Item("b"), Item("c"), Item("d", ("p", "q", "r"))])

    assert parts_of_word(text, answers, "words") == parts


ROUNDED = {
    "one-of": 1001,
    "items": [{"id": item, "harmless": "0"} for item in "abcd"],
    "words": [
        {"word": "a", "base": 10**6, "own": 10**6 + 549},
        {"word": "b", "base": 10**6, "own": 10**6 + 550},
        {"word": "c", "base": 10**6, "own": 10**6 + 1},
        {"word": "d", "base": 10**6, "own": 10**6 + 1},
        {"word": "a,b", "base": 1, "own": 901},
    ],
    "losses": [{"length": 0, "base": 10**6, "own": 10**6 + 998, "full": 0.998}],
}


def in_units(block: dict[str, Any]) -> dict[str, Any]:
    """The block with its numerators as shares."""
    words, losses = (
        [{key: one / ONE if key in ("base", "own") else one for key, one in each.items()} for each in block[name]]
        for name in ("words", "losses")
    )
    return {**block, "one-of": block["one-of"] / ONE, "words": words, "losses": losses}


def test_gamma_knows_that_numbers_are_rounded() -> None:
    """Above the cap a person with more answers may send a word more often, by a unit of 2^-32: twice as often here."""
    (block,) = Design.parse({"direct": False, "blocks": [in_units(ROUNDED)]}).blocks
    assert isinstance(block, OneOfBlock)
    pair = block.numerators(everybody(4))[:, 4]

    assert (pair.min(), pair.max()) == (1, 2)
    assert 2 <= block.gamma <= 5


@pytest.mark.parametrize("chances", [lambda _: (0.02, 0.2), lambda number: (0.01 + 0.001 * number, 0.2)])
def test_words_are_as_likely_as_from_people_with_their_answers_alone(
    chances: Callable[[int], tuple[float, float]],
) -> None:
    """Also where some sets of a word's answers are words, and others none: words are only alike if theirs are."""
    texts = ["a", "b", "c", "d", "a,b", "b,c", "c,d", "d,e", "a,b,c", "b,c,d", "c,d,e"]
    words = [{"word": text, **dict(zip(("base", "own"), chances(at), strict=True))} for at, text in enumerate(texts)]
    losses = [{"length": 0, "base": 0.02, "own": 0.2, "full": 1}]
    document = {"one-of": 0.4, "items": [*"abcde"], "words": words, "losses": losses}
    (block,) = Design.parse({"blocks": [document]}).blocks
    assert isinstance(block, OneOfBlock)
    sent = block.numerators(block.records[: len(words)])
    more = len(losses) + 2 + block.added // 2**30
    alone = np.minimum([word.own for word in block.words], sent.diagonal() + more)
    longer = [len(word.parts) > 1 for word in block.words]
    assert np.array(block.likeliest[:-1])[longer].tolist() == alone[longer].tolist()


@pytest.mark.long
@pytest.mark.parametrize("more", [{}, {"loss": Fraction(0)}, {"spare": Fraction(1, 10)}, {"groups": 5}])
def test_the_mean_over_people_is_that_of_each_of_them(more: dict[str, Any]) -> None:
    """What is expected to be sent is, to the last bit, the mean of what each person sends, also above the cap."""
    items = [Item(f"q{number}") for number in range(4)]
    words, weights = words_up_to(items, [0] * 4, 2), [Fraction(1), Fraction(1)]
    block = list_block(items, [0] * 4, GAMMA, Fraction(3, 2), words, weights, **more)
    people = everybody(4)

    each = [block.numerators(person[np.newaxis])[0].tolist() for person in people]
    means = [Fraction(sum(own), len(people) * ONE) for own in zip(*each, strict=True)]
    assert block.mean_chances(people).tolist() == [float(mean) for mean in means]


def test_gamma_of_a_long_list_needs_little_memory() -> None:
    """Of 4 095 words, which took 444 MB: at most 100."""
    block = a_list(90, 2, Fraction(2))
    tracemalloc.start()
    try:
        assert block.gamma <= GAMMA
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_parts_that_do_not_follow_from_the_words_are_refused() -> None:
    """The browser reads them: a design must not say one thing in words and send another."""
    document = Design.parse({"blocks": [BLOCKS["loss words"]]}).document
    document["blocks"][0]["words"][0]["parts"] = [[1, 1]]

    with pytest.raises(InputError, match="parts, lost and kept are not those that follow"):
        Design.parse(document)


PATTERNS = ("q0", "!q0", "q0,q1", "q0,!q1", "!q0,!q1")


def expected(blocks: tuple[OneOfBlock, ...], text: str, people: np.ndarray) -> tuple[float, float, float]:
    """The mean estimate, and the means of the lowest and the highest that the truth may be by its bias, where each row
    of people answers as often: by whole channels."""
    design = Design(blocks, direct=False)
    pattern = PatternCells(design, parse_pattern(text, design))
    chances, records = np.ones((len(people), 1)), np.zeros((1, 0), np.uint8)
    for block in blocks:
        own = block.numerators(people[:, records.shape[1] :][:, : len(block.items)]) / ONE
        own = np.column_stack([own, 1 - own.sum(axis=1)])
        chances = (chances[:, :, np.newaxis] * own[:, np.newaxis]).reshape(len(people), -1)
        records = np.array([[*one, *other] for one in records for other in block.records], np.uint8)
    cells = pattern.cell_of(WholeRecords(design, records, np.zeros(len(records), bool)))
    counts = np.rint(np.bincount(cells, chances.mean(axis=0), 2 * pattern.count) * 1e12).astype(np.int64)
    sums = CellSums.alike(counts, int(counts.sum()))
    made = figures(pattern, sums, "stratified", "available")
    value, (above, below) = float(made.support[-1]), made.reaches[-1]
    low, high = value - (below.most if below else 0.0), value + (above.most if above else 0.0)
    assert made.reach_ends(CellVariation(sums), 0.95)[:, -1] == pytest.approx(
        (max(high - value, 0), max(value - low, 0)), abs=1e-4
    )
    return value, low, high


def true_share(text: str, people: np.ndarray) -> float:
    wanted = [(int(word.strip("!q")), 0 if word[0] == "!" else 1) for word in text.split(",")]
    return float(np.logical_and.reduce([people[:, place] == code for place, code in wanted]).mean())


def populations() -> Iterator[np.ndarray]:
    """Nobody above the cap, everybody, all sets of answers alike, and random ones of 40 people."""
    every = everybody(5)
    yield every[every.sum(axis=1) <= 1]
    yield every[every.sum(axis=1) >= 4]
    yield every
    rng = np.random.default_rng(11)
    for _ in range(10):
        yield every[rng.integers(len(every), size=40)]


@pytest.mark.parametrize("text", PATTERNS)
@pytest.mark.parametrize(("loss", "spare"), first(2, [(1, Fraction(0)), (1, Fraction(3, 10)), (0, Fraction(0))]))
def test_the_truth_lies_between_the_estimate_and_its_bias(text: str, loss: int, spare: Fraction) -> None:
    """In the mean over all records, whatever people answer: the estimate is never off the other way."""
    block = a_list(5, 2, Fraction(2), loss=Fraction(loss), spare=spare)
    for people in populations():
        value, low, high = expected((block,), text, people)

        assert value in (low, high)
        assert low - 1e-6 <= true_share(text, people) <= high + 1e-6


ALONE = [(0,), (1,), (2,), (3,), (4,)]


@pytest.mark.parametrize(
    ("words", "losses"),
    first(
        1,
        [
            (
                [*ALONE, (0, 1), (2, 3)],
                {2: Fraction(6, 5)},
            ),  # of single answers no loss word tells, and it takes its part
            ([*ALONE, (0, 1), (2, 3)], {2: Fraction(1, 10)}),  # certain long before all is lost
            ([*ALONE, (0, 1), (2, 3)], {0: Fraction(1, 10)}),
            ([(0, 1), (1, 2), (0, 2), (3,), (4,)], {1: Fraction(6, 5), 2: Fraction(1)}),  # pairs without their parts
            ([(0, 1), (1, 2), (0, 2), (3,), (4,)], {1: Fraction(6, 5)}),
        ],
    ),
)
def test_the_interval_of_every_word_holds_whatever_loss_words_a_list_has(
    words: list[tuple[int, ...]], losses: dict[int, Fraction]
) -> None:
    """As many records of each kind as are expected, of populations with and without people above the cap."""
    parts = [tuple((place, 1) for place in word) for word in words]
    block = list_by_length([Item(f"q{place}") for place in range(5)], [0] * 5, GAMMA, Fraction(2), parts, losses)
    design = Design((block,), direct=False)
    few = [everybody(5)[[0, 0, 0, 0, one]] for one in (-1, 0b11100)]  # with all answers, and with pairs alone
    for people in (*populations(), *few):
        chances = (block.numerators(people) / ONE).mean(axis=0)
        counts = np.rint(1e5 * np.append(chances, 1 - chances.sum())).astype(int)
        codes = np.repeat(block.records, counts, axis=0).astype(design.code_type)
        found = candor.likeliest(Records(design, codes, np.zeros(len(codes), bool)), len(words)).itemsets

        shares = {one.items: true_share(",".join(one.items), people) for one in found}
        assert [one for one in found if not one.ci[0] - 1e-3 <= shares[one.items] <= one.ci[1] + 1e-3] == []


@pytest.mark.parametrize("text", ["!q0,q3", "q0,!q3", "q0,q3", "!q0,!q3", "q0,!q3,!q4"])
def test_of_two_lists_the_truth_lies_between_what_each_may_have_lost(text: str) -> None:
    """In the mean over all records: of people above the cap of the first list, of the second, of both, or of none."""
    blocks = a_list(3, 1, Fraction(1)), a_list(3, 2, Fraction(2), start=3, loss=Fraction(1))
    every = everybody(6)
    above = every[:, :3].sum(axis=1) > 1, every[:, 3:].sum(axis=1) > 1
    for people in (every, *(every[(above[0] == one) & (above[1] == other)] for one, other in everybody(2).tolist())):
        _, low, high = expected(blocks, text, people)

        assert low - 1e-6 <= true_share(text, people) <= high + 1e-6


@pytest.mark.parametrize("surveys", first(1, [5, 100]))
@pytest.mark.parametrize("text", ["!q0,q10", "q10,!q0"])
def test_intervals_of_two_lists_hold_what_people_above_the_cap_of_either_can_do(text: str, surveys: int) -> None:
    """Surveys of 10 000: a class of 8 % has half of the second list, so that its part is too low; .95 of intervals or
    more, allowing 3 standard errors."""
    design = Design(tuple(a_list(10, 1, Fraction(2), start=start) for start in (0, 10)), direct=False)
    rng, held = np.random.default_rng(31), []
    for survey in range(surveys):
        people = rng.random((10_000, 20)) < 0.01
        people[:800, 10:] = rng.random((800, 10)) < 0.5
        records = disguise(design, people.astype(np.uint8), take=words_from_seed(survey))
        (row,) = reconstruct(records, [text]).patterns
        by_respondents = figure(records, text, Sampling.simple(len(records))).simple_estimate()
        assert row.ci is not None
        held.append([low <= 0.99 * (0.08 * 0.5 + 0.92 * 0.01) <= high for low, high in (row.ci, by_respondents.ci)])

    assert np.mean(held, axis=0).min() > 0.95 - 3 * (0.95 * 0.05 / surveys) ** 0.5


SETS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize(
    ("words", "cap", "full", "fewest"),
    [
        (SETS, Fraction(5, 2), 3, 2),  # two answers are three words
        ([*SETS, (3,), (4,)], Fraction(13, 4), 5, 3),
        ([*SETS, (3, 4)], Fraction(5, 2), 3, 2),  # a set of answers that are no words alone
        ([(0,), (1,), (2,), (3,), (4,)], Fraction(7, 2), 4, 4),
        ([(0,), (1,), (2,), (3,), (4,)], Fraction(7, 2), Fraction(1, 4), 25 / 44),  # the loss word is certain before
    ],
)
def test_a_loss_word_measures_several_words_of_each_person(
    words: list[tuple[int, ...]], cap: Fraction, full: Fraction, fewest: float
) -> None:
    """Of every set of answers above the cap at least so many times what is lost of one word."""
    items = [Item(f"q{number}") for number in range(1 + max(map(max, words)))]
    parts = [tuple((place, 1) for place in word) for word in words]
    block = list_by_length(items, [0] * len(items), GAMMA, cap, parts, {1: Fraction(full)})
    people = everybody(len(items))
    people = people[block.is_true(people) @ block.added > block.cap]
    own, chances = block.is_true(people), block.numerators(people)

    lost = 1 - ((chances[:, :-1] - block.words[0].base) * own).sum(axis=1) / (own @ block.added)
    (loss,) = block.losses
    times = (chances[:, -1] - loss.base) / block.least_effect(loss) / lost

    assert block.least_measured[0] / block.least_effect(loss) == pytest.approx(fewest, rel=0.01)
    assert fewest * 0.99 < times.min() < fewest * 1.6


@pytest.mark.parametrize("text", PATTERNS)
def test_where_nobody_is_above_the_cap_estimates_are_exactly_unbiased(text: str) -> None:
    people = everybody(5)[everybody(5).sum(axis=1) <= 2]

    value, *_ = expected((a_list(5, 2, Fraction(2)),), text, people)

    assert value == pytest.approx(true_share(text, people), abs=1e-6)


@pytest.mark.parametrize(("text", "words"), [("q0", 1), ("q0,q1", 1), ("!q0,!q1", 3)])
def test_a_word_that_is_rarer_than_chance_sends_it_has_the_error_of_its_base_chance(text: str, words: int) -> None:
    """Of 400 records that all say nothing each word would be expected in 2: what they vary by is known beforehand."""
    block = a_list(6, 2, Fraction(6), Fraction(9))
    design = Design((block,), direct=False)
    records = Records(design, np.zeros((400, 6), np.uint8), np.zeros(400, bool))

    (estimate,) = reconstruct(records, [text]).patterns

    word = block.words[0]
    assert estimate.se == pytest.approx((words * word.base / ONE / 400) ** 0.5 / (word.added / ONE), rel=0.02)


def test_every_figure_of_words_that_nobody_sent_has_the_error_of_their_base_chance() -> None:
    """`compare`, weighted figures, tables and the likeliest itemsets err as much as `reconstruct` says."""
    design = Design((a_list(3, 2, Fraction(3), Fraction(9)),), direct=False)
    codes = np.repeat([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [330, 60, 10], axis=0).astype(np.uint8)
    columns = {"weight": np.ones(400), "half": np.arange(400) % 2}
    records = Records(design, codes, np.zeros(400, bool), columns)
    texts = ["q1,q2", "q1", "!q1,q2"]
    printed = {one.pattern: one.se for one in reconstruct(records, texts).patterns}

    compared = candor.compare(records, texts).to_frame().set_index("figure").se.to_dict()
    weighted = {
        one.pattern: one.se
        for one in candor.reconstruct(records, texts, sample=candor.Sample(weights="weight")).patterns
    }
    likeliest = {",".join(one.items): one.se for one in candor.likeliest(records, 6).itemsets}

    assert compared == pytest.approx(printed)
    assert weighted == pytest.approx(printed, rel=2 / 400)  # squares are divided by one person less
    assert likeliest["q1,q2"] == pytest.approx(printed["q1,q2"])
    assert likeliest["q1"] == pytest.approx(printed["q1"])


def test_rare_words_of_two_groups_are_rare_by_themselves() -> None:
    """What nobody sent varies in both groups: their errors add up, as those of an answer and what is left beside it."""
    design = Design((a_list(3, 2, Fraction(3), Fraction(9)),), direct=False)
    columns = {"group": np.arange(400) % 2}
    records = Records(design, np.zeros((400, 3), np.uint8), np.zeros(400, bool), columns)

    compared = candor.compare(records, ["q0", "!q0"], "group")

    errors = {one.name: one.estimate.se for one in compared.figures if one.estimate}
    apart = {(one.first, one.second): one.estimate.se for one in compared.differences}
    assert apart["q0 · group=0", "q0 · group=1"] == pytest.approx(2**0.5 * errors["q0 · group=0"])
    assert apart["q0 · group=0", "!q0 · group=0"] == pytest.approx(2 * errors["q0 · group=0"])


def test_the_error_of_a_rule_knows_that_its_sides_hold_the_same_rare_words() -> None:
    """The part of not-q0 that has q1 is (s(q1) − s(q0,q1)) / (1 − s(q0)): by what each of three words may vary."""
    block = a_list(3, 2, Fraction(3), Fraction(9))
    design, word = Design((block,), direct=False), block.words[0]
    records = Records(design, np.zeros((400, 3), np.uint8), np.zeros(400, bool))
    off = (word.base / ONE / 400) ** 0.5 / (word.added / ONE)  # of the share of each word
    below = 1 + word.base / word.added

    (rule,) = candor.compare(records, ["!q0 => q1"]).figures

    assert rule.estimate is not None
    assert rule.estimate.estimate == pytest.approx(0, abs=1e-9)
    assert rule.estimate.se == pytest.approx(2**0.5 * off / below, rel=2 / 400)


def test_options_that_nobody_sent_are_as_unsure_in_what_is_left_beside_them() -> None:
    """The share of q less that of p is 1 − 2p − r: by what the words of p and of r may vary."""
    vote = {"id": "vote", "options": ["q", "p", "r"], "harmless": "q"}
    design = Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "direct": False, "items": [vote]})
    records = Records(design, np.zeros((300, 1), np.uint8), np.zeros(300, bool))
    (block,) = design.blocks
    assert isinstance(block, OneOfBlock)
    word = block.words[0]

    (apart,) = candor.compare(records, ["vote=p", "vote=q"]).differences

    off = (word.base / ONE / 300) ** 0.5 / (word.added / ONE)
    assert apart.estimate.se == pytest.approx(5**0.5 * off, rel=2 / 300)


def test_a_rule_of_a_rare_word_and_a_coin_has_the_error_of_all_its_sub_patterns() -> None:
    """By their joint covariance, as `mine` has it: the rare word of the whole rule is that of its side."""
    block, coin = a_list(2, 2, Fraction(2), Fraction(9)), {"keep": 0.6, "items": [{"id": "c0", "theta": 0.5}]}
    design = Design((block, *Design.parse({"blocks": [coin]}).blocks), direct=False)
    codes = np.repeat([[0, 0, 0], [0, 0, 1], [1, 0, 1]], [120, 79, 1], axis=0).astype(np.uint8)
    records = Records(design, codes, np.zeros(200, bool))
    own = PatternCells(design, parse_pattern("q0,c0", design))
    made = figures_of_counts(own, own.counts(WholeRecords(design, codes, records.direct)), "stratified", "available")
    slopes = np.array([0, -made.support[2], -made.support[1], 1])

    (rule,) = candor.compare(records, "q0 => c0", measure="leverage").figures

    assert rule.estimate is not None
    assert rule.estimate.se == pytest.approx((slopes @ made.covariance @ slopes) ** 0.5, rel=2 / 200)


@pytest.mark.long
def test_independent_answers_have_no_associations_where_words_are_rare() -> None:
    """Six answers of .03, 400 people, a word of which two records are expected: of 40 surveys about 2 may have a rule.

    At most 5, four standard errors above 2 %; 35 had one where errors were those of the records alone.
    """
    block, random = a_list(6, 2, Fraction(6), Fraction(9)), np.random.default_rng(73)
    design, found = Design((block,), direct=False), 0
    for survey in range(40):
        truth = (random.random((400, 6)) < 0.03).astype(np.uint8)
        records = disguise(design, truth, np.zeros(400, bool), words_from_seed(survey))
        rules = candor.mine(records, 0.01, 0.01, max_length=2, negated=True).rules
        found += bool(len(rules) and rules.q.min() < 0.05)
    assert found <= 5


def test_a_person_with_one_answer_to_each_question_is_no_further_above_the_cap() -> None:
    """Of four options one is true: nobody is above a cap of one answer, and the interval is that of the sampling."""
    options = {"id": "vote", "options": ["none", "a", "b", "c", "d"], "harmless": "none"}
    design = Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "direct": False, "items": [options]})
    (block,), codes = design.blocks, np.repeat(np.arange(5, dtype=np.uint8), [1700, 350, 320, 315, 315])
    assert isinstance(block, OneOfBlock)
    assert block.every > block.cap

    (estimate,) = reconstruct(Records(design, codes[:, np.newaxis], np.zeros(3000, bool)), ["vote=a"]).patterns

    reach = 1.96 * estimate.se
    assert estimate.ci == pytest.approx((estimate.support - reach, estimate.support + reach), abs=0.1 * reach)


@pytest.mark.parametrize(("loss", "spare"), first(2, [(1, Fraction(0)), (1, Fraction(3, 10)), (0, Fraction(0))]))
def test_a_forecast_expects_what_devices_send_of_people_above_the_cap(loss: int, spare: Fraction) -> None:
    """Of every truth of six independent answers of .3: what is kept of one word and of two, and what is measured."""
    block, truths = a_list(6, 2, Fraction(2), loss=Fraction(loss), spare=spare), everybody(6)
    shares = np.where(truths, 0.3, 0.7).prod(axis=1)
    sent = shares @ block.numerators(truths) / ONE

    losses = block.sketch(tuple(range(6))).losses([(0.7, 0.3)] * 6)

    assert losses is not None
    for length, word in ((1, block.words[0]), (2, block.words[6])):
        kept = (sent[block.words.index(word)] - word.base / ONE) / (word.added / ONE) / 0.3**length
        assert (len(word.parts), losses.kept[length - 1]) == (length, pytest.approx(kept, abs=1e-6))
    measured = [(sent[-1] - one.base / ONE) / (block.least_effect(one) / ONE) for one in block.losses]
    assert [losses.mean] == pytest.approx(measured or [0.0], abs=1e-6)


def test_a_row_of_more_answers_than_any_word_is_none() -> None:
    """30 of 1000 rows with four yeses, where words have two, tell as much as rows without any."""
    design = Design((a_list(7, 2, Fraction(2), Fraction(9)),), direct=False)
    kinds = np.array([[1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], [0] * 7], np.uint8)
    forged, blank = (
        Records(design, np.repeat(kinds[rows], [30, 100, 870], axis=0), np.zeros(1000, bool))
        for rows in ([0, 1, 2], [2, 1, 2])
    )

    figures = [
        [(one.support, one.se, one.ci) for one in reconstruct(records, PATTERNS).patterns]
        for records in (forged, blank)
    ]

    assert figures[0] == figures[1]


def population(name: str, p: float, n: int, rng: np.random.Generator) -> np.ndarray:
    """Ten items with this mean share of yes: independent; a class of 15 % with four times the rate; two pairs that
    coincide in .7 of people; a class of 5 % who did everything; one pair that always comes together.
    """
    if name == "class":
        heavy = rng.random(n) < 0.15
        rates = np.where(heavy, 4 * p, p * (1 - 0.6) / 0.85)
        return (rng.random((n, 10)) < rates[:, np.newaxis]).astype(np.uint8)
    people = (rng.random((n, 10)) < p).astype(np.uint8)
    if name == "pairs":
        for one, other in ((0, 1), (2, 3)):
            same = rng.random(n) < 0.7
            people[same, other] = people[same, one]
    if name == "all":
        people = (rng.random((n, 10)) < (p - 0.05) / 0.95).astype(np.uint8)
        people[rng.random(n) < 0.05] = 1
    if name == "together":
        people[:, 1] = people[:, 0]
    return people


NAMES = ("independent", "class", "pairs", "all", "together")


def coverage(name: str, p: float, n: int, surveys: int) -> tuple[np.ndarray, float, float]:
    """How often 95 % intervals of all singles and pairs hold; their mean width over 3.92 root mean square errors."""
    design = Design((a_list(10, 2, Fraction(3), spare=Fraction(1, 10)),), direct=False)
    texts = [f"q{one}" for one in range(10)] + [f"q{one},q{other}" for one, other in combinations(range(10), 2)]
    everyone = population(name, p, 400_000, np.random.default_rng(3))
    true = np.array([true_share(text, everyone) for text in texts])
    rng, held, widths, errors = np.random.default_rng(4), [], [], []
    for survey in range(surveys):
        records = disguise(design, population(name, p, n, rng), take=words_from_seed(survey))
        rows = reconstruct(records, texts).patterns
        ends, value = np.array([row.ci for row in rows]), np.array([row.support for row in rows])
        held.append((ends[:, 0] <= true) & (true <= ends[:, 1]))
        widths.append(ends[:, 1] - ends[:, 0])
        errors.append(value - true)
    ratio = [
        float(np.mean(np.array(widths)[:, part]) / (3.92 * np.sqrt(np.mean(np.array(errors)[:, part] ** 2))))
        for part in (slice(10), slice(10, None))
    ]
    return np.array(held), ratio[0], ratio[1]


@pytest.mark.parametrize(("name", "surveys"), first(1, [("class", 2), ("class", 20), ("together", 20)]))
def test_intervals_hold_what_people_above_the_cap_can_do(name: str, surveys: int) -> None:
    """Surveys of 2 000 people at 6 %: .93 of intervals or more, allowing 4.5 standard errors of surveys."""
    held, *_ = coverage(name, 0.06, 2_000, surveys)

    by_survey = held.mean(axis=1)
    assert by_survey.mean() > 0.93 - 4.5 * by_survey.std(ddof=1) / surveys**0.5


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("p", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("n", [500, 2_000, 10_000])
def test_intervals_hold_in_every_stated_population(name: str, p: float, n: int) -> None:
    """60 surveys each: .93 or more, and at most 1.6 times as wide as the errors ask in the first three populations."""
    if name in ("all", "together") and p == 0.02:
        p = 0.06
    held, singles, pairs = coverage(name, p, n, 60)

    by_survey = held.mean(axis=1)
    assert by_survey.mean() > 0.93 - 3 * by_survey.std(ddof=1) / 60**0.5
    if name in NAMES[:3]:
        assert max(singles, pairs) < 1.6


def test_direct_answers_join_the_figures() -> None:
    """Half answer directly: the share of all is that of both groups, and its interval is narrower."""
    rng = np.random.default_rng(8)
    people = population("independent", 0.06, 8_000, rng)
    design = Design((a_list(10, 2, Fraction(3)),), direct=True)
    half = np.arange(8_000) % 2 == 0

    mixed, alone = (
        reconstruct(disguise(design, people, direct, words_from_seed(5)), ["q0"]).patterns[0]
        for direct in (half, np.zeros(8_000, bool))
    )

    assert mixed.ci is not None
    assert alone.ci is not None
    assert mixed.ci[0] < people[:, 0].mean() < mixed.ci[1]
    assert mixed.ci[1] - mixed.ci[0] < 0.9 * (alone.ci[1] - alone.ci[0])


@pytest.mark.parametrize(("pattern", "word"), [("q0", 0), ("!q0", 0), ("q0,q1", 4)])
def test_power_is_that_of_the_records_that_are_the_word(pattern: str, word: int) -> None:
    """n·Var = λ(1 − λ)/added² with λ = base + added·π: of the 4 single words and 6 pairs of a list without a cap."""
    block = a_list(4, 2, Fraction(10))
    base, added = block.words[word].base / ONE, block.words[word].added / ONE
    support = 0.9 if pattern[0] == "!" else 0.1

    variance = line_of_pattern(Design((block,), direct=False), pattern).variance(support)

    seen = base + added * 0.1
    assert variance == pytest.approx(seen * (1 - seen) / added**2)


@pytest.mark.parametrize("longest", [1, 2, 3])
@pytest.mark.parametrize("places", [[0], [1, 2], [2, 0], [0, 1, 2]])
def test_without_a_cap_records_of_some_items_depend_on_these_alone(longest: int, places: list[int]) -> None:
    """What words of them show, of every truth, is what the channel of these items says: exactly, for regressions."""
    items = [Item("a"), Item("b", ("1", "2", "3")), Item("c")]
    block = list_block(items, [0, 2, 1], GAMMA, Fraction(4), words_up_to(items, [0, 2, 1], longest), [Fraction(1)] * 3,
                       loss=Fraction(0))  # fmt: skip
    words = block.patterns.word_list
    assert words is not None
    if longest == 1 and len(places) > 1:
        with pytest.raises(InputError, match="so nothing tells how they go together; add this word"):
            words.disguise(np.ones([len(items[place].options) for place in places]), range(len(places)), places)
        return
    truths = [*product(*(range(len(item.options)) for item in items))]
    shown = words.showing(np.array(truths, np.uint8), places)
    for truth, chances in zip(truths, matrix(block), strict=True):
        sizes = [len(items[place].options) for place in places]
        sent, table = np.zeros(sizes), np.zeros(sizes)
        table[*(truth[place] for place in places)] = 1
        for record, chance in zip(shown, chances, strict=True):
            sent[*(record[place] for place in places)] += float(chance)
        assert np.abs(words.disguise(table, range(len(places)), places) - sent).max() < 1e-12


def test_a_regression_under_a_cap_is_refused() -> None:
    """By the reason, and with what to do."""
    words = a_list(3, 2, Fraction(2)).patterns.word_list
    assert words is not None
    assert refusal_of(lambda: words.disguise(np.ones(2), [0], [1])) == (
        "'q1': people who have more answers than the cap of the list send each of them less often, so this would be "
        "biased; ask for shares and sets of answers, or disguise by a list whose cap is all its items."
    )


def test_power_of_a_set_that_is_no_word_is_refused() -> None:
    with pytest.raises(InputError, match="the list has no word 'q0,q1'"):
        line_of_pattern(Design((a_list(4, 1, Fraction(2)),), direct=False), "q0,q1")


def test_a_word_that_no_record_shows_has_an_interval() -> None:
    """Of 200 records none is the word: Wilson's interval of the share 0 that is seen, brought back, and its bias."""
    block = a_list(4, 1, Fraction(2))
    design = Design((block,), direct=False)
    records = Records(
        design, np.repeat([[0, 0, 0, 0], [0, 1, 0, 0]], 100, axis=0).astype(np.uint8), np.zeros(200, bool)
    )

    (row,) = reconstruct(records, ["q0"]).patterns

    base, added = block.words[0].base / ONE, block.words[0].added / ONE
    z2 = 1.959964**2
    assert row.ci is not None
    assert row.ci[0] == pytest.approx(-base / added, abs=1e-9)
    assert row.ci[1] == pytest.approx((z2 / (200 + z2) - base) / added, abs=1e-6)


def test_what_each_length_weighs_is_read_from_the_settings_of_a_list() -> None:
    """Without weights all words are equally likely; a weight of another length, of nothing or above 1 is refused."""
    made = RECIPES["one-of"].write({**SETTINGS, "longest": 2, "weights": [1, 0.5]}, ITEMS)
    (block,), (alike,) = (Design.parse({"blocks": one}).blocks for one in (made, even_list()))
    bases = {len(word.parts): word.base for word in block.words}

    assert abs(bases[2] - bases[1] / 2) <= 1
    assert len({word.base for word in alike.words}) == 1
    for weights, sentence in (
        ([1], "1 weights do not fit words of up to 2 answers"),
        ([1, 0], "weights are above 0 and at most 1"),
        ([1, 2], "weights are above 0 and at most 1"),
    ):
        with pytest.raises(InputError, match=sentence):
            Design.parse({"blocks": RECIPES["one-of"].write({**SETTINGS, "longest": 2, "weights": weights}, ITEMS)})


def even_list() -> list[dict[str, Any]]:
    return RECIPES["one-of"].write({**SETTINGS, "longest": 2}, ITEMS)


SETTINGS = {"list_gamma": 19, "cap": 2}
ITEMS = [{"id": name, "harmless": "0"} for name in "abcd"]


def test_no_is_harmless_also_beside_prefer_not_to_say() -> None:
    """Whatever the order of the options; of a choice it is the first one, and another one where it is named."""
    recipe = RECIPES["one-of"]
    asked = {
        "yes first": (("1", "0", "secret"), {}),
        "plain": (None, {}),
        "choice": (("notes", "phone", "never"), {}),
        "named": (("notes", "phone", "never"), {"harmless": "never"}),
    }

    harmless = {
        name: recipe.write_item({}, EnteredItem("x", options, values))["harmless"]
        for name, (options, values) in asked.items()
    }

    assert harmless == {"yes first": "0", "plain": "0", "choice": "notes", "named": "never"}


def test_the_advised_list_is_made_of_the_settings_that_the_advisor_gives() -> None:
    """Its chances are those that were judged, and it keeps γ."""
    questions = yes_no(10, prevalence=0.05)
    made, *_others = propose_lists(questions, 19.0, 2, 10_000)
    settings = dict(made.settings)
    items = [{"id": one.id, "harmless": "0"} for one in questions]

    (block,) = Design.parse({"blocks": RECIPES[made.recipe].write(settings, items)}).blocks
    planned, *_others = (
        plan for advisor in ADVISORS for _, (plan,) in advisor.biased(Brief(questions, 10_000, GAMMA), 19.0, 2, inf)
    )
    errors, _ = planned.sketch(questions, 19.0).errors(Brief(questions, 10_000, GAMMA))

    assert (settings["longest"], settings["weights"][0], block.gamma <= 19) == (2, 1.0, True)
    assert errors[1] <= 0.0083


@pytest.mark.parametrize(
    ("count", "listed"),
    [
        (12, Listed(Fraction(2), (Fraction(1),))),
        (12, Listed(Fraction(5, 2), (Fraction(1), Fraction(3, 5)))),
        (12, Listed(Fraction(3), (Fraction(1),) * 2, groups=17)),
        (3, Listed(Fraction(3, 2), (Fraction(1), Fraction(3, 5), Fraction(2, 5)), loss=Fraction(0))),
    ],
)
def test_a_list_is_judged_as_its_settings_make_it(count: int, listed: Listed) -> None:
    """Chances, cap and loss word of the plan are those of the block that a site makes of its settings; beside a word of
    all items there is none, and how far figures may be off is that of a person of whom every word is true."""
    questions, places = yes_no(count, prevalence=0.05), tuple(range(count))
    planned = OneOfPlan(places, count, listed=listed)
    judged = planned.sketch(questions, 19.0)
    advised = judged.exact_block(questions, GAMMA)
    recipe, settings = planned.as_recipe(advised)
    items = [{"id": one.id, "harmless": "0"} for one in questions]

    (block,) = Design.parse({"blocks": RECIPES[recipe].write({**settings, "list_gamma": 19}, items)}).blocks
    assert block == advised
    made = block.sketch(places)

    for own, of_plan in ((made.bases, judged.bases), (made.added, judged.added)):
        assert own == pytest.approx(of_plan, rel=1e-5)
    loss = ("cap", "unlost", "lost", "most_lost")
    assert [getattr(made, name) for name in loss] == pytest.approx([getattr(judged, name) for name in loss], rel=1e-4)


SKIP = {"options": ["no", "yes", "secret"], "harmless": "no", "alone": "secret"}
ALONE = {"model": "one-of", "gamma": 19, "cap": 2, "longest": 2, "items": [{"id": "a", **SKIP}, {"id": "b", **SKIP}]}


def test_an_answer_that_stands_alone_is_in_no_word_with_others() -> None:
    """And has one of its own."""
    (block,) = Design.parse({"blocks": [{**ALONE, "items": [*ALONE["items"], {"id": "c", "harmless": "0"}]}]}).blocks
    assert isinstance(block, OneOfBlock)

    assert [block.text(word) for word in block.words] == [
        "a=yes", "a=secret", "b=yes", "b=secret", "c", "a=yes,b=yes", "a=yes,c", "b=yes,c",
    ]  # fmt: skip
    assert block.alone == {(0, 2), (1, 2)}


def test_pairs_are_of_people_who_answered_both_where_skips_stand_alone() -> None:
    """Who skipped one question and says yes to the other counts as that: both shares are right. What needs the word of
    a skip beside an answer is refused, with the word to add."""
    design = Design.parse({"direct": False, "blocks": [ALONE]})
    rows = np.repeat([[1, 1], [1, 2], [2, 1], [2, 2], [0, 1], [0, 0]], [8_000, 6_000, 3_000, 4_000, 9_000, 70_000], 0)
    records = disguise(design, rows.astype(np.uint8), np.zeros(len(rows), bool), words_from_seed(5))
    truth = {"a=yes": 0.14, "a=secret": 0.07, "a=no": 0.79, "b=yes": 0.2, "b=secret": 0.1, "a=yes,b=yes": 0.08}

    made = reconstruct(records, [*truth]).patterns
    refused = []
    for pattern in ("a=secret,b=yes", "a=no,b=yes"):
        with pytest.raises(InputError, match="add this word to the list") as refusal:
            reconstruct(records, [pattern])
        refused.append(str(refusal.value))

    assert [one.support for one in made] == [pytest.approx(share, abs=0.02) for share in truth.values()]
    assert all("'a=secret,b=yes'" in sentence for sentence in refused)


@pytest.mark.parametrize("alone", ["later", "no"])
def test_an_answer_that_cannot_stand_alone_is_refused(alone: str) -> None:
    """It is none of the item, or the harmless one."""
    with pytest.raises(InputError, match="say which one stands alone"):
        Design.parse({"blocks": [{**ALONE, "items": [{"id": "a", **SKIP, "alone": alone}]}]})


def test_a_table_names_the_word_that_its_empty_cells_lack() -> None:
    """A list with one pair of four: the cell of that pair has a figure, and the disguise leaves the others out."""
    listed = ["q0=yes", "q1=yes", "q0=secret", "q1=secret", "q0=yes,q1=yes"]
    words = [{"word": word, "base": 0.03, "own": 0.4} for word in listed]
    items = [{"id": item, "options": ["no", "yes", "secret"], "harmless": "no"} for item in ("q0", "q1")]
    design = Design.parse({"blocks": [{"one-of": 0.6, "items": items, "words": words}]})
    people = np.tile([[0, 0], [1, 0], [0, 1], [1, 1]], (100, 1))

    table = candor.table(disguise(design, people, np.zeros(400, bool), words_from_seed(1)), ["q0", "q1"])

    assert np.flatnonzero(~np.isnan(table.support)).tolist() == [4]
    assert "'q0=no,q1=no': the list has no word 'q0=yes,q1=secret', so nothing tells of" in " ".join(str(table).split())
