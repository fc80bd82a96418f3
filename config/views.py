"""The front page, and the page that is shown after an error of the program."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error as error_page

from config.middleware import busy_response, is_busy
from surveys.models import SurveyVersion


def home(request: HttpRequest) -> HttpResponse:
    """The front page, with a link to the demo. The link holds the hash with which the page checks the questionnaire."""
    demo = SurveyVersion.objects.filter(survey__slug="demo", survey__simulated=True).last()
    return render(request, "home.html", {"demo": demo and f"/s/demo/#v={demo.sha256}"})


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 also if the database was busy outside a view, for example when a session could not be stored."""
    return busy_response(request) if is_busy(sys.exc_info()[1]) else error_page(request)
