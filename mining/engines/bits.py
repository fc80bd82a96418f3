"""Records as bit columns: one bit per record and literal, in blocks of rows that stay in the processor's cache.

The words of the direct group and of the disguised group lie side by side in every block, so one pass counts both. The
bits that fill up a word are 0 everywhere, and so match nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mining.engines.literals import Literals
from privacy.cells import DIRECT, DISGUISED
from privacy.design import NOT_ASKED

_BLOCK_BYTES = (
    1 << 21
)  # columns of a block, and as much for the work on them: larger leaves the cache, smaller is all overhead
_AT_ONCE = 8192  # records turned into columns at a time
_SHIFTS = np.uint8(1) << np.arange(8, dtype=np.uint8)
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
    lines = len(literals) + (len(literals.design.items) if literals.design.sampled else 0)
    return Bits(literals, sizes, _blocks([_joined(pieces, lines) for pieces in columns]))


def _match(codes: np.ndarray, of: Literals) -> np.ndarray:
    """Whether each record matches each line."""
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
    """Bit columns (lines, bytes) of a boolean table (records, lines): eight records become one byte.

    Whole rows are shifted and joined, which is two to three times as fast as turning the table first.
    """
    rows, lines = match.shape
    if rows % 8:
        match = np.concatenate([match, np.zeros((8 - rows % 8, lines), dtype=bool)])
    shifted = match.view(np.uint8).reshape(-1, 8 * lines) * np.repeat(_SHIFTS, lines)
    for half in (4 * lines, 2 * lines, lines):
        shifted = shifted[:, :half] | shifted[:, half:]
    return np.ascontiguousarray(shifted.T)


def count_singles(bits: Bits) -> np.ndarray:
    """How many records of each group match each literal, or were asked each item: (2, lines)."""
    return sum(
        (np.stack(block.count(np.bitwise_count(block.words))) for block in bits.blocks),
        np.zeros((2, 1), dtype=np.int64),
    )


def count_all(bits: Bits, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """How many records of each group match prefixes[i] and one of tails[bounds[i]:bounds[i+1]]: (2, tails)."""
    counts = np.zeros((2, len(tails)), dtype=np.int64)
    lists, edges = prefixes.tolist(), bounds.tolist()
    for block in bits.blocks:
        words = block.words
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
            counts[:, start:stop] += block.count(np.bitwise_count(chosen, out=sums[: len(chosen)]))
    return counts


def count_mixed(bits: Bits, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """As `count_all`, for every choice of the literals to match, the items of the others being asked: (2, tails, 2^L).

    Bit j of the last index says that literal j matches.
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
