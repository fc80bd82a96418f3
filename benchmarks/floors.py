"""The least errors of single answers under a γ with a bias, by convex programming: a table of `privacy/plan/floors.py`.

    python -m benchmarks.floors 4 --gammas 9 19 [--prevalences 0.05 0.1]

adds rows of four items to `privacy/plan/floors.csv`, or computes them again.

A record y of a channel has a chance P(y|x) for each of the N = 2^m truths x, and gives the estimate t_i of item i. With
x of the chance π(x), where answers are independent and yes has the share p,

    minimise  Σ_y (π·P_y) ‖t_y − p‖²    where  Σ_y P_y = 1,  Σ_y P_y(x) t_yi − x_i = r_i(x),  Σ_i Σ_x π(x)|r_i(x)| ≤ m·b

The chances of one record are within γ of each other, and a sum of vectors that are γ times as high on some truths as on
the others: with these vectors v alone, of 2^N − 2 sets of truths, the programme is convex and complete. Its dual is

    maximise  Σ_x α(x) + Σ_i Σ_x β_i(x)(x_i − p) − m·b·μ   where  |β_i(x)| ≤ μ π(x),  α·v + Σ_i (β_i·v)²/(4 π·v) ≤ 0

for all v; without a bias μ is free. Any α, β that keep it prove a floor: of those found, α is lowered by the largest
excess, so that rounding and an early end only make a floor lower. Permuted items change nothing, so one set of truths
of each orbit is enough, α(x) depends on the number of yes, and β_i(x) on it and on x_i. (β_i·v)²/(4 π·v) is the largest
of t·β_i·v − t² π·v over t: cuts at the t of what was found last make a linear programme.
"""

import argparse
import csv
import math
from itertools import permutations
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

from privacy.arrays import Floats

FILE = Path("privacy/plan/floors.csv")
PREVALENCES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5)
BIAS = 0.1  # of the prevalence
NEAR = 2e-4  # of a floor of n·Var, within which it is found
MOST_ROUNDS = 400
NEW = 25  # cuts a round
KEPT = 250  # cuts with which the next programme begins
FAR = 1e5  # no α, β or μ is so large
LARGE = 100.0  # nor any t: others make poor cuts
Cuts = tuple[np.ndarray, Floats]  # sets of truths, by their place, and the t of each item


