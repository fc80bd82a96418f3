"""What the output of any channel can do to beliefs: γ, the worst property, and whether ρ₁ can become ρ₂.

`candor.breach`, for channels that no design describes. The theory is in `privacy.guarantee.breach`; here the channel
and the beliefs have names, and all figures are exact.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design import arguments
from privacy.design.gammas import Gamma, of_columns, outward, round_up
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.guarantee.bounds import epsilon
from privacy.guarantee.breach import Breach, Numbers, breach_limit, surest_of_whole, without_fractions, worst_of_whole
from privacy.guarantee.information import Information, inform, uldp_epsilon
from privacy.output import to_json_value
from privacy.records.csv_rows import read_csv
from privacy.result import DataFrame, Result, TextColumns, data_frame

NEAR = Fraction(1, 10**9)  # decimals of thirds do not sum to 1
MOST_NAMED = 6  # inputs of a property that are printed


@dataclass(frozen=True)
class Belief:
    """What the outputs do to one prior; `known` is what somebody knows who has it.

    `upward` is the property of prior ρ₁ or less of which an output makes surest, `downward` the one of prior ρ₂ or more
    that an output makes least likely. None where no property has such a prior.
    """

    known: str
    worst: Breach
    upward: Breach | None = None
    downward: Breach | None = None
    properties: tuple["Swing", ...] = ()
    information: Information | None = None


@dataclass(frozen=True)
class Swing:
    """What a property that somebody names becomes by the output that makes it likeliest, and by the one that makes it
    least likely (definitions 1 and 2 of Evfimievski, Gehrke and Srikant 2003).
    """

    surest: Breach
    least: Breach

    def is_breach(self, low: Fraction, high: Fraction) -> bool:
        """Whether a belief of at most `low` becomes one of at least `high`, or the other way round."""
        before = self.surest.before
        return (before <= low and self.surest.after >= high) or (before >= high and self.least.after <= low)


@dataclass(frozen=True, repr=False, eq=False)
class Breaches(Result):
    """What a channel gives away; `candor.breach` makes it. All figures are exact fractions, or infinity."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    gamma: Gamma
    beliefs: tuple[Belief, ...]
    rho: tuple[Fraction, Fraction] | None = None
    plain: tuple[str, ...] = ()
    uldp: float | None = None  # ε where an output may show that the input is a plain one

    @property
    def privacy_loss(self) -> float | None:
        """The largest of what outputs tell on average, in bits, of all priors; None where it was not asked for."""
        return max((belief.information.loss for belief in self.beliefs if belief.information), default=None)

    @property
    def epsilon(self) -> float:
        """The logarithm of γ, rounded up."""
        return epsilon(self.gamma)

    @property
    def limit(self) -> Fraction | None:
        """The γ below which nothing that is ρ₁ likely can become ρ₂ likely, nor the other way round."""
        return breach_limit(*self.rho) if self.rho else None

    @property
    def ruled_out(self) -> bool | None:
        """Whether γ alone rules out a breach from ρ₁ to ρ₂; None where these were not given."""
        return self.gamma < self.limit if self.limit is not None else None

    def is_breach(self, belief: Belief) -> bool:
        """Whether ρ₁ becomes ρ₂ for this prior, or ρ₂ becomes ρ₁."""
        low, high = self.rho or (0, 2)
        up, down = belief.upward, belief.downward
        return (up is not None and up.after >= high) or (down is not None and down.after <= low)

    def contents(self) -> Iterator[str | TextColumns]:
        figures = (float(round_up(figure, 6)) for figure in (self.gamma, self.epsilon))
        yield "gamma {:g}, epsilon {:g}, whatever somebody thought before.".format(*figures)
        if self.rho:
            low, high = self.rho
            can = "No" if self.ruled_out else "By gamma alone some"
            needs = f"that takes a gamma of {self.limit}"
            yield f"{can} belief of {low} can become {high}, or {high} become {low}: {needs}."
        if self.uldp is not None:
            figure = float(round_up(self.uldp, 6))
            yield f"epsilon {figure:g} where an output may show that it was {' or '.join(self.plain)}."
        if self.beliefs:
            yield ""
            yield "The property whose odds grow most"
            worst = [
                [*self._row(belief.known, belief.worst), outward(belief.worst.amplification)] for belief in self.beliefs
            ]
            yield TextColumns(["known", "property", "output", "before", "after", "odds grow"], worst)
        yield from self._measures()
        if any(belief.properties for belief in self.beliefs):
            yield ""
            yield "The properties named"
            heads = ["known", "property", "before", "at most", "after", "at least", "after"]
            swings = [self._swing_row(belief.known, swing) for belief in self.beliefs for swing in belief.properties]
            yield TextColumns(heads + ["breach"] * bool(self.rho), swings)
        if self.beliefs and self.rho:
            low, high = self.rho
            for said, found in (
                (f"Of all that is at most {low} likely, what becomes surest", "upward"),
                (f"Of all that is at least {high} likely, what becomes least likely", "downward"),
            ):
                breaches = [(belief.known, getattr(belief, found)) for belief in self.beliefs]
                rows = [self._row(known, breach) if breach else [known, *[None] * 4] for known, breach in breaches]
                yield ""
                yield said
                yield TextColumns(["known", "property", "output", "before", "after"], rows)
            yield ""
            for belief in self.beliefs:
                yield f"{belief.known}: {'a' if self.is_breach(belief) else 'no'} breach from {low} to {high}"

    def _measures(self) -> Iterator[str | TextColumns]:
        measured = [(belief.known, belief.information) for belief in self.beliefs if belief.information]
        if measured:
            yield ""
            yield "What is unknown of the input, and what outputs tell, in bits"
            yield TextColumns(
                ["known", "before", "after", "loss", "at most", "by", "perfectly private"],
                [
                    [known, one.before, one.after, one.loss, one.divergence, self.outputs[one.output],
                     "yes" if one.perfectly_private else "no"]
                    for known, one in measured
                ],
            )  # fmt: skip

    def _inputs_text(self, breach: Breach) -> str:
        named = [self.inputs[place] for place in breach.inputs]
        more = [f"… ({len(named)} inputs)"] if len(named) > MOST_NAMED else []
        return ", ".join([*named[:MOST_NAMED], *more]) or "none"

    def _swing_row(self, known: str, swing: Swing) -> list[object]:
        row: list[object] = [known, self._inputs_text(swing.surest), float(swing.surest.before)]
        for end in (swing.surest, swing.least):
            row += [float(end.after), self.outputs[end.output]]
        return [*row, "yes" if swing.is_breach(*self.rho) else "no"] if self.rho else row

    def _row(self, known: str, breach: Breach) -> list[object]:
        property_ = self._inputs_text(breach)
        return [known, property_, self.outputs[breach.output], float(breach.before), float(breach.after)]

    def to_frame(self) -> DataFrame:
        """Return a row per prior and property that was found."""
        rows = [
            [belief.known, kind, ", ".join(self.inputs[place] for place in breach.inputs), self.outputs[breach.output],
             float(breach.before), float(breach.after), outward(breach.amplification)]
            for belief in self.beliefs
            for kind in ("worst", "upward", "downward")
            if (breach := getattr(belief, kind)) is not None
        ]  # fmt: skip
        return data_frame(rows, ["known", "kind", "property", "output", "before", "after", "amplification"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor breach`."""
        document: dict[str, Any] = {"gamma": to_json_value(outward(self.gamma)), "epsilon": to_json_value(self.epsilon)}
        if self.rho and self.limit is not None:
            low, high = map(float, self.rho)
            document |= {"rho": [low, high], "limit": to_json_value(outward(self.limit)), "ruled_out": self.ruled_out}
        if self.uldp is not None:
            document["uldp"] = {"plain": list(self.plain), "epsilon": to_json_value(self.uldp)}
        if self.privacy_loss is not None:
            document["privacy_loss"] = self.privacy_loss
        document["beliefs"] = [
            {"known": belief.known, "worst": self._breach_as_json(belief.worst)}
            | (
                {
                    "upward": self._breach_as_json(belief.upward),
                    "downward": self._breach_as_json(belief.downward),
                    "breach": self.is_breach(belief),
                }
                if self.rho
                else {}
            )
            | ({"properties": [self._swing_as_json(swing) for swing in belief.properties]} if belief.properties else {})
            | ({"measures": belief.information.to_json(self.outputs)} if belief.information else {})
            for belief in self.beliefs
        ]
        return document

    def _swing_as_json(self, swing: Swing) -> dict[str, Any]:
        said = {name: self._breach_as_json(getattr(swing, name)) for name in ("surest", "least")}
        return said | ({"breach": swing.is_breach(*self.rho)} if self.rho else {})

    def _breach_as_json(self, breach: Breach | None) -> dict[str, Any] | None:
        if breach is None:
            return None
        return {
            "property": [self.inputs[place] for place in breach.inputs],
            "output": self.outputs[breach.output],
            "before": float(breach.before),
            "after": float(breach.after),
            "amplification": to_json_value(outward(breach.amplification)),
        }


def breach(
    channel: Any,
    prior: Any = None,
    *,
    rho: Sequence[Any] | None = None,
    properties: Sequence[Any] = (),
    plain: Sequence[str] = (),
    measures: bool = False,
) -> Breaches:
    """Compute what the output of a channel can do to beliefs about its input.

    Numbers may be written as fractions, such as ``"1/7"``; decimals are taken as they are written.

    Parameters
    ----------
    channel : DataFrame or sequence of sequences
        P(output | input): a row for each input, a column for each output. Every row sums to 1. The index of a
        DataFrame names the inputs.
    prior : DataFrame or sequence, optional
        How likely each input was thought. Each column of a DataFrame is the prior of somebody who knows something
        about the person. Without any only γ is computed, which holds whatever the prior.
    rho : (number, number), optional
        Two beliefs ρ₁ < ρ₂: can a property that was thought ρ₁ likely or less be ρ₂ likely or more once an output is
        seen, or the other way round?
    properties : sequence of str or of sequences of str
        Properties to look at, each by the inputs that have it, as ``"uses,deals"`` or a list of names.
    plain : sequence of str
        Inputs that need no protection. Adds ε of utility-optimised local differential privacy: an output that only one
        plain input can give may show this input.
    measures : bool
        Also what is unknown of the input before an output and after it, the loss of privacy, the largest
        Kullback-Leibler distance between both beliefs, and whether the output tells nothing; for each prior.

    Raises
    ------
    InputError
        Where a row or a prior is no distribution, they do not fit, or a name is no input.

    Examples
    --------
    >>> import candor
    >>> candor.breach([["3/4", "1/4"], ["1/4", "3/4"]], [0.9, 0.1], rho=("1/10", "1/2")).ruled_out
    True
    """
    table = _read_table(channel, "channel")
    rows = zip(table.inputs, table.rows, strict=True)
    matrix = np.array([_read_distribution(row, f"channel: the row {quote(name)}") for name, row in rows], object)
    priors = _read_priors(prior, table.inputs)
    levels = None if rho is None else _read_levels(rho)
    scaled = without_fractions(matrix)  # once for all that follows: a large channel has a million fractions
    listed = None if isinstance(properties, str) else entries(properties)
    if listed is None:
        raise InputError(f"properties: {quote(properties)} is not a list of properties.")
    named = [_read_places(one, table.inputs, "properties") for one in listed]
    if named and not priors:
        raise InputError("properties: a property has a belief only with a prior; give one.")
    if arguments.flag(measures, "measures") and not priors:
        raise InputError("measures: what outputs tell depends on a prior; give one.")
    beliefs = [
        _find_belief(known, without_fractions(before), scaled, levels, named) for known, before in priors.items()
    ]
    if measures:
        beliefs = [
            replace(belief, information=inform(without_fractions(priors[belief.known]), scaled)) for belief in beliefs
        ]
    open_ones = set(_read_places(plain, table.inputs, "plain")) if len(plain) else set()
    secret = set(range(len(matrix))) - open_ones
    return Breaches(
        table.inputs,
        table.columns,
        of_columns(scaled.T.tolist()),
        tuple(beliefs),
        levels,
        tuple(table.inputs[place] for place in sorted(open_ones)),
        uldp_epsilon(matrix, secret) if open_ones else None,
    )


def _find_belief(
    known: str, prior: Numbers, channel: Numbers, rho: tuple[Fraction, Fraction] | None, named: Sequence[Sequence[int]]
) -> Belief:
    worst, swings = worst_of_whole(prior, channel), tuple(_swing(prior, channel, inputs) for inputs in named)
    if rho is None:
        return Belief(known, worst, properties=swings)
    rest = surest_of_whole(prior, channel, 1 - rho[1])
    return Belief(known, worst, surest_of_whole(prior, channel, rho[0]), rest and _complement(rest, prior), swings)


def _swing(prior: Numbers, channel: Numbers, inputs: Sequence[int]) -> Swing:
    """What each output that can occur makes of a property: its likeliest and its least likely, the first of ties."""
    joint = prior[:, np.newaxis] * channel
    before = Fraction(int(prior[list(inputs)].sum()), int(prior.sum()))
    found = [
        Breach(tuple(inputs), output, before, Fraction(int(joint[list(inputs), output].sum()), int(total)))
        for output, total in enumerate(joint.sum(axis=0))
        if total > 0
    ]
    return Swing(max(found, key=lambda one: one.after), min(found, key=lambda one: one.after))


def _read_levels(rho: Sequence[Any]) -> tuple[Fraction, Fraction]:
    pair = [] if isinstance(rho, str) else entries(rho) or []
    if len(pair) != 2:
        raise InputError(f"rho: {quote(rho)} is not a pair of beliefs, such as 1/7 and 1/2.")
    low, high = (arguments.read_number(value, "rho") for value in pair)
    breach_limit(low, high)
    return low, high


def _read_places(given: Any, inputs: Sequence[str], option: str) -> list[int]:
    names = [given] if given in inputs else given.split(",") if isinstance(given, str) else entries(given) or []
    for name in names:
        if name not in inputs:
            raise InputError(f"{option}: {quote(name)} is no input of the channel.")
    if not names:
        raise InputError(f"{option}: {quote(given)} names no input.")
    return sorted({inputs.index(name) for name in names})


def _complement(breach: Breach, prior: Numbers) -> Breach:
    """Return the breach of the inputs that lack the property."""
    inside = set(breach.inputs)
    others = tuple(place for place in np.flatnonzero(prior > 0).tolist() if place not in inside)
    return Breach(others, breach.output, 1 - breach.before, 1 - breach.after)


@dataclass(frozen=True)
class ChanceTable:
    """A table of chances: a row for each input, a column for each output, or for each prior."""

    inputs: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


def read_chances(path: str | Path) -> ChanceTable:
    """Read a CSV file with a header; the first column names the inputs.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("input,yes,no\\nuses,3/4,1/4\\nnever,1/4,3/4\\n")
    ...     file.flush()
    ...     read_chances(file.name).rows
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    header, rows = read_csv(path)
    return ChanceTable(tuple(row[0] for row in rows), tuple(header[1:]), [list(row[1:]) for row in rows])


def _read_table(value: Any, name: str) -> ChanceTable:
    """The table that was given, refused where it is empty or a name of it occurs twice."""
    if isinstance(value, ChanceTable):
        found = value
    elif hasattr(value, "columns"):
        table = arguments.frame(value, name)
        found = ChanceTable(
            tuple(map(str, table.index)), tuple(map(str, table.columns)), table.to_numpy(object).tolist()
        )
    else:
        listed = [entries(row) if not isinstance(row, str) else None for row in entries(value) or ()]
        rows = [row for row in listed if row is not None]
        if not rows or len(rows) < len(listed) or len({len(row) for row in rows}) > 1:
            raise InputError(f"{name}: {quote(value)} is not a table with a row for each input.")
        found = ChanceTable(tuple(map(str, range(len(rows)))), tuple(map(str, range(len(rows[0])))), rows)
    if not found.inputs or not found.columns:
        raise InputError(f"{name}: it has a row for every input and a column for every output.")
    for names in (found.inputs, found.columns):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{name}: the name {quote(twice)} appears twice; every name may appear once.")
    return found


def _read_priors(prior: Any, inputs: Sequence[str]) -> dict[str, Numbers]:
    """The priors by what is known, in the order of the inputs."""
    if prior is None:
        return {}
    plain = not isinstance(prior, ChanceTable) and not hasattr(prior, "columns")
    given = (
        ChanceTable(tuple(inputs), ("nothing more",), [[entry] for entry in entries(prior) or ()]) if plain else prior
    )
    if plain and len(given.rows) != len(inputs):
        raise InputError(f"prior: {len(given.rows)} numbers do not fit the {len(inputs)} inputs of the channel.")
    table = _read_table(given, "prior")
    if strange := set(table.inputs) ^ set(inputs):
        raise InputError(f"prior: {quote(min(strange))} is an input of the prior or of the channel, and not of both.")
    at = {name: index for index, name in enumerate(table.inputs)}
    return {
        column: _read_distribution(
            [table.rows[at[name]][index] for name in inputs], f"prior: the column {quote(column)}"
        )
        for index, column in enumerate(table.columns)
    }


def _read_distribution(values: Sequence[Any], where: str) -> Numbers:
    chances = [arguments.read_number(value, where) for value in values]
    common = lcm(*{chance.denominator for chance in chances})
    parts = [chance.numerator * (common // chance.denominator) for chance in chances]  # whole, and so quick to add
    if min(parts) < 0 or abs(Fraction(sum(parts), common) - 1) > NEAR:
        raise InputError(f"{where}: these numbers are no distribution, not negative and with sum 1.")
    return np.array(chances, object)
