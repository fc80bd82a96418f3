"""What pages of a draft say of it, and say again after every change. A page that has more to say adds a panel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from privacy.errors import InputError
from privacy.output import format_count
from surveys.domain.drafts.protect import judge_document, judge_or_none
from surveys.domain.questionnaire.check import why_not
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft, sensitive
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.domain.questionnaire.promise import promise_in_chances, promise_scope, sentences
from surveys.studio import alternatives, experts, protection, staff_part, verdict
from surveys.studio.checklist import missing_of
from surveys.studio.sheet import mark
from surveys.studio.staff_part import Pane

Context = dict[str, Any]
MOST_MISSING = 3  # the others are on the page before publishing


@dataclass(frozen=True)
class RenderedPane:
    """A panel as a page holds it: the server sends it again only where its mark is another."""

    name: str
    title: Any
    html: SafeString

    @property
    def mark(self) -> str:
        return mark(self.html)


def _pledge(draft: Draft) -> Context:
    """What the protection costs, in one line, with what links need and the promise."""
    if not sensitive(draft.document):
        return {"why": _("Nothing is disguised yet.")}
    try:
        design = compose_design(draft)
    except InputError as error:
        return {"why": why_not(draft, error)}
    sent = [gettext(row.sent) for row in protection.rows_of(design)]
    direct = verdict.direct_sentences(forecast_draft(draft))
    more = [*sent, promise_in_chances(design, draft.document), *direct]
    judged = judge_document(draft.survey, draft.document)
    return {
        "stop": judged.headline.as_text(gettext) if judged.stop else "",
        "short": verdict.in_short(judged),
        "n": format_count(draft.document["expected"]),
        "more": list(filter(None, more)),
        "address": reverse("studio:protect", args=[draft.survey.pk]),
    }


def _promise(draft: Draft) -> Context:
    try:
        design = compose_design(draft)
    except InputError as error:
        return {"refused": why_not(draft, error)}
    with_open = any(question.block is None for question in draft.questions)
    return {
        "sentences": sentences(design, draft.document),
        "promised": promise_in_chances(design, draft.document),
        "covered": promise_scope(design, with_open),
    }


def _missing(draft: Draft) -> Context:
    remarks = list(missing_of(draft))
    more = len(remarks) - MOST_MISSING
    return {"missing": remarks[:MOST_MISSING], "more": max(more, 0), "survey": draft.survey}


def _alternatives(draft: Draft) -> Context:
    address = reverse("studio:alternatives", args=[draft.survey.pk])
    return {"address": address, "key": alternatives.key(draft.document)}


def _works(draft: Draft) -> Context:
    """What would work, where nobody should run the survey as it is."""
    judged = judge_or_none(draft.survey, draft.document)
    if not judged or not judged.stop:
        return {}
    here = _alternatives(draft)
    return {"address": f"{here['address']}?works", "key": f"works-{here['key']}"}


LATER = "studio/panels/later.html"
PANELS = [
    Pane("pledge", "write", "studio/panels/pledge.html", _pledge),
    Pane("missing", "write", "studio/panels/missing.html", _missing),
    Pane("verdict", "protect", "studio/panels/verdict.html", verdict.context),
    Pane("works", "protect", LATER, _works),
    Pane("wanted", "protect", "studio/panels/wanted.html", protection.questions_context),
    Pane("guess", "protect", "studio/panels/guess.html", protection.guess_context, _("Your guess")),
    Pane(
        "forecast",
        "protect",
        "studio/panels/forecast.html",
        protection.forecast_context,
        _("How answers are disguised"),
    ),
    Pane("alternatives", "protect", LATER, _alternatives, _("Other plans, and what each costs")),
    Pane("promise", "protect", "studio/panels/promise.html", _promise, _("What respondents read")),
]
LAST = [
    Pane("experts", "protect", "studio/panels/experts.html", experts.context, _("For experts: γ, ε and the blocks"))
]


def render_panels(draft: Draft, step: str, *, writes: bool = True) -> dict[str, RenderedPane]:
    """Each panel of a page as it is now, by its name; who may not write reads it."""
    return {
        panel.name: RenderedPane(
            panel.name, panel.title, render_to_string(panel.template, panel.context(draft) | {"writes": writes})
        )
        for panel in [*PANELS, *staff_part.panels(), *LAST]
        if panel.step == step
    }


def changes_of_panels(
    draft: Draft, step: str, have: Mapping[str, str], more: Mapping[str, RenderedPane]
) -> dict[str, dict[str, str]]:
    """The panels, and those in `more`, whose marks are others than the page has: each with its new mark and HTML."""
    return {
        name: {"hash": panel.mark, "html": panel.html}
        for name, panel in {**render_panels(draft, step), **more}.items()
        if have.get(f"panel.{name}") != panel.mark
    }
