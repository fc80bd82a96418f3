"""All rules of a lattice at once, as columns: metrics, standard errors, intervals, tests, redundancy.

A rule A ⇒ C is one itemset A∪C and the mask of its literals that stand in A.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from mining.engines.estimates import LEVEL, positions_within
from mining.engines.lattice import Lattice, parts_of
from mining.engines.reasons import MiningError
from mining.engines.request import RULES, MiningRequest, Progress, silent
from privacy.estimate.available import SubPatterns, variance
from privacy.estimate.intervals import quotient, two_sided, wald
from privacy.reconstruct import metrics
from privacy.reconstruct.discoveries import q_values

# Makes rules from the supports of all sub-patterns of some itemsets (2^L, F) and the least confidence of each (F,). It
# returns places of itemsets and masks of antecedents, in ascending order, and metrics by name.
Maker = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]]
_ENTRIES = 1 << 20  # covariances held at once
_CLOSE = 1 << 14  # comparisons of rules that are weighed at once


@dataclass(frozen=True)
class Rules:
    """Columns over rules; `values` holds the metrics, and for those with error also `… se`, `… low` and `… high`."""

    itemset: np.ndarray  # its place among the accepted itemsets, shorter ones first
    antecedent: np.ndarray  # mask over the literals of the itemset
    values: dict[str, np.ndarray]  # also p, q
    redundant: np.ndarray

    def __len__(self) -> int:
        return len(self.itemset)


def own_rules(supports: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Make the rules that reach the least confidence, as a `Maker`, without mlxtend."""
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence = (supports[-1] / supports[1:-1]).T
    rows, columns = np.nonzero(confidence >= least[:, None])
    left = columns + 1
    right = len(supports) - 1 - left
    return rows, left, metrics.metrics(metrics.Sides(supports[left, rows], supports[right, rows], supports[-1, rows]))


def rules(lattice: Lattice, request: MiningRequest, progress: Progress = silent, make: Maker = own_rules) -> Rules:
    """Every rule whose reconstructed confidence reaches the threshold."""
    longest, min_confidence = request.max_length, request.min_confidence
    made: list[Rules] = []
    # For each reported test of two answers, and of more: its p, times the number of possible tests of its length.
    families: tuple[list[np.ndarray], list[np.ndarray]] = [], []
    places: list[np.ndarray] = []  # for each rule: the place of its test in the family
    tested = count = 0
    possible = lattice.literals.possible(longest)
    ranks = _ranks(lattice)
    itemsets = sum(int(np.count_nonzero(level.accepted)) for level in lattice.levels)
    known = np.zeros((itemsets, 2 ** len(ranks)), dtype=bool)  # rules, by itemset and mask
    for level, rank in zip(lattice.levels[1:], ranks[1:], strict=True):
        accepted = np.flatnonzero(level.accepted)
        length = level.items.shape[1]
        step = max(_ENTRIES >> (2 * length), 1)
        for start in range(0, len(accepted), step):
            progress(RULES, length, count, start / len(accepted))
            chosen = accepted[start : start + step]
            patterns = parts_of(lattice, level.select(chosen), request.estimator)
            p = leverage_tests(patterns)
            rows, masks, figures = make(patterns.support, min_confidence - level.supports.slack[chosen])
            count += len(rows)
            if count > request.most_rules:
                raise MiningError("rules", most=request.most_rules, confidence=min_confidence)
            values = figures | rule_errors(patterns, rows, masks)
            values |= {f"support {end}": getattr(level.supports, end)[chosen][rows] for end in ("se", "low", "high")}
            split = np.minimum(masks, 2**length - 1 - masks) - 1  # A ⇒ C and C ⇒ A are one test
            reported = np.zeros(p.shape, dtype=bool)
            reported[rows, split] = True
            place = tested - 1 + np.cumsum(reported).reshape(p.shape)
            values["p"] = p[rows, split]
            places.append(place[rows, split])
            tested += int(np.count_nonzero(reported))
            lengths = max(longest - 2, 1) if length > 2 else 1  # that share the budget of their family
            families[length > 2].append(p[reported] * (p.shape[1] * possible[length] * lengths))
            itemset = rank[chosen][rows]
            known[itemset, masks] = True
            subsets = _sub_ranks(lattice, ranks, level.items[chosen])
            made.append(Rules(itemset, masks, values, _redundant(patterns, subsets, rows, masks, known)))
    return _join_rules(made, families, places)


