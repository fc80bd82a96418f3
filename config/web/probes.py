"""What machines ask: does this process serve, is the site ready, how is it.

Answered before anything looks at the name under which the site was called, because a load balancer calls a machine by
its address, and without HTTPS, sessions or languages.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare

from config.run import state
from config.web.middleware import GetResponse


def answer_probes(get_response: GetResponse) -> GetResponse:
    probes = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = probes.get(request.path_info)
        if probe is None or request.method not in ("GET", "HEAD"):
            return get_response(request)
        answer = probe(request)
        answer["Cache-Control"] = "no-store"
        return answer

    return middleware


def healthz(_request: HttpRequest) -> HttpResponse:
    """This process answers; it asks nothing of the database, so that a slow one gets no web server killed."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(_request: HttpRequest) -> HttpResponse:
    """Whether visitors may be sent here; without a broker they may (nothing is lost, and nobody is turned away)."""
    readiness = state.readiness()
    said = {name: value for name, value in vars(readiness).items() if value is not None}  # there may be no pool
    return JsonResponse({"ready": readiness.ready, **said}, status=200 if readiness.ready else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """The figures for Prometheus, if it sends METRICS_TOKEN; to others, or where none is set, there is nothing here."""
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse("There is nothing at this address.\n", status=404, content_type="text/plain")
    return HttpResponse(state.metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")
