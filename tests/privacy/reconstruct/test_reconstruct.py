"""Supports are reconstructed from records or from counts, as published."""

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main
from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct import PatternQuery, count_patterns, make_report, reconstruct, reconstruct_counts
from privacy.reconstruct.report import ABOVE
from privacy.records import Records
from tests.refusals import refusal_of


def one(model: str, **keys: float) -> Design:
    return Design.parse({"model": model, "items": ["a"], **keys})


@pytest.mark.parametrize(
    ("design", "n", "yes", "support", "se"),
    [
        (one("warner", theta=0.7), 125, 60, 0.45, 0.1117139204),  # RRTCS, WarnerData
        (one("forced-response", p=2 / 3, yes=1 / 6), 2435, 831, 0.26190965092, 0.01441270523),  # rr, nigeria
        (one("crosswise", prevalence=0.25), 310, 198, 0.22258065, 0.054566872),  # GLMMRR, partial plagiarism
        (one("crosswise", prevalence=0.25), 310, 230, 0.016129032, 0.049704575),  # GLMMRR, severe plagiarism
    ],
)
def test_published_estimates(design: Design, n: int, yes: int, support: float, se: float) -> None:
    """Supports and standard errors of the literature, to the 2^-32 of the exact designs."""
    # Both crosswise answers the same is record 1; GLMMRR counts the respondents whose answers differ as 0.
    records = Records(design, np.repeat(np.uint8([[1], [0]]), [yes, n - yes], axis=0), np.zeros(n, bool))

    (figures,) = reconstruct(records, ["a"]).patterns

    assert figures.support == pytest.approx(support, abs=5e-9)
    assert figures.se == pytest.approx(se, abs=5e-9)


def test_the_error_that_the_paper_prints_is_beside_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """10 000 people, k = .2, p = .3, θ = .6, π = .3: (6) is .01134 by hand, and the error within the groups .01118.

    λ = .2·.3 + .8·(.3·.3 + .7·.6) = .468 and the slope is .2 + .8·.3 = .44; within the groups λ is .3 and .51.
    """
    design = one("improved-grouped", p=0.3, theta=0.6)
    design = Design.parse(design.to_json() | {"direct": True})
    answers = np.repeat(np.uint8([[1], [0], [1], [0]]), [600, 1400, 4080, 3920], axis=0)
    records = Records(design, answers, np.arange(10_000) < 2000)

    pooled = reconstruct(records, ["a"], estimator="pooled")
    (figures,) = pooled.patterns
    counted = reconstruct_counts(design, ["a"], {"": (8000, 2000), "a": (4080, 600)}, estimator="pooled")

    by_hand = sqrt(0.468 * 0.532 / 10_000) / 0.44, sqrt((0.2 * 0.3 * 0.7 + 0.8 * 0.51 * 0.49) / 10_000) / 0.44
    assert (figures.se_printed, figures.se) == (
        pytest.approx(by_hand[0], rel=1e-6),
        pytest.approx(by_hand[1], rel=1e-6),
    )
    assert (f"{by_hand[0]:.5f}", f"{by_hand[1]:.5f}") == ("0.01134", "0.01118")
    assert figures.support == pytest.approx(0.3, abs=1e-6)
    assert counted.patterns[0].to_json()["se_printed"] == figures.se_printed
    assert "se_printed" not in reconstruct(records, ["a"]).patterns[0].to_json()
    (tmp_path / "design.json").write_text(json.dumps(design.to_json()))
    rows = zip(np.where(records.direct, "1,", "0,"), answers[:, 0], strict=True)
    (tmp_path / "records.csv").write_text("direct,a\n" + "".join(f"{group}{code}\n" for group, code in rows))
    main(["reconstruct", str(tmp_path / "records.csv"), str(tmp_path / "design.json"), "--estimator", "pooled"])
    assert [line.split() for line in capsys.readouterr().out.splitlines() if line.endswith("0.0113403")] == [
        ["a", "0.0111785", "0.0113403"]
    ]


