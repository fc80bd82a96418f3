"""The likeliest 32 itemsets of a table by SVSM, by one wave and by two waves of a list of words.

The tables: retail, 88 162 baskets of a Belgian supermarket (Brijs and others 1999), of which the 50 commonest articles
are taken; and a made one, in which six classes of people have habits of their own. Itemsets have up to three items.
One wave asks everybody for a list of all single items and pairs. Two waves ask three in ten people for single items,
and the others for what `second_list` makes of that.

NCR (normalised cumulative rank) and F1 compare the 32 that are reported with the true ones: an itemset counts from 32
for the commonest to 1 for the last of them, or 1 each. The relative error is the median over those that are among both.
Coverage is that of the 95 % intervals of true ones on the list. Everything is simulated exactly, from the chances of
each word for each set of true answers.
"""

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import exp, log, nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papers import about, write_chart, write_table
from papers.padding_and_sampling import Itemset, svsm
from papers.reference import reference_file
from papers.simulate import portable_generator, split
from privacy.arrays import Floats
from privacy.design import Design, Item
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.lists import words_up_to
from privacy.design.blocks.one_of.waves import first_list, list_by_length, second_list, shrink
from privacy.design.rationals import ONE
from privacy.draw.chart import Axis, Line, chart
from privacy.reconstruct.words_sent import ShownWords
from privacy.records import Records

TITLE = "The likeliest itemsets: SVSM, one wave and two waves of a list of words, by ε"
ABOUT = about("private_mining")

RETAIL = "itemsets/retail.dat.gz"
DATA = (RETAIL,)
ITEMS, WANTED, LONGEST, SEEDS = 50, 32, 3, 20
EPSILONS = {"1": 1.0, "2": 2.0, "ln 19": log(19), "4": 4.0}
FIRST = 0.3  # of the people are asked in the first wave
ONE_CAP, ONE_LOSSES = Fraction(10), {1: Fraction(12), 2: Fraction(40)}  # of the only wave: four answers and their pairs
Z = 1.96
HEADINGS = ["table", "epsilon", "method", "ncr", "f1", "relative_error", "coverage", "on the list"]


@dataclass(frozen=True)
class AnswerSets:
    """Different sets of answers, which of them each person has, and what is true."""

    name: str
    answers: NDArray[np.uint8]
    person: NDArray[np.intp]
    shares: dict[Itemset, float]

    @property
    def likeliest(self) -> list[Itemset]:
        """The truly commonest itemsets, in their order."""
        return sorted(self.shares, key=lambda share: -self.shares[share])[:WANTED]


@dataclass(frozen=True)
class Found:
    """What a method reports, and the intervals of all itemsets on its list."""

    supports: dict[Itemset, float]
    intervals: dict[Itemset, tuple[float, float]]


def table_of(name: str, rows: NDArray[np.uint8]) -> AnswerSets:
    """A table with the shares of all its itemsets of up to three items."""
    packed = np.ascontiguousarray(np.packbits(rows, axis=1))
    keys = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, person = np.unique(keys, return_index=True, return_inverse=True)
    answers, people = rows[first], np.bincount(person) / len(rows)
    held = answers.astype(float)
    shares: dict[Itemset, float] = {}
    for item in range(rows.shape[1]):
        having = held * (people * held[:, item])[:, np.newaxis]
        shares[item,] = float(having[:, item].sum())
        pairs, triples = having.sum(axis=0), held.T @ having
        for other in range(item + 1, rows.shape[1]):
            shares[item, other] = float(pairs[other])
            shares |= {(item, other, third): float(triples[other, third]) for third in range(other + 1, rows.shape[1])}
    return AnswerSets(name, answers, person, shares)


