"""The list of words of a block as others ask it (`privacy.design.channels.WordList`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.listed_words import Part, Word
from privacy.design.blocks.one_of.waves import choose_list, draw_people, estimate_all, shrink, spread_people
from privacy.design.blocks.one_of.word_shares import UNSURE, count_words, estimate_words, weigh_words
from privacy.design.channels import Literal, Sent, WordCells
from privacy.design.rationals import ONE
from privacy.design.sentences import Said
from privacy.errors import InputError, to_translate

_LOSS = to_translate("the loss word of length {length}")
_NOTHING = to_translate("no word")
_GROUP = to_translate("group {number}")


@dataclass(frozen=True)
class BlockWords:
    """The list of a block, for figures of all its words (`privacy.design.channels.WordList`)."""

    block: OneOfBlock

    @property
    def words(self) -> list[tuple[tuple[str, ...], tuple[Literal, ...]]]:
        return self.block.with_literals

    @property
    def sent(self) -> list[Sent]:
        block = self.block
        answers = [
            (block.words_by_parts.get(((index, code),)), index)
            for index, (item, harmless) in enumerate(zip(block.items, block.harmless, strict=True))
            for code in range(len(item.options))
            if code != harmless
        ]
        alike = {(place, word and (word.base, word.own)) for word, place in answers}
        if self.corrects:
            return [*self._named(), *self._losses(), self._nothing()]
        if len(alike) > len(block.items) or any(word is None for word, _ in answers):
            return []
        sent = [*self._named()]
        first = len(sent)
        losses = block.records[-1 - len(block.losses) :]
        for loss, record, measured in zip(block.losses, losses, block.least_measured, strict=False):
            sent.append(Sent(record, loss.base / ONE, (loss.base + measured) / ONE))
        sent.append(self._nothing())
        if block.most_added > block.cap:
            most_lost, number = block.most_lost(1)
            place = -1 if number is None else first + number
            sent[place] = replace(sent[place], most_lost=most_lost)
        return sent

    def _named(self) -> Iterator[Sent]:
        """What a record may show that names a word, for each word."""
        for word, record in zip(self.block.words, self.block.records, strict=False):
            answer = word.parts[0] if len(word.parts) == 1 else None
            yield Sent(record, word.base / ONE, word.own / ONE, answer, word=self.block.answers(word))

    def _losses(self) -> Iterator[Sent]:
        """The loss words of a list that corrects: `own` of one who has lost a whole word of its length."""
        block = self.block
        for loss, record in zip(block.losses, block.records[len(block.words) :], strict=False):
            yield Sent(record, loss.base / ONE, (loss.base + block.least_effect(loss)) / ONE, loss=loss.length)

    def _nothing(self) -> Sent:
        return Sent(self.block.records[-1], self.block.blank / ONE, None)

    def count(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        return count_words(self.block, codes)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        block = self.block
        least, most = [*block.bases, block.least_blank], [*block.likeliest, block.blank]
        return np.array(least) / ONE, np.array(most) / ONE

    def describe(self, number: int) -> tuple[str, ...] | Said:
        rest = number - (len(self.block.bases) - len(self.block.losses))
        if rest < 0:
            return self._describe_named(number)
        if rest < len(self.block.losses):
            return Said(_LOSS, {"length": self.block.losses[rest].length})
        return Said(_NOTHING, {})

    def _describe_named(self, number: int) -> tuple[str, ...] | Said:
        """What the entry `number` of `count` counts, where it is a word (or group)."""
        return self.block.answers(self.block.words[number])

    def cells(self, codes: NDArray[Any], direct: NDArray[np.bool_]) -> WordCells:
        counts = self.count(codes[~direct])
        counts[-1] += (~direct).sum() - counts.sum()  # what is no record of the list names nothing
        return self.cells_of_counts(counts, self._true_of(codes[direct]), int(direct.sum()))

    def cells_of_counts(
        self, counts: NDArray[Any], true: NDArray[np.intp] | int = 0, direct: int = 0, *, scatter: Floats | None = None
    ) -> WordCells:
        block, disguised = self.block, round(float(counts.sum()))
        people = max(disguised + direct, 1)
        sizes, weights = self._weigh(counts)
        false = block.false_support(sizes[0, :2].sum() / max(disguised, 1)) * (disguised / people) ** 2
        lengths, least, lines = (
            np.array([len(own) for _, own in self.words]),
            self._least(sizes.shape[1]),
            self._lines(),
        )
        if scatter is not None:
            rows, sizes = (
                np.arange(len(sizes)).repeat(len(scatter)),
                _scatter_counts(sizes, scatter, len(block.losses) + 1),
            )
            weights, lengths, least = weights[rows], lengths[rows], least[rows]
            lines = lines and (lines[0][rows], lines[1][rows])
        lacking = np.maximum(least * disguised - sizes, 0)  # of those that are rare, in the mean
        mean = (sizes * weights).sum(axis=1) / max(disguised, 1)
        lost, most_lost = np.zeros_like(sizes), np.zeros(len(sizes))
        for length in {*lengths.tolist()} if block.most_added > block.cap else ():
            own = lengths == length
            most_lost[own], number = block.most_lost(length)
            if number is not None:
                loss, measured = block.losses[number], block.least_measured[number]
                lost[own] = -loss.base / measured
                lost[own, number - len(block.losses) - 1] += ONE / measured
        true = np.broadcast_to(true, len(sizes))
        apart = np.column_stack([true, direct - true])  # of whom the word is true, and all others
        return WordCells(
            np.hstack([sizes, apart]),
            np.hstack([weights, np.tile([1.0, 0.0], (len(true), 1))]),
            np.hstack([lost, np.zeros_like(apart)]),
            np.arange(sizes.shape[1] + 2) >= sizes.shape[1],
            most_lost,
            false + (lacking * ((weights - mean[:, np.newaxis]) / people) ** 2).sum(axis=1),
            lines,
        )

    def _weigh(self, counts: NDArray[Any]) -> tuple[Floats, Floats]:
        """Of each word the records that tell alike of it, the loss words and none last; and what each adds to it."""
        return weigh_words(self.block, counts)

    def _true_of(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        """Of how many of these answers each word is true."""
        return np.asarray(self.block.is_true(codes).sum(axis=0))

    def _least(self, columns: int) -> Floats:
        """The share of records in each column of `_weigh`, at least, where it is known: of those that name the word."""
        made = np.zeros((len(self.block.words), columns))
        made[:, 0] = np.array([word.base for word in self.block.words]) / ONE
        return made

    def _lines(self) -> tuple[Floats, Floats] | None:
        """c and d of the chance c + d·share that a record names each word; None where it is no line."""
        base, added = np.array([self.block.line_of(word) for word in self.block.words]).T
        return np.minimum(base, 1 - added), added

    @property
    def corrects(self) -> bool:
        return self.block.corrects

    def figures(self, counts: NDArray[Any], together: Sequence[Sequence[int]] = ()) -> tuple[Floats, Floats, Floats]:
        figures = estimate_words(self.block, counts, together)
        return figures.share, figures.error, UNSURE * figures.given_back

    def foresee(self, shares: Sequence[Sequence[float]], respondents: int) -> Floats:
        return _chances_of_words(self.block, tuple(map(tuple, shares)), alike=not self.corrects) * respondents

    def showing(self, codes: NDArray[Any], places: Sequence[int]) -> NDArray[Any]:
        self.block.check_shown(places)
        shown = [self.block.records[number] for number, _ in self._inside(places)]
        own = np.logical_or.reduce([(codes == record).all(axis=1) for record in shown])
        return np.where(own[:, np.newaxis], codes, np.array(self.block.harmless, codes.dtype))

    def disguise(self, table: Floats, axes: Sequence[int], places: Sequence[int]) -> Floats:
        self.block.check_shown(places)
        if self.block.most_added > self.block.cap:
            names = " and ".join(repr(self.block.items[place].id) for place in places)
            raise InputError(
                f"{names}: people who have more answers than the cap of the list send each of them less often, so this "
                "would be biased; ask for shares and sets of answers, or disguise by a list whose cap is all its items."
            )
        paired = {frozenset(place for place, _ in word.parts) for word in self.block.words}
        for pair in combinations(places, 2):
            if frozenset(pair) not in paired:
                names = " and ".join(repr(self.block.items[place].id) for place in pair)
                raise InputError(
                    f"the list has no word of {names} together, so nothing tells how they go together; add this word "
                    "to the list, or leave one of them out."
                )
        made: Floats = np.zeros_like(table)
        ends = range(-len(axes), 0)
        shares, sent = (np.moveaxis(one, axes, ends) for one in (table, made))
        whole = shares.sum(axis=tuple(ends))
        nothing: Any = (..., *(self.block.harmless[place] for place in places))
        sent[nothing] = whole
        for _, word in self._inside(places):
            code_of = dict(word.parts)
            true: Any = (..., *(code_of.get(place, slice(None)) for place in places))
            record: Any = (..., *(code_of.get(place, self.block.harmless[place]) for place in places))
            own = shares[true].sum(axis=tuple(range(len(word.parts) - len(places), 0)))
            chance = (word.base * whole + word.added * own) / ONE
            sent[record] += chance
            sent[nothing] -= chance
        return made

    def _inside(self, places: Sequence[int]) -> list[tuple[int, Word]]:
        """The words that have answers to the items at these places alone, with their numbers."""
        return [
            (number, word)
            for number, word in enumerate(self.block.words)
            if {place for place, _ in word.parts} <= {*places}
        ]

    def shrink(self, counts: NDArray[np.intp], first: "BlockWords", earlier: NDArray[np.intp]) -> Floats:
        asked = dict(zip(first.block.items, first.block.harmless, strict=True))
        for item, harmless in zip(self.block.items, self.block.harmless, strict=True):
            if asked.get(item) != harmless:
                raise InputError(f"first: {item.id!r} is not asked with the same answers as in the second wave.")
        return shrink((first.block, self.block), (earlier, counts))

    def likely(self, counts: NDArray[np.intp]) -> tuple[Floats, Floats]:
        figures = estimate_all(self.block, counts)
        return figures.share, figures.error

    def precisions(self) -> Floats:
        base, added = np.array([self.block.line_of(word) for word in self.block.words]).T
        precisions: Floats = added**2 / (base * (1 - base))
        return precisions

    def next_list(
        self, figures: tuple[Floats, Floats], respondents: int, wanted: int, fixed: Sequence[int] = ()
    ) -> OneOfBlock:
        if self.block.lengths[0] > 1:
            raise InputError("records: the list of the first wave has no word of one answer.")
        kept = [self.block.words[number].parts for number in fixed]
        made = choose_list(self.block, figures, Fraction(self.block.gamma), respondents, wanted, kept)
        decimals = (replace(loss, full=Fraction(round(loss.full * 1000), 1000)) for loss in made.losses)
        return replace(made, losses=tuple(decimals))  # as a design in JSON holds them exactly


@dataclass(frozen=True)
class GroupWords(BlockWords):
    """The list of a block of which records name groups."""

    block: GroupOfBlock

    def _named(self) -> Iterator[Sent]:
        """What a record may show that names a group: for each word of one answer in it, or without an answer."""
        block = self.block
        base, added = block.words[0].base / ONE, block.known / block.seeds**2 / ONE
        answers: dict[int, list[Part | None]] = {group: [] for group in range(block.count)}
        for word, groups in zip(block.words, block.groups_of_words.tolist(), strict=True):
            for group in groups if len(word.parts) == 1 else ():
                answers[group].append(word.parts[0])
        for group, own in answers.items():
            for answer in own or [None]:
                yield Sent(block.records[group], base, base + added, answer, common=block.in_common)

    def _describe_named(self, number: int) -> Said:
        return Said(_GROUP, {"number": number + 1})

    def _least(self, columns: int) -> Floats:
        return np.zeros((len(self.block.words), columns))  # a word is in many groups

    def _lines(self) -> None:
        """None: how often others name a group depends on what they answer."""


def _scatter_counts(sizes: Floats, scatter: Floats, common: int) -> Floats:
    """Counts about those expected (rows), each row as often as `scatter` has rows of deviates.

    The last but one column of `scatter` moves the columns that are `common` to all words, the others each its own. The
    last column, of all other records, takes what is left. Counts are multinomial, nearly normal: √n·(√p·z − p·Σ√p·z)
    has the covariance n·(diag(p) − pp′).
    """
    n, own = sizes.sum(axis=1), sizes[:, :-common]
    parts = own / n[:, np.newaxis]
    roots = np.sqrt(own)[:, np.newaxis] * scatter[:, : own.shape[1]]
    others = np.sqrt(np.maximum(1 - parts.sum(axis=1), 0) * n)[:, np.newaxis] * scatter[:, -1]
    total = roots.sum(axis=2) + others
    moved = own[:, np.newaxis] + roots - parts[:, np.newaxis] * total[:, :, np.newaxis]
    losses = sizes[:, np.newaxis, -common:-1] + np.sqrt(sizes[:, np.newaxis, -common:-1]) * scatter[:, -2:-1]
    named = np.maximum(np.concatenate([moved, losses], axis=2), 0.0)
    rest = np.maximum(n[:, np.newaxis] - named.sum(axis=2), 0.0)
    return np.asarray(np.concatenate([named, rest[:, :, np.newaxis]], axis=2).reshape(-1, sizes.shape[1]))


@lru_cache(maxsize=1024)
def _chances_of_words(block: OneOfBlock, shares: tuple[tuple[float, ...], ...], *, alike: bool) -> Floats:
    """How likely each word is sent, and none of them, where options are so common.

    Where people are not `alike`, they differ in how many rare answers they have, as those whose sets were chosen do.
    """
    share_of = {
        (index, code): share
        for index, own in enumerate(shares)
        for code, share in enumerate(own)
        if code != block.harmless[index]
    }
    if not alike:
        sent = block.mean_chances(draw_people(block.harmless, share_of))
        return np.append(sent, 1 - sent.sum())
    people = spread_people(block.harmless, share_of, len(block.words))
    counts = (people != np.array(block.harmless)).sum(axis=1)
    # Few are above the cap, and how many there are decides what the loss word measures: that is worked out exactly.
    present = np.unique(counts)
    parts = _count_answers([1 - share[usual] for share, usual in zip(shares, block.harmless, strict=True)])[present]
    sent = (parts / parts.sum()) @ np.array([block.mean_chances(people[counts == count]) for count in present])
    return np.append(sent, 1 - sent.sum())


def _count_answers(shares: Sequence[float]) -> Floats:
    """How likely 0, 1, 2, … of independent answers are given, of which these shares give each."""
    made = np.ones(1)
    for share in shares:
        made = np.convolve(made, [1 - share, share])
    return made
