"""What an earlier version says of how common answers are: the word that is nearest to each share of its report."""

import numpy as np
from django.db.models import Exists, OuterRef

from privacy.design.patterns import Pattern
from surveys.domain.questionnaire.guess import is_yes_no, nearest_word, options_without_skip
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.questions import type_of
from surveys.results.reading import Data
from surveys.results.report import data_of
from surveys.shares import estimate_shares


def version_of(survey: Survey) -> SurveyVersion | None:
    """The newest version of which responses are sealed; None, without a query, where nothing was published."""
    if not survey.newest:
        return None
    return survey.versions.filter(Exists(Snapshot.objects.filter(version=OuterRef("pk")))).last()


def words_of_figures(version: SurveyVersion) -> dict[str, str]:
    """The word of each disguised question with options, by its name; EntryError where nothing may be reported."""
    data, words = data_of(version), {}
    for question in version.parsed.questions:
        disguise = type_of(question).disguise if question.sensitive else None
        shares = [share for name, _ in disguise.items(question) for share in _telling(data, name)] if disguise else []
        if shares:
            words[question.id] = nearest_word(float(np.mean(shares)))
    return words


def _telling(data: Data, name: str) -> list[float]:
    """The shares of yes, or of all options but the commonest."""
    design = data.sealed.design
    column = design.column(name)
    item = design.items[column]
    if not item.has_options:
        return []
    said = options_without_skip(item)
    asked = ["1"] if is_yes_no(said) else said
    patterns = [Pattern(((column, frozenset([item.options.index(option)])),)) for option in asked]
    known = [one.all.value for one in estimate_shares(data.alone, patterns, data.least) if one.all]
    return known if is_yes_no(said) else sorted(known)[:-1]
