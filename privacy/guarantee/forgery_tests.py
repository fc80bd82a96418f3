"""Traces that forged responses leave: what is public of the records does not follow the design.

Three things hold of records that honest devices made, whatever the true answers are.

1. In a sampled block each set of asked items is equally likely. Where there are respondents enough for every set, their
   counts are compared by χ²; else how often each item was asked, with the covariance of drawing without replacement.
2. What is asked is drawn whatever the answers are: an item is answered yes as often by those who were asked another
   item, too, as by those who were not.
3. A record has at least the chance that noise alone gives it, and at most that of the truth that makes it likeliest:
   min_x R(y|x) ≤ P(y) ≤ max_x R(y|x). The same holds for every event y on one, two or three items of a block. The
   binomial tail beyond such a bound is an exact test, whatever the truth. Of a list of words, of which a record shows
   one, the events are its words or groups, that no word was sent, and rows that no device makes.

Two tests more need something known beside the records. An *anchor* is an answer whose share among respondents is
known: records then match it with a known chance, by an exact binomial test. Two *arms* of respondents, drawn by lot and
disguised by different designs, must lead to the same shares. Where a share b of devices does not disguise, an answer of
share π is matched with the chance (1 − b)(c + dπ) + bπ in place of c + dπ; where a share r answers at random, with
c + d((1 − r)π + r/2). Both tests tell the least such share that they find in four of five surveys, at the level that
Holm leaves them where no other test of the survey finds anything.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from statistics import NormalDist
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.block import Block
from privacy.design.channels import Floats, WordList
from privacy.design.items import Item
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.plans import Sketched
from privacy.design.sentences import Said
from privacy.errors import InputError, to_translate
from privacy.estimate.weights import channel_of, factors, obstacle
from privacy.output import count_of, to_json_value
from privacy.reconstruct.group_difference import holm
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns, data_frame

LEVEL = 0.05
_POWER = 0.8
_MANY = 200  # people expected in each cell of a table of four; then the normal tails are right
_ENOUGH = 5.0  # respondents expected for each set, for χ² to hold
_LONGEST = 3
_STEPS = 10_000  # of the least share that would be found
_MOST = 600  # combinations of items looked at in one block
_NO_RECORD = to_translate("rows that no device makes")
ASKED, TOGETHER, ANSWERS, ANCHOR, ARMS = "asked", "asked and answers", "answers", "anchor", "two arms"


@dataclass(frozen=True)
class SeenAnswer:
    """An answer as patterns name it, such as `drugs` or `age=50+`; with `given` False, that it was not given."""

    literal: str
    given: bool = True
    boolean: bool = False

    def __str__(self) -> str:
        return self.literal if self.given else f"!{self.literal}"


@dataclass(frozen=True)
class Farthest:
    """What is farthest off: an item, an answer beside one, or answers given together (or an odd number of them).

    `said` is what a record of a list shows that is no word. With an anchor or two arms, `shares` are that of the answer
    and the known one, or those of both arms.
    """

    item: str = ""
    answers: tuple[SeenAnswer, ...] = ()
    odd: bool = False
    shares: tuple[float, ...] = ()
    said: Said | None = None

    def __str__(self) -> str:
        answers = ("an odd number of " if self.odd else "") + ",".join(map(str, self.answers))
        return " / ".join(filter(None, (answers, self.item, str(self.said or ""))))


@dataclass(frozen=True)
class Trace:
    """One test of one block (counted from 1). `off` is the item or the answers that are farthest off, `at` its text.

    `corrected` is p by Holm over all tests of the survey. `bypass` and `random` are the least shares of devices that do
    not disguise, and of respondents who answer at random, that this test finds in four of five surveys.
    """

    block: int
    of: str
    n: int
    off: Farthest
    p: float
    corrected: float = math.nan
    bypass: float | None = None
    random: float | None = None

    @property
    def at(self) -> str:
        if not self.off.shares:
            return str(self.off)
        share, other = self.off.shares
        beside = f"where {other:g} is known" if self.of == ANCHOR else f"and {other:.3g}"
        return f"{self.off}: {share:.3g} {beside}"

    @property
    def found(self) -> bool:
        return self.corrected < LEVEL


@dataclass(frozen=True, repr=False)
class Traces(Result):
    """Tests of what forged records leave; `candor.traces` makes it."""

    n: int
    tests: tuple[Trace, ...]
    named: bool = True  # whether the records surely have this design: their file names it, or they were disguised here

    @property
    def departing(self) -> tuple[Trace, ...]:
        """List the tests that say that the records do not follow the design."""
        return tuple(test for test in self.tests if test.found)

    @property
    def found(self) -> bool:
        """Whether some test finds that the records do not follow the design."""
        return bool(self.departing)

    def contents(self) -> Iterator[str | TextColumns]:
        yield count_of(self.n, "record")
        rows = [[test.block, test.of, test.n, test.at, test.p, test.corrected] for test in self.tests]
        yield TextColumns(["block", "test of", "n", "farthest off", "p", "corrected p"], rows)
        for test in self.tests:
            if test.of in (ANCHOR, ARMS):
                yield from _say_power(test)
        yield ""
        if self.found:
            yield "The records do not follow the design: responses may be forged, or a device did not disguise."
        elif not self.tests:
            yield "Nothing was tested: there is no test for such records."
        else:
            yield "The records fit the design. Carefully forged records leave no trace."
            if not self.named:
                yield "These records do not name their design, so nobody can know from them whether this is the one."

    def to_frame(self) -> DataFrame:
        """Return a row for each test."""
        return data_frame(self.to_json()["tests"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor traces`."""
        names = ("block", "of", "n", "at", "p", "corrected", "bypass", "random", "found")
        return to_json_value(
            {"n": self.n, "tests": [{name: getattr(test, name) for name in names} for test in self.tests]}
        )


