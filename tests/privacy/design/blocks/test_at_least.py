"""Words that are true of people with at least so many of their answers: chances, promise, figures."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from privacy.design import Design, Item
from privacy.design.blocks.one_of.advise import ADVISOR, SETS_OF, Listed, OneOfPlan
from privacy.design.blocks.one_of.at_least import weights_of
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.invert_at_least import ThresholdRecords
from privacy.design.blocks.one_of.lists import sets_block
from privacy.design.brief import WORTH, Brief, yes_no
from privacy.design.rationals import ONE
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.plan.standard_errors import of_design
from privacy.reconstruct import reconstruct
from privacy.reconstruct.words_sent import figures_of_cells

ITEMS = "abcdef"


def entry(**other: Any) -> dict[str, Any]:
    """Single answers, at least two of four, and a loss word that takes the cap: what a person with two answers adds."""
    words: list[dict[str, Any]] = [{"word": one, "base": 3 / 128, "own": 15 / 128} for one in ITEMS]
    words += [{"word": ",".join(own), "least": 2, "base": 3 / 256, "own": 15 / 256} for own in combinations(ITEMS, 4)]
    loss = {"length": 0, "base": 15 / 128, "own": 75 / 128, "full": 1}
    return {"one-of": 60 / 128, "items": [*ITEMS], "words": words, "losses": [loss]} | other


def read(**other: Any) -> OneOfBlock:
    (block,) = Design.parse({"blocks": [entry(**other)]}).blocks
    assert isinstance(block, OneOfBlock)
    return block


def test_the_promise_is_kept_by_every_true_answer() -> None:
    """γ is no less than the largest quotient of chances, over all truths and all that is sent."""
    block = read()
    truths = np.array([*product((0, 1), repeat=len(ITEMS))])
    sent = block.numerators(truths)
    every = np.column_stack([sent, ONE - sent.sum(axis=1)])
    assert every.min() > 0
    most = max(Fraction(int(high), int(low)) for high, low in zip(every.max(axis=0), every.min(axis=0), strict=True))
    assert most <= block.gamma <= most * Fraction(10**6 + 1, 10**6)


def test_a_word_is_true_from_its_threshold_on() -> None:
    """Two of four answers are enough, one is not."""
    block = read()
    true = block.is_true(np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]]))
    assert true.sum(axis=1).tolist() == [1, 2 + 6]


@pytest.mark.parametrize("pattern", [(0,), (2, 5)])
def test_figures_are_exact_up_to_two_answers(pattern: tuple[int, ...]) -> None:
    """By fractions, the mean of a record's weight is 1 where the pattern is true, else 0."""
    block = read()
    weights = weights_of(block, len(pattern))
    assert weights is not None
    of_words = [weights[len(word.parts), len({place for place, _ in word.parts} & {*pattern})] for word in block.words]
    for truth in product((0, 1), repeat=len(ITEMS)):
        if sum(truth) > 2:
            continue
        chances = block.numerators(np.array([truth]))[0].tolist()
        mean = sum(
            weight * Fraction(chance - word.base, ONE)
            for weight, chance, word in zip(of_words, chances, block.words, strict=False)
        )
        assert mean == all(truth[place] for place in pattern)


def test_a_threshold_stands_in_a_design_only_where_there_is_one() -> None:
    """Words of today are written as before, so designs keep their hashes."""
    written = Design.parse({"blocks": [entry()]}).to_json()["blocks"][0]["words"]
    assert [word.get("least") for word in written] == [None] * 6 + [2] * 15


@pytest.mark.parametrize("least", [0, 4, 5])
def test_a_threshold_is_below_the_number_of_answers(least: int) -> None:
    """All answers are the word of today, and more than all are never true."""
    words = entry()["words"]
    words[-1]["least"] = least
    with pytest.raises(InputError, match=rf"least is {least}: say how many of the 4 answers are enough"):
        read(words=words)


