"""How many links a plan promises that reports find, and how many they find in simulated surveys.

    python -m benchmarks.promised_links [surveys [the first setting [the last]]]

Each setting has as many people as find 8 of 10 links with the design that is advised for them. Questions go together
two by two (φ = .3), and may have an answer *prefer not to say*, which one in twenty gives. People are drawn one by one,
and their records are disguised. A link counts where a report on all pairs of yes calls it sure. The share is over
surveys and links, and its error is that of surveys.

Many surveys are tested at once, from the table of each pair. The first of each setting are also given to the report,
which must find the same. A list has no such tables: the report looks at each of its surveys, of which there are fewer.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
from scipy.special import stdtr

import candor
from privacy.design.brief import Brief, ExpectedItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.weights import table_channels
from privacy.plan.advice import best_designs
from privacy.plan.choice import choices_with_bias
from privacy.plan.connections import Connection, connections, pairs_looked_at, together
from privacy.plan.request import questions_of
from privacy.reconstruct.association import DRAWN, AnsweringGroup, JointShares
from privacy.reconstruct.group_difference import holm
from privacy.reconstruct.pairs import look_at_pairs
from privacy.records import Records

SEED, SURVEYS, OF_LISTS, MOST = 82, 2_000, 400, 200_000
CHECKED = 3  # surveys of a setting that the report looks at, too
AT_ONCE = 500_000  # people
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
    given = [int(one) for one in sys.argv[1:]]
    surveys, first, last = (*given, *(SURVEYS, 0, len(SETTINGS))[len(given) :])
    for questions, gamma, share, more in SETTINGS[first : last + 1]:
        design, n, pair = plan(questions, gamma, share, more)
        if n > MOST:
            print(f"| {questions} | {n} | {gamma} | {share} | {more} | out of reach | | | |", flush=True)
            continue
        found = list(shares_found(design, n, share, min(surveys, OF_LISTS) if more == LIST else surveys))
        error = 100 * np.std(found, ddof=1) / len(found) ** 0.5
        cells = [questions, n, gamma, share, more, len(found)]
        figures = [f"{100 * pair.chance:.0f}", f"{100 * np.mean(found):.1f}", f"{error:.1f}"]
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


def shares_found(design: candor.Design, n: int, share: float, surveys: int) -> Iterator[float]:
    """Which part of the links of neighbours is sure, in each simulated survey."""
    order = [design.column(f"item{place + 1}") for place in range(len(design.items))]
    links = [frozenset(order[place : place + 2]) for place in range(0, len(order) - 1, 2)]
    by_table = all(block.patterns.by_record is None for block in design.blocks)
    yes, at_once = 0 if design.items[0].options == SKIPPED else 1, max(AT_ONCE // n, 1)
    for begin in range(0, surveys, at_once):
        codes = _sent(design, share, order, min(at_once, surveys - begin), n, SEED + begin)
        tested = _sure_by_tables(design, codes, yes) if by_table else [None] * len(codes)
        for number, (own, sure) in enumerate(zip(codes, tested, strict=True), begin):
            if sure is None or number < CHECKED:
                answers = [(place, frozenset({yes})) for place in order]
                looked = look_at_pairs(Records(design, own, np.zeros(n, bool)), answers, 20)
                reported = {frozenset(column for column, _options in one.answers) for one in looked.sure}
                assert sure in (None, reported), (sure, reported)
                sure = reported
            yield sum(link in sure for link in links) / len(links)


def _sent(design: candor.Design, share: float, order: list[int], surveys: int, n: int, seed: int) -> np.ndarray:
    """The records of so many surveys of n people, surveys × people × items."""
    rng, people, pairs = np.random.default_rng(seed), surveys * n, len(order) // 2
    cells, _among_those = together((share, share))
    drawn = rng.choice(4, (people, pairs), p=cells / cells.sum())  # bit 0 the first answer of two, bit 1 the second
    said = np.stack([drawn & 1, drawn >> 1], axis=2).reshape(people, 2 * pairs)
    if len(order) % 2:
        said = np.column_stack([said, rng.random(people) < share])
    truth = np.zeros((people, len(order)), np.uint8)
    truth[:, order] = said
    if design.items[0].options == SKIPPED:
        secret = rng.random(truth.shape) < SECRET / (1 - share)
        truth = np.where(truth, 0, np.where(secret, 2, 1)).astype(np.uint8)
    sent = disguise(design, truth, np.zeros(people, bool), words_from_seed(seed + 10**6))
    return sent.codes.reshape(surveys, n, len(order))


def _sure_by_tables(design: candor.Design, codes: np.ndarray, yes: int) -> list[set[frozenset[int]] | None]:
    """The sure pairs of each survey: by leverage from available cases, then by the table, then by Holm."""
    surveys, n, items = codes.shape
    options = len(design.items[0].options)
    ones = (codes[..., np.newaxis] == np.arange(options)).reshape(surveys, n, -1).astype(np.float32)
    counts = (ones.swapaxes(1, 2) @ ones).astype(float).reshape(surveys, items, options, items, options)
    pairs, made = list(combinations(range(items), 2)), []
    for pair in pairs:
        both = counts[:, pair[0], :, pair[1]]
        alone = [np.einsum("skk->sk", counts[:, one, :, one]) for one in pair]
        inverse = _inverse(design, list(pair))
        p = _p_of_leverage(design, pair, both, alone, inverse, yes, n)
        for survey in np.flatnonzero(p <= 0.05).tolist():
            asked = both[survey].sum()
            support = inverse.reshape(options**2, -1) @ both[survey].ravel() / asked
            group = AnsweringGroup(int(asked), 1.0, inverse.reshape(options**2, -1))
            table = JointShares(int(asked), support.reshape(options, options), np.zeros(0), [group])
            counted = table.independence([{yes}, {yes}]).p
            p[survey] = min(counted, p[survey]) if counted <= 1 / (DRAWN + 1) else counted
        made.append(p)
    corrected = [holm(p) for p in np.array(made).T]
    return [{frozenset(pair) for pair, p in zip(pairs, own, strict=True) if p <= 0.05} for own in corrected]


def _p_of_leverage(
    design: candor.Design,
    pair: tuple[int, int],
    both: np.ndarray,
    alone: list[np.ndarray],
    inverse: np.ndarray,
    yes: int,
    n: int,
) -> np.ndarray:
    """The p of each survey, from m_AB − m_A m_B: means of answers less 1/options, each over all who were asked it."""
    centre = 1 / both.shape[1]
    singles = [_inverse(design, [one])[yes] - centre for one in pair]
    together = inverse[yes, yes] - centre * (inverse[yes].sum(axis=0) + inverse[:, yes].sum(axis=0)) + centre**2
    asked, of_each = both.sum(axis=(1, 2)), [own.sum(axis=1) for own in alone]
    mean = (both * together).sum(axis=(1, 2)) / asked
    means = [own @ weights / size for own, weights, size in zip(alone, singles, of_each, strict=True)]
    left, right = (  # what an answer to one of both adds
        -other[:, np.newaxis] * (weights - own[:, np.newaxis]) / size[:, np.newaxis]
        for own, other, weights, size in zip(means, means[::-1], singles, of_each, strict=True)
    )
    parts = (together - mean[:, np.newaxis, np.newaxis]) / asked[:, np.newaxis, np.newaxis]
    parts = parts + left[:, :, np.newaxis] + right[:, np.newaxis]
    square = (both * parts**2).sum(axis=(1, 2))
    square += ((alone[0] - both.sum(axis=2)) * left**2 + (alone[1] - both.sum(axis=1)) * right**2).sum(axis=1)
    error = np.sqrt(square * n / (n - 1))
    return np.asarray(2 * stdtr(asked - 1, -abs(mean - means[0] * means[1]) / error))


def _inverse(design: candor.Design, columns: list[int]) -> np.ndarray:
    """What a disguised record adds to each cell of a table: cells, then records."""
    shape = [len(design.items[column].options) for column in columns]
    made = np.eye(math.prod(shape)).reshape(*shape, *shape)
    for place in np.ndindex(*shape):
        table = made[place]
        for piece in table_channels(design, columns):
            table = piece.inverse(table)
        made[place] = table
    return np.moveaxis(made, range(len(shape)), range(-len(shape), 0))


if __name__ == "__main__":
    main()
