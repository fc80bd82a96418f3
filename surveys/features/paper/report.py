"""Web and paper in reports: whether both give the same shares, and what was entered wrongly."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from django.utils.translation import get_language, gettext as _, ngettext

from privacy.errors import EntryError
from privacy.output import format_count
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.modes import AnswerOfTwo, compare_modes, interval_of_error
from surveys.displays import Table
from surveys.features.paper import MODE, PAPER_MODE, is_pooled
from surveys.models import SurveyVersion
from surveys.percent import percent_alone, percent_with_error, with_sign, with_signs
from surveys.results.reading import ReportData
from surveys.results.sections import ReportingPart, TrustTopic
from surveys.results.words import words_of
from surveys.sentences import join_sentences, sentence_of


def _topic(data: ReportData) -> TrustTopic:
    """Whether people on paper give the same shares as by web, paper corrected for errors of entry."""
    heading = _("Do paper and web give the same shares?")
    said = [say_error(data.version)] if data.version.paper_batches.exists() else []
    if data.answers is None:
        return TrustTopic(heading, (*said, _("The mode of each response is reported after this version is closed.")))
    try:
        data.check_certain([item.id for item in data.sealed.design.items], [MODE])
    except EntryError as error:
        return TrustTopic(heading, (*said, sentence_of(error)))
    on_paper = np.asarray(data.answers.column(MODE).map(str, "") == PAPER_MODE)
    pooled = is_pooled(data.version.parsed.source)
    as_pressed = replace(data.sealed, design=data.version.parsed.design)
    found = compare_modes(as_pressed, on_paper, data.version.entry_errors, least=data.least, pooled=pooled)
    if not found:
        return TrustTopic(heading, (*said, _("Too few answered by web, or on paper, for a comparison.")))
    shares = {"web": data.people(int((~on_paper).sum())), "paper": data.people(int(on_paper.sum()))}
    said = [_("%(web)s answered by web, %(paper)s on paper.") % shares, *said]
    differing = [one for one in found if one.p < 0.05]
    said.append(
        _("In %(n)s of the answers below the two differ. People choose a mode, so the difference may be theirs.")
        % {"n": format_count(len(differing))}
        if differing
        else _("No difference is found, which does not show that there is none. Intervals show how large it may be.")
    )
    said.append(
        _(
            "Both together: each mode counts by how exactly it is known, as was decided before publishing. That is "
            "right only if the same people would have answered alike."
        )
        if pooled
        else _("Both together: each mode counts by its share of people, which is right whether or not they differ.")
    )
    table = _table_of_two(data.version, found, {"second": _("by web"), "first": _("on paper")})
    return TrustTopic(heading, tuple(said), table, bool(differing), "" if differing else _("no difference is found"))


def _table_of_two(version: SurveyVersion, answers: Iterable[AnswerOfTwo], groups: Mapping[str, str]) -> Table:
    """Shares of both groups, the difference, its p, and the share of both; `groups`: what each is called, by field."""
    head = (_("answer"), *groups.values(), _("difference in points"), _("corrected p"), _("both together"))
    words = words_of(version, get_language() or "en")
    rows = tuple(
        (
            words.short_entry(one.answer),
            *(percent_alone(getattr(one, group)) for group in groups),
            f"{with_sign(one.difference)} ({with_signs(one.ci)})",
            f"{one.p:.2g}",
            " ".join(percent_with_error(one.share, one.share_se)),
        )
        for one in answers
    )
    return Table(head, rows)


def say_error(version: SurveyVersion) -> str:
    """How many answers were entered otherwise than they are crossed, as far as sheets that were entered twice show."""
    if version.survey.closed_at is None:
        return join_sentences(
            [_say_found(version.entry_errors), _("Until it is closed, full hundreds of sheets count.")]
        )
    return _say_found(version.entry_errors)


def _say_found(found: EntryErrors | None) -> str:
    if found is None:
        return _(
            "Nobody knows how many answers were entered wrongly: too few were entered twice, or half of these differ. "
            "Figures are not corrected for it."
        )
    return ngettext(
        "Of %(compared)s answers that were entered twice, %(differing)s differs: about %(error)s of entered answers "
        "are wrong (%(low)s to %(high)s). All figures of answers that people draw are corrected for it, by web and "
        "paper together, and so are controls; other undisguised answers are not, as nobody knows which box a wrong "
        "entry falls into.",
        "Of %(compared)s answers that were entered twice, %(differing)s differ: about %(error)s of entered answers are "
        "wrong (%(low)s to %(high)s). All figures of answers that people draw are corrected for it, by web and paper "
        "together, and so are controls; other undisguised answers are not, as nobody knows which box a wrong entry "
        "falls into.",
        found.differing,
    ) % {
        "compared": format_count(found.compared),
        "differing": format_count(found.differing),
        **dict(
            zip(("error", "low", "high"), map(percent_alone, (found.error, *interval_of_error(found))), strict=True)
        ),
    }


PART = ReportingPart(topics=lambda data: [_topic(data)])