@pytest.mark.parametrize("pattern", [(0,), (2, 5)])
@pytest.mark.parametrize("code", [0, 1])
def test_the_truth_lies_between_a_figure_and_its_reach(pattern: tuple[int, ...], code: int) -> None:
    """For every true answer, and so for every population: intervals of a report rest on it."""
    block = read()
    literals = [(place, frozenset({code})) for place in pattern]
    records = ThresholdRecords(block)
    matches = np.array([block.records[:, place] == code for place in pattern])
    places = np.broadcast_to(
        records.places_of(block.records, matches.T, np.zeros(len(block.records), bool)), matches.shape
    )
    (figure,) = records.sub_patterns(literals, matches, places)[-1:]
    reach = records.reach(literals, matches, places)
    assert reach is not None
    assert reach.below == (code == 0)
    truths = np.array([*product((0, 1), repeat=len(ITEMS))])
    sent = block.numerators(truths) / ONE
    sent = np.column_stack([sent, 1 - sent.sum(axis=1)])
    mean, lost, true = sent @ figure, sent @ reach.lost, (truths[:, pattern] == code).all(axis=1)
    if code:
        assert (mean <= true + 1e-6).all()
        assert (true <= mean * (1 + reach.most_lost) + lost + 1e-6).all()
    elif len(pattern) == 1:
        assert (mean >= true - 1e-6).all()
        assert (true >= mean - (1 - mean) * reach.most_lost - lost - 1e-6).all()


@pytest.mark.parametrize(("items", "gamma"), [(6, Fraction(9)), (7, Fraction(5)), (8, Fraction(27183, 10000))])
def test_a_list_keeps_the_gamma_that_it_is_made_for(items: int, gamma: Fraction) -> None:
    """By all truths, and it uses γ up: two answers count in full, of three the loss word says that they are many."""
    block = sets_block([Item(f"q{place}") for place in range(items)], [0] * items, gamma, 4, 2, Fraction(1, 10))
    block.check("block", False)
    truths = np.array([*product((0, 1), repeat=items)])
    sent = block.numerators(truths)
    every = np.column_stack([sent, ONE - sent.sum(axis=1)])
    most = max(Fraction(int(high), int(low)) for high, low in zip(every.max(axis=0), every.min(axis=0), strict=True))
    assert most <= block.gamma <= gamma <= most * Fraction(10**6 + 1, 10**6)
    above = truths.sum(axis=1) > 2
    assert (sent[above] == [*block.bases[:-1], block.losses[0].own]).all()
    assert (sent[~above, -1] == block.losses[0].base).all()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"losses": []}, "one loss word for the whole cap"),
        ({"one-of": 62 / 128}, "one loss word for the whole cap"),
        ({"items": [*ITEMS[:5], {"id": "f", "options": ["0", "1", "2"], "harmless": "0"}]}, "two answers each"),
    ],
)
def test_a_list_that_would_not_say_how_many_are_above_its_cap_is_refused(changed: dict[str, Any], said: str) -> None:
    words = (
        [one | {"word": one["word"].replace("f", "f=1")} for one in entry()["words"]] if "items" in changed else None
    )
    with pytest.raises(InputError, match=said):
        read(**changed, **({"words": words} if words else {}))


MODEL = {"model": "one-of", "gamma": 9, "cap": 2, "longest": 4, "least": 2, "weights": [1, 0.06]}


def listed(items: int = 10) -> Design:
    return Design.parse({**MODEL, "items": [f"q{place}" for place in range(items)]})


@pytest.mark.parametrize("changed", [{"least": 3}, {"cap": 3}, {"groups": 11}, {"longest": 2}, {"items": [*"abcde"]}])
def test_a_model_with_another_threshold_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"with(?: a)? threshold"):
        Design.parse({**MODEL, "items": [*"abcdefgh"], **changed})


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_what_is_expected_is_what_all_truths_give(share: float) -> None:
    """Of independent answers: the mean and the variance of figures of single answers and of pairs."""
    design = listed(6)
    (block,) = design.blocks
    truths = np.array([*product((0, 1), repeat=6)])
    law = np.prod(np.where(truths, share, 1 - share), axis=1)
    sketch = of_design(design)[0]
    expected = expect(yes_no(6, share), (0,) * 6, 2)
    (alike, *_), words = expected.outlooks(sketch._lists, 1), block.patterns.word_list  # type: ignore[attr-defined]
    assert words is not None
    sent = law @ np.column_stack([own := block.numerators(truths) / ONE, 1 - own.sum(axis=1)])  # type: ignore[attr-defined]
    cells = words.cells_of_counts(sent)
    means = (cells.sizes * cells.weights).sum(axis=1)
    spreads = (cells.sizes * cells.weights**2).sum(axis=1) - means**2
    for place, power, outlook in zip((0, 6), (1, 2), alike, strict=True):
        assert outlook.bias[0, 0] == pytest.approx(means[place] - share**power, abs=1e-7)
        assert outlook.variance[0, 0] == pytest.approx(spreads[place], rel=1e-6)


