"""What an earlier version says of how common answers are: the word that is nearest to each share, and the shares."""

import math
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef

from privacy.design.items import Item
from privacy.design.patterns import Pattern
from privacy.errors import EntryError, to_translate
from surveys.domain.drafts.protect import USUAL_TOP
from surveys.domain.questionnaire.guess import is_yes_no, nearest_word, options_without_skip
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


def words_of_figures(version: SurveyVersion) -> dict[str, str]:
    """The word for the share of each disguised question, by its name; EntryError where nothing may be reported."""
    data, words = data_of(version), {}
    for question in version.parsed.questions:
        disguise = type_of(question).disguise if question.sensitive else None
        shares = [share for name, _ in disguise.items(question) for share in _telling(data, name)] if disguise else []
        if shares:
            words[question.id] = nearest_word(float(np.mean(shares)))
    return words


def first_wave(survey: Survey) -> SurveyVersion | None:
    """The version whose figures may choose what a second wave asks; None where there is none, or it is one itself."""
    version = version_of(survey)
    return None if version is None or version.parsed.asks_others else version


def list_after(version: SurveyVersion) -> dict[str, Any]:
    """What the draft of a second wave keeps of a version: its shares; EntryError where it has too few."""
    shares = _shares_of_figures(version)
    if len(shares) < 2:
        raise EntryError("Version {number} tells too few shares for a second wave.", number=version.number)
    return {"version": version.sha256, "of": version.number, "top": USUAL_TOP, "shares": shares}


def _shares_of_figures(version: SurveyVersion) -> dict[str, list[float]]:
    """The [share, error] of every disguised answer that may be reported, by the answer as a pattern writes it."""
    data = data_of(version)
    design = data.sealed.design
    literals = [
        (text, Pattern(((column, frozenset([code])),)))
        for column, item in enumerate(design.items)
        if item.has_options
        for code, text in enumerate(_texts(item))
    ]
    known = estimate_shares(data.for_single_answers, [pattern for _, pattern in literals], data.least, data.least_alone)
    return {
        text: [share.all.value, share.all.se]
        for (text, _), share in zip(literals, known, strict=True)
        if share.all and 0 < share.all.se < math.inf
    }


def _texts(item: Item) -> list[str]:
    """Each answer to an item as a pattern writes it."""
    return [f"!{item.id}", item.id] if item.boolean else [f"{item.id}={option}" for option in item.options]


def _telling(data: ReportData, name: str) -> list[float]:
    """The shares of an item that its word comes from: that of yes, or those of all options but the commonest."""
    design = data.sealed.design
    column = design.column(name)
    item = design.items[column]
    if not item.has_options:
        return []
    said = options_without_skip(item)
    asked = ["1"] if is_yes_no(said) else said
    patterns = [Pattern(((column, frozenset([item.options.index(option)])),)) for option in asked]
    known = [
        one.all.value
        for one in estimate_shares(data.for_single_answers, patterns, data.least, data.least_alone)
        if one.all
    ]
    return known if is_yes_no(said) else sorted(known)[:-1]
