"""How often 95 % intervals of attentive people's figures hold what is true, where some answer without reading.

    python benchmarks/coverage_careless.py [surveys [design]]

Three yes/no items that go together, of which 30, 20 and 5 % are true, and two anchors, one never and one always true,
each disguised by itself (Warner, θ = .75), all by one coin (p = .6, θ = .5), or by flips (no, one or two answers of
five turned over, by chances of .6, .3 and .1). A share of people is careless: they press each answer by itself
(*each*, yes by a rate), one button for all (*same*), or yes and no in turn (*turns*, half of them yes first), also
where questions come in a random order (*shuffled*). For each design, size, share and law it prints how often the
intervals of the share of careless people, of a common and of a rare share, a pair, a triple and a confidence held, how
many confidences had no finite interval, how often the anchors contradicted what is assumed, and the mean width of the
four shares' intervals as a multiple of the oracle's and of that without any correction (200 surveys unless said
otherwise).

The oracle is the Cramér-Rao bound of the 32 records: no unbiased estimate has a smaller error, even one that knows by
which law careless people press, but for its rate. It imports nothing of the project.
"""

import sys
from contextlib import suppress
from itertools import product
from math import comb

import numpy as np

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.output import as_table

ITEMS = ("drugs", "theft", "fraud", "never", "always")
FLIPS = (0.6, 0.3, 0.1, 0.0, 0.0, 0.0)
DESIGNS = {
    "each": candor.models.warner(ITEMS, theta=0.75, direct=False),
    "one coin": candor.models.improved_grouped(ITEMS, p=0.6, theta=0.5, direct=False),
    "flips": Design.parse({"blocks": [{"flips": FLIPS, "items": [{"id": item} for item in ITEMS]}]}),
}
CELLS = np.array([0.63, 0.14, 0.05, 0.13, 0.015, 0.015, 0.005, 0.015])  # of drugs, theft, fraud; drugs the lowest bit
BITS = np.arange(32)[:, np.newaxis] >> np.arange(5) & 1
TURNS = (np.arange(5) + np.arange(2)[:, np.newaxis]) % 2
SIZES = (500, 2000, 5000)
LAWS = (("each", 0.5), ("each", 0.9), ("same", 0.5), ("turns", 0.5), ("shuffled", 0.5))
CARELESS = [(0.0, *LAWS[0]), *((share, *law) for share in (0.05, 0.15) for law in LAWS)]
FIGURES = {"drugs": (0,), "fraud": (2,), "drugs,theft": (0, 1), "drugs,theft,fraud": (0, 1, 2)}
RULE = "drugs => theft"
ANCHORS = {"never": 0, "always": 1}
LEAST, STEP = 1e-3, 1e-5  # careless people, for a rate that the bound can know; a step of numeric slopes


def true_share(places: tuple[int, ...]) -> float:
    return float(CELLS[BITS[:8, list(places)].all(axis=1)].sum())


def pressed(law: str, rate: float) -> np.ndarray:
    """The share of careless people who press each of the 32 answers to all items."""
    if law == "each":
        return np.asarray(np.prod(np.where(BITS, rate, 1 - rate), axis=1))
    some = np.zeros(32)
    if law == "same":
        some[[0, 31]] = 1 - rate, rate
    elif law == "turns":
        some[TURNS @ 2 ** np.arange(5)] = 0.5
    else:
        some[np.isin(BITS.sum(axis=1), (2, 3))] = 0.05
    return some


def survey(design: Design, n: int, share: float, law: str, rate: float, random: np.random.Generator) -> candor.Records:
    said = BITS[random.choice(8, n, p=CELLS)] | np.array([0, 0, 0, 0, 1])
    said[random.random(n) < share] = 0
    careless = ~said.any(axis=1)
    said[careless] = BITS[random.choice(32, int(careless.sum()), p=pressed(law, rate))]
    return disguise(
        design, said.astype(design.code_type), np.zeros(n, bool), words_from_seed(int(random.integers(2**62)))
    )


