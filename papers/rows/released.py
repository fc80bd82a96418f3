"""Rows of the notes that lead beyond its models: likeness to the table, samples, suppressed rows and cells, noise."""

from collections.abc import Mapping, Sequence
from typing import Any

from pandas import DataFrame

from papers.rows.notes import FIGURE_1, MEASURE, NAMES
from papers.rows.row import Row, percent
from privacy.guarantee import posterior_bound
from privacy.release import anonymize, classes_of, parse_spec
from privacy.release.anonymize import Release
from privacy.release.measures.report import measure
from privacy.release.models.conditions import DisclosurePrivacy, Likeness
from privacy.release.models.row import Condition

_QUASI, _PROBLEM = NAMES[:-1], NAMES[-1]
_TABLE = {name: list(map(str, column)) for name, column in FIGURE_1.items()}
_ROLES = {name: {"role": "quasi"} for name in _QUASI} | {_PROBLEM: {"role": "sensitive"}}
_DISGUISED = {"role": "disguised", "gamma": 9, "values": sorted(set(_TABLE[_PROBLEM]))}


def _classes_that_hold(condition: Condition) -> str:
    held = condition.holds(classes_of([FIGURE_1[name] for name in _QUASI], FIGURE_1[_PROBLEM]))
    return f"{held.sum()} of {held.size} classes"


def _among(people: "int | DataFrame", figure: str) -> float:
    """A figure of figure 1 as a sample of these people."""
    sample = measure(FIGURE_1, _QUASI, _PROBLEM, population=people).measures.sample
    assert sample is not None  # there are people
    return sample[figure].value


def _twice() -> DataFrame:
    """Everybody: each row of figure 1 is two of them."""
    return DataFrame({name: _TABLE[name] * 2 for name in _QUASI})


def _make(
    roles: Mapping[str, Any], table: Mapping[str, Sequence[str]], model: Mapping[str, Any], **more: Any
) -> Release:
    return anonymize(
        {name: table[name] for name in roles},
        parse_spec({"attributes": roles, "model": model, "minimise": "discernibility", **more}),
    )


def _cells_hidden() -> int:
    columns = _make(_ROLES, _TABLE, {"k": 3}, method="cells").columns
    return sum(column.count("*") for column in map(list, columns.values()))


def _variance_lost() -> float:
    """What means of at least three lose of the years of birth."""
    years = {"birth": {"role": "quasi", "ranges": [[1964, 1968]]}, _PROBLEM: {"role": "sensitive"}}
    made = _make(years, _TABLE, {"k": 3}, method="means").by_column
    assert made is not None  # means have lost something
    return made.shares[0]


def _sure_of_disguised() -> float:
    """What 5 % becomes at most for somebody who finds a row whose illness is disguised."""
    made = _make(_ROLES | {_PROBLEM: _DISGUISED}, _TABLE, {"k": 2})
    return float(posterior_bound(0.05, made.disguised[0].gamma))


RELEASED = [
    Row(
        "2019", "1.6.1: relative measure: basic β-likeness of figure 1, β = 4.5, and 4.4", "candor anonymize, \"beta\"",
        lambda _: " and ".join(_classes_that_hold(Likeness("basic", beta)) for beta in (4.5, 4.4)),
        worked="5 of 5 classes and 4 of 5 classes",  # (1 − 2/11) / (2/11) = 4.5, of hypertension
    ),
    Row(
        "2019", "1.6.1: the same, enhanced", "candor anonymize, \"beta\"",
        lambda _: _classes_that_hold(Likeness("enhanced", 4.5)),
        worked="1 of 5 classes",  # t7 to t9 alone: 1/3 by 2/11 − 1 = .83 < −ln 5/11 < −ln 2/11
    ),
    Row(
        "2019", "1.6.1: relative measure: δ-disclosure of figure 1, δ = 9 bits", "candor anonymize, \"disclosure\"",
        lambda _: _classes_that_hold(DisclosurePrivacy(9)),
        worked="0 of 5 classes",  # each class lacks an illness, which is infinitely far
    ),
    Row(
        "2019", "4.3: the table is a sample: to find somebody of figure 1 among 110 people", f"{MEASURE} --population",
        lambda _: f"{_among(110, 'individual'):.4f}",
        worked="0.3884",  # of the first two rows: 1/m − (1 − e⁻ᵐ)/m², m = 9 · 10 · (5 · 3 · 6 · 1)/10⁴ others
    ),
    Row(
        "2019", "2.2: U, of whom each row of figure 1 is two people: k-map", f"{MEASURE} --population",
        lambda _: f"{_among(_twice(), 'k_map'):.0f}", worked="4",
    ),
    Row(
        "2019", "1.3.2: membership: how sure anybody's presence is among the same people", f"{MEASURE} --population",
        lambda _: f"{_among(_twice(), 'presence'):g}", worked="0.5",
    ),
    Row(
        "2019", "(2), (4): an average risk of at most .3, figure 1", "candor anonymize, \"average\"",
        lambda _: f"{_make(_ROLES, _TABLE, {'k': 2, 'average': 0.3}).measures.marketer:.3f} of the people",
        worked="0.273 of the people",  # 5 classes of 11 are too many: 3 of 11
    ),
    Row(
        "2019", "(1): D as a mean square: years of figure 1 as means of three and more", "candor anonymize, means",
        lambda _: f"{percent(_variance_lost(), 1)} of the variance",
        worked="20.7 % of the variance",  # 5 · 1964, 3 · 1965, and 1965 with 2 · 1967: 8/3 of 142/11
    ),
    Row(
        "2019", "3.2: single cells suppressed in place of rows, figure 1, k = 3", "candor anonymize, cells",
        lambda _: f"{_cells_hidden()} of 44 cells",
    ),
    Row(
        "2019", "(6): suppressed where the suppressed rows must hold, too: 11122234, k = 3", "candor anonymize",
        lambda _: f"{_make({'n': {'role': 'quasi'}}, {'n': [*'11122234']}, {'k': 3}, suppression=0.7).suppressed} rows",
        worked="5 rows",  # 3 and 4 are two rows, and a whole class of three joins them
    ),
    Row(
        "2019", "1.3.1: noise on the sensitive column: what 5 % becomes by one row, γ = 9",
        "candor anonymize, \"disguised\"", lambda _: percent(_sure_of_disguised(), 1),
        worked="32.1 %",  # 9 · 5 / (9 · 5 + 95)
    ),
]  # fmt: skip
