"""The groups that one process counts: their bit columns in memory while there is room, else read for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from django.conf import settings

from mining.domain.crew.copies import Copies
from mining.domain.crew.groups import Group, Source
from mining.engines.bits import BitCounter, gathered
from mining.engines.spread import answer_of, sum_of_answers


@dataclass
class Held:
    """Bit columns by group; `copies` is None where this machine keeps none."""

    source: Source
    copies: Copies | None
    _columns: dict[tuple[str, bool], BitCounter] = field(default_factory=dict)
    _uncopied: dict[str, BitCounter] = field(default_factory=dict)  # those of them that a copy is still to be made of

    @cached_property
    def names(self) -> frozenset[str]:
        """Of the groups of which there was a copy here at first: the disk is asked once, and not for each group."""
        return self.copies.names() if self.copies else frozenset()

    def answer(self, groups: Sequence[Group], question: str, arguments: tuple[Any, ...], disguised: bool) -> Any:
        """What a counter of these groups answers."""
        return sum_of_answers(answer_of(counter, question, arguments) for counter in self._counters(groups, disguised))

    def keep(self, groups: Sequence[Group]) -> None:
        """Let go of all others."""
        names = {group.name for group in groups}
        self._columns = {place: columns for place, columns in self._columns.items() if place[0] in names}
        self._uncopied = {name: columns for name, columns in self._uncopied.items() if name in names}

    def copy(self) -> None:
        """Make the copies that are still to be made. No count waits for them, so this comes after the last one."""
        for name in list(self._uncopied):
            self._copy(name)

    def _counters(self, groups: Sequence[Group], disguised: bool) -> Iterator[BitCounter]:
        """One of everything that has room in memory, and then one of each of the other groups."""
        room = (settings.MINING_MEMORY_MIB << 20) // 2
        room -= sum(columns.nbytes for columns in self._columns.values())
        held = []
        for group in groups:
            columns, is_kept = self._columns_of(group, disguised)
            if not is_kept and columns.nbytes > room:
                self._copy(group.name)  # the next question reads it
                yield columns
                continue
            if not is_kept:
                room -= columns.nbytes
                self._columns[group.name, disguised] = columns
            held.append(columns)
        if held:
            chunks = gathered(chain.from_iterable(columns.chunks for columns in held))
            yield BitCounter(self.source.literals, np.sum([columns.sizes for columns in held], axis=0), chunks)

    def _columns_of(self, group: Group, disguised: bool) -> tuple[BitCounter, bool]:
        """The columns of a group, and whether they are in memory for good."""
        if kept := self._columns.get((group.name, disguised)):
            return kept, True
        if not disguised:
            return self._read(group), False
        with_direct = self._columns.pop((group.name, False), None) or self._read(group)
        self._copy(group.name)  # once it is left out, the direct group is not needed here
        return with_direct.disguised(), False

    def _read(self, group: Group) -> BitCounter:
        if self.copies is None or not group.settled:
            return self.source.read(group)
        columns = self.copies.read(group.name, self.source.literals)
        if columns is None:
            columns = self._uncopied[group.name] = self.source.read(group)
        return columns

    def _copy(self, name: str) -> None:
        if self.copies and (columns := self._uncopied.pop(name, None)):
            self.copies.write(name, columns)
