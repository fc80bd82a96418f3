"""What stands beside the questionnaire while it is written. Whoever has something to say there adds a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from privacy.errors import InputError
from surveys.domain.questionnaire.check import missing, unreasoned, why_not
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.promise import covered, promised, sentences
from surveys.studio import experts, protection, trusted
from surveys.studio.shown import mark

Context = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    """`context` is worked out after every change; `template` shows it."""

    name: str
    title: Any  # a lazy translation
    template: str
    context: Callable[[Draft], Context]
    is_open: bool = True


def _promise(draft: Draft) -> Context:
    try:
        design = compose_design(draft)
    except InputError as error:
        return {"refused": why_not(draft, error)}
    with_open = any(question.block is None for question in draft.questions)
    return {"sentences": sentences(design), "promised": promised(design), "covered": covered(design, with_open)}


def _missing(draft: Draft) -> Context:
    return {"missing": [*missing(draft), *filter(None, [unreasoned(draft)])]}


def _alternatives(draft: Draft) -> Context:
    address = reverse("studio:alternatives", args=[draft.survey.pk])
    return {"address": address, "key": protection.key(draft.document)}


def _trusted(draft: Draft) -> Context:
    return {"address": reverse("studio:trusted", args=[draft.survey.pk]), "key": trusted.key(draft)}


LATER = "studio/panels/later.html"
PANELS = [
    Panel("wanted", _("Three questions"), "studio/panels/wanted.html", protection.questions_context),
    Panel("told", _("What you will be able to learn"), "studio/panels/told.html", protection.forecast_context),
    Panel("promise", _("What people are promised"), "studio/panels/promise.html", _promise),
    Panel("alternatives", _("Alternatives"), LATER, _alternatives),
    Panel("experts", _("Experts"), "studio/panels/experts.html", experts.context, is_open=False),
    Panel("trusted", _("How far figures can be trusted"), LATER, _trusted, is_open=False),
    Panel("missing", _("Before it can be published"), "studio/panels/missing.html", _missing),
]


def rendered(draft: Draft) -> dict[str, SafeString]:
    """Each panel as it is now, by its name."""
    return {panel.name: render_to_string(panel.template, panel.context(draft)) for panel in PANELS}


def changed(draft: Draft, have: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The panels that are others than those whose marks the page has, each with its mark."""
    now = {name: {"hash": mark(html), "html": html} for name, html in rendered(draft).items()}
    return {name: own for name, own in now.items() if have.get(f"panel.{name}") != own["hash"]}