def leverage_tests(patterns: SubPatterns) -> np.ndarray:
    """The p of the leverage of each split of each itemset (F, splits); not a number where the error is not known."""
    whole, count = len(patterns.support) - 1, len(patterns.support) // 2 - 1
    left = np.arange(1, count + 1)
    a, c = patterns.support[1 : count + 1], patterns.support[-2 : -count - 2 : -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = variance(patterns.spread_of(np.full(count, whole), left, whole - left), 1.0, -c, -a)
        leverage = patterns.support[-1] - a * c
        if patterns.reach is not None:  # what is left of it, whatever the bias is
            of_a, of_c = patterns.reach[:, 1 : count + 1], patterns.reach[:, -2 : -count - 2 : -1]
            above, below = _reach((np.ones_like(a), -c, -a), (patterns.reach[:, -1:], of_a, of_c))
            leverage = np.where(leverage > 0, np.maximum(leverage - below, 0), np.minimum(leverage + above, 0))
        z = leverage / np.sqrt(np.where(spread > 0, spread, np.nan))
    return two_sided(z, patterns.freedom).T


def rule_errors(patterns: SubPatterns, rows: np.ndarray, left: np.ndarray) -> dict[str, np.ndarray]:
    """Standard errors and 95 % intervals of the metrics of rules, by itemset and mask of the antecedent.

    Metrics without slopes are left out: they take the errors of the itemset.
    """
    right = len(patterns.support) - 1 - left
    supports = metrics.Sides(patterns.support[left, rows], patterns.support[right, rows], patterns.support[-1, rows])
    values: dict[str, np.ndarray] = {}
    freedom = np.broadcast_to(patterns.freedom, patterns.support.shape[1])[rows]
    spread = patterns.spread_of(np.full_like(left, left + right), left, right, rows=rows)
    for metric in metrics.with_error():
        if metric.slopes is None or metric.formula is None:
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = metric.slopes(supports)
            square = variance(spread, *slopes)
            # What is left of sums that cancel is rounding, where all respondents say the same of a rule.
            rounding = sum(
                slope**2 * (1e-12 * spread[index, index] + 1e-16 * support**2)
                for index, (slope, support) in enumerate(
                    zip(slopes, (supports.both, supports.a, supports.c), strict=True)
                )
            )
            square = np.where(square > rounding, square, np.nan)
            if metric.divisor is None:
                interval = wald(metric.formula(supports), square, LEVEL, freedom)
            else:
                interval = _ratio_interval(supports.both, square, spread, *metric.divisor(supports), freedom)
            if patterns.reach is not None:
                masks = np.full_like(left, len(patterns.support) - 1), left, right
                sides_ = [patterns.reach[:, mask, rows] for mask in masks]
                above, below = _reach(slopes, sides_)
                furthest = metrics.reach_at_corners(metric, supports, sides_)
                interval = interval[0] - np.maximum(below, furthest[1]), interval[1] + np.maximum(above, furthest[0])
        values |= dict(zip(metric.error_keys, (np.sqrt(square), *interval), strict=True))
    return values


def _reach(
    slopes: Sequence[np.ndarray | float], reaches: Sequence[np.ndarray]
) -> tuple[np.ndarray | float, np.ndarray | float]:
    """How far a measure may lie above and below its estimate, from its slopes and how far each of its parts may."""
    above: np.ndarray | float = 0.0
    below: np.ndarray | float = 0.0
    for slope, (up, down) in zip(slopes, reaches, strict=True):
        above = above + np.where(np.asarray(slope) > 0, slope * up, -slope * down)
        below = below + np.where(np.asarray(slope) > 0, slope * down, -slope * up)
    return above, below


def _ratio_interval(
    both: np.ndarray,
    square: np.ndarray,
    spread: np.ndarray,
    below: np.ndarray,
    by_a: np.ndarray | float,
    by_c: np.ndarray | float,
    freedom: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The interval of both / below; `below` changes with the supports of the sides by these slopes."""
    slopes = np.stack([np.broadcast_to(slope, both.shape) for slope in (by_a, by_c)])

    def variances(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        here = spread[:, :, at]
        return variance(here, 1.0, 0.0, 0.0), variance(here, 1.0, *-slopes[:, at])

    return quotient(both, below, square, variance(spread, 0.0, *slopes), variances, LEVEL, freedom)


@np.errstate(divide="ignore", invalid="ignore")
def _redundant(
    patterns: SubPatterns, ranks: np.ndarray, rows: np.ndarray, masks: np.ndarray, known: np.ndarray
) -> np.ndarray:
    """Which rules have a reported rule with fewer conditions that is as strong, within the error of both.

    `ranks` are those of every sub-pattern among all accepted itemsets, (2^L, F); `known` says by rank and mask which
    rules of shorter itemsets are reported.
    """
    mask, general, whole, inner = _generalisations(len(ranks))
    redundant = np.zeros(len(rows), dtype=bool)
    first, last = np.searchsorted(mask, masks), np.searchsorted(mask, masks, side="right")
    rule = np.repeat(np.arange(len(rows)), last - first)
    kind = np.arange(len(rule)) - np.repeat(np.cumsum(last - first) - last, last - first)
    rank = ranks[whole[kind], rows[rule]]
    there = np.flatnonzero((rank >= 0) & known[rank, inner[kind]])
    rule, kind = rule[there], kind[there]

    support, at = patterns.support, rows[rule]
    stronger = support[-1, at] / support[mask[kind], at] > support[whole[kind], at] / support[general[kind], at]
    redundant[rule[~stronger]] = True
    close = np.flatnonzero(stronger & ~redundant[rule])  # perhaps within error
    for start in range(0, len(close), _CLOSE):
        pair = close[start : start + _CLOSE]
        pair = pair[~redundant[rule[pair]]]
        here, full = rows[rule[pair]], np.full(len(pair), len(ranks) - 1)
        m, g, w = mask[kind[pair]], general[kind[pair]], whole[kind[pair]]
        antecedent, part = support[m, here], support[g, here]
        strong, weak = support[-1, here] / antecedent, support[w, here] / part
        slopes = np.stack([1 / antecedent, -strong / antecedent, -1 / part, weak / part])
        square = variance(patterns.spread_of(full, m, w, g, rows=here), *slopes)
        freedom = np.broadcast_to(patterns.freedom, support.shape[1])[here]
        redundant[rule[pair[strong - weak <= wald(np.zeros(1), square, LEVEL, freedom)[1]]]] = True
    return redundant


@cache
def _generalisations(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Every antecedent with each of its non-empty proper subsets, in order, of itemsets with `size` sub-patterns.

    As masks: the antecedent, the more general one, that with the consequent, and the more general one inside of that.
    """
    length = size.bit_length() - 1
    pairs = [(mask, general) for mask in range(1, size - 1) for general in range(1, mask) if general & mask == general]
    wholes = [general | (size - 1 - mask) for mask, general in pairs]
    inner = [positions_within(length, whole)[general] for whole, (_, general) in zip(wholes, pairs, strict=True)]
    masks, generals = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return masks, generals, np.array(wholes, dtype=np.int64), np.array(inner, dtype=np.int64)


def _sub_ranks(lattice: Lattice, ranks: list[np.ndarray], items: np.ndarray) -> np.ndarray:
    """The ranks of all sub-patterns of two literals and more that are shorter than the itemsets: (2^L, F), else −1."""
    length = items.shape[1]
    sub_ranks = np.full((2**length, len(items)), -1)
    for mask in range(1, 2**length - 1):
        inside = [bit for bit in range(length) if mask >> bit & 1]
        if len(inside) > 1:
            place = lattice.levels[len(inside) - 1].find(items[:, inside])
            sub_ranks[mask] = np.where(place >= 0, ranks[len(inside) - 1][place], -1)
    return sub_ranks


def _ranks(lattice: Lattice) -> list[np.ndarray]:
    """Per level, the places of its itemsets among all accepted ones; −1 for those that are not."""
    accepted = np.concatenate([level.accepted for level in lattice.levels])
    ranks = np.where(accepted, np.cumsum(accepted) - 1, -1)
    return np.split(ranks, np.cumsum([len(level) for level in lattice.levels])[:-1])


def _join_rules(made: list[Rules], families: Sequence[list[np.ndarray]], places: list[np.ndarray]) -> Rules:
    """One table of all rules, with the q of each over all tests of two answers, or over all of more."""
    if not made:
        none = np.empty(0)
        keys = [name for metric in metrics.metrics_of_supports() for name in (metric.key, *metric.error_keys)]
        names = [*keys, "p", "q"]
        return Rules(none.astype(np.int64), none.astype(np.int64), dict.fromkeys(names, none), none.astype(bool))
    values = {name: np.concatenate([part.values[name] for part in made]) for name in made[0].values}
    every = np.concatenate([q_values(np.concatenate([np.empty(0), *family])) for family in families])
    values["q"] = every[np.concatenate(places)]
    others = ("itemset", "antecedent", "redundant")
    joined = {name: np.concatenate([getattr(part, name) for part in made]) for name in others}
    return Rules(**joined, values=values)
