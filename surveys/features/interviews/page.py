"""What tablets ask the site for, beside their page: until when they may send, and parcels."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from surveys.api import check_inbox, endpoint, read_body, taking
from surveys.domain.questionnaire.versions import get_public_survey
from surveys.domain.responses.receive import check_time
from surveys.features.interviews.parcels import receive_parcel


@endpoint("GET")
def tablets(_request: HttpRequest, slug: str) -> HttpResponse:
    """Say until when tablets may send interviews of this survey, and whether they may still begin any."""
    survey = get_public_survey(slug)
    check_time(survey, tablet=True)
    until = survey.closes_at and survey.closes_at.isoformat()
    return JsonResponse({"until": until, "asks": survey.tablets_alone_since is None})


@taking
def parcels(request: HttpRequest, slug: str) -> tuple[HttpResponse, bool]:
    check_inbox()
    stored = receive_parcel(get_public_survey(slug), read_body(request))
    return JsonResponse({"stored": stored}, status=201 if stored else 200), stored > 0
