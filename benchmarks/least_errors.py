"""The least errors of single answers and of pairs where nobody has more than M true answers, by convex programming.

    python -m benchmarks.least_errors 10 --most 2 3 4 [--gammas 9 19] [--prevalences 0.05 0.1] [--to more.csv]

makes rows of `privacy/plan/least_errors.csv`. It needs Clarabel (`pip install clarabel`), which nothing else does.

Truths x are all sets of at most M of m items. People's sets have the chances π(x) of independent answers among them, so
that each item has the share p. A record y has a chance P(y|x) and gives an estimate t_T of each target T: an item, or a
pair. With the share p_T of a target, and c_T of 1/m or 1/C(m,2),

    minimise  Σ_y (π·P_y) Σ_T c_T (t_yT − p_T)²    where  Σ_y P_y = 1  and  Σ_y P_y(x) t_yT = 1[T ⊆ x]  for all x

The chances of one record are within γ of each other, and a sum of vectors v of two levels, 1 and γ. Permuted items
change nothing, so α depends on k = |x|, and β on k and on d = |T ∩ x|. With all vectors v the dual is complete:

    maximise  Σ_k α_k + Σ β_kd (1[d = |T|] − p_T)   where  Σ_k α_k E[v|k] + Σ_T c_T (Σ_kd β_kd E_T[v|k,d])²/(4 π·v) ≤ 0

with E_T[v|k,d] the sum of v over these truths by how many there would be for a random target. Each v is a second-order
cone. Records that are *symmetric* know one set S of items: v depends on |x| and |x ∩ S| alone. We begin with them. Then
vectors of any form are looked for that break the constraint, from random starts: given t the best v is γ where a sum is
above 0, given v the best t is known, and neither step lowers the excess. They are added until three searches find no
excess above `NEAR` of the floor; the floor is what is left below the largest. Up to `FEW` truths all vectors are tried.
"""

import argparse
import csv
import math
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Floats

FILE = Path("privacy/plan/least_errors.csv")
HEAD = ["items", "gamma", "prevalence", "most", "singles", "pairs", "both"]
GAMMAS = (2.72, 5.0, 9.0, 19.0, 40.0)
PREVALENCES = (0.01, 0.02, 0.05, 0.1, 0.2)
ABOVE = 0.1  # of people may have more than M true answers, if answers were independent
NEAR = 5e-4  # of a floor of n·Var, within which it is found
CALM = 3  # searches that find no larger excess, one after the other, end it
STARTS = 240  # of each of five kinds
MOST_PAIRED = 10  # items; of more the search for pairs does not find the same floor from other starts
NEW = 40  # vectors a round
FEW = 16  # truths, of which all sets are tried
LENGTHS = ((1,), (2,), (1, 2))  # of singles, pairs, both


def counts_of_true(items: int, prevalence: float, most: int) -> Floats:
    """The chances of 0, 1, … `most` true answers, independent but for that, with which each item has this share.

    >>> counts_of_true(2, 0.5, 2).tolist()
    [0.25, 0.5, 0.25]
    """
    low, high = 0.0, 1.0
    count = np.arange(most + 1)
    ways = np.array([math.comb(items, k) for k in count], float)
    for _ in range(60):
        middle = (low + high) / 2
        chance = ways * middle**count * (1 - middle) ** (items - count)
        chance /= chance.sum()
        low, high = (middle, high) if chance @ count < items * prevalence else (low, middle)
    return np.asarray(chance)


