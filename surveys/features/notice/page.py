"""The page of the privacy notice: the survey's own words beside what the system stores. It runs no script."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import formats, translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from surveys.definition import Definition
from surveys.domain.questionnaire.versions import get_public_survey
from surveys.features.notice import NOTICE
from surveys.models import Survey, Trial
from surveys.questions.rows import READY, spoken_tag

_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"


@csrf_exempt
@require_safe
def notice(request: HttpRequest, slug: str = "", code: str = "") -> HttpResponse:
    """The notice of the newest version, or of a trial, in all its languages, also when the survey is closed."""
    version: Any = get_object_or_404(Trial, code=code) if code else get_public_survey(slug).versions.latest("number")
    if "notice" not in version.parsed.source:
        raise Http404
    texts = [_in_language(version.survey, version.parsed, tag) for tag in version.parsed.source["languages"]]
    response = render(request, "surveys/notice.html", {"texts": texts})
    response["Content-Security-Policy"] = _POLICY
    response["X-Robots-Tag"] = "noindex"
    return response


def _in_language(survey: Survey, definition: Definition, tag: str) -> dict[str, Any]:
    """The title and the parts of the notice: the heading of each, its text, and whether we wrote the text."""
    source, ours = definition.source, spoken_tag(tag) or "en"
    texts = source["notice"]

    def say(name: str) -> str:
        return READY[f"notice-{name}"][ours]

    with translation.override(ours):
        day = formats.date_format(survey.keep_until, "DATE_FORMAT") if survey.keep_until else ""
    stored = [say("answers"), say("until").format(day=day) if day else say("undated"), say("network")]
    rights = [say("rights"), say("sent-text" if definition.has_texts else "sent")]
    if definition.access == "invitation":
        stored.append(say("address"))
        rights.append(say("mailed"))
    parts = {name: (texts[name][tag], tag) for name in NOTICE if name in texts}
    parts |= {"stored": ("\n".join(stored), ours), "yours": ("\n".join(rights), ours)}
    order = ("controller", "officer", "basis", "stored", "obtained", "yours", "objection")
    rows = [(say(name), *parts[name]) for name in order if name in parts]
    return {"tag": tag, "ours": ours, "title": source["title"][tag], "heading": say("title"), "rows": rows}
