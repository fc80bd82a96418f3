"""What the pages and files of a run are made of."""

from dataclasses import dataclass, replace
from hashlib import sha256
from math import isfinite
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils import translation

from mining import pictures
from mining.domain.compare import compare
from mining.domain.files import columns_of_run
from mining.domain.report import itemset_metrics, itemsets, read_result, rule_at, rule_metrics, rules, strongest
from mining.domain.rounded import round_columns, round_summary
from mining.domain.withheld_results import WHY, is_withheld, mark_withheld, without_withheld
from mining.engines.columns import Columns
from mining.engines.trust import are_listed, are_trustworthy, sure
from mining.engines.warnings import NO_RULES, not_listed, sentences
from mining.forms import FilterForm, RuleFilterForm
from mining.headings import headings
from mining.models import MiningResult, MiningRun, RuleReview
from mining.sentences import figures_to_say, sentence, sentence_as_html, short_names, truth
from privacy.output import format_count
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.directly import share_of
from surveys.domain.questionnaire.expected import expect_connections, pair_items, people_for_links
from surveys.domain.questionnaire.guess import guess_of_version
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.questionnaire.promise import promise_in_chances, promise_scope
from surveys.domain.questionnaire.publish import is_closed
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.results.figures import Figure
from surveys.results.reading import ReportData
from surveys.results.report_part import beside, own_literals
from surveys.results.scale import OnScale
from surveys.results.sections import ReportPart, Section
from surveys.results.words import VersionWords, words_of
from surveys.sentences import join_sentences

MOST_SENTENCES = 12  # rules in a report of a survey; the page of the run has all
USUAL = ["shrunken confidence", "consequent support", "shrunken lift", "shrunken support", "q"]  # columns people read
AT_ONCE = 5  # of these stand open, the others behind one press


