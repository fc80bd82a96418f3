"""Mining in two waves: single answers of some people, then of others the itemsets that these make likely.

Both waves are one-of blocks, and nobody answers twice: two records of one person would multiply γ. The second list
follows from what the first wave measured, and from nothing else: its itemsets, its cap and its loss words.

>>> gamma, items = Fraction(19), [Item(name) for name in "abcdef"]
>>> first = first_list(items, [0] * 6, gamma)
>>> counts = np.array([900, 700, 110, 100, 90, 80, 60, 2960])  # of records, by `count_words`: six words, loss, nothing
>>> second = second_list(first, counts, gamma, respondents=10_000, wanted=2)
>>> [second.text(word) for word in second.words]
['a', 'b', 'a,b', 'c']
>>> more = np.array([1250, 1025, 690, 193, 6842])
>>> shrink((first, second), (counts, more)).round(2).tolist()
[0.51, 0.41, 0.25, 0.03]

What a set is said to be, with its interval, is what the second wave alone measures: the first has chosen it. Shares of
both waves, which are shrunk, only put the sets in order.

Rules of thumb stand in for what nobody knows before the second wave: two answers come together 1.5 times as often as
independent ones, and people differ, by a gamma distribution with shape 2, in how many telling answers they have.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from privacy.arrays import Floats
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.listed_words import LossWord, Part, Word
from privacy.design.blocks.one_of.lists import words_up_to
from privacy.design.blocks.one_of.word_shares import MOST_FACTOR, WordShares, estimate_words
from privacy.design.items import Item
from privacy.design.rationals import ONE
from privacy.errors import InputError

LONGEST = 3
_SPREAD, _FEWEST, _MOST_SPREAD = 1_000_000, 1_000, 10_000  # people times words; and people
CANDIDATES, MOST_CANDIDATES = 2, 3  # words of the second list for each itemset that is wanted
MISSED, PRECISE = 0.1, 0.4  # a longer list: from which part of wanted sets on, and up to which error of their last
RAREST = {1: 1.0, 2: 0.5, 3: 0.35}  # of the share of its rarest answer, what a set may have that is free of the others
LIFT = 1.5  # of two answers, and of three its square
SPREADS = {2: 0.4, 3: 0.3}  # of the supports of a length, relative to what is expected of them
LIFT_SPREAD = 0.3  # of the mean lift of a length
FREE, ROUNDS = 0.1, 5  # the part of sets that do not follow their answers, and how often it is estimated
FIRST_CAP, FIRST_LOSS = Fraction(4), Fraction(12)  # answers
LOSS_WEIGHT = Fraction(7, 10)  # of a loss word, in words
PEOPLE, SHAPE, SEED = 4000, 2.0, 1  # who are drawn to choose a cap
CAPS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)  # quantiles of how many words people have
MOST_LOST, MARGIN = 0.998, 1.2  # what makes a loss word certain
DECIMALS = 12  # of what decides: the last bits of a float differ between processors
MOST_SINGLES = 60  # that itemsets are made of
_LEAST = 1e-4  # of a share that others are multiplied with

Name = tuple[tuple[str, str], ...]
"""The telling answers of an itemset: items with their options, in the order of names."""


def list_by_length(
    items: Sequence[Item],
    harmless: Sequence[int],
    gamma: Fraction,
    cap: Fraction,
    words: Sequence[tuple[Part, ...]],
    losses: dict[int, Fraction],
) -> OneOfBlock:
    """A list of words of equal chances. The cap is a number of words, and `losses` has what makes each loss word full.

    >>> items = [Item(name) for name in "abc"]
    >>> words = words_up_to(items, [0] * 3, 1)
    >>> block = list_by_length(items, [0] * 3, Fraction(19), Fraction(2), words, {1: Fraction(1)})
    >>> len(block.words), [loss.length for loss in block.losses], block.gamma <= 19
    (3, [1], True)
    """
    cap = max(cap, Fraction(1), LOSS_WEIGHT * len(losses))
    total = len(words) + LOSS_WEIGHT * len(losses) + gamma * cap
    base, lost = int(ONE / total), int(ONE * LOSS_WEIGHT / total)
    made = tuple(Word(parts, base, int(gamma * base)) for parts in words)
    of_loss = tuple(LossWord(length, lost, int(gamma * lost), full) for length, full in sorted(losses.items()))
    blank = ONE - base * len(made) - lost * len(of_loss)
    limit = min(int(blank * (gamma - 1) / gamma), int(made[0].added * cap) + len(of_loss))
    return OneOfBlock(tuple(items), tuple(harmless), made, limit, of_loss)


def first_list(items: Sequence[Item], harmless: Sequence[int], gamma: Fraction) -> OneOfBlock:
    """The list of the first wave: every telling answer, and a loss word."""
    words = words_up_to(items, harmless, 1)
    losses = {1: FIRST_LOSS} if len(items) > 1 else {}
    return list_by_length(items, harmless, gamma, FIRST_CAP, words, losses)


def second_list(
    first: OneOfBlock, counts: NDArray[np.integer], gamma: Fraction, respondents: int, wanted: int = 32
) -> OneOfBlock:
    """The list of the second wave for so many respondents, from the counts of the first.

    It holds twice as many itemsets of one to three answers as are wanted, or three times where many others may be among
    these, and its errors are small enough. Of some caps it takes the one with the least mean square error, among people
    who are drawn from the shares of the first wave.
    """
    figures = estimate_all(first, counts)
    return choose_list(first, (figures.share, figures.error), gamma, respondents, wanted)


def choose_list(
    first: OneOfBlock,
    figures: tuple[Floats, Floats],
    gamma: Fraction,
    respondents: int,
    wanted: int,
    fixed: Sequence[tuple[Part, ...]] = (),
) -> OneOfBlock:
    """Choose the second list by the shares of single words and their errors; longer words are not looked at.

    `fixed` words of the first list are in the second, too, whatever the shares. Of a word whose share is not a number
    nothing is known, so that no itemset holds it; it is taken to be as common as the others.
    """
    alone = [number for number, word in enumerate(first.words) if len(word.parts) == 1]
    known = [number for number in alone if np.isfinite(figures[0][number])]
    shares = _likely_shares(*(values[known] for values in figures))
    parts = [first.words[number].parts[0] for number in known]
    share_by_part = {first.words[number].parts[0]: float(shares.mean()) for number in alone}
    share_by_part |= zip(parts, shares.tolist(), strict=True)
    lists, last = _likely_words(parts, shares, wanted)
    made = [_choose_cap(first, dict.fromkeys([*fixed, *words]), share_by_part, gamma, respondents) for words in lists]
    longest, error = made[-1]
    return longest if error <= PRECISE * last else made[0][0]


def _choose_cap(
    first: OneOfBlock,
    likely: Collection[tuple[Part, ...]],
    share_by_part: dict[Part, float],
    gamma: Fraction,
    respondents: int,
) -> tuple[OneOfBlock, float]:
    """The list of these words with the best cap, and the root of the mean square error of their shares."""
    places = sorted({place for word in likely for place, _ in word})
    moved = {place: number for number, place in enumerate(places)}
    words = [tuple(sorted((moved[place], code) for place, code in word)) for word in likely]
    items, harmless = [first.items[place] for place in places], [first.harmless[place] for place in places]
    share_of = {(moved[place], code): share for (place, code), share in share_by_part.items() if place in moved}
    people = draw_people(harmless, share_of)
    cap = Fraction(len({tuple(place for place, _ in word) for word in words}))  # as many as are true of one person
    every = list_by_length(items, harmless, gamma, cap, words, {})
    own, lengths = every.is_true(people), every.lengths
    if len(items) - (len(lengths) > 1) <= lengths[-1]:  # no record is left for loss words, so nothing may be lost
        return every, _mean_square(every, people, own.mean(axis=0), respondents) ** 0.5
    size = np.array([len(word) for word in words])
    counted = np.stack([own[:, size == length].sum(axis=1) for length in lengths], axis=1)
    tried = []
    for one in np.unique(np.quantile(own.sum(axis=1), CAPS).clip(min=1)):
        losses = _full_losses(counted, lengths, one)
        block = list_by_length(items, harmless, gamma, _simple_fraction(one), words, losses)
        error = _mean_square(block, people, own.mean(axis=0), respondents)
        tried.append((round(error, DECIMALS), float(one), block))
    square, _, chosen = min(tried, key=lambda one: one[:2])
    return chosen, square**0.5


def shrink(blocks: tuple[OneOfBlock, OneOfBlock], counts: tuple[NDArray[np.integer], NDArray[np.integer]]) -> Floats:
    """The share of each word of the second list, from the counts of both waves: what puts the words in order.

    Single answers have the shares of both waves. Those of pairs are drawn towards the product of their answers, and of
    triples towards what their pairs lead to, times the mean lift that this wave finds at that length; as far as a set
    does not look like that, it stays what it is.
    """
    (first, second), (one, two) = blocks, map(estimate_all, blocks, counts)
    names = [_name(second, word) for word in second.words]
    single = dict(
        zip((_name(first, word) for word in first.words), zip(one.share, one.error, strict=True), strict=True)
    )
    support: dict[Name, float] = {}
    for name, share, error in zip(names, two.share, two.error, strict=True):
        if len(name) == 1:
            single[name] = _pool(*single[name], share, error) if name in single else (share, error)
    for name in names:
        if lacking := next((part for part in name if (part,) not in single), None):
            raise InputError(f"first: no list has a word for {'='.join(lacking)} alone; give the records of wave 1.")
    support |= {name: share for name, (share, _) in single.items()}
    alone = {name: max(share, _LEAST) for name, share in support.items()}
    for length in (length for length in second.lengths if length > 1):
        of_length = [number for number, name in enumerate(names) if len(name) == length]
        expected = np.array([_expect(names[number], alone, support) for number in of_length])
        most = np.array([min(alone[part,] for part in names[number]) for number in of_length])
        spread = SPREADS[min(length, LONGEST)] * expected
        shrunk = _shrink_to(expected, spread, most, two.share[of_length], two.error[of_length])
        support |= zip((names[number] for number in of_length), shrunk.tolist(), strict=True)
    return np.array([support[name] for name in names])


def estimate_all(block: OneOfBlock, counts: NDArray[np.integer]) -> WordShares:
    """The shares with what is lost above the cap: one loss word of length 0 measures which part of them is lost.

    It tells so of all people, and those of whom a word is true lose more: a rule of thumb, for lists of the advisor.
    """
    figures = estimate_words(block, counts)
    if [loss.length for loss in block.losses] != [0]:
        return figures
    (loss,) = block.losses
    lost = (counts[len(block.bases) - 1] / counts.sum() - loss.base / ONE) / (block.least_effect(loss) / ONE)
    factor = 1 / (1 - np.clip(lost, 0, 1 - 1 / MOST_FACTOR))
    return WordShares(figures.share * factor, figures.error * factor, figures.share * (factor - 1))


def _likely_shares(share: Floats, error: Floats) -> Floats:
    """The mean of each share by an exponential prior with the mean of all: what is high by chance comes down."""
    prior = max(float(share.mean()), float(error.mean()) / 10)
    at = share - error**2 / prior
    inside = np.exp(-((at / error) ** 2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(at / error))  # φ/Φ
    return np.minimum(at + error * inside, 1.0).round(DECIMALS)


def _likely_words(parts: Sequence[Part], shares: Floats, wanted: int) -> tuple[list[list[tuple[Part, ...]]], float]:
    """The itemsets of up to three answers that should be commonest, perhaps a longer list, and the share of the last.

    Sets may be far commoner than their answers let expect, but not than their rarest answer. A pair of which no more
    is known is commoner than the last of the `wanted` by the chance 1 − last/rarest. If many such pairs are not listed,
    a longer list has, after the `wanted` that should be commonest, those whose rarest answer is common.
    """
    best = np.sort(np.argsort(-shares, kind="stable")[:MOST_SINGLES])
    places = np.array([place for place, _ in parts])
    sets: list[list[int]] = []
    figures = []
    for length in range(1, min(LONGEST, len(best)) + 1):
        chosen = np.array(list(combinations(best, length)))
        chosen = chosen[(np.diff(places[chosen], axis=1) != 0).all(axis=1)]
        alone = shares[chosen].min(axis=1)
        likely = np.minimum(shares[chosen].prod(axis=1) * LIFT ** (length - 1), alone)
        figures.append([likely, alone, alone * RAREST[length], np.full(len(chosen), length)])
        sets += chosen.tolist()
    expected, rarest, possible, size = np.concatenate(figures, axis=1).round(DECIMALS)
    order, by_rarest = np.argsort(-expected, kind="stable"), np.lexsort((-expected, -possible))
    lists, last = [order[: CANDIDATES * wanted].tolist()], expected[order[:wanted]][-1]
    others = order[CANDIDATES * wanted :]
    free = rarest[others[(size[others] == 2) & (rarest[others] > last)]]
    if FREE * (1 - last / free).sum() > MISSED * wanted:
        longer = dict.fromkeys([*order[:wanted].tolist(), *by_rarest.tolist()])
        lists.append(list(longer)[: MOST_CANDIDATES * wanted])
    return [[tuple(parts[one] for one in sets[number]) for number in numbers] for numbers in lists], float(last)


def draw_people(harmless: Sequence[int], share_of: dict[Part, float]) -> NDArray[np.uint8]:
    """Draw people whose telling answers have these shares: codes, people × items. They differ in how many they have.

    >>> people = draw_people([0, 1], {(0, 1): 0.1, (1, 0): 0.05})
    >>> people.shape, bool(abs(people.mean(axis=0) - [0.1, 0.95]).max() < 0.02)
    ((4000, 2), True)
    """
    chance = np.random.default_rng(SEED)
    often = chance.gamma(SHAPE, 1 / SHAPE, PEOPLE)
    return _people_at(chance.random((PEOPLE, len(harmless))), harmless, share_of, often)


def spread_people(harmless: Sequence[int], share_of: dict[Part, float], words: int) -> NDArray[np.uint8]:
    """People who give each telling answer independently of others: of each just as many as its share says.

    The fewer `words` are worked out of them, the more people.

    >>> spread_people([0, 1], {(0, 1): 0.1, (1, 0): 0.05}, 3).mean(axis=0).tolist()
    [0.1, 0.95]
    """
    people = min(max(_SPREAD // words, _FEWEST), _MOST_SPREAD)
    places = np.tile((np.arange(people) + 0.5) / people, (len(harmless), 1))
    drawn = np.random.default_rng(SEED).permuted(places, axis=1).T
    return _people_at(drawn, harmless, share_of, np.ones(people))


def _people_at(drawn: Floats, harmless: Sequence[int], share_of: dict[Part, float], often: Floats) -> NDArray[np.uint8]:
    """Codes, people × items: each answer takes so much of 0 to 1, where a person is `drawn`; `often` stretches it."""
    people = np.tile(np.array(harmless, np.uint8), (len(drawn), 1))
    begun = np.zeros(len(harmless))
    for (place, code), share in share_of.items():
        end = begun[place] + share
        people[(begun[place] * often <= drawn[:, place]) & (drawn[:, place] < end * often), place] = code
        begun[place] = end
    return people


def _full_losses(counted: NDArray[np.integer], lengths: Sequence[int], cap: float) -> dict[int, Fraction]:
    """What makes the loss word of each length certain at this cap: hardly anybody loses more."""
    share = np.minimum(1, cap / np.maximum(counted.sum(axis=1), 1))
    most = MARGIN * np.quantile(counted * (1 - share)[:, np.newaxis], MOST_LOST, axis=0)
    return {length: _simple_fraction(max(full, 1.0)) for length, full in zip(lengths, most.tolist(), strict=True)}


def _mean_square(block: OneOfBlock, people: NDArray[np.uint8], truth: Floats, respondents: int) -> float:
    """The mean square error of the words' shares among these people, from so many respondents."""
    sent = block.mean_chances(people)
    figures = estimate_words(block, np.append(sent, 1 - sent.sum()) * respondents)
    return float(np.mean(figures.error**2 + (figures.share - truth) ** 2))


