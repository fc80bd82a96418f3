"""Traces of forged responses: none of honest devices whatever is true, and those that forgers do leave."""

import math
import re

import numpy as np
import pytest

from privacy.design import ONE, Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.guarantee.forgery_tests import (
    ANCHOR,
    ANSWERS,
    ARMS,
    ASKED,
    LEVEL,
    TOGETHER,
    Farthest,
    SeenAnswer,
    finds,
    traces,
)
from privacy.records import Records
from tests.cases import first

TEN = [{"id": name, "theta": 0.5} for name in "abcdefghij"]
DESIGNS = {
    "one coin": [{"keep": 0.3, "items": TEN[:3]}],
    "sampled coin": [{"keep": 0.5, "ask": 4, "items": TEN}],
    "few sets": [{"keep": 0.5, "ask": 2, "items": TEN[:4]}],
    "flips": [{"flips": [0.4, 0.3, 0.2, 0.1], "items": [{"id": name} for name in "abc"]}],
    "a choice": [{"keep": 0.5, "items": [{"id": "x", "options": ["u", "v", "w"], "noise": [0.4, 0.3, 0.3]}, TEN[0]]}],
    "one-sided": [{"one-sided": 0.3, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]}],
    "a list": [{"model": "one-of", "gamma": 9, "cap": 2, "longest": 2, "items": [*"abcde"]}],
    "groups": [{"model": "one-of", "gamma": 9, "cap": 2, "longest": 2, "groups": 5, "items": [*"abcde"]}],
}


def design_of(name):
    return Design.parse({"direct": True, "blocks": DESIGNS[name]})


def answers_of(design, n, lot, common=0.3):
    """Everybody says the last option with this chance, and else the first: items have nothing to do with each other."""
    last = np.array([len(item.options) - 1 for item in design.items])
    return ((lot.random((n, len(last))) < common) * last).astype(np.uint8)


@pytest.mark.parametrize("surveys", [20, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("common", first(1, [0.3, 1.0, 0.0]))
def test_honest_devices_leave_no_trace_whatever_is_true(name, common, surveys):
    """Hardly one survey is suspected, also where everybody says the same: at most 5 %, and 4.5 errors more.

    Of 20 that is 6, which a suspicion of most honest surveys exceeds; of 400 it is 39, and twice the level exceeds it.
    """
    design, departures = design_of(name), 0
    for seed in range(surveys):
        lot = np.random.default_rng(seed)
        answers = answers_of(design, 600, lot, common)
        departures += bool(traces(disguise(design, answers, lot.random(600) < 0.2, words_from_seed(seed))).departing)
    assert departures <= surveys * 0.05 + 4.5 * np.sqrt(surveys * 0.05 * 0.95)


def test_records_that_were_never_disguised_are_found():
    """Devices that send the truth: nobody says yes, and no coin can keep everybody's noise away."""
    design = design_of("one coin")
    records = Records(design, np.zeros((300, 3), np.uint8), np.zeros(300, bool))
    (test,) = traces(records).departing
    assert (test.of, test.at) == (ANSWERS, "!a,!b,!c")
    assert test.off == Farthest(answers=tuple(SeenAnswer(name, given=False, boolean=True) for name in "abc"))


def test_forgers_who_choose_what_they_were_asked_are_found():
    """Of 10 000 some 400 forge the same three answers; both the questions asked and the answers to them show it."""
    design = design_of("sampled coin")
    lot = np.random.default_rng(1)
    honest = disguise(design, answers_of(design, 9600, lot), take=words_from_seed(1)).codes
    forged = np.full((400, 10), design.not_asked, design.code_type)
    forged[:, [0, 1, 2]] = 1
    forged[np.arange(400), lot.integers(3, 10, 400)] = 0
    tested = traces(Records(design, np.concatenate([honest, forged]), np.zeros(10_000, bool)))
    assert {test.of for test in tested.departing} == {ASKED, TOGETHER}
    assert next(test.at for test in tested.tests if test.of == ASKED) in "abc"


def test_direct_answers_are_looked_at_for_what_was_asked_alone():
    """They are true and follow no coin, but their questions are drawn as everybody's."""
    design = design_of("few sets")
    lot = np.random.default_rng(2)
    answers = np.zeros((500, 4), np.uint8)
    records = disguise(design, answers, np.ones(500, bool), words_from_seed(2))
    tested = traces(records)
    assert [test.of for test in tested.tests] == [ASKED]
    assert not tested.departing
    chosen = records.codes.copy()
    chosen[:] = design.not_asked
    chosen[:, :2] = lot.integers(0, 2, (500, 2))
    assert [test.of for test in traces(Records(design, chosen, np.ones(500, bool))).departing] == [ASKED]


FORGED = {
    "the same word": lambda _lot: np.tile([1, 0, 0, 0, 0], (3000, 1)),
    "no word at all": lambda _lot: np.tile([1, 1, 1, 0, 0], (3000, 1)),
    "undisguised answers": lambda lot: lot.random((3000, 5)) < 0.1,
}


@pytest.mark.parametrize(
    ("name", "forged", "at"),
    [
        ("a list", "the same word", "a"),
        ("a list", "no word at all", "rows that no device makes"),
        ("a list", "undisguised answers", "rows that no device makes"),
        ("groups", "the same word", "group 1"),
        ("groups", "no word at all", "group 7"),
        ("groups", "undisguised answers", "the loss word of length 0"),
    ],
)
def test_forgers_who_send_no_words_as_devices_do_are_found(name, forged, at):
    """All send one record, or one that is no word; or they answer without a disguise."""
    rows = FORGED[forged](np.random.default_rng(6)).astype(np.uint8)
    (test,) = traces(Records(design_of(name), rows, np.zeros(len(rows), bool))).to_json()["tests"]
    assert [test[key] for key in ("block", "of", "n", "at", "found")] == [1, ANSWERS, 3000, at, True]


LISTED = {
    "one-of": 0.25,
    "items": [{"id": name, "harmless": "0"} for name in "abc"],
    "words": [{"word": name, "base": 0.05, "own": 0.3} for name in ("a", "b", "c")],
    "losses": [{"length": 0, "base": 0.02, "own": 0.2, "full": 0.8}],
}
SHOWN = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]], np.uint8)


