"""From a table and a spec to a release: a table that fulfils the model, and a report of what was done and lost."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.release.attacks import Attack, attacks
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, classes_of
from privacy.release.full_domain import Generalisation
from privacy.release.hierarchies import Hierarchy
from privacy.release.measures import Measures, measure
from privacy.release.methods import METHODS, Job
from privacy.release.specs import Spec

__all__ = ["Release", "anonymize"]

Ints = NDArray[np.int64]
Table = Mapping[str, Sequence[str]]


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
    names = spec.named("quasi")
    trees = {
        name: column.hierarchy(list(dict.fromkeys(table[name])))
        for name, column in spec.columns.items()
        if column.role == "quasi" or column.written
    }
    values = {name: _ordered(table[name], name, trees.get(name)) for name in spec.named("sensitive")}
    secrets = [_coded(table[name], known) for name, known in values.items()]
    made = METHODS[spec.method](_job(table, spec, trees, secrets))
    hidden = np.array([all(label == SUPPRESSED for label in row) for row in zip(*made.labels, strict=True)], bool)
    published: dict[str, Sequence[str]] = dict(zip(names, made.labels, strict=True))
    for (name, known), codes in zip(values.items(), made.secrets, strict=True):
        published[name] = [known[code] for code in codes.tolist()]
    order = _shuffled(len(hidden), spec.seed, made.labels)
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


def _job(table: Table, spec: Spec, trees: Mapping[str, Hierarchy], secrets: list[Ints]) -> Job:
    columns = {name: spec.columns[name] for name in spec.named("quasi")}
    model = spec.model
    if model.closeness is not None and model.closeness.distance == "hierarchical":
        model = model.along(trees[spec.named("sensitive")[0]])
    return Job(
        method=spec.method,
        quasis=[
            Quasi(name, trees[name], trees[name].coded(table[name], name), column.weight or 1.0)
            for name, column in columns.items()
        ],
        numbers={name: table[name] for name, column in columns.items() if column.numeric},
        weighed=any(column.weight is not None for column in columns.values()),
        secrets=secrets,
        model=model,
        suppression=spec.suppression,
        minimise=spec.minimise,
        literal=spec.literal,
        random=np.random.default_rng(spec.seed),
    )


def _ordered(column: Sequence[str], name: str, tree: Hierarchy | None) -> Sequence[str]:
    """The values of a sensitive attribute in their order: of its hierarchy, of numbers, else of the alphabet."""
    different = {str(value) for value in column}
    if tree is not None:
        tree.coded(sorted(different), name)  # says which value is missing
        return tree.labels[0]
    try:
        return sorted(different, key=float)
    except ValueError:
        return sorted(different)


def _coded(column: Sequence[str], values: Sequence[str]) -> Ints:
    places = {value: place for place, value in enumerate(values)}
    return np.array([places[value] for value in column], np.int64)