def test_one_coin_has_the_papers_errors() -> None:
    """One coin block: the variance of a pair is P*(1−P*)/(n a²), with a and q of the whole block."""
    design = Design.parse({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})
    supports = {"": (1000, 0), "a,!b": (330, 0)}

    (figures,) = reconstruct_counts(design, ["a,!b"], supports).patterns

    assert figures.support == pytest.approx((0.33 - 0.7 * 0.6 * 0.4) / 0.3, abs=1e-8)
    assert figures.se == pytest.approx(sqrt(0.33 * 0.67 / 1000) / 0.3, abs=1e-8)


def test_the_pooled_estimator_is_the_papers() -> None:
    """Equation (7): all records together, with a = k + (1−k)p and the observed k."""
    design = Design.parse({"model": "improved-grouped", "direct": True, "p": 0.3, "theta": 0.6, "items": ["a", "b"]})
    supports = {"": (800, 200), "a,b": (300, 20)}

    (figures,) = reconstruct_counts(design, ["a,b"], supports, estimator="pooled").patterns

    a = 0.2 + 0.8 * 0.3
    groups = (800 * 0.375 * 0.625 + 200 * 0.1 * 0.9) / 1000**2
    assert figures.support == pytest.approx((0.32 - (1 - a) * 0.36) / a, abs=1e-8)
    assert figures.se == pytest.approx(sqrt(groups) / a, abs=1e-8)


MIXED = Design.parse(
    {
        "direct": True,
        "blocks": [
            {
                "keep": 0.3,
                "items": [
                    {"id": "a", "theta": 0.6},
                    {"id": "age", "options": ["x", "y", "z"], "noise": [0.4, 0.4, 0.2]},
                ],
            },
            {"model": "flip", "gamma": 9, "radius": 0, "items": ["f", "g", "h"]},
            {"model": "improved-grouped", "p": 0.4, "theta": 0.5, "items": ["s", "t", "u"], "ask": 2},
            {"model": "unrelated-question", "p": 0.5, "theta": 0.2, "items": ["v", "w"], "ask": 1},
        ],
    }
)
PATTERNS = ["a", "!a,age=x", "f,!g", "a,f,!h", "s,!t", "a,s,v", "!age=x", "w", "f,g,h,u"]


@pytest.fixture(scope="module")
def population() -> np.ndarray:
    """20 000 true answers, the items correlated by a hidden temper."""
    rng = np.random.default_rng(1965)
    temper = rng.random(20_000)
    truth = (rng.random((20_000, 10)) < 0.2 + 0.4 * temper[:, None]).astype(np.uint8)
    truth[:, 1] = np.digitize(0.7 * temper + 0.3 * rng.random(20_000), [0.4, 0.6])
    return truth


@pytest.fixture(scope="module")
def records(population: np.ndarray) -> Records:
    direct = np.arange(len(population)) % 5 == 0
    return disguise(MIXED, population, direct, words_from_seed(1965))


def share(truth: np.ndarray, pattern: str) -> float:
    literals = parse_pattern(pattern, MIXED).literals
    return float(np.all([np.isin(truth[:, c], list(options)) for c, options in literals], axis=0).mean())


@pytest.mark.parametrize("estimator", ["stratified", "combined", "pooled"])
def test_every_kind_of_block_is_recovered(population: np.ndarray, records: Records, estimator: str) -> None:
    """Nine patterns over coins, options, flips and sampled blocks are all within 5 errors of the truth, seed 1965."""
    rows = reconstruct(records, PATTERNS, estimator=estimator).patterns

    errors = [(f.support - share(population, f.pattern)) / f.se_respondents for f in rows]
    assert np.abs(errors).max() < 5


def test_counts_add_up_over_parts(records: Records) -> None:
    """Counting parts of the respondents and adding gives the report of all, to the last digit."""
    query = PatternQuery.parse(MIXED, PATTERNS[:6])
    cuts = [slice(0, 7), slice(7, 9_000), slice(9_000, None)]
    parts = [count_patterns(Records(MIXED, records.codes[cut], records.direct[cut]), query) for cut in cuts]

    assert make_report(query, parts[0] + parts[1] + parts[2]) == reconstruct(records, PATTERNS[:6])


