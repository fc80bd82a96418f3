"""What a search asks: counts of all records, of bit columns, one bit per record and literal, in chunks that stay in the
cache.

The words of the direct group and of the disguised group lie side by side in every chunk, so one pass counts both. The
bits that fill up a word are 0 everywhere, and so match nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from mining.engines.literals import Literals
from privacy.design.grid.in_bins import Binned
from privacy.estimate.cells import PatternCells
from privacy.estimate.weights import DIRECT, DISGUISED
from privacy.records.bits import Batch, Bits

try:
    from simsimd import cdist
except ImportError:  # it comes with the extra `mining`; without it NumPy counts the same, and takes longer
    cdist = None  # type: ignore[assignment]

# Columns of a chunk, and as much for the work on them: larger leaves the cache, smaller is all overhead.
_CHUNK_BYTES = 1 << 21
_HELD_BYTES = 1 << 24  # of columns that are not in chunks yet: they are copied twice on their way there
_TOGETHER = 16  # itemsets compared at once with all that follow the first of them: more compares too many twice
_AT_ONCE = 8192  # records turned into columns at a time
_NUMBERS = 1 << 18  # lines of records turned into numbers at a time
_LANE = np.uint64(0x00FF00FF00FF00FF)
_EIGHT = np.uint64(8)


@dataclass(frozen=True)
class Chunk:
    """The words of some records: uint64 (lines, words), those of the disguised group before those of the direct."""

    words: np.ndarray
    disguised: int  # words

    @property
    def groups(self) -> tuple[np.ndarray, np.ndarray]:
        return self.words[:, : self.disguised], self.words[:, self.disguised :]

    def line(self, line: int) -> np.ndarray:
        """One line as 0 and 1, including the padding of its words."""
        return np.unpackbits(self.words[line].view(np.uint8))

    def count(self, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row sums of bit counts (rows, words), per group."""
        return _row_sums(bits[:, : self.disguised]), _row_sums(bits[:, self.disguised :])


