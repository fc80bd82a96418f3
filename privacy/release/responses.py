"""Responses of a survey as a table to be released: open answers made coarser, disguised answers as they are stored.

The two groups stay apart: no class has direct and disguised respondents, because the flag of the group is published and
the design is needed to read the disguised records. Classes of the direct group that show fewer than `least` answers to
some item are suppressed, because these answers are true. Those of the disguised group are judged and reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.design.fields import YES_NO
from privacy.errors import EntryError
from privacy.records import Records
from privacy.release.anonymize import by_content
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, tally
from privacy.release.disguised import Disguised, judge_disguised
from privacy.release.earlier import Fingerprint
from privacy.release.full_domain import Generalisation, penalty_of
from privacy.release.hierarchies import Hierarchy
from privacy.release.lattice import Lattice, Levels, Node, looked_at, search
from privacy.release.measures import Measures, measure, sizes_alone

__all__ = ["DIRECT", "Released", "release_responses"]

Ints = NDArray[np.int64]
DIRECT = "direct"


@dataclass(frozen=True, eq=False)
class Released:
    """What is published, the nodes that could be, the measures before and after, and what disguised answers tell."""

    columns: dict[str, list[str]]
    known: tuple[str, ...]  # the columns that others may know, the flag of the group first
    generalisation: Generalisation
    penalties: dict[str, float]  # how much of each of these columns is lost
    before: Measures
    after: Measures
    judged: tuple[Disguised, ...]
    masked: dict[str, int]  # of each number and place, how many that stand there undisguised are hidden as rare
    fingerprint: Fingerprint  # of the direct group: only its answers are true

    @property
    def suppressed(self) -> int:
        return self.generalisation.suppressed


def release_responses(
    records: Records,
    known: Mapping[str, tuple[Sequence[str], Hierarchy]],
    kept: Mapping[str, Sequence[str]],
    *,
    k: int,
    least: int,
    share: float,
) -> Released:
    """Make a release of responses.

    Parameters
    ----------
    records : Records
        The responses, with their design.
    known : mapping of str to (sequence of str, Hierarchy)
        The open answers that others may know, and how they become coarser.
    kept : mapping of str to sequence of str
        Open answers that are published as they are.
    k : int
        How many respondents of a group must be alike in what others may know.
    least : int
        How many different answers a class of the direct group must have to every item.
    share : float
        The largest share of responses that may be suppressed.

    Returns
    -------
    Released

    Raises
    ------
    InputError
        Where the model cannot be fulfilled.
    """
    people = len(records)
    # no level above its values: the flag of the group stays what it is
    trees = {DIRECT: Hierarchy((YES_NO,), (np.arange(2),), DIRECT)}
    trees |= {name: tree for name, (_, tree) in known.items()}
    table: dict[str, Sequence[str]] = {DIRECT: [str(int(flag)) for flag in records.direct]}
    table |= {name: given for name, (given, _) in known.items()}
    quasis = [Quasi(name, tree, tree.coded(table[name], name)) for name, tree in trees.items()]
    taken, member = _taken(quasis, records, k, least, int(share * people + 1e-9))
    published: dict[str, Sequence[str]] = {}
    masked: dict[str, int] = {}
    for quasi, level in zip(quasis, taken.node, strict=True):
        labels = np.array(quasi.hierarchy.labels[level], object)[quasi.levels[level]]
        published[quasi.name] = np.where(taken.kept, labels, SUPPRESSED).tolist()
    published.update(kept)
    for place, (item, field) in enumerate(zip(records.design.items, records.design.fields, strict=True)):
        codes = records.codes[:, place].tolist()
        texts = [field.text(code) if code < field.size else "" for code in codes]
        if item.grid:
            hidden = rare_truths(records, place, k)
            masked[item.id] = int(hidden.sum())
            texts = np.where(hidden, SUPPRESSED, texts).tolist()
        published[item.id] = texts
    order = by_content(list(published.values()), people).tolist()
    direct, items = records.codes[records.direct].astype(np.int64), _items(records)
    raw = Levels([quasi.levels for quasi in quasis]).members((0,) * len(quasis))
    return Released(
        columns={name: [column[place] for place in order] for name, column in published.items()},
        known=tuple(trees),
        generalisation=taken,
        penalties={
            quasi.name: penalty_of([quasi], (level,), taken.kept)
            for quasi, level in zip(quasis, taken.node, strict=True)
        },
        before=_measured(raw, people),
        after=_measured(member[taken.kept], people),
        masked=masked,
        judged=tuple(judge_disguised(records, item, member) for item in items),
        fingerprint=Fingerprint("", member[records.direct], {item: direct[:, place] for item, place in items.items()}),
    )


def rare_truths(records: Records, place: int, least: int) -> NDArray[np.bool_]:
    """Whose number or place in this column is true as it stands, and shared so by fewer than `least`.

    That is anything of the direct group, and of the disguised what a block does not hide, as a place outside zones.
    """
    design, codes = records.design, records.codes[:, place].astype(np.int64)
    block, _ = design.place(place)
    true = records.direct | design.blocks[block].certain(records.codes[:, [place]])
    numbers, counts = np.unique(codes[true], return_counts=True)
    return true & np.isin(codes, numbers[counts < least])


def _taken(quasis: Sequence[Quasi], records: Records, k: int, least: int, allowed: int) -> tuple[Generalisation, Ints]:
    """The node that loses least of all that hold, and the class of every response there, −1 where it is hidden."""
    levels = Levels([quasi.levels for quasi in quasis])

    def small(node: Node) -> int:
        sizes = levels.sizes(node)
        return int(sizes[sizes < k].sum())

    def member(node: Node) -> Ints:
        classes = levels.members(node)
        return _diverse(np.where(np.bincount(classes)[classes] < k, -1, classes), records, least)

    possible = search(levels.heights, lambda node: small(node) <= allowed)
    none = Lattice(np.zeros_like(possible.holding), 0)
    lattice = looked_at(possible, none, lambda node: int((member(node) < 0).sum()) <= allowed)
    losses = [(penalty_of(quasis, node, member(node) >= 0), sum(node), node) for node in lattice.nodes()]
    if not losses:
        raise EntryError(
            "Even with every answer that others may know made as coarse as it can be, too many responses would have to "
            "be hidden; ask for less, or let more be hidden."
        )
    loss, _, node = min(losses)
    classes = member(node)
    return Generalisation(node, lattice, classes >= 0, loss), classes


def _items(records: Records) -> dict[str, int]:
    """The items with options, and their places."""
    return {item.id: place for place, item in enumerate(records.design.items) if item.options}


def _diverse(member: Ints, records: Records, least: int) -> Ints:
    """The classes without those of the direct group that have too few answers to an item; these are hidden."""
    left = member.copy()
    for place in _items(records).values():
        rows = np.flatnonzero(records.direct & (left >= 0))
        if not len(rows):
            break
        own, classes = np.unique(left[rows], return_inverse=True)
        few = own[tally(classes, records.codes[rows, place].astype(np.int64)).distinct < least]
        left[np.isin(left, few)] = -1
    return left


def _measured(member: Ints, people: int) -> Measures:
    """The measures of the classes of those that are shown: of their sizes alone."""
    if not len(member):
        raise EntryError("Every response would be hidden; ask for less, or treat fewer answers as known to others.")
    classes = np.unique(member, return_inverse=True)[1]
    nothing = np.zeros(people, np.int64)
    return sizes_alone(measure(tally(classes, nothing[: len(member)], nothing)))
