"""A list with a threshold as others ask it: which patterns have figures, and what records tell of each."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.one_of.at_least import LONGEST, figure_of, least_of_classes
from privacy.design.blocks.one_of.design import not_worked_out
from privacy.design.blocks.one_of.word_list import BlockWords
from privacy.design.channels import Floats, Literal, Sent
from privacy.design.sentences import Said
from privacy.errors import to_translate

_AT_LEAST = to_translate("at least {least} of {answers}")


@dataclass(frozen=True)
class ThresholdWords(BlockWords):
    """The list as others ask it: its `words` are the single answers and pairs that have figures."""

    @cached_property
    def _patterns(self) -> list[tuple[int, ...]]:
        """The places of the items of each pattern that has a figure."""
        lengths = [length for length in range(1, LONGEST + 1) if figure_of(self.block, length)]
        return [own for length in lengths for own in combinations(range(len(self.block.items)), length)]

    @cached_property
    def words(self) -> list[tuple[tuple[str, ...], tuple[Literal, ...]]]:
        single = {
            literal[0]: (answer, literal)
            for (answer,), (literal,) in (literal for literal in self.block.with_literals if len(literal[0]) == 1)
        }
        made = [[single[place] for place in pattern] for pattern in self._patterns]
        return [(tuple(answer for answer, _ in own), tuple(literal for _, literal in own)) for own in made]

    @property
    def sent(self) -> list[Sent]:
        return [one if one.answer else replace(one, word=()) for one in super().sent]  # others mean some answers

    def _describe_named(self, number: int) -> tuple[str, ...] | Said:
        word = self.block.words[number]
        answers = self.block.answers(word)
        return Said(_AT_LEAST, {"least": word.least, "answers": ", ".join(answers)}) if word.least else answers

    def _weigh(self, counts: NDArray[Any]) -> tuple[Floats, Floats]:
        block, own = self.block, self._patterns
        held, asked = np.zeros((len(block.words), len(block.items))), np.zeros((len(own), len(block.items)))
        for row, word in zip(held, block.words, strict=True):
            row[[place for place, _ in word.parts]] = 1
        for row, places in zip(asked, own, strict=True):
            row[[*places]] = 1
        shared, sizes = asked @ held.T, held.sum(axis=1)
        of_length = {length: figure_of(block, length) for length in {*map(len, own)}}
        figures = [figure for places in own if (figure := of_length[len(places)])]
        every = np.array([figure.every for figure in figures])
        of_each, weights = [], []
        for size in block.lengths:
            for count in range(LONGEST + 1):
                of_each.append(((sizes == size) & (shared == count)) @ counts[: len(sizes)])
                weights.append(every + np.array([figure.of_class.get((size, count), 0.0) for figure in figures]))
        for rest in counts[len(sizes) :]:
            of_each.append(np.full(len(own), rest))
            weights.append(every)
        return np.column_stack(of_each).astype(float), np.column_stack(weights)

    def _true_of(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        telling = codes != np.array(self.block.harmless, codes.dtype)
        return np.array([telling[:, [*places]].all(axis=1).sum() for places in self._patterns], np.intp)

    def _least(self, columns: int) -> Floats:
        made = np.zeros((len(self._patterns), columns))
        lengths = np.array([len(places) for places in self._patterns])
        for length in {*lengths.tolist()}:
            for (size, count), base in least_of_classes(self.block, length).items():
                made[lengths == length, self.block.lengths.index(size) * (LONGEST + 1) + count] = base
        return made

    def _lines(self) -> tuple[Floats, Floats]:
        """Those of single answers; how often others show a pair is not known."""
        word = self.block.words_by_parts
        parts = {part[0][0]: self.block.line_of(own) for part, own in word.items() if len(part) == 1}
        lines = [parts[places[0]] if len(places) == 1 else (np.nan, np.nan) for places in self._patterns]
        base, added = np.array(lines).T
        return np.minimum(base, 1 - added), added

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise not_worked_out(self.block.items)

    showing = disguise = shrink = likely = precisions = next_list = _refuse