@pytest.mark.parametrize(
    ("counts", "at", "count", "chance", "side"),
    [
        ((52, 4, 4, 2, 38, 0), "a", 52, 0.3, "greater"),
        ((10, 0, 5, 2, 83, 0), "b", 0, 0.05, "less"),
        ((5, 5, 5, 45, 40, 0), "the loss word of length 0", 45, 0.2, "greater"),
        ((24, 24, 24, 8, 20, 0), "no word", 20, 0.58, "less"),
        ((1, 1, 1, 0, 97, 0), "no word", 97, 0.83, "greater"),
        ((5, 5, 5, 2, 82, 1), "rows that no device makes", 1, 0.0, "greater"),
    ],
)
def test_records_of_a_list_are_tested_by_exact_binomials(counts, at, count, chance, side):
    """Of a hundred: words from .05 to .3, the loss word from .02 to .2, no word from .83 down to .58, others never.

    Six events with two bounds each: p is twelve times the tail of the one that is farthest off.
    """
    from scipy.stats import binomtest

    records = Records(Design.parse({"blocks": [LISTED]}), np.repeat(SHOWN, counts, axis=0), np.zeros(100, bool))
    (test,) = traces(records).tests
    assert test.at == at
    assert test.p == pytest.approx(min(12 * binomtest(count, 100, chance, alternative=side).pvalue, 1), rel=1e-6)


@pytest.mark.parametrize("name", ["a list", "groups"])
def test_no_truth_gives_a_record_of_a_list_a_chance_beyond_its_bounds(name):
    """By the whole channel; in a list some truth reaches each of them, but for rounding."""
    (block,) = design_of(name).blocks
    truths = np.array(list(np.ndindex(*[2] * 5)))
    chances = block.numerators(truths) / ONE
    chances = np.column_stack([chances, 1 - chances.sum(axis=1)])
    least, most = block.patterns.word_list.bounds
    assert (least <= chances.min(axis=0) + 1e-12).all()
    assert (most >= chances.max(axis=0) - 1e-12).all()
    if name == "a list":
        assert [*chances.min(axis=0), *chances.max(axis=0)] == pytest.approx([*least, *most], abs=1e-6)


