"""The list that the advisor makes against a grid of lists that knows nothing of its search, by errors and by intervals.

The grid has caps in halves from 1 to all items, every longer word ⅛ to 8 times as likely as a single one, and loss
words of ¼ to 4 times a single word. It is judged as the advisor judges: at the worst of the stated populations, where
no bias is more than half the standard error among clustered people. The ratio is how much less the best list of the
grid errs at one length, among those that err by no more than the advised one at any other: below .9, the advisor has
missed something.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from privacy.design.blocks.one_of.advise import ADVISOR, Listed, OneOfPlan, lists_of
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.lists import count_words
from privacy.output import as_table
from privacy.plan import Brief, yes_no

WEIGHTS = tuple(Fraction(*weight) for weight in ((1, 8), (1, 4), (1, 2), (1, 1), (2, 1), (4, 1), (8, 1)))
LOSSES = tuple(Fraction(*loss) for loss in ((1, 4), (1, 1), (4, 1)))
SETTINGS = [
    (20, 0.1, 2_000, 19, 2),
    (10, 0.05, 10_000, 19, 1),
    (10, 0.05, 10_000, 19, 2),
    (10, 0.05, 1_000, 19, 2),
    (10, 0.02, 1_000, 9, 2),
    (10, 0.1, 3_000, 40, 2),
    (20, 0.05, 10_000, 19, 2),
    (20, 0.02, 5_000, 9, 2),
    (20, 0.05, 800, 19, 1),
    (15, 0.02, 5_000, 19, 2),
    (6, 0.1, 1_000, 9, 3),
    (12, 0.05, 3_000, 19, 3),
    (30, 0.02, 3_000, 19, 1),
    (50, 0.05, 10_000, 19, 2),
    (10, 0.05, 800, 5, 2),
    (3, 0.1, 500, 19, 2),
    (5, 0.02, 300, 19, 2),
    (5, 0.3, 2_000, 40, 2),
    (8, 0.01, 2_000, 5, 1),
    (8, 0.2, 1_000, 19, 1),
    (10, 0.05, 200, 19, 1),
    (10, 0.1, 800, 19, 2),
    (12, 0.03, 10_000, 9, 2),
    (15, 0.1, 10_000, 19, 1),
    (15, 0.05, 60, 9, 1),
    (20, 0.01, 2_000, 19, 2),
    (25, 0.1, 5_000, 40, 2),
    (8, 0.1, 10_000, 19, 3),
    (40, 0.02, 10_000, 9, 1),
    (40, 0.05, 3_000, 19, 2),
]


def compare(
    items: int, share: float, people: int, gamma: int, length: int, *, by_interval: bool
) -> tuple[Listed, list[float], float]:
    """The advised list, its errors by length, and the ratio.

    >>> compare(5, 0.05, 1000, 19, 1, by_interval=False)[0].cap
    Fraction(2, 1)
    """
    brief = replace(Brief(yes_no(items, share), people, Fraction(gamma), length), by_interval=by_interval)
    (_, (plan,)), *_others = ADVISOR.biased(brief, gamma, length, np.inf)
    assert isinstance(plan, OneOfPlan)
    expected = expect(brief.questions, (0,) * items, length)
    counts = count_words([one.options for one in brief.questions], frozenset(), length)
    caps = [Fraction(half, 2) for half in range(2, 2 * items + 1)]
    grid = [
        Listed(cap, (Fraction(1), *own), loss)
        for cap, loss in product(caps, LOSSES)
        for own in product(WEIGHTS, repeat=length - 1)
    ]
    errors, tolerable = expected.errors(lists_of(counts, gamma, grid), people, by_interval)
    own = expected.errors(lists_of(counts, gamma, [plan.listed]), people, by_interval)[0]
    ratios = [
        (errors[at] / own[at])[tolerable & np.all(np.delete(errors <= own * (1 + 1e-9), at, 0), axis=0)]
        for at in range(length)
    ]
    return plan.listed, own[:, 0].tolist(), min(float(one.min(initial=1)) for one in ratios)


def main() -> list[tuple[str, float]]:
    rows, cases = [], []
    for setting, by_interval in product(SETTINGS, (False, True)):
        listed, errors, ratio = compare(*setting, by_interval=by_interval)
        judged = "intervals" if by_interval else "errors"
        weights = " ".join(f"{float(weight):.2g}" for weight in listed.weights)
        rows.append([*setting, judged, float(listed.cap), weights, " ".join(f"{one:.4f}" for one in errors), ratio])
        cases.append((" ".join(map(str, (*setting, judged))), ratio))
    heads = ["items", "share", "people", "gamma", "length", "by", "cap", "weights", "errors", "least ratio"]
    print(as_table(heads, rows))
    return cases


if __name__ == "__main__":
    main()
