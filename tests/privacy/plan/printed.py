"""Settings of planned surveys, and the longer sides that simulated ones print."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd

import candor
from privacy.design.blocks.one_of.advise import GROUP_OF, ONE_OF, SETS_OF
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.brief import Brief, yes_no
from privacy.estimate.intervals import intervals_of_shares
from privacy.plan.choice import lists_for
from privacy.reconstruct.words_sent import figures_of_cells

# Questions, people, γ, share of yes, longest pattern: one coin, sampled coins, lists of words, groups.
SETTINGS = [
    (1, 60, 19, 0.05, 1),
    (10, 800, 19, 0.05, 1),
    (3, 500, 9, 0.3, 2),
    (10, 60, 19, 0.05, 1),
    (1, 500, 19, 0.05, 1),
    (1, 2_000, 5, 0.5, 1),
    (2, 300, 9, 0.1, 2),
    (3, 1_000, 19, 0.01, 1),
    (5, 150, 19, 0.2, 1),
    (5, 5_000, 5, 0.5, 2),
    (10, 200, 19, 0.05, 1),
    (10, 2_000, 19, 0.05, 1),
    (10, 2_000, 19, 0.3, 2),
    (10, 800, 19, 0.05, 2),
    (10, 10_000, 9, 0.05, 2),
    (10, 10_000, 5, 0.02, 1),
    (20, 2_000, 19, 0.1, 2),
    (20, 3_000, 5, 0.01, 1),
    (30, 6_000, 9, 0.1, 1),
    (50, 4_000, 19, 0.02, 1),
]


# Very rare answers and the kind of list: questions, people, γ, share of yes, longest pattern.
VERY_RARE = [
    (15, 800, "30", 0.01, 1, ONE_OF),
    (10, 1_000, "2.718281828", 0.02, 2, GROUP_OF),
    (12, 10_000, "9", 0.02, 2, SETS_OF),
    (20, 1_000, "19", 0.005, 1, ONE_OF),
    (10, 400, "19", 0.01, 1, ONE_OF),
    (10, 2_000, "9", 0.005, 1, ONE_OF),
    (20, 2_000, "19", 0.01, 2, ONE_OF),
    (8, 1_500, "50", 0.005, 2, ONE_OF),
    (30, 1_000, "19", 0.01, 1, ONE_OF),
    (20, 2_000, "9", 0.01, 2, GROUP_OF),
    (15, 1_000, "5", 0.02, 2, GROUP_OF),
    (20, 4_000, "19", 0.005, 2, GROUP_OF),
    (10, 2_000, "9", 0.01, 2, SETS_OF),
    (12, 2_000, "19", 0.02, 2, SETS_OF),
    (8, 10_000, "5", 0.02, 2, SETS_OF),
    (25, 600, "30", 0.005, 1, ONE_OF),
]
_CHUNK = 50_000  # people whose chances are worked out together


def list_of(questions: int, people: int, gamma: str, share: float, length: int, family: str) -> candor.Design:
    """The best list of a kind."""
    brief = Brief(yes_no(questions, share), people, Fraction(gamma), length)
    return next(choice.design for choice in lists_for(brief) if choice.family == family)


def printed_sides_of_list(
    design: candor.Design, share: float, people: int, surveys: int, seed: int, chunks: int = 8
) -> np.ndarray:
    """`printed_sides` of single answers of a list, by counts: what one person sends is drawn from the chances that
    many people have on average."""
    (block,), rng = design.blocks, np.random.default_rng(seed)
    words, size = block.patterns.word_list, (_CHUNK, len(block.items))
    assert words is not None
    assert isinstance(block, OneOfBlock)
    sent = np.mean([block.mean_chances((rng.random(size) < share).astype(np.uint8)) for _ in range(chunks)], axis=0)
    single = np.array([len(literals) == 1 for _, literals in words.words])
    made = []
    for counts in rng.multinomial(people, np.append(sent, 1 - sent.sum()), size=surveys):
        support, _, low, high = (
            one[single] for one in figures_of_cells(words.cells_of_counts(counts.astype(float)), 0.95)
        )
        figure = np.clip(support, 0, 1)
        low, high = intervals_of_shares(support, low, high, figure)
        made.append(np.maximum(figure - low, high - figure).mean())
    return np.array(made)


def printed_sides(
    design: candor.Design, share: float, people: int, surveys: int, seed: int, length: int = 1
) -> np.ndarray:
    """The longer sides in simulated surveys, each on average over its questions, which nothing ties together.

    With `length` 2 those of pairs of answers.
    """
    rng, names, made = np.random.default_rng(seed), [item.id for item in design.items], []
    patterns = [",".join(some) for some in combinations(names, length)]
    for _survey in range(surveys):
        said = pd.DataFrame((rng.random((people, len(names))) < share).astype(int), columns=names)
        records = candor.disguise(said, design, seed=int(rng.integers(2**31)))
        sides = []
        for row in candor.reconstruct(records, patterns).patterns:
            assert row.share_ci is not None
            sides.append(max(row.share - row.share_ci[0], row.share_ci[1] - row.share))
        made.append(np.mean(sides))
    return np.array(made)
