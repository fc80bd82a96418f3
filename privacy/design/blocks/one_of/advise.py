"""What the advisor may vary of one-of blocks, where shares are guessed: the cap, and how much each length weighs.

The figures of such a block are biased. The advisor looks for the list whose root mean square errors, one of each
length, have the least product, at the worst of the stated populations and at the survey's own number of respondents: no
length can then gain a tenth without another's losing as much. A brief `by_interval` asks so for the shortest intervals:
these also hold what people above the cap can do, and take a larger cap. No bias may be more than half the standard
error among clustered people. Beside other kinds whose error is named, a list must save a sixth of their people, and no
shorter pattern may err by more than the longest does there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product
from math import comb, inf, prod, sqrt
from typing import Any

import numpy as np

from privacy.design.blocks.one_of.at_least import Kind, has_figures, weights_of
from privacy.design.blocks.one_of.design import MOST_WORDS, OneOfBlock
from privacy.design.blocks.one_of.expected import Expected, Lists, Outlook, expect, harmless_of
from privacy.design.blocks.one_of.group_of import MOST_BUCKETS, is_prime
from privacy.design.blocks.one_of.listed_words import Part
from privacy.design.blocks.one_of.lists import (
    GroupLists,
    ThresholdLists,
    count_words,
    groups_at_cap,
    list_block,
    lists_of_sets,
    loss_weight,
    own_weight,
    own_words,
    sets_block,
    spare_of,
    words_up_to,
)
from privacy.design.blocks.one_of.populations import ABOUT
from privacy.design.brief import WORTH, Brief, ExpectedItem
from privacy.design.channels import Floats, Squares
from privacy.design.items import Item
from privacy.design.plans import Advisor, Biased, InPopulation, Losses, Plan, PlannedBlock, Sketched
from privacy.design.rationals import ONE

ONE_OF, GROUP_OF, SETS_OF = "one of yours", "a group of yours", "some of yours"
_SETS = (4, 2)  # of so many answers this many are enough
_SETS_WEIGH = (0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0)  # all of them, beside all single answers
LONGEST = 3  # answers in a word of a list that the advisor makes
_MOST_CHANCES = 2_000_000  # more would take seconds
_WEIGHTS = tuple(Fraction(*weight) for weight in ((1, 8), (1, 6), (1, 4), (1, 3), (1, 2), (2, 3), (1, 1)))
_LIGHTER = (Fraction(1, 2), Fraction(1, 4))  # single answers, where longer patterns matter most
_STEPS = (Fraction(1, 4), Fraction(1, 20))  # of the cap, near the best whole one
_BUCKETS = tuple(size for size in range(2, MOST_BUCKETS + 1) if is_prime(size))  # of a seed
_SHORT = 20  # items
_TINY, _WHOLE = 1e-300, 1 - 1e-9
_FINER = tuple(Fraction(20 + step, 20) for step in range(-4, 5))  # times the weights, near the best


@dataclass(frozen=True)
class Listed:
    """A list by a few numbers: see `privacy.design.blocks.one_of.lists`."""

    cap: Fraction
    weights: tuple[Fraction, ...]
    loss: Fraction = Fraction(1)
    groups: int = 0  # of each seed, where records name groups
    sets: Kind | None = None  # beside single answers; two weights, and the cap is what is enough

    @property
    def spare(self) -> Fraction:
        """The r of the loss word of such a list."""
        return spare_of(len(self.weights))


@dataclass(frozen=True)
class OneOfSketch(Sketched):
    """A one-of block in floats: of each item the harmless answer, the chances of words of each length, and the cap.

    `alone` are the answers that are in no word with others, by the places of items here. `lost`: how much of the cap
    the loss word of length 0 has for each 1 that it measures; `unlost`: its base chance; `most_lost`: how many times
    itself a figure loses at most beside that, r where there is one. Loss words of other lengths are left out.
    `unnamed` are telling answers without a word of their own, of which nothing is known. With `groups` of each seed,
    bases and added are those of a word as if everybody were at the cap (`line_of`).
    """

    harmless: tuple[int, ...]
    bases: tuple[float, ...]
    added: tuple[float, ...]
    cap: float
    lost: float
    unlost: float
    most_lost: float
    gamma: float
    alone: frozenset[Part] = frozenset()
    groups: int = 0
    listed: Listed | None = None
    sets: ThresholdLists | None = field(default=None, compare=False)
    unnamed: frozenset[Part] = frozenset()

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    @property
    def odds(self) -> float:
        return self.gamma

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        """E[w²] of words, w = (1[word] − base)/added, of people below the cap: what is lost above it is not known."""
        size = shares.shape[1]
        if size > len(self.bases):
            return (np.full(len(shares), inf),) * 3
        base, added = self.bases[size - 1], self.added[size - 1]
        miss, hit = (((base + added * true) * (1 - 2 * base) + base**2) / added**2 for true in (0, 1))
        every = np.ones(len(shares))
        return miss + (hit - miss) * shares.prod(axis=1), hit * every, miss * every

    def line(self, noise: float) -> tuple[float, float]:
        del noise
        return self.bases[0], self.added[0]

    def chances(self, noise: Floats) -> Floats:
        """P(which literals the word that is sent has | which the truth has), the blank for every other word."""
        cells = np.arange(2 ** noise.shape[1])
        sizes = np.bitwise_count(cells)
        base, added = (np.array([0.0, *own, *[0.0] * noise.shape[1]])[sizes] for own in (self.bases, self.added))
        table = base + added * ((cells[:, np.newaxis] & cells) == cells)
        table[:, 0] = 1 - table[:, 1:].sum(axis=1)
        return np.tile(table, (len(noise), 1, 1))

    def losses(self, shares: Sequence[Sequence[float]]) -> Losses:
        """What figures lose above the cap, where answers are independent and all telling ones are equally common."""
        items = len(shares)
        common = sum(1 - share[harmless] for share, harmless in zip(shares, self.harmless, strict=True)) / items
        kept = self._lists.share_kept(items)[:, 0]

        def over_people(of_counts: Floats, sure: int) -> float:
            """The mean of a figure by number of telling answers, over people for whom `sure` of these are certain."""
            rest = items - sure
            chances = [comb(rest, count) * common**count * (1 - common) ** (rest - count) for count in range(rest + 1)]
            return float(np.array(chances) @ of_counts[sure:])

        of_patterns = tuple(over_people(kept, length + 1) for length in range(min(len(self.bases), items)))
        if not self.lost:
            return Losses(of_patterns, self.most_lost, 0.0, 0.0)
        mean = over_people(np.maximum(1 - (1 + self.most_lost) * kept, 0), 0)
        sent = self.unlost + self.lost * mean
        return Losses(of_patterns, self.most_lost, mean, sqrt(sent * (1 - sent)) / self.lost)

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> OneOfBlock:
        assert self.listed
        own = [questions[place] for place in self.items]
        items = tuple(Item(question.id, question.options) for question in own)
        if self.listed.sets:
            return sets_block(items, self.harmless, limit, *self.listed.sets, self.listed.weights[1])
        words = words_up_to(items, self.harmless, len(self.bases), self.alone)
        listed = self.listed
        return list_block(
            items, self.harmless, limit, listed.cap, words, listed.weights, listed.loss, listed.spare, listed.groups
        )

    def errors(self, brief: Brief, *, worst: bool = True) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The errors of patterns by length: those expected in the worst population, and a bound whatever is true."""
        if not self.bases or self._asks_unnamed(brief) or (self.sets and not self._expected(brief).by_words):
            return (inf,) * brief.length, (inf,) * brief.length
        errors, _ = self._expected(brief).errors(self._lists, brief.respondents, brief.by_interval, brief.halves)
        unknown = (inf,) * (brief.length - len(errors))
        at_worst = (*self._worst(brief), *unknown)[: brief.length] if worst else ()
        return (*errors[:, 0].tolist(), *unknown)[: brief.length], at_worst

    def _asks_unnamed(self, brief: Brief) -> bool:
        """Whether patterns ask for an answer without a word; a harmless answer needs words of all other answers."""
        if not self.unnamed:
            return False
        asked = {
            (index, code)
            for index, item in enumerate(self.items)
            for literal in brief.questions[item].literals
            for code in (range(len(brief.questions[item].options)) if literal == self.harmless[index] else (literal,))
        }
        return not asked.isdisjoint(self.unnamed)

    def bias_in_populations(self, brief: Brief) -> Biased | None:
        if not self.bases:
            return None

        def outlooks_at(times: float) -> list[list[Outlook]]:
            """The outlooks (populations × lengths) where telling answers are `times` as common as guessed."""
            return self._expected(brief, times).outlooks(self._lists, brief.respondents)

        def worst(times: float) -> tuple[float, ...]:
            """The largest error of each length over the populations, where telling answers are `times` as common."""
            by_length = zip(*outlooks_at(times), strict=True)
            return tuple(max(outlook.error[0].item() for outlook in outlooks) for outlooks in by_length)

        kept = self._lists.share_kept(len(self.items))[:, 0]
        return Biased(
            int((kept >= _WHOLE).sum()) - 1,
            tuple(
                InPopulation(
                    by_length[0].population,
                    ABOUT[by_length[0].population],
                    tuple(one.error[0].item() for one in by_length),
                    tuple(one.farthest_bias[0].item() for one in by_length),
                )
                for by_length in outlooks_at(1)
            ),
            {times: worst(times) for times in (0.5, 2.0)},
        )

    @cached_property
    def _lists(self) -> Lists:
        """The list of this sketch as the one column of `Lists`."""
        if self.sets:
            return self.sets
        bases, added = (np.array(own)[:, np.newaxis] for own in (self.bases, self.added))
        cap, lost, unlost, most_lost = (np.array([own]) for own in (self.cap, self.lost, self.unlost, self.most_lost))
        if self.groups:  # of a word in r groups: base·r + cap/r, and added·r − cap/r
            seeds = self.groups + 1
            bases, added = (bases - self.cap / seeds) / seeds, (added + self.cap / seeds) / seeds
            return GroupLists(bases, added, cap, lost, unlost, most_lost, (self.groups,))
        return Lists(bases, added, cap, lost, unlost, most_lost)

    def _expected(self, brief: Brief, times: float = 1.0) -> Expected:
        """What is expected of its items, with telling answers `times` as common as guessed."""
        questions = tuple(brief.questions[place] for place in self.items)
        return expect(questions, self.harmless, min(brief.length, len(self.bases)), times, self.alone)

    def _worst(self, brief: Brief) -> Iterator[float]:
        """A bound of errors by length: everybody as far above the cap as possible, each word as likely as is worst."""
        kept = float(self._lists.share_kept(len(self.items))[-1, 0])
        expected = self._expected(brief)
        base, added = np.array(self.bases)[expected.lengths], np.array(self.added)[expected.lengths]
        chance = np.minimum(base + added, 0.5)
        of_words = (chance * (1 - chance) / added**2)[:, np.newaxis]
        for sums in expected.sums:
            variance = sums.of_squares(of_words).max() / brief.respondents
            yield sqrt((1 - kept) ** 2 + variance)


