"""The methods by which a table is generalised: each takes a job and makes the labels of the quasi-identifiers.

A new one is a function here and an entry of `METHODS`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design.reading import quote
from privacy.errors import EntryError, to_translate
from privacy.release.attributes import Quasi, Space
from privacy.release.classes import SUPPRESSED, number_classes
from privacy.release.hierarchies import Hierarchy
from privacy.release.methods.full_domain import CodedTable, Search, generalise, penalty_of
from privacy.release.methods.job import ByColumn, Job, Made
from privacy.release.methods.local import (
    TOO_FEW,
    at_random,
    blocks,
    bottom_up,
    grow_classes,
    join_until_safe,
    refine,
    require_enough,
)
from privacy.release.methods.means import best_partition, mdav, means, standard, variance_lost, whole_numbers
from privacy.release.models import AnonymityModel, Diversity
from privacy.release.reasons import Progress, ReleaseError, part_of_work


def _require_root(job: Job) -> None:
    allowed = int(job.suppression * job.records + 1e-9)
    Search(job.table, job.model, allowed).require_root()


def _require_whole(job: Job) -> None:
    """Refuse a model that all rows together miss: where nothing is spoiled by merging, no smaller class keeps it."""
    require_enough(job.records, job.model.k)
    if job.inverse:
        job.space()  # a utility of 0 has none
    judged = job.secrets if job.judged is None else job.judged
    whole = np.zeros(job.records, np.int64)
    if not CodedTable(job.quasis, judged).several and not job.safe(whole).all():
        raise EntryError(TOO_FEW, at="model")


def _full_domain(job: Job) -> Made:
    quasis = job.quasis
    given = job.table, job.model, job.suppression, job.minimise, job.progress
    taken = generalise(*given, bounds=job.bounds, leakage=job.front, everybody=job.everybody)
    taken.table.levels.forget()
    labels = []
    for quasi, level in zip(quasis, taken.node, strict=True):
        names = np.array(quasi.hierarchy.labels[level], object)
        labels.append(np.where(taken.kept, names[quasi.levels[level]], SUPPRESSED).tolist())
    costs = [penalty_of(quasis, taken.node, taken.kept, twice) for twice in (False, job.literal)]
    return Made(labels, job.secrets, costs[0], costs[1] * job.records, taken)


def _bottom_up(job: Job) -> Made:
    space = job.space()
    member = bottom_up(space, job.model.k, np.arange(job.records), literal=job.literal, progress=job.progress)
    return _recode(job, space, member)


def _local(job: Job) -> Made:
    """Grow classes and refine them, block by block, then join those that miss the model: the improved form."""
    space = job.space()
    k = job.model.k

    def gather(records: Ints, progress: Progress) -> Ints:
        return refine(space, k, records, grow_classes(space, k, records, progress))

    return _recode(job, space, _gather_in_blocks(job, space, gather))


def _gather_in_blocks(job: Job, space: Space, gather: Callable[[Ints, Progress], Ints]) -> Ints:
    """Gather the records of every block, then join the classes that miss the model."""
    parts = blocks(space, job.model.k, np.arange(job.records))
    member = _gather_in_groups(parts, job.records, gather, part_of_work(job.progress, 0, 0.9))
    return join_until_safe(space, member, job.safe, part_of_work(job.progress, 0.9, 1))


def _require_few_values(job: Job) -> None:
    for quasi in job.quasis:
        values_or_nothing(quasi, job.model.k)
    _require_whole(replace(job, inverse=False))


def _cells(job: Job) -> Made:
    """Suppress single cells; without weights every cell counts alike, however much its column tells."""
    columns = [values_or_nothing(quasi, job.model.k) for quasi in job.quasis]
    made = _local(replace(job, quasis=columns, numbers={}, weighed=True))
    shares, space = shares_of_cells(made.labels), Space(columns, job.literal)
    penalties = [float(own @ np.array(shares)) for own in (space.weights, space.factors)]
    suppressed = ByColumn("cells", "cells suppressed", shares)
    return replace(made, penalty=penalties[0], penalty_sum=penalties[1] * job.records, by_column=suppressed)


def _require_numbers(job: Job) -> None:
    for quasi in job.quasis:
        if quasi.name not in job.numbers:
            raise ReleaseError("no_number", at="spec.method", column=quote(quasi.name))
    _require_whole(job)


def _means(job: Job) -> Made:
    """Gather rows by MDAV, block by block; a single number in the groups with the least squared error."""
    columns = [job.numbers[quasi.name] for quasi in job.quasis]
    space, k = job.space(), job.model.k
    if len(columns) == 1:
        member = join_until_safe(space, best_partition(whole_numbers(columns[0])[0], k), job.safe, job.progress)
    else:
        points = standard(columns, (space.weights * len(columns)).tolist())
        member = _gather_in_blocks(job, space, lambda records, progress: mdav(points[records], k, progress))
    labels = [means(column, member) for column in columns]
    lost = [variance_lost(column, own) for column, own in zip(columns, labels, strict=True)]
    return replace(_recode(job, space, member), labels=labels, by_column=ByColumn("variance", "variance lost", lost))


def _k_acluk(job: Job) -> Made:
    """Sensitive values are clustered, and within a cluster classes are paired by lot (Li and others 2008)."""
    space, secret = job.space(), job.secrets[0]
    own = clusters(job.matrix(space), job.clusters, 1, job.random)
    of_row = np.append(own, own[0])[secret]  # rows without a value go with those of a cluster
    k = job.model.k
    member = _gather_in_clusters(of_row, k, lambda records, _: at_random(space, k, records, job.random), job.progress)
    return _recode(job, space, member)


def _require_asked(job: Job) -> None:
    """Refuse what no change of values mends."""
    require_enough(job.records, job.model.k)
    secret, least = job.secrets[0], job.model.fewest
    if secret.min() < 0:
        raise ReleaseError("unasked", at="spec.method")
    if len(np.unique(secret)) < least:
        raise ReleaseError("values", at="model.l", least=least)


def _ilp_l(job: Job) -> Made:
    """The paper's own: cluster values, pair classes within clusters, then distort values until l are in each class."""
    space, secret = job.space(), job.secrets[0]
    least = job.model.fewest
    values = int(secret.max()) + 1
    own = clusters(job.matrix(space), values // least, least, job.random)

    def gather(records: Ints, progress: Progress) -> Ints:
        return bottom_up(space, job.model.k, records, literal=job.literal, progress=progress)

    member = _gather_in_clusters(own[secret], job.model.k, gather, job.progress)
    published = number_classes(space.label_columns(member))  # two classes may be covered by the same labels
    changed = distort(published, secret, own, least, job.random)
    made = _recode(job, space, member)
    return replace(made, secrets=[changed], distorted=int((changed != secret).sum()))


def _gather_in_clusters(owner: Ints, k: int, gather: Callable[[Ints, Progress], Ints], progress: Progress) -> Ints:
    """Gather the records of every cluster apart; a cluster with fewer than k records goes with the largest one."""
    sizes = np.bincount(owner)
    together = np.where(sizes < k, int(sizes.argmax()), np.arange(len(sizes)))[owner]
    groups = (np.flatnonzero(together == cluster) for cluster in np.unique(together))
    return _gather_in_groups(groups, len(owner), gather, progress)


def _gather_in_groups(
    groups: Iterable[Ints], records: int, gather: Callable[[Ints, Progress], Ints], progress: Progress
) -> Ints:
    """Gather the records of every group by itself; return the class of each record."""
    member, first, done = np.empty(records, np.int64), 0, 0
    for records_of_group in groups:
        after = done + len(records_of_group)
        own = gather(records_of_group, part_of_work(progress, done / records, after / records))
        member[records_of_group] = first + own
        first, done = first + int(own.max()) + 1, after
    return member


def _recode(job: Job, space: Space, member: Ints) -> Made:
    """Publish each class by the labels that cover it."""
    once = replace(space, twice=False).penalty(member) / job.records
    return Made(space.label_columns(member), job.secrets, once, space.penalty(member), gathered=member)


def _require_k_alone(name: str, model: AnonymityModel) -> None:
    if model.about_sensitive:
        raise EntryError("{method} supports only k; use local for other models.", at="spec.method", method=name)


def _require_k_and_distinct_l(name: str, model: AnonymityModel) -> None:
    match model.conditions:
        case (Diversity(kind="distinct"),):
            pass
        case _:
            raise EntryError(
                "{method} needs k and distinct l-diversity; model.l must ask for it.", at="spec.method", method=name
            )
    if model.k < model.fewest:
        raise EntryError(
            "{k} records cannot have {l} values; {method} needs k of at least l.",
            at="model.k", k=model.k, l=model.fewest, method=name,
        )  # fmt: skip


@dataclass(frozen=True)
class Method:
    """What generalises a table, its name on pages, and what it does in one sentence.

    `fulfils` refuses models that it does not, `require` jobs of which no table can come. `levels`: it puts each
    attribute on one level and may suppress rows. `by_lot`: it draws by lot, from clusters of the values of one
    sensitive attribute. `clusters`: how many there are is a choice. `disguised` names the method for records whose
    sensitive values may not be changed, where this one changes them. `means`: labels are means, which stand for no
    values.
    """

    make: Callable[[Job], Made]
    label: str
    about: str
    fulfils: Callable[[str, AnonymityModel], None] = lambda _name, _model: None
    require: Callable[[Job], None] = _require_whole
    levels: bool = False
    by_lot: bool = False
    clusters: bool = False
    disguised: str = ""
    means: bool = False


METHODS = {
    "full-domain": Method(
        _full_domain,
        to_translate("the same level for everybody (full-domain)"),
        to_translate("Each attribute has one level in the whole table. Easy to read, but loses the most."),
        require=_require_root,
        levels=True,
    ),
    "bottom-up": Method(
        _bottom_up,
        to_translate("pairs, round by round (bottom-up)"),
        to_translate("Pairs the most similar rows, round by round (Xu and others 2006). For k only."),
        _require_k_alone,
    ),
    "k-acluk": Method(
        _k_acluk,
        to_translate("random pairs within clusters (K-ACLUK)"),
        to_translate("Pairs rows with sensitive values of one cluster at random (Li and others 2008). For k only."),
        _require_k_alone,
        by_lot=True,
        clusters=True,
    ),
    "ilp-l": Method(
        _ilp_l,
        to_translate("clusters, pairs and changed answers (ILP-L)"),
        to_translate(
            "Pairs rows within clusters of sensitive values, then changes some values until each group has l (Zhu, "
            "Zhao and Wang 2010). For k and distinct l."
        ),
        _require_k_and_distinct_l,
        require=_require_asked,
        by_lot=True,
        disguised="bottom-up",
    ),
    "local": Method(
        _local,
        to_translate("each group by itself, improved (local)"),
        to_translate("Covers each group of rows as closely as possible. Loses the least, and supports every model."),
    ),
    "cells": Method(
        _cells,
        to_translate("single cells suppressed (cells)"),
        to_translate(
            "Keeps values or hides them, cell by cell. Attributes that weigh more lose fewer cells. Supports every "
            "model."
        ),
        require=_require_few_values,
    ),
    "means": Method(
        _means,
        to_translate("the mean of each group (means)"),
        to_translate(
            "Publishes the mean of each number in each group of similar rows (MDAV; of one number the best groups). "
            "Others may know numbers alone. Supports every model."
        ),
        require=_require_numbers,
        means=True,
    ),
}


def require_fitting(name: str, model: AnonymityModel, suppression: float, sensitive: int) -> None:
    """Refuse a model, suppression or number of sensitive attributes that the method cannot deal with."""
    method = METHODS[name]
    method.fulfils(name, model)
    if suppression and not method.levels:
        raise EntryError("{method} suppresses no records.", at="spec.suppression", method=name)
    if method.by_lot and sensitive != 1:
        raise EntryError("{method} needs just one sensitive attribute.", at="spec.method", method=name)


MOST_VALUES = 2000  # of a column that k rows share: memory grows with their square


def values_or_nothing(quasi: Quasi, k: int) -> Quasi:
    """The column with nothing between its values and ``*``; a value of fewer than k rows can never stay, and is ``*``.

    Raises `ReleaseError` where more than 2000 values are common enough to stay.

    >>> from privacy.release.hierarchies import by_rows
    >>> towns = by_rows([["Ulm", "south", "*"], ["Bonn", "west", "*"], ["Hof", "south", "*"]], "towns")
    >>> column = values_or_nothing(Quasi("town", towns, np.array([0, 0, 1, 1, 2])), k=2)
    >>> column.hierarchy.labels, column.codes.tolist()
    ((('Ulm', 'Bonn', '*'), ('*',)), [0, 0, 1, 1, 2])
    """
    names = quasi.hierarchy.labels[0]
    stay = np.flatnonzero(np.bincount(quasi.codes, minlength=len(names)) >= k)
    if len(stay) > MOST_VALUES:
        raise ReleaseError("many_values", at="spec.method", column=quote(quasi.name), count=len(stay), most=MOST_VALUES)
    places = np.full(len(names), len(stay))
    places[stay] = np.arange(len(stay))
    values = (*(names[place] for place in stay.tolist()), SUPPRESSED)
    tree = Hierarchy((values, (SUPPRESSED,)), (np.arange(len(values)), np.zeros(len(values), int)), quasi.name)
    return replace(quasi, hierarchy=tree, codes=places[quasi.codes])


def shares_of_cells(labels: Sequence[Sequence[str]]) -> list[float]:
    """The share of each column's cells that are suppressed.

    >>> shares_of_cells([["Ulm", "*"], ["f", "m"]])
    [0.5, 0.0]
    """
    return [list(column).count(SUPPRESSED) / len(column) for column in labels]


RESTARTS = 50  # of the search for clusters, before one cluster fewer is tried
CLUSTER_ROUNDS = 100


def clusters(matrix: Floats, count: int, least: int, random: np.random.Generator) -> Ints:
    """Gather sensitive values whose utilities are alike, by L1 distances from medians; return the cluster of each.

    `count` says how many clusters; there are fewer where that many cannot each have `least` values.

    >>> owner = clusters(np.array([[0.1], [0.9], [0.2], [0.8]]), 2, 2, np.random.default_rng(1))
    >>> bool(owner[0] == owner[2] != owner[1] == owner[3])
    True
    """
    for clusters_tried in range(min(count, len(matrix)), 1, -1):
        for _ in range(RESTARTS):
            owner = _medians(matrix, matrix[random.choice(len(matrix), clusters_tried, replace=False)])
            if np.bincount(owner, minlength=clusters_tried).min() >= max(least, 1):
                return owner
    return np.zeros(len(matrix), np.int64)


def _medians(matrix: Floats, centres: Floats) -> Ints:
    """Move centres to the medians of the values nearest to them until nothing changes; return each value's centre."""
    owner = np.full(len(matrix), -1)
    for _ in range(CLUSTER_ROUNDS):
        nearest = np.abs(matrix[:, None, :] - centres[None, :, :]).sum(axis=2).argmin(axis=1)
        if (nearest == owner).all():
            break
        owner = nearest
        for place in set(owner.tolist()):
            centres[place] = np.median(matrix[owner == place], axis=0)
    return owner.astype(np.int64)


def distort(member: Ints, secret: Ints, owner: Ints, least: int, random: np.random.Generator) -> Ints:
    """Change sensitive values until every class has enough different ones (section 4.3: selective distortion).

    A value that stands more than once in a class becomes one of its cluster that the class lacks. `owner` is the
    cluster of each sensitive value; each cluster has at least `least` values.

    >>> alike = np.zeros(3, np.int64)
    >>> sorted(distort(alike, alike, alike, 3, np.random.default_rng(1)).tolist())
    [0, 1, 2]
    """
    changed = secret.copy()
    count = len(owner)
    distinct = np.bincount(np.unique(member * count + secret) // count)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member)).tolist()
    siblings = [np.flatnonzero(owner == cluster).tolist() for cluster in owner.tolist()]
    for place in np.flatnonzero(distinct < least).tolist():
        records = order[ends[place - 1] if place else 0 : ends[place]].tolist()
        values = changed[records].tolist()  # a class is small: plain lists are faster than arrays
        while len(set(values)) < least:
            doubled = [at for at, value in enumerate(values) if values.count(value) > 1]
            if not doubled:
                raise ReleaseError("class", at="model.l", k=len(records), l=least)
            at = doubled[int(random.integers(len(doubled)))]
            lacking = [value for value in siblings[secret[records[at]]] if value not in values]
            values[at] = lacking[int(random.integers(len(lacking)))]
        changed[records] = values
    return changed
