"""What a release tells somebody who knows how it was made: the attacks that make it again in many possible worlds."""

from collections.abc import Callable
from dataclasses import replace

from privacy.arrays import Ints
from privacy.release.attacks import Attack
from privacy.release.classes import numbered
from privacy.release.downcoding import downcoding
from privacy.release.methods import METHODS, Job, Made
from privacy.release.minimality import minimality
from privacy.release.progress import Progress, between, nobody

WORLDS = 1000  # that are tried at most
LEVELS_WORK = 3_000_000  # of all worlds together: records times nodes of a lattice
LOCAL_WORK = 3_000_000  # of local methods: what pairs of records take
NODE, RECORD, PAIR = 500, 5000, 100  # the time of a node, a record and a pair beside that


def tried_worlds(
    job: Job, made: Made, make: Callable[[Job], Made], group: Ints | None = None, progress: Progress = nobody
) -> list[Attack]:
    """Try both attacks on what `make` made of a job, each only where worlds may differ in what they become.

    Other sensitive values change nothing where a model asks for k alone. Methods that change values or draw by lot are
    left out. `group` tells apart people who are never in one class.
    """
    if METHODS[job.method].by_values:
        return []
    job = replace(job, front="")  # it changes nothing of the table, and takes long
    own = [] if group is None else [group]
    member, most, found = numbered([*own, *made.labels]), most_worlds(job, made), []
    if job.model.about_sensitive and job.secrets:
        quasi = numbered([*own, *(quasi.codes for quasi in job.quasis)])
        found.append(minimality(
            made.labels, member, quasi, job.secrets, job.model,
            lambda secrets: make(replace(job, secrets=secrets)).labels, most, between(progress, 0, 0.5),
        ))  # fmt: skip
    if made.penalty:
        looks = job.model.about_sensitive or not METHODS[job.method].levels  # weights come from sensitive values, too
        rows = numbered([member, *(job.secrets if looks else [])])
        last = between(progress, 0.5, 1)
        if coded := downcoding(job, made.labels, member, rows, lambda world: make(world).labels, most, last):
            found.append(coded)
    return found


def most_worlds(job: Job, made: Made) -> int:
    """How many worlds are tried at most, by how long it takes to make one of them again."""
    if made.generalisation:
        effort, work = (job.records + NODE) * made.generalisation.lattice.holding.size, LEVELS_WORK
    else:
        effort, work = (RECORD + PAIR * job.records) * job.records, LOCAL_WORK
    return min(WORLDS, work // effort)
