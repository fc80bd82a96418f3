"""The files of a run: its rules and itemsets in full, for other programs."""

from collections.abc import Callable, Iterator

from mining.domain.rounded import round_columns, round_summary
from mining.engines.columns import Columns
from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.reasons import CHOICES
from mining.engines.shrunken_rules import with_pairs
from mining.engines.trust import are_listed
from mining.models import MiningRun
from surveys.domain.responses import disclosure
from surveys.domain.responses.snapshots import cite
from surveys.results.reading import read_records
from surveys.results.together import pairs_of


def _result_json(run: MiningRun) -> Iterator[str]:
    summary = round_summary(run.result.summary, run.snapshot)
    # Programs read the sentences here, in English; the codes under which they are kept are ours.
    summary = summary | {"why": CHOICES.get(summary["why"], "")}
    if "rules_by" in summary:
        summary["rules_by"] = CHOICES.get(summary["rules_by"], "")
    return document(
        columns_of_run(run),
        **{name: summary[name] for name in ("engine", "estimator", "seconds")},
        survey=run.survey.slug,
        snapshot=cite(run.snapshot),
        parameters=run.parameters,
        summary=summary,
    )


def read_columns(run: MiningRun) -> Columns:
    """What a run has stored; rules between two answers say what the report of its snapshot says now."""
    snapshot = run.snapshot
    pairs = pairs_of(read_records(snapshot))
    return with_pairs(Columns.from_bytes(bytes(run.result.columns)), pairs, snapshot.version.design)


def columns_of_run(run: MiningRun) -> Columns:
    """The itemsets and rules of a run, with numbers of people rounded as long as they must be.

    Runs of before have no mark for the rules that lists leave out.
    """
    columns = read_columns(run)
    columns = columns.with_columns({}, {"listed": are_listed(columns.rules)})
    return round_columns(columns, exact=disclosure.is_settled(run.snapshot))


FILES: dict[str, tuple[str, Callable[[MiningRun], Iterator[str]]]] = {
    "rules.csv": ("text/csv; charset=utf-8", lambda run: rules_csv(columns_of_run(run))),
    "itemsets.csv": ("text/csv; charset=utf-8", lambda run: itemsets_csv(columns_of_run(run))),
    "result.json": ("application/json", _result_json),
    "rules.graphml": ("application/graphml+xml", lambda run: graphml(columns_of_run(run))),
}