class Programme:
    """The programme for targets of these `lengths`: variables are α by k, then β by (k, d) for each length."""

    def __init__(self, items: int, prevalence: float, gamma: float, most: int, lengths: Sequence[int]) -> None:
        self.gamma = gamma
        self.counts = counts_of_true(items, prevalence, most)
        truths = [own for k in range(most + 1) for own in combinations(range(items), k)]
        self.sizes = np.array([len(own) for own in truths])
        self.holds = np.array([[item in own for item in range(items)] for own in truths], float)
        self.people = (self.counts / np.bincount(self.sizes))[self.sizes]
        self.by_size = np.eye(most + 1)[self.sizes] / np.bincount(self.sizes)
        gain, scale = [np.ones(most + 1)], [np.sqrt(self.counts)]
        kinds, weights, parts, first = [], [], [], most + 1
        for length in lengths:
            targets = list(combinations(range(items), length))
            both = np.array([self.holds[:, own].sum(axis=1) for own in map(list, targets)], int)
            pairs, kind = np.unique(self.sizes * (length + 1) + both, return_inverse=True)
            kind = kind.reshape(both.shape)
            share = self.people @ (both[0] == length)
            part = np.bincount(kind.ravel()) / len(targets)  # truths of each kind beside a target
            gain.append((pairs % (length + 1) == length) - share)
            scale.append(np.sqrt(np.bincount(kind[0], self.people, len(pairs))))
            kinds.append(kind + first)
            weights.append((1 / part)[kind])
            parts.append(np.full(len(targets), 1 / len(targets)))
            first += len(pairs)
        self.gain, self.scale = np.concatenate(gain), np.concatenate(scale)
        self.kinds, self.weights, self.parts = np.vstack(kinds), np.vstack(weights), np.concatenate(parts)

    def cone(self, vector: Floats) -> tuple[Floats, Floats]:
        """Of a vector v the coefficients of α, and those of β of each target, by π·v; targets alike are one."""
        targets, width = len(self.kinds), len(self.gain)
        sent = vector @ self.people
        place = self.kinds + width * np.arange(targets)[:, np.newaxis]
        sums = np.bincount(place.ravel(), (self.weights * vector).ravel(), targets * width).reshape(targets, width)
        rows, alike = np.unique(
            np.round(sums * np.sqrt(self.parts)[:, np.newaxis] / (2 * sent), 12), axis=0, return_counts=True
        )
        return vector @ self.by_size / sent, rows * np.sqrt(alike)[:, np.newaxis]

    def solve(self, cones: Sequence[tuple[Floats, Floats]]) -> tuple[float, Floats]:
        """The optimum over some vectors alone, and its α and β."""
        import clarabel
        from scipy import sparse

        blocks, sides, kinds = [], [], []
        for own, rows in cones:
            block = np.zeros((2 + len(rows), len(self.gain)))
            block[:2, : len(own)], block[2:] = own, -2 * rows
            blocks.append(block * self.scale)
            sides.append(np.array([1.0, -1.0, *[0.0] * len(rows)]))
            kinds.append(clarabel.SecondOrderConeT(len(block)))
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        nothing = sparse.csc_matrix((len(self.gain),) * 2)
        matrix = sparse.csc_matrix(np.vstack(blocks))
        solved: Any = clarabel.DefaultSolver(
            nothing, -self.gain * self.scale, matrix, np.concatenate(sides), kinds, settings
        ).solve()
        found = np.array(solved.x) * self.scale
        return float(self.gain @ found), found

    def excess(self, found: Floats, vectors: Floats, rounds: int = 40) -> tuple[Floats, Floats]:
        """How far vectors (rows) break the constraint, by π·v, after `rounds` of changing each for the worse."""
        alpha = self.by_size @ found[: self.by_size.shape[1]]
        beta = found[self.kinds] * self.weights
        before = np.full(len(vectors), -np.inf)
        for turn in range(rounds + 1):
            sent = vectors @ self.people
            estimates = vectors @ beta.T / (2 * sent[:, np.newaxis])
            square = estimates**2 @ self.parts
            excess = vectors @ alpha / sent + square
            if turn == rounds or (excess <= before + 1e-9).all():
                break
            before = excess
            slope = alpha + (estimates * self.parts) @ beta - (square + excess)[:, np.newaxis] * self.people
            vectors = np.where(slope > 0, self.gamma, 1.0)
        return excess, vectors

    def symmetric(self, random: np.random.Generator | None = None) -> Floats:
        """All vectors of records that know a set of items; or with a generator some, of sets of each size."""
        items, most = self.holds.shape[1], int(self.sizes[-1])
        first = np.cumsum([0, *range(1, most + 1)])  # of |x| the place of |x ∩ S| = 0
        places = first[-1] + most + 1
        made = []
        for size in range(items + 1):
            numbers = np.arange(1, 2**places - 1) if random is None else random.integers(1, 2**places - 1, 40)
            high = numbers[:, np.newaxis] >> (first[self.sizes] + self.holds[:, :size].sum(axis=1).astype(int)) & 1
            made.append(np.where(high, self.gamma, 1.0))
        unlike = np.unique(np.vstack(made), axis=0)
        return unlike[unlike.min(axis=1) < unlike.max(axis=1)]

    def starts(self, random: np.random.Generator) -> Floats:
        """Vectors to begin the search with: γ where a random sum over what is true is above a random number for |x|.

        The sum is over true items, over pairs of them by the classes that both are in, or a coin by |x ∩ S| and |x|.
        """
        number, items, levels = STARTS, self.holds.shape[1], self.by_size.shape[1]
        slopes = random.normal(size=(number, items)) * random.choice([0.3, 1, 3], (number, 1))
        slopes = np.where(random.random((number, 1)) < 0.6, np.round(slopes), slopes)
        least = random.normal(size=(number, 1)) + random.normal(size=(number, levels))[:, self.sizes]
        high = [slopes @ self.holds.T > least]
        for _ in range(number):
            own = self.holds[:, random.random(items) < random.random()].sum(axis=1).astype(int)
            high.append((random.random((levels, levels)) < 0.5)[own, self.sizes][np.newaxis])
        for start in range(3 * number):
            classes = random.integers(0, random.integers(1, items + 1), items)
            alike = classes[:, np.newaxis] == classes
            drawn = random.normal(size=(items, items))[classes][:, classes]
            graph = np.triu((alike, ~alike, drawn)[start % 3].astype(float), 1)
            beside = self.holds @ np.round(random.normal(size=items)) if random.random() < 0.3 else 0.0
            least = 0.5 + random.normal(size=levels) * random.choice([0.5, 1, 2])
            sums = ((self.holds @ graph) * self.holds).sum(axis=1) + beside
            high.append((sums > least[self.sizes])[np.newaxis])
        return np.where(np.vstack(high), self.gamma, 1.0)

    def every(self) -> Floats:
        """All vectors of two levels."""
        high = np.arange(1, 2 ** len(self.sizes) - 1)[:, np.newaxis] >> np.arange(len(self.sizes)) & 1
        return np.where(high, self.gamma, 1.0)


