"""What is shown of a run: its summary and columns, and its files for other programs.

Until a version is closed and sealed, numbers of people are rounded to hundreds. What is stored is exact: pictures and
later runs compute with it. Results of when runs still counted direct answers that nothing hides are not shown. Every
share of such a result mixes both groups, so that two of them tell on one direct respondent. A run made again is shown.
"""

from collections.abc import Callable, Iterator
from math import floor
from typing import Any

import numpy as np
from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy

from mining.engines.columns import Columns, are_listed
from mining.engines.exports import document, itemsets_csv, rules_csv
from mining.engines.reasons import CHOICES
from mining.engines.shrunken_rules import with_pairs
from mining.engines.warnings import NO_RULES
from mining.models import MiningRun
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from surveys.domain.questionnaire.forecast import judge_pairs_of_version
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.models import Snapshot
from surveys.results.reading import read_records
from surveys.results.together import pairs_of
from surveys.shares import answers_to_tell

WHY = gettext_lazy(
    "An earlier version of Candor made this search, and its figures contain direct answers. Together they could reveal "
    "one person's answer, so none is shown. Search once more to see what may be reported."
)
_OF_DIRECT = ("collecting", "left out", "too few alike")


def round_summary(summary: dict[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The summary, with whether its numbers of people are `exact`."""
    answers = _answers_to_tell(summary, snapshot.version.design, disclosure.least_of(snapshot))
    exact = disclosure.is_settled(snapshot)
    people = {name: counts.to_report(summary[name], exact).number for name in ("n", "direct", "left_out")}
    shown = summary["warnings"]
    if exact and disclosure.hides_direct(snapshot):  # how many they are may be known of an earlier run
        people["left_out"] = 0
        shown = [{"code": "few direct", "least": snapshot.version.survey.least}]
        shown += [warning for warning in summary["warnings"] if warning["code"] not in _OF_DIRECT]
    warnings = [_round_warning(warning, snapshot, people["n"]) for warning in shown]
    groups = summary["groups"] | {"answers": answers}
    return {**summary, **people, "exact": exact, "warnings": warnings, "groups": groups}


def _round_warning(warning: dict[str, Any], snapshot: Snapshot, people: int) -> dict[str, Any]:
    """A warning, in which links and how many people they need are those of all pages, and no other number is needed."""
    shown = {name: value for name, value in warning.items() if name != "needed"}
    if warning["code"] == "collecting":
        return {"code": "collecting"}
    if warning["code"] == NO_RULES:
        aim = judge_pairs_of_version(snapshot.version, max(people, 1))
        return shown | ({"chance": aim.figure, "needed": aim.needed} if aim else {"needed": None})
    return shown


def _answers_to_tell(summary: dict[str, Any], design: Design, least: int) -> list[dict[str, Any]]:
    """The compared answers, without those that few gave directly: beside the disguised share stands what they said."""
    answers = summary["groups"]["answers"]
    counts = [np.zeros(len(item.options) if item.has_options else 0) for item in design.items]
    for answer in answers:
        ((column, (option,)),) = parse_pattern(answer["answer"], design).literals
        block, direct = design.blocks[design.place(column)[0]], summary["direct"]
        part = block.items_per_person / len(block.items)
        asked = direct * part - 5 * (direct * part * (1 - part)) ** 0.5  # so many at least, of those who draw questions
        if design.items[column].boolean:  # its no is not compared
            counts[column][:] = floor(asked * (1 - answer["direct"]))
        counts[column][option] = floor(asked * answer["direct"])
    reportable = answers_to_tell(design, counts, least)
    return [answer for answer in answers if answer["answer"] in reportable]


def round_columns(columns: Columns, *, exact: bool) -> Columns:
    """The columns, with the numbers of people who were asked each itemset rounded unless they are `exact`."""
    if exact:
        return columns
    hundreds = [counts.to_report(int(people), exact=False).number for people in columns.itemsets["n"]]
    return columns.with_columns({"n": np.array(hundreds, columns.itemsets["n"].dtype)}, {})


def mark_withheld(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    """Annotate each run with `withheld`: whether its figures mix in direct answers and must not be shown."""
    settled = Exists(disclosure.last_snapshots().filter(pk=OuterRef("snapshot")))
    mixed = Q(result__summary__direct__gt=0, snapshot__version__survey__simulated=False)
    withheld = mixed & (~Q(settled) | Q(result__summary__gated__isnull=True))
    yes, no = Value(True), Value(False)
    return runs.annotate(withheld=Case(When(withheld, then=yes), default=no, output_field=BooleanField()))


def is_withheld(run: MiningRun) -> bool:
    return bool(run.withheld)  # type: ignore[attr-defined]


def without_withheld(runs: QuerySet[MiningRun]) -> QuerySet[MiningRun]:
    return mark_withheld(runs).filter(withheld=False)  # type: ignore[misc]


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
}
