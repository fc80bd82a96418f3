"""From a run to what is stored of it: the columns of itemsets and rules, and the summary its page begins with."""

from typing import Any

import numpy as np

from mining.domain.checks import batches, check_request
from mining.engines.columns import NONE, Columns
from mining.engines.findings import Mined, findings
from mining.engines.literals import Literals
from mining.engines.request import MiningRequest, Progress, silent
from mining.models import MiningRun
from privacy.guarantee import guarantee
from surveys.domain.demo import surveys as demo
from surveys.domain.responses import disclosure
from surveys.models import Snapshot
from surveys.results.reading import read_records
from surveys.results.together import pairs_of

_AT_ONCE = 1024  # itemsets that are looked up in the truth together
# Visitors answer the demo, too, and nobody knows their truth: W of a support is then off by their share at the most.
_MOST_VISITORS = 0.01


def mine_snapshot(snapshot: Snapshot, request: MiningRequest, progress: Progress = silent) -> Mined:
    """Mine the records of a snapshot, those that may be reported now; EntryError where this may not be asked."""
    request = check_request(snapshot, request)
    records, pairs = batches(snapshot, request), pairs_of(read_records(snapshot))
    made = findings(records, snapshot.version.design, request, progress, mlxtend_rules=True, pairs=pairs)
    return _mark_as_gated(made, snapshot)


def _mark_as_gated(made: Mined, snapshot: Snapshot) -> Mined:
    """The findings, marked as gated, with a warning about the direct respondents who were left out."""
    made.summary["gated"] = True
    settled = disclosure.is_settled(snapshot)
    if missing := disclosure.count_people(snapshot, settled) - made.summary["n"] - made.summary["left_out"]:
        made.summary["left_out"] += missing
        made.summary["warnings"].insert(0, {"code": "too few alike", "count": missing})
    elif snapshot.version.design.direct and not settled:
        made.summary["warnings"].insert(0, {"code": "collecting"})
    return made


def mine_run(run: MiningRun, progress: Progress) -> tuple[dict[str, Any], bytes]:
    """The summary and the columns (as bytes) to store of a run; a simulated truth is stored with the figures."""
    version = run.snapshot.version
    made = mine_snapshot(run.snapshot, run.request, progress)
    columns = made.columns
    truth = demo.truth(version)
    if truth is not None:
        visitors = made.summary["n"] + made.summary["left_out"] - len(truth)
        are_few = visitors <= _MOST_VISITORS * made.summary["n"]
        if visitors:
            warning = {"code": "visitors", "count": visitors, "known": len(truth), "shown": are_few}
            made.summary["warnings"].append(warning)
        if are_few:
            columns = columns.with_columns(*_truth(made.mined.literals, columns, truth))
    of_survey = {"guarantee": guarantee(version.design).to_json(), "simulated": run.survey.simulated}
    return made.summary | of_survey, columns.to_bytes()


def _truth(
    literals: Literals, columns: Columns, truth: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The truth about simulated respondents as columns, of itemsets (supports) and of rules (with confidences, too)."""
    codes, _ = literals.bins.apply(truth, np.ones(len(truth), bool))
    bits = np.packbits(literals.matches(codes), axis=0).T
    bits = np.concatenate([bits, np.full_like(bits[:1], 0xFF)])  # the last one is NONE's, whom everybody matches

    def shares(items: np.ndarray) -> np.ndarray:
        matching = np.empty(len(items))
        for start in range(0, len(items), _AT_ONCE):
            chunk = slice(start, start + _AT_ONCE)
            met = np.bitwise_and.reduce(bits[items[chunk]], axis=1)
            matching[chunk] = np.bitwise_count(met).sum(axis=1, dtype=np.int64) / len(truth)
        return matching

    itemsets = shares(columns.items)
    of_rules = columns.items[columns.itemset]
    inside = columns.antecedent[:, None].astype(np.int64) >> np.arange(of_rules.shape[1]) & 1 == 1
    antecedents, consequents = shares(np.where(inside, of_rules, NONE)), shares(np.where(inside, NONE, of_rules))
    support = itemsets[columns.itemset]
    with np.errstate(divide="ignore", invalid="ignore"):
        true = {"true support": support, "true confidence": support / antecedents}
        return {"truth": itemsets}, true | {"true consequent support": consequents}
