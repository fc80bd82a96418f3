"""DataFrames of people as they stand: how recognisable they make them; what analysts call."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from privacy.arrays import Ints
from privacy.choices import Distance
from privacy.design import arguments
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.output import count_of, to_json_value
from privacy.release.anonymize import MOST_NAMED
from privacy.release.attacks import Attack, Subset, audit, of_subsets, paragraph, remaining_risks
from privacy.release.attacks.link import people_who_fit
from privacy.release.classes import cell_text, encode, is_suppressed, number_classes, require_values, texts_of
from privacy.release.hierarchies import in_order, read_hierarchy
from privacy.release.measures import TableMeasures
from privacy.release.measures.beliefs import RowBelief, by_row, row_beliefs
from privacy.release.measures.everybody import SampleClasses, read_population
from privacy.release.measures.sample import SampleFigures
from privacy.release.models import Closeness
from privacy.release.models.distances import DISTANCES
from privacy.release.models.limits import OnList, on_list
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

MOST_BELIEFS = 20  # rows whose beliefs are printed


@dataclass(frozen=True, repr=False, eq=False)
class Measures(Result):
    """What a table gives away as it stands; `candor.measure` makes it."""

    sizes: Ints  # of the classes
    measures: TableMeasures
    attacks: tuple[Attack, ...]
    names: tuple[str, ...]  # of the quasi-identifiers
    sensitive: str
    suppressed: int = 0
    subsets: tuple[Subset, ...] = ()  # where they were asked for
    beliefs: tuple[RowBelief, ...] | None = None  # of each row, where they were asked for
    believed: tuple[str, tuple[RowBelief, ...]] | None = None  # a value of which somebody held another belief
    on_list: tuple[OnList, ...] | None = None  # the columns on the list of safe harbour, where they were asked for
    missing: int = 0  # rows without a sensitive value

    @property
    def k(self) -> int:
        """How many records the smallest class has."""
        return self.measures.k

    @property
    def allowed(self) -> str:
        """The attacks that the table still allows, in plain words."""
        return paragraph(
            remaining_risks(
                self.measures,
                self.attacks,
                self.names,
                (self.sensitive,),
                suppressed=self.suppressed,
                missing={self.sensitive: self.missing},
            )
        )

    def contents(self) -> Iterator[str | TextColumns]:
        sizes = self.sizes
        yield fill(self.allowed, WIDTH)
        yield ""
        hidden = f", {count_of(self.suppressed, 'record')} suppressed" if self.suppressed else ""
        many = f"{len(sizes)} class{'' if len(sizes) == 1 else 'es'}"
        yield f"{count_of(int(sizes.sum()), 'record')} in {many}{hidden}"
        yield table_of_measures(self.measures)
        yield from lines_on_sample(self.measures)
        if self.measures.recursive:
            yield ""
            yield "Recursive (c, l)-diversity holds for every c above these"
            yield TextColumns(["l", "c"], list(self.measures.recursive.items()))
        yield from lines_on_beliefs(self.measures)
        if self.beliefs is not None:
            yield from _lines_by_row("How likely the value of a row is before the table and after it", self.beliefs)
        if self.believed is not None:
            value, beliefs = self.believed
            yield from _lines_by_row(
                f"How likely {value} is to somebody who held this belief before the table", beliefs
            )
        yield ""
        yield table_of_attacks(self.attacks)
        yield from lines_by_subset(self.subsets)
        if self.on_list is not None:
            yield ""
            yield "On the list of HIPAA's safe harbour, as far as names and values of columns say"
            yield TextColumns(
                ["column", "rows", "", "what"], [[one.column, one.rows, one.letter, one.about] for one in self.on_list]
            )

    def picture(self) -> str:
        """The share of records in classes up to each size."""
        from privacy.draw.chart import Axis, Line, chart

        sizes, counts = np.unique(self.sizes, return_counts=True)
        shares = np.cumsum(sizes * counts) / self.sizes.sum()
        return chart(
            "How many records share their class with few others",
            [Line("", sizes.tolist(), shares.tolist(), markers=len(sizes) < 30)],
            Axis("records in the class, at most", log=True),
            Axis("share of records", percent=True, low=0),
        )

    def to_frame(self) -> DataFrame:
        """Return a row per measure."""
        more = [(f"c, l = {length}", c) for length, c in self.measures.recursive.items()]
        rows = [(declared.name, value) for declared, value in self.measures.rows()]
        return data_frame([*rows, *more], columns=["measure", "value"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor measure`."""
        document: dict[str, Any] = {"metrics": self.measures.to_json()}
        document["attacks"] = [attack.to_json() for attack in self.attacks]
        if self.beliefs is not None:
            document["rows"] = [belief.to_json() for belief in self.beliefs]
        if self.believed is not None:
            value, beliefs = self.believed
            document["belief"] = {"value": value, "rows": [belief.to_json() for belief in beliefs]}
        if self.on_list is not None:
            document["safe_harbour"] = [asdict(one) for one in self.on_list]
        if self.subsets:
            document["subsets"] = [subset.to_json() for subset in self.subsets]
        return to_json_value(document)