@dataclass(frozen=True)
class OneOfPlan(PlannedBlock):
    """A block that everybody is asked all of; nothing else stands beside it."""

    listed: Listed = Listed(Fraction(1), (Fraction(1),))

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> OneOfSketch:
        own = [questions[place] for place in self.items]
        harmless, alone = tuple(map(harmless_of, own)), _alone(own)
        if self.listed.sets:
            sets = lists_of_sets(len(own), self.listed.sets, odds, [float(self.listed.weights[1])])
            return _sketch_sets(self.items, harmless, sets, odds, self.listed)
        counts = count_words([one.options for one in own], alone, len(self.listed.weights))
        lists = lists_of(counts, odds, [self.listed])
        cap, lost, unlost = (float(one[0]) for one in (lists.caps, lists.lost, lists.unlost))
        groups = self.listed.groups
        bases, added = lists.bases[:, 0], lists.added[:, 0]
        if seeds := groups and groups + 1:
            bases, added = bases * seeds + cap / seeds, added * seeds - cap / seeds
        chances = (tuple(bases.tolist()), tuple(added.tolist()), cap, lost, unlost, float(lists.most_lost[0]), odds)
        return OneOfSketch(self.items, self.ask, harmless, *chances, alone, groups, self.listed)

    @property
    def list_settings(self) -> Mapping[str, Any]:
        listed = self.listed
        more = {"groups": listed.groups} if listed.groups else {}
        more |= {"least": listed.sets[1]} if listed.sets else {}
        return {"cap": float(listed.cap), "weights": [float(weight) for weight in listed.weights], **more}

    def as_recipe(self, made: OneOfBlock) -> tuple[str, Mapping[str, Any]]:
        own = self.list_settings
        return "one-of", {"list_gamma": float(made.gamma), "cap": own["cap"], "longest": made.lengths[-1], **own}


