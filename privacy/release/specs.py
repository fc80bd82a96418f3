"""What is to be made of a table, as people write it in JSON: the role of each column, the model, the method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from privacy.design import arguments
from privacy.design.reading import document, items, mapping, number, only_keys, quote, whole_number
from privacy.errors import EntryError, InputError
from privacy.files import read_text
from privacy.release.hierarchies import (
    MISSING,
    Hierarchy,
    by_ends,
    by_ranges,
    by_rows,
    by_tree,
    by_truncation,
    propose_levels,
    read_hierarchy,
)
from privacy.release.measures.bounds import figure, join_bounds, read_bounds, require_known
from privacy.release.measures.everybody import Known, read_population
from privacy.release.methods import METHODS, require_fitting
from privacy.release.methods.channels import ReleaseChannel, read_channel
from privacy.release.methods.full_domain import LOSSES
from privacy.release.methods.job import CLUSTERS, Utility, read_share, read_utility
from privacy.release.models import CONDITIONS, MODELS, AnonymityModel, Closeness, K, read_conditions, read_limits
from privacy.release.models.limits import SAFE_HARBOUR
from privacy.release.models.row import Condition

ROLES = ("quasi", "sensitive", "identifier", "insensitive", "disguised")
_KEYS = ("candor", "attributes", "model", "suppression", "method", "minimise", "literal", "clusters", "seed", "utility",
         "subsets", "bounds", "front", "population")  # fmt: skip
_CLUSTERED = [name for name, method in METHODS.items() if method.clusters]
SHAPES = ("hierarchy", "truncate", "ranges", "ends")


@dataclass(frozen=True, eq=False)
class ColumnSpec:
    """The role of a column, how its values are generalised, and its weight in the penalty (None: from the data).

    `shape` has at most one member: `ranges`, `ends`, `truncate` or `hierarchy`; without any it is proposed from
    the values.
    """

    role: str
    shape: Mapping[str, Any]
    where: str
    folder: Path
    weight: float | None = None
    levels: tuple[int, int | None] = (0, None)  # the least and the greatest that full-domain may take
    conditions: tuple[Condition, ...] = ()  # of a sensitive column, in place of those of the model
    channel: ReleaseChannel | None = None  # of a column that is disguised

    def combine(self, conditions: Sequence[Condition], tree: Hierarchy | None = None) -> tuple[Condition, ...]:
        """What is asked of this sensitive column: its own conditions, and the others of the model."""
        asked = {one.name: one for one in (*conditions, *self.conditions)}.values()
        return tuple(
            replace(one, hierarchy=tree) if isinstance(one, Closeness) and one.distance == "hierarchical" else one
            for one in asked
        )

    @property
    def has_own_order(self) -> bool:
        """Whether people wrote the hierarchy value by value, and so the values stand in an order."""
        return "hierarchy" in self.shape

    def numeric(self, values: Sequence[str]) -> bool:
        """Whether all values are numbers, which local recoding publishes as ranges of its own."""
        return "ranges" in (self.shape or propose_levels(values)) and MISSING not in values

    def hierarchy(self, values: Sequence[str]) -> Hierarchy:
        """The hierarchy of a column, by the values of all its rows."""
        shape = self.shape or propose_levels(values)
        if "ranges" in shape:
            return by_ranges(values, shape["ranges"], self.where)
        if "ends" in shape:
            return by_ends(values, shape["ends"], self.where)
        if "truncate" in shape:
            return by_truncation(values, shape["truncate"], self.where)
        rows = shape["hierarchy"]
        if isinstance(rows, str):
            return read_hierarchy(self.folder / rows)
        return by_tree(rows, self.where) if isinstance(rows, Mapping) else by_rows(rows, self.where)


@dataclass(frozen=True, eq=False)
class Spec:
    """What to make of a table."""

    columns: Mapping[str, ColumnSpec]
    model: AnonymityModel  # what is asked of every column
    suppression: float
    method: str
    minimise: str
    bounds: Mapping[str, float]  # on figures of the whole table
    front: str  # the figure that is shown beside the loss of each table, or nothing
    literal: bool
    clusters: int  # of sensitive values, where the method gathers records in as many as one asks for
    seed: int | None
    utility: Utility
    subsets: int  # the largest subset of the quasi-identifiers that the report looks at by itself
    population: Known | None  # of whom the rows are a sample
    safe_harbour: bool  # whether no column may be on that list
    files: Mapping[str, Path]  # that the spec names, by what each of them is

    def columns_with_role(self, role: str) -> list[str]:
        """The columns of a role, in the order in which they are written."""
        return [name for name, column in self.columns.items() if column.role == role]

    def model_of(self, secrets: Sequence[str], trees: Mapping[str, Hierarchy] | None = None) -> AnonymityModel:
        """What is asked of these sensitive columns, whose hierarchies t-closeness may need."""
        known = trees or {}
        return _model_of(self.model, [self.columns[name] for name in secrets], [known.get(name) for name in secrets])

    @property
    def channels(self) -> dict[str, ReleaseChannel]:
        """The columns that are disguised, and how."""
        return {name: column.channel for name, column in self.columns.items() if column.channel is not None}


def read_spec(path: str | Path) -> Spec:
    """Read a spec from a JSON file; hierarchies are looked for beside it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "spec.json").write_text('{"attributes": {"age": {"role": "quasi"}}, "model": {"k": 2}}')
    ...     read_spec(f"{folder}/spec.json").model.k
    2
    """
    content = read_text(path)
    try:
        return parse_spec(content, Path(path).parent)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def parse_spec(source: str | Mapping[str, Any], folder: Path = Path()) -> Spec:
    """Read a spec.

    >>> attributes = {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}}
    >>> spec = parse_spec({"attributes": attributes, "model": {"k": 2}})
    >>> spec.columns_with_role("quasi"), spec.method
    (['age'], 'full-domain')
    """
    entry = document(source, "spec")
    only_keys(entry, _KEYS, "spec")
    if entry.get("candor", 1) != 1:
        raise InputError(f"spec.candor: {quote(entry['candor'])} is not a version that this program reads; it reads 1.")
    if "attributes" not in entry:
        raise InputError("spec: attributes is missing.")
    columns = {
        name: read_column(mapping(value, f"attributes.{name}"), f"attributes.{name}", folder)
        for name, value in mapping(entry["attributes"], "attributes").items()
    }
    if not any(column.role == "quasi" for column in columns.values()):
        raise InputError("attributes: give at least one column the role quasi: one that others may know.")
    asked = mapping(entry.get("model", {}), "model")
    sensitive = [column for column in columns.values() if column.role == "sensitive"]
    only_keys(asked, tuple(MODELS), "model")
    if not asked and not any(column.conditions for column in sensitive):
        raise InputError(f"model: it asks for nothing; give at least one of {', '.join(MODELS)}.")
    model = AnonymityModel(K.read(asked, "model") if K.name in asked else 1, read_conditions(asked, "model"))
    if model.about_sensitive and not sensitive:
        named = ", ".join(one.name for one in model.conditions)
        raise EntryError("{asked} needs a sensitive attribute, but no column has that role.", at="model", asked=named)
    for column in sensitive:
        for condition in column.combine(model.conditions):
            if isinstance(condition, Closeness) and condition.distance == "hierarchical" and not column.has_own_order:
                at = f"{column.where}.t" if any(isinstance(one, Closeness) for one in column.conditions) else "model.t"
                raise EntryError("the hierarchical distance needs a hierarchy of the sensitive attribute.", at=at)
    suppression = float(number(entry, "suppression", "spec")) if "suppression" in entry else 0.0
    if not 0 <= suppression < 1:
        raise InputError(f"spec.suppression: {suppression:g} is not a share from 0 to below 1.")
    subsets = _read_from_zero(entry, "subsets") if "subsets" in entry else 0
    utility_entry = mapping(entry.get("utility", {}), "utility")
    utility = _read_utility(utility_entry, folder)
    if utility.inverse and any(column.weight is not None for column in columns.values()):
        raise EntryError("weights and utilities are both given; give one of them.", at="spec.utility.inverse")
    method = _read_one_of(entry, "method", tuple(METHODS))
    population = read_population(entry.get("population", {}), folder)
    if population is not None and population.people is not None and METHODS[method].means:
        raise EntryError("means of groups fit nobody's value; give a size in its place.", at="population.table")
    bounds = join_bounds(read_bounds(entry.get("bounds", {})), read_limits(asked))
    leakage = figure(entry["front"], "spec.front") if "front" in entry else ""
    for key, where in [*((key, f"bounds.{key}") for key in bounds), *([(leakage, "spec.front")] if leakage else [])]:
        require_known(key, where, bool(sensitive), population, METHODS[method].levels)
    asked_of_all = _model_of(model, sensitive, [None] * len(sensitive))
    require_fitting(method, asked_of_all, suppression, len(sensitive))
    bounded = [column.where for column in columns.values() if column.levels != (0, None)]
    if bounded and not METHODS[method].levels:
        raise EntryError("{method} puts no column on a level.", at=f"{bounded[0]}.levels", method=method)
    if leakage and not METHODS[method].levels:
        raise EntryError("{method} makes one table, so there is no front of several.", at="spec.front", method=method)
    return Spec(
        columns,
        model,
        suppression,
        method,
        _read_one_of(entry, "minimise", tuple(LOSSES)),
        bounds,
        leakage,
        arguments.flag(entry.get("literal", False), "spec.literal"),
        _read_clusters(entry, method),
        _read_from_zero(entry, "seed") if entry.get("seed") is not None else None,
        utility,
        subsets,
        population,
        SAFE_HARBOUR.name in asked and SAFE_HARBOUR.read(asked, "model"),
        _named_files(columns, utility_entry, entry.get("population", {}), folder),
    )


def _read_clusters(entry: Mapping[str, Any], method: str) -> int:
    if "clusters" not in entry:
        return CLUSTERS
    if not METHODS[method].clusters:
        raise InputError(f"spec.clusters: {method} takes no number of clusters; {', '.join(_CLUSTERED)} does.")
    count = arguments.whole_number(entry["clusters"], "spec.clusters")
    if count < 1:
        raise InputError(f"spec.clusters: {count} is below 1.")
    return count


def _named_files(
    columns: Mapping[str, ColumnSpec], utility: Mapping[str, Any], population: Mapping[str, Any], folder: Path
) -> dict[str, Path]:
    named = {f"hierarchy of {name!r}": column.shape.get("hierarchy") for name, column in columns.items()}
    named |= {"utility matrix": utility.get("matrix"), "table of everybody": population.get("table")}
    return {what: folder / name for what, name in named.items() if isinstance(name, str)}


def _read_utility(entry: Mapping[str, Any], folder: Path) -> Utility:
    only_keys(entry, ("matrix", "inverse"), "utility")
    matrix = entry.get("matrix")
    if isinstance(matrix, str):
        matrix = read_utility(folder / matrix)
    elif matrix is not None:
        rows = mapping(matrix, "utility.matrix").items()
        matrix = {value: _read_utilities_of_value(row, f"utility.matrix.{value}") for value, row in rows}
    return Utility(matrix, arguments.flag(entry.get("inverse", False), "spec.inverse"))


def _read_utilities_of_value(entry: Any, where: str) -> dict[str, float]:
    return {name: read_share(share, f"{where}.{name}") for name, share in mapping(entry, where).items()}


def read_column(entry: Mapping[str, Any], where: str, folder: Path) -> ColumnSpec:
    role = entry.get("role")
    if role == "disguised":
        return ColumnSpec(role, {}, where, folder, channel=read_channel(entry, where))
    only_keys(entry, ("role", *SHAPES, "weight", "levels", *CONDITIONS), where)
    if role not in ROLES:
        raise InputError(f"{where}.role: {quote(role)} is not one of {', '.join(ROLES)}.")
    shapes = [name for name in SHAPES if name in entry]
    if len(shapes) > 1:
        raise InputError(f"{where}: {shapes[0]} and {shapes[1]} both say how values are generalised; give one of them.")
    if shapes and role not in ("quasi", "sensitive"):
        raise InputError(f"{where}: {shapes[0]} is for quasi-identifiers and sensitive attributes.")
    shape = entry[shapes[0]] if shapes else None
    if shapes in (["truncate"], ["ranges"], ["ends"]) and not isinstance(shape, list | tuple):
        raise InputError(f"{where}.{shapes[0]}: {quote(shape)} is not a list.")
    if shapes == ["hierarchy"] and not isinstance(shape, str | list | tuple | Mapping):
        raise InputError(f"{where}.hierarchy: {quote(shape)} is neither a file, nor rows, nor a tree.")
    rows = shape if shapes == ["hierarchy"] and isinstance(shape, list | tuple) else ()
    if not all(isinstance(row, list | tuple) for row in rows):
        raise InputError(f"{where}.hierarchy: a row must be a list of labels, from the value to the root.")
    weight = None
    if "weight" in entry:
        if role != "quasi":
            raise InputError(f"{where}.weight: only quasi-identifiers have a weight.")
        weight = float(number(entry, "weight", where))
        if not weight > 0:
            raise InputError(f"{where}.weight: {weight:g} is not above 0.")
    levels = _read_levels(entry["levels"], f"{where}.levels") if "levels" in entry else (0, None)
    if "levels" in entry and role != "quasi":
        raise InputError(f"{where}.levels: only quasi-identifiers have levels.")
    conditions = read_conditions(entry, where)
    if conditions and role != "sensitive":
        raise InputError(f"{where}.{conditions[0].name}: only sensitive attributes have it.")
    return ColumnSpec(role, {name: entry[name] for name in shapes}, where, folder, weight, levels, conditions)


def _model_of(
    model: AnonymityModel, sensitive: Sequence[ColumnSpec], trees: Sequence[Hierarchy | None]
) -> AnonymityModel:
    """The model with what is asked of each sensitive column, or of all where there is one, or it is the same."""
    each = [column.combine(model.conditions, tree) for column, tree in zip(sensitive, trees, strict=True)]
    if not each or each.count(each[0]) == len(each):
        return replace(model, conditions=each[0] if each else model.conditions)
    return replace(model, conditions=(), each=tuple(each))


def _read_levels(entry: Any, where: str) -> tuple[int, int | None]:
    """Read the least and the greatest level: ``[1, 3]``, or null where there is no bound."""
    ends = items(entry, where)
    if len(ends) != 2:
        raise EntryError("{given} is not a least and a greatest level, such as [1, 3].", at=where, given=quote(entry))
    low, high = (None if end is None else arguments.whole_number(end, where) for end in ends)
    least = low or 0
    if least < 0 or (high is not None and high < least):
        raise EntryError("{given} are not two levels, the least one first.", at=where, given=quote(entry))
    return least, high


def _read_from_zero(entry: Mapping[str, Any], key: str) -> int:
    value = whole_number(entry, key, "spec")
    if value < 0:
        raise InputError(f"spec.{key}: {value} is below 0.")
    return value


def _read_one_of(entry: Mapping[str, Any], key: str, known: Sequence[str]) -> str:
    value = entry.get(key, known[0])
    if value not in known:
        raise InputError(f"spec.{key}: {quote(value)} is not one of {', '.join(known)}.")
    return str(value)
