"""The front page, and the page for mistakes of ours."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error as mistake

from config.middleware import busy_response, is_busy
from surveys.models import SurveyVersion


def home(request: HttpRequest) -> HttpResponse:
    """The way to the demo, whose link carries the hash by which the respondent's page checks what it is served."""
    demo = SurveyVersion.objects.filter(survey__slug="demo", survey__simulated=True).last()
    return render(request, "home.html", {"demo": demo and f"/s/demo/#v={demo.sha256}"})


def server_error(request: HttpRequest) -> HttpResponse:
    """A busy database met outside a view (a session that could not be kept) is a 503 too."""
    return busy_response(request) if is_busy(sys.exc_info()[1]) else mistake(request)
