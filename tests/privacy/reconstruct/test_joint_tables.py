"""Joint tables: the disguise of a whole distribution, and the most likely distribution behind the records."""

from itertools import product

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.estimate.joint import disguise_shares, fit_joint, table_channels, view_counts
from privacy.records import Records
from tests.privacy.channels import DESIGNS, declared, inputs
from tests.privacy.reconstruct.cases import em

COIN = Design.parse({"model": "improved-grouped", "p": 0.4, "theta": 0.6, "items": ["a", "b", "c"]})
IN_NO_ORDER = {
    name: design for name, design in DESIGNS.items() if not any(block.patterns.by_record for block in design.blocks)
}
WHOLE = [name for name, design in IN_NO_ORDER.items() if not design.sampled]


@pytest.mark.parametrize("name", WHOLE)
def test_a_table_is_disguised_as_its_records_are(name: str) -> None:
    """Every true record, as a table, becomes the declared distribution of what is sent for it."""
    design = DESIGNS[name]
    shape = tuple(len(item.options) for item in design.items)
    for truth in inputs(design):
        table = np.zeros(shape)
        table[truth] = 1.0
        expected = np.zeros(shape)
        for record, chance in declared(design.blocks[0], truth).items():
            expected[record] = float(chance)

        np.testing.assert_allclose(
            disguise_shares(table_channels(design, range(len(shape))), table), expected, atol=1e-12
        )


def test_the_fit_is_that_of_the_channel_written_out() -> None:
    """One coin over three items: the same maximum as EM with the 8 × 8 matrix."""
    codes = np.random.default_rng(5).integers(0, 2, (400, 3)).astype(np.uint8)
    records = Records(COIN, codes, np.zeros(400, bool))
    cells = list(product((0, 1), repeat=3))
    matrix = [[float(declared(COIN.blocks[0], x)[y]) for y in cells] for x in cells]

    views = view_counts(records, (0, 1, 2))
    fit = fit_joint(COIN, (0, 1, 2), views)

    written_out = em(matrix, views[0, (0, 1, 2)].ravel())
    assert fit.log_likelihood == pytest.approx(written_out.log_likelihood, abs=1e-4)
    np.testing.assert_allclose(fit.shares.ravel(), written_out.shares, atol=2e-3)


def test_the_direct_group_alone_is_its_own_fit() -> None:
    """Undisguised answers are most likely as they are."""
    codes = np.random.default_rng(5).integers(0, 2, (400, 3)).astype(np.uint8)
    design = Design.parse(COIN.to_json() | {"direct": True})
    views = view_counts(Records(design, codes, np.ones(400, bool)), (0, 2))

    fit = fit_joint(design, (0, 2), views)

    np.testing.assert_allclose(fit.shares, views[1, (0, 1)] / 400, atol=1e-9)


def test_respondents_asked_different_items_join_in_one_table() -> None:
    """A pair asked of few and its items asked of many give one table that fits them all."""
    design = Design.parse({"model": "flip", "gamma": 60, "radius": 0, "items": ["a", "b", "c"], "ask": 2})
    random = np.random.default_rng(8)
    common = random.random((60_000, 1)) < 0.4
    truth = (random.random((60_000, 3)) < np.where(common, 0.7, 0.1)).astype(np.uint8)
    records = disguise(design, truth, take=words_from_seed(8))

    views = view_counts(records, (0, 1, 2))
    fit = fit_joint(design, (0, 1, 2), views)

    assert sorted(axes for _, axes in views) == [(0, 1), (0, 2), (1, 2)]
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        (hidden,) = {0, 1, 2} - {a, b}
        pair = fit.shares.sum(axis=hidden)[1, 1]
        assert pair == pytest.approx((truth[:, a] & truth[:, b]).mean(), abs=0.015)


def test_a_table_too_large_is_refused() -> None:
    """Beyond 2^20 cells nothing is fitted."""
    design = Design.parse({"model": "warner", "theta": 0.7, "items": [f"i{j}" for j in range(21)]})

    with pytest.raises(InputError, match="2097152 cells, more than 1048576"):
        fit_joint(design, range(21), {})


def test_records_a_design_never_gives_are_refused() -> None:
    """An answer that its noise never draws, from a coin that keeps nothing, has likelihood zero under any truth."""
    item = {"id": "a", "options": ["x", "y", "z"], "noise": [0.5, 0.5, 0]}
    design = Design.parse({"direct": True, "blocks": [{"keep": 0, "items": [item]}]})
    records = Records(design, np.uint8([[0], [2]]), np.zeros(2, bool))

    with pytest.raises(InputError, match="Some records are impossible under this design"):
        fit_joint(design, (0,), view_counts(records, (0,)))
