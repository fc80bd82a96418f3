"""How likely connections are found: the chance that is computed before anyone is asked, against simulated surveys.

    python benchmarks/bench_connections.py [--surveys 500]

In every survey one connection is true (φ = .3, of two answers or of three) and all other answers are independent.
*Alone* counts it where its own test passes among all tests, as computed; *q* where the rule has a q of at most .05,
which is a little more often where parts of the connection are found, too. The ratio is that of *computed* to *alone*.
"""

import argparse

import numpy as np

from mining.engines.mine import MinedLattice, mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.plan.connections import BEYOND_CHANCE, Connection, connections

NAMES = "abcdefghij"
EVEN = [{"id": name, "theta": 0.5} for name in NAMES]
SHARE = 0.3
REQUEST = MiningRequest(0.001, 0, 3, engine="bitset")
CASES = {  # a block, the share that answers directly, answers in the connection, respondents
    "4 of 10 under one coin, pair": ({"keep": 0.52941, "ask": 4, "items": EVEN}, 0.0, 2, (3000, 5000, 8000)),
    "4 of 10 under one coin, triple": ({"keep": 0.52941, "ask": 4, "items": EVEN}, 0.0, 3, (20000, 33000)),
    "5 of 10, a coin each, pair": (
        {"keep": 0.3, "ask": 5, "coin": "each", "items": EVEN},
        0.1,
        2,
        (4000, 8000),
    ),
    "flips of ten, pair": (
        {"flips": [0.003, 0.053, 0.24, 0.225, 0.225, 0.146, 0.073, 0.026, 0.007, 0.0015, 0.0005],
         "items": [{"id": name} for name in NAMES]},
        0.0,
        2,
        (4000, 8000),
    ),
    "one coin over three, pair": ({"keep": 0.3, "items": EVEN[:3]}, 0.2, 2, (500, 1000, 1500)),
    "one coin over three, triple": ({"keep": 0.3, "items": EVEN[:3]}, 0.2, 3, (1500, 2500)),
}  # fmt: skip


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--surveys", type=int, default=100)
    surveys = parser.parse_args().surveys
    rows: list[list[object]] = []
    ratios = []
    for name, (block, direct_share, length, counts) in CASES.items():
        design = Design.parse({"direct": direct_share > 0, "blocks": [block]})
        for n in counts:
            listed = connections(design, n, direct_share=direct_share, longest=3)
            (one,) = (each for each in listed if each.length == length)
            alone, by_q = share_found(design, one, n, direct_share, surveys)
            rows.append([name, n, one.chance, alone, by_q, (one.chance * (1 - one.chance) / surveys) ** 0.5])
            ratios.append((f"{name}, {n}", one.chance / alone if alone else float("inf")))
    print(f"How often a connection is found; {surveys} simulated surveys a line")
    print(as_table(["design", "respondents", "computed", "alone", "q", "se"], rows))
    return ratios


def share_found(design: Design, one: Connection, n: int, direct_share: float, surveys: int) -> tuple[float, float]:
    """How often the connection of the first answers is found: by its own test, and by its q."""
    rule = list(range(one.length))
    hits = np.zeros(2)
    for seed in range(surveys):
        lot = np.random.default_rng(seed)
        answers = (lot.random((n, len(design.items))) < SHARE).astype(np.uint8)
        given = answers[:, rule[:-1]].all(axis=1)
        answers[:, rule[-1]] = lot.random(n) < np.where(given, one.among_those, _others(one))
        direct = lot.random(n) < direct_share
        mined = mine([(disguise(design, answers, direct, words_from_seed(seed)).codes, direct)], design, REQUEST)
        hits += _is_found(mined, rule)
    alone, by_q = hits / surveys
    return float(alone), float(by_q)


def _others(one: Connection) -> float:
    """How many of all others say yes to the consequent."""
    share = SHARE ** (one.length - 1)
    return (one.among_all - share * one.among_those) / (1 - share)


def _is_found(mined: MinedLattice, rule: list[int]) -> tuple[bool, bool]:
    accepted = np.concatenate([level.accepted for level in mined.lattice.levels])
    itemsets = [row for level in mined.lattice.levels for row in level.items.tolist()]
    ranks = np.cumsum(accepted) - 1
    if rule not in itemsets or not accepted[place := itemsets.index(rule)]:
        return False, False
    rules = mined.rules
    (own,) = np.flatnonzero((rules.itemset == ranks[place]) & (rules.antecedent == 2 ** (len(rule) - 1) - 1))
    tests = (
        (2 ** (len(rule) - 1) - 1) * mined.literals.possible(REQUEST.max_length)[len(rule)] * (REQUEST.max_length - 1)
    )
    return bool(rules.values["p"][own] * tests <= BEYOND_CHANCE), bool(rules.values["q"][own] <= BEYOND_CHANCE)


if __name__ == "__main__":
    main()
