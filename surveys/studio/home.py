"""The start page: my surveys, each with its state and next step; new ones from nothing, a template or a copy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count as count_up
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import get_language, gettext as _

from privacy.errors import InputError
from surveys.access import staff_only, studio
from surveys.domain.drafts import history
from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.drafts.names import free_short_name
from surveys.domain.drafts.protect import usual
from surveys.domain.people.roles import MAY, Action, Role, everywhere, give, may_begin, surveys_of
from surveys.domain.questionnaire.closing import is_early, is_over
from surveys.domain.questionnaire.document import Document, Draft, empty, read_document, upgrade
from surveys.domain.questionnaire.media import copy_media
from surveys.domain.questionnaire.publish import draft_of_version
from surveys.domain.responses import counts
from surveys.features import invited_by, let_in_by
from surveys.lists import page_of
from surveys.models import Survey, SurveyVersion
from surveys.sentences import sentence_of
from surveys.studio import rail
from surveys.studio.checklist import missing_of

ROWS = 12  # surveys on a page
FACES = 3  # people shown of each


@dataclass(frozen=True)
class SurveyTask:
    """A survey on the start page: where it stands, and what to do next."""

    survey: Survey
    state: str
    mood: str  # the class of the state's chip: on, warn or nothing
    facts: list[str]
    verb: str
    address: str

    @property
    def people(self) -> list[User]:
        return [membership.user for membership in self.survey.memberships.all()]


@staff_only()
def home(request: HttpRequest) -> HttpResponse:
    sought = request.GET.get("q", "").strip()
    seen = surveys_of(request.user, Action.SEE)
    found = seen.filter(Q(title__icontains=sought) | Q(slug__icontains=sought)) if sought else seen
    page = page_of(request, _surveys(found), ROWS)
    newest = counts.newest(*page)
    tasks = [
        _task(survey, _rights(request.user, survey), [row for row in newest if row.version.survey_id == survey.pk])
        for survey in page
    ]
    context = {
        "tasks": tasks,
        "everybody": [person for task in tasks for person in task.people],
        "page": page,
        "sought": sought,
        "faces": FACES,
        "may_begin": may_begin(request.user),
        "to_enter": surveys_of(request.user, Action.ENTER).exclude(pk__in=seen.values("pk")).order_by("-pk"),
        "to_ask": surveys_of(request.user, Action.INTERVIEW).exclude(pk__in=seen.values("pk")).order_by("-pk"),
        "beginnings": [(name, each.title(get_language() or "en"), each) for name, each in BEGINNINGS.items()],
    }
    return render(request, "studio/home.html", context)


def _surveys(surveys: QuerySet[Survey]) -> QuerySet[Survey]:
    """Fetch all that the list shows, in a fixed number of queries."""
    return (
        surveys.annotate(published=Count("versions", distinct=True))
        .select_related("draft")
        .prefetch_related("memberships__user", "versions")
        .order_by(F("closed_at").desc(nulls_first=True), "-pk")
    )


def _rights(user: Any, survey: Survey) -> set[Action]:
    """What the person may do with a survey whose people were read with it."""
    own = next((one.role for one in survey.memberships.all() if one.user_id == user.pk and user.is_active), None)
    return {action for action in Action if everywhere(user, action)} | (MAY[own] if own else set())


def _task(survey: Any, may: set[Action], newest: Sequence[Any]) -> SurveyTask:
    write, publish, fieldwork = (
        reverse(f"studio:{name}", args=[survey.pk]) for name in ("write", "publish", "fieldwork")
    )
    if not survey.published:
        kept = getattr(survey, "draft", None)
        saved = kept and kept.changed_at and timesince(kept.changed_at, depth=1)
        changed = [_("saved %(time)s ago") % {"time": saved}] if saved else []
        draft = Draft.from_document(survey, upgrade(kept.document)) if kept else Draft.load(survey)
        missing = [remark.sentence for remark in missing_of(draft, stored=False)]
        wanted = missing if draft.questions else [_("Write the first question.")]
        facts = [*changed, *(wanted[:1] or [_("Nothing is missing: try it, then publish it.")])]
        if wanted or Action.PUBLISH not in may:
            verb = _("Go on writing") if Action.WRITE in may else _("Read it")
            return SurveyTask(survey, _("draft"), "", facts, verb, write)
        return SurveyTask(survey, _("to publish"), "warn", facts, _("Check and publish"), publish)
    sealed = counts.total(newest)
    answers = [sealed.answers] if sealed else []
    leads = _("Look at the field"), fieldwork
    if any(map(rail.can_read, newest[-1:])):
        leads = _("Read the report"), reverse("studio:results", args=[newest[-1].version_id])
    if is_over(survey):
        nobody = _("Nobody has answered.") if survey.closed_at else _("The last answers are sealed after an hour.")
        return SurveyTask(survey, _("closed"), "", answers or [nobody], *leads)
    if survey.has_ended(survey.published):
        ended = [*answers, _("The last version has ended; the next one may follow.")]
        return SurveyTask(survey, _("between two versions"), "", ended, _("Look at the field"), fieldwork)
    if is_early(survey):
        opens = [_("It opens at its date.")]
        return SurveyTask(survey, _("not open yet"), "", opens, _("Look at the field"), fieldwork)
    ends = [_("closes in %(time)s") % {"time": timeuntil(survey.closes_at)}] if survey.closes_at else []
    reach = [_reach(survey)] if leads[1] == fieldwork else []
    return SurveyTask(survey, _("collecting"), "on", [*answers, *ends, *reach], *leads)


def _reach(survey: Survey) -> str:
    """How people come to a survey that collects."""
    if survey.access == Survey.Access.OPEN:
        return _("Hand out the link.")
    document = survey.draft.document if hasattr(survey, "draft") else {"access": survey.access}
    if first := invited_by(document):
        return _("Invitations to “%(first)s” let people in: make them there.") % {"first": first}
    if let_in_by(document):
        return _("The provider's numbers let people in: give the provider its link.")
    return _("Send the invitations.")


@staff_only("POST")
def new(request: HttpRequest) -> HttpResponse:
    """Begin a survey, empty or from a template; the person who begins it owns it."""
    if not may_begin(request.user):
        raise PermissionDenied
    title = " ".join(request.POST.get("title", "").split())[:200]
    name = request.POST.get("beginning", "")
    if name and name not in BEGINNINGS:
        messages.error(request, _("There is no such template."))
        return redirect("studio:home")
    language = get_language() or "en"
    if name:
        document = beginning(name, title or _free_title(request.user, BEGINNINGS[name].title(language)), language)
    else:
        document = empty(title or _free_title(request.user, _("New survey")), [language]) | {"protection": usual()}
    return _begin(request, document)


def version_of(survey: Survey, number: str) -> SurveyVersion | None:
    """The version with this number, which is in the address as `of`; None for "draft"; a 404 if there is none."""
    if number == "draft":
        return None
    version = survey.versions.filter(number=int(number)).first() if re.fullmatch("[0-9]{1,9}", number) else None
    if version is None:
        raise Http404
    return version


def document_of(survey: Survey, version: SurveyVersion | None) -> Document | None:
    """The draft, or what the version was published from; None where that was not kept."""
    return read_document(survey) if version is None else draft_of_version(version)


@studio(Action.SEE, "POST")
def copy(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Begin another survey with the content of this one or of a version: a copy, or the next round of an ended one."""
    if not may_begin(request.user):
        raise PermissionDenied
    document = document_of(survey, version_of(survey, request.GET.get("of", "draft")))
    if document is None:
        raise Http404
    title = _("%(title)s, next round") if request.POST.get("round") == "next" else _("Copy of %(title)s")
    title = _free_title(request.user, title % {"title": survey.title})
    return _begin(request, history.copy_document(document, title), survey)


@transaction.atomic
def begin(user: Any, document: Document, of: Survey | None = None) -> Survey:
    """A new survey with this content, owned by the person who begins it."""
    survey = Survey.objects.create(slug=free_short_name(document), title=document["title"])
    history.begin(survey, document)
    give(survey, user, Role.OWNER)
    if of is not None:
        copy_media(of, survey, document)
    return survey


def _free_title(user: Any, title: str) -> str:
    """A title that this site proposes, with a number where the person sees a survey that is called so."""
    taken = set(surveys_of(user, Action.SEE).values_list("title", flat=True))
    numbered = (f"{title[:190]} {number}" for number in count_up(2))
    return next(one for one in chain([title[:200]], numbered) if one not in taken)


def _begin(request: HttpRequest, document: Document, of: Survey | None = None) -> HttpResponse:
    try:
        survey = begin(request.user, document, of)
    except InputError as error:
        messages.error(request, sentence_of(error))
        return redirect("studio:home")
    return redirect("studio:write", survey.pk)
