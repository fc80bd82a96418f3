"""The likeliest 32 itemsets by SVSM, by one wave and by two waves of a list of words, beside what they have to reach.

    python -m benchmarks.bench_private_mining [--seeds 20]

Tables, methods and scores are those of `papers.private_mining`; retail is left out where it is not. Beside them are two
made tables of sets that are far commoner than their items let expect: *topics*, of which each has five words of its
own, and *series*, of which people have all three parts. F1 should not be below that of SVSM. *By items* is the part of
the true ones in a list of twice as many that true shares of single items alone would choose. Seconds are processor time
from records to the report, of real records of one survey.
"""

import argparse
import time
from math import prod

import numpy as np

from papers.private_mining import (
    EPSILONS,
    FIRST,
    ITEMS,
    METHODS,
    SEEDS,
    WANTED,
    AnswerSets,
    gamma_of,
    measure,
    table_of,
    tables,
)
from privacy.design import Design, Item
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.waves import LIFT, first_list, second_list, shrink
from privacy.design.blocks.one_of.word_shares import count_words, estimate_words
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table

BARS = {  # NCR and F1 at least, relative error at most, coverage at least; of retail by two waves
    "1": (0.81, 0.62, None, 0.93),
    "2": (None, None, None, 0.93),
    "ln 19": (0.945, 0.85, 0.06, 0.93),
    "4": (None, None, None, 0.93),
}
FIGURES = ("NCR", "F1", "relative error", "coverage")
MOST_SECONDS = 4.0
ONE_WAVE = ("retail", "classes")  # tables of which one wave is measured, too


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=SEEDS)
    seeds = parser.parse_args().seeds
    rows: list[list[object]] = []
    ratios, f1 = [], dict[str, float]()
    for table in [*tables(), topics(), series()]:
        for name, epsilon in EPSILONS.items():
            for method in METHODS if table.name in ONE_WAVE else ("SVSM", "two waves"):
                scores = measure(table, epsilon, method, seeds)
                f1[method] = scores[1]
                seconds = seconds_from_records(table, epsilon) if method == "two waves" else None
                rows.append([table.name, name, method, *scores, seconds])
                if seconds:
                    ratios.append((f"{table.name}, ε {name}: F1 / SVSM", scores[1] / f1["SVSM"]))
                if seconds and table.name == "retail":
                    bars = zip(FIGURES, scores, BARS[name], strict=False)
                    ratios += [(f"ε {name}: {figure} / bar", is_ / bar) for figure, is_, bar in bars if bar]
                    ratios.append((f"ε {name}: seconds / bar", seconds / MOST_SECONDS))
        print(f"{table.name}: {by_items(table):.2f} on a list by items")
    print(as_table(["table", "ε", "method", *FIGURES, "on the list", "seconds"], rows))
    return ratios


def topics() -> AnswerSets:
    """60 000 texts, each of one of ten topics, which have five of fifty words each; all other words are rare in it."""
    chance = np.random.default_rng(1)
    often = np.full((10, ITEMS), 0.02)
    own = chance.permutation(ITEMS).reshape(10, 5)
    often[np.arange(10)[:, np.newaxis], own] = chance.uniform(0.4, 0.9, own.shape)
    share = 1 / np.arange(3, 13)
    topic = chance.choice(10, 60_000, p=share / share.sum())
    return table_of("topics", (chance.random((60_000, ITEMS)) < often[topic]).astype(np.uint8))


def series() -> AnswerSets:
    """60 000 people who have more or fewer of fifty items, and 6 in 100 all parts of each of eight series of three."""
    chance = np.random.default_rng(8)
    shares = 0.3 / np.arange(1, ITEMS + 1) ** 0.7
    rows = chance.random((60_000, ITEMS)) < shares * chance.gamma(2, 0.5, (60_000, 1))
    for _ in range(8):
        parts = chance.choice(np.arange(5, ITEMS), 3, replace=False)
        rows[np.ix_(chance.random(60_000) < 0.06, parts)] = True
    return table_of("series", rows.astype(np.uint8))


def by_items(table: AnswerSets) -> float:
    """The part of the true ones among twice as many that their items make likeliest."""
    single = {one: [table.shares[item,] for item in one] for one in table.shares}
    likely = sorted(single, key=lambda one: -min(prod(single[one]) * LIFT ** (len(one) - 1), *single[one]))
    return len({*likely[: 2 * WANTED]} & {*table.likeliest}) / WANTED


def seconds_from_records(table: AnswerSets, epsilon: float) -> float:
    """What counting, the second list and the report take, of records as devices send them."""
    gamma, count = gamma_of(epsilon), table.answers.shape[1]
    truth = table.answers[np.random.default_rng(0).permutation(table.person)]
    some, others = np.split(truth, [int(FIRST * len(truth))])
    first = first_list([Item(str(number)) for number in range(count)], [0] * count, gamma)
    records = _records(first, some)
    start = time.process_time()
    counts = count_words(first, records)
    second = second_list(first, counts, gamma, len(others), WANTED)
    seconds = time.process_time() - start
    more = _records(second, others[:, [int(item.id) for item in second.items]])
    start = time.process_time()
    more_counts = count_words(second, more)
    shrink((first, second), (counts, more_counts)), estimate_words(second, more_counts)
    return seconds + time.process_time() - start


def _records(block: OneOfBlock, truth: np.ndarray) -> np.ndarray:
    design = Design((block,), direct=False)
    return disguise(design, truth, np.zeros(len(truth), bool), words_from_seed(0)).codes


if __name__ == "__main__":
    for name, ratio in main():
        print(f"{ratio:8.3f}  {name}")
