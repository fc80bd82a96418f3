"""From a table and a spec to a release: a table that fulfils the model, and a report of what was done and lost."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.release.attacks import Attack, attacks
from privacy.release.classes import SUPPRESSED, classes_of, numbered
from privacy.release.covers import Measured, Space
from privacy.release.full_domain import Generalisation, Quasi, generalise, penalty_of, safe
from privacy.release.local import at_random, bottom_up, grown, joined_until_safe
from privacy.release.measures import Measures, measure
from privacy.release.models import Model
from privacy.release.specs import Spec
from privacy.release.utility import clusters, distorted, utilities, weights

__all__ = ["METHODS", "Release", "anonymize"]

Ints = NDArray[np.int64]
Table = Mapping[str, Sequence[str]]
CLUSTERS = 3  # of sensitive values, in the experiments of the paper (Zhu, Zhao and Wang 2010, section 5.2)


@dataclass(frozen=True, eq=False)
class Release:
    """The published columns, and what the report says. `order` are the places of the rows in the table given."""

    method: str
    columns: dict[str, list[str]]
    order: Ints
    names: tuple[str, ...]  # of the quasi-identifiers
    generalisation: Generalisation | None
    suppressed: int
    distorted: int
    measures: Measures | None  # None where no column is sensitive
    attacks: tuple[Attack, ...]

    def __len__(self) -> int:
        return len(self.order)

    def to_json(self) -> dict[str, Any]:
        """The report as `candor anonymize --report` writes it."""
        taken = self.generalisation
        return {
            "method": self.method,
            "node": taken and dict(zip(self.names, taken.node, strict=True)),
            "minimal": taken and [dict(zip(self.names, node, strict=True)) for node in taken.lattice.minimal],
            "suppressed": self.suppressed,
            "distorted": self.distorted,
            "records": len(self),
            "metrics": self.measures and self.measures.to_json(),
            "attacks": [attack.to_json() for attack in self.attacks],
        }


@dataclass(frozen=True, eq=False)
class _Made:
    """What a method makes: labels of the quasi-identifiers, sensitive codes, and what it cost."""

    labels: list[list[str]]
    secrets: list[Ints]
    penalty: float
    generalisation: Generalisation | None = None
    distorted: int = 0


@dataclass(frozen=True, eq=False)
class _Job:
    """A table with its spec, its sensitive values in codes."""

    table: Table
    spec: Spec
    model: Model
    secrets: list[Ints]
    random: np.random.Generator

    @property
    def records(self) -> int:
        return len(next(iter(self.table.values())))

    def quasis(self) -> list[Quasi]:
        return [self._quasi(name) for name in self.spec.named("quasi")]

    def _quasi(self, name: str) -> Quasi:
        column = self.spec.columns[name]
        hierarchy = column.tree(list(dict.fromkeys(self.table[name])))
        return Quasi(name, hierarchy, hierarchy.coded(self.table[name], name), column.weight or 1.0)

    def space(self) -> Space:
        """The quasi-identifiers for local recoding; weights that are not given come from the utilities of the data."""
        attributes: list[Quasi | Measured] = []
        for name in self.spec.named("quasi"):
            column = self.spec.columns[name]
            if column.numeric:
                column.tree(self.table[name])  # says which value is no number
                values = np.array(self.table[name], np.float64)
                attributes.append(Measured(name, values, column.weight or 1.0))
            else:
                attributes.append(self._quasi(name))
        space = Space(attributes)
        given = [self.spec.columns[name].weight for name in self.spec.named("quasi")]
        if any(weight is not None for weight in given) or not self.secrets:
            return space
        own = weights(utilities(space, self.secrets[0]))
        return Space(
            [replace(attribute, weight=float(weight)) for attribute, weight in zip(attributes, own, strict=True)]
        )

    def one_secret(self) -> Ints:
        if len(self.secrets) != 1:
            raise InputError(f"spec.method: {self.spec.method} needs just one sensitive attribute.")
        return self.secrets[0]

    def only_k(self) -> None:
        if self.model.about_sensitive:
            raise InputError(f"spec.method: {self.spec.method} knows k alone; local fulfils every model.")

    def unsuppressed(self) -> None:
        if self.spec.suppression:
            raise InputError(f"spec.suppression: {self.spec.method} suppresses no records.")


def anonymize(table: Table, spec: Spec) -> Release:
    """Generalise a table until it fulfils the model of a spec.

    Parameters
    ----------
    table : mapping of str to sequence of str
        The columns. Each must have a role in the spec: one that was forgotten would be published.
    spec : Spec
        What to make of it.

    Returns
    -------
    Release
        Identifiers are dropped, rows stand in a random order, and suppressed rows have ``*`` in every quasi-identifier.

    Raises
    ------
    InputError
        Where table and spec do not fit, or the model cannot be fulfilled.
    """
    _check_columns(table, spec)
    random = np.random.default_rng(spec.seed)
    secrets, model = _secrets(table, spec)
    job = _Job(table, spec, model, secrets, random)
    made = METHODS[spec.method](job)
    names = spec.named("quasi")
    hidden = np.array([all(label == SUPPRESSED for label in row) for row in zip(*made.labels, strict=True)], bool)
    published: dict[str, Sequence[str]] = dict(zip(names, made.labels, strict=True))
    for name, codes in zip(spec.named("sensitive"), made.secrets, strict=True):
        values = list(_ordered(table[name], spec, name))
        published[name] = [values[code] for code in codes.tolist()]
    order = _shuffled(job.records, spec.seed, made.labels)
    columns = {
        name: [str(value) for value in np.asarray(published.get(name, table[name]), object)[order]]
        for name in table
        if spec.columns[name].role != "identifier"
    }
    measures, tried = None, tuple[Attack, ...]()
    if secrets and not hidden.all():
        classes = classes_of([np.array(labels) for labels in made.labels], made.secrets[0])
        measures, tried = replace(measure(classes), penalty=made.penalty), attacks(classes)
    suppressed = made.generalisation.suppressed if made.generalisation else 0
    return Release(
        spec.method, columns, order, tuple(names), made.generalisation, suppressed, made.distorted, measures, tried
    )


def _shuffled(records: int, seed: int | None, labels: Sequence[Sequence[str]]) -> Ints:
    """A random order of the rows. With a seed it also depends on what is published.

    Two releases of one table by one seed would otherwise stand in one order, and be joined row by row.
    """
    if seed is None:
        return np.random.default_rng().permutation(records)
    digest = hashlib.sha256(json.dumps([seed, *labels]).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, np.uint32)).permutation(records)


def _check_columns(table: Table, spec: Spec) -> None:
    for name in spec.columns:
        if name not in table:
            raise InputError(f"The table has no column {shown(name)}, which the spec names.")
    for name in table:
        if name not in spec.columns:
            raise InputError(f"The column {shown(name)} has no role in the spec; insensitive publishes it as it is.")
    if not len(next(iter(table.values()))):
        raise InputError("The table has no rows.")


def _secrets(table: Table, spec: Spec) -> tuple[list[Ints], Model]:
    """The codes of the sensitive attributes, and the model with the tree that its distance needs."""
    secrets, model = [], spec.model
    for name in spec.named("sensitive"):
        if model.closeness is not None and model.closeness.distance == "hierarchical":
            tree = spec.columns[name].tree(list(dict.fromkeys(table[name])))
            model = replace(model, closeness=replace(model.closeness, hierarchy=tree))
        places = {value: place for place, value in enumerate(_ordered(table[name], spec, name))}
        secrets.append(np.array([places[value] for value in table[name]], np.int64))
    return secrets, model


def _ordered(column: Sequence[str], spec: Spec, name: str) -> Sequence[str]:
    """The values of a sensitive attribute in their order: of its hierarchy, of numbers, else of the alphabet."""
    different = {str(value) for value in column}
    if spec.columns[name].hierarchy is not None:
        tree = spec.columns[name].tree(sorted(different))
        tree.coded(sorted(different), name)
        return tree.labels[0]
    try:
        return sorted(different, key=float)
    except ValueError:
        return sorted(different)


def _full_domain(job: _Job) -> _Made:
    quasis = job.quasis()
    taken = generalise(quasis, job.secrets, job.model, job.spec.suppression, job.spec.minimise)
    labels = []
    for quasi, level in zip(quasis, taken.node, strict=True):
        names = np.array(quasi.hierarchy.labels[level], object)
        labels.append(np.where(taken.kept, names[quasi.levels[level]], SUPPRESSED).tolist())
    return _Made(labels, job.secrets, penalty_of(quasis, taken.node, taken.kept), taken)


def _bottom_up(job: _Job) -> _Made:
    job.only_k()
    job.unsuppressed()
    space = job.space()
    return _recoded(job, space, bottom_up(space, job.model.k, np.arange(job.records), literal=job.spec.literal))


def _local(job: _Job) -> _Made:
    """The improved form, for every model: what does not fulfil it yet is joined further."""
    job.unsuppressed()
    space = job.space()
    member = grown(space, job.model.k, np.arange(job.records))
    member = joined_until_safe(space, member, lambda classes: safe(classes, job.secrets, job.model))
    return _recoded(job, space, member)


def _k_acluk(job: _Job) -> _Made:
    """Sensitive values are clustered, and within a cluster classes are paired by lot (Li and others 2008)."""
    job.only_k()
    job.unsuppressed()
    space, secret = job.space(), job.one_secret()
    own = clusters(utilities(space, secret), CLUSTERS, 1, job.random)
    member = _within(own[secret], job.model.k, lambda records: at_random(space, job.model.k, records, job.random))
    return _recoded(job, space, member)


def _ilp_l(job: _Job) -> _Made:
    """The paper's own: cluster values, pair classes within clusters, then distort values until l are in each class."""
    job.unsuppressed()
    space, secret, asked = job.space(), job.one_secret(), job.model.diversity
    if asked is None or asked.kind != "distinct" or job.model.closeness or job.model.alpha:
        raise InputError("spec.method: ilp-l fulfils k and distinct l-diversity, which model.l must ask for.")
    least = int(asked.l)
    if job.model.k < least:
        raise InputError(f"model.k: {job.model.k} records cannot have {least} values; ilp-l needs k from l on.")
    values = int(secret.max()) + 1
    if len(np.unique(secret)) < least:
        raise InputError(f"model.l: the sensitive attribute has fewer than {least} values.")
    own = clusters(utilities(space, secret), values // least, least, job.random)
    literal = job.spec.literal
    member = _within(own[secret], job.model.k, lambda records: bottom_up(space, job.model.k, records, literal=literal))
    published = numbered(space.published(member))  # two classes may be covered by the same labels
    changed = distorted(published, secret, own, least, job.random)
    made = _recoded(job, space, member)
    return replace(made, secrets=[changed], distorted=int((changed != secret).sum()))


def _within(owner: Ints, k: int, gather: Callable[[Ints], Ints]) -> Ints:
    """Gather the records of every cluster apart; a cluster with fewer than k records goes with the largest one."""
    sizes = np.bincount(owner)
    together = np.where(sizes < k, int(sizes.argmax()), np.arange(len(sizes)))[owner]
    member, first = np.empty(len(owner), np.int64), 0
    for cluster in np.unique(together):
        records = np.flatnonzero(together == cluster)
        own = gather(records)
        member[records] = first + own
        first += int(own.max()) + 1
    return member


def _recoded(job: _Job, space: Space, member: Ints) -> _Made:
    return _Made(space.published(member), job.secrets, space.penalty(member) / job.records)


METHODS: dict[str, Callable[[_Job], _Made]] = {
    "full-domain": _full_domain,
    "bottom-up": _bottom_up,
    "k-acluk": _k_acluk,
    "ilp-l": _ilp_l,
    "local": _local,
}