class Truths:
    """All truths of some items, and one of each orbit of their sets."""

    def __init__(self, items: int) -> None:
        number = np.arange(2**items)
        self.answers = number[:, np.newaxis] >> np.arange(items) & 1
        self.yes = self.answers.sum(axis=1)
        sets = np.arange(1, 2 ** len(number) - 1)
        least = sets
        for order in permutations(range(items)):
            moved = (self.answers << np.array(order)).sum(axis=1)
            images = sum((sets >> int(truth) & 1) << int(to) for truth, to in zip(number, moved, strict=True))
            least = np.minimum(least, images)
        self.high = np.unique(least)[:, np.newaxis] >> number & 1

    def cuts(self) -> Cuts:
        """t = 0 of some sets."""
        which = np.arange(0, len(self.high), 1 + len(self.high) // KEPT)
        return which, np.zeros((len(which), self.answers.shape[1]))


def least_square(truths: Truths, gamma: float, prevalence: float, bias: float, cuts: Cuts) -> tuple[float, Cuts]:
    """A floor of n times the mean squared error of the items, and the cuts that are near it.

    >>> truths = Truths(1)
    >>> round(least_square(truths, 19, 0.5, 0, truths.cuts())[0], 4)  # a coin that keeps .9: .25/.9²
    0.3086
    """
    answers, yes = truths.answers, truths.yes
    items = answers.shape[1]
    chance = prevalence**yes * (1 - prevalence) ** (items - yes)
    vectors = 1 + (gamma - 1) * truths.high
    unit = np.sqrt(chance)  # of α and β: π alone would be too small where no bias is allowed for rare truths
    vectors = vectors * unit / (vectors @ chance)[:, np.newaxis]
    by_yes = (yes[:, np.newaxis] == np.arange(items + 1)).astype(float)
    kinds = [(answer, count) for answer in (0, 1) for count in range(answer, items + answer)]
    by_kind = np.array([[(answers[:, item] == a) & (yes == c) for a, c in kinds] for item in range(items)], float)
    of_yes, of_kind = vectors @ by_yes, np.einsum("sx,ikx->sik", vectors, by_kind)
    gain = np.concatenate(
        [unit @ by_yes, np.einsum("x,xi,ikx->k", unit, answers - prevalence, by_kind), [-items * bias * prevalence]]
    )
    most = np.array([prevalence**count * (1 - prevalence) ** (items - count) for _, count in kinds]) ** 0.5
    sides = np.hstack([np.zeros((len(kinds), items + 1)), np.eye(len(kinds)), -most[:, np.newaxis]])
    sides = np.vstack([sides, sides * np.where(np.arange(len(gain)) == len(gain) - 1, 1, -1)])
    sides = sides if bias else sides[:0]
    ranges = [(-FAR, FAR)] * (len(gain) - 1) + [(0, FAR if bias else 0)]
    best, known = -math.inf, np.zeros(len(gain))
    which, at = cuts
    for _ in range(MOST_ROUNDS):
        rows = np.hstack([of_yes[which], np.einsum("ci,cik->ck", at, of_kind[which]), np.zeros((len(which), 1))])
        limits = (at**2).sum(axis=1)
        solved = linprog(
            -gain,
            A_ub=np.vstack([rows, sides]),
            b_ub=np.concatenate([limits, np.zeros(len(sides))]),
            bounds=ranges,
            method="highs",
        )
        assert solved.x is not None, solved.message
        assert solved.fun is not None
        for part in (1, 0.6, 0.3):
            tried = part * solved.x + (1 - part) * known
            if bias:  # the solver keeps |β| ≤ μπ nearly
                tried[items + 1 : -1] = np.clip(tried[items + 1 : -1], -most * tried[-1], most * tried[-1])
            slopes = of_kind @ tried[items + 1 : -1]
            excess = of_yes @ tried[: items + 1] + (slopes**2).sum(axis=1) / 4
            proven = gain @ tried - excess.max()
            if proven > best:
                best, known = proven, tried
            worst = np.argsort(-excess)[:NEW]
            worst = worst[excess[worst] > 0]
            which = np.concatenate([which, worst])
            at = np.vstack([at, np.clip(slopes[worst] / 2, -LARGE, LARGE)])
        if -solved.fun - best < NEAR * best:
            break
    near = np.argsort(limits - rows @ solved.x)[:KEPT]
    return best / items, (which[near], at[near])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=int)
    parser.add_argument("--gammas", type=float, nargs="+", required=True)
    parser.add_argument("--prevalences", type=float, nargs="+", default=PREVALENCES)
    given = parser.parse_args()
    with FILE.open(newline="") as file:
        head, *rows = csv.reader(file)
    found = {tuple(map(float, row[:-1])): row[-1] for row in rows}
    truths = Truths(given.items)
    cuts = truths.cuts()
    for place, gamma in enumerate(given.gammas):  # to and fro, so that the next programme is like the last one
        for prevalence in sorted(given.prevalences, reverse=place % 2 == 0):
            square, cuts = least_square(truths, gamma, prevalence, BIAS, cuts)
            found[given.items, gamma, prevalence] = f"{math.floor(1e4 * math.sqrt(square)) / 1e4:.4f}"
            print(given.items, gamma, prevalence, found[given.items, gamma, prevalence], flush=True)
    with FILE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows([*(f"{value:g}" for value in key), found[key]] for key in sorted(found))


if __name__ == "__main__":
    main()
