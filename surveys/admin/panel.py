"""What the page of a survey says beside its forms: protection, what is missing, what is published and sealed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.domain.check import missing, why_not
from surveys.domain.promise import figure, percent, promised
from surveys.domain.protection import LONGEST, Part, Protection, frozen, protection
from surveys.domain.publish import is_closed, is_early
from surveys.domain.snapshots import latest
from surveys.domain.write import Draft, compose, compose_design, override, page_entries
from surveys.models import Survey, SurveyVersion
from surveys.questions import TYPES

ROUGH = 0.1  # a standard error above it: an interval wider than a third of all that a share can be


@dataclass(frozen=True)
class Row:
    """One line of the table of protection, as it is shown."""

    name: str
    asked: str
    gamma: str
    epsilon: str
    posterior: str
    errors: list[str]


def panel(survey: Survey) -> dict[str, Any]:
    """The context of templates/admin/surveys/panel.html."""
    draft = Draft.stored(survey)
    version = survey.versions.last()
    absent = missing(draft)
    return {
        **protection_context(draft),
        "missing": absent,
        "version": version,
        "unchanged": bool(version and not absent and is_published(survey, version)),
        "state": state(survey, version is not None),
        "closed": is_closed(survey),
        "frozen": survey.closed_at is not None,
        "snapshot": latest(survey),
    }


def protection_context(draft: Draft) -> dict[str, Any]:
    """The context of templates/admin/surveys/protection.html; `refused` says why there is none."""
    try:
        found = protection(draft)
    except InputError as error:
        return {"refused": why_not(draft, error)}
    return _shown(found)


def _shown(found: Protection) -> dict[str, Any]:
    blocks = found.blocks if len(found.blocks) > 1 else ()
    return {
        "promise": promise(found),
        "rough": rough(found),
        "dash": any(math.isinf(error) for part in (found.whole, *blocks) for error in part.errors),
        "blank": any(len(part.errors) < LONGEST for part in (found.whole, *blocks)),
        "rows": [_row(_("The whole record"), found.whole), *(_row(part.name, part) for part in blocks)],
        "respondents": found.respondents,
        "over_limit": found.over_limit,
        "limit": f"{found.limit:g}",
    }


def frozen_context(version: SurveyVersion) -> dict[str, Any]:
    """The same for a published version, whose blocks have no names any more, and which no advice can change."""
    return _shown(frozen(version.design, version.survey.expected)) | {"frozen": True}


def promise(found: Protection) -> str:
    """The sentence that respondents are told, with its numbers."""
    return promised(found.whole.guarantee)


def rough(found: Protection) -> str:
    """A warning where an expected error leaves an estimate that says next to nothing, or nothing."""
    kinds = (_("one answer"), _("a pair"), _("a triple"))
    wide = [
        f"{kind} ±{error:.2g}"
        for kind, error in zip(kinds, found.whole.errors, strict=False)
        if ROUGH < error < math.inf
    ]
    if not wide:
        return ""
    return _(
        "Too rough to tell much: %(errors)s, where a share lies between 0 and 1. More respondents, fewer questions in "
        "a block, asking only some of them, or flips make it more exact."
    ) % {"errors": _(", ").join(wide)}


def summary(found: Protection) -> str:
    """The sentence first: the admin capitalises the beginning of a message, and a capital Γ is another quantity."""
    row = _row("", found.whole)
    return f"{promise(found)} γ = {row.gamma}, ε = {row.epsilon}."


def is_published(survey: Survey, version: SurveyVersion) -> bool:
    """Whether the draft is, word for word, what respondents are served."""
    return sha256(compose(survey).to_bytes()).hexdigest() == version.sha256


def state(survey: Survey, published: bool) -> str:
    if not published:
        return _("draft")
    if survey.erasing_since:
        return _("closed, and not erased yet")
    if is_closed(survey):
        return _("closed")
    return _("not open yet") if is_early(survey) else _("open")


def drafted(draft: Draft) -> dict[str, Any]:
    """A draft in the shape of a definition, as far as it goes."""
    signed = None
    with suppress(InputError):  # a design that is not whole yet has no figure to sign for
        signed = override(draft.survey, compose_design(draft))
    return {
        "languages": draft.survey.language_tags,
        "override": signed,
        "title": draft.survey.heading,
        **{name: getattr(draft.survey, name) for name in ("who", "why", "consent", "closing", "closed")},
        "pages": page_entries(draft),
    }


def questionnaire(definition: dict[str, Any]) -> dict[str, Any]:
    """The context of templates/admin/surveys/questionnaire.html."""
    texts = [
        (_("Title"), definition["title"]),
        (_("Who asks"), definition["who"]),
        (_("Why"), definition["why"]),
        (_("Consent"), definition["consent"]),
        (_("Thanks"), definition["closing"]),
        (_("Once it is closed"), definition.get("closed") or {}),
    ]
    languages = definition["languages"]
    return {
        "texts": [(name, _in_order(words, languages)) for name, words in texts if any(words.values())],
        "override": definition.get("override"),
        "pages": [
            {
                "number": page.get("number", place),
                "title": _in_order(page.get("title"), languages),
                "questions": [_readable(question, languages) for question in page["questions"]],
            }
            for place, page in enumerate(definition["pages"], 1)
        ],
    }


def _in_order(words: dict[str, str] | None, languages: list[str]) -> dict[str, str]:
    """The main language first; a definition is stored with its keys sorted."""
    return {tag: words[tag] for tag in languages if tag in words} if words else {}


def _readable(question: dict[str, Any], languages: list[str]) -> dict[str, Any]:
    rows = [(option["value"], option["label"], "last" in option) for option in question.get("options", ())]
    rows += [(item["id"], item["label"], False) for item in question.get("items", ())]
    return {
        "id": question["id"],
        "text": _in_order(question["text"], languages),
        "help": _in_order(question.get("help"), languages),
        "marks": _(", ").join(_marks(question)),
        "ends": {end: _in_order(words, languages) for end, words in question.get("ends", {}).items()},
        "options": [(value, _in_order(label, languages), last) for value, label, last in rows],
    }


def _marks(question: dict[str, Any]) -> Iterator[str]:
    """What holds for the question beside its words."""
    own = TYPES[question["type"]]
    yield str(own.label)
    if question["sensitive"]:
        yield _("disguised")
    if question.get("required"):
        yield _("required")
    if limits := own.limits(question):
        yield limits
    if question.get("shuffle"):
        yield _("options in random order")
    if when := question.get("when"):
        yield _("only when %(question)s = %(values)s") % {
            "question": when["question"],
            "values": _(" or ").join(f"“{value}”" for value in when["is"]),
        }


def links(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    """The context of templates/admin/surveys/link.html: a link and a poster only where they let anybody in."""
    survey = version.survey
    if is_closed(survey):
        return {"nobody": _("The survey is closed: its links let nobody in any more.")}
    if version != survey.versions.last():
        return {"nobody": _("A newer version took its place: its links let nobody in any more.")}
    if version.parsed.access != "open":
        return {"nobody": _("Only who is invited can answer: every invitation has a link of its own.")}
    return {"link": link(request, version), "poster": reverse("poster", args=[survey.slug])}


def link(request: HttpRequest, version: SurveyVersion) -> str:
    """The address with the check mark of the version."""
    return request.build_absolute_uri(reverse("survey", args=[version.survey.slug])) + f"#v={version.sha256}"


def _row(name: str, part: Part) -> Row:
    asked = str(part.items) if part.asked == part.items else _("%s of %s") % (part.asked, part.items)
    errors = ["—" if math.isinf(error) else f"±{error:.2g}" for error in part.errors]
    return Row(
        name,
        asked,
        figure(part.guarantee.gamma),
        figure(part.guarantee.epsilon),
        f"{percent(part.guarantee.posterior)} %",
        errors + [""] * (LONGEST - len(errors)),
    )
