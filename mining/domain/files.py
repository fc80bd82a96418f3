"""The files of a run: its rules and itemsets in full, for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mining.domain.said import said_columns, said_summary
from mining.engines.columns import Columns
from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.reasons import CHOICES
from mining.models import MiningRun


def _document(run: MiningRun) -> Iterator[str]:
    summary = said_summary(run.result.summary, run.snapshot)
    # Programs read the sentence here, in English; the code under which it is kept is ours.
    summary = summary | {"why": CHOICES.get(summary["why"], "")}
    return document(
        stored_columns(run),
        **{name: summary[name] for name in ("engine", "estimator", "seconds")},
        survey=run.survey.slug,
        snapshot=run.snapshot.sha256,
        parameters=run.parameters,
        summary=summary,
    )


def stored_columns(run: MiningRun) -> Columns:
    """The columns of a run's result, as they may be said."""
    return said_columns(Columns.from_bytes(bytes(run.result.columns)), run.snapshot)


FILES: dict[str, tuple[str, Callable[[MiningRun], Iterator[str]]]] = {
    "rules.csv": ("text/csv; charset=utf-8", lambda run: rules_csv(stored_columns(run))),
    "itemsets.csv": ("text/csv; charset=utf-8", lambda run: itemsets_csv(stored_columns(run))),
    "result.json": ("application/json", _document),
    "rules.graphml": ("application/graphml+xml", lambda run: graphml(stored_columns(run))),
}
