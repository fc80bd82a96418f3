"""The respondent's page inside pages of other sites. It reads the survey, but neither the person nor a cookie."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from surveys.domain.database.busy import reconnecting
from surveys.domain.page import bundle
from surveys.domain.questionnaire.versions import newest, parse_version
from surveys.features import frames
from surveys.models import SurveyVersion
from surveys.page import answer


@csrf_exempt
@require_safe
@xframe_options_exempt
def page_in_frame(request: HttpRequest, slug: str) -> HttpResponse:
    """The same bytes for pages of the sites that the newest version names; where it names none there is nothing."""
    try:
        sites = reconnecting(lambda: frames.sites(parse_version(newest(slug).sha256).source))
    except SurveyVersion.DoesNotExist:
        sites = ()
    if not sites:
        raise Http404
    return answer(request, bundle.PAGE, bundle.headers_of_frame(sites))