@cache
def retail() -> AnswerSets:
    """The 50 commonest articles of retail, the commonest first."""
    with gzip.open(reference_file(RETAIL), "rt") as file:
        baskets = [np.array(line.split(), np.int64) for line in file]
    numbers = np.concatenate(baskets)
    basket = np.repeat(np.arange(len(baskets)), [len(basket) for basket in baskets])
    commonest = np.argsort(-np.bincount(numbers), kind="stable")[:ITEMS]
    column = np.full(numbers.max() + 1, -1)
    column[commonest] = np.arange(ITEMS)
    rows = np.zeros((len(baskets), ITEMS), np.uint8)
    known = column[numbers] >= 0
    rows[basket[known], column[numbers[known]]] = 1
    return table_of("retail", rows)


@cache
def classes() -> AnswerSets:
    """60 000 people of six classes, and 50 items that each class has more or less often."""
    chance = np.random.default_rng(6)
    habits = (chance.beta(0.6, 8, (1, ITEMS)) * chance.gamma(1, 1, (6, ITEMS))).clip(max=0.9)
    people = chance.choice(6, 60_000, p=[0.4, 0.25, 0.15, 0.1, 0.06, 0.04])
    return table_of("classes", (chance.random((len(people), ITEMS)) < habits[people]).astype(np.uint8))


@dataclass(frozen=True)
class SetChannel:
    """What each person sends at least as often as anybody, and what those with each set of answers send beyond that."""

    least: NDArray[np.int64]
    rest: int
    ends: NDArray[np.int64]
    sent: NDArray[np.intp]


def channel_of(block: OneOfBlock, answers: NDArray[np.uint8]) -> SetChannel:
    """What people with each of these sets of answers send, by the numerators of the block's chances."""
    chances = block.numerators(answers)
    chances = np.concatenate([chances, ONE - chances.sum(axis=1, keepdims=True)], axis=1)
    least = chances.min(axis=0)
    chances -= least
    row, sent = np.nonzero(chances)
    return SetChannel(least, ONE - int(least.sum()), np.cumsum(chances[row, sent]), sent)


def send(channel: SetChannel, people: NDArray[np.intp], random: np.random.Generator) -> NDArray[np.int64]:
    """How many records show each word, each loss word, and nothing, of people by their sets of answers."""
    own = people[random.random(len(people)) < channel.rest / ONE]
    shown = channel.sent[
        np.searchsorted(channel.ends, own * channel.rest + random.integers(channel.rest, size=len(own)), "right")
    ]
    others = split(np.array(len(people) - len(own)), channel.least / channel.least.sum(), portable_generator(random))
    return others + np.bincount(shown, minlength=len(others))


def by_svsm(table: AnswerSets, epsilon: float, seed: int) -> Found:
    found = svsm(table.answers[table.person] == 1, WANTED, LONGEST, epsilon, np.random.default_rng(seed))
    intervals = {one: (share - Z * error, share + Z * error) for one, (share, error) in found.items()}
    return Found({one: share for one, (share, _) in found.items()}, intervals)


@cache
def _list_of_one_wave(table: str, epsilon: float) -> tuple[OneOfBlock, SetChannel]:
    answers = {"retail": retail, "classes": classes}[table]().answers
    items = _items(answers)
    words = words_up_to(items, [0] * len(items), 2)
    block = list_by_length(items, [0] * len(items), gamma_of(epsilon), ONE_CAP, words, ONE_LOSSES)
    return block, channel_of(block, answers)


def by_one_wave(table: AnswerSets, epsilon: float, seed: int) -> Found:
    block, channel = _list_of_one_wave(table.name, epsilon)
    return _findings_of_list(block, send(channel, table.person, np.random.default_rng(seed)))


def by_two_waves(table: AnswerSets, epsilon: float, seed: int) -> Found:
    random, gamma, items = np.random.default_rng(seed), gamma_of(epsilon), _items(table.answers)
    order = random.permutation(len(table.person))
    some, others = np.split(table.person[order], [int(FIRST * len(order))])
    first = first_list(items, [0] * len(items), gamma)
    counts = send(channel_of(first, table.answers), some, random)
    second = second_list(first, counts, gamma, len(others), WANTED)
    asked = table.answers[:, [int(item.id) for item in second.items]]
    more = send(channel_of(second, asked), others, random)
    return _findings_of_list(second, more, shrink((first, second), (counts, more)))


