"""Nothing is reported about few respondents, in whatever place of a report."""

import numpy as np
import pytest

from mining.engines.findings import findings
from mining.engines.lattice import rarest
from mining.engines.options import ENGINES
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.reconstruct.metrics import with_error
from tests.cases import first
from tests.codes import NOT_ASKED
from tests.mining.designs import KINDS, design_of, records_of, yes_no


def findings_of(design, codes, direct, **asked):
    request = MiningRequest(**{"min_support": 0.1, "min_confidence": 0.5, "least": 100, **asked})
    return findings([(codes, direct)], design, request)


@pytest.mark.parametrize(("few", "is_shown"), [(1, False), (99, False), (100, True)])
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("engine", first(1, ["bitset", "auto"]))
def test_no_figure_depends_on_what_a_small_direct_group_said(engine, estimator, few, is_shown, design):
    """Support, observed share and error are equations in its true answers: 99 are too few of them, 100 are enough."""
    codes, _ = records_of(design, n=2000)
    direct = np.arange(2000) < few
    results = []
    for said in (0, 1):
        codes[direct] = said
        made = findings_of(design, codes, direct, estimator=estimator, engine=engine, min_confidence=0)
        results.append((made.columns.to_bytes(), made.summary | {"seconds": 0}))
    assert (results[0] == results[1]) is not is_shown
    summary = results[1][1]
    assert (summary["n"], summary["direct"], summary["left_out"]) == (
        (2000, few, 0) if is_shown else (2000 - few, 0, few)
    )
    assert [answer["direct"] for answer in summary["groups"]["answers"]] == [1.0] * 5 * is_shown
    said = [
        text for text in sentences(summary["warnings"], 2000) if text.startswith(f"The direct answers of {few} resp")
    ]
    assert len(said) == (not is_shown)


def test_of_a_sampled_block_those_count_who_are_asked_the_longest_itemset():
    """Three of four items, 300 direct: 150 are to be asked a pair, 75 a triple; for triples they are left out."""
    design = design_of("sampled coin")
    codes, _ = records_of(design, n=3000)
    direct = np.arange(3000) < 300
    assert [findings_of(design, codes, direct, max_length=length).summary["left_out"] for length in (1, 2, 3)] == [
        0,
        0,
        300,
    ]


def test_an_itemset_that_few_were_asked_directly_is_left_out():
    """Where fewer happen to be asked it than expected: a pair that only 99 of 300 direct respondents were asked."""
    design = design_of("sampled coin")
    codes, _ = records_of(design, n=6000)
    both = (codes[:, :2] != NOT_ASKED).all(axis=1)
    direct = np.zeros(6000, dtype=bool)
    direct[np.r_[np.flatnonzero(both)[:99], np.flatnonzero(~both)[:201]]] = True
    made = findings_of(design, codes, direct, max_length=2, min_support=1e-6, min_confidence=0)
    assert {"a", "b", "a,c"} <= {",".join(made.columns.names(place)) for place in range(len(made.columns.items))}
    assert made.mined.lattice.too_few == 1
    assert "a,b" not in {",".join(made.columns.names(place)) for place in range(len(made.columns.items))}


@pytest.mark.parametrize(
    ("block", "longest", "share"),
    [
        ({"keep": 0.5, "items": yes_no(*"abcd")}, 3, 1.0),
        ({"keep": 0.5, "ask": 2, "items": yes_no(*"abcd")}, 3, 1 / 6),
        ({"keep": 0.5, "ask": 3, "items": yes_no(*"abcd")}, 2, 1 / 2),
    ],
)
def test_the_rarest_itemset_is_that_of_the_design(block, longest, share):
    """Alone, and beside a block of two of which one is asked: the share of those who are asked all of it."""
    assert rarest(Design.parse({"blocks": [block]}), longest) == pytest.approx(share)
    beside = {"keep": 0.5, "ask": 1, "items": yes_no("x", "y")}
    shares = [rarest(Design.parse({"blocks": [block]}), longest - here) / 2**here for here in (0, 1)]
    assert rarest(Design.parse({"blocks": [block, beside]}), longest) == pytest.approx(min(shares))


