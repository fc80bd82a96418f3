"""What was mined as it may be said: until a version is closed and sealed, people are counted in hundreds.

Stored is what was counted, which pictures and later runs compute with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mining.engines.columns import Columns
from surveys.domain.responses import counts, disclosure
from surveys.models import Snapshot


def said_summary(summary: dict[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The summary, with whether its numbers of people are `exact`."""
    exact = disclosure.is_settled(snapshot)
    people = {name: counts.said(summary[name], exact).number for name in ("n", "direct", "left_out")}
    warnings = [
        warning | {"count": counts.said(warning["count"], exact).number} if warning["code"] == "collecting" else warning
        for warning in summary["warnings"]
    ]
    return {**summary, **people, "exact": exact, "warnings": warnings}


def said_columns(columns: Columns, snapshot: Snapshot) -> Columns:
    """The columns, of which one says how many people were asked each itemset."""
    if disclosure.is_settled(snapshot):
        return columns
    hundreds = [counts.hundreds(int(people)) for people in columns.itemsets["n"]]
    return columns.with_columns({"n": np.array(hundreds, columns.itemsets["n"].dtype)}, {})
