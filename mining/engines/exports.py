"""Files of findings, for other programs: JSON, CSV that no spreadsheet takes for formulas, and GraphML.

Every column is written, under the name it has here, which for metrics is mlxtend's. Files are UTF-8 without a mark
at their beginning, which most programs would take for a part of the first column's name. Rows are made a few at a
time, so that a large result is never held as text.

>>> from mining.engines.findings import findings
>>> from mining.engines.request import MiningRequest
>>> from privacy.design import Design
>>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
>>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
>>> columns = findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5)).columns
>>> rule_names(columns)[:3], itemset_names(columns)[:2]
(['antecedent support', 'consequent support', 'support'], ['support', 'se'])
>>> [line.split(",")[:2] for line in rules_csv(columns)]
[['"antecedent"', '"consequent"'], ['"drugs"', '"cheating"'], ['"cheating"', '"drugs"']]
>>> len(list(itemsets_csv(columns)))  # the headings, and three itemsets
4
>>> "".join(document(columns, n=1000)).count('"antecedent"'), "".join(graphml(columns)).count("<edge ")
(2, 4)
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from mining.engines.columns import NONE, Columns
from privacy.output import as_json
from privacy.reconstruct import metrics
from privacy.reconstruct.pairs import OTHERS
from privacy.records.csv_rows import csv_text

_AT_ONCE = 100  # rows


def document(columns: Columns, **beside: Any) -> Iterator[str]:
    """The JSON of `candor mine`, one line per itemset and rule, as docs/command-line.md says, with extra fields."""
    yield '{\n"itemsets": ['
    itemsets = _rows(whole_counts(columns.itemsets), len(columns.items))
    yield from _separate_rows(_itemset_as_json(columns, place, row) for place, row in itemsets)
    yield '],\n"rules": ['
    yield from _separate_rows(
        _rule_as_json(columns, place, row) for place, row in _rows(columns.rules, len(columns.itemset))
    )
    yield "]"
    for name, value in beside.items():
        yield f",\n{as_json(name)}: {as_json(value)}"
    yield "\n}\n"


def rule_names(columns: Columns) -> list[str]:
    """The names of the columns of rules as every file has them: the metrics, their errors, p and q, and all others."""
    errors = [name for metric in metrics.with_error() for name in metric.error_keys]
    first = [*(metric.key for metric in metrics.metrics_of_supports()), *errors, "p", "q"]
    return _column_order([name for name in first if name in columns.rules], columns.rules)


def itemset_names(columns: Columns) -> list[str]:
    first = [key for metric in metrics.of_itemsets() for key in metric.keys]
    return _column_order([name for name in first if name in columns.itemsets], columns.itemsets)


def whole_counts(itemsets: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The columns of itemsets, the counts among them as whole numbers.

    >>> made = whole_counts({"n": np.array([1000.0]), "support": np.array([0.25])})
    >>> made["n"].tolist(), made["support"].tolist()
    ([1000], [0.25])
    """
    counts = {metric.key for metric in metrics.of_itemsets() if metric.written == metrics.COUNT}
    return {name: values.astype(int) if name in counts else values for name, values in itemsets.items()}


def rules_csv(columns: Columns) -> Iterator[str]:
    names = rule_names(columns)
    yield _csv_line(["antecedent", "consequent", *names])
    for place, row in _rows(columns.rules, len(columns.itemset)):
        sides = [",".join(side) for side in columns.sides(place)]
        yield _csv_line([*sides, *(_cell(row[name]) for name in names)])


def itemsets_csv(columns: Columns) -> Iterator[str]:
    names = itemset_names(columns)
    yield _csv_line(["itemset", "length", *names])
    for place, row in _rows(whole_counts(columns.itemsets), len(columns.items)):
        labels = columns.names(place)
        yield _csv_line([",".join(labels), len(labels), *(_cell(row[name]) for name in names)])


