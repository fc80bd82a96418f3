"""The likeliest 32 itemsets by SVSM, by one wave and by two waves of a list of words, beside what they have to reach.

    python -m benchmarks.bench_private_mining [--seeds 20]

Tables, methods and scores are those of `papers.private_mining`; retail is left out where it is not. Seconds are
processor time from records to the report, of real records of one survey.
"""

import argparse
import time

import numpy as np

from papers.private_mining import (
    EPSILONS,
    FIRST,
    METHODS,
    SEEDS,
    WANTED,
    AnswerSets,
    gamma_of,
    measure,
    tables,
)
from privacy.design import Design, Item
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.waves import first_list, second_list, shrink
from privacy.design.blocks.one_of.word_shares import count_words, estimate_words
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.output import as_table

BARS = {  # NCR and F1 at least, relative error at most, coverage at least; of retail by two waves
    "1": (0.81, 0.62, None, 0.93),
    "2": (None, None, None, 0.93),
    "ln 19": (0.945, 0.85, 0.06, 0.93),
    "4": (None, None, None, 0.93),
}
FIGURES = ("NCR", "F1", "relative error", "coverage")
MOST_SECONDS = 4.0


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=SEEDS)
    seeds = parser.parse_args().seeds
    rows: list[list[object]] = []
    ratios = []
    for table in tables():
        for name, epsilon in EPSILONS.items():
            for method in METHODS:
                scores = measure(table, epsilon, method, seeds)
                seconds = seconds_from_records(table, epsilon) if method == "two waves" else None
                rows.append([table.name, name, method, *scores, seconds])
                if seconds and table.name == "retail":
                    bars = zip(FIGURES, scores, BARS[name], strict=False)
                    ratios += [(f"ε {name}: {figure} / bar", is_ / bar) for figure, is_, bar in bars if bar]
                    ratios.append((f"ε {name}: seconds / bar", seconds / MOST_SECONDS))
    print(as_table(["table", "ε", "method", *FIGURES, "on the list", "seconds"], rows))
    return ratios


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
