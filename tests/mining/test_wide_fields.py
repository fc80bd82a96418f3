"""Mining choices that stand beside a number or a place."""

import numpy as np

from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.design.fields import Steps
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from tests.declared import block
from tests.fields import pair

HOME = pair("home", Steps(1000), Steps(800))
BLOCK = {"keep": 0.5, "ask": 3, "items": [{"id": name, "theta": 0.6} for name in "abcd"]}


def test_a_place_beside_them_changes_nothing_of_the_choices() -> None:
    """Itemsets of choices have the same supports whether the codes of the table are bytes or wider."""
    (narrow,) = Design.parse({"blocks": [BLOCK]}).blocks
    chance = np.random.default_rng(1)
    choices, direct = (chance.random((3_000, 4)) < 0.6).astype(int), chance.random(3_000) < 0.2
    cells = chance.integers(2, HOME.size, (3_000, 1))  # none of which is the stand-in's "yes"

    supports = []
    for design, answers in (
        (Design((narrow,), True), choices),
        (Design((narrow, block([HOME])), True), np.hstack([choices, cells])),
    ):
        records = disguise(design, answers, direct, words_from_seed(1))
        mined = mine([(records.codes, records.direct)], design, MiningRequest(0.2, 0.5, engine="bitset"))
        supports.append(
            {
                tuple(itemset): support
                for level in mined.lattice.levels
                for itemset, support in zip(level.items.tolist(), level.supports.support.tolist(), strict=True)
                if 4 not in itemset
            }
        )

    assert len(supports[0]) > 4
    assert supports[0] == supports[1]