def populations() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Of ten answers: truths and how common each is."""
    truths = np.array([*product((0, 1), repeat=10)])

    def independent(share: float) -> np.ndarray:
        return np.asarray(np.prod(np.where(truths, share, 1 - share), axis=1))

    every = (truths.all(axis=1)).astype(float)
    three = (truths == [1, 1, 1, *[0] * 7]).all(axis=1).astype(float)
    return {
        "independent": (truths, independent(0.02)),
        "clustered": (truths, 0.15 * independent(0.08) + 0.85 * independent(0.4 / 0.85 * 0.02)),
        "everything": (truths, 0.05 * every + 0.95 * independent(0.02)),
        "three": (truths, 0.01 * three + 0.99 * independent(0.02)),
    }


@pytest.mark.parametrize("surveys", [25, pytest.param(2_000, marks=pytest.mark.long)])
def test_intervals_hold_the_truth_whoever_is_above_the_cap(surveys: int) -> None:
    """Of 2 000 people, in each population, for single answers and pairs alike."""
    (block,), draws = listed().blocks, np.random.default_rng(144)
    words = block.patterns.word_list
    assert words is not None
    for truths, law in populations().values():
        own = block.numerators(truths) / ONE  # type: ignore[attr-defined]
        sent = law @ np.column_stack([own, 1 - own.sum(axis=1)])
        true = np.array(
            [law[truths[:, [place for place, _ in literals]].all(axis=1)].sum() for _, literals in words.words]
        )
        held = np.zeros(len(true))
        for counts in draws.multinomial(2_000, sent / sent.sum(), surveys):
            _, _, low, high = figures_of_cells(words.cells_of_counts(counts), 0.95)
            held += (low <= true) & (true <= high)
        for of_length in (held[:10], held[10:]):  # figures of a survey go together: so the mean is that of few
            assert of_length.mean() / surveys >= 0.95 - 4.5 * (0.05 * 0.95 / surveys) ** 0.5


def test_a_word_list_has_the_figures_of_reconstruct() -> None:
    """So what Protect promises is what a report prints: of singles, and of pairs."""
    design, draws = listed(7), np.random.default_rng(82)
    (block,) = design.blocks
    truth = (draws.random((600, 7)) < 0.2).astype(design.code_type)
    records = disguise(design, truth, take=words_from_seed(7))
    words = block.patterns.word_list
    assert words is not None
    figures = figures_of_cells(words.cells(records.codes, records.direct), 0.95)
    texts = [",".join(answers) for answers, _ in words.words]
    found = reconstruct(records, texts).patterns
    assert [one.support for one in found] == pytest.approx(figures[0])
    assert [one.ci for one in found] == [pytest.approx(ends) for ends in zip(*figures[2:], strict=True)]


@pytest.mark.parametrize(("share", "gamma", "taken"), [(0.02, 9, True), (0.02, 5, True), (0.1, 9, False)])
def test_the_advisor_takes_a_threshold_where_it_saves_a_sixth(share: float, gamma: int, taken: bool) -> None:
    """By the product of both intervals, against the list of words that it took before (decision 144)."""
    brief = Brief(yes_no(10, share), 10_000, Fraction(gamma), 2, by_interval=True)
    (family, (plan,)), *_others = ADVISOR.biased(brief, float(gamma), 2, np.inf)
    words = OneOfPlan(tuple(range(10)), 10, listed=Listed(Fraction(19, 10), (Fraction(1), Fraction(2, 5))))
    made = [one.sketch(brief.questions, gamma).errors(brief) for one in (plan, words)]
    errors, before = (np.prod(own[0]) for own in made if own)
    assert (family == SETS_OF) == taken
    assert not taken or before >= WORTH * errors
