"""Patterned blocks and parity response against the best design there is: errors of supports, and respondents for rules.

    python benchmarks/bench_patterned.py

A *patterned* block asks k items in a random public order and turns over the answers of a mask drawn from a table over
all 2^k masks; flips are the tables that depend on the size of the mask alone. *Parity response* draws a set of items
and sends the product of its answers, each yes +1 and each no −1, turned over with the chance 1/(1+γ). Tables of two
levels, γ apart, are searched by turning masks one at a time. Items have prevalence ½ and are independent, n = 10 000.
The rule is that of `privacy.plan.connections`. The ratio is patterned to the advisor's best design up to that length.
"""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from statistics import NormalDist

import numpy as np
from scipy.optimize import minimize

from privacy.design.channels import Floats
from privacy.output import as_table
from privacy.plan import Brief, best_designs, yes_no
from privacy.plan.connections import connections

CELLS = ((19.0, 20), (19.0, 50), (math.e, 10), (math.e, 20), (math.e, 50))
MOST = 5  # items in the order
N = 10_000


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    for (gamma, items), length in itertools.product(CELLS, (2, 3)):
        best = best_designs(Brief(yes_no(items, 0.5), N, Fraction(gamma), length))
        winner = best.winners[-1]
        error = best.error(winner)
        needed = {one.length: one.needed for one in connections(winner.design, N)}
        name = f"{gamma:.4g}, {items}, {length}"
        single = winner.errors.expected[0]
        rows.append([name, winner.family, winner.questions_per_person, single, error, needed.get(2), needed.get(3)])
        patterned = min(
            (_search_table(k, items, gamma, length) for k in range(length, MOST + 1)), key=lambda one: one[0]
        )
        rows.append(
            _row(
                name,
                "patterned",
                patterned[1].size.bit_length() - 1,
                patterned[0],
                *_spread_of_patterns(patterned[1], items),
            )
        )
        parity, weights = _parity(items, length, gamma)
        rows.append(_row(name, "parity", length, parity, *_of_parity(weights, items, gamma)))
        ratios.append((name, patterned[0] / error))
    columns = ["γ, items, length", "design", "asked", "one item", "up to length", "for pairs", "for triples"]
    print("Standard errors, and how many respondents rules of two and of three answers take")
    print(as_table(columns, rows))
    return ratios


Spread = Callable[[int, Floats], Floats]
"""n·Cov of the products of answers over every set of so many items, given what these products are in truth."""


def _row(name: str, design: str, asked: int, error: float, spread: Spread, most: int, items: int) -> list[object]:
    needed = [_respondents_needed(spread, length, items) if length <= most else None for length in (2, 3)]
    return [name, design, asked, _error(spread, 1), error, *needed]


def _error(spread: Spread, length: int) -> float:
    """The standard error of the support of so many items."""
    rows = _supports(length)
    truth = np.where(np.arange(2**length) == 0, 1.0, 0.0)
    return math.sqrt((rows @ spread(length, truth) @ rows.T)[-1, -1] / N)


def _respondents_needed(spread: Spread, length: int, items: int, yes: float = 0.3, strength: float = 0.3) -> int:
    """Respondents who find a rule in four surveys of five; three in ten say yes."""
    antecedent = yes ** (length - 1)
    leverage = strength * math.sqrt(antecedent * (1 - antecedent) * yes * (1 - yes))
    cells = np.zeros(2**length)
    for cell in range(2**length):
        inside = [cell >> bit & 1 for bit in range(length - 1)]
        share = math.prod(yes if each else 1 - yes for each in inside)
        also = yes + leverage / antecedent if all(inside) else yes - leverage / (1 - antecedent)
        cells[cell] = share * (also if cell >> (length - 1) & 1 else 1 - also)
    sets = np.arange(2**length)
    signs = 1.0 - 2.0 * (np.bitwise_count(sets[:, None] & ~sets[None]) & 1)
    truth: Floats = np.asarray(signs @ cells, dtype=np.float64)
    rows = _supports(length)
    supports = rows @ truth
    whole, consequent = 2**length - 1, 2 ** (length - 1)
    slopes = np.zeros(2**length)
    slopes[[whole, whole - consequent, consequent]] = 1.0, -supports[consequent], -supports[whole - consequent]
    ratio = leverage / math.sqrt(slopes @ rows @ spread(length, truth) @ rows.T @ slopes)
    tests = (2 ** (length - 1) - 1) * math.comb(items, length) * 2
    normal = NormalDist()
    return math.ceil(((normal.inv_cdf(0.8) - normal.inv_cdf(0.05 / tests / 2)) / ratio) ** 2)