def report(run: MiningRun, query: QueryDict) -> dict[str, Any]:
    """The context of the page of a run: of its rules, itemsets and pictures what the query asks for."""
    result = MiningResult.objects.filter(run=run).first()
    asked = {"survey": run.survey.slug, **{name: value for name, value in run.parameters.items() if value is not False}}
    context: dict[str, Any] = {"run": run, "survey": run.survey, "cited": cite(run.snapshot), "result": result}
    context["asked"] = urlencode(asked)
    if is_withheld(run):
        return context | {"result": None, "withheld": WHY}
    if result is None:
        return context
    columns = _columns_of(run)
    people = counts.to_report(result.summary["n"], disclosure.is_settled(run.snapshot))
    of_rules, of_itemsets = rule_metrics(columns), itemset_metrics(columns)
    version = run.snapshot.version
    words = words_of(version, translation.get_language() or "en")
    named = [(label, f"{words.short_entry(label)} ({label})") for label in columns.labels]
    chosen = [metric.key for metric in of_rules if metric.key in query.getlist("r-columns", USUAL)]
    rule_form = RuleFilterForm(query, prefix="r", labels=named, columns=of_rules)
    itemset_form = FilterForm(query, prefix="i", labels=named, columns=of_itemsets)
    rule_wish, itemset_wish = rule_form.wish(), itemset_form.wish()
    if rule_form.search_text:
        literals = frozenset(label for label in columns.labels if words.finds(label, rule_form.search_text))
        rule_wish = replace(rule_wish, literals=literals)
    shown, reviews = rules(columns, rule_wish), reviews_of(run)
    sets = itemsets(round_columns(columns, run.snapshot), itemset_wish)
    for row in sets.rows:
        row["named"] = "; ".join(map(words.short_entry, row["items"]))
    spoken = [tell(run, row, words, reviews) for row in shown.rows]
    drawings = pictures.tabs(run, in_words(columns, words), result.summary)
    drawing = next((one for one in drawings if one.name == query.get("picture")), drawings[0] if drawings else None)
    sound = sure(columns.rules) & are_listed(columns.rules)
    if not rule_wish.redundant:
        sound &= ~columns.rules["redundant"]
    open_ = AT_ONCE if sound.any() else 0  # what chance can have made is not the first that is read
    of_those_who_read, cannot_tell = _of_those_who_read(run, spoken)
    return {
        **context,
        "summary": round_summary(result.summary, run.snapshot),
        "people": people,
        "left_out": counts.to_report(result.summary["left_out"], people.exact),
        "promise": promise_in_chances(version.design),
        "covered": promise_scope(version.design, bool(version.parsed.open_questions)),
        "share_direct": result.summary["direct"] / max(result.summary["n"], 1),
        "warnings": [*warnings_of(run), *cannot_tell],
        "of_those_who_read": of_those_who_read,
        "rule_form": rule_form,
        "rule_kept": _fields_to_keep(query, rule_form),
        "rule_headings": headings([one for one in of_rules if one.key in chosen], rule_wish, query, "r"),
        "rules": shown,
        "columns": [(one.key, translation.gettext(one.heading), one.key in chosen) for one in of_rules],
        "chosen": chosen,
        "unchosen": [(name, value) for name, value in _query_pairs(query) if name not in ("r-columns", "r-page")],
        "sentences": spoken,
        "at_once": spoken[:open_],
        "more": spoken[open_:],
        "not_listed": not_listed(columns.rules, translation, redundant=rule_wish.redundant),
        "no_links": None if sound.any() else no_links(run, columns),
        "shrunken": any(row["reported_shrunken"] for row in shown.rows),
        "verdicts": RuleReview.Verdict.choices,
        "precision": precision(columns),
        "links": links(run, columns),
        "rule_pages": _pager(query, "r"),
        "rule_order": rule_wish.order,
        "all_rules": len(columns.itemset),
        "trusted": int(sound.sum()),
        "rule_by_trust": _pager(query, "r", "order", "ascending"),
        "itemset_form": itemset_form,
        "itemset_kept": _fields_to_keep(query, itemset_form),
        "itemset_headings": headings(of_itemsets, itemset_wish, query, "i"),
        "itemsets": sets,
        "itemset_asked": any(name.startswith("i-") for name in query),
        "itemset_pages": _pager(query, "i"),
        "drawings": [
            (one.label, _pager(query, "", "picture") + f"&picture={one.name}", one is drawing) for one in drawings
        ],
        "pictures": drawing.for_screens() if drawing else [],
    }


def _columns_of(run: MiningRun) -> Columns:
    """The result of a run without rules about the two questions that show who reads: careless people make these."""
    columns = read_result(bytes(run.result.columns))
    anchors = {*map(item_of, own_literals(run.snapshot.version.parsed))}
    of_anchors = [place for place, label in enumerate(columns.labels) if item_of(label) in anchors]
    return columns.with_rules(~np.any(np.isin(columns.items[columns.itemset], of_anchors), axis=1))


def warnings_of(run: MiningRun) -> list[str]:
    """The warnings that a reader sees before the figures of a result, with the rounded number of people.

    How many people would be enough is left out: `no_links` says it, in the one measure of all pages.
    """
    summary, least = run.result.summary, run.survey.least
    warnings = [one for one in summary["warnings"] if one["code"] != NO_RULES]
    warnings = [{name: value for name, value in one.items() if name != "needed"} for one in warnings]
    return sentences(warnings, max(round_summary(summary, run.snapshot)["n"], least), translation)


def tell(
    run: MiningRun, row: dict[str, Any], words: VersionWords, reviews: dict[str, list[RuleReview]]
) -> dict[str, Any]:
    """Return a rule for the page: its sentence, short names, reviews, and the address of its table."""
    short = short_names(row)
    return {
        "row": row,
        "sentence": sentence_as_html(row, words),
        "truth": truth(row),
        "scale": _on_scale(row),
        "short": short,
        "named": ["; ".join(map(words.short_entry, row[side])) for side in ("antecedent", "consequent")],
        "anchor": sha256(short.encode()).hexdigest()[:12],
        "reviews": reviews.get(short, []),
        "verdict": _verdict(reviews.get(short, [])),
        "table": _table_address(run, row),
    }


