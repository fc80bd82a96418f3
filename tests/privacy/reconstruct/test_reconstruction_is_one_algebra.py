"""Different blocks that do the same are reconstructed to the same figures, and parts add up to their whole."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.reconstruct import reconstruct
from privacy.records import Records

CODES = np.random.default_rng(1988).integers(0, 2, (300, 3)).astype(np.uint8)
DIRECT = np.arange(300) < 60


def figures(block: dict, pattern: str, estimator: str, codes: np.ndarray = CODES) -> tuple[float, float]:
    design = Design.parse({"direct": True, "blocks": [block]})
    records = Records(design, codes[:, : len(design.items)], DIRECT[: len(codes)])
    (estimate,) = reconstruct(records, [pattern], estimator=estimator).patterns
    return estimate.support, estimate.se


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_flip_block_of_one_item_is_warner(estimator: str) -> None:
    """θ = .7 and .3 turned over: the same support and error."""
    warner = figures({"model": "warner", "theta": 0.7, "items": ["a"]}, "a", estimator)

    flips = figures({"flips": [0.7, 0.3], "items": [{"id": "a"}]}, "a", estimator)

    assert flips == pytest.approx(warner, abs=1e-8)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("pattern", ["b", "a,!c", "a,b,c"])
def test_flips_of_radius_0_are_one_coin_with_even_noise(pattern: str, estimator: str) -> None:
    """Every answer vector but the true one equally likely: one coin over the block with θ = ½, to the 2^-32."""
    flips = figures({"model": "flip", "gamma": 19, "radius": 0, "items": ["a", "b", "c"]}, pattern, estimator)

    coin = figures({"model": "gamma-diagonal", "gamma": 19, "items": ["a", "b", "c"]}, pattern, estimator)

    tolerance = 0.05 if estimator == "combined" else 1e-7  # weights smoothed over 2^L states, or over two
    assert flips == pytest.approx(coin, abs=tolerance)


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_a_sampled_block_with_one_item_is_that_item(estimator: str) -> None:
    """Asking one of one item is asking it."""
    whole = figures({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"]}, "a", estimator)

    sampled = figures({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"], "ask": 1}, "a", estimator)

    assert sampled == whole


shares = st.floats(0.05, 0.95)
blocks = st.one_of(
    st.builds(
        lambda keep, thetas: {
            "keep": keep,
            "items": [{"id": name, "theta": theta} for name, theta in zip("abc", thetas, strict=True)],
        },
        shares,
        st.tuples(shares, shares, shares),
    ),
    st.builds(
        lambda p, theta: {"model": "unrelated-question", "p": p, "theta": theta, "items": ["a", "b", "c"]},
        shares,
        shares,
    ),
    st.builds(lambda gamma: {"model": "flip", "gamma": gamma, "radius": 0, "items": ["a", "b", "c"]}, st.floats(2, 50)),
)


@given(
    blocks,
    st.sampled_from(["stratified", "pooled"]),
    st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=40),
)
def test_a_support_is_the_sum_of_its_parts(block: dict, estimator: str, rows: list[tuple[int, int, int]]) -> None:
    """sup(A) = sup(A C) + sup(A ¬C), raw, whatever the disguise and the records."""
    codes = np.array(rows, np.uint8)

    whole, with_c, without_c = (figures(block, text, estimator, codes)[0] for text in ("a,!b", "a,!b,c", "a,!b,!c"))

    assert whole == pytest.approx(with_c + without_c, rel=1e-9, abs=1e-6)
