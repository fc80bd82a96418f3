"""Long lists: a record that names a group of words, beside one that names a word, for the pairs of 50 items.

    python -m benchmarks long_lists, or python -m benchmarks.bench_long_lists [--respondents 4000] [--surveys 3]

Both are judged as the advisor does: the root mean square error of pairs, exactly, with the bias of people above the
cap, at the worst of its three populations, with the best cap, weights and number of groups that bias clustered
people's figures by at most half a standard error. At .02 and below a pair is rarer than its error. The last column has
surveys of clustered people, disguised and read as a survey is: their error of all pairs in that of the advisor's mean.
"""

import argparse
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from privacy.design import Design, Item
from privacy.design.blocks.one_of.advise import Listed, lists_of
from privacy.design.blocks.one_of.expected import Expected, expect
from privacy.design.blocks.one_of.lists import list_block, own_weight, words_up_to
from privacy.design.blocks.one_of.populations import CLUSTERED
from privacy.design.blocks.one_of.word_shares import count_words, estimate_words
from privacy.design.brief import PEOPLE, times_in_classes, yes_no
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table

ITEMS = 50
WORDS = ITEMS * (ITEMS + 1) // 2
PREVALENCES = (0.02, 0.05, 0.1)
GAMMAS = (9, 19)
EVEN = (Fraction(1), Fraction(1))
GROUPS = (37, 53, 67, 79, 97, 113, 127)  # of a seed
CAPS = [Fraction(cap, 4) for cap in range(4, 80, 2)]
MEANT = 0.3  # of the mean square error of one word
SEED = 56


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--respondents", type=int, default=4_000)
    parser.add_argument("--surveys", type=int, default=3)
    given = parser.parse_args()
    words = [Listed(cap, (Fraction(1), Fraction(weight, 10))) for cap in CAPS for weight in (3, 6, 10)]
    groups = [Listed(cap, EVEN, groups=size) for size in GROUPS for cap in CAPS if 2 * own_weight(cap, EVEN) <= size]
    rows: list[list[object]] = []
    ratios = []
    for gamma in GAMMAS:
        for share in PREVALENCES:
            expected = expect(yes_no(ITEMS, share), (0,) * ITEMS, 2)
            one, by_word = _best(expected, words, gamma, given.respondents)
            other, by_group = _best(expected, groups, gamma, given.respondents)
            ratio = (other / one) ** 2
            simulated = _simulate(by_group, gamma, share, given.respondents, given.surveys)
            clustered = next(
                by_length[1].error[0]
                for by_length in expected.outlooks(
                    lists_of([ITEMS, WORDS - ITEMS], gamma, [by_group]), given.respondents
                )
                if by_length[1].population == CLUSTERED
            )
            caps = float(by_word.cap), float(by_group.cap)
            rows.append([gamma, share, one, caps[0], other, caps[1], by_group.groups, ratio, simulated / clustered])
            name = f"γ {gamma}, p {share}: mean square of groups / {MEANT} of that of one word"
            ratios.append((name, ratio / MEANT))
    head = ["gamma", "p", "one word", "cap", "group", "cap", "groups", "of its mean square", "simulated"]
    print(as_table(head, rows))
    return ratios


def _best(expected: Expected, listed: Sequence[Listed], gamma: float, respondents: int) -> tuple[float, Listed]:
    """The least error of pairs by one of these lists."""
    errors, tolerable = expected.errors(lists_of([ITEMS, WORDS - ITEMS], gamma, listed), respondents)
    best = int(np.argmin(np.where(tolerable, errors[1], np.inf)))
    return float(errors[1, best]), listed[best]


def _simulate(listed: Listed, gamma: int, share: float, respondents: int, surveys: int) -> float:
    """The root mean square error of all pairs in surveys of clustered people."""
    items, none = [Item(f"q{number}") for number in range(ITEMS)], [0] * ITEMS
    words = words_up_to(items, none, 2)
    block = list_block(items, none, Fraction(gamma), listed.cap, words, EVEN, listed.loss, listed.spare, listed.groups)
    pairs = np.array([len(parts) == 2 for parts in words])
    design, rng, squares = Design((block,), direct=False), np.random.default_rng(SEED), []
    many, less = times_in_classes(share)
    truth = share**2 * (PEOPLE * many**2 + (1 - PEOPLE) * less**2)
    for survey in range(surveys):
        rates = share * np.where(rng.random((respondents, 1)) < PEOPLE, many, less)
        people = (rng.random((respondents, ITEMS)) < rates).astype(np.uint8)
        records = disguise(design, people, take=words_from_seed(survey))
        shares = estimate_words(block, count_words(block, records.codes)).share[pairs]
        squares.append(np.mean((shares - truth) ** 2))
    return float(np.mean(squares) ** 0.5)


if __name__ == "__main__":
    main()
