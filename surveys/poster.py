"""A survey's poster: its title, who asks, and its link as a QR code. Other sites may embed it; it runs no script."""

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from surveys.domain.questionnaire.closing import is_closed
from surveys.domain.questionnaire.versions import link
from surveys.models import SurveyVersion
from surveys.reach import warning

_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors *"


@csrf_exempt
@require_safe
@xframe_options_exempt
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """The poster of the newest version; once the survey is closed it shows no link.

    A survey by invitation has no poster, because its link alone lets nobody in.
    """
    published = SurveyVersion.objects.filter(survey__slug=slug, survey__rehearses=None)
    version = published.select_related("survey").order_by("-number").first()
    if version is None or version.parsed.access != "open":
        raise Http404
    source = version.parsed.source
    page = request.build_absolute_uri(f"/s/{slug}/")
    texts = [{"language": tag, "title": source["title"][tag], "who": source["who"][tag]} for tag in source["languages"]]
    drawing = "" if is_closed(version.survey) else qr_code(link(page, version))
    response = render(
        request,
        "surveys/poster.html",
        {"texts": texts, "page": page, "code": drawing, "mark": version.sha256[:8]}
        | {"warning": drawing and warning(request)},
    )
    response["Content-Security-Policy"] = _POLICY
    response["X-Robots-Tag"] = "noindex"
    return response


def qr_code(address: str) -> SafeString:
    """The address as a QR code. segno draws one path from numbers; no text is part of it."""
    code = segno.make(address, error="m")
    return mark_safe(code.svg_inline(border=2, omitsize=True, svgclass="code", lineclass="dots"))
