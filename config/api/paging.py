"""Cut lists into pages by the key of their last row, so that growing lists repeat and lose nothing."""

from collections.abc import Callable
from typing import Any

from django.db.models import Model, QuerySet
from django.http import JsonResponse

from config.api.operation import Call, QueryParameter, Reply
from config.api.schemas import array_of, record, reference_to

PARAMETERS = (
    QueryParameter("after", {"type": "integer", "minimum": 0, "maximum": 10**15}, "the `next` of the page before"),
    QueryParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}, "how many entries, 20 if not given"
    ),
)


def answer(name: str, about: str) -> Reply:
    """The reply of an operation that lists entries of the schema with this name, a page at a time."""
    return Reply(
        about, record(items=array_of(reference_to(name)), next={"type": ["integer", "null"]}), query=PARAMETERS
    )


def page_of_rows(call: Call, rows: QuerySet[Any], as_json: Callable[[Any], dict[str, Any]]) -> JsonResponse:
    """A page of rows by rising key; `next` is null on the last one."""
    limit: int = call.query["limit"]
    if call.query["after"] is not None:
        rows = rows.filter(pk__gt=call.query["after"])
    page: list[Model] = list(rows.order_by("pk")[: limit + 1])
    following = page[limit - 1].pk if len(page) > limit else None
    response = JsonResponse({"items": [as_json(row) for row in page[:limit]], "next": following})
    if following is not None:
        query = call.request.GET.copy()
        query["after"] = str(following)
        response["Link"] = f'<{call.request.build_absolute_uri(call.request.path)}?{query.urlencode()}>; rel="next"'
    return response