def lines_on_sample(figures: TableMeasures) -> Iterator[str | TextColumns]:
    """Print the risks among all people, where it is known of whom the rows are a sample."""
    if not isinstance(figures.sample, SampleFigures):
        return
    yield ""
    people = f"{figures.sample.seen.everybody.size:,.0f} people"
    yield f"The rows are a sample of {people}"
    rows = [[declared.name, found.value, found.by, declared.meaning] for declared, found in figures.sample.rows()]
    yield TextColumns(["measure", "value", "by", ""], rows)


def lines_on_beliefs(figures: TableMeasures) -> Iterator[str | TextColumns]:
    if not figures.rho:
        return
    known = [(rho1, rho2) for rho1, rho2 in figures.rho.items() if rho2 is not None]
    unknown = [rho1 for rho1, rho2 in figures.rho.items() if rho2 is None]
    yield ""
    if known:
        yield "What was at most rho1 likely becomes at most rho2 likely; what was 1 - rho1 stays at least 1 - rho2"
        yield TextColumns(["rho1", "rho2"], known)
    if unknown:
        yield f"No value is less than {max(unknown):g} likely, and none more than {1 - max(unknown):g}."


def _lines_by_row(title: str, beliefs: Sequence[RowBelief]) -> Iterator[str | TextColumns]:
    """Print how the table changes the belief in the value of each row, the largest changes first."""
    yield ""
    yield title
    rows = sorted(beliefs, key=lambda one: (-one.growth, one.before, one.row))
    yield TextColumns(["row", "before", "after"], [[one.row, one.before, one.after] for one in rows[:MOST_BELIEFS]])
    if len(rows) > MOST_BELIEFS:
        yield f"… and {len(rows) - MOST_BELIEFS} more, which --json lists"


def lines_by_subset(subsets: Sequence[Subset]) -> Iterator[str | TextColumns]:
    """Print what a few attributes reveal by themselves; nothing where it was not asked for."""
    if not subsets:
        return
    yield ""
    yield TextColumns(["known", "k", "alone"], [[", ".join(some.columns), some.k, len(some.alone)] for some in subsets])


def table_of_measures(figures: TableMeasures) -> TextColumns:
    rows = [[declared.name, value, declared.meaning] for declared, value in figures.rows()]
    return TextColumns(["measure", "value", ""], rows)


def table_of_attacks(attacks: Sequence[Attack]) -> TextColumns:
    rows = [[attack.name, attack.tried, attack.succeeded, attack.share] for attack in attacks]
    return TextColumns(["attack", "tried", "succeeded", "share"], rows)


def measure(
    frame: "DataFrame | Mapping[str, np.ndarray]",
    quasi: Sequence[str],
    sensitive: str,
    *,
    subsets: int = 0,
    distance: Distance = "equal",
    hierarchy: "str | Path | None" = None,
    rows: bool = False,
    belief: "tuple[Any, Any] | None" = None,
    population: "DataFrame | int | str | Path | None" = None,
    count: str | None = None,
    weight: str | None = None,
    safe_harbour: bool = False,
) -> Measures:
    """Measure how recognisable a table makes people, and how diverse what it tells of them is.

    Parameters
    ----------
    frame : DataFrame, or mapping of str to array
        A row per person. Rows whose quasi-identifiers are all ``*`` are suppressed, and a class.
    quasi : str or sequence of str
        The columns that others may know: the quasi-identifiers, in one text between commas or one by one.
    sensitive : str
        The column that they may not learn.
    subsets : int
        Also look at every subset of so many quasi-identifiers or fewer, and list the rows that they single out.
    distance : {'equal', 'ordered', 'hierarchical'}
        How far two sensitive values are apart, for t.
    hierarchy : path, optional
        The hierarchy of the sensitive values, a CSV file, for the hierarchical distance.
    rows : bool
        Also list how likely the value of each row is before the table and after it.
    belief : tuple of a value and a number, optional
        A sensitive value and how likely somebody held it of a person before, such as ``("flu", "1/7")``. Lists of each
        row how likely they hold it after, by theorem 3.1 of Machanavajjhala and others (2007).
    population : int, DataFrame or path, optional
        Of how many people the rows are a sample, or a table of them all: also the risks among them.
    count : str, optional
        The column of that table that says how many people each of its rows is.
    weight : str, optional
        The column that says how many people each row stands for; without a population their sum is its size.
    safe_harbour : bool
        Also list the columns of the table that are on the list of HIPAA's safe harbour, by their names and values.

    Raises
    ------
    InputError
        Where a column is missing or named twice, or there are no rows.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 20, 30, 30], "disease": ["flu", "cold", "flu", "flu"]})
    >>> candor.measure(frame, ["age"], "disease").to_frame().head(3)
           measure  value
    0            k    2.0
    1  l, distinct    1.0
    2   l, entropy    1.0
    """
    quasi, sensitive = arguments.names(quasi, "quasi"), arguments.text(sensitive, "sensitive")
    used = {*quasi, sensitive, *([arguments.text(weight, "weight")] if weight else [])}
    safe_harbour = arguments.flag(safe_harbour, "safe_harbour")
    table = frame if isinstance(frame, Mapping) else arguments.frame(frame)
    columns = table if isinstance(table, Mapping) else _columns_of(table, None if safe_harbour else used)
    _require_columns(list(map(str, table.keys())), (*quasi, sensitive))
    subsets = arguments.whole_number(subsets, "subsets")
    arguments.choice(distance, "distance", DISTANCES)
    secrets = columns[sensitive].tolist()
    require_values(secrets, sensitive)
    if subsets < 0:
        raise InputError(f"subsets: {subsets} is below 0.")
    if (distance == "hierarchical") != (hierarchy is not None):
        raise InputError("hierarchy: give one for the hierarchical distance, and only for it.")
    tree = read_hierarchy(arguments.path(hierarchy, "hierarchy")) if hierarchy is not None else None
    asked = Closeness(distance, 1.0, tree)
    order = in_order(secrets, sensitive, tree)
    known = [columns[name] for name in quasi]
    codes = encode(secrets, order)
    if not len(codes):
        raise InputError("The table has no rows.")
    member = number_classes(known)
    measured, tried = audit(member, {"": codes}, [asked])
    everybody = {"population": population, "count": count, "weight": weight}
    if any(one is not None for one in everybody.values()):
        measured = replace(measured, sample=_figures_of_sample(columns, quasi, everybody))
    return Measures(
        np.bincount(member),
        measured,
        tried,
        tuple(quasi),
        sensitive,
        int(is_suppressed(known).sum()),
        tuple(of_subsets({name: columns[name] for name in quasi}, subsets)) if subsets else (),
        by_row(member, codes) if arguments.flag(rows, "rows") else None,
        None if belief is None else _read_belief(belief, member, codes, order),
        tuple(on_list(columns)) if safe_harbour else None,
        int((codes < 0).sum()),
    )


