"""What an earlier version says of how common answers are: the guess of each question, with its interval."""

import numpy as np
from django.db.models import Exists, OuterRef

from privacy.design.items import is_yes_no, options_without_skip
from privacy.design.patterns import Pattern
from privacy.errors import to_translate
from surveys.domain.questionnaire.guess import write_range
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.questions import type_of
from surveys.results.reading import ReportData
from surveys.results.report import data_of
from surveys.shares import estimate_shares

NOTHING_SEALED = to_translate("No responses are sealed yet; there is nothing to show.")


def version_of(survey: Survey) -> SurveyVersion | None:
    """The newest version with sealed responses; None if there is none."""
    if not survey.newest:
        return None
    return survey.versions.filter(Exists(Snapshot.objects.filter(version=OuterRef("pk")))).last()


def guesses_of_figures(version: SurveyVersion) -> dict[str, str]:
    """The guess that each disguised question's figures are, by its name; EntryError where nothing may be reported."""
    data, guesses = data_of(version), {}
    for question in version.parsed.questions:
        disguise = type_of(question).disguise if question.sensitive else None
        shares = [share for name, _ in disguise.items(question) for share in _telling(data, name)] if disguise else []
        if shares:
            guesses[question.id] = write_range(*np.mean(shares, axis=0).tolist())
    return guesses


def _telling(data: ReportData, name: str) -> list[tuple[float, float, float]]:
    """The shares that an item's guess comes from, with their intervals: that of yes, or all but the commonest."""
    design = data.sealed.design
    column = design.column(name)
    item = design.items[column]
    if not item.has_options:
        return []
    said = options_without_skip(item)
    asked = ["1"] if is_yes_no(said) else said
    patterns = [Pattern(((column, frozenset([item.options.index(option)])),)) for option in asked]
    known = [
        (share.all.value, share.all.low, share.all.high)
        for share in estimate_shares(data.for_single_answers, patterns, data.least, data.least_alone)
        if share.all
    ]
    return known if is_yes_no(said) else sorted(known)[:-1]
