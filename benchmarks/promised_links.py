"""How many links a plan promises that reports find, and how many they find in simulated surveys.

    python -m benchmarks.promised_links [seconds of a setting [the first setting [the last]]]

Each setting has as many people as find 8 of 10 links with the design that is advised for them. Questions go together
two by two (φ = .3), and may have an answer *prefer not to say*, which one in twenty gives. People are drawn one by one,
their records are disguised, and the report looks at all pairs of yes: a link counts where it is among the sure ones. A
setting has as many surveys as its seconds allow, up to SURVEYS; the share is over surveys and links, and its error is
that of surveys.
"""

import math
import sys
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

import candor
from privacy.design.brief import Brief, ExpectedItem
from privacy.disguise import disguise
from privacy.plan.advice import best_designs
from privacy.plan.choice import choices_with_bias
from privacy.plan.connections import Connection, connections, pairs_looked_at, together
from privacy.plan.request import questions_of
from privacy.records import Records
from surveys.results.pairs import look_at_pairs

SEED, SURVEYS, SECONDS, MOST = 82, 2_000, 40, 200_000
SKIPS, SKIPPED = "skips", ("1", "0", "secret")  # questions that one may skip, and their answers
LIST = "list"  # the best list of words, whatever is recommended
SECRET = 0.05  # of people skip each of them
# Questions, γ, share of yes, and what else: one coin, sampled coins, lists of words.
SETTINGS: list[tuple[int, int, float, str]] = [
    (2, 9, 0.1, ""),
    (2, 19, 0.05, ""),
    (2, 5, 0.3, ""),
    (2, 5, 0.5, ""),
    (3, 9, 0.3, ""),
    (3, 19, 0.05, ""),
    (3, 19, 0.3, ""),
    (4, 9, 0.5, ""),
    (4, 19, 0.1, ""),
    (5, 5, 0.5, ""),
    (5, 9, 0.1, ""),
    (5, 19, 0.2, ""),
    (6, 19, 0.1, ""),
    (6, 19, 0.05, ""),
    (8, 9, 0.3, ""),
    (8, 19, 0.1, ""),
    (10, 9, 0.5, ""),
    (10, 19, 0.1, ""),
    (10, 19, 0.3, ""),
    (14, 19, 0.3, ""),
    (2, 19, 0.05, SKIPS),
    (3, 19, 0.3, SKIPS),
    (4, 9, 0.1, SKIPS),
    (5, 19, 0.2, SKIPS),
    (10, 19, 0.3, SKIPS),
    (2, 19, 0.05, LIST),
    (3, 19, 0.1, LIST),
    (4, 19, 0.05, LIST),
    (6, 40, 0.05, LIST),
    (10, 40, 0.02, LIST),
]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    first, last = (int(sys.argv[place]) if len(sys.argv) > place else usual for place, usual in ((2, 0), (3, 99)))
    for questions, gamma, share, more in SETTINGS[first : last + 1]:
        design, n, pair = plan(questions, gamma, share, more)
        if n > MOST:
            print(f"| {questions} | {n} | {gamma} | {share} | {more} | out of reach | | | |", flush=True)
            continue
        found, begun = list[float](), time.process_time()
        while len(found) < SURVEYS and (len(found) < 30 or time.process_time() - begun < seconds):
            found.append(share_found(design, n, share, SEED + len(found)))
        error = 100 * np.std(found, ddof=1) / len(found) ** 0.5
        cells = [questions, n, gamma, share, more, len(found)]
        figures = [f"{100 * pair.chance:.0f}", f"{100 * np.mean(found):.0f}", f"{error:.1f}"]
        print(f"| {' | '.join(map(str, [*cells, *figures]))} |", flush=True)


def plan(questions: int, gamma: int, share: float, more: str) -> tuple[candor.Design, int, Connection]:
    """The design that is advised for as many people as find 8 of 10 links, their number, and what is promised then."""
    n, asked = 1_000, questions_of(questions, share)
    if more == SKIPS:
        shares = (share, 1 - share - SECRET, SECRET)
        asked = tuple(ExpectedItem(one.id, SKIPPED, shares, alone=SKIPPED[-1], wanted=(0,)) for one in asked)
    for _round in range(6):
        brief = Brief(asked, n, Fraction(gamma), 2)
        design = choices_with_bias(brief, 2, math.inf)[0].design if more == LIST else best_designs(brief).design
        pair = _pair(design, brief)
        if pair.needed is None or pair.needed > MOST:
            return design, MOST + 1, pair
        if abs(pair.needed - n) <= n // 100:
            break
        n = pair.needed
    return design, n, _pair(design, replace(brief, respondents=n))


def _pair(design: candor.Design, brief: Brief) -> Connection:
    """Links of two answers, of which a report looks at yes alone."""
    shares = {one.id: one.expected for one in brief.questions if one.expected}
    yes = {one.id: 0 for one in brief.questions if not one.boolean}
    looked_at = pairs_looked_at([2] * len(brief.questions))
    found = connections(design, brief.respondents, shares=shares, answers=yes, looked_at=looked_at)
    return next(one for one in found if one.length == 2)


def share_found(design: candor.Design, n: int, share: float, seed: int) -> float:
    """Which part of the links of neighbours are among the sure pairs of one simulated survey."""
    rng, pairs = np.random.default_rng(seed), len(design.items) // 2
    cells, _among_those = together((share, share))
    drawn = rng.choice(4, (n, pairs), p=cells / cells.sum())  # bit 0 the first answer of two, bit 1 the second
    said = np.stack([drawn & 1, drawn >> 1], axis=2).reshape(n, 2 * pairs)
    if len(design.items) % 2:
        said = np.column_stack([said, rng.random(n) < share])
    order = [design.column(f"item{place + 1}") for place in range(len(design.items))]
    truth = np.zeros((n, len(order)), np.uint8)
    truth[:, order] = said
    yes = frozenset({1})
    if design.items[0].options == SKIPPED:
        yes = frozenset({0})
        secret = rng.random(truth.shape) < SECRET / (1 - share)
        truth = np.where(truth, 0, np.where(secret, 2, 1)).astype(np.uint8)
    sent = disguise(design, truth, np.zeros(n, bool))
    looked = look_at_pairs(Records(design, sent.codes, sent.direct), [(place, yes) for place in order], 20)
    sure = {frozenset((one.given[0], one.said[0])) for one in looked.sure}
    return sum({*order[2 * place : 2 * place + 2]} in sure for place in range(pairs)) / pairs


if __name__ == "__main__":
    main()