def _say_power(test: Trace) -> Iterator[str]:
    """Sentences that say what a test of an anchor or of two arms can find."""
    kinds = [("devices that do not disguise", test.bypass), ("random answers", test.random)]
    parts = [f"{kind} from {math.ceil(round(100 * share, 2))} % on" for kind, share in kinds if share is not None]
    yield ""
    yield f"The test of {test.of} finds {' and '.join(parts) or 'neither'} in four of five surveys."


def traces(records: Records, *, anchors: Mapping[str, float] | None = None, other: Records | None = None) -> Traces:
    """Test whether records follow their design in what is public of them.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    anchors : mapping of str to float, optional
        Answers, such as ``drugs`` or ``age=50+``, with the share that is known of the disguised respondents.
    other : Records, optional
        Those of a second arm: of respondents whom the lot gave another design.

    Returns
    -------
    Traces
        For each block whether what was asked, answers by what else was asked, and the answers themselves can have come
        from the design, whatever is true of the respondents; then whether anchors come out as known, and arms alike.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> design = candor.models.improved_grouped(["drugs", "cheating", "theft"], p=0.5, theta=0.5, ask=2)
    >>> frame = pd.DataFrame({"drugs": [0] * 900, "cheating": [0] * 900, "theft": [0] * 900})
    >>> candor.traces(candor.disguise(frame, design, seed=1)).found
    False
    """
    require_records(records)
    if other is not None:
        require_records(other)
    given = [] if anchors is None else arguments.pairs(anchors, "anchors")
    known = {
        arguments.text(answer, "anchors"): arguments.number(share, f"anchors[{answer!r}]") for answer, share in given
    }
    tests: list[Trace] = []
    design = records.design
    for place, (block, first) in enumerate(zip(design.blocks, design.first_columns, strict=True), start=1):
        codes = records.codes[:, first : first + len(block.items)]
        asked, disguised = codes != design.not_asked, ~records.direct
        for of in _tests_of(block):
            if of == ASKED:
                tests.append(Trace(place, of, len(codes), *_farthest_item(block, asked)))
            elif disguised.any():
                found = (_test_together if of == TOGETHER else _test_answers)(block, codes[disguised], asked[disguised])
                tests.append(Trace(place, of, int(disguised.sum()), *found))
    level = LEVEL / max(len(tests) + len(known) + (other is not None), 1)
    tests += [_test_anchor(records, text, share, level) for text, share in known.items()]
    if other is not None:
        tests.append(_test_arms(records, other, level))
    corrected = holm(np.array([test.p for test in tests]))
    shown = tuple(replace(test, corrected=float(own)) for test, own in zip(tests, corrected, strict=True))
    return Traces(len(records), shown, records.named)


