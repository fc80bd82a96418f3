"""How often 95 % intervals of distributions hold what is true.

    python benchmarks/coverage_distributions.py [surveys]

*Alone*: ages of one peak, of two, and skewed ones with a jump (nobody is under 18), in ten bins. It prints how often
intervals held the bins on average and the worst of them, the quartiles and the mean, and the width of the intervals of
the bins as a multiple of those that hold as often and are made from the true errors of the same estimates.

*Shared* (`shared` as the second argument runs this alone): numbers that many people share, in six populations, behind
two noises. It prints how often the intervals of the share of 1 or more, the quartiles, the mean and the bins hold,
the width of the first, and how many times as wide those of all figures are as the intervals of an oracle: the same fit,
that knows the numbers that many share and has no other free cell.

*Beside* (`beside` runs this alone): the same people and noises, and a yes/no answer sent as it is with a chance of .7,
which nobody at 0 gives, or more the greater the number is. It prints how often the intervals of `candor.mine` hold the
shares in four bins, those of people in a bin who say yes, and the confidence of `bin => yes`: on average and the worst
of them; and how far the confidence is off and how wide its interval is, both the median over the bins.

*Tails* (`tails` runs this alone): how often people did something, 0 to 60 times, behind square waves. It prints how
often the intervals of the shares of 1, 2, 10 and 20 or more hold, with its standard error, and the median of their
widths as a multiple of that of the likelihood ratio by somebody who knows the true shape on each side and not the
share. With 100 surveys it takes half an hour of one processor.

*Not drawn alike*: ages of two peaks behind a square wave (ε = 2), and homes in a town with two zones (ε = 2).
*Weights*: the old, and who lives outside the zones, are drawn half as often. *Clusters*: groups of ten share four in
ten of their ages and homes. Of each case it prints how often intervals held the mean age, the median, the bins on
average, and the shares of the zones on average (250 surveys unless said otherwise).
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.intervals import standard_errors
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import as_table
from privacy.reconstruct.distribution import Distribution, distribution
from privacy.reconstruct.smoothing import smoothest
from privacy.records import Records

DESIGN = Design.parse(
    {
        "blocks": [
            {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]},
            {
                "place": "zones",
                "epsilon": 2,
                "zones": [[0, 0, 300, 300], [600, 500, 300, 200]],
                "items": [{"id": "home", "width": 1000, "height": 800, "cell": 20}],
            },
        ]
    }
)
EXACT = 1e-9
HIGH = 40  # cells of the map
NOISES: dict[str, dict[str, object]] = {
    "square wave, ε = 1": {"number": "square-wave", "epsilon": 1},
    "square wave, ε = 2": {"number": "square-wave", "epsilon": 2},
    "square wave, ε = 4": {"number": "square-wave", "epsilon": 4},
}
USUAL = list(NOISES)[:2]
BESIDE_SPIKES = ("square wave, ε = 2", "square wave, ε = 4")
SIZES = (300, 500, 1000, 5000)
SAMPLES = ("weights", "clusters")
CASES = ("mean", "median", "bins", "zones")


def peak(middle: float, wide: float) -> np.ndarray:
    heights = np.exp(-((np.arange(100) - middle) ** 2) / (2 * wide**2))
    return np.asarray(heights / heights.sum())


def ages() -> np.ndarray:
    heights = 0.6 * peak(30, 8) + 0.4 * peak(65, 10)
    return np.asarray(heights / heights.sum())


def falling_shares() -> np.ndarray:
    years = np.arange(100)
    heights = np.where(years < 18, 0, np.exp(-years / 18))
    return np.asarray(heights / heights.sum())


FALLING = np.exp(-np.arange(100) / 20) / np.exp(-np.arange(100) / 20).sum()
ZERO, SPIKE = np.eye(100)[[0, 42]]
TENS = np.bincount(np.minimum(10 * np.round(np.arange(100) / 10).astype(int), 90), peak(45, 15), minlength=100)
EVERY_TEN = range(0, 100, 10)
SHARED: dict[str, tuple[np.ndarray, Sequence[int], Sequence[int]]] = {  # the numbers that many share, and the named
    "half at 0": (0.5 * ZERO + 0.5 * FALLING, [0], []),
    "a fifth at 0": (0.2 * ZERO + 0.8 * FALLING, [0], []),
    "none at 0": (np.append(0, FALLING[:-1]) / FALLING[:-1].sum(), [0], []),
    "at tens": (0.5 * TENS + 0.5 * peak(45, 15), EVERY_TEN, EVERY_TEN),
    "spike on a peak": (0.3 * SPIKE + 0.7 * peak(50, 22), [42], [42]),
    "two peaks": (ages(), [], []),
}
TIMES, NUMBERS = np.arange(61), (1, 2, 10, 20)


def seldom(mean: float) -> np.ndarray:
    heights = np.where(TIMES > 0, np.exp(-TIMES / mean), 0)
    return np.asarray(heights / heights.sum())


ROUNDED = np.bincount(np.array([5, 10, 20])[np.abs(TIMES[:, np.newaxis] - [5, 10, 20]).argmin(axis=1)], seldom(8), 61)
HEAPED = 0.7 * (TIMES == 0) + 0.15 * seldom(8) + 0.15 * ROUNDED
BELL = np.where(TIMES > 0, np.exp(-((TIMES - 12) ** 2) / 72), 0)
TAILS: dict[str, tuple[np.ndarray, Sequence[int]]] = {  # people, and the numbers that are named
    "0 to 3 alone": (np.bincount(range(4), [0.9, 0.06, 0.03, 0.01], 61), []),
    "round numbers": (HEAPED, []),
    "round numbers, named": (HEAPED, [5, 10, 20]),
    "two in five at 0": (0.4 * (TIMES == 0) + 0.6 * seldom(6), []),
    "a bell": (BELL / BELL.sum(), []),
}
QUARTILES = ("0.5", "0.25", "0.75")
YEARS, EDGES, LEAST = np.arange(100), (10, 30, 50), 0.001
ANSWERS = {"not at 0": np.where(YEARS == 0, 0.02, 0.5), "rises": 0.05 + 0.6 * YEARS / 99}
PEOPLE = {"one peak": peak(45, 15), "two peaks": ages(), "skewed, jump": falling_shares()}


def alone(noise: str, people: str, n: int, surveys: int) -> list[float]:
    """What is printed of a cell: shares of intervals that hold, and the width beside the oracle's."""
    block = {**NOISES[noise], "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
    design, chances = Design.parse({"blocks": [block]}), PEOPLE[people]
    random = np.random.default_rng([n, *noise.encode(), *people.encode()])
    (age,) = design.items
    bins = chances.reshape(10, 10).sum(axis=1)
    up_to = np.concatenate([[0], np.cumsum(chances)])
    quartiles = [float(np.searchsorted(up_to[1:], share)) for share in (0.25, 0.5, 0.75)]
    true = np.array([*bins, *quartiles, chances @ np.arange(100)])
    values, lows, highs = (np.empty((surveys, len(true))) for _ in range(3))
    for row in range(surveys):
        codes = age.codes_at([random.choice(100, n, p=chances)]).reshape(n, 1).astype(design.code_type)
        records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
        estimate = distribution(records, "age", bins=10, seed=row)
        figures, ends = estimate.figures, estimate.figures["ci"]
        names = ("0.25", "0.5", "0.75")
        values[row] = [*estimate.shares, *(figures["quantiles"][name] for name in names), figures["mean"]]
        both = [*estimate.intervals.T, *(ends["quantiles"][name] for name in names), ends["mean"]]
        lows[row], highs[row] = np.array(both).T
    held = ((lows <= true) & (true <= highs)).mean(axis=0)
    errors = np.abs(values - true)[:, :10]
    oracle = 2 * np.mean([np.quantile(column, share) for column, share in zip(errors.T, held[:10], strict=True)])
    return [
        held[:10].mean(),
        held[:10].min(),
        *held[10:],
        (highs - lows)[:, :10].mean(),
        (highs - lows)[:, :10].mean() / oracle,
    ]


def who_knows(estimate: Distribution, shared_by_many: Sequence[int], random: np.random.Generator) -> Distribution:
    """The same estimate by somebody who knows the numbers that many people share, and that there are no others."""
    own = estimate.distribution
    fitted = smoothest(own.forward(np.eye(prod(own.shape))), estimate.counted[0], own.rows, shared_by_many)
    chances = {key: chance for key, chance in fitted.chances.items() if key[0] == 0}
    total = sum(chances.values())
    known = replace(fitted, chances={key: chance / total for key, chance in chances.items()})
    pieces = np.concatenate([known.shares[np.newaxis], known.draws(len(estimate.pieces) - 1, random)])
    shares, draws = own.bin_shares(pieces[:1])[0], own.bin_shares(pieces[1:])
    return replace(estimate, shares=shares, draws=draws, pieces=pieces)


def intervals_of(estimate: Distribution) -> np.ndarray:
    """Those of the share of 1 or more, the quartiles, the mean and the bins: a row each."""
    _, *above = estimate.above(1)
    ends = estimate.figures["ci"]
    return np.array([above, *(ends["quantiles"][name] for name in QUARTILES), ends["mean"], *estimate.intervals.T])


def shared(noise: str, people: str, n: int, surveys: int) -> list[float]:
    """How often intervals hold where many people share a number, and how wide they are."""
    block = {**NOISES[noise], "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
    design, (chances, heaps, named) = Design.parse({"blocks": [block]}), SHARED[people]
    random = np.random.default_rng([n, *noise.encode(), *people.encode()])
    (age,) = design.items
    up_to = np.cumsum(chances)
    quartiles = [float(np.searchsorted(up_to, float(name))) for name in QUARTILES]
    true = np.array([1 - chances[0], *quartiles, chances @ np.arange(100), *chances.reshape(10, 10).sum(axis=1)])
    held, wide, oracle = (np.empty((surveys, len(true))) for _ in range(3))
    for row in range(surveys):
        codes = age.codes_at([random.choice(100, n, p=chances)]).reshape(n, 1).astype(design.code_type)
        records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
        estimate = distribution(records, "age", bins=10, seed=row, heaps=tuple(map(Fraction, named)))
        low, high = intervals_of(estimate).T
        held[row] = (low <= true + EXACT) & (true - EXACT <= high)
        wide[row] = high - low
        low, high = intervals_of(who_knows(estimate, heaps, np.random.default_rng([n, row]))).T
        oracle[row] = high - low
    own, known = wide.mean(axis=0), oracle.mean(axis=0)
    ratios = np.divide(own, known, out=np.where(own > 0, np.inf, 1.0), where=known > 0)  # some quartiles are exact
    bins = [held[:, 5:].mean(), held[:, 5:].mean(axis=0).min()]
    return [*held[:, :5].mean(axis=0), *bins, wide[:, 0].mean(), *ratios[:5], ratios[5:].mean()]


def width_of_who_knows(channel: np.ndarray, counts: np.ndarray, chances: np.ndarray, number: int) -> float:
    """The width of the interval of a share by the likelihood ratio, with the true shape on each side."""
    sides = []
    for own in (number > TIMES, number <= TIMES):
        shape = chances * own if (chances * own).any() else own / own.sum()
        sides.append(shape / shape.sum() @ channel)
    shares = np.linspace(0, 1, 1_001)
    heights = np.log(np.maximum(np.outer(1 - shares, sides[0]) + np.outer(shares, sides[1]), 1e-300)) @ counts
    lacking = heights.max() - standard_errors(0.95) ** 2 / 2 - heights
    inside = np.flatnonzero(lacking <= 0)
    ends = []
    for at, beside in ((inside[0], inside[0] - 1), (inside[-1], inside[-1] + 1)):
        within = 0 <= beside < len(shares)
        part = lacking[at] / (lacking[at] - lacking[beside]) if within else 0.0
        ends.append(shares[at] + part * (shares[beside] - shares[at] if within else 0.0))
    return float(ends[1] - ends[0])


def tails_of_survey(epsilon: int, people: str, n: int, survey: int) -> np.ndarray:
    """Of each number, whether the interval of the share of people above holds, its width, and that of who knows."""
    item = {"id": "times", "min": 0, "max": 60, "step": 1}
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": epsilon, "items": [item]}]})
    random, (chances, named) = np.random.default_rng([survey, n, epsilon, *people.encode()]), TAILS[people]
    codes = design.items[0].codes_at([random.choice(61, n, p=chances)]).reshape(n, 1).astype(design.code_type)
    records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
    estimate = distribution(records, "times", seed=survey, heaps=tuple(map(Fraction, named)))
    channel, figures = np.array([*estimate.distribution.forward(np.eye(61))]), []
    for number in NUMBERS:
        (_, low, high), true = estimate.above(number), chances[number:].sum()
        oracle = width_of_who_knows(channel, estimate.counted[0], chances, number)
        figures.append([low <= true + EXACT and true - EXACT <= high, high - low, oracle])
    return np.array(figures)


def tails(epsilon: int, people: str, n: int, surveys: int) -> list[str]:
    """How often intervals of shares above numbers hold, with its standard error, and then how wide they are."""
    held, wide, oracle = np.array([tails_of_survey(epsilon, people, n, survey) for survey in range(surveys)]).T
    often, wider = held.mean(axis=1), np.median(wide, axis=1) / np.median(oracle, axis=1)
    errors = np.sqrt(often * (1 - often) / surveys)
    shown = [f"{one:.2f} ± {error:.2f}" for one, error in zip(often, errors, strict=True)]
    return shown + [f"{one:.2f}" for one in wider]


def beside(noise: str, people: str, answer: str, n: int, surveys: int) -> list[float]:
    """How often intervals of bins beside a yes/no answer hold, and how far off and how wide confidences are."""
    block = {**NOISES[noise], "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
    design = Design.parse({"blocks": [block, {"keep": 0.4, "items": [{"id": "yes", "theta": 0.5}]}]})
    chances, says_yes = SHARED[people][0], ANSWERS[answer]
    random = np.random.default_rng([n, *noise.encode(), *people.encode(), *answer.encode()])
    request = MiningRequest(LEAST, LEAST, max_length=2, bins=f"age={','.join(map(str, EDGES))}", engine="bitset")
    starts = [0, *EDGES]
    bins, both = (np.add.reduceat(shares, starts) for shares in (chances, chances * says_yes))
    names = [f"age={start}…{stop - 1}" for start, stop in zip(starts, [*EDGES, 100], strict=True)]
    true: dict[tuple[str, ...], float] = {(name,): share for name, share in zip(names, bins, strict=True)}
    true |= {(name, "yes"): share for name, share in zip(names, both, strict=True)}
    held: dict[tuple[str, ...], list[bool]] = {}
    errors, widths = [], []
    for _ in range(surveys):
        number = random.choice(100, n, p=chances)
        yes = random.random(n) < says_yes[number]
        codes = np.column_stack([design.items[0].codes_at([number]), yes]).astype(design.code_type)
        records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
        columns = findings([(records.codes, records.direct)], design, request).columns
        itemsets, rules = columns.itemsets, columns.rules
        for place, low, high in zip(range(len(columns.items)), itemsets["low"], itemsets["high"], strict=True):
            own = tuple(columns.names(place))
            if own in true:
                held.setdefault(own, []).append(bool(low <= true[own] <= high))
        for rule, place in enumerate(columns.itemset.tolist()):
            (left, right), mask = columns.names(place), columns.antecedent[rule]
            if mask == 1:
                truth = true[left, right] / true[left,]
                low, high = (float(rules[f"confidence {end}"][rule]) for end in ("low", "high"))
                held.setdefault((left, "=>"), []).append(low <= truth <= high)
                errors.append(abs(float(rules["confidence"][rule]) - truth))
                widths.append(high - low)
    by_kind = [
        [np.mean(each) for own, each in held.items() if len(own) == length and ("=>" in own) == rule]
        for length, rule in ((1, False), (2, False), (2, True))
    ]
    figures = [float(figure) for each in by_kind for figure in (np.mean(each), np.min(each))]
    return [*figures, float(np.median(errors)), float(np.median(widths))]


def survey(sample: str, n: int, random: np.random.Generator) -> tuple[Records, Sampling]:
    """Disguised ages and homes of respondents, and how they were drawn."""
    many = 3 * n
    years = random.choice(100, many, p=ages())
    x, y = random.integers(0, 50, many), random.integers(0, HIGH, many)
    columns, drawn = {}, np.arange(n)
    if sample == "weights":
        chance = np.where(years >= 50, 0.5, 1.0) * np.where((x < 15) & (y < 15), 1.0, 0.7)
        drawn = np.flatnonzero(random.random(many) < chance)[:n]
        columns = {"drawn": 1 / chance[drawn]}
    else:
        group = np.arange(many) // 10
        for values in (years, x, y):
            shared = random.random(many) < 0.4
            values[shared] = values[group[shared] * 10]
        columns = {"drawn": group[:n].astype(float)}
    age, home = DESIGN.items
    codes = np.column_stack([age.codes_at([years]), home.codes_at([x, y])])[drawn].astype(DESIGN.code_type)
    records = disguise(DESIGN, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
    drawn_by = Sample(weights="drawn") if sample == "weights" else Sample(cluster="drawn")
    return records, Sampling.from_columns(columns, n, drawn_by)


def covers_truth(records: Records, sampling: Sampling) -> list[float]:
    """Whether the interval of each figure holds the truth; of bins and zones how many of them do."""
    age = distribution(records, "age", bins=20, sample=sampling)
    figures, share = age.figures, np.cumsum(ages())
    true = {"mean": float(ages() @ np.arange(100)), "median": float(np.searchsorted(share, 0.5))}
    low, high = age.intervals
    bins = ages().reshape(20, 5).sum(axis=1)
    zones = distribution(records, "home", bins=(4, 4), sample=sampling).figures["zones"]
    reach = standard_errors(0.95)
    areas = [zone["zone"][2] * zone["zone"][3] / 800_000 for zone in zones[:-1]]
    areas.append(1 - sum(areas))
    return [
        *(float(figures["ci"][name][0] <= value <= figures["ci"][name][1]) for name, value in true.items()),
        float(np.mean((low <= bins) & (bins <= high))),
        float(np.mean([abs(one["share"] - area) <= reach * one["se"] for one, area in zip(zones, areas, strict=True)])),
    ]


def main(surveys: int = 250, part: str = "") -> None:
    rows: list[list[object]] = []
    if part == "shared":
        for noise, people, n in product(BESIDE_SPIKES, SHARED, (500, 1000, 5000)):
            cell = [f"{one:.2f}" for one in shared(noise, people, n, surveys)]
            rows.append([noise, people, n, *cell])
            print(*rows[-1], flush=True)
        figures = ["1 or more", "50 %", "25 %", "75 %", "mean", "bins"]
        headings = ["", "", "n", *figures, "worst", "width", *(f"oracle, {figure}" for figure in figures)]
        print(as_table(headings, rows))
        return
    if part == "tails":
        for epsilon, people, n in product((2, 3, 4), TAILS, (300, 1000, 5000)):
            rows.append([f"ε = {epsilon}", people, n, *tails(epsilon, people, n, surveys)])
            print(*rows[-1], flush=True)
        above = [f"{number} or more" for number in NUMBERS]
        print(as_table(["", "", "n", *above, *(f"width, {number}" for number in NUMBERS)], rows))
        return
    if part == "beside":
        for noise, people, answer, n in product(BESIDE_SPIKES, SHARED, ANSWERS, (500, 1000, 5000)):
            cell = [f"{one:.2f}" for one in beside(noise, people, answer, n, surveys)]
            rows.append([noise, people, answer, n, *cell])
            print(*rows[-1], flush=True)
        kinds = ["bins", "worst", "with yes", "worst", "confidence", "worst", "off", "width"]
        print(as_table(["", "", "yes", "n", *kinds], rows))
        return
    for noise, people, n in product(USUAL, PEOPLE, SIZES):
        cell = [f"{one:.2f}" for one in alone(noise, people, n, surveys)]
        rows.append([noise, people, n, *cell])
        print(*rows[-1], flush=True)
    print(as_table(["", "", "n", "bins", "worst", "25 %", "50 %", "75 %", "mean", "width", "of oracle"], rows))
    rows = []
    for sample, n in product(SAMPLES, (500, 5000)):
        random = np.random.default_rng([len(sample), n])
        held = np.mean([covers_truth(*survey(sample, n, random)) for _ in range(surveys)], axis=0)
        rows.append([f"{sample}, {n}", *(round(100 * float(one), 1) for one in held)])
        print(*rows[-1], flush=True)
    print(as_table(["", *CASES], rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 250, *sys.argv[2:3])