def test_where_nothing_can_be_tested_that_is_said():
    """Of people who all answered directly nothing is known."""
    design = design_of("a list")

    tested = traces(Records(design, np.zeros((50, len(design.items)), np.uint8), np.ones(50, bool)))

    assert not tested.tests
    assert str(tested).endswith("Nothing was tested: there is no test for such records.")


def test_counts_of_sets_are_those_of_a_chi_square():
    """Six sets of two of four items, a hundred records of which 40 have the first: χ² by hand, five degrees."""
    from scipy.stats import chisquare

    design = Design.parse({"blocks": [{"keep": 0.5, "ask": 2, "items": TEN[:4]}]})
    sets = [(0, 1)] * 40 + [(0, 2)] * 12 + [(0, 3)] * 12 + [(1, 2)] * 12 + [(1, 3)] * 12 + [(2, 3)] * 12
    codes = np.full((100, 4), design.not_asked, design.code_type)
    for row, asked in enumerate(sets):
        codes[row, list(asked)] = row % 2
    (test,) = [one for one in traces(Records(design, codes, np.zeros(100, bool))).tests if one.of == ASKED]
    assert test.p == pytest.approx(chisquare([40, 12, 12, 12, 12, 12]).pvalue, rel=1e-9)


COIN = [{"keep": 0.5, "items": [{"id": name, "theta": 0.6} for name in "abc"]}]
MILD = [{"keep": 0.8, "items": [{"id": name, "theta": 0.5} for name in "abc"]}]


def devices(blocks, n, seed, bypass=0.0, random=0.0):
    """Answers of prevalence .2; this share of devices does not disguise, and this share of people answers at random."""
    design, lot = Design.parse({"blocks": blocks}), np.random.default_rng(seed)
    answers = (lot.random((n, 3)) < 0.2).astype(np.uint8)
    at_random = lot.random(n) < random
    answers[at_random] = lot.integers(0, 2, (int(at_random.sum()), 3))
    codes = disguise(design, answers, take=words_from_seed(seed)).codes.copy()
    plain = lot.random(n) < bypass
    codes[plain] = answers[plain]
    return Records(design, codes, np.zeros(n, bool))


def share_departing(of, surveys=150, **made):
    """How often the test finds something by itself."""
    hits = 0
    for seed in range(surveys):
        if of == ANCHOR:
            tested = traces(devices(COIN, 1500, seed, **made), anchors={"a": 0.2})
        else:
            tested = traces(devices(COIN, 3000, seed, **made), other=devices(MILD, 3000, seed + 10**6, **made))
        (test,) = (one for one in tested.tests if one.of == of)
        hits += test.found if made else test.p < LEVEL
    return hits / surveys


@pytest.mark.parametrize("surveys", first(1, [8, 20]))
def test_small_surveys_that_ask_nearly_everything_leave_no_trace(surveys):
    """Few miss one question of ten, and rare answers are few: the tails of such tables are far from normal ones."""
    items = [{"id": name, "theta": 0.05} for name in "abcdefghij"]
    design, departures = Design.parse({"blocks": [{"keep": 0.7, "ask": 9, "items": items}]}), 0
    for seed in range(surveys):
        records = disguise(
            design, answers_of(design, 100, np.random.default_rng(seed), 0.05), take=words_from_seed(seed)
        )
        departures += any(test.p < LEVEL for test in traces(records).tests if test.of == TOGETHER)
    assert departures <= surveys * 0.05 + 4.5 * np.sqrt(surveys * 0.05 * 0.95)


@pytest.mark.parametrize("of", first(1, [ANCHOR, ARMS]))
def test_honest_surveys_pass_the_tests_of_anchors_and_of_arms(of):
    """At most one in twenty does not, and 4.5 standard errors more."""
    assert share_departing(of) <= 0.05 + 4.5 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.parametrize("kind", ["bypass", "random"])
def test_an_anchor_finds_the_share_that_it_says(kind):
    """Devices that do not disguise, or people who answer at random: in four surveys of five, within 4.5 errors."""
    (test,) = (one for one in traces(devices(COIN, 1500, 0), anchors={"a": 0.2}).tests if one.of == ANCHOR)
    share = getattr(test, kind)
    assert share_departing(ANCHOR, **{kind: share}) == pytest.approx(0.8, abs=4.5 * np.sqrt(0.8 * 0.2 / 150))


