"""Refusals of the API, as RFC 9457 has them: one sentence that names the value and the rule."""

from typing import Any

from django.http import JsonResponse

from config.web.phrases import phrase

CONTENT_TYPE = "application/problem+json"


class Problem(Exception):  # noqa: N818 — its name in RFC 9457
    """A request that is not done; `at` names the field or parameter that it is about, `seconds` how long to wait."""

    def __init__(self, status: int, detail: str, at: str = "", seconds: int = 0) -> None:
        super().__init__(detail)
        self.status, self.detail, self.at, self.seconds = status, detail, at, seconds


def response_of(problem: Problem) -> JsonResponse:
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": phrase(problem.status),
        "status": problem.status,
        "detail": problem.detail,
    }
    if problem.at:
        content["at"] = problem.at
    headers = {"Retry-After": str(problem.seconds)} if problem.seconds else {}
    return JsonResponse(content, status=problem.status, content_type=CONTENT_TYPE, headers=headers)
