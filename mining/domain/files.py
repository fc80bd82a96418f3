"""The files of a run: its rules and itemsets in full, for other programs."""

from collections.abc import Callable, Iterator

from mining.domain.rounded import rounded_columns, rounded_summary
from mining.engines.columns import Columns
from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.reasons import CHOICES
from mining.models import MiningRun
from surveys.domain.responses.snapshots import cite


def _document(run: MiningRun) -> Iterator[str]:
    summary = rounded_summary(run.result.summary, run.snapshot)
    # Programs read the sentences here, in English; the codes under which they are kept are ours.
    summary = summary | {"why": CHOICES.get(summary["why"], "")}
    if "rules_by" in summary:
        summary["rules_by"] = CHOICES.get(summary["rules_by"], "")
    return document(
        stored_columns(run),
        **{name: summary[name] for name in ("engine", "estimator", "seconds")},
        survey=run.survey.slug,
        snapshot=cite(run.snapshot),
        parameters=run.parameters,
        summary=summary,
    )


def stored_columns(run: MiningRun) -> Columns:
    return rounded_columns(Columns.from_bytes(bytes(run.result.columns)), run.snapshot)


FILES: dict[str, tuple[str, Callable[[MiningRun], Iterator[str]]]] = {
    "rules.csv": ("text/csv; charset=utf-8", lambda run: rules_csv(stored_columns(run))),
    "itemsets.csv": ("text/csv; charset=utf-8", lambda run: itemsets_csv(stored_columns(run))),
    "result.json": ("application/json", _document),
    "rules.graphml": ("application/graphml+xml", lambda run: graphml(stored_columns(run))),
}
