"""The baseline of bench_submit: a bare Django view that inserts one row, behind the same middleware and server."""

# ruff: noqa: E402 - the settings must be read before models are imported
import os

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

from django.conf import settings

settings.ROOT_URLCONF = "benchmarks.submit_bare"

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from surveys.models import Inbox, SealingRound, SurveyVersion


@csrf_exempt
def insert(request: HttpRequest) -> JsonResponse:
    Inbox(key=os.urandom(16), version_id=VERSION, round_id=ROUND, box=request.body[:BOX]).save(force_insert=True)
    return JsonResponse({"receipt": "0" * 64}, status=201)


VERSION = SurveyVersion.objects.values_list("pk", flat=True).get()
ROUND = SealingRound.objects.values_list("pk", flat=True).get(current=True)
BOX = 128  # about as long as the other view's
connection.close()  # the processes of the web server begin as copies of this one, and each opens its own
urlpatterns = [path("s/bench/responses", insert)]
