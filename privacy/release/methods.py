"""The methods by which a table is generalised: each takes a job and makes the labels of the quasi-identifiers.

A new one is a function here and an entry of `METHODS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.errors import InputError
from privacy.release.attributes import Measured, Quasi
from privacy.release.classes import SUPPRESSED, numbered
from privacy.release.covers import Space
from privacy.release.full_domain import Generalisation, generalise, penalty_of
from privacy.release.local import at_random, blocks, bottom_up, grown, joined_until_safe
from privacy.release.models import Diversity, Model, safe
from privacy.release.refine import refined
from privacy.release.utility import clusters, distorted, utilities, weights

__all__ = ["METHODS", "Job", "Made"]

Ints = NDArray[np.int64]
CLUSTERS = 3  # of sensitive values, in the experiments of the paper (Zhu, Zhao and Wang 2010, section 5.2)


@dataclass(frozen=True, eq=False)
class Made:
    """What a method makes: labels of the quasi-identifiers, sensitive codes, and what it cost."""

    labels: list[list[str]]
    secrets: list[Ints]
    penalty: float
    generalisation: Generalisation | None = None
    gathered: Ints | None = None  # of local recoding the class of each record; two may be published alike
    distorted: int = 0


@dataclass(frozen=True, eq=False)
class Job:
    """A table in codes, and what is asked of a method."""

    method: str
    quasis: Sequence[Quasi]
    numbers: Mapping[str, Sequence[str]]  # those of them that are numbers, as they are written
    weighed: bool  # whether a weight was given; else weights come from the utilities of the data
    secrets: list[Ints]
    expert: NDArray[np.float64] | None  # the utility matrix, where it does not come from the data
    inverse: bool  # whether what is useful weighs more
    model: Model
    suppression: float
    minimise: str
    literal: bool
    random: np.random.Generator

    @property
    def records(self) -> int:
        return len(self.quasis[0].codes)

    def space(self) -> Space:
        """The quasi-identifiers for local recoding."""
        attributes: list[Quasi | Measured] = [
            Measured(quasi.name, np.array(self.numbers[quasi.name], np.float64), quasi.weight)
            if quasi.name in self.numbers
            else quasi
            for quasi in self.quasis
        ]
        space = Space(attributes)
        if self.weighed or not self.secrets:
            return space
        own = weights(self.matrix(space), inverse=self.inverse)
        return Space(
            [replace(attribute, weight=float(weight)) for attribute, weight in zip(attributes, own, strict=True)]
        )

    def matrix(self, space: Space) -> NDArray[np.float64]:
        """The utility matrix of the first sensitive attribute: the expert's, or that of the data."""
        return self.expert if self.expert is not None else utilities(space, self.secrets[0])

    def one_secret(self) -> Ints:
        if len(self.secrets) != 1:
            raise InputError(f"spec.method: {self.method} needs just one sensitive attribute.")
        return self.secrets[0]

    def refuse_more_than_k(self) -> None:
        if self.model.about_sensitive:
            raise InputError(f"spec.method: {self.method} knows k alone; local fulfils every model.")

    def refuse_suppression(self) -> None:
        if self.suppression:
            raise InputError(f"spec.suppression: {self.method} suppresses no records.")


def _full_domain(job: Job) -> Made:
    quasis = job.quasis
    taken = generalise(quasis, job.secrets, job.model, job.suppression, job.minimise)
    labels = []
    for quasi, level in zip(quasis, taken.node, strict=True):
        names = np.array(quasi.hierarchy.labels[level], object)
        labels.append(np.where(taken.kept, names[quasi.levels[level]], SUPPRESSED).tolist())
    return Made(labels, job.secrets, penalty_of(quasis, taken.node, taken.kept), taken)


def _bottom_up(job: Job) -> Made:
    job.refuse_more_than_k()
    job.refuse_suppression()
    space = job.space()
    return _recoded(job, space, bottom_up(space, job.model.k, np.arange(job.records), literal=job.literal))


def _local(job: Job) -> Made:
    """The improved form, for every model: what does not fulfil it yet is joined further."""
    job.refuse_suppression()
    space = job.space()
    k = job.model.k

    def gather(records: Ints) -> Ints:
        return refined(space, k, records, grown(space, k, records))

    member = _apart(blocks(space, k, np.arange(job.records)), job.records, gather)
    member = joined_until_safe(space, member, lambda classes: safe(classes, job.secrets, job.model))
    return _recoded(job, space, member)


def _k_acluk(job: Job) -> Made:
    """Sensitive values are clustered, and within a cluster classes are paired by lot (Li and others 2008)."""
    job.refuse_more_than_k()
    job.refuse_suppression()
    space, secret = job.space(), job.one_secret()
    own = clusters(job.matrix(space), CLUSTERS, 1, job.random)
    member = _within(own[secret], job.model.k, lambda records: at_random(space, job.model.k, records, job.random))
    return _recoded(job, space, member)


def _ilp_l(job: Job) -> Made:
    """The paper's own: cluster values, pair classes within clusters, then distort values until l are in each class."""
    job.refuse_suppression()
    space, secret = job.space(), job.one_secret()
    match job.model.conditions:
        case (Diversity(kind="distinct", l=asked),):
            least = int(asked)
        case _:
            raise InputError("spec.method: ilp-l fulfils k and distinct l-diversity, which model.l must ask for.")
    if job.model.k < least:
        raise InputError(f"model.k: {job.model.k} records cannot have {least} values; ilp-l needs k from l on.")
    values = int(secret.max()) + 1
    if len(np.unique(secret)) < least:
        raise InputError(f"model.l: the sensitive attribute has fewer than {least} values.")
    own = clusters(job.matrix(space), values // least, least, job.random)
    literal = job.literal
    member = _within(own[secret], job.model.k, lambda records: bottom_up(space, job.model.k, records, literal=literal))
    published = numbered(space.published(member))  # two classes may be covered by the same labels
    changed = distorted(published, secret, own, least, job.random)
    made = _recoded(job, space, member)
    return replace(made, secrets=[changed], distorted=int((changed != secret).sum()))


def _within(owner: Ints, k: int, gather: Callable[[Ints], Ints]) -> Ints:
    """Gather the records of every cluster apart; a cluster with fewer than k records goes with the largest one."""
    sizes = np.bincount(owner)
    together = np.where(sizes < k, int(sizes.argmax()), np.arange(len(sizes)))[owner]
    groups = (np.flatnonzero(together == cluster) for cluster in np.unique(together))
    return _apart(groups, len(owner), gather)


def _apart(groups: Iterable[Ints], records: int, gather: Callable[[Ints], Ints]) -> Ints:
    """Gather the records of every group by itself."""
    member, first = np.empty(records, np.int64), 0
    for records_of_group in groups:
        own = gather(records_of_group)
        member[records_of_group] = first + own
        first += int(own.max()) + 1
    return member


def _recoded(job: Job, space: Space, member: Ints) -> Made:
    return Made(space.published(member), job.secrets, space.penalty(member) / job.records, gathered=member)


METHODS: dict[str, Callable[[Job], Made]] = {
    "full-domain": _full_domain,
    "bottom-up": _bottom_up,
    "k-acluk": _k_acluk,
    "ilp-l": _ilp_l,
    "local": _local,
}
