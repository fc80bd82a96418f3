"""Mining sampled designs by least squares: as reconstruction has it, and where it is not to be had."""

import json
from itertools import product

import numpy as np
import pytest

from mining.domain.request import request_run
from mining.engines.findings import findings, json_chunks
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from mining.models import MiningRun
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.estimate.selection import low_of_reported
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import first
from tests.mining.designs import KINDS, design_of, records_of
from tests.mining.surveys import sealed_survey

SAMPLED = [kind for kind in KINDS if "sampled" in kind]


@pytest.mark.parametrize(("kind", "estimator"), first(2, product(SAMPLED, ESTIMATORS)))
def test_itemsets_have_the_figures_of_reconstruction(kind, estimator):
    """Support, error and interval of every itemset of two and three literals, negated ones among them.

    The low end is the one that holds after the choice of what reaches the threshold.
    """
    design = design_of(kind)
    codes, direct = records_of(design)
    request = MiningRequest(0.1, 0.0, 3, True, estimator, "bitset", "least-squares")

    lattice = mine([(codes, direct)], design, request).lattice

    for level in lattice.levels[1:]:
        some = np.flatnonzero(level.accepted)[::7]
        texts = [",".join(lattice.literals.labels[x] for x in level.items[at]) for at in some]
        records = Records(design, codes, direct)
        rows = reconstruct(records, texts, estimator=estimator, cases="least-squares").patterns
        assert len(rows) > 0
        support, se, low, high = np.array([(row.support, row.se, *row.ci) for row in rows]).T
        figures = {"support": support, "se": se, "low": low_of_reported(support, low, se, 0.1), "high": high}
        for name, values in figures.items():
            assert getattr(level.supports, name)[some] == pytest.approx(values, abs=1e-9)


def test_the_parts_of_a_rule_add_up():
    """sup(A) in its confidence is sup(A and C) + sup(A and not C): both come from the same sub-patterns."""
    design = design_of("sampled coin")
    columns = findings(
        [records_of(design)], design, MiningRequest(1e-9, 0.0, 2, True, engine="bitset", cases="least-squares")
    ).columns

    rules = {tuple(",".join(side) for side in columns.sides(at)): at for at in range(len(columns.itemset))}
    together = columns.rules["confidence"][rules["a", "b"]] + columns.rules["confidence"][rules["a", "!b"]]

    assert together == pytest.approx(1, abs=1e-9)


def three_of_ten(share: float) -> Records:
    """Under one coin; where answers are rare least squares win most."""
    items = [{"id": f"q{place}", "theta": 0.5} for place in range(10)]
    design = Design.parse({"blocks": [{"ask": 3, "keep": 0.53, "items": items}]})
    answers = np.random.default_rng(3).random((10_000, 10)) < share
    return disguise(design, answers.astype(np.uint8), np.zeros(10_000, bool), words_from_seed(1))


@pytest.mark.long
def test_a_report_says_what_least_squares_would_give():
    """What stays of the errors is what reconstruction by them gives; the figures of the report stay the default's."""
    records = three_of_ten(0.1)

    made = findings(
        [(records.codes, records.direct)], records.design, MiningRequest(0.003, 0.0, 3, True, engine="bitset")
    )

    columns = made.columns
    (said,) = (one for one in made.summary["warnings"] if one["code"] == "least squares")
    triples = [[columns.labels[item] for item in row] for row in columns.items.tolist() if min(row) >= 0]
    rows = reconstruct(records, map(",".join, triples[:500]), cases="least-squares").patterns
    se = columns.itemsets["se"][[min(row) >= 0 for row in columns.items.tolist()]][:500]
    parts = [row.se / own for row, own in zip(rows, se, strict=True) if row.se and np.isfinite(own)]
    assert (said["items"], said["part"]) == (3, pytest.approx(float(np.median(parts)), abs=1e-6))
    assert f"{100 * (1 - said['part']):.0f} % smaller" in sentences([said], 10_000)[0]


@pytest.mark.long
def test_a_report_where_least_squares_win_nothing_is_silent_about_them():
    """Frequent answers, or a report by them."""
    for share, cases in ((0.5, "available"), (0.1, "least-squares")):
        records = three_of_ten(share)
        asked = MiningRequest(0.05, 0.0, 3, True, engine="bitset", cases=cases)
        made = findings([(records.codes, records.direct)], records.design, asked)
        assert "least squares" not in [one["code"] for one in made.summary["warnings"]]


def test_rules_have_raw_figures_alone_and_a_warning_says_so():
    design = design_of("sampled coin")

    result = findings([records_of(design)], design, MiningRequest(0.05, 0.3, engine="bitset", cases="least-squares"))

    document = json.loads("".join(json_chunks(result)))
    assert document["cases"] == "least-squares"
    assert {rule["shrunken"] for rule in document["rules"]} == {None}
    assert any(warning.startswith("Least squares cannot allow for luck") for warning in document["warnings"])


def test_where_nothing_is_sampled_they_are_what_all_cases_are():
    design = design_of("one block")
    records = [records_of(design)]

    made = [
        findings(records, design, MiningRequest(0.05, 0.3, cases=cases)).columns.rules
        for cases in ("available", "least-squares")
    ]

    np.testing.assert_equal(*made)


def test_samples_and_bins_refuse_them():
    """One sentence names the two ways that there are."""
    design = design_of("sampled coin")
    request = MiningRequest(0.05, 0.3, cases="least-squares")
    with pytest.raises(InputError, match="cases: 'least-squares' is not one of available, complete"):
        mine([records_of(design)], design, request, sampling=Sampling.simple(3000))
    with pytest.raises(InputError, match="cases: 'least-squares' is not one of available, complete"):
        MiningRequest(0.05, 0.3, cases="least-squares", bins="age=18,30")


@pytest.mark.django_db
def test_the_site_refuses_them():
    """Its reports tell figures after selection, which least squares do not have."""
    with pytest.raises(InputError, match="cases: 'least-squares' is not one of available, complete"):
        request_run(sealed_survey(200), MiningRequest(0.05, 0.3, cases="least-squares"))
    assert not MiningRun.objects.exists()