def least_square(
    items: int, prevalence: float, gamma: float, most: int, lengths: Sequence[int], *, symmetric: bool = False
) -> float:
    """A floor of n times the mean squared error, added up over the lengths; or over `symmetric` records alone.

    >>> round(least_square(1, 0.5, 19, 1, (1,)), 4)  # a coin that keeps .9: .25/.9²
    0.3086
    """
    programme, random = Programme(items, prevalence, gamma, most, lengths), np.random.default_rng(1)
    cones = list(map(programme.cone, programme.symmetric(None if symmetric else random)))
    tried = programme.every() if len(programme.sizes) <= FEW and not symmetric else None
    value, found = programme.solve(cones)
    calm, farthest = 0, 0.0
    while calm < CALM and not symmetric:
        excess, vectors = programme.excess(found, programme.starts(random))
        if tried is not None:
            again, worst = programme.excess(found, tried, 0)
            order = np.argsort(-again)[:NEW]
            excess, vectors = np.concatenate([excess, again[order]]), np.vstack([vectors, worst[order]])
        calm, farthest = (calm + 1, max(farthest, excess.max())) if excess.max() < NEAR * value else (0, 0.0)
        if not calm:
            order = np.argsort(-excess)[: 2 * NEW]
            cones += map(programme.cone, np.unique(vectors[order[excess[order] > 0]], axis=0)[:NEW])
            value, found = programme.solve(cones)
    return value - farthest


def row(items: int, gamma: float, prevalence: float, most: int) -> list[str]:
    """A row of the table: √n times the least errors, rounded down; 0 where none is known."""
    roots = [
        math.sqrt(least_square(items, prevalence, gamma, most, lengths))
        if lengths == (1,) or 2 <= items <= MOST_PAIRED
        else 0.0
        for lengths in LENGTHS
    ]
    return [
        *(f"{value:g}" for value in (items, gamma, prevalence, most)),
        *(f"{math.floor(1e4 * one) / 1e4:.4f}" for one in roots),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=int, nargs="+")
    parser.add_argument("--most", type=int, nargs="+", required=True)
    parser.add_argument("--gammas", type=float, nargs="+", default=GAMMAS)
    parser.add_argument("--prevalences", type=float, nargs="+", default=PREVALENCES)
    parser.add_argument("--to", type=Path, default=FILE)
    given = parser.parse_args()
    found: dict[tuple[float, ...], list[str]] = {}
    if given.to.exists():
        with given.to.open(newline="") as file:
            found = {tuple(map(float, own[:4])): own for own in list(csv.reader(file))[1:]}
    for items, most, prevalence, gamma in product(given.items, given.most, given.prevalences, given.gammas):
        above = sum(
            math.comb(items, k) * prevalence**k * (1 - prevalence) ** (items - k) for k in range(most + 1, items + 1)
        )
        if most <= items and above <= ABOVE:
            made = row(items, gamma, prevalence, most)
            found[tuple(map(float, made[:4]))] = made
            print(*made, flush=True)
        with given.to.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEAD)
            writer.writerows(found[key] for key in sorted(found))


if __name__ == "__main__":
    main()
