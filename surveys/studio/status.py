"""Where a survey stands, whether its draft is what was published, and how respondents reach it."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.domain.questionnaire.closing import is_closed, is_early
from surveys.domain.questionnaire.link import link
from surveys.models import Survey, SurveyVersion


def state(survey: Survey, versions: int) -> str:
    """Where a survey with so many published versions stands."""
    if not versions:
        return _("draft")
    if survey.erasing_since:
        return _("closed, and not erased yet")
    if is_closed(survey):
        return _("closed")
    if survey.has_ended(versions):
        return _("between two versions")
    return _("not collecting yet") if is_early(survey) else _("collecting")


def links(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    """A link to the newest version and a poster, if they let anybody in; else the sentence that says why not."""
    survey = version.survey
    if is_closed(survey):
        return {"nobody": _("The survey is closed: its links no longer work.")}
    if survey.has_ended(version.number):
        return {"nobody": _("Version %(number)s takes no more answers.") % {"number": version.number}}
    if version.parsed.access != "open":
        return {"nobody": _("Only invited people can answer: every invitation has its own link.")}
    return {"link": link(request.build_absolute_uri(), version), "poster": reverse("poster", args=[survey.slug])}