def sketch(block: OneOfBlock, items: tuple[int, ...]) -> OneOfSketch:
    """The block as a complete list of words whose chances are those of the rarest of each length.

    Answers may stand alone, but for one to each item. Of single answers some may have no word.
    """
    if block.has_thresholds:
        return _sketch_sets(items, block.harmless, _sets_of(block), float(block.gamma))
    bases, added = [], []
    unnamed = frozenset(
        (index, code)
        for index, item in enumerate(block.items)
        for code in range(len(item.options))
        if code != block.harmless[index] and ((index, code),) not in block.words_by_parts
    )
    counts = count_words([item.options for item in block.items], block.alone, block.lengths[-1])
    for length, count in enumerate(counts, start=1):
        own = [word for word in block.words if len(word.parts) == length]
        if not own or (len(own) < count and length > 1):
            break
        base, known = block.line_of(min(own, key=lambda word: word.base))
        bases.append(base)
        added.append(known)
    loss = next((loss for loss in block.losses if loss.length == 0), None)
    lost = (float(loss.added / loss.full) / ONE, loss.base / ONE) if loss else (0.0, 0.0)
    most_lost = block.most_lost(1)[0] if block.most_added > block.cap else 0.0
    chances = (tuple(bases), tuple(added), block.cap / ONE, *lost, most_lost, float(block.gamma))
    return OneOfSketch(items, len(block.items), block.harmless, *chances, block.alone, block.groups, unnamed=unnamed)