def _columns_of(table: DataFrame, used: set[str] | None) -> "dict[str, np.ndarray]":
    """The columns of a frame that are used, or all of them."""
    columns = {}
    for name in [one for one in table.columns if used is None or one in used]:
        columns[name] = table[name].to_numpy(dtype=object, copy=True)
        if not all(isinstance(value, Hashable) for value in columns[name]):
            raise InputError(f"frame: the column {name!r} holds a value that is neither a number nor text.")
        columns[name][table[name].isna()] = None  # a missing value distinguishes people, as a value does
    return columns


def _figures_of_sample(columns: Mapping[str, Any], quasi: Sequence[str], given: Mapping[str, Any]) -> SampleFigures:
    """The risks among all people: how many they are, or a table of them, whose labels are compared as they are."""
    of = given["population"]
    entry = {key: given[key] for key in ("count", "weight") if given[key] is not None}
    if isinstance(of, str) and of.isdecimal():
        of = int(of)
    if isinstance(of, int):
        entry["size"] = of
    elif isinstance(of, str | Path):
        entry["table"] = str(arguments.path(of, "population"))
    elif of is not None:
        entry["table"] = texts_of(of, "population")
    known = read_population(entry, Path())
    assert known is not None  # something is given
    table = {name: [cell_text(value) for value in column.tolist()] for name, column in columns.items()}
    own, everybody = [table[name] for name in quasi], known.everybody(table, [])
    codes = [number_classes([column]) for column in own]
    if known.people is None:
        return SampleFigures(SampleClasses(everybody, codes))
    fit = people_who_fit(own, [known.values(name) for name in quasi], [None] * len(own), known.counts)
    return SampleFigures(SampleClasses(everybody, codes, *fit))


def _read_belief(belief: Any, member: Ints, secret: Ints, order: Sequence[Any]) -> tuple[str, tuple[RowBelief, ...]]:
    if not (isinstance(belief, (tuple, list)) and len(belief) == 2):
        raise InputError(f"belief: {quote(belief)} is not a value and a share, such as flu and 1/7.")
    value, share = cell_text(belief[0]), arguments.read_number(belief[1], "belief")
    if not 0 < share < 1:
        raise InputError(f"belief: {quote(belief[1])} is not a share between 0 and 1.")
    values = [cell_text(one) for one in order]
    if value not in values:
        raise InputError(f"belief: no row has the sensitive value {quote(value)}.")
    return value, row_beliefs(member, secret, values.index(value), float(share))


def _require_columns(there: Sequence[str], named: Sequence[str]) -> None:
    for place, name in enumerate(named):
        if name not in there:
            has = ", ".join(map(quote, there[:MOST_NAMED])) + (", …" if len(there) > MOST_NAMED else "") or "none"
            raise InputError(f"The table has no column {quote(name)}; it has {has}.")
        if name in named[:place]:
            raise InputError(f"The column {name!r} is named twice.")
