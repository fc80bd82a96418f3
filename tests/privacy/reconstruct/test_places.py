"""The distribution of places: the channel of bins and zones is that of cells, and shares come out with their error."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.blocks import matrix
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.distribution import distribution, most_likely
from privacy.records import Records
from tests.cases import first
from tests.refusals import refusal_of

HOME = {"id": "home", "width": 1000, "height": 800, "cell": 1}
SQUARE: dict[str, Any] = {"place": "square", "epsilon": 4, "items": [HOME]}
ZONES: dict[str, Any] = {"place": "zones", "epsilon": 3, "side": 60, "zones": [[400, 300, 200, 200], [0, 0, 130, 250]]}
ZONES |= {"items": [HOME]}
TINY = [
    {"place": "square", "epsilon": 1.5, "side": 2},
    {"place": "zones", "epsilon": 1.5, "side": 2, "zones": [[0, 0, 3, 2], [3, 2, 2, 3]]},
    {"place": "zones", "epsilon": 1, "zones": [[0, 0, 3, 5], [3, 0, 2, 2]]},
    {"place": "zones", "epsilon": 3, "side": 2, "zones": [[0, 0, 3, 2, 2], [3, 2, 3, 3]]},
    {"place": "zones", "epsilon": 2.5, "side": 2, "zones": [[0, 0, 3, 5, 2], [3, 0, 3, 5]]},
]
LEVELS = ZONES | {"zones": [[400, 300, 200, 200, 2.5], [0, 0, 130, 250]]}


def people(count: int, seed: int = 1) -> np.ndarray:
    """Half live about 450, 380 and half about 200, 200, in cells."""
    rng = np.random.default_rng(seed)
    first = rng.random((count, 1)) < 0.5
    places = np.where(first, rng.normal([450, 380], 60, (count, 2)), rng.normal([200, 200], 150, (count, 2)))
    return np.clip(places, 0, [999, 799]).astype(np.int64)


def disguised(block: dict[str, Any], places: np.ndarray, direct: float = 0, seed: int = 1) -> Any:
    design = Design.parse({"direct": direct > 0, "blocks": [block]})
    codes = (places[:, :1] * 800 + places[:, 1:]).astype(design.code_type)
    honest = np.random.default_rng(seed).random(len(codes)) < direct
    return disguise(design, codes, honest, words_from_seed(seed))


def shares_in(places: np.ndarray, zone: list[float]) -> float:
    left, bottom, width, height = zone
    across = (places[:, 0] >= left) & (places[:, 0] < left + width)
    return float((across & (places[:, 1] >= bottom) & (places[:, 1] < bottom + height)).mean())


@pytest.mark.parametrize("block", first(2, TINY))
@pytest.mark.parametrize("bins", [(4, 3), (6, 5), (1, 1), (5, 2)])
def test_the_channel_of_bins_is_that_of_cells(block: dict[str, Any], bins: tuple[int, int]) -> None:
    """By definition: uniform places inside each piece, through the matrix of cells, summed over the pieces."""
    (own,) = Design.parse({"blocks": [{**block, "items": [{"id": "home", "width": 6, "height": 5, "cell": 1}]}]}).blocks
    cells = np.array([[float(chance) for chance in row] for row in matrix(own)])
    distribution = own.distribution(bins)
    rng = np.random.default_rng(3)
    pieces = np.array([distribution.count_records(np.array([code])).argmax() for code in range(30)])
    areas = np.bincount(pieces, minlength=distribution.shape[0])
    shares = rng.dirichlet(np.ones(distribution.shape[0]), size=2)

    sent = (shares / areas)[:, pieces] @ cells
    expected = np.stack([np.bincount(pieces, row, distribution.shape[0]) for row in sent])
    ratios = rng.random((2, distribution.shape[0]))

    assert distribution.forward(shares) == pytest.approx(expected, abs=1e-12)
    assert (distribution.forward(shares) * ratios).sum() == pytest.approx((shares * distribution.back(ratios)).sum())
    assert (areas > 0).all()


def test_bins_are_rows_from_the_bottom_and_edges_in_units() -> None:
    """A place at the right bottom counts in the last column of the first row, whatever piece it is of."""
    block = Design.parse({"blocks": [{**ZONES, "items": [{**HOME, "cell": 10}]}]}).blocks[0]
    distribution = block.distribution((4, 2))

    placed = distribution.bin_shares(distribution.count_direct(np.array([95 * 80 + 5, 45 * 80 + 35])))

    assert placed.tolist() == [[0, 1, 0, 1], [0, 0, 0, 0]]
    assert distribution.edges == {"x": [0, 250, 500, 750, 1000], "y": [0, 400, 800]}


@pytest.mark.parametrize(
    ("block", "count"), first(1, [(ZONES, 2_000), (ZONES, 20_000), (LEVELS, 20_000), (SQUARE, 20_000)])
)
def test_shares_are_recovered_within_their_error(block: dict[str, Any], count: int) -> None:
    """4 × 4 bins against the truth, every one within 4.5 standard errors, most within two."""
    places = people(count)

    estimated = distribution(disguised(block, places, direct=0.1), "home", bins=(4, 4))

    x, y = (np.array(edges) for edges in (estimated.distribution.edges["x"], estimated.distribution.edges["y"]))
    truth = np.histogram2d(places[:, 1], places[:, 0], bins=(y, x))[0] / len(places)
    apart = np.abs(estimated.shares - truth) / np.maximum(estimated.se, 0.002)
    assert estimated.shares.shape == (4, 4)
    assert estimated.shares.sum() == pytest.approx(1)
    assert apart.max() < 4.5
    assert (apart < 2).mean() > 0.7


@pytest.mark.parametrize("block", first(1, [ZONES, LEVELS]))
def test_the_share_of_a_zone_is_unbiased_and_its_error_is_true(block: dict[str, Any]) -> None:
    """200 surveys of 500 with a direct group: means within 4.5 errors, spreads as said, of each zone and elsewhere."""
    places = people(500, seed=5)
    estimates = []
    for seed in range(200):
        records = disguised(block, places, direct=0.2, seed=seed)
        shares = records.design.blocks[0].distribution((2, 2))
        codes = records.codes[:, 0]
        estimates.append(
            shares.in_zones((shares.count_records(codes[~records.direct]), shares.count_direct(codes[records.direct])))
        )

    inside = [shares_in(places, one["zone"]) for one in estimates[0][:2]]
    for number, truth in enumerate([*inside, 1 - sum(inside)]):
        shares = np.array([one[number]["share"] for one in estimates])
        errors = np.array([one[number]["se"] for one in estimates])
        spread = np.sqrt(np.mean(errors**2) - truth * (1 - truth) / 500)  # the people are the same in all surveys
        assert abs(shares.mean() - truth) < 4.5 * shares.std() / np.sqrt(200)
        assert shares.std() == pytest.approx(spread, rel=0.25)


@pytest.mark.long
def test_the_error_of_a_zone_is_that_of_the_sample() -> None:
    """Everybody four times, in clusters of four: the share of one row each, with its error; as if alike, half of it."""
    records = disguised(ZONES, people(600, seed=6), direct=0.2)
    person = np.repeat(np.arange(600), 4)
    copied = Records(records.design, records.codes[person], records.direct[person])
    sampling = Sampling.from_columns({"person": person.astype(float)}, 2400, Sample(cluster="person"))

    once, clustered, alike = (
        distribution(each, "home", bins=(2, 2), sample=drawn).figures["zones"]
        for each, drawn in ((records, None), (copied, sampling), (copied, None))
    )

    for one, grouped, plain in zip(once, clustered, alike, strict=True):
        assert grouped["share"] == pytest.approx(one["share"], abs=1e-9)
        assert plain["se"] == pytest.approx(one["se"] / 2, rel=0.01)
        assert grouped["se"] == pytest.approx(one["se"], rel=4.5 / sqrt(2 * 200))  # the spread of 200 draws


def test_a_direct_group_of_little_weight_is_a_whole_group() -> None:
    """Two direct respondents who are worth less than one: shares still sum to 1, and so do those of surveys again."""
    records = disguised(ZONES, people(40, seed=7))
    both = Records(Design(records.design.blocks, True), records.codes, np.arange(40) < 2)
    weights = np.where(both.direct, 0.01, np.random.default_rng(8).pareto(1.0, 40) + 0.1)

    estimated = distribution(
        both, "home", bins=(4, 4), sample=Sampling.from_columns({"w": weights}, 40, Sample(weights="w"))
    )

    assert estimated.shares.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(estimated.draws.sum(axis=(1, 2)), 1, atol=1e-12)


@pytest.mark.parametrize(("count", "weighed"), [(1, False), (30, False), (30, True)])
def test_records_that_are_all_alike_tell_no_error(count: int, weighed: bool) -> None:
    """Nobody differs from the others: the error of a bin or a zone is unknown, and not 0."""
    design = Design.parse({"blocks": [ZONES]})
    records = Records(design, np.full((count, 1), 450 * 800 + 380, design.code_type), np.zeros(count, bool))
    sampling = Sampling.from_columns({"w": np.arange(1.0, count + 1)}, count, Sample(weights="w")) if weighed else None

    estimated = distribution(records, "home", bins=(4, 4), sample=sampling)

    assert np.isnan(estimated.se).all()
    assert np.isnan([zone["se"] for zone in estimated.figures["zones"]]).all()
    assert "standard error not known" in "".join(estimated.distribution.summary(estimated.figures))


@pytest.mark.parametrize(("bins", "finer"), [((20, 4), True), ((10, 10), False), ((8, 8), False)])
def test_bins_that_are_narrower_than_the_square_are_told_to_be_uncertain(bins: tuple[int, int], finer: bool) -> None:
    """Of what is inside a square records tell nothing, and no error from records can say how far off bins there are."""
    item = {"id": "home", "width": 1000, "height": 800, "cell": 10}
    block = Design.parse({"blocks": [{"place": "square", "epsilon": 4, "side": 80, "items": [item]}]}).blocks[0]

    said = list(block.distribution(bins).summary({}))

    sentence = (
        "Where places are hidden, records show nothing finer than a square of 80 by 80. These bins are narrower, so "
        "their errors may be larger than shown."
    )
    assert said == ([sentence] if finer else [])


def test_bins_of_a_zone_that_one_square_fills_have_no_error_and_others_hold_the_truth() -> None:
    """All sent from there are alike, so no record tells a share of half of it. Other bins are within 4.5 errors."""
    block = {"place": "zones", "epsilon": 2, "side": 200, "zones": [[400, 300, 200, 200]], "items": [HOME]}
    places = people(4_000)
    estimated = distribution(disguised(block, places), "home", bins=(10, 8))

    blind = np.zeros((8, 10), bool)
    blind[3:5, 4:6] = True
    true = np.histogram2d(*places.T[::-1], bins=[np.arange(0, 801, 100), np.arange(0, 1001, 100)])[0] / len(places)
    known = ~blind & (true > 0.005)
    off = np.abs(estimated.shares - true)[known] / estimated.se[known]
    assert (np.isnan(estimated.se) == blind).all()
    assert off.max() < 4.5
    assert "Bins that cut a zone" in " ".join(estimated.distribution.summary(estimated.figures))


@pytest.mark.long
def test_em_on_a_fine_grid_ends_within_seconds() -> None:
    """64 × 64 bins and 10⁵ reports; the benchmark measures it, here it must only end."""
    records = disguised(SQUARE, people(100_000))
    distribution = records.design.blocks[0].distribution((64, 64))

    (fit,) = most_likely(distribution, distribution.count_records(records.codes[:, 0])[np.newaxis])

    assert fit.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("bins", "sentence"),
    [
        (20, "'home' is a place: it has a grid of columns and rows, such as 16x16, and no bins."),
        ((129, 4), "grid: 129 of 'home' is outside 1 to 128."),
        ((4, 0), "grid: 0 of 'home' is outside 1 to 128."),
    ],
)
def test_a_grid_that_a_map_cannot_have_is_refused(bins: int | tuple[int, int], sentence: str) -> None:
    assert refusal_of(lambda: distribution(disguised(SQUARE, people(10)), "home", bins=bins)) == sentence
