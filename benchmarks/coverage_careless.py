"""How often 95 % intervals of attentive people's figures hold what is true, where some answer without reading.

    python benchmarks/coverage_careless.py [surveys]

Three yes/no items that go together and two anchors, one never and one always true, each disguised by itself (Warner,
θ = .75) or all by one coin (p = .6, θ = .5); a share of people presses yes by a rate, each answer by itself. For
each design, size, share and rate it prints how often the intervals of the share of careless people, of a share, a
pair, a triple and a confidence held, how many confidences were refused because hardly anybody is left who does the
first, and the width of those of share, pair and triple as a multiple of the oracle's.

The oracle knows the posterior of the two nuisance shares, and imports nothing of the project: of the counts of records
it draws Dirichlet shares, inverts each draw by hand, keeps those of which 0 ≤ w ≤ c, and takes quantiles. Beside it
stands the width without any correction (250 surveys unless said otherwise).
"""

import sys
from contextlib import suppress
from itertools import product

import numpy as np

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.output import as_table

ITEMS = ("drugs", "theft", "fraud", "never", "always")
DESIGNS = {
    "each": candor.models.warner(ITEMS, theta=0.75, direct=False),
    "one coin": candor.models.improved_grouped(ITEMS, p=0.6, theta=0.5, direct=False),
}
CELLS = np.array([0.60, 0.10, 0.08, 0.05, 0.05, 0.04, 0.04, 0.04])  # of drugs, theft and fraud, drugs the lowest bit
SIZES, SHARES, RATES = (500, 1000, 5000), (0.0, 0.1, 0.2, 0.4), (0.5, 0.9)
FIGURES = ("drugs", "drugs,theft", "drugs,theft,fraud", "drugs => theft")
ANCHORS = {"never": 0, "always": 1}
DRAWS = 4000


def survey(design: Design, n: int, share: float, rate: float, random: np.random.Generator) -> candor.Records:
    cell = random.choice(8, n, p=CELLS)
    said = np.stack([cell & 1, cell >> 1 & 1, cell >> 2, np.zeros(n, int), np.ones(n, int)], axis=1)
    said = np.where(random.random((n, 1)) < share, random.random((n, 5)) < rate, said).astype(design.code_type)
    return disguise(design, said, np.zeros(n, bool), seeded_words(int(random.integers(2**62))))


def of_all(name: str, shares: np.ndarray, places: tuple[int, ...]) -> np.ndarray:
    """How many people answer yes to all of these, by hand, from shares of the 32 records (the last axis)."""
    bits = np.arange(32)[:, np.newaxis] >> np.arange(5) & 1
    if name == "each":
        return np.asarray(shares @ np.prod([(bits[:, place] - 0.25) / 0.5 for place in places], axis=0))
    return np.asarray((shares @ bits[:, list(places)].all(axis=1) - 0.4 * 0.5 ** len(places)) / 0.6)


def oracle(name: str, codes: np.ndarray, random: np.random.Generator) -> list[float]:
    """The widths of a share, a pair and a triple."""
    counts = np.bincount(codes @ 2 ** np.arange(5), minlength=32)
    drawn = random.dirichlet(counts + 1e-3, DRAWS)
    low, high = of_all(name, drawn, (3,)), of_all(name, drawn, (4,))
    c, w = 1 - (high - low), low
    can = (w >= 0) & (w <= c)
    widths = []
    for length in (1, 2, 3):
        rate = w[can] / c[can]
        share = (of_all(name, drawn, tuple(range(length)))[can] - c[can] * rate**length) / (1 - c[can])
        low_end, high_end = np.quantile(share, (0.025, 0.975))
        widths.append(float(high_end - low_end))
    return widths


def cell(name: str, n: int, share: float, rate: float, surveys: int) -> list[str]:
    random = np.random.default_rng([n, int(100 * share), int(100 * rate), *name.encode()])
    yes = [CELLS[[cell for cell in range(8) if cell & own == own]].sum() for own in (1, 3, 7)]
    true = np.array([share, *yes, yes[1] / yes[0]])
    rules = 0
    held, widths, plain = np.zeros(5), np.empty((surveys, 3)), np.empty((surveys, 3))
    best = np.empty((surveys, 3))
    for row in range(surveys):
        records = survey(DESIGNS[name], n, share, rate, random)
        found = candor.careless(records, FIGURES[:3], anchors=ANCHORS)
        ends = np.array([found.share_ci, *(one.ci for one in found.figures)])
        held[:4] += (ends[:, 0] <= true[:4]) & (true[:4] <= ends[:, 1])
        with suppress(candor.InputError):  # few who do the first are left after the correction
            low, high = candor.careless(records, FIGURES[3], anchors=ANCHORS).figures[0].ci
            rules += 1
            held[4] += low <= true[4] <= high
        widths[row] = (ends[:, 1] - ends[:, 0])[1:4]
        plain[row] = [2 * 1.96 * one.answered_se for one in found.figures[:3]]
        best[row] = oracle(name, records.codes.astype(int), random)
    ratios = [widths.mean(axis=0) / other.mean(axis=0) for other in (best, plain)]
    held /= [surveys] * 4 + [rules]
    return [*(f"{one:.3f}" for one in held), str(surveys - rules), *(f"{one:.2f}" for both in ratios for one in both)]


def main(surveys: int = 250) -> None:
    heads = ["design", "n", "careless", "rate", "c", "share", "pair", "triple", "rule", "refused"]
    heads += [f"{of} / {what}" for what in ("oracle", "uncorrected") for of in ("share", "pair", "triple")]
    rows = []
    for name, n, share, rate in product(DESIGNS, SIZES, SHARES, RATES):
        if share or rate == RATES[0]:
            rows.append([name, n, share, rate, *cell(name, n, share, rate, surveys)])
            print(*rows[-1], file=sys.stderr, flush=True)
    print(as_table(heads, rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
