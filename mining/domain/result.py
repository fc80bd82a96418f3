"""From a run to what is stored of it: the columns of itemsets and rules, and the summary its page begins with."""

from __future__ import annotations

from typing import Any

import numpy as np

from mining.engines.bins import in_bins
from mining.engines.columns import NONE, Columns
from mining.engines.findings import Findings, findings
from mining.engines.literals import Literals
from mining.engines.progress import Progress, silent
from mining.engines.request import Request
from mining.models import MiningRun
from privacy.guarantee import guarantee
from surveys.domain.demo import surveys as demo
from surveys.domain.results import disclosure
from surveys.models import Snapshot

_AT_ONCE = 1024  # itemsets that are looked up in the truth together
# Visitors answer the demo, too, and nobody knows their truth: W of a support is then off by their share at the most.
_MOST_VISITORS = 0.01


def mine_snapshot(snapshot: Snapshot, request: Request, progress: Progress = silent) -> Findings:
    """What is found in the records of a snapshot that may be told of now."""
    batches = ((records.codes, records.direct) for records in disclosure.records(snapshot))
    made = findings(batches, snapshot.version.design, request, progress)
    if untold := snapshot.respondents - made.summary["n"] - made.summary["left_out"]:
        made.summary["left_out"] += untold
        made.summary["warnings"].insert(0, {"code": "collecting", "count": untold})
    return made


def mine_run(run: MiningRun, progress: Progress) -> tuple[dict[str, Any], bytes]:
    """Do the work of a run: its summary and its columns."""
    version = run.snapshot.version
    made = mine_snapshot(run.snapshot, run.request, progress)
    columns = made.columns
    truth = demo.truth(version)
    if truth is not None:
        visitors = made.summary["n"] + made.summary["left_out"] - len(truth)
        few = visitors <= _MOST_VISITORS * made.summary["n"]
        if visitors:
            told = {"code": "visitors", "count": visitors, "known": len(truth), "shown": few}
            made.summary["warnings"].append(told)
        if few:
            codes, _, _ = in_bins(truth, np.ones(len(truth), bool), version.design, run.bins)
            columns = columns.with_columns(*_truth(made.mined.literals, columns, codes))
    of_survey = {"guarantee": guarantee(version.design).to_json(), "simulated": run.survey.simulated}
    return made.summary | of_survey, columns.to_bytes()


def _truth(
    literals: Literals, columns: Columns, truth: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """What the simulated respondents really said, for the demo alone: true supports, and true confidences of rules."""
    bits = np.packbits(literals.matches(truth), axis=0).T
    bits = np.concatenate([bits, np.full_like(bits[:1], 0xFF)])  # the last one is NONE's, whom everybody matches

    def shares(items: np.ndarray) -> np.ndarray:
        found = np.empty(len(items))
        for start in range(0, len(items), _AT_ONCE):
            chunk = slice(start, start + _AT_ONCE)
            met = np.bitwise_and.reduce(bits[items[chunk]], axis=1)
            found[chunk] = np.bitwise_count(met).sum(axis=1, dtype=np.int64) / len(truth)
        return found

    itemsets = shares(columns.items)
    of_rules = columns.items[columns.itemset]
    inside = columns.antecedent[:, None].astype(np.int64) >> np.arange(of_rules.shape[1]) & 1 == 1
    antecedents = shares(np.where(inside, of_rules, NONE))
    support = itemsets[columns.itemset]
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"truth": itemsets}, {"true support": support, "true confidence": support / antecedents}
