"""A survey's poster: its title, who asks, and its link as a QR code. Other sites may embed it; it runs no script."""

from __future__ import annotations

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from surveys.domain.questionnaire.publish import is_closed
from surveys.models import SurveyVersion

_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors *"


@csrf_exempt
@require_safe
@xframe_options_exempt
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """The poster of the newest version; once the survey is closed it shows no link.

    A survey by invitation has no poster, because its link alone lets nobody in.
    """
    version = SurveyVersion.objects.filter(survey__slug=slug).select_related("survey").order_by("-number").first()
    if version is None or version.parsed.access != "open":
        raise Http404
    source = version.parsed.source
    page = request.build_absolute_uri(f"/s/{slug}/")
    code = segno.make(f"{page}#v={version.sha256}", error="m")
    texts = [{"language": tag, "title": source["title"][tag], "who": source["who"][tag]} for tag in source["languages"]]
    # segno draws one path from numbers; no text of the survey is part of it.
    drawing = (
        ""
        if is_closed(version.survey)
        else mark_safe(code.svg_inline(border=2, omitsize=True, svgclass="code", lineclass="dots"))
    )
    response = render(
        request, "surveys/poster.html", {"texts": texts, "page": page, "code": drawing, "mark": version.sha256[:8]}
    )
    response["Content-Security-Policy"] = _POLICY
    response["X-Robots-Tag"] = "noindex"
    return response