def _verdict(reviews: list[RuleReview]) -> RuleReview | None:
    """The review that counts: the last one with a verdict, or the last note where there is none."""
    judged = (one for one in reviews if one.verdict != RuleReview.Verdict.NONE)
    return next(judged, reviews[0] if reviews else None)


def _is_rejected(rule: dict[str, Any]) -> bool:
    return rule["verdict"] is not None and rule["verdict"].verdict == RuleReview.Verdict.REJECT


def _on_scale(row: dict[str, Any]) -> OnScale:
    """The figures that the sentence about a rule says, for the picture beside it."""
    said = figures_to_say(row)
    among = said.among_all if isfinite(said.among_all) else None
    return OnScale(said.share, said.low, said.high, row.get("true_confidence"), among)


def pictures_of(run: MiningRun) -> list[Figure]:
    result = MiningResult.objects.filter(run=run).first()
    if result is None or is_withheld(run):
        return []
    words = words_of(run.snapshot.version, translation.get_language() or "en")
    return pictures.as_files(run, in_words(_columns_of(run), words), result.summary)


def in_words(columns: Columns, words: VersionWords) -> Columns:
    """Return the columns with words in place of codes, for pictures."""
    return replace(columns, labels=tuple(map(words.brief, columns.labels)))


def item_of(literal: str) -> str:
    return literal.removeprefix("!").partition("=")[0]


def _table_address(run: MiningRun, row: dict[str, Any]) -> str:
    """The address of the table of a rule's questions, to which another question can be added; empty for long rules."""
    names = [item_of(each) for each in (*row["consequent"], *row["antecedent"])]
    if len(row["consequent"]) > 1 or len(names) > 3:
        return ""
    address = reverse("studio:results-table", args=[run.snapshot.version_id])
    return f"{address}?{urlencode(dict(zip(('answer', 'by', 'also'), names, strict=False)))}"


def reviews_of(run: MiningRun) -> dict[str, list[RuleReview]]:
    reviews: dict[str, list[RuleReview]] = {}
    for review in run.reviews.select_related("by"):
        reviews.setdefault(review.rule, []).append(review)
    return reviews


def precision(columns: Columns) -> str:
    """How exactly shares are known here, by the number of answers: half the width of a usual 95 % interval."""
    lengths, errors = columns.itemsets["length"], columns.itemsets["se"]
    known = []
    for length in np.unique(lengths).tolist():
        of_length = errors[(lengths == length) & np.isfinite(errors)]
        if len(of_length):
            values = {"half": f"{200 * float(np.median(of_length)):.1f}", "count": length}
            of_so_many = translation.ngettext(
                "±%(half)s points for %(count)s answer", "±%(half)s points for %(count)s answers together", length
            )
            known.append(of_so_many % values)
    if not known:
        return ""
    said = translation.gettext(
        "What this cannot show: shares are known to about %(known)s, so smaller changes are not found."
    )
    return said % {"known": translation.gettext(", ").join(known)}


@dataclass(frozen=True)
class NoLinks:
    """What no trustworthy rule means, and where to go on.

    said        how many people answered, and with how many links would be found
    pairs       where every pair of answers is shown, found or not
    next_round  where another round begins, once nobody can answer any more; before, `more` is where people are invited
    """

    said: str
    pairs: str
    next_round: str = ""
    more: str = ""


