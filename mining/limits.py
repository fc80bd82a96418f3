"""What a result cannot show, and why it has no rules."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.urls import reverse
from django.utils import translation

from mining.engines.columns import Columns, item_of
from mining.engines.warnings import NO_RULES, sentences
from mining.models import MiningRun
from privacy.design import Design
from privacy.output import format_count
from surveys.domain.questionnaire.closing import is_closed
from surveys.domain.questionnaire.expected import pair_items
from surveys.domain.questionnaire.forecast import judge_pairs_of_version
from surveys.domain.responses.counts import Count
from surveys.sentences import join_sentences
from surveys.shares import ROUNDING


def warnings_of(summary: dict[str, Any], least: int) -> list[str]:
    """The warnings that a reader sees before the figures of a result, from its rounded summary.

    How many people would be enough for links is left out: `no_links` says it, in the one measure of all pages.
    """
    warnings = [one for one in summary["warnings"] if one["code"] != NO_RULES]
    return sentences(warnings, max(summary["n"], least), translation)


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


def say_raw(design: Design, columns: Columns) -> list[str]:
    """That supports are raw estimates, where those of answers to one question sum to more than 1."""
    single = np.flatnonzero(columns.itemsets["length"] == 1).tolist()
    supports = {columns.names(place)[0]: columns.itemsets["support"][place] for place in single}
    options = ([f"{item.id}={option}" for option in item.options] for item in design.items)
    if not any(sum(supports.get(one, 0.0) for one in option) > 1 + ROUNDING for option in options):
        return []
    said = translation.gettext(
        "Supports are raw estimates: those of the answers to one question may sum to more than 100 %, so the report, "
        "which fits them, shows other shares."
    )
    return [said]


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


def no_links(run: MiningRun, columns: Columns, people: Count) -> NoLinks:
    survey = run.survey
    aim = judge_pairs_of_version(run.snapshot.version, max(people.number, 1))
    if aim is None or not aim.met:
        said = translation.gettext("%(n)s people are too few.") % {"n": people}
    else:  # as many as would show the usual link, so there may be weaker ones
        said = translation.gettext("%(n)s people answered.") % {"n": people}
    pairs = f"{reverse('studio:results-table', args=[run.snapshot.version_id])}"
    if (columns.itemsets["length"] == 2).any():
        pairs = f"{run.get_absolute_url()}?i-length=2#itemsets"
    of_links = (one.as_text(translation.gettext) for one in (*aim.said, *aim.means)) if aim else ()
    said = join_sentences([said, *of_links])
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
    pairs = [columns.names(place) for place in np.unique(columns.itemset[columns.rules["sure"]]).tolist()]
    seen = {tuple(sorted(map(design.column, map(item_of, names)))) for names in pairs if len(names) == 2}
    true = pair_items(design)
    aim = judge_pairs_of_version(version, respondents)
    expected = aim.figure * len(true) if aim else 0.0
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