def _tests_of(block: Block) -> list[str]:
    """The tests of a block that has neither an anchor nor a second arm."""
    sampled = block.items_per_person < len(block.items)
    by_item = block.distribution is None and block.patterns.by_record is None
    bounded = (by_item and not block.leaks) or block.patterns.word_list is not None
    return [ASKED] * sampled + [TOGETHER] * (sampled and by_item) + [ANSWERS] * bounded


@dataclass(frozen=True)
class _Seen:
    """One answer in the disguised records: P(record matches) = c + d·π, and how many of n match."""

    c: float
    d: float
    n: int
    matches: int

    @property
    def share(self) -> float:
        return (self.matches / self.n - self.c) / self.d

    @property
    def variance(self) -> float:
        seen = (self.matches + 0.5) / (self.n + 1)
        return seen * (1 - seen) / (self.n * self.d**2)


def _count_matches(records: Records, pattern: Pattern) -> _Seen:
    """How the disguised records show the one answer of a pattern; refused where it is several, or shown by none."""
    design = records.design
    name = pattern.text(design)
    if len(pattern.literals) != 1:
        raise InputError(f"{name!r} is not one answer.")
    if refusal := obstacle(design, pattern, "stratified"):
        raise InputError(refusal)
    ((column, options),) = pattern.literals
    c, d = channel_of([factors(design, pattern)]).line()
    codes = records.codes[~records.direct, column]
    codes = codes[codes != design.not_asked]
    if not len(codes):
        raise InputError(f"No disguised respondent was asked {name!r}.")
    return _Seen(float(c[0]), float(d[0]), len(codes), int(np.isin(codes, sorted(options)).sum()))


def _test_anchor(records: Records, text: str, known: float, level: float) -> Trace:
    """Test whether an answer comes as often as its known share demands."""
    from scipy.special import bdtr, bdtrc

    if not 0 < known < 1:
        raise InputError(f"anchor: {known!r} is not a share between 0 and 1.")
    pattern = parse_pattern(text, records.design)
    seen = _count_matches(records, pattern)
    chance = seen.c + seen.d * known
    below = float(bdtr(seen.matches, seen.n, chance))
    above = float(bdtrc(seen.matches - 1, seen.n, chance)) if seen.matches else 1.0
    place = records.design.place(pattern.columns[0])[0] + 1
    off = Farthest(answers=(SeenAnswer(text),), shares=(seen.share, known))
    bypass, random = _powers(seen.c, seen.d, known, seen.n, level)
    return Trace(place, ANCHOR, seen.n, off, min(2 * min(below, above), 1.0), bypass=bypass, random=random)


def finds(design: Design, answer: str, known: float, respondents: int) -> tuple[float | None, float | None]:
    """Compute the least shares of faults that an anchor finds in four of five surveys.

    `known` is the share of the anchor `answer`. The least share of devices that do not disguise, and that of people
    who answer at random; None: not even all. The anchor shares the level with the other tests of the design.

    >>> from privacy.design import Design
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "born", "theta": 0.5}]}]})
    >>> [round(share, 2) for share in finds(design, "born", 0.25, 1000)]
    [0.38, 0.38]
    """
    pattern = parse_pattern(answer, design)
    c, d = channel_of([factors(design, pattern)]).line()
    block = design.blocks[design.place(pattern.columns[0])[0]]
    asked = round(respondents * block.items_per_person / len(block.items))
    level = LEVEL / (1 + sum(len(_tests_of(block)) for block in design.blocks))
    return _powers(float(c[0]), float(d[0]), known, asked, level)


def _powers(c: float, d: float, known: float, n: int, level: float) -> tuple[float | None, float | None]:
    """The least share of devices that bypass the disguise, and of random answers, that n records show in most surveys.

    None: not even if nearly all did. Rounded up to a whole number of ten thousandths.
    """
    from scipy.special import bdtr

    def fewer(than: int, chance: float) -> float:
        return float(bdtr(than - 1, n, chance)) if than else 0.0

    chance = c + d * known
    few, rest = (bisect_left(range(n + 1), level / 2, key=lambda k: float(bdtr(k, n, p))) for p in (chance, 1 - chance))

    def least(moved_by_all: float) -> float | None:
        def finds(share: int) -> float:
            moved = chance + share / _STEPS * moved_by_all
            return fewer(few, moved) + fewer(rest, 1 - moved)

        share = bisect_left(range(_STEPS), _POWER, key=finds)
        return share / _STEPS if share < _STEPS else None

    return least(known - chance), least(d * (0.5 - known))


