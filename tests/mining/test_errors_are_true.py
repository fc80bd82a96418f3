"""What the errors promise, on simulated surveys in the paper's setting: k = .2, p = .3, θ = .6."""

from itertools import product

import numpy as np
import pytest

from mining.engines.estimates import CountedItemsets, sub_patterns, supports
from mining.engines.literals import literals_of
from mining.engines.records import mine
from mining.engines.rules import leverage_tests, rule_errors
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.records import Records
from tests.cases import every

K, P, THETA = 0.2, 0.3, 0.6
SURVEYS = 20_000


def design(length):
    items = [f"item{place}" for place in range(length)]
    return Design.parse({"direct": True, "model": "improved-grouped", "p": P, "theta": THETA, "items": items})


def surveys(truth, n, seed):
    """Counts of sub-patterns (surveys, 2 groups, 2^L) in surveys whose true answers have the cell shares `truth`."""
    rng = np.random.default_rng(seed)
    length = len(truth).bit_length() - 1
    ones = np.bitwise_count(np.arange(len(truth)))
    noise = THETA**ones * (1 - THETA) ** (length - ones)
    direct = rng.binomial(n, K, SURVEYS)
    direct_answers = rng.multinomial(direct, truth)
    disguised = rng.multinomial(n - direct, P * truth + (1 - P) * noise)
    return at_least(np.stack([disguised, direct_answers], axis=1))


def at_least(cells):
    """Counts of sub-patterns: of the records that match the literals of each mask, the others either way."""
    counts = cells.copy()
    for bit in range(cells.shape[-1].bit_length() - 1):
        halves = counts.reshape(*cells.shape[:-1], -1, 2, 1 << bit)
        halves[..., 0, :] += halves[..., 1, :]
    return counts


def independent(*shares):
    """Cell shares of independent items; item j is bit j."""
    cells = np.ones(1)
    for share in shares:
        cells = np.concatenate([cells * (1 - share), cells * share])
    return cells


def mix_groups(*groups):
    """Cell shares of a population of equal groups, inside which items are independent."""
    return np.mean([independent(*shares) for shares in groups], axis=0)


def sizes_of(counts):
    """How many are disguised and how many direct, in each survey."""
    return counts[:, :, 0]


def parts_of(cells, estimator):
    length = cells.shape[2].bit_length() - 1
    itemsets = CountedItemsets(np.tile(np.arange(length), (len(cells), 1)), cells, length)
    return sub_patterns(literals_of(design(length)), itemsets, estimator, sizes_of(cells))


@pytest.mark.parametrize(
    ("estimator", "prevalences"), every(4, product(ESTIMATORS, [(0.3, 0.3), (0.1, 0.4), (0.3, 0.2, 0.4)]))
)
def test_p_values_of_independent_items_are_uniform(prevalences, estimator):
    """Truly independent items are flagged at .05 in 4 to 6 % of surveys, and at .5 in about half."""
    parts = parts_of(surveys(independent(*prevalences), 10_000, 1), estimator)
    p = leverage_tests(parts)
    assert ((p < 0.05).mean(axis=0) > 0.04).all()
    assert ((p < 0.05).mean(axis=0) < 0.06).all()
    assert (p < 0.5).mean(axis=0) == pytest.approx(np.full(p.shape[1], 0.5), abs=0.03)


@pytest.mark.parametrize(("estimator", "length"), every(3, product(ESTIMATORS, [2, 3])))
def test_intervals_cover_what_they_promise(length, estimator):
    """95 % intervals of support, confidence, lift and leverage hold the population's value in 93.5 to 96.5 %."""
    truth = mix_groups((0.15, 0.2, 0.1)[:length], (0.6, 0.7, 0.5)[:length])
    cells = surveys(truth, 10_000, 3)
    parts = parts_of(cells, estimator)
    rows, left = np.arange(SURVEYS), np.full(SURVEYS, 2**length // 2 - 1)  # all but the last item ⇒ the last
    figures = rule_errors(parts, rows, left)
    itemsets = np.tile(np.arange(length), (SURVEYS, 1))
    whole = supports(literals_of(design(length)), CountedItemsets(itemsets, cells, length), estimator, sizes_of(cells))
    figures |= {"support low": whole.low, "support high": whole.high}

    states = np.arange(2**length)
    both = truth[-1]
    antecedent = truth[(states & left[0]) == left[0]].sum()
    consequent = truth[states >= 2 ** (length - 1)].sum()
    true = {
        "support": both,
        "confidence": both / antecedent,
        "lift": both / antecedent / consequent,
        "leverage": both - antecedent * consequent,
    }
    covered = {
        name: float(((figures[f"{name} low"] <= value) & (value <= figures[f"{name} high"])).mean())
        for name, value in true.items()
    }
    assert {name: 0.935 <= share <= 0.965 for name, share in covered.items()} == dict.fromkeys(true, True), covered


def test_a_ratio_whose_denominator_may_be_nothing_has_fiellers_interval():
    """A rare antecedent at few respondents: the interval covers, and may say that nothing is known."""
    truth = mix_groups((0.02, 0.3), (0.06, 0.6))
    parts = parts_of(surveys(truth, 1500, 5), "stratified")
    rows, left = np.arange(SURVEYS), np.full(SURVEYS, 1)
    figures = rule_errors(parts, rows, left)
    value = truth[3] / (truth[1] + truth[3])
    covered = (figures["confidence low"] <= value) & (value <= figures["confidence high"])
    assert covered.mean() > 0.94
    assert np.isinf(figures["confidence high"]).any()


@pytest.mark.parametrize("direct", [0.0, 1.0])
@pytest.mark.parametrize("engine", ["bitset", "mlxtend"])
def test_where_nothing_varies_rules_have_no_error(engine, direct):
    """500 records that all say the same, and 500 true ones: no interval of no width, and the reason is said."""
    coin = design(3)
    found = mine(Records(coin, np.ones((500, 3), np.uint8), np.full(500, bool(direct))), 0.1, 0.5, engine=engine)
    errors = [key for key in found.rules if key.split()[-1] in ("se", "low", "high") and not key.startswith("support")]
    assert len(found.rules) == 12
    assert found.rules[errors].isna().all(axis=None)
    said = ["7 itemsets have no standard error: all records of each say the same."]
    if not direct:
        said += [
            "No share from 0 to 1 lies in the intervals of 7 itemsets. Unless that is chance, the records contradict "
            "the design."
        ]
    assert [warning for warning in found.warnings if warning.startswith(("7 itemsets have no", "No share"))] == said


def test_an_answer_that_always_comes_with_another_has_a_confidence_without_error():
    """Direct records in which all who do a do b: nothing varies in that confidence; the other way round it does."""
    answers = np.array([[1, 1]] * 150 + [[0, 1]] * 150 + [[0, 0]] * 200, np.uint8)
    rules = mine(Records(design(2), answers, np.ones(500, bool)), 0.1, 0.1, engine="bitset").rules
    by_name = rules.set_index(rules["antecedent"])
    assert np.isnan(by_name.loc["item0", "confidence se"])
    assert by_name.loc["item1", "confidence se"] == pytest.approx(np.sqrt(0.5 * 0.5 / 300), rel=1e-9)
