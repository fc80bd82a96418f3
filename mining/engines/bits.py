"""Records as bit columns: one bit per record and literal, in blocks of rows that stay in the processor's cache.

Rows of the direct group and of the disguised group never share a block, so one pass counts both. The columns after the
literals say which records were asked an item (all of them, unless a sampled block left it out); the bits that fill up
a block are 0 everywhere, and so match nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from mining.engines.literals import Literals
from privacy.cells import DIRECT, DISGUISED
from privacy.design import NOT_ASKED

_BLOCK_BYTES = (
    1 << 19
)  # half of a usual second-level cache: the columns of a block, the other half for the work on them
_AT_ONCE = 8192  # records turned into columns at a time
_SHIFTS = np.uint8(1) << np.arange(8, dtype=np.uint8)
_LANE = np.uint64(0x00FF00FF00FF00FF)
_EIGHT = np.uint64(8)


@dataclass
class Bits:
    """`blocks` holds (group, words): words is a uint64 array (literals + items where sampled, words of 64 records)."""

    literals: Literals
    sampled: bool
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(2, dtype=np.int64))  # records per group
    blocks: list[tuple[int, np.ndarray]] = field(default_factory=list)

    def __len__(self) -> int:
        return int(self.sizes.sum())

    @property
    def nbytes(self) -> int:
        """The memory of the columns."""
        return sum(words.nbytes for _, words in self.blocks)


def pack(parts: Iterable[tuple[np.ndarray, np.ndarray]], literals: Literals) -> Bits:
    """Bit columns of the records in `parts`: pairs (codes, direct), as in `privacy.records.Records`."""
    bits = Bits(literals, literals.design.sampled)
    open_blocks = [_OpenBlock(bits, group) for group in (DISGUISED, DIRECT)]
    for codes, direct in parts:
        if not direct.any():
            open_blocks[DISGUISED].add(codes)
        else:  # rows by number are copied eight times as fast as rows by mask
            open_blocks[DIRECT].add(np.take(codes, np.flatnonzero(direct), axis=0))
            open_blocks[DISGUISED].add(np.take(codes, np.flatnonzero(~direct), axis=0))
    for block in open_blocks:
        block.close()
    return bits


class _OpenBlock:
    """Rows of one group on their way into blocks of a fixed number of words."""

    def __init__(self, bits: Bits, group: int) -> None:
        lines = len(bits.literals) + (len(bits.literals.design.items) if bits.sampled else 0)
        words = min(max(_BLOCK_BYTES // (8 * lines), 64), 4088)  # 4088: sums of byte counts must fit 16 bits
        self.bits, self.group = bits, group
        self.bytes = np.zeros((lines, words // 8 * 64), dtype=np.uint8)
        self.used = 0

    def add(self, codes: np.ndarray) -> None:
        self.bits.sizes[self.group] += len(codes)
        while len(codes):
            if self.used == self.bytes.shape[1]:
                self.close()
            room = (self.bytes.shape[1] - self.used) * 8
            self._write(codes[:room])
            codes = codes[room:]

    def _write(self, codes: np.ndarray) -> None:
        for start in range(0, len(codes), _AT_ONCE):
            columns = _columns(self._match(codes[start : start + _AT_ONCE]))
            self.bytes[:, self.used : self.used + columns.shape[1]] = columns
            self.used += columns.shape[1]

    def _match(self, codes: np.ndarray) -> np.ndarray:
        """Whether each record matches each line of the block."""
        of = self.bits.literals
        chosen = codes if len(of) == codes.shape[1] else np.take(codes, of.column, axis=1)
        match = chosen == of.option.astype(np.uint8)
        if not of.positive.all():
            match = match == of.positive
        if self.bits.sampled:
            match = np.concatenate([match & (chosen != NOT_ASKED), codes != NOT_ASKED], axis=1)
        return match

    def close(self) -> None:
        if self.used:
            width = -(-self.used // 64) * 64
            self.bits.blocks.append((self.group, self.bytes[:, :width].copy().view(np.uint64)))
            self.bytes[:] = 0
            self.used = 0


def _columns(match: np.ndarray) -> np.ndarray:
    """Bit columns (lines, bytes) of a boolean table (records, lines): eight records become one byte.

    Whole rows are shifted and joined, which is two to three times as fast as turning the table first.
    """
    rows, lines = match.shape
    if rows % 8:
        match = np.concatenate([match, np.zeros((8 - rows % 8, lines), dtype=bool)])
    shifted = match.view(np.uint8).reshape(-1, 8 * lines) * np.repeat(_SHIFTS, lines)
    for half in (4 * lines, 2 * lines, lines):
        shifted = shifted[:, :half] | shifted[:, half:]
    return shifted.T


def count_singles(bits: Bits) -> np.ndarray:
    """How many records of each group match each literal, or were asked each item: (2, lines)."""
    lines = len(bits.literals) + (len(bits.literals.design.items) if bits.sampled else 0)
    counts = np.zeros((2, lines), dtype=np.int64)
    for group, words in bits.blocks:
        counts[group] += _row_sums(np.bitwise_count(words))
    return counts


def count_all(bits: Bits, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """How many records of each group match prefixes[i] and one of tails[bounds[i]:bounds[i+1]]: (2, tails)."""
    counts = np.zeros((2, len(tails)), dtype=np.int64)
    lists, edges = prefixes.tolist(), bounds.tolist()
    for group, words in bits.blocks:
        wide = words.shape[1]
        work = np.empty((min(max(_BLOCK_BYTES // (8 * wide), 1), len(tails)), wide), dtype=np.uint64)
        sums = np.empty(work.shape, dtype=np.uint8)
        place = 0
        for start in range(0, len(tails), len(work)):
            stop = min(start + len(work), len(tails))
            chosen = work[: stop - start]
            np.take(words, tails[start:stop], axis=0, out=chosen, mode="clip")  # "clip" writes without a copy between
            at = start
            while at < stop:
                end = min(edges[place + 1], stop)
                common = words[lists[place][0]]
                for line in lists[place][1:]:
                    common = common & words[line]
                rows = chosen[at - start : end - start]
                np.bitwise_and(rows, common, out=rows)
                place += end == edges[place + 1]
                at = end
            counts[group, start:stop] += _row_sums(np.bitwise_count(chosen, out=sums[: len(chosen)]))
    return counts


def count_mixed(bits: Bits, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """As `count_all`, for every choice of the literals to match, the items of the others being asked: (2, tails, 2^L).

    Bit j of the last index says that literal j matches.
    """
    length = prefixes.shape[1] + 1
    counts = np.zeros((2, len(tails), 2**length), dtype=np.int64)
    asked = len(bits.literals) + bits.literals.column
    for group, words in bits.blocks:
        for prefix, start, stop in zip(prefixes.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            common = np.stack([words[asked[prefix[0]]], words[prefix[0]]])
            for line in prefix[1:]:
                common = np.concatenate([common & words[asked[line]], common & words[line]])
            for mask, rows in enumerate(common):
                for bit, lines in ((0, asked[tails[start:stop]]), (1, tails[start:stop])):
                    matched = np.bitwise_count(words[lines] & rows)
                    counts[group, start:stop, mask | bit << (length - 1)] += _row_sums(matched)
    return counts


def _row_sums(counts: np.ndarray) -> np.ndarray:
    """Row sums of byte counts of at most 64, eight bytes at a time: five times as fast as a sum of bytes."""
    eights = counts.view(np.uint64)
    pairs = (eights >> _EIGHT) & _LANE
    pairs += eights & _LANE
    lanes: np.ndarray = pairs.sum(axis=1, dtype=np.uint64).reshape(-1, 1).view(np.uint16)
    return lanes.sum(axis=1, dtype=np.int64)
