"""What words *at least t of these k* would save: the table of docs/decisions/0144-words-with-a-threshold.md.

    python -m benchmarks.threshold_words --items 10 --gammas 9 5 --shares 0.02 0.05 [--people 10000] [--lengths 2]

A list has all words (k, t) of some kinds: sets of k items, true of people with t or more of them; t = k are the words
of today. Each kind has a weight. Own words of a person with more than the cap are scaled by the same share a, and a
loss word measures max(0, 1 − (1 + r)·a), as in `privacy.design.blocks.one_of`. A figure is a sum Σ σ_y (1[y] − base_y)
over words, σ by kind and by how many items of the pattern are in the word. It is E[a·1] for people with up to `exact`
true answers. Of all such σ it takes the one of least variance among independent people, where what it is off by for
others counts, too, by ρ. Without thresholds nothing is free, and figures and errors are those of the product.

Errors are root mean squares, or half widths of intervals by 1.96, at the worst of the stated populations, as in
`privacy.design.blocks.one_of.expected`. An interval holds whatever is true: where the figure of a person is off by `up`
times what the loss word measures, beside r times itself, or by `down` times to the other side, it reaches so far.
Weights, cap, loss word, ρ and `exact` are searched together, so that the errors of all lengths have the least product
and no bias is more than half the standard error among clustered people. By errors there is no loss word.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb

import numpy as np
from scipy.optimize import minimize

from privacy.arrays import Floats
from privacy.design.blocks.one_of.advise import ADVISOR, OneOfPlan
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.populations import CLUSTERED, COINCIDING, Population
from privacy.design.brief import WIDE, Brief, yes_no
from privacy.output import as_table
from privacy.plan.search import best as best_of, search

Kind = tuple[int, int]
ROOM = 1e-7
FAR = 100.0  # an objective of what cannot be


@dataclass(frozen=True)
class Listed:
    """The chances of a word of each kind, what an own one adds, a by true answers, and the loss word."""

    base: Floats
    added: Floats
    kept: Floats
    unlost: float
    lost: float  # of the chance of the loss word for each 1 that it measures
    spare: float
    measured: Floats  # by true answers


def count_true(kind: Kind, held: int, others: int) -> int:
    """Of the words of a kind, how many are true of somebody who has `held` of the items, and not the `others`."""
    size, least = kind
    return sum(comb(held, own) * comb(others, size - own) for own in range(least, size + 1))


class Target:
    """Patterns of one length: of each class of words (kind, how many items of the pattern) what is true of whom."""

    def __init__(self, items: int, length: int, kinds: Sequence[Kind]) -> None:
        self.length = length
        places = [(number, own) for number, (size, _) in enumerate(kinds) for own in range(min(length, size) + 1)]
        classes = [(number, own, self._words(items, kinds[number][0], own)) for number, own in places]
        self.kind, _, sizes = np.array([one for one in classes if one[2]]).T
        self.sizes = sizes.astype(float)
        self.cells = [(c, d) for c in range(items + 1) for d in range(min(length, c) + 1) if c - d <= items - length]
        # true words of each class (rows) of who has c answers, d of them of the pattern (cells)
        self.true = np.array(
            [[self._true(items, kinds[n], own, c, d) for c, d in self.cells] for n, own, size in classes if size], float
        )
        self.answers = np.array([c for c, _ in self.cells])
        self.whole = np.array([float(d == length) for _, d in self.cells])

    def _words(self, items: int, size: int, own: int) -> int:
        return comb(self.length, own) * comb(items - self.length, size - own)

    def _true(self, items: int, kind: Kind, own: int, c: int, d: int) -> int:
        size, least = kind
        rest = items - self.length
        return sum(
            comb(d, hit) * comb(self.length - d, own - hit)
            * count_true((size - own, max(least - hit, 0)), c - d, rest - c + d)
            for hit in range(own + 1)
        )  # fmt: skip

    def spread(self, population: Population, pattern: Sequence[tuple[int, int]], items: int) -> Floats:
        """The share of people in each cell, by inclusion and exclusion."""
        parts = [
            population.count_answers([list(own) for own in combinations(pattern, size)], items).sum(axis=0)
            for size in range(self.length + 1)
        ]
        made = [
            sum((-1) ** (s - d) * comb(s, d) * parts[s][c] for s in range(d, self.length + 1)) for c, d in self.cells
        ]
        return np.maximum(np.array(made), 0.0)


class Setting:
    """Lists of some kinds of words, for some items, share of yes, people, γ and longest pattern."""

    def __init__(self, brief: Brief, kinds: Sequence[Kind]) -> None:
        self.brief, self.kinds, items = brief, kinds, len(brief.questions)
        self.items, self.gamma = items, float(brief.gamma)
        self.counts = np.array([comb(items, size) for size, _ in kinds], float)
        self.owned = np.array([[count_true(kind, c, items - c) for kind in kinds] for c in range(items + 1)], float)
        self.targets = [Target(items, length, kinds) for length in range(1, brief.length + 1)]
        expected = expect(brief.questions, (0,) * items, brief.length)
        words = expected._sums[0]
        self.names = [one.name for one in expected.populations]
        self.alike = [one.alike for one in expected.sums]
        self.spreads = [
            np.array([
                [target.spread(one, words[first], items) for first in sums.words[sums.starts]]
                for one in expected.populations
            ])
            for target, sums in zip(self.targets, expected.sums, strict=True)
        ]  # fmt: skip

    def listed(self, weights: Floats, cap: float, loss: float, spare: float) -> Listed:
        """The list of these weights; `cap` and `loss` weigh, too."""
        cap, every = max(cap, weights.max(), loss), float(self.counts @ weights)
        total = every + loss + self.gamma * cap
        unit, owned = (self.gamma - 1) / total, self.owned @ weights
        lost = loss / (1 - (1 + spare) * (cap - loss) / every) if loss and every > (1 + spare) * cap else 0.0
        spare = spare if lost else 0.0
        taken = np.where(owned > (1 + spare) * cap, lost, 0.0)
        above = owned > cap * (1 + 1e-9)
        kept = np.where(above, (cap - taken) / np.where(above, owned - (1 + spare) * taken, 1.0), 1.0)
        measured = np.maximum(1 - (1 + spare) * kept, 0.0) * (lost > 0)
        return Listed(weights / total, weights * unit, kept, loss / total, lost * unit, spare, measured)

    def figure(self, one: Listed, number: int, exact: int, rho: float) -> tuple[Floats, Floats, Floats] | None:
        """σ of each class; the base chances of classes, and what people in each cell add; None where there is no σ."""
        target = self.targets[number]
        base, true = one.base[target.kind] * target.sizes, one.added[target.kind][:, np.newaxis] * target.true
        adds = true * one.kept[target.answers]
        chance = base + adds @ self.spreads[number][0, 0]
        root = np.sqrt(chance)
        rows = np.eye(len(root)) - np.outer(root, root) * (1 - math.sqrt(1 - chance.sum())) / chance.sum()
        rows = rows * root / math.sqrt(self.brief.respondents)  # |rows·σ|² is the variance
        wanted = np.zeros(len(rows))
        far = target.answers > exact
        if rho and far.any():
            doubt = rho / (one.measured[target.answers[far]] + 0.02) if self.brief.by_interval else rho
            more = np.sqrt(self.spreads[number].mean(axis=(0, 1))[far]) if not self.brief.by_interval else 1.0
            rows = np.vstack([rows, (adds[:, far] * doubt * more).T])
            wanted = np.append(wanted, target.whole[far] * doubt * more)
        near = ~far & (target.answers > 0)
        scale = np.linalg.norm(rows, axis=0)
        left, values, right = np.linalg.svd(true[:, near].T / scale)
        rank = int((values > 1e-9 * values[0]).sum())
        sigma = right[:rank].T @ (left[:, :rank].T @ target.whole[near] / values[:rank])
        if abs(true[:, near].T @ (sigma / scale) - target.whole[near]).max() > ROOM:
            return None
        free = right[rank:].T
        if free.shape[1]:
            sigma += free @ np.linalg.lstsq(rows / scale @ free, wanted - rows / scale @ sigma, rcond=None)[0]
        return sigma / scale, base, adds

    def errors(self, one: Listed, exact: int, rho: float) -> tuple[Floats, float]:
        """The worst error of each length, and the largest bias among clustered people by its standard error."""
        worst, off = [], 0.0
        for number, target in enumerate(self.targets):
            found = self.figure(one, number, exact, rho)
            if found is None:
                return np.full(len(self.targets), np.inf), 0.0
            sigma, base, adds = found
            chances = base + self.spreads[number] @ adds.T
            mean = (chances - base) @ sigma
            variance = (chances @ sigma**2 - (chances @ sigma) ** 2) / self.brief.respondents
            bias = mean - self.spreads[number] @ target.whole
            if self.brief.by_interval:
                errors = self._half_widths(one, number, sigma @ adds, (mean, variance, -base @ sigma)) / WIDE
            else:
                errors = np.sqrt(variance + bias**2)
            alike = self.alike[number]
            worst.append(max(
                math.sqrt(alike @ own**2 / alike.sum()) if name == COINCIDING else own.max()
                for name, own in zip(self.names, errors, strict=True)
            ))  # fmt: skip
            clustered = self.names.index(CLUSTERED)
            off = max(off, float((abs(bias[clustered]) / np.sqrt(variance[clustered])).max()))
        return np.array(worst), off

    def _half_widths(self, one: Listed, number: int, seen: Floats, own: tuple[Floats, Floats, Floats]) -> Floats:
        """Half widths, where people in each cell are `seen` as so much, from mean, variance and the blank's weight."""
        target, people = self.targets[number], self.brief.respondents
        (mean, variance, blank), measured, more = own, one.measured[target.answers], 1 + one.spare
        above, below = target.whole - more * seen, seen - target.whole
        known = measured > ROOM
        if (above[~known] > ROOM).any() or (below[~known] > ROOM).any():
            return np.full(mean.shape, np.inf)
        up, down = (max(0.0, (side[known] / measured[known]).max(initial=0.0)) for side in (above, below))
        loss = self.spreads[number] @ measured
        chance = one.unlost + one.lost * loss
        unit = 1 / one.lost if one.lost else 0.0
        of_loss, joint = chance * (unit - chance * unit) * unit / people, chance * (blank - mean) * unit / people
        far = more**2 * variance + up**2 * of_loss + 2 * more * up * joint
        low = variance + down**2 * of_loss - 2 * down * joint
        ends = [np.sqrt(np.maximum(end, variance)) for end in (far, low)]
        return np.asarray((WIDE * sum(ends) + one.spare * mean + (up + down) * loss) / 2)

    def least(self, exacts: Sequence[int], losses: bool, spares: Sequence[float]) -> tuple[float, Floats, str]:
        """The least product of errors, as a mean of logarithms; these errors, and what the list is."""
        count = len(self.kinds)

        def read(x: Floats, spare: float) -> tuple[Listed, float]:
            weights = np.exp(x[:count] - x[:count].max())
            return self.listed(weights, math.exp(x[count]), math.exp(x[-1]) if losses else 0.0, spare), math.exp(x[-2])

        def judged(x: Floats, exact: int, spare: float) -> float:
            one, rho = read(x, spare)
            errors, off = self.errors(one, exact, rho)
            return float(np.log(errors).mean()) + 20 * max(0.0, off - 0.5) if np.isfinite(errors).all() else FAR

        best = (math.inf, np.zeros(0), 0, 0.0)
        bounds = [(-9.0 - own, 0.0) for own in np.log(self.counts / self.counts.min())]
        bounds += [(0.0, 9.0), (-9.0, 6.0), (-5.0, 3.0)]
        for exact, spare in product(exacts, spares):
            rho = -4.0 if self.brief.by_interval else 0.0  # about what is best
            even = -np.log(self.counts / self.counts.min())
            at_cap = float(np.log(np.maximum(self.owned[min(exact, 3, self.items)] @ np.exp(even), 1.0)))
            start = np.array([*even, at_cap, rho, 0.0])
            own = partial(judged, exact=exact, spare=spare)
            near = minimize(own, start, method="L-BFGS-B", bounds=bounds, options={"maxiter": 25})
            found = minimize(own, near.x, method="Nelder-Mead", bounds=bounds, options={"maxiter": 120, "fatol": 1e-5})
            if found.fun < best[0]:
                best = (float(found.fun), found.x, exact, spare)
        value, x, exact, spare = best
        if not len(x):
            return FAR, np.full(len(self.targets), np.inf), ""
        one, rho = read(x, spare)
        share = one.base * self.counts / (one.base @ self.counts)
        kinds = [f"{t} of {k}: {part:.2f}" for (k, t), part in zip(self.kinds, share, strict=True) if part > 0.02]
        return value, self.errors(one, exact, rho)[0], f"exact to {exact}; " + ", ".join(kinds)


