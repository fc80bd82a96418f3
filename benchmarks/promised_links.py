"""How many links a plan promises that reports find, and how many they find in simulated surveys.

    python -m benchmarks.promised_links [seconds of a setting]

Each setting has as many people as find 8 of 10 links with the design that is advised for them. Questions go together
two by two (φ = .3). People are drawn one by one, their records are disguised, and the report looks at all pairs: a link
counts where it is among the sure ones. A setting has as many surveys as its seconds allow, up to SURVEYS; the share is
over surveys and links, and its error is that of surveys.
"""

import sys
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

import candor
from privacy.design.brief import Brief
from privacy.disguise import disguise
from privacy.plan.advice import best_designs, connections_of
from privacy.plan.connections import Connection, together
from privacy.plan.request import questions_of
from privacy.records import Records
from surveys.results.pairs import look_at_pairs

SEED, SURVEYS, SECONDS, MOST = 82, 2_000, 40, 200_000
YES = frozenset({1})
# Questions, γ, share of yes: one coin, sampled coins, lists of words.
SETTINGS = [
    (2, 9, 0.1),
    (2, 19, 0.05),
    (2, 5, 0.3),
    (2, 5, 0.5),
    (3, 9, 0.3),
    (3, 19, 0.05),
    (3, 19, 0.3),
    (4, 9, 0.5),
    (4, 19, 0.1),
    (5, 5, 0.5),
    (5, 9, 0.1),
    (5, 19, 0.2),
    (6, 19, 0.1),
    (6, 19, 0.05),
    (8, 9, 0.3),
    (8, 19, 0.1),
    (10, 9, 0.5),
    (10, 19, 0.1),
    (10, 19, 0.3),
    (14, 19, 0.3),
]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    for questions, gamma, share in SETTINGS:
        design, n, pair = plan(questions, gamma, share)
        if n > MOST:
            print(f"| {questions} | {n} | {gamma} | {share} | out of reach | | | |", flush=True)
            continue
        found, begun = list[float](), time.process_time()
        while len(found) < SURVEYS and (len(found) < 30 or time.process_time() - begun < seconds):
            found.append(share_found(design, n, share, SEED + len(found)))
        error = 100 * np.std(found, ddof=1) / len(found) ** 0.5
        cells = [questions, n, gamma, share, len(found)]
        figures = [f"{100 * pair.chance:.0f}", f"{100 * np.mean(found):.0f}", f"{error:.1f}"]
        print(f"| {' | '.join(map(str, [*cells, *figures]))} |", flush=True)


def plan(questions: int, gamma: int, share: float) -> tuple[candor.Design, int, Connection]:
    """The design that is advised for as many people as find 8 of 10 links, their number, and what is promised then."""
    n = 1_000
    for _round in range(6):
        brief = Brief(questions_of(questions, share), n, Fraction(gamma), 2)
        design = best_designs(brief).design
        pair = _pair(design, brief)
        if pair.needed is None or pair.needed > MOST:
            return design, MOST + 1, pair
        if abs(pair.needed - n) <= n // 100:
            break
        n = pair.needed
    return design, n, _pair(design, replace(brief, respondents=n))


def _pair(design: candor.Design, brief: Brief) -> Connection:
    return next(one for one in connections_of(design, brief) if one.length == 2)


def share_found(design: candor.Design, n: int, share: float, seed: int) -> float:
    """Which part of the links of neighbours are among the sure pairs of one simulated survey."""
    rng, pairs = np.random.default_rng(seed), len(design.items) // 2
    cells, _among_those = together((share, share))
    drawn = rng.choice(4, (n, pairs), p=cells / cells.sum())  # bit 0 the first answer of two, bit 1 the second
    codes = np.stack([drawn & 1, drawn >> 1], axis=2).reshape(n, 2 * pairs)
    if len(design.items) % 2:
        codes = np.column_stack([codes, rng.random(n) < share])
    order = [design.column(f"item{place + 1}") for place in range(len(design.items))]
    truth = np.zeros_like(codes)
    truth[:, order] = codes
    sent = disguise(design, truth.astype(np.uint8), np.zeros(n, bool))
    looked = look_at_pairs(Records(design, sent.codes, sent.direct), [(place, YES) for place in order], 20)
    sure = {frozenset((one.given[0], one.said[0])) for one in looked.sure}
    return sum({*order[2 * place : 2 * place + 2]} in sure for place in range(pairs)) / pairs


if __name__ == "__main__":
    main()
