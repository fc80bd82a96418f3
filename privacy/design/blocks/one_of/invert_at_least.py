"""How a list with a threshold is inverted: by how many answers of a pattern are in the word that a record shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, inf

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.one_of.at_least import LONGEST, ClassWeights, figure_of, least_of_classes
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.invert import WordPatterns, WordRecords
from privacy.design.channels import Floats, Literal, WordList


@dataclass(frozen=True)
class ThresholdPatterns(WordPatterns):
    @property
    def by_record(self) -> "ThresholdRecords":
        return ThresholdRecords(self.block)

    @property
    def word_list(self) -> WordList:
        from privacy.design.blocks.one_of.at_least_words import ThresholdWords  # scipy is slow to import

        return ThresholdWords(self.block)

    def ends_of_weights(self, length: int) -> list[tuple[float, float]]:
        """By the number of telling answers; a pattern with others is a sum of those with more telling ones."""
        figures = [figure_of(self.block, size) for size in range(1, length + 1)] if length <= LONGEST else [None]
        own = [(1.0, 1.0), *(figure.ends if figure else (-inf, inf) for figure in figures)]
        if length > LONGEST:
            return [(-inf, inf)] * (length + 1)
        made = []
        for telling in range(length + 1):
            terms = [
                sorted((-1) ** more * comb(length - telling, more) * end for end in own[telling + more])
                for more in range(length - telling + 1)
            ]
            made.append((sum(low for low, _ in terms), sum(high for _, high in terms)))
        return made


@dataclass(frozen=True)
class ThresholdRecords(WordRecords):
    """How records of such a list are read: by how many answers they show, and how many of the pattern's."""

    @cached_property
    def _figures(self) -> list[ClassWeights | None]:
        return [figure_of(self.block, length) for length in range(1, LONGEST + 1)]

    def lacks(self, literals: Sequence[Literal]) -> str | None:
        if len(literals) > LONGEST or None in self._figures[: len(literals)]:
            return (
                "a list with a threshold has figures of single answers and pairs, where it has all words of each kind."
            )
        return None

    def sub_patterns(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> Floats:
        shows = self._shown(literals, matches)
        made = np.ones((2 ** len(literals), matches.shape[1]))
        for own in range(1, len(made)):
            inside = [bit for bit in range(len(literals)) if own >> bit & 1]
            figure = self._figures[len(inside) - 1] if len(inside) <= LONGEST else None
            if figure is None:
                made[own] = np.nan
                continue
            held = shows[inside].sum(axis=0)
            made[own] = figure.every
            for (size, shared), weight in figure.of_class.items():
                made[own, (places[0] == size) & (held == shared)] += weight
        return self._turn_rests(made, literals)

    def line(self, literals: Sequence[Literal]) -> tuple[float, float] | None:
        """That of a single answer, which its word alone tells; how often others show a pair is not known."""
        return super().line(literals) if len(literals) == 1 else None

    def least(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        shows = self._shown(literals, matches)
        made, held = np.zeros(matches.shape[1]), shows.sum(axis=0)
        for (size, shared), base in least_of_classes(self.block, len(literals)).items():
            here = (places == size).all(axis=0) & (held == shared)
            made[here] = base / comb(len(literals), shared)  # a cell says which
        return made, shows


def patterns_of(block: OneOfBlock) -> WordPatterns:
    """How figures are made of a list of words, with a threshold or without."""
    return (ThresholdPatterns if block.has_thresholds else WordPatterns)(block)
