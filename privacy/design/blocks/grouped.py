"""The grouped unrelated-question model of 2010: the truth with the chance `keep`, else all yes (`theta`) or all no.

A record that mixes yes and no can only be the truth, so γ = ∞. For study; a live survey refuses it. The improved
grouped model, whose noise says yes or no to each item apart, is a coin block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import gammas, reading, sentences
from privacy.design.block import Block, BlockKind, Explained, Patterns, Words
from privacy.design.channels import Literal, replacing
from privacy.design.draws import Take
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, check_keep, check_numerator, read_bare_items, write_item
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import InputError, to_translate


@dataclass(frozen=True)
class GroupedBlock(Block):
    items: tuple[Item, ...]
    keep: int
    theta: int

    mark: ClassVar[str] = "theta"  # only this kind names theta for the whole block
    symbols: ClassVar[Mapping[str, str]] = {"theta": "θ"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "GroupedBlock":
        keep = notation.share(entry, "keep", where)
        reading.only_keys(entry, ("keep", "theta", "items"), where)
        return cls(read_bare_items(entry, where), keep, notation.share(entry, "theta", where))

    def check(self, where: str, direct: bool) -> None:
        check_numerator(self.theta, f"{where}.theta")
        if not all(item.boolean and item.noise is None for item in self.items):
            raise InputError(f"{where}.items: the grouped model has yes/no items without noise of their own.")
        check_keep(self.keep, where, direct)

    def entry(self, notation: Notation) -> dict[str, Any]:
        keep, theta = map(notation.write, (self.keep, self.theta))
        model = {"keep": keep} if notation.exact else {"model": "grouped", "p": keep}
        return model | {"theta": theta, "items": [write_item(item, notation) for item in self.items]}

    @property
    def gamma(self) -> Gamma:
        """Infinite from two items on, unless nobody keeps the truth: a record that mixes yes and no is the truth."""
        if self.keep > 0 and len(self.items) > 1:
            return inf
        return self.item_odds(0)

    def item_odds(self, place: int) -> Gamma:
        return gammas.of_coin(self.keep, Fraction(min(self.theta, ONE - self.theta), ONE))

    @property
    def leaks(self) -> bool:
        return True

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        keep, theta = Fraction(self.keep, ONE), Fraction(self.theta, ONE)
        return keep * (truth == sent) + (1 - keep) * (theta * all(sent) + (1 - theta) * (not any(sent)))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Say which records mix yes and no: only the truth can do that."""
        return np.logical_and(codes.any(axis=1), ~codes.all(axis=1))


def _disguise(block: GroupedBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word for the coin, one for the common answer; a browser never has such a block."""
    kept = take(len(truth)) < block.keep
    common = take(len(truth)) >= ONE - block.theta
    return np.where(kept[:, np.newaxis] | ~here, truth, common[:, np.newaxis])


_MIXED = to_translate(
    "But a random answer is the same for all questions. So stored answers with both “yes” and “no” are true and not "
    "hidden."
)


def _explain(blocks: Sequence[GroupedBlock]) -> Explained:
    """Say how often noise turns one answer into the other; where answers in a record differ, all are true."""
    pairs = [
        (Fraction((ONE - block.keep) * block.theta, ONE**2), Fraction((ONE - block.keep) * (ONE - block.theta), ONE**2))
        for block in blocks
    ]
    mixed = [Said(_MIXED, {})] if any(block.gamma == inf for block in blocks) else []
    return [(blocks, [*pair_shares(sentences.EITHER, pairs), *mixed])]


@dataclass(frozen=True)
class _GroupedPatterns(Patterns):
    """One coin, and noise that says all yes or all no, (3)–(6) of the paper."""

    block: GroupedBlock

    def keep(self, *places: int) -> float:
        del places
        return self.block.keep / ONE

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        yes, no = all(1 in options for _, options in literals), all(0 in options for _, options in literals)
        noise = (self.block.theta * yes + (ONE - self.block.theta) * no) / ONE
        return [replacing.CoinFactor(self.block.items, (tuple(literals),), self.block.keep / ONE, noise)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.CoinOfTable]:
        noise = np.zeros((2,) * len(axes))
        noise.flat[0], noise.flat[-1] = 1 - self.block.theta / ONE, self.block.theta / ONE
        return [replacing.CoinOfTable.from_axes(axes, self.block.keep / ONE, noise, shape)]

    def of_many(self, yes: np.ndarray) -> replacing.CoinOfPatterns:
        """The channel of many patterns, each literal `yes` or no; noise never matches one that mixes yes and no."""
        said = np.where(yes[:, 0], self.block.theta / ONE, (ONE - self.block.theta) / ONE)
        noise = np.where((yes == yes[:, :1]).all(axis=1), said, 0.0)
        return replacing.CoinOfPatterns.from_noise(np.full(len(yes), self.block.keep / ONE), noise)


KIND = BlockKind(
    GroupedBlock,
    Words(to_translate("This model is for research on disguises only: it gives answers away."), _explain),
    _disguise,
    patterns=_GroupedPatterns,
)
