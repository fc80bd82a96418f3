"""Files of what was found, for other programs: CSV that no spreadsheet takes for formulas, and GraphML."""

import csv
import io
import math
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from mining.engines.found import Found
from mining.engines.metrics import METRICS
from mining.engines.rules import WITH_ERROR

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_RULE_COLUMNS = (
    *(metric for metric in METRICS if metric != "representativity"),
    *(f"{name} {end}" for name in WITH_ERROR for end in ("se", "low", "high")),
    "p",
    "q",
)
_ITEMSET_COLUMNS = ("support", "se", "low", "high", "observed", "n")


def safe(text: str) -> str:
    """Text that a spreadsheet shows instead of computing: labels come from whoever wrote the questionnaire."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def rules_csv(found: Found) -> Iterator[str]:
    """All rules, one line each."""
    names = [name for name in (*_RULE_COLUMNS, "redundant") if name in found.rules]
    columns = [found.rules[name].tolist() for name in names]
    yield _line(["antecedent", "consequent", *(name.replace(" ", "_") for name in names)])
    for place in range(len(found.itemset)):
        sides = [safe(",".join(side)) for side in found.sides(place)]
        yield _line([*sides, *(_cell(column[place]) for column in columns)])


def itemsets_csv(found: Found) -> Iterator[str]:
    """All itemsets, one line each."""
    names = [name for name in (*_ITEMSET_COLUMNS, "feasible", "truth") if name in found.itemsets]
    values = found.itemsets | {"n": found.itemsets["n"].astype(int)}
    columns = [values[name].tolist() for name in names]
    yield _line(["itemset", "length", *names])
    for place in range(len(found.items)):
        labels = found.names(place)
        yield _line([safe(",".join(labels)), len(labels), *(_cell(column[place]) for column in columns)])


def graphml(found: Found) -> Iterator[str]:
    """The rules as a graph: literals and rules are nodes, edges lead from antecedents through a rule to consequents."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield '<key id="kind" for="node" attr.name="kind" attr.type="string"/>\n'
    yield '<key id="label" for="node" attr.name="label" attr.type="string"/>\n'
    metrics = [*WITH_ERROR, "q"]
    for name in metrics:
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="double"/>\n'
    yield '<graph edgedefault="directed">\n'
    used = sorted(set(found.items[found.itemset].ravel().tolist()) - {-1})
    for literal in used:
        label = escape(found.labels[literal])
        yield f'<node id="i{literal}"><data key="kind">item</data><data key="label">{label}</data></node>\n'
    place_of = {label: literal for literal, label in enumerate(found.labels)}
    columns = {name: found.rules[name].tolist() for name in metrics}
    for place in range(len(found.itemset)):
        antecedent, consequent = found.sides(place)
        data = "".join(
            f'<data key="{name}">{column[place]!r}</data>' for name, column in columns.items() if _finite(column[place])
        )
        label = escape(f"{','.join(antecedent)} ⇒ {','.join(consequent)}")
        yield f'<node id="r{place}"><data key="kind">rule</data><data key="label">{label}</data>{data}</node>\n'
        for name in antecedent:
            yield f"<edge source={quoteattr(f'i{place_of[name]}')} target={quoteattr(f'r{place}')}/>\n"
        for name in consequent:
            yield f"<edge source={quoteattr(f'r{place}')} target={quoteattr(f'i{place_of[name]}')}/>\n"
    yield "</graph>\n</graphml>\n"


def _finite(value: float) -> bool:
    return math.isfinite(value)


def _cell(value: float | bool) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return "" if math.isnan(value) else repr(value)


def _line(cells: list[object]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(cells)
    return file.getvalue()
