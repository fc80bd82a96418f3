"""What records alone tell of whether people and devices followed the design: patterns that come too often or seldom.

Two things hold of records that honest devices made, whatever the true answers are.

1. In a sampled block each set of asked items is equally likely. Where there are respondents enough for every set, their
   counts are compared by χ²; else how often each item was asked, with the covariance of drawing without replacement.
2. A record has at least the chance that noise alone gives it, and at most that of the truth that makes it likeliest:
   min_x R(y|x) ≤ P(y) ≤ max_x R(y|x). The same holds for every event y on one, two or three items of a block. The
   binomial tail beyond such a bound is an exact test, whatever the truth. Of a list of words, of which a record shows
   one, the events are its words or groups, that no word was sent, and rows that no device makes.

One answer whose share is known, or lies between bounds, is one more such test: records match it with a known chance.
Where people draw with one of two lists, in which a button means the opposite, both give the same share of yes if people
follow (Heck, Hoffmann and Moshagen 2018).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design.block import Block
from privacy.design.channels import WordList
from privacy.design.items import Item
from privacy.design.patterns import Pattern
from privacy.design.plans import Sketched
from privacy.design.sentences import Said
from privacy.errors import InputError
from privacy.estimate.intervals import two_sided
from privacy.estimate.weights import line_of, obstacle
from privacy.own_draw.person_draw import LOOK, LOOKS
from privacy.reconstruct.group_difference import LEVEL, holm
from privacy.records.records import Records

_ENOUGH = 5.0  # respondents expected for each set, for χ² to hold
_LONGEST = 3
_ODD = np.bitwise_count(np.arange(2**_LONGEST)) % 2 == 1  # the cells that hold an odd number of matches
_MOST = 600  # combinations of items looked at in one block
_NO_RECORD = "rows that no device makes"
ASKED, ANSWERS, KNOWN, LISTS = "asked", "answers", "anchor", "two lists"


@dataclass(frozen=True)
class FitTest:
    """One test of one block (counted from 1), what it finds farthest off, and p; `corrected` by Holm over all tests."""

    block: int
    of: str
    n: int
    at: str
    p: float
    corrected: float = math.nan

    @property
    def found(self) -> bool:
        """Whether the records do not fit the design."""
        return self.corrected < LEVEL


def tests_of_fit(records: Records, known: Sequence[tuple[Pattern, float, float]]) -> tuple[FitTest, ...]:
    """Test each block of records, and answers whose share among disguised people lies between two `known` bounds.

    >>> import candor, pandas as pd
    >>> from privacy.design.patterns import parse_pattern
    >>> design = candor.models.warner(["never"], theta=0.8)
    >>> records = candor.disguise(pd.DataFrame({"never": [1] * 200 + [0] * 800}), design, seed=7)
    >>> [(test.of, test.found) for test in tests_of_fit(records, [(parse_pattern("never", design), 0, 0)])]
    [('answers', False), ('anchor', True)]
    """
    tests: list[FitTest] = []
    design, looks = records.design, records.open_columns.get(LOOK)
    for place, (block, first) in enumerate(zip(design.blocks, design.first_columns, strict=True), start=1):
        codes = records.codes[:, first : first + len(block.items)]
        asked, disguised = codes != design.not_asked, ~records.direct
        if block.items_per_person < len(block.items):
            tests.append(FitTest(place, ASKED, len(codes), *_farthest_item(block, asked)))
        by_item = block.distribution is None and block.patterns.by_record is None
        if disguised.any() and ((by_item and not block.leaks) or block.patterns.word_list is not None):
            found = _test_answers(block, codes[disguised], asked[disguised])
            tests.append(FitTest(place, ANSWERS, int(disguised.sum()), *found))
        if looks is not None and block.draw and block.draw.way.look:
            p = _test_lists(codes[:, 0] == 1, np.asarray(looks) == LOOKS[0])
            tests.append(FitTest(place, LISTS, len(codes), block.items[0].id, p))
    tests += [_test_known(records, *answer) for answer in known]
    corrected = holm(np.array([test.p for test in tests]))
    return tuple(replace(test, corrected=float(p)) for test, p in zip(tests, corrected, strict=True))


def _test_lists(yes: Bools, first: Bools) -> float:
    """p of records that say yes as often in both lists: χ² of a table of four."""
    people, said = np.bincount(first, minlength=2), np.bincount(first, yes, minlength=2)
    share = float(yes.mean()) if len(yes) else 0.0
    if not people.all() or not 0 < share < 1:
        return 1.0
    apart = said[1] / people[1] - said[0] / people[0]
    return float(two_sided(apart / np.sqrt(share * (1 - share) * (1 / people).sum())))


def _test_known(records: Records, pattern: Pattern, low: float, high: float) -> FitTest:
    """Test whether one answer comes as often as its known share demands: an exact binomial test."""
    design, name = records.design, pattern.text(records.design)
    if refusal := obstacle(design, pattern, "stratified"):
        raise InputError(refusal)
    ((column, options),) = pattern.literals
    start, kept = line_of(design, pattern)
    codes = records.codes[~records.direct, column]
    codes = codes[codes != design.not_asked]
    if not len(codes):
        raise InputError(f"No disguised respondent was asked {name!r}.")
    matches = np.isin(codes, sorted(options)).sum(keepdims=True)
    least, most = np.sort(np.clip(start + kept * np.array([low, high]), 0.0, 1.0))
    _event, p = _least_likely(matches, len(codes), np.array([least]), np.array([most]))
    share = float(matches[0] / len(codes) - start) / float(kept)
    at = f"{name}: {share:.3g} where {min(max(share, low), high):g} is known"
    return FitTest(design.place(column)[0] + 1, KNOWN, len(codes), at, min(2 * p, 1.0))


def _farthest_item(block: Block, asked: np.ndarray) -> tuple[str, float]:
    """The item that was asked too often or too seldom, and p of the test."""
    from scipy.special import chdtrc  # slow to import, and most commands do without

    n, size, ask = len(asked), len(block.items), block.items_per_person
    share = ask / size
    counts = asked.sum(axis=0)
    farthest = block.items[int(np.argmax(abs(counts - n * share)))].id
    sets = math.comb(size, ask)
    if n / sets >= _ENOUGH:
        expected = n / sets
        _, seen = np.unique(np.packbits(asked, axis=1), axis=0, return_counts=True)
        square = float(((seen - expected) ** 2).sum() / expected + (sets - len(seen)) * expected)
        return farthest, float(chdtrc(sets - 1, square))
    square = float(((counts - n * share) ** 2).sum() / (n * share * (1 - share)) * (size - 1) / size)
    return farthest, float(chdtrc(size - 1, square))


def _test_answers(block: Block, codes: np.ndarray, asked: np.ndarray) -> tuple[str, float]:
    """The answers farthest beyond what any truth can give, and p: Bonferroni over all events and both bounds."""
    if (words := block.patterns.word_list) is not None:
        return _test_words(words, codes)
    worst, at, tried = 1.0, "", 0
    for places in _item_combinations(block):
        here = asked[:, places].all(axis=1)
        n = int(here.sum())
        own = codes[here][:, places]
        items = [block.items[place] for place in places]
        for options in product(*(range(item.boolean, len(item.options)) for item in items)):  # of a yes/no item its yes
            least, most = _bounds_of_cells(block, places, options)
            cells = (own == options) @ (1 << np.arange(len(places)))
            counts = np.bincount(cells, minlength=2 ** len(places))
            seen = counts if len(places) == 1 else np.append(counts, counts[_ODD[: len(counts)]].sum())
            event, p = _least_likely(seen, n, least[: len(seen)], most[: len(seen)])
            tried += 2 * len(seen)
            if p < worst:
                worst, at = p, _describe_event(items, options, event)
    return at, min(worst * tried, 1.0)


def _test_words(words: WordList, codes: np.ndarray) -> tuple[str, float]:
    """What records of a list show farthest beyond what any truth can give, and p as of other answers."""
    counts, (least, most) = words.count(codes), words.bounds
    seen = np.append(len(codes) - counts.sum(), counts)  # first rows that are no record of the list, which nobody sends
    event, p = _least_likely(seen, len(codes), np.append(0.0, least), np.append(0.0, most))
    said = words.describe(event - 1) if event else _NO_RECORD
    return str(said) if isinstance(said, Said | str) else ",".join(said), min(p * 2 * len(seen), 1.0)


def _least_likely(seen: np.ndarray, n: int, least: Floats, most: Floats) -> tuple[int, float]:
    """The event farthest beyond its least or greatest chance, and its tail; of n records `seen` show each event."""
    from scipy.special import bdtr, bdtrc

    below = np.where(seen < n, bdtr(seen, n, least), 1.0)
    above = np.where(seen > 0, bdtrc(seen - 1, n, most), 1.0)
    tails = np.minimum(below, above)
    event = int(tails.argmin())
    return event, float(tails[event])


def _item_combinations(block: Block) -> Iterator[list[int]]:
    """Combinations of one, two and three items, as long as they are not too many."""
    tried = 0
    for length in range(1, min(_LONGEST, block.items_per_person) + 1):
        tried += math.comb(len(block.items), length)
        if tried > _MOST and length > 1:
            return
        yield from map(list, combinations(range(len(block.items)), length))


def _bounds_of_cells(block: Block, places: Sequence[int], options: Sequence[int]) -> tuple[Floats, Floats]:
    """The least and the greatest chance of each cell, and of an odd number of matches, over all truths."""
    noise = [block.patterns.noise(place, frozenset((option,))) for place, option in zip(places, options, strict=True)]
    channel = block.sketch(tuple(range(len(block.items)))).channel
    return _event_bounds(channel, tuple(0.0 if math.isnan(chance) else chance for chance in noise))


@cache
def _event_bounds(channel: Sketched, noise: tuple[float, ...]) -> tuple[Floats, Floats]:
    """The least and the greatest chance of each cell, then of an odd number of matches, over all truths."""
    chances = channel.chances(np.array([noise]))[0]
    events = np.clip(np.column_stack([chances, chances[:, _ODD[: len(chances)]].sum(axis=1)]), 0.0, 1.0)
    return events.min(axis=0), events.max(axis=0)


def _describe_event(items: Sequence[Item], options: Sequence[int], event: int) -> str:
    """The answers of an event of `_event_bounds`, as given or not, or an odd number of them given."""
    names = [
        item.id if item.boolean else f"{item.id}={item.options[option]}"
        for item, option in zip(items, options, strict=True)
    ]
    if event == 2 ** len(items):
        return f"an odd number of {','.join(names)}"
    return ",".join(name if event >> bit & 1 else f"!{name}" for bit, name in enumerate(names))