def _findings_of_list(block: OneOfBlock, counts: NDArray[np.int64], order: Floats | None = None) -> Found:
    """The likeliest words of a list in this order, or that of their shares, and the intervals of all of them."""
    codes = np.repeat(block.records, counts, axis=0).astype(np.uint8)
    records = Records(Design((block,), direct=False), codes, np.zeros(len(codes), bool))
    share, _, low, high = ShownWords.from_records(records, "records").figures(0.95)
    order = share if order is None else order
    names = [tuple(sorted(int(block.items[place].id) for place, _ in word.parts)) for word in block.words]
    best = np.argsort(-order, kind="stable")[:WANTED]
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return Found({names[one]: float(order[one]) for one in best}, dict(zip(names, ends, strict=True)))


METHODS = {"SVSM": by_svsm, "one wave": by_one_wave, "two waves": by_two_waves}


def gamma_of(epsilon: float) -> Fraction:
    """e^ε as a fraction that is not above it."""
    return Fraction(int(exp(epsilon) * 10**6 + 1e-3), 10**6)


def score(table: AnswerSets, found: Found) -> list[float]:
    """NCR, F1, the median relative error, the coverage, and how many of the true ones are on the list."""
    true = {one: WANTED - index for index, one in enumerate(table.likeliest)}
    hits = [support for support in found.supports if support in true]
    listed = [interval for interval in found.intervals if interval in true]
    errors = [abs(found.supports[hit] / table.shares[hit] - 1) for hit in hits]
    held = [found.intervals[one][0] <= table.shares[one] <= found.intervals[one][1] for one in listed]
    ncr = sum(true[hit] for hit in hits) / sum(true.values())
    error = float(np.median(errors)) if errors else nan
    return [ncr, len(hits) / WANTED, error, float(np.mean(held)), len(listed) / WANTED]


def measure(table: AnswerSets, epsilon: float, method: str, seeds: int = SEEDS) -> list[float]:
    """The means of the scores over surveys with this number of seeds."""
    scores = [score(table, METHODS[method](table, epsilon, seed)) for seed in range(seeds)]
    return [float(mean) for mean in np.nanmean(scores, axis=0)]


def tables() -> list[AnswerSets]:
    """The table of retail if its file is here, and the made one."""
    if not reference_file(RETAIL).exists():
        return [classes()]
    return [retail(), classes()]


def write(folder: Path) -> None:
    """private-mining.csv, and a picture of F1 where retail is."""
    rows = [
        [table.name, epsilon, method, *measure(table, EPSILONS[epsilon], method)]
        for table in tables()
        for epsilon in EPSILONS
        for method in ("SVSM", "two waves")
    ]
    write_table(folder / "private-mining.csv", HEADINGS, rows)
    if rows[0][0] == "retail":
        write_chart(folder / "private-mining.svg", _chart([row for row in rows if row[0] == "retail"]))


def _chart(rows: Sequence[Sequence[object]]) -> str:
    lines = []
    for method in ("SVSM", "two waves"):
        f1 = [float(str(row[4])) for row in rows if row[2] == method]
        lines.append(Line(method, list(EPSILONS.values()), f1, markers=True))
    return chart(
        "F1 of the 32 likeliest itemsets of retail, by ε", lines, Axis("ε"), Axis("F1", low=0.0, high=1.0),
        description=f"Means of {SEEDS} simulated surveys of {len(retail().person)} people.",
    )  # fmt: skip


def _items(answers: NDArray[np.uint8]) -> list[Item]:
    return [Item(str(number)) for number in range(answers.shape[1])]