def test_observed_supports_alone_suffice() -> None:
    """The supports of a pattern's parts give the figures that the records give."""
    design = Design.parse(
        {
            "direct": True,
            "blocks": [
                {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.6}]},
                {"model": "flip", "gamma": 9, "radius": 0, "items": ["f", "g"]},
            ],
        }
    )
    codes = np.random.default_rng(3).integers(0, 2, (500, 4)).astype(np.uint8)
    records = Records(design, codes, np.arange(500) < 100)
    parts = ["", "a,!b", "f", "g", "f,g", "a,!b,f", "a,!b,g", "a,!b,f,g"]
    supports = {}
    for text in parts:
        literals = parse_pattern(text, design).literals if text else ()
        match = np.ones(500, bool)
        for column, options in literals:
            match &= np.isin(codes[:, column], list(options))
        supports[text] = int(match[100:].sum()), int(match[:100].sum())

    (from_supports,) = reconstruct_counts(design, ["a,!b,f,g"], supports).patterns

    (from_records,) = reconstruct(records, ["a,!b,f,g"]).patterns
    assert (from_supports.support, from_supports.se, from_supports.ci) == (
        from_records.support,
        from_records.se,
        from_records.ci,
    )


@pytest.mark.parametrize(
    ("supports", "said"),
    [
        ({"": (100, 0), "f": (40, 0)}, "counts: 'g' is missing, 'f,g' needs it."),
        (
            {"": (100, 0), "f": (0.4, 0)},
            "counts: (0.4, 0) of 'f' is not two counts, disguised and direct records.",
        ),
        (
            {"": (100, 0), "f": (40, 0), "g": (30, 0), "f,g": (35, 0)},
            "counts: those of 'f,g' contradict each other; no records have them.",
        ),
    ],
)
def test_supports_that_do_not_suffice_are_refused(supports: dict[str, tuple[int, int]], said: str) -> None:
    """A missing part is named, and impossible counts are not reconstructed."""
    design = Design.parse({"model": "flip", "gamma": 9, "radius": 0, "items": ["f", "g"]})

    assert refusal_of(lambda: reconstruct_counts(design, ["f,g"], supports)) == said


def test_records_that_all_say_the_same_are_told_to_contradict_the_design() -> None:
    """Under a coin that says yes in .42 of 500 records, 500 yeses: no share makes that likely, and nothing varies."""
    design = Design.parse({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})
    records = Records(design, np.ones((500, 2), np.uint8), np.zeros(500, bool))
    report = reconstruct(records, ["a", "a,b"])
    assert [(row.se, row.ci is not None and row.ci[0] > 1) for row in report.patterns] == [(None, True)] * 2
    assert str(report).splitlines()[-3:] == [
        "No standard error is shown where all records of a figure say the same, or one person decides it.",
        "No share from 0 to 1 lies in the interval of a; a,b. Unless that is chance, the records contradict",
        "the design.",
    ]
    records.codes[:290] = 0
    assert "No s" not in str(reconstruct(records, ["a", "a,b"]))


def test_an_empty_pattern_is_refused() -> None:
    """A pattern without literals matches everyone and tells nothing."""
    with pytest.raises(InputError, match="A pattern is empty; name at least one item"):
        PatternQuery.parse(MIXED, [Pattern(())])


def test_records_of_another_design_are_refused(records: Records) -> None:
    """Counts of one design are never read by the weights of another."""
    other = Design.parse({"model": "warner", "theta": 0.7, "items": ["a"]})

    with pytest.raises(InputError, match="The records and the patterns have different designs"):
        count_patterns(records, PatternQuery.parse(other, ["a"]))


def test_a_set_that_is_estimated_above_a_part_of_it_is_named() -> None:
    """Each figure is printed as it was estimated, the same whatever else is asked for; one sentence names the set."""
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"]})
    codes = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [50, 12, 8, 30], axis=0).astype(np.uint8)
    records = Records(design, codes, np.zeros(100, bool))

    together = reconstruct(records, ["a", "a,b"])
    (alone,) = reconstruct(records, ["a,b"]).patterns

    a, both = together.patterns
    assert (a.support or 0.0) < (both.support or 0.0)
    assert both == alone
    assert ABOVE + " a,b." in " ".join(str(together).split())
    assert ABOVE not in " ".join(str(reconstruct(records, ["a,b"])).split())
