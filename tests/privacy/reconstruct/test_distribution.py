"""The distribution of a disguised number: nearer to the truth than plain likelihood, with errors that hold."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from privacy.design import Design
from privacy.design.blocks.number.shares import NumberShares
from privacy.design.brief import WIDE
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.reconstruct.association import joint_table
from privacy.reconstruct.distribution import distribution, most_likely
from privacy.reconstruct.smoothing import smooth, smoothest
from privacy.records import Records, write_records
from tests.cases import every, first
from tests.commands import Shell
from tests.refusals import refusal_of

SEED = 20031107
AGE = {"id": "age", "min": 0, "max": 99, "step": 1}
CHANNELS: dict[str, dict[str, Any]] = {
    "square wave 1": {"number": "square-wave", "epsilon": 1},
    "square wave 2": {"number": "square-wave", "epsilon": 2},
    "square wave 3": {"number": "square-wave", "epsilon": 3},
}


def ages() -> np.ndarray:
    """Two peaks: six in ten around 30, four in ten around 65."""
    at = np.arange(100)
    heights = 0.6 * np.exp(-((at - 30) ** 2) / 128) / 8 + 0.4 * np.exp(-((at - 65) ** 2) / 200) / 10
    return np.asarray(heights / heights.sum())


TRUTH = ages().reshape(20, 5).sum(axis=1)


def design(block: dict[str, Any], direct: bool = False) -> Design:
    return Design.parse({"direct": direct, "blocks": [{**block, "items": [AGE]}]})


@cache
def bins(name: str, count: int = 20) -> NumberShares:
    shares: NumberShares = design(CHANNELS[name]).blocks[0].distribution((count,))
    return shares


def drawn(name: str, n: int, surveys: int) -> np.ndarray:
    """Counts of records, a survey a row, from the channel of single years."""
    chances = ages() @ bins(name, 100).channel
    return np.random.default_rng(SEED).multinomial(n, chances / chances.sum(), size=surveys).astype(float)


def away(own: NumberShares, pieces: np.ndarray) -> float:
    """Total variation from the truth."""
    return float(np.abs(own.bin_shares(pieces) - TRUTH).sum() / 2)


def smoothed(own: NumberShares, table: np.ndarray) -> np.ndarray:
    shares: np.ndarray = smoothest(own.channel, table, own.rows, own.free).shares
    return shares


@pytest.mark.parametrize(("name", "n"), every(18, product(CHANNELS, [10**3, 10**4, 10**5])))
def test_a_smooth_fit_is_nearer_to_the_truth_than_plain_likelihood(name: str, n: int) -> None:
    """In every case of the table in numbers-and-places.md, on the mean of four surveys; it never sees the truth."""
    counts = drawn(name, n, 4)

    plain = np.mean([away(bins(name), fit.shares) for fit in most_likely(bins(name), counts)])

    assert np.mean([away(bins(name), smoothed(bins(name), table)) for table in counts]) < plain


@pytest.mark.long
@pytest.mark.parametrize("name", every(5, CHANNELS))
def test_the_error_falls_as_respondents_are_added(name: str) -> None:
    """From 10^3 to 10^4 to 10^5 respondents, on the mean of four surveys."""
    errors = [
        np.mean([away(bins(name), smoothed(bins(name), table)) for table in drawn(name, n, 4)])
        for n in (10**3, 10**4, 10**5)
    ]

    assert errors == sorted(errors, reverse=True)


@given(st.integers(0, 2**32 - 1), st.sampled_from(list(CHANNELS)))
def test_a_step_of_plain_em_never_lowers_the_likelihood(seed: int, name: str) -> None:
    """From any shares, with any records: EM on the operator forward and back climbs."""
    chance, own = np.random.default_rng(seed), bins(name)
    shares = chance.dirichlet(np.full(len(own.channel), 0.5))
    counts = chance.multinomial(500, chance.dirichlet(np.ones(own.channel.shape[1]))).astype(float)
    heights = []
    for _ in range(4):
        expected = own.forward(shares)
        possible = expected > 0
        heights.append(counts[possible] @ np.log(expected[possible]))
        ratios = np.divide(counts, expected, out=np.zeros_like(counts), where=possible)
        shares = shares * own.back(ratios) / counts[possible].sum()

    assert all(after >= before - 1e-9 * abs(before) for before, after in pairwise(heights))


def test_back_is_the_transpose_of_forward() -> None:
    """⟨forward(s), r⟩ = ⟨s, back(r)⟩ for any s and r."""
    chance, own = np.random.default_rng(SEED), bins("square wave 2")
    shares, ratios = chance.random(len(own.channel)), chance.random(own.channel.shape[1])

    assert own.forward(shares) @ ratios == pytest.approx(shares @ own.back(ratios), rel=1e-12)


def test_a_stronger_penalty_is_smoother_and_fits_less() -> None:
    """The aim of each roughness is reached: of a low one the logarithms lie on a line, of a high one they bend."""
    counts, own = drawn("square wave 1", 10**4, 1)[0], bins("square wave 1")
    channel, even = own.channel[np.newaxis], own.even[np.newaxis]
    bends = [
        float(np.abs(np.diff(smooth(channel, counts, even, roughness, np.zeros_like(even))[0].logs, 2)).max())
        for roughness in (0.3, 100.0, 3000.0)
    ]

    assert bends[0] < 0.02 < bends[1] < bends[2]


@pytest.mark.parametrize(("n", "surveys"), first(1, [(1_000, 3), (1_000, 15), (10_000, 15)]))
def test_intervals_hold_the_truth_as_often_as_they_say(n: int, surveys: int) -> None:
    """95 % intervals of 20 bins hold at least 85 %, and of the means as many as 4.5 standard errors allow."""
    own, block = bins("square wave 2"), design(CHANNELS["square wave 2"])
    held, means = [], 0
    for survey in range(surveys):
        truth = np.random.default_rng(SEED + survey).choice(100, n, p=ages())
        codes = (truth + own.first)[:, np.newaxis]
        estimated = distribution(disguise(block, codes, take=words_from_seed(survey)), "age", bins=20)
        low, high = estimated.intervals
        held.append(np.mean((low <= TRUTH) & (high >= TRUTH)))
        mean = estimated.to_json()["ci"]["mean"]
        means += mean[0] <= ages() @ np.arange(100) <= mean[1]

    assert np.mean(held) > 0.85
    assert means > 0.95 * surveys - 4.5 * (0.95 * 0.05 * surveys) ** 0.5


def test_both_groups_count_by_their_size() -> None:
    """A direct group that is young and a disguised one that is old: the shares are those of all respondents."""
    own = design({"number": "square-wave", "epsilon": 3}, direct=True)
    first, n = own.items[0].grid.firsts[0], 20_000
    direct = np.arange(n) < n // 4
    truth = np.random.default_rng(SEED).integers(0, 25, n) + np.where(direct, 0, 50)
    records = disguise(own, (truth + first)[:, np.newaxis], direct, words_from_seed(SEED))

    shares = distribution(records, "age", bins=4).shares

    np.testing.assert_allclose(shares, [0.25, 0, 0.75, 0], atol=0.03)


def drawn_in_a_way(
    copies: int, people: int = 1_500, direct: float = 0.2
) -> tuple[Records, dict[str, np.ndarray[Any, Any]]]:
    """Records in which every respondent stands so many times, with the number of the person as a column."""
    own = design(CHANNELS["square wave 3"], direct=True)
    random = np.random.default_rng(SEED)
    truth = random.choice(100, people, p=ages()) + own.items[0].grid.firsts[0]
    records = disguise(own, truth[:, np.newaxis], random.random(people) < direct, words_from_seed(SEED))
    person = np.repeat(np.arange(people), copies)
    return Records(own, records.codes[person], records.direct[person]), {"person": person.astype(float)}


@pytest.mark.long
def test_copies_of_respondents_are_worth_one_where_they_are_a_cluster() -> None:
    """Five rows of each person, clustered, have the errors of one row each; as if drawn alike, √5 times less."""
    single, _ = drawn_in_a_way(1)
    copied, columns = drawn_in_a_way(5)
    sampling = Sampling.from_columns(columns, len(copied), Sample(cluster="person"))

    once = distribution(single, "age", bins=10)
    clustered = distribution(copied, "age", bins=10, sample=sampling)
    alike = distribution(copied, "age", bins=10)

    reach = {name: float(np.diff(one.figures["ci"]["mean"])[0]) for name, one in (
        ("once", once), ("clustered", clustered), ("alike", alike))}  # fmt: skip
    # An interval of 200 draws has a relative error of about 8 %; 4.5 of them, and what smoothing adds.
    assert reach["clustered"] == pytest.approx(reach["once"], rel=0.36)
    assert reach["alike"] < 0.65 * reach["once"]
    np.testing.assert_allclose(clustered.shares, once.shares, atol=0.02)
    np.testing.assert_allclose(clustered.se, once.se, rtol=0.36, atol=0.002)


def towns(count: int, sd: float) -> Records:
    """Fifty people in each town; what is common differs from town to town by this standard deviation."""
    own, random = design({"number": "square-wave", "epsilon": 4}), np.random.default_rng(SEED)
    town = np.repeat(np.arange(count), 50)
    truth = np.clip(50 + random.normal(0, sd, count)[town] + random.normal(0, (288 - sd**2) ** 0.5, len(town)), 0, 99)
    codes = truth.round().astype(np.int64)[:, np.newaxis] + own.items[0].grid.firsts[0]
    records = disguise(own, codes, np.zeros(len(town), bool), words_from_seed(SEED))
    return Records(own, records.codes, records.direct, {"town": town.astype(float)})


def test_towns_that_lie_apart_widen_the_share_above_a_number() -> None:
    """By what the shares of towns differ: the interval of single bins knew little of it, and held .63 of surveys."""
    clustered = {
        sd: distribution(towns(40, sd), "age", bins=4, sample=Sample(cluster="town")).above(50) for sd in (0.0, 12.0)
    }

    widths = {sd: (high - low) / 3.92 for sd, (_, low, high) in clustered.items()}
    # Φ of 12/√(288 − 144) spread: by simulation the shares of towns have a standard deviation of .288, its error of
    # 40 towns is 11 %, and the error beside that is .0156.
    assert widths[12.0] == pytest.approx(np.hypot(0.288 / 40**0.5, 0.0111), rel=0.35)
    assert 0.011 < widths[0.0] < 1.7 * 0.0156


def test_weights_are_worth_copies() -> None:
    """Whom a weight of three stands for counts as three rows do; a respondent of weight 0 enters nothing."""
    records, _ = drawn_in_a_way(1, people=600)
    times = np.random.default_rng(SEED).integers(0, 4, len(records))
    sampling = Sampling.from_columns({"w": times.astype(float)}, len(records), Sample(weights="w"))
    copies = np.repeat(np.arange(len(records)), times)
    copied = Records(records.design, records.codes[copies], records.direct[copies])

    weighted = distribution(records, "age", bins=5, sample=sampling)

    for own, other in zip(weighted.counted, distribution(copied, "age", bins=5).counted, strict=True):
        np.testing.assert_allclose(own * times.mean(), other, atol=1e-9)
    assert weighted.shares.sum() == pytest.approx(1)


def test_mean_and_quantiles_are_those_of_whole_steps() -> None:
    """Of 0 … 9, all alike, the mean is 4.5, and half of people have 4 or less."""
    own = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 3, "items": [{**AGE, "max": 9}]}]}).blocks[0]
    shares = own.distribution((5,))
    even = shares.even

    assert (shares.mean(even), shares.quantile(even, 0.5)) == pytest.approx((4.5, 4))
    assert shares.quantile(even, 0.0) == 0


@pytest.fixture
def records() -> Records:
    own = design(CHANNELS["square wave 3"])
    truth = np.random.default_rng(SEED).choice(100, 2_000, p=ages())
    return disguise(own, (truth + own.items[0].grid.firsts[0])[:, np.newaxis], take=words_from_seed(SEED))


def test_the_share_above_a_threshold_counts_whole_numbers(records: Records) -> None:
    """Everybody is 0 or more and nobody 100; what lies beside the threshold in its bin does not count."""
    estimated = distribution(records, "age", bins=10)

    share, low, high = estimated.above(52)
    assert (estimated.above(0)[0], estimated.above(100)[0]) == pytest.approx((1, 0))
    assert share == pytest.approx(estimated.pieces[0, 52:].sum()) == pytest.approx(estimated.above(51.5)[0])
    assert low < share < high
    assert "<svg" in estimated.picture()


def test_a_threshold_inside_a_cell_of_several_numbers_has_the_bounds_of_both_ends() -> None:
    """Of 1 000 numbers five share a cell; only the ends, and numbers that are named, have a cell of their own."""
    item = {"id": "pay", "min": 0, "max": 999, "step": 1}
    own = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 3, "items": [item]}]})
    truth = np.random.default_rng(SEED).integers(0, 1000, 2_000) + own.items[0].grid.firsts[0]
    pay = disguise(own, truth[:, np.newaxis].astype(own.code_type), take=words_from_seed(SEED))

    plain, named = distribution(pay, "pay"), distribution(pay, "pay", heaps=[502])

    (least, even, most) = (plain.pieces[0] @ part for part in plain.distribution.above(502))
    share, low, high = plain.above(502)
    assert (least < even < most, share) == (True, pytest.approx(even))
    assert low < least < most < high
    assert all((part % 1 == 0).all() for part in named.distribution.above(502))
    assert all((part % 1 == 0).all() for part in plain.distribution.above(1))


def test_a_cell_that_is_free_may_be_a_hole() -> None:
    """True answers show it: nobody says 5 where many say 4 and 6."""
    counts = np.array([1.0, 2, 3, 10, 20, 0, 20, 10, 3, 2, 1])

    bound, free = (smoothest(np.eye(11), counts, free=cells).shares for cells in ((0, 10), (0, 5, 10)))

    assert free[5] < 0.01 < bound[5]
    assert np.abs(free - counts / counts.sum()).sum() < np.abs(bound - counts / counts.sum()).sum()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"heaps": [100]}, "heaps: 100 is no answer to 'age', from 0 to 99."),
        ({"heaps": [Fraction(1, 2)]}, "heaps: 0.5 is no answer to 'age', from 0 to 99."),
        ({"bins": 1}, "bins: 1 of 'age' are outside 2 to 100."),
        ({"bins": 101}, "bins: 101 of 'age' are outside 2 to 100."),
        ({"bins": (4, 4)}, "bins: 'age' is a number, so give one count of bins, without edges or a grid."),
        ({"level": 1.0}, "level: 1.0 is not between 0 and 1."),
    ],
)
def test_a_distribution_that_cannot_be_is_refused(records: Records, arguments: dict[str, Any], said: str) -> None:
    """One sentence with the value and the rule."""
    assert refusal_of(lambda: distribution(records, "age", **arguments)) == said


DRUGS = {"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}
BOTH = Design.parse({"direct": True, "blocks": [DRUGS, {**CHANNELS["square wave 2"], "items": [AGE]}]})


def test_an_item_with_options_has_no_distribution_and_a_number_no_pattern() -> None:
    """Each refusal says where to ask instead."""
    some = Records(BOTH, np.array([[1, 50]], BOTH.code_type), np.array([False]))

    with pytest.raises(InputError, match="'drugs' has options; ask for patterns of it"):
        distribution(some, "drugs")
    with pytest.raises(InputError, match="'age' lies on a grid and has no options to match; ask for its distribution"):
        reconstruct(some, ["age=34"])


@pytest.mark.parametrize("estimator", ["stratified", "combined", "pooled"])
@pytest.mark.parametrize("items", [["age"], ["drugs", "age"]])
@pytest.mark.parametrize(
    "table",
    [
        candor.table,
        lambda records, items, estimator: candor.table(
            records, items, estimator=estimator, sample=Sampling.from_columns({}, len(records), Sample())
        ),
        lambda records, items, estimator: joint_table(records, items),  # noqa: ARG005,
    ],
    ids=["table", "table of a sample", "association"],
)
def test_a_number_is_refused_as_an_axis_of_a_table(
    table: Callable[..., object], items: list[str], estimator: str
) -> None:
    """With the sentence that refuses it in a pattern: a table has a cell for each option, and a number has none."""
    some = Records(BOTH, np.array([[1, 50], [0, 40]], BOTH.code_type), np.array([False, True]))

    assert (
        refusal_of(lambda: table(some, items, estimator=estimator))
        == "'age' lies on a grid and has no options to match; ask for its distribution."
    )


def test_the_command_adds_distributions_to_its_json(
    records: Records, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`candor reconstruct … --distribution age --bins 10 --json`: the contract's keys, in its order."""
    (tmp_path / "design.json").write_bytes(records.design.canonical())
    write_records(records, tmp_path / "records.csv")

    files = [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]
    status = main(["reconstruct", *files, "--distribution", "age", "--bins", "10", "--json"])

    (estimated,) = json.loads(capsys.readouterr().out)["distributions"]
    assert status == 0
    assert list(estimated) == ["item", "edges", "shares", "se", "mean", "median", "quantiles", "ci"]
    assert (estimated["item"], estimated["edges"]) == ("age", [10.0 * place for place in range(11)])
    assert sum(estimated["shares"]) == pytest.approx(1)
    assert estimated["ci"]["mean"][0] < estimated["mean"] < estimated["ci"]["mean"][1]


