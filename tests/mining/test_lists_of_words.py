"""Mining the records of a list of words: an itemset has a figure where the list has all its words."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.result import TextColumns

ITEMS = ["drugs", "cheating", "theft"]
DESIGN = candor.models.one_of(ITEMS, gamma=19, cap=2, longest=2)
SINGLES_AND_PAIRS = [",".join(names) for length in (1, 2) for names in combinations(ITEMS, length)]


@pytest.fixture(scope="module")
def truth() -> pd.DataFrame:
    drawn = np.random.default_rng(1).random((20_000, 3)) < [0.2, 0.3, 0.4]
    return pd.DataFrame(drawn.astype(int), columns=ITEMS)


def mine(records: candor.Records) -> candor.Mined:
    return candor.mine(records, min_support=1e-6, min_confidence=0.01)


def test_what_has_no_word_has_no_figure_and_is_counted(truth: pd.DataFrame) -> None:
    """Three answers make no word, so the only triple is left out; all others have the figures of their patterns."""
    records = candor.disguise(truth, DESIGN, seed=1)
    found = mine(records)
    alone = candor.reconstruct(records, SINGLES_AND_PAIRS).to_frame()
    assert found.itemsets["support"].tolist() == pytest.approx(alone["support"].tolist(), abs=1e-12)
    assert [one["count"] for one in found.summary["warnings"] if one["code"] == "unidentified"] == [1]


def test_how_far_supports_may_be_off_is_said() -> None:
    """The largest of what `reconstruct` says of each pattern; nothing where the cap has room for all."""
    truth = pd.DataFrame((np.random.default_rng(5).random((5_000, 6)) < 0.1).astype(int), columns=list("abcdef"))
    off, printed = [], []
    for cap in (1.5, 6):
        design = candor.models.one_of([*"abcdef"], gamma=19, cap=cap, direct=False)
        records = candor.disguise(truth, design, seed=2)
        found = mine(records)
        biases = [row.bias for row in candor.reconstruct(records, found.itemsets["itemset"].tolist()).patterns]
        off.append(([one["off"] for one in found.summary["warnings"] if one["code"] == "biased"], biases))
        printed.append(" ".join(str(found).split()))

    assert off[0][0] == [max(off[0][1])]
    assert (off[1][0], {*off[1][1]}) == ([], {None})
    assert [f"by up to {100 * off[0][0][0]:.2g} percentage points" in one for one in printed] == [True, False]


def test_a_second_wave_says_where_higher_figures_stand() -> None:
    """Its report and `mine --top` give back what people above the cap leave out; a first wave's do not."""
    truth = pd.DataFrame((np.random.default_rng(5).random((6_000, 8)) < 0.2).astype(int), columns=list("abcdefgh"))
    first = candor.models.one_of([*"abcdefgh"], gamma=19, cap=2, longest=1, direct=False)
    one = candor.disguise(truth[:2_000], first, seed=1)
    two = candor.disguise(truth[2_000:], candor.wave(one, 4_000, top=6), seed=2)

    assert ["mine --top” give back" in " ".join(str(mine(wave)).split()) for wave in (one, two)] == [False, True]


def test_what_direct_people_say_needs_no_word(truth: pd.DataFrame) -> None:
    """Where all are direct a triple that is no word is counted as it is."""
    found = mine(candor.disguise(truth, DESIGN, seed=1, direct=1.0))
    assert found.itemsets["support"].tolist()[-1] == pytest.approx(float(truth.all(axis=1).mean()), abs=1e-12)


@pytest.mark.parametrize("measure", ["lift", "confidence"])
def test_a_quotient_holds_the_truth_where_its_divisor_is_overestimated(measure: str) -> None:
    """Of what most do the word is no: above the cap too many seem to do it, and a lift of 3.33 was 1.30 (.38–2.98).

    The interval of a mined rule reaches as far as that of compare.
    """
    items = [{"id": name, "harmless": "1"} for name in "ab"]
    design = candor.Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "longest": 2, "items": items})
    yes = (np.random.default_rng(5).random(20_000) < 0.3).astype(int)
    records = candor.disguise(pd.DataFrame({"a": yes, "b": yes}), design, seed=3)

    (figure, _) = candor.compare(records, ["a => b", "b => a"], measure=measure).figures
    rules = mine(records).columns
    place = [rules.sides(rule) for rule in range(len(rules.itemset))].index((["a"], ["b"]))

    assert figure.estimate is not None
    low, high = figure.estimate.ci
    assert low < {"lift": 1 / 0.3, "confidence": 1}[measure] < high
    assert rules.rules[f"{measure} high"][place] > 0.95 * high


def test_only_rules_with_ends_are_printed() -> None:
    """Rare answers of few people: each printed interval has ends, and its figure in it; the others are counted."""
    truth = pd.DataFrame((np.random.default_rng(5).random((1_500, 6)) < 0.1).astype(int), columns=list("abcdef"))
    design = candor.models.one_of([*"abcdef"], gamma=19, cap=2, longest=2, direct=False)
    found = mine(candor.disguise(truth, design, seed=3))

    (table,) = (one for one in found.contents() if isinstance(one, TextColumns) and one.headings[0] == "rule")
    names = [table.headings.index(name) for name in ("low*", "raw confidence", "high*")]
    ends = np.array([[row[place] for place in names] for row in table.rows])
    listed = found.rules["listed"] | found.rules["redundant"]
    assert np.isfinite(ends).all()
    assert (np.diff(ends, axis=1) >= 0).all()
    assert not ((ends[:, 0] <= 0) & (ends[:, 2] >= 1)).any()
    assert len(found.to_frame()) == found.rules["listed"].sum() < len(found.rules) == len(found.to_frame(all=True))
    assert f"{(~listed).sum()} further rules are not listed, because" in " ".join(str(found).split())
