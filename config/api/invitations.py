"""Operations on invitations: their batches, and the links of each, once."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponse, JsonResponse

from config.api import paging
from config.api.address import PUBLISH, SURVEY, find_survey
from config.api.operation import Call, Operations, QueryParameter, Reply, Schema
from config.api.problems import Problem
from config.api.schemas import LINE, reference_to
from surveys.domain.messages import invite
from surveys.domain.people.log import note_down
from surveys.domain.questionnaire.versions import link
from surveys.models import Invitation, InvitationBatch, Survey
from surveys.reach import is_local

operations = Operations("invitations")
BATCH: Schema = {
    "type": "object",
    "required": ["label", "count"],
    "properties": {
        "label": {"type": "string", "pattern": LINE, "minLength": 1, "maxLength": 100},
        "count": {"type": "integer", "minimum": 1, "maximum": 100_000},
    },
    "additionalProperties": False,
}


@operations.declare(f"GET {SURVEY}/invitations", "write", PUBLISH, paging.answer("Batch", "a page of batches"))
def list_batches(call: Call) -> HttpResponse:
    """The batches of invitations."""
    return paging.page_of_rows(call, _batches(find_survey(call)), _batch)


@operations.declare(
    f"POST {SURVEY}/invitations",
    "write",
    PUBLISH,
    {201: Reply("the batch", reference_to("Batch"))},
    body=BATCH,
    refusals={409: "the survey is not by invitation, or closed, or its version has ended"},
)
def add_batch(call: Call) -> HttpResponse:
    """A new batch of invitations."""
    survey = find_survey(call)
    batch = invite.add_batch(survey, call.body["label"], call.body["count"])
    note_down(survey, call.user, "Invitations “%(label)s”: %(count)s.", label=batch.label, count=batch.count)
    return JsonResponse(_batch(_batches(survey).get(pk=batch.pk)), status=201)


@operations.declare(
    f"POST {SURVEY}/invitations/{{batch}}/links",
    "write",
    PUBLISH,
    {201: Reply("the links", reference_to("Links"))},
    query=(QueryParameter("anyway", {"type": "string", "enum": ["yes"]}, "also where only this computer opens them"),),
    refusals={409: "the links were already given out, or begin with an address that only this computer opens"},
)
def draw_links(call: Call) -> HttpResponse:
    """The links of a batch, once: only hashes are kept."""
    survey = find_survey(call)
    batch = survey.invitation_batches.filter(pk=call.path["batch"]).first()
    newest = survey.versions.last()
    if batch is None or newest is None:
        raise Problem(404, "This survey has no batch with this number.")
    address = link(call.request.build_absolute_uri(), newest)
    if is_local(call.request) and not call.query["anyway"]:
        raise Problem(
            409,
            f"These links would begin with {call.request.get_host()}, which only this computer opens: call the address "
            "that people will use, or add anyway=yes.",
        )
    drawn = invite.draw(batch)
    links = [f"{address}&i={secret}" for secret in drawn]
    return JsonResponse({"links": links}, status=201)


def _batches(survey: Survey) -> Any:
    return survey.invitation_batches.annotate(drawn=Exists(Invitation.objects.filter(batch=OuterRef("pk"))))


def _batch(row: InvitationBatch) -> dict[str, Any]:
    figures = {name: getattr(row, name) for name in ("label", "count", "created_on", "drawn")}
    return {"id": row.pk, **figures}
