"""Groups of parts: what one process reads and packs in one go, and then counts as often as it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from mining.engines.bits import BitCounter, pack
from mining.engines.literals import Literals
from surveys.domain.responses.disclosure import Reportable, records_of_parts
from surveys.domain.responses.seal import PART_SIZE
from surveys.domain.responses.snapshots import Sealed, sealed
from surveys.models import Snapshot

# Of what fixed records of every kind are packed to, and what is counted of that (tests/mining/test_packing.py). Copies
# and crews bear it in their names: what another version has packed or counted is none of this one's.
PACKING = "338b97ae"
_TOGETHER = 8  # parts of a group: 524 288 records are packed in a fraction of a second
_MANY = 64  # parts; of fewer each is a group, so that several workers have something to do
_LAST = 8  # of many parts the last, each a group again: who is done before the others finds something small to do


@dataclass(frozen=True)
class Group:
    """Parts that follow one another in a snapshot. `name` stands for what they hold packed, and for nothing else."""

    listed: Sequence[Sealed]
    name: str
    settled: bool  # all its parts are full: no sealing ever changes one


def expected(snapshot: Snapshot) -> int:
    """How many groups its records make if all parts but the last are full; it need not be asked for them."""
    return len(_starts(-(-snapshot.respondents // PART_SIZE)))


def _starts(parts: int) -> list[int]:
    """The first part of each group."""
    together = parts - _LAST if parts >= _MANY else 0
    return [*range(0, together, _TOGETHER), *range(together, parts)]


@dataclass(frozen=True)
class Source:
    """What a run counts: those records of a snapshot that may be reported, and what can stand in an itemset."""

    snapshot: Snapshot
    literals: Literals
    reportable: Reportable

    def groups(self) -> list[Group]:
        """All of the snapshot. The leader lists them once for everybody: the database goes through the parts for it."""
        listed = sealed(self.snapshot)
        starts = _starts(len(listed))
        return [self.group(listed[start:stop]) for start, stop in pairwise([*starts, len(listed)])]

    def group(self, listed: Sequence[Sealed]) -> Group:
        held = [PACKING, *(digest for _, digest, _ in listed), *self.literals.labels, str(self.reportable.direct)]
        name = sha256("\n".join(held).encode()).hexdigest()[:32]
        return Group(listed, name, settled=all(size >= PART_SIZE for _, _, size in listed))

    def read(self, group: Group) -> BitCounter:
        """The bit columns of a group, from the sealed parts."""
        parts = records_of_parts(self.snapshot, group.listed, self.reportable)
        return pack(((records.codes, records.direct) for records in parts), self.literals)
