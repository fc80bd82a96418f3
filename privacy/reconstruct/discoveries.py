"""Which of many associations to believe: the false discovery rate of Benjamini and Hochberg (1995).

What is reported was chosen by the same records that test it: an itemset reaches the threshold where noise pushed it up,
and then its association looks strong as well. So the hypotheses are not those reported, nor those counted, but every
split of every itemset up to the length asked for, which are fixed before a record is seen. Whatever is not reported has
p = 1: no less than its own p, so that no p is small more often than it should be, and nothing to compute.

Pairs are a family of their own, which no search changes; where a survey has no more than `MOST_LOOKED_AT`, Holm's
correction takes the place of q (`privacy.reconstruct.pairs`). Of longer itemsets each length has the same part of the
budget, by the weights of Genovese, Roeder and Wasserman (2006): a p counts times the hypotheses of its length and the
number of lengths.
"""

import numpy as np

BEYOND_CHANCE = 0.05  # the largest corrected p, and the largest q
MOST_LOOKED_AT = 300  # pairs of answers in a report: each takes some passes over all records


def q_values(scaled: np.ndarray) -> np.ndarray:
    """For each hypothesis the smallest false discovery rate at which it is rejected; NaN where its p is NaN.

    `scaled`: p-values times the number of hypotheses that share their part of the budget, and the number of parts.

    >>> q_values(4 * np.array([0.01, 0.02, 0.75, np.nan])).tolist()
    [0.04, 0.04, 1.0, nan]
    """
    q = np.full(scaled.shape, np.nan)
    known = np.flatnonzero(~np.isnan(scaled))
    order = known[np.argsort(scaled[known], kind="stable")]
    rates = scaled[order] / np.arange(1, len(order) + 1)
    q[order] = np.minimum(np.minimum.accumulate(rates[::-1])[::-1], 1)
    return q


def q_of_family(p: np.ndarray) -> np.ndarray:
    """The q-values of hypotheses that are one family: all of them that have a p.

    >>> q_of_family(np.array([0.01, 0.02, 0.75, np.nan])).round(6).tolist()
    [0.03, 0.03, 0.75, nan]
    """
    return q_values(p * np.count_nonzero(~np.isnan(p)))
