"""DataFrames of people generalised until they fulfil a model; what analysts call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any, Never

import numpy as np

from privacy.design import Design, arguments
from privacy.design.gammas import outward
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.output import count_of, to_json_value
from privacy.records import Records
from privacy.release.anonymize import Release, anonymize as anonymize_columns
from privacy.release.attacks import paragraph
from privacy.release.classes import Columns, cell_text, texts_of
from privacy.release.coarsen import WITHDRAWN
from privacy.release.measures.bounds import LEAKAGES, Point, front_picture
from privacy.release.measures.kept import ABOUT, KeptFigure, compare as compare_tables
from privacy.release.measures.report import (
    lines_by_subset,
    lines_on_beliefs,
    lines_on_sample,
    table_of_attacks,
    table_of_measures,
)
from privacy.release.methods.job import UtilityMatrix
from privacy.release.methods.lattice import SearchStep
from privacy.release.specs import Spec, parse_spec, read_spec
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame


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
            if costs := taken.costs_of_rule:
                yield fill(paragraph(costs), WIDTH)
        if own := release.by_column:
            yield TextColumns(
                ["quasi-identifier", own.label], [list(row) for row in zip(release.names, own.shares, strict=True)]
            )
        if release.disguised:
            yield ""
            head = ["disguised", "values", "gamma", "kept", "noise", "error, at most", "of"]
            found = [(one, one.accuracy) for one in release.disguised]
            lines = [[one.name, of.values, outward(one.gamma), of.keep, of.noise, of.error, of.of] for one, of in found]
            yield TextColumns(head, lines)
        yield ""
        yield table_of_measures(release.measures)
        yield from lines_on_sample(release.measures)
        yield from lines_on_beliefs(release.measures)
        yield ""
        yield table_of_attacks(release.attacks)
        yield from lines_by_subset(release.subsets)
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
            lines = [[f"{ABOUT[one.about]} {one.name}", one.before, one.after] for one in self.kept]
            yield TextColumns(["figure", "table", "release"], lines)
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

        That is which generalisations are minimal, which further rows are suppressed, and what was asked for.
        """
        shown: dict[str, Any] = {"minimal": None}
        if (taken := self.release.generalisation) is not None:
            minimal = [dict(zip(self.release.names, node, strict=True)) for node in taken.lattice.minimal]
            rule = {"rule": {"further": taken.further, "exact": taken.exact}} if taken.further else {}
            shown = {"minimal": minimal} | rule
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
    frame: DataFrame | Columns,
    spec: "Spec | Mapping[str, Any] | str | Path",
    *,
    path: bool = False,
    compare: Sequence[str] = (),
    **withdrawn: Never,
) -> Anonymized:
    """Generalise a table until it fulfils a model of anonymity.

    Parameters
    ----------
    frame : DataFrame, or mapping of str to texts
        A row per person. Every column must have a role in the spec.
    spec : mapping or path
        Roles, hierarchies, model and method, as docs/release.md describes them, or a JSON file of them.
    path : bool
        Also print and draw the path that the search took through the lattice.
    compare : sequence of str
        Columns whose joint table is compared with that of the release, beside means, correlations and
        shares. It needs the table as it is: do not publish it.

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
    if not isinstance(spec, Spec):
        spec = parse_spec(spec) if isinstance(spec, Mapping) else read_spec(arguments.path(spec))
    release = anonymize_columns(columns, spec)
    kept = comparison(columns, release, compare)
    original = None if isinstance(frame, Mapping) else frame
    return Anonymized(release, show_path=arguments.flag(path, "path"), kept=kept, original=original)


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
    return tuple(compare_tables(original, published, release.names, columns))