def test_the_command_weighs_a_distribution(tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: Shell) -> None:
    """`--weights w --cluster c` gives what the library gives; a column that is missing is named."""
    records, columns = drawn_in_a_way(2, people=200)
    frame = records.to_frame().assign(w=1 + columns["person"] % 3, c=columns["person"])
    frame.astype({"direct": int, "age": int}).to_csv(tmp_path / "records.csv", index=False)
    (tmp_path / "design.json").write_bytes(records.design.canonical())
    files = [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]
    asked = ["reconstruct", *files, "--distribution", "age", "--bins", "4", "--json"]

    (estimated,) = shell.json(*asked, "--weights", "w", "--cluster", "c")["distributions"]
    refused = main([*asked, "--weights", "weight"])

    kept = candor.Records.from_frame(frame, records.design)
    expected = distribution(kept, "age", bins=4, sample=Sample(weights="w", cluster="c"))
    assert estimated["shares"] == pytest.approx(expected.shares.tolist(), abs=1e-12)
    assert estimated["se"] == pytest.approx(expected.se.tolist(), abs=1e-12)
    assert estimated["shares"] != distribution(kept, "age", bins=4).shares.tolist()
    assert (refused, capsys.readouterr().err) == (
        2,
        "candor reconstruct: --weights: there is no column 'weight'; the undisguised columns are w, c.\n",
    )


