"""Joint tables: the disguise of a whole distribution."""

import numpy as np
import pytest

from privacy.design import Design
from privacy.estimate.weights import disguise_shares, table_channels
from tests.privacy.channels import DESIGNS, declared, inputs

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