def no_links(run: MiningRun, columns: Columns) -> NoLinks:
    survey, version, n = run.survey, run.snapshot.version, run.result.summary["n"]
    design = version.design
    people = counts.to_report(n, disclosure.is_settled(run.snapshot))
    expected = expect_connections(
        design, 1, minimum_of_version(version), share_of(version.parsed), guess_of_version(version)
    )
    needed = next((one.needed for one in expected if one.length == 2), None)
    if needed is None or n < needed:
        said = translation.gettext("%(n)s people are too few.") % {"n": people}
    else:  # as many as would show the usual link, so there may be weaker ones
        said = translation.gettext("%(n)s people answered.") % {"n": people}
    pairs = f"{reverse('studio:results-table', args=[run.snapshot.version_id])}"
    if (columns.itemsets["length"] == 2).any():
        pairs = f"{run.get_absolute_url()}?i-length=2#itemsets"
    said = join_sentences([said, people_for_links(expected)])
    if survey.rehearses_id is not None:
        return NoLinks(said, pairs)
    if is_closed(survey):
        return NoLinks(said, pairs, next_round=reverse("studio:copy", args=[survey.pk]))
    return NoLinks(said, pairs, more=reverse("studio:fieldwork", args=[survey.pk]))


def links(run: MiningRun, columns: Columns) -> str:
    """How many links between two answers of a rehearsal are found, and how many its plan expects."""
    if run.survey.rehearses_id is None or "truth" not in columns.itemsets:
        return ""  # older rehearsals kept no truth, and other people answered them
    version, respondents = run.snapshot.version, run.snapshot.respondents
    design = version.design
    pairs = [columns.names(place) for place in np.unique(columns.itemset[sure(columns.rules)]).tolist()]
    seen = {tuple(sorted(map(design.column, map(item_of, names)))) for names in pairs if len(names) == 2}
    true = pair_items(design)
    guess = guess_of_version(version)
    forecast = expect_connections(design, respondents, minimum_of_version(version), share_of(version.parsed), guess)
    expected = sum(one.chance for one in forecast if one.length == 2) * len(true)
    said = translation.ngettext(
        "Simulated truth: %(all)s link between two answers is true. This report finds %(found)s of them, and "
        "%(false)s that are not true. The forecast for %(n)s people is %(expected)s of %(all)s.",
        "Simulated truth: %(all)s links between two answers are true. This report finds %(found)s of them, and "
        "%(false)s that are not true. The forecast for %(n)s people is %(expected)s of %(all)s.",
        len(true),
    )
    return said % {
        "all": len(true),
        "found": len(seen & {*true}),
        "false": len(seen - {*true}),
        "n": format_count(respondents),
        "expected": f"{expected:.1f}",
    }


def comparison(run: MiningRun, query: QueryDict) -> dict[str, Any]:
    others = [
        each
        for each in without_withheld(MiningRun.objects.all())
        .filter(state=MiningRun.State.DONE, snapshot__version__survey=run.survey, result__isnull=False)
        .select_related("snapshot__version__survey")
        if each != run
    ]
    asked = query.get("with", "")
    other = next((each for each in others if str(each.pk) == asked), others[0] if others else None)
    context: dict[str, Any] = {"run": run, "survey": run.survey, "others": others, "other": other}
    if is_withheld(run):
        return context | {"withheld": WHY}
    if other is None or not hasattr(run, "result"):
        return context
    same = other.snapshot_id == run.snapshot_id
    biased = any(each.snapshot.version.design.by_record for each in (run, other))
    comparison = compare(_columns_of(other), _columns_of(run), same_people=same, biased=biased)
    words = words_of(run.snapshot.version, translation.get_language() or "en")
    of_other = words_of(other.snapshot.version, translation.get_language() or "en")
    return {
        **context,
        "same_people": same,
        "new": [(sentence(row, words), short_names(row)) for row in comparison.new],
        "gone": [(sentence(row, of_other), short_names(row)) for row in comparison.gone],
        "moved": [(sentence(move.row, words), short_names(move.row), move) for move in comparison.moved],
    }


def _fields_to_keep(query: QueryDict, form: FilterForm) -> list[tuple[str, str]]:
    """The fields that a filter form keeps: the order of its table and all of the other table, but no page."""
    own = {field.html_name for field in form.visible_fields()} | {form.add_prefix("page")}
    return [(name, value) for name, value in _query_pairs(query) if name not in own]


def _query_pairs(query: QueryDict) -> list[tuple[str, str]]:
    """Each name in the query with each of its values."""
    return [(name, str(value)) for name, values in query.lists() for value in values]


