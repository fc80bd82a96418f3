"""Full joint tables agree with the patterns of their cells."""

from itertools import product

import numpy as np
import pytest

import candor
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.weights import disguise_shares, table_channels
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import first
from tests.privacy.channels import DESIGNS, declared, inputs
from tests.refusals import refusal_of

MIXED = Design.parse(
    {
        "direct": True,
        "blocks": [
            {
                "keep": 0.5,
                "items": [
                    {"id": "a", "theta": 0.6},
                    {"id": "o", "options": ["x", "y", "z"], "noise": [0.4, 0.4, 0.2]},
                ],
            },
            {"model": "flip", "gamma": 9, "radius": 0, "items": ["f", "g", "h"], "ask": 2},
            {"model": "warner", "theta": 0.8, "items": ["w"]},
        ],
    }
)


@pytest.fixture(scope="module")
def records() -> Records:
    random = np.random.default_rng(12)
    truth = (random.random((3_000, 6)) < 0.2 + 0.5 * random.random((3_000, 1))).astype(np.uint8)
    return disguise(MIXED, truth, np.arange(3_000) % 7 == 0, words_from_seed(12))


@pytest.mark.parametrize("items", first(2, [["w"], ["o", "a"], ["g", "a", "f", "w"]]))
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_cell_is_the_estimate_of_its_pattern(records: Records, estimator: str, items: list[str]) -> None:
    """Support and error of each cell are those of the pattern, in the order of the items asked for."""
    columns = [MIXED.column(item) for item in items]

    table = candor.table(records, items, estimator=estimator)

    for cell in product(*(range(size) for size in table.support.shape)):
        pattern = Pattern.from_literals(
            [(column, frozenset([o])) for column, o in zip(columns, cell, strict=True)], MIXED
        )
        (figures,) = reconstruct(records, [pattern.text(MIXED)], estimator=estimator).patterns
        assert table.n == figures.n
        assert table.support[cell] == pytest.approx(figures.support, abs=1e-12)
        assert table.se[cell] == pytest.approx(figures.se, abs=1e-12)


def test_the_cells_sum_to_one(records: Records) -> None:
    """A person who was asked gave some answer: the estimates of all cells sum to 1."""
    table = candor.table(records, ["a", "o", "f", "w"])

    assert table.support.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("items", "estimator", "said"),
    [
        (["a", "a"], "stratified", "items: a, a does not name each item of a table once."),
        ([], "stratified", "items: an empty list does not name each item of a table once."),
        (["a"], "best", "estimator: 'best' is not one of stratified, combined, pooled."),
        (
            ["f", "g", "h"],
            "stratified",
            "Pattern 'f,g,h' holds 3 items of blocks[1], which asks each respondent only 2 of its items, so nobody "
            "answered all of it.",
        ),
    ],
)
def test_tables_that_cannot_be_are_refused(records: Records, items: list[str], estimator: str, said: str) -> None:
    """The reason stands in one sentence."""
    assert refusal_of(lambda: candor.table(records, items, estimator=estimator)) == said


def test_weighing_too_many_states_is_refused() -> None:
    """Every state of every cell is looked at: with a coin per item that is 4^t. And there may be too many cells."""
    design = Design.parse({"model": "warner", "theta": 0.7, "direct": True, "items": [f"i{j}" for j in range(13)]})
    records = Records(design, np.zeros((5, 13), np.uint8), np.zeros(5, bool))

    with pytest.raises(InputError, match="The stratified estimator would need 1024 states in each of the 1024 cells"):
        candor.table(records, [f"i{j}" for j in range(10)])
    with pytest.raises(InputError, match="The joint table of 13 items has 8192 cells, more than 4096"):
        candor.table(records, [f"i{j}" for j in range(13)])


# Joint tables: the disguise of a whole distribution.


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