def _supports(length: int) -> Floats:
    """Supports of sets from the products of ±1 over their subsets."""
    sets = np.arange(2**length)
    inside = (sets[None] & sets[:, None]) == sets[None]
    return np.where(inside, 0.5 ** np.bitwise_count(sets)[:, None], 0.0)


def _spread_of_patterns(table: Floats, items: int) -> tuple[Spread, int, int]:
    asked = table.size.bit_length() - 1
    masks = np.arange(table.size)
    left = (1.0 - 2.0 * (np.bitwise_count(masks[:, None] & masks[None]) & 1)) @ table  # of each set of positions

    def spread(length: int, truth: Floats) -> Floats:
        """The products over a set come from every place in the order, each counted by what is left of it there."""
        chance, positions, seen = _placements(length, asked, items)
        sets = np.arange(2**length)
        kept = np.where(seen, left[positions], 0.0)
        known = chance @ kept**2
        both = kept[:, :, None] * kept[:, None]
        products = left[positions[:, :, None] ^ positions[:, None]] * truth[sets[:, None] ^ sets]
        square = np.einsum("r,rst->st", chance, both * (products - both * np.outer(truth, truth)))
        with np.errstate(divide="ignore", invalid="ignore"):
            made = square / np.outer(known, known)
        made[0] = made[:, 0] = 0.0
        return made

    return spread, asked, items


@cache
def _placements(length: int, asked: int, items: int) -> tuple[Floats, np.ndarray, np.ndarray]:
    """Where so many items may stand among the positions: chances, positions of each set, and whether it is asked."""
    chances, positions, seen = [], [], []
    for places in itertools.product(range(-1, asked), repeat=length):
        here = [place for place in places if place >= 0]
        if len(set(here)) < len(here):
            continue
        others = math.perm(items - length, asked - len(here))
        chances.append(others / math.perm(items, asked))
        sets = [[places[bit] for bit in range(length) if one >> bit & 1] for one in range(2**length)]
        positions.append([sum(1 << max(place, 0) for place in one) if min(one, default=0) >= 0 else 0 for one in sets])
        seen.append([min(one, default=0) >= 0 for one in sets])
    return np.array(chances), np.array(positions), np.array(seen)


def _search_table(asked: int, items: int, gamma: float, length: int) -> tuple[float, Floats]:
    """The best table of two levels: from flips and from chance, masks are turned one by one as long as that helps."""
    size = 2**asked
    lot = np.random.default_rng(asked)

    def judge(high: np.ndarray) -> float:
        table = np.where(high, gamma, 1.0)
        spread, most, _ = _spread_of_patterns(table / table.sum(), items)
        errors = [_error(spread, each) for each in range(1, min(length, most) + 1)]
        return max(errors) if np.isfinite(errors).all() else math.inf

    weights = np.bitwise_count(np.arange(size))
    tables = [np.array(levels)[weights] == 1 for levels in itertools.product((0, 1), repeat=asked + 1)]
    flips = [high for high in tables if 0 < high.sum() < size]
    starts = [min(flips, key=judge), *(lot.random(size) < share for share in (0.2, 0.35, 0.5))]
    best = (math.inf, starts[0])
    for high in starts:
        high = high.copy()
        if not 0 < high.sum() < size:
            continue
        error, improved = judge(high), True
        while improved:
            improved = False
            for mask in lot.permutation(size):
                high[mask] ^= True
                if 0 < high.sum() < size and (tried := judge(high)) < error * (1 - 1e-6):
                    error, improved = tried, True
                else:
                    high[mask] ^= True
        if error < best[0]:
            best = error, high
    table = np.where(best[1], gamma, 1.0)
    return best[0], table / table.sum()


def _parity(items: int, length: int, gamma: float) -> tuple[float, Floats]:
    """The weights of sizes with the least error."""

    def judge(logs: Floats) -> float:
        weights = np.exp(logs) / np.exp(logs).sum()
        return max(_error(_of_parity(weights, items, gamma)[0], each) for each in range(1, length + 1))

    starts = (np.zeros(length), np.arange(length, dtype=float))
    best = min((minimize(judge, start, method="Nelder-Mead") for start in starts), key=lambda one: float(one.fun))
    return float(best.fun), np.exp(best.x) / np.exp(best.x).sum()


def _of_parity(weights: Floats, items: int, gamma: float) -> tuple[Spread, int, int]:
    left = (gamma - 1) / (gamma + 1)

    def spread(length: int, truth: Floats) -> Floats:
        sizes = np.bitwise_count(np.arange(2**length)).tolist()
        own = [0.0 if not size else math.comb(items, size) / weights[size - 1] for size in sizes]
        return np.diag((1 / left**2 - truth**2) * np.array(own))

    return spread, len(weights), items


if __name__ == "__main__":
    main()