def _test_arms(records: Records, other: Records, level: float) -> Trace:
    """The answer in which two arms differ most, and p: Bonferroni over all answers of both."""
    from scipy.special import ndtr

    theirs = {item.id: item for item in other.design.items}
    tests, moves = [], []
    for column, item in enumerate(records.design.items):
        if not item.has_options or item.id not in theirs or theirs[item.id].options != item.options:
            continue
        for option in range(1 if item.boolean else 0, len(item.options)):
            literal = _literal_text(item, option)
            one, two = (_count_matches(each, parse_pattern(literal, each.design)) for each in (records, other))
            variance = one.variance + two.variance
            share = min(max((one.share * two.variance + two.share * one.variance) / variance, 0.0), 1.0)
            moved = [(share - seen.c - seen.d * share) / seen.d for seen in (one, two)]
            off = Farthest(answers=(SeenAnswer(literal),), shares=(one.share, two.share))
            p = float(2 * ndtr(-abs(one.share - two.share) / math.sqrt(variance)))
            moves.append(abs(moved[0] - moved[1]) / math.sqrt(variance))
            tests.append(Trace(records.design.place(column)[0] + 1, ARMS, one.n + two.n, off, p))
    if not tests:
        raise InputError("The two arms have no question in common.")
    worst = min(tests, key=lambda test: test.p)
    normal = NormalDist()
    reach = normal.inv_cdf(1 - level / len(tests) / 2) + normal.inv_cdf(_POWER)
    bypass = reach / max(moves) if max(moves) > reach else None
    return replace(worst, p=min(worst.p * len(tests), 1.0), bypass=bypass)


def _farthest_item(block: Block, asked: np.ndarray) -> tuple[Farthest, float]:
    """The item that was asked too often or too seldom, and p of the test."""
    from scipy.special import chdtrc  # slow to import, and most commands do without

    n, size, ask = len(asked), len(block.items), block.items_per_person
    share = ask / size
    counts = asked.sum(axis=0)
    farthest = Farthest(block.items[int(np.argmax(abs(counts - n * share)))].id)
    sets = math.comb(size, ask)
    if n / sets >= _ENOUGH:
        expected = n / sets
        _, seen = np.unique(np.packbits(asked, axis=1), axis=0, return_counts=True)
        square = float(((seen - expected) ** 2).sum() / expected + (sets - len(seen)) * expected)
        return farthest, float(chdtrc(sets - 1, square))
    square = float(((counts - n * share) ** 2).sum() / (n * share * (1 - share)) * (size - 1) / size)
    return farthest, float(chdtrc(size - 1, square))


def _test_together(block: Block, codes: np.ndarray, asked: np.ndarray) -> tuple[Farthest, float]:
    """The answer that depends most on the other items asked, and p: Bonferroni over all answers and other items."""
    worst, off, tried = 1.0, Farthest(), 0
    for place, item in enumerate(block.items):
        here = asked[:, place]
        others = asked[here]
        among = others.sum(axis=0).tolist()
        for option in range(1 if item.boolean else 0, len(item.options)):
            says = codes[here, place] == option
            both = others[says].sum(axis=0).tolist()
            for other, name in enumerate(block.items):
                if other == place:
                    continue
                tried += 1
                p = _fisher_test(both[other], int(says.sum()), among[other], len(says))
                if p < worst:
                    worst, off = p, Farthest(name.id, (_answer_of_option(item, option),))
    return off, min(worst * tried, 1.0)


def _fisher_test(both: int, says: int, among: int, n: int) -> float:
    """Fisher's exact test (1935), two-sided, of whether an answer depends on being asked the other item."""
    from scipy.special import gammaln, ndtr

    if not 0 < among < n or not 0 < says < n:
        return 1.0
    if min(says, n - says) * min(among, n - among) / n > _MANY:
        spread = math.sqrt(says * (n - says) * among * (n - among) / (n * n * (n - 1)))
        return float(2 * ndtr(-abs(both - says * among / n) / spread))
    counts = np.arange(max(0, among + says - n), min(says, among) + 1)
    ways = -(gammaln(counts + 1) + gammaln(says - counts + 1) + gammaln(among - counts + 1))
    ways -= gammaln(n - says - among + counts + 1)
    chances = np.exp(ways - ways.max())
    chances /= chances.sum()
    return min(2 * min(float(chances[counts <= both].sum()), float(chances[counts >= both].sum())), 1.0)


