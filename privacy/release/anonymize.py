"""From a table and a spec to a release: a table that fulfils the model, and a report of what was done and lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design import Design
from privacy.design.draws import Take
from privacy.design.gammas import outward
from privacy.design.reading import quote
from privacy.design.sentences import Said
from privacy.errors import InputError
from privacy.output import to_json_value
from privacy.release.attacks import Attack, Subset, audit, of_subsets, remaining_risks
from privacy.release.attacks.link import people_who_fit
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, codes_of_texts, encode, number_classes, require_values
from privacy.release.hierarchies import MISSING, Hierarchy, in_order, propose_levels
from privacy.release.measures import TableMeasures
from privacy.release.measures.bounds import require_within
from privacy.release.measures.disguised import DisguisedColumn, judge_columns, say_columns
from privacy.release.measures.everybody import Everybody, SampleClasses
from privacy.release.measures.sample import SampleFigures
from privacy.release.methods import METHODS
from privacy.release.methods.channels import design_of_columns, disguise_columns
from privacy.release.methods.full_domain import Generalisation
from privacy.release.methods.job import ByColumn, Job, Made, UtilityMatrix
from privacy.release.models.limits import require_off_list
from privacy.release.reasons import ReleaseError
from privacy.release.specs import Spec

MOST_NAMED = 10  # columns in a sentence
Table = Mapping[str, Sequence[str]]


@dataclass(frozen=True, eq=False)
class Release:
    """The published columns, and what the report says. `order` are the places of the rows in the table given.

    `missing`: of each sensitive attribute, how many rows have no value, where that is to be said.
    """

    method: str
    columns: dict[str, list[str]]
    order: Ints
    names: tuple[str, ...]  # of the quasi-identifiers
    secrets: tuple[str, ...]  # the sensitive attributes
    generalisation: Generalisation | None
    suppressed: int
    distorted: int
    measures: TableMeasures
    attacks: tuple[Attack, ...]
    job: Job  # what the method was given: the table as it is
    design: Design | None  # by which columns are disguised; published with the table
    disguised: tuple[DisguisedColumn, ...]
    by_column: ByColumn | None
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # of each sensitive attribute, in their order
    missing: Mapping[str, int] = field(default_factory=dict)
    subsets: tuple[Subset, ...] = ()  # where the spec asks for them
    proposed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # hierarchies that the spec does not give

    @cached_property
    def utility(self) -> UtilityMatrix | None:
        """How much each quasi-identifier reveals about each sensitive value in the original table; None without such
        values.

        It comes from the table that is not released, and so it is no part of the report.
        """
        if not self.secrets:
            return None
        return self.job.utility([str(value) for value in self.values[self.secrets[0]]])

    def remaining_risks(self) -> list[Said]:
        return remaining_risks(
            self.measures,
            self.attacks,
            self.names,
            self.secrets,
            suppressed=self.suppressed,
            missing=self.missing,
            made_by=self.method,
            changes_values=bool(METHODS[self.method].disguised),
            on_disguised=say_columns(self.disguised, self.design) if self.design else (),
        )

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_json(self) -> dict[str, Any]:
        """The report as `candor anonymize --report` writes it: nothing of tables that are not released."""
        taken = self.generalisation
        # what a label of a local method covers in the table follows from whose values are alike
        published = self.measures if taken else replace(self.measures, penalty=None, penalty_sum=None)
        report = {
            "method": self.method,
            "node": taken and dict(zip(self.names, taken.node, strict=True)),
            "suppressed": self.suppressed,
            "records": len(self),
            "metrics": published.to_json(),
            "attacks": [attack.to_json() for attack in self.attacks],
        }
        if self.by_column:
            report[self.by_column.key] = dict(zip(self.names, self.by_column.shares, strict=True))
        if self.design:
            report["disguised"] = [column.to_json() for column in self.disguised]
            report["gamma"] = to_json_value(outward(self.design.gamma))
        if self.subsets:
            report["subsets"] = [subset.to_json() for subset in self.subsets]
        return report


def anonymize(table: Table, spec: Spec, take: Take | None = None) -> Release:
    """Generalise a table until it fulfils the model of a spec.

    Each column must have a role in the spec: one that was forgotten would be published.
    Identifiers are dropped, rows are sorted by what is published, so that their order tells nothing more, and
    suppressed rows have ``*`` in every quasi-identifier. `take` draws the disguise, for tests; without it the
    operating system's randomness does, whatever the seed of the spec.

    >>> from privacy.release.specs import parse_spec
    >>> people = {"age": ["31", "38", "52", "57"], "disease": ["flu", "cold", "flu", "flu"]}
    >>> attributes = {"age": {"role": "quasi", "ranges": [[30, 50, 70]]}, "disease": {"role": "sensitive"}}
    >>> release = anonymize(people, parse_spec({"attributes": attributes, "model": {"k": 2}}))
    >>> release.columns["age"]
    ['[30, 50)', '[30, 50)', '[50, 70]', '[50, 70]']
    """
    names = spec.columns_with_role("quasi")
    job, values = prepare_job(table, spec)
    METHODS[spec.method].require(job)
    design = design_of_columns(table, spec.channels) if spec.channels else None
    made = METHODS[spec.method].make(job)
    published: dict[str, Sequence[str]] = dict(zip(names, made.labels, strict=True))
    for (name, known), codes in zip(values.items(), made.secrets, strict=True):
        published[name] = np.array([*known, MISSING], object)[codes].tolist()  # the last one is that of −1
    if design is not None:
        published |= disguise_columns(design, table, spec.channels, take)
    left = {name: published.get(name, table[name]) for name in table if spec.columns[name].role != "identifier"}
    about = list(values) if len(values) > 1 else [""] * len(values)
    audited = dict(zip(about, made.secrets, strict=True))
    seen = sample_classes(job.everybody, job, made, spec) if job.everybody is not None else None
    release = publish(spec, job, made, left, made.member, audited, design, seen)
    shown = {name: release.columns[name] for name in names}
    return replace(
        release,
        values=values,
        missing={name: int((codes < 0).sum()) for name, codes in zip(values, job.secrets, strict=True)},
        subsets=tuple(of_subsets(shown, spec.subsets)) if spec.subsets else (),
        proposed={name: propose_levels(_values(table, spec, name)) for name in names if not spec.columns[name].shape},
    )


def publish(
    spec: Spec,
    job: Job,
    made: Made,
    columns: Mapping[str, Sequence[str]],
    member: Ints,
    secrets: Mapping[str, Ints],
    design: Design | None,
    seen: SampleClasses | None,
) -> Release:
    """Put the rows of a table that was made in order, measure and attack it, and refuse it where it misses a bound.

    `member`: the class of each row. `secrets`: their sensitive codes, by the names that attacks have. `seen`: the
    classes among everybody, where it is known of whom the rows are a sample.
    """
    published, order = sort_by_content(columns, len(member))
    measures, tried = audit(member, secrets, job.model.distances(len(secrets)))
    measures = replace(measures, penalty=made.penalty, penalty_sum=made.penalty_sum)
    if seen is not None:
        measures = replace(measures, sample=SampleFigures(seen))
    require_within(measures, spec.bounds)
    if spec.safe_harbour:
        require_off_list(published)
    return Release(
        method=spec.method,
        columns=published,
        order=order,
        names=tuple(spec.columns_with_role("quasi")),
        secrets=tuple(spec.columns_with_role("sensitive")),
        generalisation=made.generalisation,
        suppressed=made.generalisation.suppressed if made.generalisation else 0,
        distorted=made.distorted,
        measures=measures,
        attacks=tried,
        job=job,
        by_column=made.by_column,
        design=design,
        disguised=judge_columns(design, columns, spec.channels, member) if design else (),
    )


def _values(table: Table, spec: Spec, name: str) -> list[str]:
    """The values of a quasi-identifier, and of everybody where they are known; each once, unless shares count."""
    every = chain(table[name], spec.population.values(name) if spec.population is not None else [])
    return list(every if "ends" in spec.columns[name].shape else dict.fromkeys(every))


def sample_classes(everybody: Everybody, job: Job, made: Made, spec: Spec) -> SampleClasses:
    """The classes of a table that was made, and who fits them: of local methods people may fit several.

    >>> from privacy.release.specs import parse_spec
    >>> table, people = {"age": ["31", "52"]}, {"age": ["31", "31", "52"]}
    >>> attributes = {"age": {"role": "quasi"}}
    >>> spec = parse_spec({"attributes": attributes, "model": {"k": 1}, "population": {"table": people}})
    >>> job, _ = prepare_job(table, spec)
    >>> sample_classes(job.everybody, job, METHODS["full-domain"].make(job), spec).people_who_fit.tolist()
    [2, 1]
    """
    if made.generalisation is not None:
        node = made.generalisation.node[-len(job.quasis) :]  # of responses the flag of the group stands first
        return everybody.on_levels(job.quasis, node, made.generalisation.kept)
    columns = [number_classes([column]) for column in made.labels]
    if everybody.people is None:
        return SampleClasses(everybody, columns)
    known = [[quasi.hierarchy.labels[0][code] for code in quasi.codes.tolist()] for quasi in everybody.people]
    fit = people_who_fit(made.labels, known, [spec.columns[quasi.name] for quasi in job.quasis], everybody.counts)
    return SampleClasses(everybody, columns, *fit)


def prepare_job(table: Table, spec: Spec) -> tuple[Job, dict[str, Sequence[Any]]]:
    """The data that a method works on, and the values of the sensitive attributes in their order."""
    _check_columns(table, spec)
    trees = {
        name: column.hierarchy(_values(table, spec, name) if column.role == "quasi" else table[name])
        for name, column in spec.columns.items()
        if column.role == "quasi" or column.has_own_order
    }
    values = {name: in_order(table[name], name, trees.get(name)) for name in spec.columns_with_role("sensitive")}
    for name in values:
        require_values(table[name], name)
    secrets = [encode(table[name], known) for name, known in values.items()]
    return job_of(table, spec, trees, secrets, values), values


def sort_by_content(columns: Mapping[str, Sequence[str]], rows: int) -> tuple[dict[str, list[str]], Ints]:
    """The columns with their rows in the order of what they publish, and this order.

    It says nothing that the rows do not say themselves. A drawn order would have to be forgotten: a person who guesses
    its seed puts the rows back into the order of the table.
    """
    coded = {name: codes_of_texts(column) for name, column in columns.items()}
    if not coded:
        return {}, np.arange(rows)
    order = np.lexsort([codes for codes, _ in coded.values()][::-1]).astype(np.int64)
    return {name: np.array(texts, object)[codes[order]].tolist() for name, (codes, texts) in coded.items()}, order


def _check_columns(table: Table, spec: Spec) -> None:
    for name in spec.columns:
        if name not in table:
            has = ", ".join(quote(one) for one in list(table)[:MOST_NAMED])
            raise InputError(f"The table has no column {quote(name)} from the spec; it has {has}.")
    for name in table:
        if name not in spec.columns:
            raise InputError(
                f"The column {quote(name)} has no role in the spec; the role insensitive publishes it unchanged."
            )
    if not len(next(iter(table.values()))):
        raise InputError("The table has no rows.")
    for name in spec.columns_with_role("quasi"):
        if SUPPRESSED in table[name]:
            raise ReleaseError("starred", column=quote(name))


def job_of(
    table: Table, spec: Spec, trees: Mapping[str, Hierarchy], secrets: list[Ints], values: Mapping[str, Sequence[str]]
) -> Job:
    """Collect what a method works on; `trees` are hierarchies by column, `values` those of each sensitive one."""
    columns = {name: spec.columns[name] for name in spec.columns_with_role("quasi")}
    quasis = [
        Quasi(name, trees[name], trees[name].encode(table[name], name), column.weight or 1.0, *column.levels)
        for name, column in columns.items()
    ]
    for quasi in quasis:
        if max(quasi.least, quasi.greatest or 0) > quasi.hierarchy.height:
            where, height = f"{columns[quasi.name].where}.levels", quasi.hierarchy.height
            raise InputError(f"{where}: {quasi.name!r} has the levels 0 to {height}.")
    return Job(
        method=spec.method,
        quasis=quasis,
        numbers={name: table[name] for name, column in columns.items() if column.numeric(table[name])},
        weighed=any(column.weight is not None for column in columns.values()),
        secrets=secrets,
        expert=_expert_matrix(spec, values, list(columns)),
        inverse=spec.utility.inverse,
        model=spec.model_of(list(values), trees),
        suppression=spec.suppression,
        minimise=spec.minimise,
        bounds=spec.bounds,
        everybody=spec.population.everybody(table, quasis) if spec.population is not None else None,
        front=spec.front,
        literal=spec.literal,
        clusters=spec.clusters,
        random=np.random.default_rng(spec.seed),
    )


def _expert_matrix(spec: Spec, values: Mapping[str, Sequence[str]], names: Sequence[str]) -> Floats | None:
    if spec.utility.matrix is None:
        return None
    if not values:
        raise ReleaseError("utility_alone", at="utility.matrix")
    return spec.utility.matrix_of(next(iter(values.values())), names)
