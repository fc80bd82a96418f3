"""The fast search against a slow one that tries everything and inverts every block as a matrix."""

from itertools import combinations, pairwise, product

import pytest

from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from tests.cases import every
from tests.mining.designs import KINDS, design_of, records_of
from tests.mining.oracle import asked_all, estimate, mean_and_error, row_values


def literals_of(mined, itemset):
    literals = mined.literals
    return [(int(literals.column[i]), int(literals.option[i]), bool(literals.positive[i])) for i in itemset]


def every_itemset(mined, length):
    literals = mined.literals
    for size in range(1, length + 1):
        for itemset in combinations(range(len(literals)), size):
            if len({int(literals.column[i]) for i in itemset}) == size:
                yield itemset


def supports_of(mined):
    return {
        tuple(items): (support, se)
        for level in mined.lattice.levels
        for items, support, se, accepted in zip(
            level.items.tolist(), level.supports.support, level.supports.se, level.accepted, strict=True
        )
        if accepted
    }


@pytest.mark.parametrize(("kind", "direct", "negated"), every(14, product(KINDS, (False, True), (False, True))))
def test_supports_and_errors_are_those_of_the_inverted_channel(kind, direct, negated):
    """Any design: every itemset that reaches the threshold, its subsets being within one error of it, by inversion."""
    design = design_of(kind, direct)
    codes, group = records_of(design)
    mined = mine([(codes, group)], design, MiningRequest(0.15, 0.5, 3, negated, engine="bitset", cases="complete"))

    got = supports_of(mined)
    expected, stays = {}, {()}
    for itemset in every_itemset(mined, 3):
        support, se = estimate(design, codes, group, literals_of(mined, itemset))
        if all(subset in stays for subset in combinations(itemset, len(itemset) - 1)):
            if support + se >= 0.15:
                stays.add(itemset)
            if support >= 0.15:
                expected[itemset] = (support, se)

    assert got.keys() == expected.keys()
    assert [got[key] for key in expected] == [pytest.approx(value, rel=1e-7) for value in expected.values()]


@pytest.mark.parametrize("kind", every(9, KINDS))
def test_errors_of_rules_are_those_of_the_rows(kind):
    """The error of confidence, lift and leverage is the spread, over records, of their linear parts."""
    design = design_of(kind)
    codes, group = records_of(design)
    mined = mine([(codes, group)], design, MiningRequest(0.15, 0.5, 3, True, engine="bitset", cases="complete"))
    accepted = [items for level in mined.lattice.levels for items in level.items[level.accepted].tolist()]

    for at in range(0, len(mined.rules), max(len(mined.rules) // 12, 1)):
        itemset, mask = accepted[mined.rules.itemset[at]], mined.rules.antecedent[at]
        sides = [[item for bit, item in enumerate(itemset) if (mask >> bit & 1) == side] for side in (1, 0)] + [itemset]
        rows = asked_all(codes, literals_of(mined, itemset))
        a, c, ac = (row_values(design, codes[rows], group[rows], literals_of(mined, side)) for side in sides)
        A, C, AC = (mean_and_error(part, group[rows], group.mean(), len(group))[0] for part in (a, c, ac))
        linear = {
            "support": ac,
            "confidence": (ac - AC / A * a) / A,
            "lift": ac / (A * C) - AC / (A * A * C) * a - AC / (A * C * C) * c,
            "leverage": ac - C * a - A * c,
        }
        value = {"support": AC, "confidence": AC / A, "lift": AC / A / C, "leverage": AC - A * C}
        for name, rows_of in linear.items():
            assert mined.rules.values[name][at] == pytest.approx(value[name], rel=1e-7)
            _, error = mean_and_error(rows_of, group[rows], group.mean(), len(group))
            assert mined.rules.values[f"{name} se"][at] == pytest.approx(error, rel=1e-6)


def test_parts_of_the_respondents_count_like_the_whole():
    """Rows that come in many parts, none a multiple of 64 long, give the same counts as rows in one."""
    design = design_of("two blocks")
    codes, group = records_of(design)
    cuts = [0, 1, 70, 1111, 2999, 3000]
    parts = [(codes[i:j], group[i:j]) for i, j in pairwise(cuts)]
    request = MiningRequest(0.15, 0.5, 3, engine="bitset")

    whole, split = mine([(codes, group)], design, request), mine(parts, design, request)

    assert supports_of(whole) == supports_of(split)