def _pager(query: QueryDict, prefix: str, *without: str) -> str:
    """The address of the page without its number, so that links to other pages keep every filter."""
    kept = query.copy()
    for name in ("page", *without):
        kept.pop(f"{prefix}-{name}" if prefix else name, None)
    return kept.urlencode()


def rules_of(run: MiningRun) -> frozenset[str]:
    """The short names of all rules of a run."""
    columns = columns_of_run(run)
    sides = (columns.sides(place) for place in range(len(columns.itemset)))
    return frozenset(short_names({"antecedent": a, "consequent": c}) for a, c in sides)


def _of_those_who_read(run: MiningRun, rules: list[dict[str, Any]]) -> tuple[list[Figure], list[str]]:
    """What those who read say of these rules where two questions tell them apart, or the sentence that nobody can."""
    if not rules:
        return [], []
    texts = [" => ".join(",".join(one["row"][side]) for side in ("antecedent", "consequent")) for one in rules]
    return beside(run.snapshot.version.parsed).rules(run.snapshot, texts, translation.get_language() or "en")


def _part(run: MiningRun, *, rejected: bool) -> ReportPart:
    """The rules of a run, as a part of the report of a survey; those that a reviewer `rejected` are last, or not there.

    Links of before, which name no choice, leave them out.
    """

    def context() -> dict[str, Any]:
        if is_withheld(run):
            return {"run": run, "withheld": WHY, "figures": []}
        columns = _columns_of(run)
        words = words_of(run.snapshot.version, translation.get_language() or "en")
        reviews = reviews_of(run)
        places = strongest(columns, MOST_SENTENCES).tolist()
        every = sorted((tell(run, rule_at(columns, place), words, reviews) for place in places), key=_is_rejected)
        rules = every if rejected else [one for one in every if not _is_rejected(one)]
        drawn, cannot_tell = _of_those_who_read(run, rules)
        return {
            "run": run,
            "sentences": rules[:AT_ONCE],
            "more": rules[AT_ONCE:],
            "no_links": None if every else no_links(run, columns),
            "left_out": len(every) - len(rules),
            "shrunken": any(one["row"]["reported_shrunken"] for one in rules),
            "others": int(are_trustworthy(columns.rules).sum()) - len(every),
            "not_listed": not_listed(columns.rules, translation),
            "cannot": [*filter(None, [precision(columns)]), *warnings_of(run), *cannot_tell],
            "links": links(run, columns),
            "figures": drawn,
            "loose": drawn,
        }

    key, title = f"rules-{run.pk}", translation.gettext("What goes together")
    if rejected:
        return ReportPart(f"{key}-all", title, "mining/part.html", context, without=key)
    return ReportPart(key, title, "mining/part.html", context)


def _runs(data: ReportData) -> QuerySet[MiningRun]:
    done = mark_withheld(MiningRun.objects.filter(result__isnull=False))  # also while it is mined again
    return done.filter(snapshot__version=data.version).select_related("snapshot__version__survey", "result")


def _newest_part(data: ReportData) -> list[ReportPart]:
    """Return the newest run of the report's snapshot as a part of the report."""
    run = _runs(data).filter(snapshot=data.snapshot).first()
    return [_part(run, rejected=_has_rejected(run))] if run else []


def _has_rejected(run: MiningRun) -> bool:
    return run.reviews.filter(verdict=RuleReview.Verdict.REJECT).exists()


def _find(data: ReportData, key: str) -> ReportPart | None:
    """The part of the report that a key such as “rules-12” names, or “rules-12-all”, with rejected rules marked."""
    kind, _dash, number = key.removesuffix("-all").partition("-")
    if kind != "rules" or not number.isdecimal():
        return None
    run = _runs(data).filter(pk=int(number)).first()
    return _part(run, rejected=key.endswith("-all")) if run else None


SECTION = Section(offered=_newest_part, find=_find, action=Action.FINDINGS)