def _sets_of(block: OneOfBlock) -> ThresholdLists | None:
    """The chances of a list with a threshold; None where it has no figures."""
    if not all(weights_of(block, length) for length in (1, 2)):
        return None
    single, longer = (
        (one.base / ONE, one.added / ONE, len(one.parts), one.enough) for one in (block.words[0], block.words[-1])
    )
    cap, unlost = np.array([block.cap]) / ONE, np.array([block.losses[0].base]) / ONE
    bases, added = (np.array([[single[which]], [longer[which]]]) for which in (0, 1))
    return ThresholdLists(bases, added, cap, cap, unlost, np.zeros(1), len(block.items), longer[2:])


def _sketch_sets(
    items: tuple[int, ...],
    harmless: tuple[int, ...],
    sets: ThresholdLists | None,
    gamma: float,
    listed: Listed | None = None,
) -> OneOfSketch:
    """The sketch of a list with a threshold, with chances of words that err as much."""
    if sets is None:
        return OneOfSketch(items, len(items), harmless, (), (), 0.0, 0.0, 0.0, 0.0, gamma)
    cap, lost, unlost = (float(one[0]) for one in (sets.caps, sets.lost, sets.unlost))
    return OneOfSketch(
        items, len(items), harmless, *sets.as_words(), cap, lost, unlost, 0.0, gamma, listed=listed, sets=sets
    )


def _alone(questions: Sequence[ExpectedItem]) -> frozenset[Part]:
    """The answers that stand alone as the questions say, without harmless ones, which are in no word."""
    return frozenset(
        (index, code)
        for index, question in enumerate(questions)
        for code, option in enumerate(question.options)
        if option == question.alone and code != harmless_of(question)
    )


def lists_of(counts: Sequence[int], gamma: float, listed: Sequence[Listed]) -> Lists:
    """The chances of lists with `counts` words of length 1, 2, …, as `lists.list_block` makes them."""
    if any(one.groups for one in listed):
        return _lists_in_groups(gamma, listed)
    if sets := listed[0].sets:
        return lists_of_sets(counts[0], sets, gamma, [float(one.weights[1]) for one in listed])
    spare = float(listed[0].spare)  # as they have the same lengths
    weights = np.array([[float(weight) for weight in one.weights] for one in listed]).T
    caps = {one.cap for one in listed}
    ways_of = {cap: [float(own_words(cap, length + 1)) for length in range(len(counts))] for cap in caps}
    ways = np.array([ways_of[one.cap] for one in listed]).T
    loss = np.array([float(one.loss) for one in listed])
    every = np.array(counts, float) @ weights
    cap = np.maximum((weights * ways).sum(axis=0), np.maximum(weights.max(axis=0), loss))
    total = every + loss + gamma * cap
    unit = (gamma - 1) / total
    # What the loss word has to measure of a person who owns every word.
    most = 1 - (1 + spare) * (cap - loss) / every
    lost = np.where(every > (1 + spare) * cap, loss / np.maximum(most, _TINY), 0.0)
    most_lost = np.where(lost > 0, spare, np.maximum(every / cap - 1, 0.0))
    return Lists(weights / total, weights * unit, cap * unit, lost * unit, loss / total, most_lost)