def kinds_for(items: int, length: int, most: int) -> list[Kind]:
    """Words with a threshold of up to `length`, of up to `most` items."""
    return [(size, least) for least in range(1, length + 1) for size in range(least, min(items - 1, most) + 1)]


def advised(brief: Brief) -> tuple[str, Floats]:
    """The best list of today, and what it errs by; another kind where that errs less."""
    (_, (plan,)), *_others = ADVISOR.biased(brief, float(brief.gamma), brief.length, np.inf)
    assert isinstance(plan, OneOfPlan)
    errors = np.array(plan.sketch(brief.questions, float(brief.gamma)).errors(brief)[0])
    other = best_of(search(brief, float(brief.gamma)), brief, brief.length)
    others = np.array([other.errors.up_to(length, True) for length in range(1, brief.length + 1)])
    if np.log(others).sum() < np.log(errors).sum():
        return other.family, others
    return ("groups" if plan.listed.groups else "thresholds" if plan.listed.sets else "words"), errors


def compare(brief: Brief, most: int) -> Iterator[list[object]]:
    """A row by errors and one by intervals: what today's best, words, and words with a threshold err by."""
    items, length = len(brief.questions), brief.length
    for by_interval in (False, True):
        own = replace(brief, by_interval=by_interval)
        name, today = advised(own)
        losses, spares = by_interval, (0.0, 0.1) if by_interval and length > 1 else (0.0,)
        plain, errors, _ = Setting(own, [(size, size) for size in range(1, length + 1)]).least([items], losses, spares)
        setting = Setting(own, kinds_for(items, length, most))
        value, better, what = setting.least(sorted({length, items}), losses, spares)
        yield [
            items, float(brief.gamma), (brief.questions[0].expected or (0,))[-1], brief.respondents, length,
            "widths" if by_interval else "errors", name,
            *(" ".join(f"{error:.4f}" for error in one) for one in (today, errors, better)),
            f"{math.exp(2 * (np.log(today).mean() - value)):.2f}", f"{math.exp(2 * (plain - value)):.2f}", what,
        ]  # fmt: skip


HEAD = [
    "items",
    "γ",
    "yes",
    "people",
    "length",
    "by",
    "today",
    "errs",
    "words",
    "thresholds",
    "saves",
    "of words",
    "list",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[6, 10, 20])
    parser.add_argument("--gammas", type=float, nargs="+", default=[9, 5, 2.718])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.02, 0.05, 0.1, 0.3])
    parser.add_argument("--people", type=int, nargs="+", default=[2_000, 10_000])
    parser.add_argument("--lengths", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--most", type=int, default=4, help="items in a word")
    given = parser.parse_args()
    rows = []
    for items, gamma, share, people, length in product(
        given.items, given.gammas, given.shares, given.people, given.lengths
    ):
        brief = Brief(yes_no(items, share), people, Fraction(str(gamma)), length)
        for row in compare(brief, given.most):
            print(*row, sep=" | ", flush=True)
            rows.append(row)
    print(as_table(HEAD, rows))


if __name__ == "__main__":
    main()
