"""Results as they are shown: until a version is closed and sealed, numbers of people are rounded to hundreds.

What is stored is exact: pictures and later runs compute with it.
"""

from typing import Any

import numpy as np

from mining.engines.columns import Columns
from surveys.domain.responses import counts, disclosure
from surveys.models import Snapshot


def round_summary(summary: dict[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The summary, with whether its numbers of people are `exact`."""
    exact = disclosure.is_settled(snapshot)
    people = {name: counts.to_report(summary[name], exact).number for name in ("n", "direct", "left_out")}
    warnings = [
        warning | {"count": counts.to_report(warning["count"], exact).number}
        if warning["code"] == "collecting"
        else warning
        for warning in summary["warnings"]
    ]
    return {**summary, **people, "exact": exact, "warnings": warnings}


def round_columns(columns: Columns, snapshot: Snapshot) -> Columns:
    """The columns, with the numbers of people who were asked each itemset rounded."""
    if disclosure.is_settled(snapshot):
        return columns
    hundreds = [counts.hundreds(int(people)) for people in columns.itemsets["n"]]
    return columns.with_columns({"n": np.array(hundreds, columns.itemsets["n"].dtype)}, {})
