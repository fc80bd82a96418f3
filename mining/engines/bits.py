"""Records as bit columns: one bit per record and literal, in blocks of rows that stay in the processor's cache.

The words of the direct group and of the disguised group lie side by side in every block, so one pass counts both. The
bits that fill up a word are 0 everywhere, and so match nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from simsimd import cdist

from mining.engines.lattice import Level
from mining.engines.literals import Literals
from privacy.design import NOT_ASKED
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED

_BLOCK_BYTES = (
    1 << 21
)  # columns of a block, and as much for the work on them: larger leaves the cache, smaller is all overhead
_TOGETHER = 16  # itemsets compared at once with all that follow the first of them: more compares too many twice
_AT_ONCE = 8192  # records turned into columns at a time
_LANE = np.uint64(0x00FF00FF00FF00FF)
_EIGHT = np.uint64(8)


@dataclass(frozen=True)
class Block:
    """The words of some records: uint64 (lines, words), those of the disguised group before those of the direct."""

    words: np.ndarray
    disguised: int  # words

    def count(self, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row sums of bit counts (rows, words), per group."""
        return _row_sums(bits[:, : self.disguised]), _row_sums(bits[:, self.disguised :])


@dataclass(frozen=True)
class Bits:
    """The lines of a block are the literals and, where a block of the design is sampled, who was asked each item."""

    literals: Literals
    sizes: np.ndarray  # records of the disguised and of the direct group
    blocks: list[Block]

    @property
    def sampled(self) -> bool:
        return self.literals.design.sampled

    @property
    def nbytes(self) -> int:
        """The memory of the columns."""
        return sum(block.words.nbytes for block in self.blocks)

    def disguised(self) -> "Bits":
        """The same without the direct group."""
        words = [np.ascontiguousarray(block.words[:, : block.disguised]) for block in self.blocks]
        return replace(self, sizes=self.sizes * [1, 0], blocks=[Block(group, group.shape[1]) for group in words])


def pack(parts: Iterable[tuple[np.ndarray, np.ndarray]], literals: Literals) -> Bits:
    """Bit columns of the records in `parts`: pairs (codes, direct), as in `privacy.records.Records`."""
    sizes = np.zeros(2, dtype=np.int64)
    columns: list[list[np.ndarray]] = [[], []]
    for codes, direct in parts:
        groups = {DISGUISED: codes}
        if direct.any():  # rows by number are copied eight times as fast as rows by mask
            groups = {
                DISGUISED: np.take(codes, np.flatnonzero(~direct), axis=0),
                DIRECT: np.take(codes, np.flatnonzero(direct), axis=0),
            }
        for group, rows in groups.items():
            sizes[group] += len(rows)
            for start in range(0, len(rows), _AT_ONCE):
                columns[group].append(_columns(_match(rows[start : start + _AT_ONCE], literals)))
    return Bits(literals, sizes, _blocks([_joined(pieces, _lines(literals)) for pieces in columns]))


def _lines(of: Literals) -> int:
    return len(of) + (len(of.design.items) if of.design.sampled else 0)


def _match(codes: np.ndarray, of: Literals) -> np.ndarray:
    """Whether each record matches each line, as truth values or as 0 and 1."""
    if of.plain:
        return codes
    chosen = codes if len(of) == codes.shape[1] else np.take(codes, of.column, axis=1)
    match = chosen == of.option.astype(np.uint8)
    if not of.positive.all():
        match = match == of.positive
    if of.design.sampled:
        match = np.concatenate([match & (chosen != NOT_ASKED), codes != NOT_ASKED], axis=1)
    return match


def _joined(pieces: list[np.ndarray], lines: int) -> np.ndarray:
    """One group's columns as words; a multiple of eight of them, so that sums can take eight counts at a time."""
    used = sum(piece.shape[1] for piece in pieces)
    filling = np.zeros((lines, -used % 64), dtype=np.uint8)
    return np.concatenate([*pieces, filling], axis=1).view(np.uint64)


