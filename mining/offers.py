"""What mining adds to the results, the rehearsals, the reports and the study pack of a survey."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from mining.described_rules import AT_ONCE, columns_to_report, describe_rule, is_rejected, last_verdict, reviews_of
from mining.domain.files import FILES, WHY, is_withheld, mark_withheld, round_summary, without_withheld
from mining.domain.report import rule_at, strongest
from mining.domain.request import has_options
from mining.engines.columns import are_trustworthy
from mining.engines.warnings import not_listed
from mining.limits import links, no_links, precision, say_raw, warnings_of
from mining.models import MiningRun, RuleReview
from surveys.domain.people.roles import Action, may
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, SurveyVersion
from surveys.offers import STANDING
from surveys.results import study_pack
from surveys.results.following import say_of_all
from surveys.results.reading import ReportData
from surveys.results.sections import SECTIONS, TABS, LinkReview, ReportPart, Section
from surveys.results.words import words_of

MOST_SENTENCES = 12  # rules in a report of a survey; the page of the run has all


def _part(run: MiningRun, *, rejected: bool) -> ReportPart:
    """The rules of a run, as a part of the report of a survey; those that a reviewer `rejected` are last, or not there.

    Links of before, which name no choice, leave them out.
    """

    def context() -> dict[str, Any]:
        if is_withheld(run):
            return {"run": run, "withheld": WHY, "figures": []}
        columns, summary = columns_to_report(run), round_summary(run.result.summary, run.snapshot)
        people = counts.to_report(run.result.summary["n"], summary["exact"])
        warnings = [*say_raw(run.snapshot.version.design, columns), *warnings_of(summary, run.survey.least)]
        words = words_of(run.snapshot.version, translation.get_language() or "en")
        reviews = reviews_of(run.snapshot.version)
        places = strongest(columns, MOST_SENTENCES).tolist()
        every = sorted(
            (describe_rule(run, rule_at(columns, place), words, reviews) for place in places), key=is_rejected
        )
        rules = every if rejected else [one for one in every if not is_rejected(one)]
        return {
            "run": run,
            "sentences": rules[:AT_ONCE],
            "more": rules[AT_ONCE:],
            "no_links": None if every else no_links(run, columns, people),
            "left_out": len(every) - len(rules),
            "shrunken": any(rule["row"]["reported_shrunken"] for rule in rules),
            "others": int(are_trustworthy(columns).sum()) - len(every),
            "not_listed": not_listed(columns.rules, translation),
            "cannot": [*filter(None, [precision(columns)]), *warnings, *say_of_all(run.snapshot.version.parsed)],
            "links": links(run, columns),
            "figures": [],
        }

    key, title = f"rules-{run.pk}", translation.gettext("Rules that a search found")
    if rejected:
        return ReportPart(f"{key}-all", title, "mining/part.html", context, without=key, for_analysts=True)
    return ReportPart(key, title, "mining/part.html", context, for_analysts=True)


def _runs(data: ReportData) -> QuerySet[MiningRun]:
    done = mark_withheld(MiningRun.objects.filter(result__isnull=False))  # also while it is mined again
    return done.filter(snapshot__version=data.version).select_related("snapshot__version__survey", "result")


def last_result(run: MiningRun) -> dict[str, Any] | None:
    """The strongest rules of the last result of the version, to read while another search goes on."""
    done = mark_withheld(MiningRun.objects.filter(result__isnull=False, snapshot__version=run.snapshot.version))
    last = done.exclude(pk=run.pk).select_related("snapshot__version__survey", "result").first()
    return _part(last, rejected=False).context() if last else None


def _newest_part(data: ReportData) -> list[ReportPart]:
    """Return the newest run of the report's snapshot as a part of the report."""
    run = _runs(data).filter(snapshot=data.snapshot).first()
    return [_part(run, rejected=any(review.is_rejection for review in _reviews(data).values()))] if run else []


def _find(data: ReportData, key: str) -> ReportPart | None:
    """The part of the report that a key such as “rules-12” names, or “rules-12-all”, with rejected rules marked."""
    kind, _dash, number = key.removesuffix("-all").partition("-")
    if kind != "rules" or not number.isdecimal():
        return None
    run = _runs(data).filter(pk=int(number)).first()
    return _part(run, rejected=key.endswith("-all")) if run else None


def _reviews(data: ReportData) -> dict[frozenset[str], LinkReview]:
    """By both sides of a rule, the last verdict on it; a rejection of either way counts."""
    last = {
        rule: LinkReview(review.said, review.verdict == RuleReview.Verdict.REJECT)
        for rule, reviews in reviews_of(data.version).items()
        if (review := last_verdict(reviews)) and review.verdict != RuleReview.Verdict.NONE
    }
    rejections_last = sorted(last.items(), key=lambda one: one[1].is_rejection)
    return {frozenset(rule.split(" ⇒ ")): review for rule, review in rejections_last}


SECTION = Section(offered=_newest_part, find=_find, action=Action.FINDINGS, reviews=_reviews)


def run_state(snapshot: Snapshot) -> str | None:
    """The mining that is still going on for a rehearsal."""
    run = MiningRun.objects.filter(snapshot=snapshot).last()
    if run is None:
        return gettext("A search begins in a moment.") if has_options(snapshot) else None
    return gettext("The search: %(doing)s") % {"doing": run.doing or run.get_state_display()} if run.is_open else None


STANDING.append(run_state)


def findings(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[bytes]]]:
    """For the study pack: the files of every finished run on the snapshot."""
    done = MiningRun.objects.filter(snapshot=snapshot, result__isnull=False)
    for run in without_withheld(done).select_related("result"):
        for name, (_kind, lines) in FILES.items():
            yield f"rules/run-{run.pk}-{name}", (line.encode() for line in lines(run))


study_pack.ADDED.append(findings)
SECTIONS.append(SECTION)


def together(request: HttpRequest, version: SurveyVersion) -> tuple[str, str] | None:
    """Beside the report: the newest result of the version, else its sure pairs, for those who may see them."""
    if not may(request.user, Action.FINDINGS, version.survey):
        return None
    runs = MiningRun.objects.filter(snapshot__version=version)
    run = runs.filter(state=MiningRun.State.DONE).first() or runs.first()
    if run is not None:
        return gettext("What goes together"), run.get_absolute_url()
    newest = latest(version.survey)
    if newest is None or newest.version_id != version.pk:
        return None
    return gettext("What goes together"), reverse("mining_start", args=[version.survey_id])


TABS.append(together)
