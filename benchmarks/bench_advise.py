"""The advisor against 10 000 random designs on each of five briefs, and the time that its advice takes.

A random design keeps the same γ. It deals the items to blocks at random, and the blocks share ln γ at random. Each
block is a coin block (one shared coin or a coin for each item) or a flip block (by radius, with
two levels, or with any levels), and asks any number of its items. The ratio is the error of the best random design over
that of the advisor: if it is below .98, the advisor has missed something. The ratio of times compares with the two
seconds that advice on twenty items of any kind may take. All that is printed for fifty items may take half a second
beyond the imports, whatever is guessed, and the command with them one second.
"""

import sys
import time
from fractions import Fraction

import numpy as np

import candor
from benchmarks.bench_command import measure
from privacy.design.blocks.coin.advise import CoinPlan
from privacy.design.blocks.flips.advise import FlipPlan
from privacy.design.plans import Plan, PlannedBlock
from privacy.output import as_table
from privacy.plan import Advice, Brief, ExpectedItem, best_designs, errors_of_design, yes_no
from privacy.plan.standard_errors import sketch_plan

DESIGNS, SEED, SECONDS, PRINTED = 10_000, 5, 2.0, 0.5
GUESSES = (None, "0.02", "0.05", "0.05:0.02..0.1")


def choice(name: str, options: int) -> ExpectedItem:
    return ExpectedItem(name, tuple(f"option {place}" for place in range(options)))


BRIEFS = {
    "10 yes/no, prevalence .3, pairs": Brief(yes_no(10, 0.3), 10_000, Fraction(19), 2),
    "20 yes/no, prevalence .05, triples": Brief(yes_no(20, 0.05), 10_000, Fraction(19), 3),
    "20 yes/no, no guess, pairs": Brief(yes_no(20), 10_000, Fraction(19), 2),
    "4 yes/no and 2 of 4 and 5 options, pairs": Brief(
        (*yes_no(4), choice("four", 4), choice("five", 5)), 5_000, Fraction(19), 2
    ),
    "3 yes/no and 2 of 3 and 12 options, singles": Brief(
        (*yes_no(3), choice("three", 3), choice("twelve", 12)), 5_000, Fraction(5), 1
    ),
}
TIMED = {
    "20 yes/no of five prevalences, pairs": Brief(
        tuple(ExpectedItem(f"q{n}", expected=(1 - p, p)) for n, p in enumerate([0.05, 0.1, 0.2, 0.3, 0.4] * 4)),
        10_000,
        Fraction(19),
        2,
    ),
    "14 yes/no and 6 of 3 to 8 options, pairs": Brief(
        (*yes_no(14), *(choice(f"c{options}", options) for options in range(3, 9))), 10_000, Fraction(19), 2
    ),
    "10 yes/no, few, singles": Brief(yes_no(10, 0.05), 10_000, Fraction(19), 1),
    "20 yes/no, few, pairs": Brief(yes_no(20, 0.05), 10_000, Fraction(19), 2),
    "50 yes/no, no guess, pairs": Brief(yes_no(50), 10_000, Fraction(19), 2),
    "50 yes/no, few, pairs": Brief(yes_no(50, 0.05), 10_000, Fraction(19), 2),
    "20 of 3 to 22 options, pairs": Brief(
        tuple(choice(f"c{options}", options) for options in range(3, 23)), 10_000, Fraction(19), 2
    ),
}


def main() -> list[tuple[str, float]]:
    random = np.random.default_rng(SEED)
    rows: list[list[object]] = []
    ratios = []
    for name, brief in BRIEFS.items():
        advice, seconds = _run_timed(brief)
        best = min(_error(_random_plan(brief, random), advice) for _ in range(DESIGNS))
        advised = advice.error(advice.winners[-1])
        rows.append([name, advice.winners[-1].family, advised, best, best / advised, seconds])
        ratios.append((f"{name}: best of {DESIGNS} random designs / advised", best / advised))
        ratios.append((f"{name}: seconds / {SECONDS:g}", seconds / SECONDS))
    for name, brief in TIMED.items():
        advice, seconds = _run_timed(brief)
        rows.append([name, advice.winners[-1].family, advice.error(advice.winners[-1]), None, None, seconds])
        ratios.append((f"{name}: seconds / {SECONDS:g}", seconds / SECONDS))
    str(candor.advise(5, 1_000, 19, prevalence=0.02))  # imports what lists need
    for guess in GUESSES:
        given = ["--items", "50", *(["--prevalence", guess] if guess else [])]
        name = " ".join(["candor advise", *given])
        begun = time.process_time()
        str(candor.advise(50, 10_000, 19, prevalence=guess))
        printed = time.process_time() - begun
        command = [sys.executable, "-m", "candor.commands", "advise", "--gamma", "19", "--respondents", "10000", *given]
        seconds = measure(command)
        rows += [[f"{name}, beyond imports", None, None, None, None, printed], [name, None, None, None, None, seconds]]
        ratios += [
            (f"{name}: seconds beyond imports / {PRINTED:g}", printed / PRINTED),
            (f"{name}: seconds / 1", seconds),
        ]
    print(as_table(["brief", "advised", "error", "best random", "ratio", "seconds"], rows))
    return ratios


def _run_timed(brief: Brief) -> tuple[Advice, float]:
    start = time.process_time()
    advice = best_designs(brief)
    return advice, time.process_time() - start


def _error(plan: Plan, advice: Advice) -> float:
    brief = advice.brief
    sketch = sketch_plan(plan, brief.questions, float(brief.gamma))
    return errors_of_design(sketch, brief).up_to(brief.length, brief.has_expectations)


def _random_plan(brief: Brief, random: np.random.Generator) -> Plan:
    count = len(brief.questions)
    blocks = min(count, random.geometric(random.choice([0.3, 0.6, 0.9])))
    dealt = random.integers(blocks, size=count)
    groups = [tuple(map(int, np.flatnonzero(dealt == block))) for block in range(blocks)]
    return tuple(_random_block(brief, group, random) for group in groups if group)


def _random_block(brief: Brief, items: tuple[int, ...], random: np.random.Generator) -> PlannedBlock:
    ask = int(random.integers(1, len(items) + 1)) if random.random() < 0.7 else len(items)
    weight = float((0.01 + random.gamma(1)) * len(items) ** random.integers(2))
    if not all(brief.questions[item].boolean for item in items) or random.random() < 0.3:
        each = bool(random.random() < 0.3 and ask < len(items))
        return CoinPlan(items, ask, weight, each=each)
    kind = random.integers(3)
    if kind == 0:
        levels = (np.arange(ask + 1) <= random.integers(ask)).astype(float)
    elif kind == 1:
        levels = random.integers(2, size=ask + 1).astype(float)
    else:
        levels = random.random(ask + 1)
    if np.ptp(levels) == 0:
        levels[0] = 1 - levels[0]
    levels = (levels - levels.min()) / np.ptp(levels)
    return FlipPlan(items, ask, weight, levels=tuple(map(float, levels)))


if __name__ == "__main__":
    main()