def test_groups_of_a_sampled_block_are_those_asked():
    """300 answered directly, but each was asked three of four items, and one was asked of 90: that one is left out."""
    design = design_of("sampled coin")
    codes, direct = records_of(design, n=3000)
    chosen = np.flatnonzero(direct & (codes[:, 3] != 255))
    asked = np.zeros(3000, dtype=bool)
    asked[chosen[:90]] = True
    keep = ~direct | asked | (codes[:, 3] == 255)
    answers = findings_of(design, codes[keep], direct[keep], max_length=1).summary["groups"]["answers"]
    assert [answer["answer"] for answer in answers] == ["a", "b", "c"]


def test_without_two_groups_nothing_is_missed():
    """Where nobody may answer directly there is nothing to compare, and no word about it."""
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.4}]}]})
    codes, direct = records_of(design, n=500)
    assert findings_of(design, codes, direct).summary["warnings"] == []


def test_itemsets_that_few_were_asked_are_left_out():
    """Three of twelve questions each: of 1 000 about 45 were asked a pair. No itemset or rule of them is reported."""
    block = {"keep": 0.5, "ask": 3, "items": [{"id": f"q{place}", "theta": 0.5} for place in range(12)]}
    design = Design.parse({"direct": True, "blocks": [block]})
    codes, direct = records_of(design, n=1000)
    made = findings_of(design, codes, direct)
    assert made.columns.itemsets["n"].min() >= 100
    assert len(made.columns.items) == 12
    assert len(made.columns.itemset) == 0
    (said,) = [text for text in sentences(made.summary["warnings"], 1000) if "fewer than 100 respondents" in text]
    assert said.startswith("66 itemsets are left out, with every longer itemset")


def test_what_nobody_of_a_group_was_asked_is_said_to_be_so():
    """One direct respondent, asked a and b: the stratified estimator has no value for what holds c, and says why."""
    design = Design.parse({"direct": True, "blocks": [KINDS["sampled coin"][0] | {"ask": 2}]})
    codes, _ = records_of(design, n=3000)
    direct = np.zeros(3000, dtype=bool)
    direct[np.flatnonzero((codes[:, 0] != NOT_ASKED) & (codes[:, 1] != NOT_ASKED))[0]] = True
    lattice = findings_of(design, codes, direct, min_support=0.01, least=1).mined.lattice
    assert (lattice.unasked, lattice.unidentified) == (2, 0)
    lattice = findings_of(design, codes, direct, min_support=0.01, least=1, estimator="pooled").mined.lattice
    assert (lattice.unasked, lattice.unidentified) == (0, 0)


def test_what_the_disguise_has_destroyed_is_counted_apart():
    """Flips that turn over one of two answers half of the time: each is known, but not whether they go together."""
    design = Design.parse({"blocks": [{"flips": [0.35, 0.5, 0.15], "items": [{"id": "a"}, {"id": "b"}]}]})
    codes, direct = records_of(design, n=500)
    lattice = findings_of(design, codes, direct).mined.lattice
    assert (lattice.unasked, lattice.unidentified) == (0, 1)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    "block",
    [{"keep": 0.0, "items": yes_no("a", "b")}, {"flips": [0.25, 0.5, 0.25], "items": [{"id": "a"}, {"id": "b"}]}],
)
def test_where_all_answered_directly_it_is_all_one_how_the_others_would_be_disguised(block, estimator):
    """Also where of the others nothing would be left: supports, thresholds and errors are those of the answers."""
    design = Design.parse({"direct": True, "blocks": [block]})
    codes = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], dtype=np.uint8).repeat([300, 50, 100, 550], axis=0)
    made = findings_of(
        design, codes, np.ones(1000, dtype=bool), min_support=0.32, min_confidence=0.1, estimator=estimator
    )
    assert made.columns.itemsets["support"].tolist() == pytest.approx([0.35, 0.4])
    made = findings_of(
        design, codes, np.ones(1000, dtype=bool), min_support=0.2, min_confidence=0.1, estimator=estimator
    )
    assert made.columns.itemsets["support"].tolist() == pytest.approx([0.35, 0.4, 0.3])
    assert made.columns.rules["confidence"].tolist() == pytest.approx([0.3 / 0.35, 0.3 / 0.4])
    assert (made.columns.rules["leverage se"] > 0).all()


