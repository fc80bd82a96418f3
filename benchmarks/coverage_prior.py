"""How often 95 % intervals of few people's answers hold what is true, with a prior that the answers show together.

    python benchmarks/coverage_prior.py [surveys [disguise]]

Ten yes/no items, each under Warner's coin (θ = .75) or four of them asked of each person under one coin (keep .53), of
50, 100 and 300 people. Populations: shares like each other (drawn from Beta(2, 18) in each survey), all the same, drawn
from everything between 0 and 1, nine rare ones with a common one, and shares like each other of answers that go
together (half of what decides them is common to all of one person). For each it prints how often the intervals held the
population's shares before (raw, as far as a share can be) and with `prior="learnt"`, the same of the answer that is
missed most, the width as a multiple of the raw one's and of an oracle's who knows the Beta distribution, and the root
mean square errors of the raw figure, of the nearest share and of the posterior mean, in points. Seeds follow from the
cell (40 surveys unless said otherwise: 400 intervals, a standard error of .011 of the share held).
"""

import sys
from itertools import product
from math import erf, sqrt
from operator import attrgetter

import numpy as np

import candor
from privacy.arrays import Floats
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.output import as_table

NAMES = [f"q{place}" for place in range(10)]
_SAMPLED = {"keep": 0.53, "ask": 4, "items": [{"id": name, "theta": 0.5} for name in NAMES]}
DESIGNS = {
    "each": candor.models.warner(NAMES, theta=0.75, direct=False),
    "four of ten": candor.Design.parse({"blocks": [_SAMPLED]}),
}
SIZES = (50, 100, 300)
POPULATIONS = ("alike", "one apart", "the same", "spread", "together")
BETAS = {"alike": (2.0, 18.0), "spread": (1.0, 1.0), "together": (2.0, 18.0)}
TOGETHER = 0.5


def shares_of(population: str, random: np.random.Generator) -> Floats:
    if population in BETAS:
        return random.beta(*BETAS[population], len(NAMES))
    return np.array([0.1] * 10 if population == "the same" else [0.05] * 9 + [0.6])


def people(population: str, shares: Floats, n: int, random: np.random.Generator) -> np.ndarray:
    drawn = random.standard_normal((n, len(shares)))
    if population == "together":
        drawn = sqrt(TOGETHER) * random.standard_normal((n, 1)) + sqrt(1 - TOGETHER) * drawn
    below = np.vectorize(lambda value: 0.5 * (1 + erf(value / sqrt(2))))(drawn)
    return below < shares


def cell(population: str, name: str, n: int, surveys: int) -> list[str]:
    random = np.random.default_rng([n, *population.encode(), *name.encode()])
    design = DESIGNS[name]
    truth, raw, nearest, mean = (np.empty((surveys, len(NAMES))) for _ in range(4))
    ends, before, best = (np.full((surveys, len(NAMES), 2), np.nan) for _ in range(3))
    for row in range(surveys):
        truth[row] = shares_of(population, random)
        said = people(population, truth[row], n, random).astype(design.code_type)
        records = disguise(design, said, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
        found = candor.reconstruct(records, prior="learnt").patterns
        raw[row] = list(map(attrgetter("support"), found))
        nearest[row] = list(map(attrgetter("share"), found))
        before[row] = list(map(attrgetter("share_ci"), found))
        mean[row] = list(map(attrgetter("posterior.mean"), found))
        ends[row] = list(map(attrgetter("posterior.ci"), found))
        if population in BETAS:
            known = candor.reconstruct(records, prior=BETAS[population]).patterns
            best[row] = list(map(attrgetter("posterior.ci"), known))
    held = [(own[..., 0] <= truth) & (truth <= own[..., 1]) for own in (before, ends)]
    widths = [np.diff(own, axis=2).mean() for own in (ends, before, best)]
    errors = [100 * float(np.sqrt(((own - truth) ** 2).mean())) for own in (raw, nearest, mean)]
    return [
        *(f"{own.mean():.3f}" for own in held),
        f"{held[1].mean(axis=0).min():.3f}",
        f"{widths[0] / widths[1]:.2f}",
        f"{widths[0] / widths[2]:.2f}" if population in BETAS else "-",
        *(f"{one:.1f}" for one in errors),
    ]


def main(surveys: str = "40", disguised: str = "") -> None:
    heads = [
        "population",
        "disguise",
        "n",
        "before",
        "learnt",
        "worst",
        "/ before",
        "/ oracle",
        "raw",
        "nearest share",
        "mean",
    ]
    rows = []
    for population, name, n in product(POPULATIONS, [disguised] if disguised else DESIGNS, SIZES):
        rows.append([population, name, n, *cell(population, name, n, int(surveys))])
        print(*rows[-1], file=sys.stderr, flush=True)
    print(as_table(heads, rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
