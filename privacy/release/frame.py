"""DataFrames of people: how recognisable they make them, and the same generalised; what analysts call."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import Any, Never

import numpy as np

from privacy.arrays import Ints
from privacy.choices import Distance
from privacy.design import Design, arguments
from privacy.design.gammas import outward
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.output import count_of, to_json_value
from privacy.records import Records
from privacy.release.allowed import paragraph, remaining_risks
from privacy.release.anonymize import MOST_NAMED, Release, anonymize as anonymize_columns
from privacy.release.attacks import Attack
from privacy.release.audit import audit
from privacy.release.beliefs import RowBelief, by_row, row_beliefs
from privacy.release.bounds import LEAKAGES, Point, front_picture
from privacy.release.classes import is_suppressed, number_classes
from privacy.release.coarsen import WITHDRAWN
from privacy.release.distances import DISTANCES
from privacy.release.everybody import SampleClasses
from privacy.release.hierarchies import read_hierarchy
from privacy.release.kept import ABOUT, KeptFigure, compare as compare_tables
from privacy.release.lattice import SearchStep
from privacy.release.link import people_who_fit
from privacy.release.measures import TableMeasures
from privacy.release.models import Closeness
from privacy.release.population import read_population
from privacy.release.pram_beliefs import DisguisedColumn
from privacy.release.safe_harbour import OnList, on_list
from privacy.release.sample import SampleFigures
from privacy.release.sensitive import encode, in_order, require_values
from privacy.release.specs import parse_spec, read_spec
from privacy.release.subsets import Special, Subset, of_subsets, special_uniques
from privacy.release.tables import cell_text, texts_of
from privacy.release.utility import UtilityMatrix
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

MOST_SPECIAL = 20  # rows that are printed of those that a few attributes single out


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

    @property
    def special(self) -> list[Special]:
        """The rows that a few quasi-identifiers single out, where subsets were asked for."""
        return special_uniques(list(self.subsets), len(self.names))

    def contents(self) -> Iterator[str | TextColumns]:
        sizes = self.sizes
        yield fill(self.allowed, WIDTH)
        yield ""
        hidden = f", {count_of(self.suppressed, 'record')} suppressed" if self.suppressed else ""
        many = f"{len(sizes)} class{'' if len(sizes) == 1 else 'es'}"
        yield f"{count_of(int(sizes.sum()), 'record')} in {many}{hidden}"
        yield _table_of_measures(self.measures)
        yield from _lines_on_sample(self.measures)
        if self.measures.recursive:
            yield ""
            yield "Recursive (c, l)-diversity holds for every c above these"
            yield TextColumns(["l", "c"], list(self.measures.recursive.items()))
        yield from _lines_on_beliefs(self.measures)
        if self.beliefs is not None:
            yield from _lines_by_row("How likely the value of a row is before the table and after it", self.beliefs)
        if self.believed is not None:
            value, beliefs = self.believed
            yield from _lines_by_row(
                f"How likely {value} is to somebody who held this belief before the table", beliefs
            )
        yield ""
        yield _table_of_attacks(self.attacks)
        yield from _lines_by_subset(self.subsets, self.special)
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
            document["special"] = [special.to_json() for special in self.special]
        return to_json_value(document)


def _lines_on_sample(figures: TableMeasures) -> Iterator[str | TextColumns]:
    """Print the risks among all people, where it is known of whom the rows are a sample."""
    if not isinstance(figures.sample, SampleFigures):
        return
    yield ""
    people = f"{figures.sample.seen.everybody.size:,.0f} people"
    yield f"The rows are a sample of {people}; where the model of a figure holds, the truth is from low to high in 95 %"
    rows = [
        [one.name, found.value, found.low, found.high, found.by, one.meaning] for one, found in figures.sample.rows()
    ]
    yield TextColumns(["measure", "value", "low", "high", "by", ""], rows)


def _lines_on_beliefs(figures: TableMeasures) -> Iterator[str | TextColumns]:
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
    yield TextColumns(["row", "before", "after"], [[one.row, one.before, one.after] for one in rows[:MOST_SPECIAL]])
    if len(rows) > MOST_SPECIAL:
        yield f"… and {len(rows) - MOST_SPECIAL} more, which --json lists"


def _lines_by_subset(subsets: Sequence[Subset], special: Sequence[Special]) -> Iterator[str | TextColumns]:
    """Print what a few attributes reveal by themselves; nothing where it was not asked for."""
    if not subsets:
        return
    yield ""
    yield TextColumns(["known", "k", "alone"], [[", ".join(some.columns), some.k, len(some.alone)] for some in subsets])
    yield ""
    if not special:
        yield "No row is singled out by a few of the attributes."
        return
    some = f"{count_of(len(special), 'row')} {'is' if len(special) == 1 else 'are'}"
    yield f"{some} singled out by a few of the attributes"
    rows = [[one.row, one.score, "; ".join(", ".join(some) for some in one.sets)] for one in special[:MOST_SPECIAL]]
    yield TextColumns(["row", "score", "by"], rows)
    if len(special) > MOST_SPECIAL:
        yield f"… and {len(special) - MOST_SPECIAL} more, which --json lists"


def _table_of_measures(figures: TableMeasures) -> TextColumns:
    rows = [[declared.name, value, declared.meaning] for declared, value in figures.rows()]
    return TextColumns(["measure", "value", ""], rows)


def _line_of_column(one: DisguisedColumn) -> list[object]:
    own = one.accuracy
    return [one.name, own.values, outward(one.gamma), own.keep, own.noise, own.error, own.of]


def _table_of_attacks(attacks: Sequence[Attack]) -> TextColumns:
    rows = [[attack.name, attack.tried, attack.succeeded, attack.share] for attack in attacks]
    return TextColumns(["attack", "tried", "succeeded", "share"], rows)


@dataclass(frozen=True, repr=False)
class Anonymized(Result):
    """A table that fulfils a model, and what was done and lost; `candor.anonymize` makes it."""

    release: Release
    show_utility: bool = False
    show_path: bool = False
    kept: tuple[KeptFigure, ...] = ()  # where a comparison was asked for: not to be published
    original: DataFrame | None = field(default=None, compare=False)  # the table, whose types the published columns keep

    @property
    def front(self) -> tuple[Point, ...]:
        """The tables that no other one beats in both loss and disclosure, if the spec asks for them.

        They come from tables that are not released: not to be published.
        """
        taken = self.release.generalisation
        return taken.front if taken is not None else ()

    @property
    def path(self) -> tuple[SearchStep, ...]:
        """The nodes of the lattice that the search looked at, one after the other; none of local methods."""
        taken = self.release.generalisation
        return taken.lattice.path if taken is not None else ()

    @property
    def utility(self) -> UtilityMatrix | None:
        """How much each quasi-identifier reveals about sensitive values in the original table: not to be published."""
        return self.release.utility

    @property
    def allowed(self) -> str:
        """The attacks that the released table still allows, in plain words."""
        return paragraph(self.release.remaining_risks())

    @property
    def hierarchies(self) -> dict[str, Any]:
        """The hierarchies that were proposed, as members of a spec; they come from the table: not to be published."""
        return {"attributes": {name: {"role": "quasi", **shape} for name, shape in self.release.proposed.items()}}

    @property
    def design(self) -> Design | None:
        """The design of the disguised columns, to be published with the table; None where there are none."""
        return self.release.design

    @property
    def records(self) -> Records:
        """The released table as records with its design, for `candor.reconstruct`, `mine` and `regress`."""
        if self.design is None:
            raise InputError("records: no column has the role disguised, so there is no design to read the table by.")
        return Records.from_frame(self.to_frame(), self.design)

    @property
    def suppressed(self) -> int:
        """How many rows have ``*`` in every quasi-identifier."""
        return self.release.suppressed

    def contents(self) -> Iterator[str | TextColumns]:
        release = self.release
        yield fill(self.allowed, WIDTH)
        yield ""
        hidden = f", {release.suppressed} of them suppressed" if release.suppressed else ""
        changed = f", {release.distorted} with another sensitive value" if release.distorted else ""
        yield f"{count_of(len(release), 'record')} by {release.method}{hidden}{changed}"
        taken = release.generalisation
        if taken is not None:
            heights = taken.lattice.heights
            levels = zip(release.names, taken.node, heights, strict=True)
            yield TextColumns(["quasi-identifier", "level", "of"], [list(row) for row in levels])
            minimal = len(taken.lattice.minimal)
            which = f"{minimal} generalisations are" if minimal > 1 else "just one generalisation is"
            yield f"Of the table as it is, {which} minimal. Do not publish."
            if costs := taken.costs_of_rule(release.names):
                yield fill(paragraph(costs), WIDTH)
        if own := release.by_column:
            yield TextColumns(
                ["quasi-identifier", own.label], [list(row) for row in zip(release.names, own.shares, strict=True)]
            )
        if release.disguised:
            yield ""
            head = ["disguised", "values", "gamma", "kept", "noise", "error, at most", "of"]
            yield TextColumns(head, [_line_of_column(one) for one in release.disguised])
        yield ""
        yield _table_of_measures(release.measures)
        yield from _lines_on_sample(release.measures)
        yield from _lines_on_beliefs(release.measures)
        yield ""
        yield _table_of_attacks(release.attacks)
        yield from _lines_by_subset(release.subsets, release.special)
        if self.show_path and self.path:
            steps = enumerate(self.path, start=1)
            looked = [[place, *one.node, one.asked, "holds" if one.holds else "fails"] for place, one in steps]
            yield ""
            yield "The path of the search"
            yield TextColumns(["step", *release.names, "asked", ""], looked)
        if self.front:
            job = self.release.job
            yield ""
            yield "The front: no table that satisfies the model loses less and tells less than these. Do not publish."
            head = [*self.release.names, job.minimise, LEAKAGES[job.front].name]
            yield TextColumns(head, [[*one.node, one.loss, one.leakage] for one in self.front])
        if self.kept:
            yield ""
            yield "What the release keeps of the table, as a reader takes it. Do not publish."
            lines = [[f"{ABOUT[one.about]} {one.name}", one.before, one.after, one.chance] for one in self.kept]
            yield TextColumns(["figure", "table", "release", "by guessing"], lines)
            if not find_spec("sklearn"):
                yield "No tree was grown: scikit-learn is missing; the extra candor-survey[mining] brings it."
        if self.show_utility and self.utility:
            shown, rows = self.utility, zip(self.utility.values, self.utility.matrix.tolist(), strict=True)
            yield ""
            yield "Utility: the share of a column that rows with each value take up. Small tells much. Do not publish."
            weights = ["weight", *shown.weights.tolist()]
            yield TextColumns([release.secrets[0], *shown.names], [*([value, *row] for value, row in rows), weights])

    def picture(self) -> str:
        """The lattice of full-domain generalisation: which nodes hold, the minimal ones, and the one that was taken.

        With the path of the search where it was asked for. It tells of single rows: not to be published.
        """
        from privacy.draw.lattice import lattice

        taken = self.release.generalisation
        if taken is None:
            return ""
        steps = [step.node for step in self.path] if self.show_path else ()
        title = "Levels of the quasi-identifiers"
        return lattice(title, taken.lattice.holding, taken.lattice.minimal, taken.node, path=steps)

    def front_picture(self) -> str:
        """The front as a chart: what each of its tables loses and what it tells."""
        if not self.front:
            return ""
        job, taken = self.release.job, self.release.generalisation
        assert taken is not None  # there is a front
        tells = LEAKAGES[job.front].name
        return front_picture(
            "Loss and what the table tells", self.front, taken.node, job.minimise, tells, self.release.names, "taken"
        )

    def to_frame(self) -> DataFrame:
        """Return the table to publish; its rows are sorted by what they say, so that their order tells nothing more.

        A column whose every cell is a value of the original table has its type: numbers stay numbers, days stay days.
        In texts, and labels are texts, a missing value is an empty one.
        """
        from pandas.api.types import is_string_dtype

        published = data_frame(self.release.columns)
        drawn = {one.name for one in self.release.disguised}
        original = {} if self.original is None else {str(one): self.original[one] for one in self.original.columns}
        for name in [one for one in published.columns if one in original and one not in drawn]:
            texts = [cell_text(value) for value in arguments.column(original[name]).tolist()]
            places = {text: place for place, text in enumerate(texts)}
            if not is_string_dtype(original[name].dtype) and places.keys() >= set(published[name]):
                rows = np.array([places[text] for text in published[name]], np.int64)
                values = original[name].iloc[rows].reset_index(drop=True)
                # a category that nobody has any more would tell of the original table
                published[name] = values.cat.remove_unused_categories() if hasattr(values, "cat") else values
        return published

    def to_json(self) -> dict[str, Any]:
        """Return the report that `candor anonymize --report` writes, and with it what is not to be published.

        That is which generalisations are minimal, what the rule of suppressed rows costs, and what was asked for.
        """
        shown: dict[str, Any] = {"minimal": None}
        if (taken := self.release.generalisation) is not None:
            minimal = [dict(zip(self.release.names, node, strict=True)) for node in taken.lattice.minimal]
            shown = {"minimal": minimal} | taken.rule_json(self.release.names)
        if self.release.distorted:
            shown["distorted"] = self.release.distorted
        if self.show_path:
            names = self.release.names
            shown["path"] = [
                {"node": dict(zip(names, step.node, strict=True)), "asked": step.asked, "holds": step.holds}
                for step in self.path
            ]
        if self.show_utility and self.utility:
            shown["utility"] = self.utility.to_json()
        if self.kept:
            shown["kept"] = [one.to_json() for one in self.kept]
        if self.front:
            names = self.release.names
            shown["front"] = [
                {"node": dict(zip(names, one.node, strict=True)), "loss": one.loss, "leakage": one.leakage}
                for one in self.front
            ]
        return to_json_value(self.release.to_json() | {"metrics": self.release.measures.to_json()} | shown)


def anonymize(
    frame: DataFrame,
    spec: "Mapping[str, Any] | str | Path",
    *,
    path: bool = False,
    compare: Sequence[str] = (),
    **withdrawn: Never,
) -> Anonymized:
    """Generalise a table until it fulfils a model of anonymity.

    Parameters
    ----------
    frame : DataFrame
        A row per person. Every column must have a role in the spec.
    spec : mapping or path
        Roles, hierarchies, model and method, as docs/anonymize.md describes them, or a JSON file of them.
    path : bool
        Also print and draw the path that the search took through the lattice.
    compare : sequence of str
        Columns whose joint table is compared with that of the release, beside means, correlations, shares, and how well
        a decision tree foretells sensitive values. It needs the table as it is: do not publish it.

    Raises
    ------
    InputError
        Where table and spec do not fit, or the model cannot be fulfilled.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"age": [21, 24, 33, 38], "disease": ["flu", "cold", "flu", "ulcer"]})
    >>> attributes = {"age": {"role": "quasi", "ranges": [[20, 30, 40], [20, 40]]}, "disease": {"role": "sensitive"}}
    >>> released = candor.anonymize(frame, {"attributes": attributes, "model": {"k": 2}, "seed": 1})
    >>> sorted(released.to_frame()["age"])
    ['[20, 30)', '[20, 30)', '[30, 40]', '[30, 40]']
    """
    if "earlier" in withdrawn:
        raise InputError(WITHDRAWN)
    if withdrawn:
        raise TypeError(f"anonymize() got an unexpected keyword argument {min(withdrawn)!r}")
    columns = texts_of(frame)
    read = parse_spec(spec) if isinstance(spec, Mapping) else read_spec(arguments.path(spec))
    release = anonymize_columns(columns, read)
    kept = comparison(columns, release, compare)
    return Anonymized(release, show_path=arguments.flag(path, "path"), kept=kept, original=frame)


def comparison(table: Mapping[str, Sequence[str]], release: Release, columns: Sequence[str]) -> tuple[KeptFigure, ...]:
    """What a release keeps of its table, where columns are named whose joint table is asked for.

    >>> from privacy.release import parse_spec
    >>> attributes = {"age": {"role": "quasi", "ranges": [[20, 40]]}, "disease": {"role": "insensitive"}}
    >>> table = {"age": ["21", "38"], "disease": ["flu", "cold"]}
    >>> release = anonymize_columns(table, parse_spec({"attributes": attributes, "model": {"k": 2}}))
    >>> [one.about for one in comparison(table, release, ["age"])]
    ['mean', 'table']
    """
    if not columns:
        return ()
    for one in release.disguised:
        if one.name in columns:
            raise InputError(f"compare: {quote(one.name)} is disguised; reconstruct its tables by the design.")
    drawn = {one.name for one in release.disguised}
    published = {name: column for name, column in release.columns.items() if name not in drawn}
    original = {name: [table[name][place] for place in release.order.tolist()] for name in published}
    return tuple(compare_tables(original, published, release.names, release.secrets, columns))


def measure(
    frame: DataFrame,
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
    frame : DataFrame
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
    frame, names = arguments.frame(frame), arguments.names(quasi, "quasi")
    sensitive = arguments.text(sensitive, "sensitive")
    columns = {}
    used = {*names, sensitive, *([arguments.text(weight, "weight")] if weight else [])}
    safe_harbour = arguments.flag(safe_harbour, "safe_harbour")
    for name in [one for one in frame.columns if safe_harbour or one in used]:
        columns[name] = frame[name].to_numpy(dtype=object, copy=True)
        if not all(isinstance(value, Hashable) for value in columns[name]):
            raise InputError(f"frame: the column {name!r} holds a value that is neither a number nor text.")
        columns[name][frame[name].isna()] = None  # a missing value distinguishes people, as a value does
    _require_columns(list(map(str, frame.columns)), (*names, sensitive))
    subsets = arguments.whole_number(subsets, "subsets")
    arguments.choice(distance, "distance", DISTANCES)
    return measure_columns(
        columns, names, sensitive, subsets=subsets, distance=distance, hierarchy=hierarchy, rows=rows, belief=belief,
        population=population, count=count, weight=weight, safe_harbour=safe_harbour,
    )  # fmt: skip


def measure_columns(
    columns: "dict[str, np.ndarray]",
    quasi: Sequence[str],
    sensitive: str,
    *,
    subsets: int = 0,
    distance: str = "equal",
    hierarchy: "str | Path | None" = None,
    rows: bool = False,
    belief: "tuple[Any, Any] | None" = None,
    population: "DataFrame | int | str | Path | None" = None,
    count: str | None = None,
    weight: str | None = None,
    safe_harbour: bool = False,
) -> Measures:
    """Measure a table that is given by its columns.

    >>> columns = {"age": np.array([20, 20, 30]), "disease": np.array(["flu", "cold", "flu"], object)}
    >>> measure_columns(columns, ["age"], "disease").k
    1
    """
    _require_columns(list(columns), (*quasi, sensitive))
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
