"""What a release tells somebody who knows how it was made: the attacks that make it again in many possible worlds."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from privacy.arrays import Ints
from privacy.release.again import Again, OnLevels
from privacy.release.attacks import Attack
from privacy.release.classes import number_classes
from privacy.release.downcoding import downcoding
from privacy.release.full_domain import LOSSES
from privacy.release.methods import METHODS, Job, Made
from privacy.release.minimality import minimality
from privacy.release.progress import Progress, nobody, part_of_work

WORLDS = 1000  # that are tried at most
LEVELS_WORK = 25_000_000  # of all worlds of an attack together: records times nodes that are asked
MADE_TIME = 5_000_000  # the same in microseconds, where each world is made by itself
NODE, OF_NODE = 100, 0.1  # microseconds of a node of the lattice, and of each record in it


def try_worlds(
    job: Job, made: Made, make: Callable[[Job], Made], group: Ints | None = None, progress: Progress = nobody
) -> list[Attack]:
    """Try minimality and downcoding on the table that `make` made of a job, each only where worlds may differ.

    Other sensitive values change nothing where a model asks for k alone. Methods that change values or draw by lot are
    left out. `group` tells apart people who are never in one class; on levels it is the first attribute, which the
    reader knows.
    """
    if METHODS[job.method].by_lot or METHODS[job.method].means:
        return []
    own = [] if group is None else [group]
    member, found = number_classes([*own, made.member]), []
    # a front changes nothing of the table, and takes long
    job = replace(job, front="", secrets=_as_published(member, job.secrets))
    again = again_of(job, made, make)
    if job.model.about_sensitive and job.secrets:
        quasi = number_classes([*own, *(quasi.codes for quasi in job.quasis)])
        first = part_of_work(progress, 0, 0.5)
        found.append(minimality(again, member, quasi, WORLDS, first))
    if made.penalty:
        looks = job.model.about_sensitive or not METHODS[job.method].levels  # weights come from sensitive values, too
        rows = number_classes([member, *(job.secrets if looks else [])])
        last = part_of_work(progress, 0.5, 1)
        known = 1 if own and METHODS[job.method].levels else 0
        if coded := downcoding(again.begin(), member, rows, WORLDS, known, last):
            found.append(coded)
    return found


def _as_published(member: Ints, secrets: Sequence[Ints]) -> list[Ints]:
    """The sensitive values in the order in which each class publishes them.

    Which of its people has which is not published. An attack that knew it would find more, or less, by whose they are,
    and its figures stand in the report.
    """
    order = np.lexsort((*secrets, member)) if secrets else member
    published = [np.empty_like(own) for own in secrets]
    for own, codes in zip(published, secrets, strict=True):
        own[np.argsort(member, kind="stable")] = codes[order]
    return published


def again_of(job: Job, made: Made, make: Callable[[Job], Made]) -> Again:
    """Return what makes a job again in other worlds: many worlds at once where only levels decide."""
    taken = made.generalisation
    if taken is None:
        return Again(job, made.labels, make, int(METHODS[job.method].effort(job.records)), MADE_TIME)
    nodes = taken.lattice.holding.size
    if job.bounds or not LOSSES[job.minimise].grows or job.suppression >= 1:
        return Again(job, made.labels, make, int((NODE + OF_NODE * job.records) * nodes), MADE_TIME)
    again = OnLevels(job, made.labels, make, 0, LEVELS_WORK, taken)
    again.effort = (again.of_node + again.of_loss) * nodes
    return again
