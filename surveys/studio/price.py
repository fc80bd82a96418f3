"""What "prefer not to say" costs, beside its tick: γ with it and without it, by trying both."""

from __future__ import annotations

from django.utils.translation import gettext as _

from privacy.design.gammas import Gamma
from privacy.errors import InputError
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.document import Document, draft_of, questions
from surveys.domain.questionnaire.promise import figure
from surveys.domain.questionnaire.write import compose_design
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.rows import SKIP

ALIKE = 1.02  # γ that differs by less is the same promise


def prices(survey: Survey, document: Document) -> dict[str, str]:
    """The price for each sensitive question that may be skipped, by its name; none while there is no design.

    Questions alike in one block have one price, which is worked out once.
    """
    blocks = {name: place for place, block in enumerate(document["blocks"]) for name in block["questions"]}
    known: dict[tuple[int, int, bool], str] = {}
    told = {}
    for question in questions(document):
        name = question["name"]
        if name not in blocks or TYPES[question["type"]].skipped is None:
            continue
        skips = any(option["value"] == SKIP for option in question["options"])
        alike = (blocks[name], len(question["options"]), skips)
        if alike not in known:
            known[alike] = _price(survey, document, name, skips)
        told[name] = known[alike]
    return told


def _price(survey: Survey, document: Document, name: str, skips: bool) -> str:
    now = _odds(survey, document)
    try:
        other = _odds(survey, apply(survey, document, {"do": "skip", "question": name, "value": not skips}))
    except InputError:
        return ""
    if now is None or other is None:
        return ""
    without, with_it = (other, now) if skips else (now, other)
    if with_it <= without * ALIKE:
        return _("γ stays %(figure)s; figures are less exact") % {"figure": figure(with_it)}
    return _("γ %(with_it)s in place of %(without)s") % {"with_it": figure(with_it), "without": figure(without)}


def _odds(survey: Survey, document: Document) -> Gamma | None:
    try:
        return compose_design(draft_of(survey, document)).odds
    except InputError:
        return None