@pytest.mark.parametrize("block", [{"number": "square-wave", "epsilon": 1}, {"number": "square-wave", "epsilon": 3}])
def test_the_expected_error_is_that_of_fishers_information(block: dict[str, Any]) -> None:
    """Of two numbers, 0 and 1, the mean is one share: its error is 1/√(n Σ (p₁ − p₀)²/p̄), from exact chances.

    What is printed is the longer side of a 95 % interval, as of every share.
    """
    design = Design.parse({"blocks": [{**block, "items": [{"id": "age", "min": 0, "max": 1}]}]})
    (own,) = design.blocks
    first, size = own.items[0].grid.firsts[0], own.items[0].field(False).size
    chances = [[own.chance([0], [first + truth], [sent]) for sent in range(size)] for truth in (0, 1)]
    information = sum(2 * (b - a) ** 2 / (a + b) for a, b in zip(*chances, strict=True) if a + b)

    (accuracy,) = own.distribution(None).accuracy(2500)

    assert accuracy.figures["mean"] == f"{WIDE / float(2500 * information) ** 0.5:.2g}"
    assert accuracy.figures["share"] == f"{100 * WIDE / float(2500 * information) ** 0.5:.2g}"


@pytest.mark.long
def test_results_are_as_precise_as_was_expected() -> None:
    """The mean of numbers that are all as common errs by what was said, or less."""
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 2, "items": [AGE]}]})
    chance, lowest = np.random.default_rng(7), design.blocks[0].items[0].grid.firsts[0]
    means = []
    for seed in range(12):
        truth = (lowest + chance.integers(0, 100, (1000, 1))).astype(design.code_type)
        estimated = distribution(disguise(design, truth, take=words_from_seed(seed)), "age", bins=10)
        means.append(estimated.figures["mean"] - (truth.mean() - lowest))

    (said,) = design.blocks[0].distribution((10,)).accuracy(1000)

    assert np.std(means, ddof=1) < 2 * float(said.figures["mean"]) / WIDE


def test_few_respondents_are_said_to_tell_too_little_of_a_number() -> None:
    """Of fewer than 500 intervals around heaped numbers hold the truth less often; of more nothing is said."""
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 2, "items": [AGE]}]})
    people = [Records(design, np.zeros((count, 1), design.code_type), np.zeros(count, bool)) for count in (499, 500)]

    said = ["hold the truth less often" in str(distribution(records, "age", bins=4)) for records in people]

    assert said == [True, False]
