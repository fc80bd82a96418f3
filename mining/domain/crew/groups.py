"""Groups of parts: what one process reads and packs in one go, and then counts as often as it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from mining.engines.bits import BitCounter, pack
from mining.engines.literals import Literals
from surveys.domain.responses.seal import PART_SIZE
from surveys.domain.responses.snapshots import Sealed, sealed
from surveys.domain.results.disclosure import Told, records_of_parts
from surveys.models import Snapshot

_TOGETHER = 4  # parts of a group: 262 144 records are packed in a fraction of a second
_MANY = 64  # parts; of fewer each is a group, so that several workers have something to do


@dataclass(frozen=True)
class Group:
    """Parts of a snapshot, by their places in it. `name` stands for what they hold, and for nothing else."""

    places: slice
    name: str
    settled: bool  # all its parts are full: no sealing ever changes one


@dataclass(frozen=True)
class Source:
    """What a run counts: the records of a snapshot that are told of, and what can stand in an itemset of them."""

    snapshot: Snapshot
    literals: Literals
    told: Told

    @cached_property
    def sealed(self) -> list[Sealed]:
        """The list of all parts, which is read once: the database goes through the parts for it."""
        return sealed(self.snapshot)

    def groups(self) -> list[Group]:
        step = _TOGETHER if len(self.sealed) >= _MANY else 1
        return [self._group(slice(start, start + step)) for start in range(0, len(self.sealed), step)]

    def read(self, group: Group) -> BitCounter:
        """The bit columns of a group, from the sealed parts."""
        parts = records_of_parts(self.snapshot, self.sealed[group.places], self.told)
        return pack(((records.codes, records.direct) for records in parts), self.literals)

    def _group(self, places: slice) -> Group:
        parts = self.sealed[places]
        held = [*(digest for _, digest, _ in parts), *self.literals.labels, str(self.told.direct)]
        name = sha256("\n".join(held).encode()).hexdigest()[:32]
        return Group(places, name, settled=all(size >= PART_SIZE for _, _, size in parts))