def oracle(name: str, n: int, share: float, law: str, rate: float) -> list[float]:
    """The widths of the intervals of all `FIGURES` by the Cramér-Rao bound."""
    turned = (BITS[:, np.newaxis] != BITS).sum(axis=2)
    channels = {
        "each": 0.75 ** (5 - turned) * 0.25**turned,
        "one coin": 0.6 * np.eye(32) + 0.4 / 32,
        "flips": np.array([chance / comb(5, d) for d, chance in enumerate(FLIPS)])[turned],
    }
    channel = channels[name]
    share = max(share, LEAST)
    attentive = np.zeros(32)
    attentive[16:24] = CELLS
    slopes = [(1 - share) * (np.eye(32)[16 + own] - np.eye(32)[16]) for own in range(1, 8)]
    slopes.append(pressed(law, rate) - attentive)
    if law in ("each", "same"):
        slopes.append(share * (pressed(law, rate + STEP) - pressed(law, rate - STEP)) / (2 * STEP))
    seen = channel @ ((1 - share) * attentive + share * pressed(law, rate))
    moved = channel @ np.array(slopes).T
    bound = np.linalg.inv(moved.T @ (moved / seen[:, np.newaxis])) / n
    of = np.zeros((len(FIGURES), len(bound)))
    for row, places in enumerate(FIGURES.values()):
        of[row, :7] = BITS[1:8, list(places)].all(axis=1)
    return [2 * 1.96 * float(one @ bound @ one) ** 0.5 for one in of]


def cell(name: str, n: int, share: float, law: str, rate: float, surveys: int) -> list[str]:
    random = np.random.default_rng([n, int(100 * share), int(100 * rate), *law.encode(), *name.encode()])
    yes = [true_share(places) for places in FIGURES.values()]
    true = np.array([share, *yes])
    held, rules, contradicted = np.zeros(6), 0, 0
    widths, plain = np.empty((surveys, 4)), np.empty((surveys, 4))
    for row in range(surveys):
        records = survey(DESIGNS[name], n, share, law, rate, random)
        found = candor.careless(records, list(FIGURES), anchors=ANCHORS)
        contradicted += found.fits is False
        ends = np.array([found.share_ci, *(one.ci for one in found.figures)])
        held[:5] += (ends[:, 0] <= true) & (true <= ends[:, 1])
        with suppress(candor.InputError):  # few who do the first are left after the correction
            low, high = candor.careless(records, RULE, anchors=ANCHORS).figures[0].ci
            if np.isfinite([low, high]).all():
                rules += 1
                held[5] += low <= yes[2] / yes[0] <= high
        widths[row] = (ends[:, 1] - ends[:, 0])[1:]
        plain[row] = [2 * 1.96 * one.answered_se for one in found.figures]
    best = oracle(name, n, share, law, rate)
    ratios = [widths.mean(axis=0) / other for other in (best, plain.mean(axis=0))]
    held /= [surveys] * 5 + [rules]
    counts = [str(surveys - rules), f"{contradicted / surveys:.2f}"]
    return [*(f"{one:.3f}" for one in held), *counts, *(f"{one:.2f}" for both in ratios for one in both)]


def main(surveys: int = 200, *chosen: str) -> None:
    names = ("share", "rare", "pair", "triple")
    heads = ["design", "n", "careless", "press", "rate", "c", *names, "rule", "no rule", "contradicted"]
    heads += [f"{of} / {what}" for what in ("oracle", "uncorrected") for of in names]
    rows = []
    for name, n, one in product(chosen or DESIGNS, SIZES, CARELESS):
        rows.append([name, n, *one, *cell(name, n, *one, surveys)])
        print(*rows[-1], file=sys.stderr, flush=True)
    print(as_table(heads, rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 200, *sys.argv[2:])
