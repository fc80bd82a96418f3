"""How wide an interval is that a plan promises, and how wide half of all simulated surveys print it.

    python -m benchmarks.promised_widths [surveys]

The settings are those of `tests/privacy/plan/printed.py`; people give each answer independently. The table is that
of decision 98.
"""

import sys

import numpy as np

import candor
from privacy.plan.forecast import longer_sides
from tests.privacy.plan.printed import SETTINGS, printed_sides

SEED, SURVEYS = 98, 100


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    for questions, people, gamma, share, length in SETTINGS:
        design = candor.advise(questions, people, gamma, length=length, prevalence=share).design
        promised = np.mean(
            [
                side
                for block in design.blocks
                for side, _ in longer_sides(
                    block, ((1 - share, share),) * len(block.items), [(1,)] * len(block.items), people
                )
            ]
        )
        printed = np.median(printed_sides(design, share, people, surveys, SEED))
        cells = [questions, people, gamma, share, length, f"{100 * promised:.2f}", f"{100 * printed:.2f}"]
        print(f"| {' | '.join(map(str, cells))} | {promised / printed:.2f} |", flush=True)


if __name__ == "__main__":
    main()