def graphml(columns: Columns) -> Iterator[str]:
    """The rules as a graph: literals and rules are nodes, edges lead from antecedents through a rule to consequents."""
    names, kinds = rule_names(columns), {"kind": "string", "label": "string"}
    kinds |= {name: "boolean" if columns.rules[name].dtype == bool else "double" for name in names}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for name, kind in kinds.items():
        yield f'<key id="{_key(name)}" for="node" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for literal in sorted(set(columns.items[columns.itemset].ravel().tolist()) - {NONE}):
        yield _node(f"i{literal}", {"kind": "item", "label": columns.labels[literal]})
    literals = {label: literal for literal, label in enumerate(columns.labels)}
    for number, row in _rows(columns.rules, len(columns.itemset)):
        antecedent, consequent = columns.sides(number)
        known = {name: str(row[name]).lower() for name in names if math.isfinite(row[name])}
        yield _node(
            f"r{number}", {"kind": "rule", "label": f"{','.join(antecedent)} ⇒ {','.join(consequent)}", **known}
        )
        yield from (f'<edge source="i{literals[label]}" target="r{number}"/>\n' for label in antecedent)
        yield from (f'<edge source="r{number}" target="i{literals[label]}"/>\n' for label in consequent)
    yield "</graph>\n</graphml>\n"


def _node(name: str, data: Mapping[str, str]) -> str:
    entries = "".join(f'<data key="{_key(key)}">{escape(text)}</data>' for key, text in data.items())
    return f'<node id="{name}">{entries}</node>\n'


def _rows(columns: dict[str, Any], count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Row by row the values of all columns, as Python's own numbers."""
    for start in range(0, count, _AT_ONCE):
        chunk = [values[start : start + _AT_ONCE].tolist() for values in columns.values()]
        for index, row in enumerate(zip(*chunk, strict=True), start):
            yield index, dict(zip(columns, row, strict=True))


def _itemset_as_json(columns: Columns, place: int, row: dict[str, Any]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for metric in metrics.of_itemsets():
        if metric.key in row:  # an older run has no more than there were
            figures[metric.key] = row.pop(metric.key)
            if metric.with_error:
                se, low, high = (row.pop(key) for key in metric.error_keys)
                figures |= {"se": se, "ci": [low, high]}
    return {"items": columns.names(place)} | figures | row


def _rule_as_json(columns: Columns, place: int, row: dict[str, Any]) -> dict[str, Any]:
    antecedent, consequent = columns.sides(place)
    names = [metric.key for metric in metrics.with_error() if metric.key in row]
    first = {"antecedent": antecedent, "consequent": consequent, **{name: row.pop(name) for name in names}}
    ends = {name: [row.pop(f"{name} low"), row.pop(f"{name} high")] for name in names}
    errors = {"se": {name: row.pop(f"{name} se") for name in names}, "ci": ends}
    shrunken = {"shrunken": _move_shrunk_figures(row)} if metrics.SHRUNKEN[0].key in row else {}  # older runs have none
    return first | errors | {"p": row.pop("p"), "q": row.pop("q")} | shrunken | row


def _move_shrunk_figures(row: dict[str, Any]) -> dict[str, Any] | None:
    """Move the figures after selection from the row into an object of their own; None if the rule has none."""
    values, ci = {}, {}
    for raw, metric in zip(metrics.SHRINKING, metrics.SHRUNKEN, strict=True):
        values[raw.key], _se, *ci[raw.key] = [row.pop(key) for key in metric.keys]
    others, _se, *ends = [row.pop(key, math.nan) for key in OTHERS]
    if math.isfinite(others):
        values["others"], ci["others"] = others, ends
    return values | {"ci": ci} if math.isfinite(values["confidence"]) else None


def _separate_rows(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    separator = "\n"
    for row in rows:
        yield separator + as_json(row, indent=None)
        separator = ",\n"


def _column_order(first: Sequence[str], columns: dict[str, Any]) -> list[str]:
    return [*first, *(name for name in columns if name not in first)]


def _key(name: str) -> str:
    """Return the name as an XML identifier."""
    return name.replace(" ", "_")


def _cell(value: float | bool) -> float | None:
    return int(value) if isinstance(value, bool) else None if math.isnan(value) else value


def _csv_line(cells: list[object]) -> str:
    return csv_text([cells])