@dataclass(frozen=True)
class BitCounter:
    """Counts by bitwise AND and population counts, always of the disguised group (0) and of the direct group (1).

    Itemsets are rows of places in the literals, ascending. The lines of a chunk are those of the literals
    (`mining.engines.literals`).
    """

    literals: Literals
    sizes: np.ndarray  # the records of each group, (2,)
    chunks: list[Chunk]

    @property
    def nbytes(self) -> int:
        return sum(chunk.words.nbytes for chunk in self.chunks)

    def without_direct(self) -> "BitCounter":
        words = [np.ascontiguousarray(chunk.words[:, : chunk.disguised]) for chunk in self.chunks]
        return replace(self, sizes=self.sizes * [1, 0], chunks=[Chunk(group, group.shape[1]) for group in words])

    def singles(self) -> np.ndarray:
        """How many records match each literal; in a sampled design, then, how many were asked each item: (2, lines)."""
        return sum(
            (np.stack(chunk.count(np.bitwise_count(chunk.words))) for chunk in self.chunks),
            np.zeros((2, len(self.literals.lines)), dtype=np.int64),
        )

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """How many records match one of two itemsets and not the other: (2, pairs).

        The pairs are places in `itemsets` (F, L), which are in lexicographic order; two itemsets of a pair differ in
        their last literal only, and `first` is ascending. Everybody was asked every item.
        """
        starts, stops, ends = _comparisons(itemsets, first, second)
        offsets = np.r_[0, np.cumsum((stops - starts) * (ends - starts - 1))]
        apart = np.zeros((2, offsets[-1]))
        columns = (starts, stops, ends, offsets[:-1], offsets[1:], itemsets[starts, :-1])
        tables = list(zip(*(column.tolist() for column in columns), strict=True))
        for chunk in self.chunks:
            groups = [(DISGUISED, slice(8 * chunk.disguised)), (DIRECT, slice(8 * chunk.disguised, None))]
            groups = groups[: 2 if chunk.disguised < chunk.words.shape[1] else 1]
            base = end = -1
            for start, stop, new_end, here, there, prefix in tables:
                if new_end != end:  # the next prefix
                    base, end = start, new_end
                    matching = np.take(chunk.words, itemsets[base:end, -1], axis=0)
                    if prefix:
                        matching &= reduce(np.bitwise_and, [chunk.words[line] for line in prefix])
                    matching_bytes = matching.view(np.uint8)
                rows, others = matching_bytes[start - base : stop - base], matching_bytes[start - base + 1 :]
                for group, ours in groups:
                    apart[group, here:there] += _hamming(rows[:, ours], others[:, ours]).ravel()
        place = np.searchsorted(starts, first, side="right") - 1
        seen = offsets[place] + (first - starts[place]) * (ends - starts - 1)[place] + second - starts[place] - 1
        return apart[:, seen].astype(np.int64)

    def count_mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """How many records match at least some literals of prefixes[i] with each of tails[bounds[i]:bounds[i+1]].

        Counted among those asked all of them: (2, tails, 2^L). Bit j of the last index says that literal j must match;
        where it is 0, literal j may match or not.
        """
        length = prefixes.shape[1] + 1
        counts = np.zeros((2, len(tails), 2**length), dtype=np.int64)
        asked = self.literals.lines.asking
        assert asked is not None  # nobody asks this of a design that asks everybody everything
        for chunk in self.chunks:
            words = chunk.words
            for prefix, start, stop in zip(prefixes.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
                common = np.stack([words[asked[prefix[0]]], words[prefix[0]]])
                for line in prefix[1:]:
                    common = np.concatenate([common & words[asked[line]], common & words[line]])
                for mask, rows in enumerate(common):
                    for bit, lines in ((0, asked[tails[start:stop]]), (1, tails[start:stop])):
                        matched = chunk.count(np.bitwise_count(words[lines] & rows))
                        counts[:, start:stop, mask | bit << (length - 1)] += matched
        return counts

    def records(self, group: int) -> Iterator[np.ndarray]:
        """The lines of some records of a group at a time, as numbers 0 and 1, with the padding of words."""
        for words in (chunk.groups[group] for chunk in self.chunks):
            step = max(_NUMBERS // (64 * len(words)), 8)
            for start in range(0, words.shape[1], step):
                some = np.ascontiguousarray(words[:, start : start + step])
                yield np.unpackbits(some.view(np.uint8), axis=1).astype(float)

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        """How many records are in each cell of some itemsets (F, L), as `privacy.estimate.cells` numbers them.

        One row: of each itemset the cells of the disguised group, then those of the direct group. The padding of words
        is subtracted.
        """
        each = [(itemset, itemset_cells(self.literals, itemset)) for itemset in itemsets]
        counts = [np.zeros((2, own.count), dtype=np.int64) for _, own in each]
        words = np.zeros(2, dtype=np.int64)
        for chunk in self.chunks:
            records = RecordCells(self.literals, chunk.line)
            words += chunk.disguised, chunk.words.shape[1] - chunk.disguised
            for (itemset, own), count in zip(each, counts, strict=True):
                for group, cell in enumerate(np.split(records.number(itemset, own), [64 * chunk.disguised])):
                    count[group] += np.bincount(cell, minlength=own.count)
        filling = RecordCells(self.literals, lambda _line: np.zeros(1, dtype=np.uint8))
        for (itemset, own), count in zip(each, counts, strict=True):
            count[:, filling.number(itemset, own)[0]] -= 64 * words - self.sizes
        return np.concatenate([count.ravel() for count in counts])


def pack(batches: Iterable[Batch], literals: Literals) -> BitCounter:
    """A counter of these records, which may come one batch after the other."""
    packer = Packer(literals)
    for codes, direct in batches:
        packer.add(codes, direct)
    return packer.counter()


class Packer:
    """Records on their way into bit columns: beside the columns only the last records are held in memory."""

    def __init__(self, literals: Literals) -> None:
        self._literals = literals
        self._sizes = np.zeros(2, dtype=np.int64)
        self._chunks: list[Chunk] = []
        self._pieces: list[list[np.ndarray]] = [[], []]

    def add(self, codes: np.ndarray | Bits, direct: np.ndarray) -> None:
        groups: dict[int, np.ndarray | Bits] = {DISGUISED: codes}
        if direct.any():  # rows by number are copied eight times as fast as rows by mask
            groups = {
                DISGUISED: np.take(codes, np.flatnonzero(~direct), axis=0),
                DIRECT: np.take(codes, np.flatnonzero(direct), axis=0),
            }
        for group, rows in groups.items():
            self._sizes[group] += len(rows)
            if isinstance(rows, Bits):
                if not self._literals.lines.details:
                    self._pieces[group].append(self._literals.lines.of_bits(rows))
                    continue
                rows = np.asarray(rows)
            for start in range(0, len(rows), _AT_ONCE):
                some = rows[start : start + _AT_ONCE]
                of_group = np.full(len(some), group == DIRECT)
                self._pieces[group].append(_columns(self._literals.lines.of_records(some, of_group)))
        if sum(piece.nbytes for pieces in self._pieces for piece in pieces) > _HELD_BYTES:
            self._make_chunks()

    def counter(self) -> BitCounter:
        self._make_chunks()
        return BitCounter(self._literals, self._sizes, self._chunks)

    def _make_chunks(self) -> None:
        self._chunks += _chunks([_join_pieces(pieces, len(self._literals.lines)) for pieces in self._pieces])
        self._pieces = [[], []]


def _join_pieces(pieces: list[np.ndarray], lines: int) -> np.ndarray:
    """One group's columns as words; a multiple of eight of them, so that sums can take eight counts at a time."""
    used = sum(piece.shape[1] for piece in pieces)
    filling = np.zeros((lines, -used % 64), dtype=np.uint8)
    return np.concatenate([*pieces, filling], axis=1).view(np.uint64)


def _chunks(groups: list[np.ndarray]) -> list[Chunk]:
    """Cut both groups into equally many pieces, so that each chunk holds its share of both groups."""
    total = sum(words.shape[1] for words in groups)
    count = -(-total // _most_words(len(groups[0])))
    cuts = [np.arange(count + 1) * (words.shape[1] // 8) // max(count, 1) * 8 for words in groups]
    chunks = []
    for index in range(count):
        pieces = [words[:, cut[index] : cut[index + 1]] for words, cut in zip(groups, cuts, strict=True)]
        chunks.append(Chunk(np.concatenate(pieces, axis=1), pieces[DISGUISED].shape[1]))
    return chunks


def _most_words(lines: int) -> int:
    """The most words that each line of a chunk may have, if the chunk has this number of lines."""
    return min(max(_CHUNK_BYTES // (8 * lines), 64), 4000)  # 4000: sums of byte counts must fit 16 bits


def _columns(match: np.ndarray) -> np.ndarray:
    """Bit columns (lines, bytes) of a table of truth values (records, lines): eight records become one byte.

    A byte takes one record of each eighth of the table, so that whole eighths are shifted and joined, eight truth
    values at a time; no count depends on the order of the records.
    """
    rows, lines = match.shape
    if rows % 64:
        match = np.concatenate([match, np.zeros((64 - rows % 64, lines), dtype=match.dtype)])
    joined = match.reshape(-1).view(np.uint64).reshape(8, -1)
    for half in (4, 2, 1):
        upper = joined[half:] << np.uint64(half)
        joined = np.bitwise_or(upper, joined[:half], out=upper)
    return np.ascontiguousarray(joined.view(np.uint8).reshape(-1, lines).T)


def _hamming(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The Hamming distance of each of some columns from each of others: in how many bits they differ."""
    if cdist is not None:
        return np.asarray(cdist(rows, others, "hamming", dtype="bin8"))
    words = others.view(np.uint64)
    return np.stack([_row_sums(np.bitwise_count(row ^ words)) for row in rows.view(np.uint64)])


def _comparisons(items: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns start, stop, end: each itemset in start … stop − 1 is compared with those after it, before end."""
    joins = np.flatnonzero(np.r_[True, (items[first[1:], :-1] != items[first[:-1], :-1]).any(axis=1)])
    ends = np.maximum.reduceat(second, joins) + 1
    lasts = first[np.r_[joins[1:], len(first)] - 1]
    steps = [np.arange(start, last + 1, _TOGETHER) for start, last in zip(first[joins], lasts, strict=True)]
    sizes = [len(places) for places in steps]
    starts, ends, lasts = np.concatenate(steps), np.repeat(ends, sizes), np.repeat(lasts, sizes)
    return starts, np.minimum(starts + _TOGETHER, lasts + 1), ends


def _row_sums(counts: np.ndarray) -> np.ndarray:
    """Row sums of byte counts of at most 64, eight bytes at a time: five times as fast as a sum of bytes."""
    eights = counts.view(np.uint64)
    pairs = (eights >> _EIGHT) & _LANE
    pairs += eights & _LANE
    lanes: np.ndarray = pairs.sum(axis=1, dtype=np.uint64).reshape(-1, 1).view(np.uint16)
    return lanes.sum(axis=1, dtype=np.int64)


def itemset_cells(literals: Literals, itemset: np.ndarray, binned: Mapping[int, Binned] | None = None) -> PatternCells:
    """How the cells of this itemset are numbered; with what classes tell of bins also what each weighs."""
    pattern = literals.pattern(itemset)
    asked = not literals.design.sampled
    return PatternCells(literals.design, pattern, classes=literals.bins.classes, binned=binned or {}, all_asked=asked)


@dataclass(frozen=True)
class RecordCells:
    """The cell of each of some records; `line` gives 0 or 1 for every record, by the number of a line."""

    literals: Literals
    line: Callable[[int], np.ndarray]
    _known: dict[int, np.ndarray] = field(default_factory=dict)  # digits, by literal
    _details: dict[range, np.ndarray] = field(default_factory=dict)

    def number(self, itemset: np.ndarray, own: PatternCells) -> np.ndarray:
        """The number of the cell that each record is in."""
        kind = np.min_scalar_type(own.count)
        digits = (
            self._digits(literal, own, j).astype(kind, copy=False) * kind.type(own.widths[j])
            for j, literal in enumerate(itemset.tolist())
        )
        cell = next(digits)
        for more in digits:
            cell = cell + more
        return cell

    def _digits(self, literal: int, own: PatternCells, j: int) -> np.ndarray:
        """The digits of a literal, the j-th of its itemset: other literals matter only where places are merged."""
        if literal in self._known and own.merged[j] is None:
            return self._known[literal]
        match, asking = self.line(literal), self.literals.lines.asking
        asked = np.ones_like(match) if asking is None else self.line(int(asking[literal]))
        made = own.digits_of(j, asked, match, self._detail(literal)).astype(np.min_scalar_type(own.bases[j]))
        if own.merged[j] is None:
            self._known[literal] = made
        return made

    def _detail(self, literal: int) -> np.ndarray | None:
        """What else records tell of the item of a literal; None where they tell nothing."""
        own = self.literals.lines.detailing.get(int(self.literals.column[literal]))
        if own is not None and own not in self._details:
            detail: np.ndarray = np.zeros(len(self.line(literal)), np.min_scalar_type(2 ** len(own) - 1))
            for bit, line in enumerate(own):
                detail |= self.line(line).astype(detail.dtype) << detail.dtype.type(bit)
            self._details[own] = detail
        return None if own is None else self._details[own]
