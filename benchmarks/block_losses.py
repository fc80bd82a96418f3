"""What local recoding of a table in blocks loses beside one piece.

    python -m benchmarks.block_losses [ROWS] [SEEDS]

A table of more than 32 768 rows is cut, and each block is recoded by itself. Here a smaller table is cut as often, so
that it can be recoded in one piece, too. A block is cut between two values, so there may be more than asked for. The
data are those of `bench_release`, k = 5.
"""

import sys
import time
from functools import partial
from unittest.mock import patch

import numpy as np

from privacy.output import as_table
from privacy.release import parse_spec
from privacy.release.anonymize import prepare_job
from privacy.release.methods import METHODS
from privacy.release.methods.job import Job
from privacy.release.methods.local import blocks

PIECES = (1, 2, 4, 8)


def made_up(rows: int, seed: int) -> Job:
    """A table of an age, a town, a kind of work and a sex."""
    random = np.random.default_rng(seed)
    attributes = {
        "age": {"role": "quasi", "ranges": [[*range(0, 101, 5)], [*range(0, 101, 20)], [0, 100]]},
        "town": {"role": "quasi", "truncate": [3, 2, 1, 0]},
        "work": {"role": "quasi", "hierarchy": [[str(place), f"w{place % 3}", "*"] for place in range(9)]},
        "sex": {"role": "quasi"},
    }
    table = {
        "age": random.integers(0, 100, rows).astype(str).tolist(),
        "town": ["".join(map(str, one)) for one in random.integers(0, 5, (rows, 3))],
        "work": random.integers(0, 9, rows).astype(str).tolist(),
        "sex": np.array(["f", "m"])[random.integers(0, 2, rows)].tolist(),
    }
    return prepare_job(table, parse_spec({"attributes": attributes, "model": {"k": 5}, "method": "local"}))[0]


def main(rows: int = 8192, seeds: int = 2) -> None:
    lines = []
    for seed in range(1, seeds + 1):
        job, whole = made_up(rows, seed), 0.0
        for pieces in PIECES:
            start = time.process_time()
            with patch("privacy.release.methods.blocks", partial(blocks, most=-(-rows // pieces))):
                lost = METHODS["local"].make(job).penalty
            seconds = time.process_time() - start
            whole = whole or lost
            cut = len(list(blocks(job.space(), job.model.k, np.arange(rows), -(-rows // pieces))))
            lines.append([seed, cut, -(-rows // pieces), lost, 100 * (lost / whole - 1), seconds])
            print(lines[-1], flush=True)
    print(as_table(["seed", "blocks", "rows of each, at most", "lost", "more than in one piece, %", "seconds"], lines))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
