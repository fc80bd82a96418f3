"""How many links a plan promises that reports find, and how many they find in simulated surveys.

    python -m benchmarks.promised_links [surveys]

The settings are those of `tests/privacy/plan/printed.py`, with as many people as would find 8 of 10 links, if no more
than MOST. Questions go together two by two (φ = .3). A survey is drawn as counts of people who answer alike, disguised
and mined as a report is; a link counts where its rule has a q of at most .05. The share is over surveys and links.
"""

import sys

import numpy as np

import candor
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.disguise import disguise
from privacy.plan.connections import BEYOND_CHANCE, connections, together
from tests.privacy.plan.printed import SETTINGS

SEED, SURVEYS, MOST = 82, 2_000, 60_000
REQUEST = MiningRequest(0.001, 0, 2, engine="bitset")


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    for questions, people, gamma, share, _length in SETTINGS:
        if questions < 2:
            continue
        design = candor.advise(questions, people, gamma, length=2, prevalence=share).design
        shares = {item.id: (1 - share, share) for item in design.items}
        (pair, *_longer) = connections(design, people, shares=shares, longest=2, links=questions // 2)
        n = pair.needed
        if n is None or n > MOST:
            print(f"| {questions} | {people} | {gamma} | {share} | out of reach | | |", flush=True)
            continue
        (pair,) = connections(design, n, shares=shares, longest=2, links=questions // 2)
        found = np.array([share_found(design, n, share, SEED + survey) for survey in range(surveys)])
        error = 100 * found.std(ddof=1) / surveys**0.5
        cells = [questions, n, gamma, share, f"{100 * pair.chance:.0f}", f"{100 * found.mean():.0f}", f"{error:.1f}"]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def share_found(design: candor.Design, n: int, share: float, seed: int) -> float:
    """Which part of the links of neighbours one simulated survey finds."""
    rng, pairs = np.random.default_rng(seed), len(design.items) // 2
    cells, _among_those = together((share, share))
    drawn = rng.choice(4, (n, pairs), p=cells / cells.sum())  # bit 0 the first answer of two, bit 1 the second
    codes = np.stack([drawn & 1, drawn >> 1], axis=2).reshape(n, 2 * pairs)
    if len(design.items) % 2:
        codes = np.column_stack([codes, rng.random(n) < share])
    sent = disguise(design, codes.astype(np.uint8), np.zeros(n, bool))
    mined = mine([(sent.codes, sent.direct)], design, REQUEST)
    items = [
        row for level in mined.lattice.levels for row, kept in zip(level.items, level.accepted, strict=True) if kept
    ]
    beyond = np.unique(mined.rules.itemset[mined.rules.values["q"] <= BEYOND_CHANCE]).tolist()
    seen = {tuple(sorted(mined.literals.column[items[place]].tolist())) for place in beyond if len(items[place]) == 2}
    return sum((2 * place, 2 * place + 1) in seen for place in range(pairs)) / pairs


if __name__ == "__main__":
    main()
