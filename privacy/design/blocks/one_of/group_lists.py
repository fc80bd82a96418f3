"""What figures of a list in groups err by in the stated populations: `expected.Lists` for words in groups.

How many groups the words of a person are in follows from the public layout, and from which words they are. Here words
are numbered by a lot, so that k of B² words are in B(B + 1)·(1 − C(B² − B, k)/C(B², k)) groups in the mean. With o own
groups, the share q of other groups and what an own group adds, f·d, records that name a group of a word have the shares

    Σ over own words   r·q + d·E[f·own]·r + d·E[f·o·(1 − own)]/r,   and all groups   B·r·q + d·E[f·o]

Weights of two words are uncorrelated but for their means, as two words share one group of each.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.one_of.expected import Lists, Weights
from privacy.design.channels import Floats

_TINY = 1e-300


@dataclass(frozen=True)
class GroupLists(Lists):
    """Lists in groups, `buckets` of each seed: each list has the same chances for words of all lengths."""

    buckets: tuple[int, ...]

    far_below: ClassVar[bool] = True

    @property
    def _seeds(self) -> Floats:
        """r of each list: how many groups a word is in."""
        return np.array(self.buckets, float) + 1

    @property
    def _known_of_own(self) -> Floats:
        """What is known of an own word, d·(r − c/r)."""
        return np.asarray(self.added[0] * self._seeds - self.caps / self._seeds)

    def share_kept(self, most: int, most_alone: int = 0) -> Floats:
        groups, adds = self._sent(most, most_alone)
        return np.asarray(adds * (self._seeds - groups / self._seeds) / self._known_of_own)

    @cached_property
    def _sent_before(self) -> dict[tuple[int, int], tuple[Floats, Floats]]:
        """`_sent`, once for all populations."""
        return {}

    def _sent(self, most: int, most_alone: int) -> tuple[Floats, Floats]:
        """How many groups people with so many answers (rows) own, and what each of them adds, in each list."""
        if (most, most_alone) not in self._sent_before:
            self._sent_before[most, most_alone] = self._work_out_sent(most, most_alone)
        return self._sent_before[most, most_alone]

    def _work_out_sent(self, most: int, most_alone: int) -> tuple[Floats, Floats]:
        words = self._ways(most, most_alone).sum(axis=1).astype(int)
        sizes, place = np.unique(self.buckets, return_inverse=True)
        groups = np.array([groups_of_many(size, int(words.max()))[words] for size in sizes.tolist()]).T[:, place]
        rest, total = self._seeds - groups / self._seeds, groups * self.added[0]
        # What a kept share counts for the loss word.
        counts = (1 + self.most_lost) * self.added[0] * rest / self._known_of_own
        lost = np.where(total > counts * self.caps, self.lost, 0.0)
        above = np.minimum((self.caps - lost) / np.maximum(total - counts * lost, _TINY), 1) * self.added[0]
        return groups, np.where(total > self.caps, above, self._known_of_own / np.maximum(rest, _TINY))

    def weigh(
        self, lengths: NDArray[np.intp], kept: Floats, own: Floats, every: Floats, most: tuple[int, int]
    ) -> Weights:
        del lengths
        seeds, base = self._seeds, self.bases[0]
        groups, adds = self._sent(*most)
        of_all = groups * adds
        mine, sent = own @ adds, every @ of_all
        shown = seeds * base + seeds * mine + (sent - own @ of_all) / seeds
        named = np.array(self.buckets) * seeds * base + sent
        less = 1 / seeds + base
        squares = (1 - less) ** 2 * shown + less**2 * (named - shown) + base**2 * (1 - named)
        false = (sent / (seeds * self._known_of_own)) ** 2 / (2 * np.array(self.buckets))
        return Weights(squares / self._known_of_own**2, kept, kept + base / self._known_of_own, false)


@lru_cache(maxsize=64)
def groups_of_many(buckets: int, most: int) -> Floats:
    """How many groups 0, 1, … `most` words are in, in the mean.

    >>> groups_of_many(5, 3).round(2).tolist()
    [0.0, 6.0, 11.0, 15.13]
    """
    left = np.maximum(buckets**2 - np.arange(most), 1)
    missed = np.cumprod(np.maximum(left - buckets, 0) / left)
    return np.concatenate([[0.0], buckets * (buckets + 1) * (1 - missed)])[: most + 1]