def _lists_in_groups(gamma: float, listed: Sequence[Listed]) -> GroupLists:
    """`lists_of` for lists of which records name groups of words."""
    sizes, loss = (np.array([float(getattr(one, name)) for one in listed]) for name in ("groups", "loss"))
    seeds, every = sizes + 1, sizes * (sizes + 1)
    at_cap = [groups_at_cap(float(own_weight(one.cap, one.weights)), one.groups) for one in listed]
    cap = np.maximum(at_cap, loss * seeds)
    total = every + loss * seeds + gamma * cap
    unit = (gamma - 1) / total
    # What the loss word has to measure of a person who owns every group.
    spare = float(listed[0].spare)
    most = 1 - (1 + spare) * (cap - loss * seeds) / every * (seeds**2 - every) / (seeds**2 - cap)
    lost = np.where(every > cap, loss * seeds / np.maximum(most, _TINY), 0.0)
    alike = np.ones((len(listed[0].weights), 1))
    chances = (alike / total, alike * unit, cap * unit, lost * unit, loss * seeds / total)
    return GroupLists(*chances, np.where(lost > 0, spare, 0.0), buckets=tuple(one.groups for one in listed))


def _plans_with_bias(brief: Brief, odds: float, length: int, best: float) -> Iterator[tuple[str, Plan]]:
    """Yield the best list for patterns up to a length, by its family, if its error is well below `best`.

    Then the best of the other kinds, of words, groups and thresholds: some judge them by more than errors.
    """
    planned = _expect_words(brief, length)
    if planned is None:
        return
    expected, counts = planned
    items = tuple(range(len(brief.questions)))
    judge = partial(_least, expected, brief, best)
    found = _best_list(len(items), counts, odds, judge)
    grids: list[ListGrid | None] = []
    if sum(counts) > odds:  # of as many words as that each has too little chance for itself
        numbers = prod(len(question.options) for question in brief.questions)
        grids.append(_first_groups(len(items), counts, odds, min(numbers, _BUCKETS[-1] ** 3)))
    if length == 2:
        grids.append(_first_sets(brief.questions, counts, odds, expected))
    others = []
    for grid in grids:
        if grid and grid.listed and (other := judge(grid)):
            worth = found is None or WORTH * other[0] ** 2 <= found[0] ** 2  # words say more to people
            found, other = (other, found) if worth else (found, other)
            others += [other] if other else []
    for _, listed in [found, *others] if found else []:
        name = GROUP_OF if listed.groups else SETS_OF if listed.sets else ONE_OF
        yield name, (OneOfPlan(items, len(items), listed=listed),)


_Found = tuple[float, Listed] | None  # the best list, and the geometric mean of its errors by length


def _expect_words(brief: Brief, length: int) -> tuple[Expected, tuple[int, ...]] | None:
    """What is expected of words of up to so many answers, and how many there are of each length; None: no list."""
    if not brief.has_expectations or brief.direct_share or brief.most_questions < len(brief.questions):
        return None
    alone = _alone(brief.questions)
    counts = count_words([question.options for question in brief.questions], alone, length)
    if length > LONGEST or not counts[-1] or sum(counts) > MOST_WORDS:
        return None
    expected = expect(brief.questions, tuple(map(harmless_of, brief.questions)), length, 1.0, alone)
    return None if expected.size > _MOST_CHANCES else (expected, tuple(counts))


def _plans_compared(brief: Brief, odds: float) -> Iterator[tuple[Plan, tuple[float, ...]]]:
    """Lists of all caps and weights, as far as their bias is tolerable."""
    planned = _expect_words(brief, brief.length)
    if planned is None:
        return
    expected, counts = planned
    first, longer = _first_lists(len(brief.questions), counts, odds), (Fraction(1),) * (len(counts) - 1)
    caps = dict.fromkeys((one.cap, one.loss) for one in first.listed)
    more = tuple(Listed(cap, (weight, *longer), loss) for weight in _LIGHTER for cap, loss in caps)
    items = tuple(range(len(brief.questions)))
    for grid in (first, ListGrid(more, counts, odds)):
        errors, tolerable = expected.errors(grid.lists, brief.respondents, brief.by_interval)
        for at in np.flatnonzero(tolerable):
            yield (OneOfPlan(items, len(items), listed=grid.listed[at]),), tuple(errors[:, at].tolist())