@pytest.mark.parametrize("parts", [[], [(np.empty((0, 4), dtype=np.uint8), np.empty(0, dtype=bool))]])
@pytest.mark.parametrize("kind", ["a choice in the block", "sampled coin"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("engine", ENGINES)
def test_no_records_are_an_empty_result(engine, estimator, kind, parts):
    """Without an itemset, a rule, or a warning, whatever is asked for."""
    made = findings(parts, design_of(kind), MiningRequest(0.1, 0.5, 2, estimator=estimator, engine=engine, least=100))
    summary = made.summary
    assert (summary["n"], summary["itemsets"], summary["rules"], summary["warnings"]) == (0, 0, 0, [])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("direct", [[False], [True], [False, True]])
def test_one_respondent_tells_no_error_of_a_rule(direct, estimator):
    """Nor one in each group: what has an error has none, as the itemset's own row, and no interval and no test."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.4, "items": yes_no("a", "b", theta=0.5)}]})
    codes = np.ones((len(direct), 2), dtype=np.uint8)
    columns = findings_of(design, codes, np.array(direct), least=1, min_confidence=0).columns
    assert len(columns.itemset) == 2
    for name in ("se", "low", "high"):
        assert np.isnan(columns.itemsets[name]).all()
        for metric in with_error():
            assert np.isnan(columns.rules[f"{metric.key} {name}"]).all(), (metric.key, name)
    assert np.isnan([columns.rules["p"], columns.rules["q"]]).all()


def test_an_error_that_is_not_known_makes_an_itemset_weak():
    """Of three direct respondents one was asked all of a pair, which tells no spread: no error, and a warning."""
    design = Design.parse({"direct": True, "blocks": [KINDS["sampled coin"][0] | {"ask": 2}]})
    codes, _ = records_of(design, n=3000)
    asked = codes != NOT_ASKED
    direct = np.zeros(3000, dtype=bool)
    for one, other in ((0, 1), (0, 2), (0, 3)):
        direct[np.flatnonzero(asked[:, one] & asked[:, other])[0]] = True
    made = findings_of(design, codes, direct, min_confidence=0, least=1, cases="complete")
    unknown = np.flatnonzero(np.isnan(made.columns.itemsets["se"]))
    assert [",".join(made.columns.names(place)) for place in unknown] == ["b", "c", "d", "a,b", "a,c", "a,d"]
    (weak,) = [warning for warning in made.summary["warnings"] if warning["code"] == "weak"]
    assert (weak["count"], weak["of"], "needed" in weak) == (6, 7, False)
    assert sentences([weak], 3000)[0].endswith("below two standard errors.")


def test_a_report_that_cannot_find_anything_says_so_first():
    """Independent answers of 300, ten questions under one coin: no rule, and how many respondents one would take."""
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": i, "theta": 0.5} for i in "abcdefghij"]}]})
    lot = np.random.default_rng(3)
    answers = (lot.random((300, 10)) < 0.3).astype(np.uint8)
    made = findings_of(design, disguise(design, answers, take=words_from_seed(3)).codes, np.zeros(300, bool))

    said = sentences(made.summary["warnings"][::-1], 300)
    assert said[0].startswith("Expect no rules: with 300 respondents a rule of medium strength is found in ")
    assert said[0].endswith(" respondents would be needed.")
