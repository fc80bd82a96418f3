"""Traces of forged responses: none of honest devices whatever is true, and those that forgers do leave."""

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.guarantee.traces import ANSWERS, ASKED, TOGETHER, traces
from privacy.records import Records

TEN = [{"id": name, "theta": 0.5} for name in "abcdefghij"]
DESIGNS = {
    "one coin": [{"keep": 0.3, "items": TEN[:3]}],
    "sampled coin": [{"keep": 0.5, "ask": 4, "items": TEN}],
    "few sets": [{"keep": 0.5, "ask": 2, "items": TEN[:4]}],
    "flips": [{"flips": [0.4, 0.3, 0.2, 0.1], "items": [{"id": name} for name in "abc"]}],
    "a choice": [{"keep": 0.5, "items": [{"id": "x", "options": ["u", "v", "w"], "noise": [0.4, 0.3, 0.3]}, TEN[0]]}],
    "one-sided": [{"one-sided": 0.3, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]}],
}


def design_of(name):
    return Design.parse({"direct": True, "blocks": DESIGNS[name]})


def answers_of(design, n, lot, common=0.3):
    """Everybody says the last option with this chance, and else the first: items have nothing to do with each other."""
    last = np.array([len(item.options) - 1 for item in design.items])
    return ((lot.random((n, len(last))) < common) * last).astype(np.uint8)


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("common", [0.0, 0.3, 1.0])
def test_honest_devices_leave_no_trace_whatever_is_true(name, common):
    """Of 40 surveys hardly one is suspected, also where everybody says the same: at most 5 %, and 4.5 errors more."""
    design, found = design_of(name), 0
    for seed in range(40):
        lot = np.random.default_rng(seed)
        answers = answers_of(design, 600, lot, common)
        found += bool(traces(disguise(design, answers, lot.random(600) < 0.2, seeded_words(seed))).found)
    assert found <= 40 * 0.05 + 4.5 * np.sqrt(40 * 0.05 * 0.95)


def test_records_that_were_never_disguised_are_found():
    """Devices that send the truth: nobody says yes, and no coin can keep everybody's noise away."""
    design = design_of("one coin")
    records = Records(design, np.zeros((300, 3), np.uint8), np.zeros(300, bool))
    (test,) = traces(records).found
    assert (test.of, test.at) == (ANSWERS, "!a,!b,!c")


def test_forgers_who_choose_what_they_were_asked_are_found():
    """Of 10 000 some 400 forge the same three answers; both the questions asked and the answers to them show it."""
    design = design_of("sampled coin")
    lot = np.random.default_rng(1)
    honest = disguise(design, answers_of(design, 9600, lot), take=seeded_words(1)).codes
    forged = np.full((400, 10), design.not_asked, design.code_type)
    forged[:, [0, 1, 2]] = 1
    forged[np.arange(400), lot.integers(3, 10, 400)] = 0
    told = traces(Records(design, np.concatenate([honest, forged]), np.zeros(10_000, bool)))
    assert {test.of for test in told.found} == {ASKED, TOGETHER}
    assert next(test.at for test in told.tests if test.of == ASKED) in "abc"


def test_direct_answers_are_looked_at_for_what_was_asked_alone():
    """They are true and follow no coin, but their questions are drawn as everybody's."""
    design = design_of("few sets")
    lot = np.random.default_rng(2)
    answers = np.zeros((500, 4), np.uint8)
    records = disguise(design, answers, np.ones(500, bool), seeded_words(2))
    told = traces(records)
    assert [test.of for test in told.tests] == [ASKED]
    assert not told.found
    chosen = records.codes.copy()
    chosen[:] = design.not_asked
    chosen[:, :2] = lot.integers(0, 2, (500, 2))
    assert [test.of for test in traces(Records(design, chosen, np.ones(500, bool))).found] == [ASKED]


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
