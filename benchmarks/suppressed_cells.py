"""What a suppressed cell may count as: the figures of docs/decisions/0052-suppressed-rows-are-a-class.md.

    python -m benchmarks.suppressed_cells [tables]

Tables of five rows and three columns of three values each, k = 2, seeds from 0. Every way to suppress cells is tried.
"""

import sys
from itertools import product

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.output import as_table

ROWS, COLUMNS, VALUES, K, HIDDEN = 5, 3, 3, 2, -1
PATTERNS = np.array(list(product((False, True), repeat=ROWS * COLUMNS)), bool).reshape(-1, ROWS, COLUMNS)


def fits(one: Ints, other: Ints, wild: bool) -> Bools:
    """Whether each row of one fits each row of the other; with `wild` a suppressed cell of either fits every value."""
    left, right = one[..., :, None, :], other[..., None, :, :]
    same = left == right
    return np.asarray((same | (left == HIDDEN) | (right == HIDDEN) if wild else same).all(axis=-1))


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    cells, alone, most_alone = [0, 0], [0, 0], [0, 0]
    for seed in range(tables):
        table = np.random.default_rng(seed).integers(0, VALUES, (ROWS, COLUMNS))
        labels = np.where(PATTERNS, HIDDEN, table)
        for wild in (False, True):
            holds = (fits(labels, labels, wild).sum(axis=2) >= K).all(axis=1)
            count = PATTERNS.sum(axis=(1, 2))
            cells[wild] += int(count[holds].min())
            best = labels[holds & (count == count[holds].min())]
            found = (fits(np.broadcast_to(table, best.shape), best, True).sum(axis=2) == 1).sum(axis=1)
            alone[wild] += int(found.min())
            most_alone[wild] += int(found.max())
    head = ["a suppressed cell is", "cells", "people with one row that fits", "at most"]
    rows = zip(("a label", "any value"), cells, alone, most_alone, strict=True)
    print(as_table(head, [list(row) for row in rows]))


if __name__ == "__main__":
    main()