@dataclass(frozen=True)
class ListGrid:
    """Lists to compare, with so many words of each length; what first grids are is worked out once."""

    listed: tuple[Listed, ...]
    counts: tuple[int, ...]
    gamma: float

    @cached_property
    def lists(self) -> Lists:
        return lists_of(self.counts, self.gamma, self.listed)


def _best_list(items: int, counts: tuple[int, ...], gamma: float, judge: Callable[[ListGrid], _Found]) -> _Found:
    """The best list of some caps and weights, then of finer ones near the best; `judge` finds the best of several."""
    best: _Found = None
    grid = _first_lists(items, counts, gamma)
    for step in (*_STEPS, None):
        found = judge(grid)
        if found and (best is None or found[0] < best[0]):
            best = found
        if best is None or step is None:
            break
        near = best[1]
        caps = [near.cap + step * count for count in range(-4, 5) if near.cap + step * count >= 1]
        weights = [
            (Fraction(1), *(min(Fraction(round(100 * one * more), 100), Fraction(1)) for one, more in pairs))
            for pairs in (zip(near.weights[1:], own, strict=True) for own in product(_FINER, repeat=len(counts) - 1))
        ]
        listed = tuple(Listed(cap, weight, near.loss) for weight in dict.fromkeys(weights) for cap in caps)
        grid = ListGrid(listed, counts, gamma)
    return best


@lru_cache(maxsize=8)
def _first_lists(items: int, counts: tuple[int, ...], gamma: float) -> ListGrid:
    caps, loss = _first_caps(items), loss_weight(items, len(counts))
    weights = [(Fraction(1), *own) for own in product(_WEIGHTS, repeat=len(counts) - 1)]
    return ListGrid(tuple(Listed(cap, weight, loss) for weight in weights for cap in caps), counts, gamma)


@lru_cache(maxsize=8)
def _first_groups(items: int, counts: tuple[int, ...], gamma: float, numbers: int) -> ListGrid:
    """Caps of lists in groups, whose numbers must be fewer than the ways to answer; all words weigh 1."""
    even = (Fraction(1),) * len(counts)
    sizes = [size for size in _BUCKETS if sum(counts) <= size**2 and size * (size + 1) + 1 < numbers]
    at_cap = [(cap, float(own_weight(cap, even))) for cap in _first_caps(items)]
    listed = (Listed(cap, even, groups=size) for size in sizes for cap, words in at_cap if 2 * words <= size)
    return ListGrid(tuple(listed), counts, gamma)


def _first_sets(
    questions: Sequence[ExpectedItem], counts: tuple[int, ...], gamma: float, expected: Expected
) -> ListGrid | None:
    """Lists with a threshold, by what all sets weigh; None where questions have no such list, or it has no figures."""
    items, size = len(questions), _SETS[0]
    if any(len(question.options) > 2 for question in questions) or not expected.by_words:
        return None
    if items + comb(items, size) > MOST_WORDS or not has_figures(items, _SETS):
        return None
    weights = [Fraction(f"{times * items / comb(items, size):.2g}") for times in _SETS_WEIGH]
    one = Fraction(1)  # a design has no word that weighs more
    listed = tuple(Listed(Fraction(_SETS[1]), (one, weight), sets=_SETS) for weight in weights if weight <= one)
    return ListGrid(listed, counts, gamma)


def _first_caps(items: int) -> list[Fraction]:
    """Whole caps, and quarters of short lists: of these a whole one may not be worth it where one between is."""
    step = Fraction(1, 4 if items <= _SHORT else 1)
    return [1 + step * count for count in range(int((items - 1) / step) + 1)]


def _least(expected: Expected, brief: Brief, most: float, grid: ListGrid) -> _Found:
    """The best of these lists that are worth it: no error is above `most`, the longest patterns' is well below it.

    All intervals are.
    """
    errors, tolerable = expected.errors(grid.lists, brief.respondents, brief.by_interval)
    longest = errors if brief.by_interval else errors[-1:]
    fit = tolerable & np.all(errors <= most, axis=0) & np.all(WORTH * longest**2 <= most**2, axis=0)
    judged = np.exp(np.log(errors).mean(axis=0))
    at = int(np.argmin(np.where(fit, judged, inf)))
    return (float(judged[at]), grid.listed[at]) if fit.any() else None


# By small steps nothing biased is compared, and nothing stands beside it in a design.
ADVISOR = Advisor(lambda *_: iter(()), biased=_plans_with_bias, compared=_plans_compared)
