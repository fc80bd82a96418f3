"""Rules of respondents who were not drawn alike: by weights, strata and clusters."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from mining.engines.findings import Mined, findings
from mining.engines.request import MiningRequest
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.selection import low_of_reported
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.cases import every
from tests.commands import Shell
from tests.mining.designs import KINDS, design_of, records_of

ESTIMATORS = ("stratified", "pooled", "combined")
DRAWN = ({"weights": "w"}, {"strata": "s"}, {"weights": "w", "cluster": "c", "strata": "s"})
N = 1500


def people(kind: str) -> Records:
    """Records with a weight, a cluster of about eight, and one of three strata for each."""
    design, draws = design_of(kind), np.random.default_rng(2)
    codes, direct = records_of(design, N)
    cluster = draws.integers(0, N // 8, N)
    columns = {"w": draws.uniform(0.5, 2, N), "c": cluster.astype(float), "s": (cluster % 3).astype(float)}
    return Records(design, codes, direct, columns)


MIN_SUPPORT = 0.05


def mine_records(records: Records, sampling: Sampling | None, **request: object) -> Mined:
    asked = MiningRequest(
        **{"min_support": MIN_SUPPORT, "min_confidence": 0.2, "max_length": 3, "engine": "bitset"} | request
    )
    return findings([(records.codes, records.direct)], records.design, asked, sampling=sampling)


@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.long) for turn in (1, 2))])
@pytest.mark.parametrize("kind", every(12, KINDS))
def test_figures_of_a_population_are_those_that_compare_tells(kind: str, turn: int) -> None:
    """Every itemset and rule, of every kind of block: estimate, error, interval and p, however people were drawn.

    In each turn every estimator with one way of drawing, which are others in the next.

    The combined estimator weighs the groups once for all sides of a rule, so that these fit together; there the
    itemsets are alike.
    """
    records = people(kind)
    every = ("available", "complete") if records.design.sampled else ("complete",)
    for (place, estimator), cases in product(enumerate(ESTIMATORS, turn + list(KINDS).index(kind)), every):
        drawn = DRAWN[place % 3]
        sampling = Sampling.from_columns(records.open_columns, N, Sample(**drawn))
        columns = mine_records(records, sampling, estimator=estimator, cases=cases).columns
        ours, theirs = [], []
        for itemset in range(place % 3, len(columns.items), 5):
            text = ",".join(columns.names(itemset))
            estimate = figure(records, text, sampling, estimator, cases=cases).estimate(sampling)
            ours.append([columns.itemsets[name][itemset] for name in ("support", "se", "low", "high")])
            own, se, low, high = (np.array([one]) for one in (estimate.estimate, estimate.se, *estimate.ci))
            reported = low_of_reported(own, low, se, MIN_SUPPORT)  # mining says so of what it reports
            theirs.append([estimate.estimate, estimate.se, float(reported[0]), float(high[0])])
        for rule in range(place % 3, 0 if estimator == "combined" else len(columns.itemset), 23):
            text = " => ".join(",".join(side) for side in columns.sides(rule))
            for measure, ends in (("confidence", 2), ("leverage", 4)):  # the interval of a quotient may be Fieller's
                estimate = figure(records, text, sampling, estimator, measure, cases=cases).estimate(sampling)
                four = [columns.rules[measure + end][rule] for end in ("", " se", " low", " high")]
                ours.append(four[:ends] + [0.0] * (4 - ends))
                theirs.append([estimate.estimate, estimate.se, *estimate.ci][:ends] + [0.0] * (4 - ends))
            assert columns.rules["p"][rule] == pytest.approx(estimate.p, rel=1e-6, abs=1e-12)
        assert len(ours) > 2
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11, err_msg=f"{drawn}, {estimator}, {cases}")


@pytest.mark.long
@pytest.mark.parametrize("cases", ["available", pytest.param("complete", marks=pytest.mark.long)])
def test_errors_are_those_of_surveys_drawn_again(cases: str) -> None:
    """Surveys in clusters of which all say the same, with weights: the spread of a rule's figures is the error told.

    Without its clusters the error of a support would be two fifths of that.
    """
    design = design_of("sampled coin", direct=False)
    random = np.random.default_rng(8)
    rows = []
    for seed in range(120):
        group = np.repeat(np.arange(30), 20)
        truth = (random.random((30, 4)) < [0.5, 0.6, 0.5, 0.5]).astype(np.uint8)[group]
        truth[:, 1] |= truth[:, 0]
        records = disguise(design, truth, np.zeros(600, bool), words_from_seed(seed))
        columns = {"c": group.astype(float), "w": random.uniform(0.5, 2, 30)[group]}
        sampling = Sampling.from_columns(columns, 600, Sample("w", "c"))
        result = mine_records(
            records, sampling, min_support=0.01, min_confidence=0.0, max_length=2, least=1, cases=cases
        )
        names = [result.columns.sides(rule) for rule in range(len(result.columns.itemset))]
        place = names.index((["a"], ["b"]))
        rules = result.columns.rules
        rows.append([rules[name][place] for name in ("leverage", "leverage se", "support", "support se")])
    leverage, leverage_se, support, support_se = np.array(rows).T
    # The standard deviation of 120 draws has an error of about 1/√240.
    assert np.mean(leverage_se) == pytest.approx(np.std(leverage), rel=4.5 / np.sqrt(240))
    assert np.mean(support_se) == pytest.approx(np.std(support), rel=4.5 / np.sqrt(240))


def test_a_small_direct_group_is_left_out_of_a_sample_too() -> None:
    """Who is left out is a domain of the sample that has no part in any figure; nothing tells of the groups."""
    records = people("one block")
    direct = np.zeros(N, bool)
    direct[:40] = True
    records = Records(records.design, records.codes, direct, records.open_columns)
    sampling = Sampling.from_columns(records.open_columns, N, Sample(**DRAWN[2]))

    result = mine_records(records, sampling, least=100)

    estimate = figure(records, "a", sampling, among=~direct).estimate(sampling)
    assert result.summary["left_out"] == 40
    assert result.columns.itemsets["support"][0] == pytest.approx(estimate.estimate, abs=1e-12)
    assert result.columns.itemsets["se"][0] == pytest.approx(estimate.se, abs=1e-12)
    assert result.summary["groups"]["answers"] == []


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    records = people("one block")
    (tmp_path / "design.json").write_text(json.dumps(records.design.to_json()))
    alone = Records(records.design, records.codes, records.direct)  # its clusters have the name of an item
    frame = alone.to_frame().assign(direct=records.direct.astype(int))
    frame.assign(w=records.open_columns["w"]).to_csv(tmp_path / "records.csv", index=False)
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_the_command_takes_weights(files: list[str], shell: Shell) -> None:
    """`--weights w`: the figures are the library's, and the first line says whom they are about."""
    arguments = ["mine", *files, "--min-support", "0.2", "--min-confidence", "0.5", "--weights", "w"]

    result = shell.json(*arguments, "--json")
    first, *_ = shell.out(*arguments).splitlines()

    records = people("one block")
    ours = mine_records(
        records,
        Sampling.from_columns(records.open_columns, N, Sample("w")),
        min_support=0.2,
        min_confidence=0.5,
        least=100,
    )
    assert [row["support"] for row in result["itemsets"]] == ours.columns.itemsets["support"].tolist()
    assert [row["q"] for row in result["rules"]] == ours.columns.rules["q"].tolist()
    assert first.endswith("stratified estimator, for the population that they were drawn from")
