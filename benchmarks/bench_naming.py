"""Coins that name several answers: the people who are needed, as a part of those without them.

    python -m benchmarks naming

*One coin* is the part of a coin that names one of the same answers, at even shares. *Before* is the best advice without
coins that name several, by the worst single answer or pair. *Simulated* is the part of one coin by the errors that
single answers and pairs of surveys of both designs had.
"""

from fractions import Fraction
from unittest.mock import patch

import numpy as np

from benchmarks.bench_by_gamma import NINE, NINETEEN, RESPONDENTS, E, _best, _questions, _simulated
from privacy.design import Design
from privacy.design.blocks.by_gamma import advise
from privacy.design.blocks.by_gamma.naming import signal_of
from privacy.output import as_table
from privacy.plan import Brief, search

CASES = (((10,), 1), ((20,), 1), ((50,), 1), ((6, 6), 2), ((10, 10), 2), ((4, 4, 4), 2), ((2,) * 10, 3))
SIMULATED = {((10,), E), ((6, 6), NINE)}


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    for sizes, length in CASES:
        for gamma in (E, NINE, NINETEEN):
            cells = int(np.prod(sizes[: max(length, 1)]))
            names, of_one = _of_one_coin(cells, float(gamma))
            brief = Brief(_questions(sizes), RESPONDENTS, gamma, length)
            now, error = _best(brief)
            error_before = _best_before(brief)
            part = (error / error_before) ** 2
            simulated = None
            if (sizes, gamma) in SIMULATED:
                coin = _design(sizes, gamma, 1)
                simulated = (_simulated(now, length) / _simulated(coin, length)) ** 2
            name = " × ".join(map(str, sizes)) if len(sizes) < 5 else f"{len(sizes)} of {sizes[0]}"
            chosen = getattr(now.blocks[0], "names", 1)
            rows.append([name, length, f"{float(gamma):.3g}", names, of_one, chosen, error_before, error, part])
            rows[-1].append(simulated)
            ratios.append((f"{name}, length {length}, gamma {float(gamma):.3g}: people now / before", part))
    headings = ["options", "length", "gamma", "best d", "one coin", "advised d", "error before", "now", "people"]
    print(as_table([*headings, "simulated"], rows))
    return ratios


def _of_one_coin(cells: int, gamma: float) -> tuple[int, float]:
    """The best d, and the people that it needs as a part of those of a coin over the same cells."""
    parts = {}
    for names in range(1, cells // 2 + 1):
        worth, third, by_chance = signal_of(gamma, cells, names)
        parts[names] = (third + by_chance) / worth**2
    best = min(parts, key=parts.__getitem__)
    return best, parts[best] / parts[1]


def _best_before(brief: Brief) -> float:
    search._leading.cache_clear()
    with patch.object(advise, "most_sets", return_value=0):
        _, error = _best(brief)
    search._leading.cache_clear()
    return error


def _design(sizes: tuple[int, ...], gamma: Fraction, names: int) -> Design:
    items = [{"id": one.id, "options": list(one.options)} for one in _questions(sizes)]
    named = {"names": names} if names > 1 else {}
    return Design.parse({"blocks": [{"by-gamma": float(gamma), **named, "items": items}]})
