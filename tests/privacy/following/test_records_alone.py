"""What records alone tell: nothing of honest devices whatever is true, and what forgers and bypassed devices leave."""

import numpy as np
import pytest

from candor import careless
from privacy.design import ONE, Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.following.records_alone import ANSWERS, ASKED, KNOWN, LISTS
from privacy.own_draw.person_draw import LOOK
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
        departures += bool(careless(disguise(design, answers, lot.random(600) < 0.2, words_from_seed(seed))).departing)
    assert departures <= surveys * 0.05 + 4.5 * np.sqrt(surveys * 0.05 * 0.95)


def test_records_that_were_never_disguised_are_found():
    """Devices that send the truth: nobody says yes, and no coin can keep everybody's noise away."""
    design = design_of("one coin")
    records = Records(design, np.zeros((300, 3), np.uint8), np.zeros(300, bool))
    (test,) = careless(records).departing
    assert (test.of, test.at) == (ANSWERS, "!a,!b,!c")


def test_forgers_who_choose_what_they_were_asked_are_found():
    """Of 10 000 some 400 forge the same three answers; the questions asked show it."""
    design = design_of("sampled coin")
    lot = np.random.default_rng(1)
    honest = disguise(design, answers_of(design, 9600, lot), take=words_from_seed(1)).codes
    forged = np.full((400, 10), design.not_asked, design.code_type)
    forged[:, [0, 1, 2]] = 1
    forged[np.arange(400), lot.integers(3, 10, 400)] = 0
    tested = careless(Records(design, np.concatenate([honest, forged]), np.zeros(10_000, bool)))
    assert {test.of for test in tested.departing} == {ASKED}
    assert next(test.at for test in tested.tests if test.of == ASKED) in "abc"


def test_direct_answers_are_looked_at_for_what_was_asked_alone():
    """They are true and follow no coin, but their questions are drawn as everybody's."""
    design = design_of("few sets")
    lot = np.random.default_rng(2)
    answers = np.zeros((500, 4), np.uint8)
    records = disguise(design, answers, np.ones(500, bool), words_from_seed(2))
    tested = careless(records)
    assert [test.of for test in tested.tests] == [ASKED]
    assert not tested.departing
    chosen = records.codes.copy()
    chosen[:] = design.not_asked
    chosen[:, :2] = lot.integers(0, 2, (500, 2))
    assert [test.of for test in careless(Records(design, chosen, np.ones(500, bool))).departing] == [ASKED]


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
    (test,) = careless(Records(design_of(name), rows, np.zeros(len(rows), bool))).to_json()["tests"]
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
    (test,) = careless(records).tests
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


def test_counts_of_sets_are_those_of_a_chi_square():
    """Six sets of two of four items, a hundred records of which 40 have the first: χ² by hand, five degrees."""
    from scipy.stats import chisquare

    design = Design.parse({"blocks": [{"keep": 0.5, "ask": 2, "items": TEN[:4]}]})
    sets = [(0, 1)] * 40 + [(0, 2)] * 12 + [(0, 3)] * 12 + [(1, 2)] * 12 + [(1, 3)] * 12 + [(2, 3)] * 12
    codes = np.full((100, 4), design.not_asked, design.code_type)
    for row, asked in enumerate(sets):
        codes[row, list(asked)] = row % 2
    (test,) = [one for one in careless(Records(design, codes, np.zeros(100, bool))).tests if one.of == ASKED]
    assert test.p == pytest.approx(chisquare([40, 12, 12, 12, 12, 12]).pvalue, rel=1e-9)


def test_an_anchor_is_tested_by_an_exact_binomial():
    """Of a hundred 55 match, where a coin with p = .5 and θ = .6 matches an answer of .2 with a chance of .4."""
    from scipy.stats import binomtest

    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.6}]}]})
    records = Records(design, np.repeat([[1], [0]], [55, 45], axis=0).astype(np.uint8), np.zeros(100, bool))
    (test,) = (one for one in careless(records, anchors={"a": 0.2}).tests if one.of == KNOWN)
    assert test.p == pytest.approx(2 * binomtest(55, 100, 0.4, alternative="greater").pvalue, rel=1e-7)
    assert test.at == "a: 0.5 where 0.2 is known"


@pytest.mark.parametrize("known", [{"a": 1.2}, {"a,b": 0.2}, {"nobody": 0.2}])
def test_what_is_no_anchor_is_refused(known):
    """A share from 0 to 1, of one answer that was asked."""
    with pytest.raises(InputError):
        careless(Records(design_of("one coin"), np.zeros((9, 3), np.uint8), np.zeros(9, bool)), anchors=known)


def test_two_lists_must_give_the_same_share():
    """Who presses one button speaks for yes in one list and for no in the other: χ² of 60 and 40 of a hundred each."""
    from scipy.stats import chi2_contingency

    outcomes = [{"of": ["1", "2"], "says": "fact"}, {"of": ["3", "4", "5", "6", "7", "8", "9", "0"], "says": "not"}]
    draw = {"way": "extended", "source": "digit", "fact": "note", "outcomes": outcomes, "delta": 0}
    design = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "doping"}]}]})
    looks = np.repeat(np.array(["fact", "opposite"], object), 100)
    codes = np.repeat([1, 0, 1, 0], [60, 40, 40, 60])[:, np.newaxis].astype(np.uint8)

    found = careless(Records(design, codes, np.zeros(200, bool), {LOOK: looks}), disguiser="person")

    (test,) = (test for test in found.tests if test.of == LISTS)
    assert test.p == pytest.approx(chi2_contingency([[60, 40], [40, 60]], correction=False).pvalue, rel=1e-9)
