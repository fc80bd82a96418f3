"""The table that compares two groups of respondents answer by answer."""

from collections.abc import Iterable, Mapping

from django.utils.translation import get_language, gettext as _

from privacy.reconstruct.arms import AnswerOfTwo
from surveys.displays import Table
from surveys.models import SurveyVersion
from surveys.percent import percent_alone, percent_with_error, with_sign, with_signs
from surveys.results.words import words_of


def table_of_two(version: SurveyVersion, answers: Iterable[AnswerOfTwo], groups: Mapping[str, str]) -> Table:
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