def test_the_share_that_is_printed_is_found_in_four_of_five():
    """It is rounded up: with 7 % where 7.4 % are found in four of five, fewer would be."""
    tested = traces(devices(COIN, 1500, 0), anchors={"a": 0.2}, other=devices(MILD, 3000, 1))
    found = [share for test in tested.tests for share in (test.bypass, test.random) if share is not None]
    printed = [float(percent) for percent in re.findall(r"from ([\d.]+) % on", str(tested))]
    assert len(found) == len(printed) == 3
    for share, percent in zip(found, printed, strict=True):
        assert 100 * share <= percent < 100 * share + 1


@pytest.mark.parametrize("kind", ["bypass", "random"])
@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_an_anchor_finds_it_also_where_much_else_is_tested(blocks, kind):
    """By binomial sums: .8 at the level that Holm leaves the anchor among one, four or seven tests, and no less."""
    born = {"keep": 0.5, "items": [{"id": "born", "theta": 0.4}]}
    sampled = [
        {"keep": 0.5, "ask": 2, "items": [{"id": f"{name}{block}", "theta": 0.5} for name in "abc"]}
        for block in range(blocks)
    ]
    n, known, tests = 600, 0.9, 2 + 3 * blocks
    design = Design.parse({"blocks": [born, *sampled]})
    honest = disguise(design, np.ones((n, 1 + 3 * blocks), np.uint8), take=words_from_seed(0))
    tested = traces(honest, anchors={"born": known})
    share = getattr(tested.tests[-1], kind)
    assert (len(tested.tests), share) == (tests, finds(design, "born", known, n)[kind == "random"])
    p, sent = 0.2 + 0.5 * known, known if kind == "bypass" else 0.2 + 0.5 * 0.5

    def chances(p):
        return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]

    lower = np.cumsum(chances(p))
    upper = np.cumsum(chances(p)[::-1])[::-1]
    rejected = 2 * np.minimum(lower, upper) < 0.05 / tests

    def power(share):
        return np.array(chances(p + share * (sent - p)))[rejected].sum()

    assert power(share) >= 0.8 > power(share - 0.0001)


def test_two_arms_differ_where_devices_do_not_disguise():
    """What is overcorrected differs with the design; the answers are three, so that some power goes to Bonferroni."""
    (test,) = (one for one in traces(devices(COIN, 3000, 0), other=devices(MILD, 3000, 1)).tests if one.of == ARMS)
    assert test.random is None
    assert share_departing(ARMS, surveys=60, bypass=1.5 * test.bypass) > 0.8


def test_an_anchor_is_tested_by_an_exact_binomial():
    """Of a hundred 55 match, where a coin with p = .5 and θ = .6 matches an answer of .2 with a chance of .4."""
    from scipy.stats import binomtest

    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.6}]}]})
    records = Records(design, np.repeat([[1], [0]], [55, 45], axis=0).astype(np.uint8), np.zeros(100, bool))
    (test,) = (one for one in traces(records, anchors={"a": 0.2}).tests if one.of == ANCHOR)
    assert test.p == pytest.approx(2 * binomtest(55, 100, 0.4, alternative="greater").pvalue, rel=1e-7)
    assert test.at == "a: 0.5 where 0.2 is known"
    assert test.off == Farthest(answers=(SeenAnswer("a"),), shares=(pytest.approx(0.5), 0.2))


@pytest.mark.parametrize("known", [{"a": 0.0}, {"a": 1.2}, {"a,b": 0.2}, {"nobody": 0.2}])
def test_what_is_no_anchor_is_refused(known):
    """A share between 0 and 1, of one answer that was asked."""
    with pytest.raises(InputError):
        traces(devices(COIN, 100, 0), anchors=known)


def test_arms_that_were_asked_nothing_alike_are_refused():
    """There is nothing to compare."""
    other = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "z", "theta": 0.5}]}]})
    with pytest.raises(InputError, match="no question in common"):
        traces(devices(COIN, 100, 0), other=Records(other, np.zeros((9, 1), np.uint8), np.zeros(9, bool)))