def _test_answers(block: Block, codes: np.ndarray, asked: np.ndarray) -> tuple[Farthest, float]:
    """The answers farthest beyond what any truth can give, and p: Bonferroni over all events and both bounds."""
    if (words := block.patterns.word_list) is not None:
        return _test_words(words, codes)
    worst, off, tried = 1.0, Farthest(), 0
    for places in _item_combinations(block):
        here = asked[:, places].all(axis=1)
        n = int(here.sum())
        own = codes[here][:, places]
        for options in _option_choices(block, places):
            least, most = _bounds_of_cells(block, places, options)
            cells = (own == options) @ (1 << np.arange(len(places)))
            counts = np.bincount(cells, minlength=2 ** len(places))
            seen = counts if len(places) == 1 else np.append(counts, counts[_odd(len(counts))].sum())
            event, p = _least_likely(seen, n, least[: len(seen)], most[: len(seen)])
            tried += 2 * len(seen)
            if p < worst:
                worst, off = p, _describe_event(block, places, options, event)
    return off, min(worst * tried, 1.0)


def _test_words(words: WordList, codes: np.ndarray) -> tuple[Farthest, float]:
    """What records of a list show farthest beyond what any truth can give, and p as of other answers."""
    counts, (least, most) = words.count(codes), words.bounds
    seen = np.append(len(codes) - counts.sum(), counts)  # first rows that are no record of the list, which nobody sends
    event, p = _least_likely(seen, len(codes), np.append(0.0, least), np.append(0.0, most))
    said = words.describe(event - 1) if event else Said(_NO_RECORD, {})
    off = Farthest(said=said) if isinstance(said, Said) else Farthest(answers=tuple(map(SeenAnswer, said)))
    return off, min(p * 2 * len(seen), 1.0)


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


def _option_choices(block: Block, places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """An option for each item: of a yes/no item its yes."""
    every = [range(1, 2) if block.items[place].boolean else range(len(block.items[place].options)) for place in places]
    yield from product(*every)


def _bounds_of_cells(block: Block, places: Sequence[int], options: Sequence[int]) -> tuple[Floats, Floats]:
    """The least and the greatest chance of each cell, and of an odd number of matches, over all truths."""
    noise = [block.patterns.noise(place, frozenset((option,))) for place, option in zip(places, options, strict=True)]
    channel = block.sketch(tuple(range(len(block.items)))).channel
    return _event_bounds(channel, tuple(0.0 if math.isnan(chance) else chance for chance in noise))


@cache
def _event_bounds(channel: Sketched, noise: tuple[float, ...]) -> tuple[Floats, Floats]:
    """The least and the greatest chance of each cell, then of an odd number of matches, over all truths."""
    chances = channel.chances(np.array([noise]))[0]
    events = np.clip(np.column_stack([chances, chances[:, _odd(len(chances))].sum(axis=1)]), 0.0, 1.0)
    return events.min(axis=0), events.max(axis=0)


def _odd(cells: int) -> np.ndarray:
    """Which cells hold an odd number of matches."""
    return np.bitwise_count(np.arange(cells)) % 2 == 1


def _describe_event(block: Block, places: Sequence[int], options: Sequence[int], event: int) -> Farthest:
    """The answers of an event of `_event_bounds`, as given or not, or an odd number of them given."""
    answers = [_answer_of_option(block.items[place], option) for place, option in zip(places, options, strict=True)]
    if event == 2 ** len(places):
        return Farthest(answers=tuple(answers), odd=True)
    return Farthest(answers=tuple(replace(one, given=bool(event >> bit & 1)) for bit, one in enumerate(answers)))


def _answer_of_option(item: Item, option: int) -> SeenAnswer:
    return SeenAnswer(_literal_text(item, option), boolean=item.boolean)


def _literal_text(item: Item, option: int) -> str:
    return item.id if item.boolean else f"{item.id}={item.options[option]}"