def _blocks(groups: list[np.ndarray]) -> list[Block]:
    """Both groups cut into as many pieces, so that a block holds its share of each."""
    total = sum(words.shape[1] for words in groups)
    most = min(max(_BLOCK_BYTES // (8 * len(groups[0])), 64), 4000)  # 4000: sums of byte counts must fit 16 bits
    count = -(-total // most)
    cuts = [np.arange(count + 1) * (words.shape[1] // 8) // max(count, 1) * 8 for words in groups]
    blocks = []
    for place in range(count):
        pieces = [words[:, cut[place] : cut[place + 1]] for words, cut in zip(groups, cuts, strict=True)]
        blocks.append(Block(np.concatenate(pieces, axis=1), pieces[DISGUISED].shape[1]))
    return blocks


def _columns(match: np.ndarray) -> np.ndarray:
    """Bit columns (lines, bytes) of a table of truth values (records, lines): eight records become one byte.

    A byte takes one record of each eighth of the table, so that whole eighths are shifted and joined, eight truth
    values at a time; in which order the records come matters to no count.
    """
    rows, lines = match.shape
    if rows % 64:
        match = np.concatenate([match, np.zeros((64 - rows % 64, lines), dtype=match.dtype)])
    joined = match.reshape(-1).view(np.uint64).reshape(8, -1)
    for half in (4, 2, 1):
        upper = joined[half:] << np.uint64(half)
        joined = np.bitwise_or(upper, joined[:half], out=upper)
    return np.ascontiguousarray(joined.view(np.uint8).reshape(-1, lines).T)


def count_singles(bits: Bits) -> np.ndarray:
    """How many records of each group match each literal, or were asked each item: (2, lines)."""
    return sum(
        (np.stack(block.count(np.bitwise_count(block.words))) for block in bits.blocks),
        np.zeros((2, _lines(bits.literals)), dtype=np.int64),
    )


def count_joins(bits: Bits, below: Level, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How many records of each group match the union of two itemsets of a level that differ in the last literal only.

    (2, joins), for the places `first` (ascending) and `second` in the level. Itemsets that share all literals but the
    last are met by few bit columns, so whole tables of them are compared in one call: two columns with a and b bits of
    which c are in both differ in a + b − 2c.
    """
    items = below.items
    starts, stops, ends = _tables(items, first, second)
    offsets = np.r_[0, np.cumsum((stops - starts) * (ends - starts - 1))]
    apart = np.zeros((2, offsets[-1]))
    columns = (starts, stops, ends, offsets[:-1], offsets[1:], items[starts, :-1])
    tables = list(zip(*(column.tolist() for column in columns), strict=True))
    for block in bits.blocks:
        groups = [(DISGUISED, slice(8 * block.disguised)), (DIRECT, slice(8 * block.disguised, None))]
        groups = groups[: 2 if block.disguised < block.words.shape[1] else 1]
        base = end = -1
        for start, stop, new_end, here, there, prefix in tables:
            if new_end != end:  # the next prefix
                base, end = start, new_end
                matching = np.take(block.words, items[base:end, -1], axis=0)
                if prefix:
                    matching &= reduce(np.bitwise_and, [block.words[line] for line in prefix])
                bits_of = matching.view(np.uint8)
            rows, others = bits_of[start - base : stop - base], bits_of[start - base + 1 :]
            for group, ours in groups:
                differ = cdist(rows[:, ours], others[:, ours], "hamming", dtype="bin8")
                apart[group, here:there] += np.asarray(differ).ravel()
    place = np.searchsorted(starts, first, side="right") - 1
    seen = offsets[place] + (first - starts[place]) * (ends - starts - 1)[place] + second - starts[place] - 1
    alone = below.at_least[:, :, -1].T
    return (alone[:, first] + alone[:, second] - apart[:, seen].astype(np.int64)) >> 1


def _tables(items: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which itemsets to compare with which: those at start … stop − 1 with those at start + 1 … end − 1, one prefix."""
    joins = np.flatnonzero(np.r_[True, (items[first[1:], :-1] != items[first[:-1], :-1]).any(axis=1)])
    ends = np.maximum.reduceat(second, joins) + 1
    lasts = first[np.r_[joins[1:], len(first)] - 1]
    steps = [np.arange(start, last + 1, _TOGETHER) for start, last in zip(first[joins], lasts, strict=True)]
    sizes = [len(places) for places in steps]
    starts, ends, lasts = np.concatenate(steps), np.repeat(ends, sizes), np.repeat(lasts, sizes)
    return starts, np.minimum(starts + _TOGETHER, lasts + 1), ends


def count_mixed(bits: Bits, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """How many records of each group match which literals of prefixes[i] with each of tails[bounds[i]:bounds[i+1]].

    Counted among those asked all of them: (2, tails, 2^L); bit j of the last index says that literal j matches.
    """
    length = prefixes.shape[1] + 1
    counts = np.zeros((2, len(tails), 2**length), dtype=np.int64)
    asked = len(bits.literals) + bits.literals.column
    for block in bits.blocks:
        words = block.words
        for prefix, start, stop in zip(prefixes.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            common = np.stack([words[asked[prefix[0]]], words[prefix[0]]])
            for line in prefix[1:]:
                common = np.concatenate([common & words[asked[line]], common & words[line]])
            for mask, rows in enumerate(common):
                for bit, lines in ((0, asked[tails[start:stop]]), (1, tails[start:stop])):
                    matched = block.count(np.bitwise_count(words[lines] & rows))
                    counts[:, start:stop, mask | bit << (length - 1)] += matched
    return counts


def _row_sums(counts: np.ndarray) -> np.ndarray:
    """Row sums of byte counts of at most 64, eight bytes at a time: five times as fast as a sum of bytes."""
    eights = counts.view(np.uint64)
    pairs = (eights >> _EIGHT) & _LANE
    pairs += eights & _LANE
    lanes: np.ndarray = pairs.sum(axis=1, dtype=np.uint64).reshape(-1, 1).view(np.uint16)
    return lanes.sum(axis=1, dtype=np.int64)