def _expect(name: Name, alone: dict[Name, float], support: dict[Name, float]) -> float:
    """The share expected of an itemset; of three answers from its pairs: P(ab)·P(ac)·P(bc)/(P(a)·P(b)·P(c))."""
    product = prod(alone[part,] for part in name)
    if len(name) == 2:
        return LIFT * product
    pairs = [
        max(support[pair], _LEAST) if pair in support else LIFT * prod(alone[part,] for part in pair)
        for pair in combinations(name, 2)
    ]
    return min(prod(pairs) / product, *pairs)


def _shrink_to(expected: Floats, spread: Floats, most: Floats, share: Floats, error: Floats) -> Floats:
    """Shares of one length, where some are near what is expected, and the others anywhere up to `most`.

    The chance of being one of these, and the mean lift of the rest, are estimated in turn (expectation-maximisation).
    """
    inside = share.clip(0, most)
    anywhere = (ndtr(inside / error) - ndtr((inside - most) / error)) / most
    prior, part, free = LIFT_SPREAD**-2, FREE, np.full(len(share), FREE)
    for _ in range(ROUNDS):
        weight = (1 - free) / (error**2 + spread**2)
        factor = (prior + (weight * share * expected).sum()) / (prior + (weight * expected**2).sum())
        around = np.hypot(error, factor * spread)
        near = np.exp(-(((inside - factor * expected) / around) ** 2) / 2) / around / np.sqrt(2 * np.pi)
        free = part * anywhere / (part * anywhere + (1 - part) * near)
        part = free.mean()
    tied, _ = _pool(share, error, factor * expected, factor * spread)
    return free * inside + (1 - free) * tied


def _pool(first: Floats, first_error: Floats, second: Floats, second_error: Floats) -> tuple[Floats, Floats]:
    """The mean of two estimates, weighted by their precision, and its error."""
    weights = first_error**-2, second_error**-2
    return (first * weights[0] + second * weights[1]) / sum(weights), sum(weights) ** -0.5


def _name(block: OneOfBlock, word: Word) -> Name:
    """The answers of a word as names of items and options, by which words of two lists are compared."""
    return tuple(sorted((block.items[place].id, block.items[place].options[code]) for place, code in word.parts))


def _simple_fraction(number: float) -> Fraction:
    return Fraction(number).limit_denominator(1000)
