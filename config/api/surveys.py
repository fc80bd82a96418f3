"""Operations on surveys: their versions, invitations, figures and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, OuterRef
from django.http import FileResponse, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from config.api import paging
from config.api.operation import Answer, Call, Operation, Parameter
from config.api.problems import Problem
from config.api.schemas import LINE, TEXT, listed, named, record
from privacy.design.patterns import parse_pattern
from surveys.domain.drafts.document import read
from surveys.domain.exchange import natural
from surveys.domain.messages import invite
from surveys.domain.people.log import note
from surveys.domain.people.roles import Action, may, surveys_of
from surveys.domain.questionnaire import publish
from surveys.domain.results import disclosure, files
from surveys.models import Export, Invitation, InvitationBatch, Snapshot, Survey, SurveyVersion
from surveys.results import study_pack  # noqa: F401  adds itself to the files
from surveys.results.answers import answers
from surveys.results.report import data_of
from surveys.results.shares import reconstructed

SEE, PUBLISH, TAKE = (Action.SEE,), (Action.PUBLISH,), (Action.TAKE,)
SURVEY, VERSION = "/surveys/{survey}", "/surveys/{survey}/versions/{number}"
MOST_PATTERNS = 100


def find_survey(call: Call) -> Survey:
    """The survey of the address, with which the person may do what they want to; one that they may not see is none."""
    survey = Survey.objects.filter(slug=call.path["survey"], rehearses=None).first()
    if survey is None or not may(call.user, Action.SEE, survey):
        raise Problem(404, "There is no survey of this name.")
    check_rights(call, survey)
    return survey


def check_rights(call: Call, survey: Survey) -> None:
    for action in call.actions:
        if not may(call.user, action, survey):
            raise Problem(
                403, f"You may not do this with the survey {survey.slug}: it takes the right {action.value!r}."
            )


def find_version(call: Call) -> SurveyVersion:
    survey = find_survey(call)
    version = survey.versions.filter(number=call.path["number"]).first()
    if version is None:
        raise Problem(404, "This survey has no version of this number.")
    return version


def find_snapshot(call: Call) -> Snapshot:
    version = find_version(call)
    snapshot = version.snapshots.select_related("version__survey").last()
    if snapshot is None:
        raise Problem(409, "No response to this version is sealed yet.")
    return snapshot


def surveys(call: Call) -> HttpResponse:
    return paging.paged(call, surveys_of(call.user, Action.SEE).annotate(published=Count("versions")), _survey)


def survey(call: Call) -> HttpResponse:
    return JsonResponse(_survey(_counted(find_survey(call))))


def draft(call: Call) -> HttpResponse:
    return HttpResponse(natural.written(read(find_survey(call))), content_type="application/json")


def versions(call: Call) -> HttpResponse:
    rows = find_survey(call).versions.select_related("survey")
    return paging.paged(call, rows, lambda version: _published(call, version))


def version(call: Call) -> HttpResponse:
    return JsonResponse(_version(call, find_version(call)))


def publish_version(call: Call) -> HttpResponse:
    """Publish the draft; a reason signs the override in the person's name, as on the page."""
    found = find_survey(call)
    with transaction.atomic():
        if reason := call.body.get("override_reason"):
            found.override_by, found.override_reason = str(call.user), reason
            found.save(update_fields=["override_by", "override_reason"])
        published = publish.publish(found)
        note(found, call.user, _("Version %(number)s is published.") % {"number": published.number})
    return JsonResponse(_version(call, published), status=201)


def close(call: Call) -> HttpResponse:
    found = find_survey(call)
    publish.close(found)
    note(found, call.user, _("The survey is closed. What is still waiting is sealed within a minute."))
    return JsonResponse(_survey(_counted(found)))


def questionnaire(call: Call) -> HttpResponse:
    return HttpResponse(bytes(find_version(call).definition), content_type="application/json")


def said(call: Call) -> HttpResponse:
    """The page of answers, as numbers."""
    data = data_of(find_version(call))
    language = call.query["language"] or translation.get_language() or "en"
    questions = [
        {
            "name": question.name,
            "text": question.text,
            "sensitive": question.sensitive,
            "why_not": str(question.why_not),
            "displays": [plain(display) for display in question.displays],
        }
        for question in answers(data, language)
    ]
    return JsonResponse({"snapshot": data.snapshot.sha256, "n": data.n, "questions": questions})


def shares(call: Call) -> HttpResponse:
    """The shares of patterns by the stratified estimator, of nobody fewer than the survey reports on."""
    data = data_of(find_version(call))
    texts = call.query["pattern"]
    if len(texts) > MOST_PATTERNS:
        raise Problem(422, f"pattern: {len(texts)} patterns are more than {MOST_PATTERNS}.", "pattern")
    patterns = [parse_pattern(text, data.version.design) for text in texts]
    told = [
        {"pattern": text, "n": each.n}
        | {name: plain(getattr(each, name)) for name in ("all", "direct", "disguised", "difference")}
        for text, each in zip(texts, reconstructed(data.records, patterns, data.least), strict=True)
    ]
    return JsonResponse({"snapshot": data.snapshot.sha256, "n": data.n, "patterns": told})


def list_files(call: Call) -> HttpResponse:
    snapshot = find_snapshot(call)
    is_open = disclosure.told(snapshot).open
    with translation.override("en"):
        rows = [
            {
                "name": file.name,
                "about": str(file.label),
                "content_type": file.content_type,
                "responses": file.responses,
                "available": is_open or not file.responses,
            }
            for file in files.offered(snapshot)
        ]
    return JsonResponse({"snapshot": snapshot.sha256, "files": rows})


def file(call: Call) -> HttpResponseBase:
    """A file is made and noted unless the caller has it: its bytes follow from the snapshot and what may be told."""
    return _file(call, find_snapshot(call), call.path["file"])


def responses(call: Call) -> HttpResponseBase:
    return _file(call, find_snapshot(call), "records.jsonl")


def _file(call: Call, snapshot: Snapshot, name: str) -> HttpResponseBase:
    if name not in {file.name for file in files.offered(snapshot)}:
        raise Problem(404, "There is no file of this name.")
    told = disclosure.told(snapshot)
    tag = sha256(f"{snapshot.sha256} {name} {told}".encode()).hexdigest()
    if f'"{tag}"' in call.request.headers.get("If-None-Match", ""):
        return HttpResponse(status=304, headers={"ETag": f'"{tag}"'})
    return FileResponse(
        files.taken(snapshot, name, call.user, f"{call.user} (API)"),
        as_attachment=True,
        filename=files.download_name(snapshot, name),
        content_type=files.FILES[name].content_type,
        headers={"ETag": f'"{tag}"'},
    )


def exports(call: Call) -> HttpResponse:
    return paging.paged(call, find_survey(call).exports.all(), _export)


def batches(call: Call) -> HttpResponse:
    return paging.paged(call, _batches(find_survey(call)), _batch)


def add_batch(call: Call) -> HttpResponse:
    found = find_survey(call)
    batch = invite.add_batch(found, call.body["label"], call.body["count"])
    told = {"label": batch.label, "count": batch.count}
    note(found, call.user, _("Invitations “%(label)s”: %(count)s.") % told)
    return JsonResponse(_batch(_batches(found).get(pk=batch.pk)), status=201)


def draw(call: Call) -> HttpResponse:
    """The links of a batch, once: only hashes are kept."""
    found = find_survey(call)
    batch = found.invitation_batches.filter(pk=call.path["batch"]).first()
    newest = found.versions.last()
    if batch is None or newest is None:
        raise Problem(404, "This survey has no batch of this number.")
    link = _link(call, newest)
    return JsonResponse({"links": [f"{link}&i={secret}" for secret in invite.draw(batch)]}, status=201)


def plain(value: Any) -> Any:
    """Whatever a display holds, as JSON: its fields without its functions."""
    if is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: plain(member) for name, member in members.items() if not callable(member)}
    if isinstance(value, Mapping):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _counted(found: Survey) -> Survey:
    return Survey.objects.annotate(published=Count("versions")).get(pk=found.pk)


def _survey(found: Survey) -> dict[str, Any]:
    count = found.published  # type: ignore[attr-defined]
    if not count:
        state = "draft"
    elif publish.is_over(found):  # one that is full is closed for good by the response that takes the last place
        state = "closed"
    else:
        state = "early" if publish.is_early(found) else "open"
    return {
        "name": found.slug,
        "title": found.title,
        "state": state,
        "simulated": found.simulated,
        "access": found.access,
        "least": found.least,
        "versions": count,
        "closed_at": found.closed_at,
    }


def _version(call: Call, found: SurveyVersion) -> dict[str, Any]:
    snapshot = found.snapshots.select_related("version__survey").last()
    told = disclosure.told(snapshot) if snapshot else disclosure.Told(direct=False, open=False)
    return _published(call, found) | {
        "respondents": snapshot.respondents if snapshot else 0,
        "snapshot": snapshot.sha256 if snapshot else None,
        "told": {"direct": told.direct, "open": told.open},
    }


def _published(call: Call, found: SurveyVersion) -> dict[str, Any]:
    names = ("number", "sha256", "published_on")
    return {name: getattr(found, name) for name in names} | {"link": _link(call, found)}


def _link(call: Call, found: SurveyVersion) -> str:
    return call.request.build_absolute_uri(reverse("survey", args=[found.survey.slug])) + f"#v={found.sha256}"


def _export(row: Export) -> dict[str, Any]:
    names = ("at", "by", "file", "version", "snapshot", "respondents", "size", "sha256")
    return {name: getattr(row, name) for name in names}


def _batches(found: Survey) -> Any:
    return found.invitation_batches.annotate(drawn=Exists(Invitation.objects.filter(batch=OuterRef("pk"))))


def _batch(row: InvitationBatch) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in ("label", "count", "created_on", "drawn")}
    return {"id": row.pk, **told}


def _page_of(name: str, about: str) -> dict[int, Answer]:
    return {200: Answer(about, paging.page_schema(named(name)))}


OPERATIONS = (
    Operation(
        "listSurveys",
        "GET",
        "/surveys",
        "All surveys, a page at a time",
        "read",
        SEE,
        _page_of("Survey", "a page of surveys"),
        surveys,
        paging.PARAMETERS,
    ),
    Operation(
        "getSurvey", "GET", SURVEY, "One survey", "read", SEE, {200: Answer("the survey", named("Survey"))}, survey
    ),
    Operation(
        "getDraft",
        "GET",
        f"{SURVEY}/draft",
        "The questionnaire as it is being written, as one JSON file that a site imports",
        "read",
        SEE,
        {200: Answer("the draft", {"type": "object"})},
        draft,
    ),
    Operation(
        "closeSurvey",
        "POST",
        f"{SURVEY}/close",
        "Take no more responses, for good; what waits is sealed within a minute",
        "write",
        PUBLISH,
        {200: Answer("the closed survey", named("Survey"))},
        close,
        refusals={409: "it was never published"},
    ),
    Operation(
        "listVersions",
        "GET",
        f"{SURVEY}/versions",
        "The published versions of a survey",
        "read",
        SEE,
        _page_of("Published", "a page of versions"),
        versions,
        paging.PARAMETERS,
    ),
    Operation(
        "publishVersion",
        "POST",
        f"{SURVEY}/versions",
        "Publish the draft as the next version",
        "write",
        PUBLISH,
        {201: Answer("the version", named("Version"))},
        publish_version,
        body={
            "type": "object",
            "properties": {
                "override_reason": {
                    "type": "string",
                    "pattern": LINE,
                    "minLength": 1,
                    "maxLength": 1000,
                    "description": "signs, in your name, a design above the limit of the site; respondents read it",
                }
            },
            "additionalProperties": False,
        },
        refusals={409: "something is missing, or it is published already"},
    ),
    Operation(
        "getVersion",
        "GET",
        VERSION,
        "One version, with its last snapshot and what may be told of it",
        "read",
        SEE,
        {200: Answer("the version", named("Version"))},
        version,
    ),
    Operation(
        "getQuestionnaire",
        "GET",
        f"{VERSION}/questionnaire",
        "The published bytes, whose SHA-256 names the version",
        "read",
        SEE,
        {200: Answer("the questionnaire", {"type": "object"})},
        questionnaire,
    ),
    Operation(
        "getAnswers",
        "GET",
        f"{VERSION}/answers",
        "What people said, question by question, with errors",
        "read",
        SEE,
        {
            200: Answer(
                "figures by question", record(snapshot=TEXT, n={"type": "integer"}, questions=listed(named("Question")))
            )
        },
        said,
        (
            Parameter(
                "language",
                {"type": "string", "pattern": "^[-a-zA-Z0-9]{2,20}$"},
                "of texts, where the questionnaire has it",
            ),
        ),
        refusals={409: "too few have answered"},
        tag="analyses",
    ),
    Operation(
        "getShares",
        "GET",
        f"{VERSION}/shares",
        "Reconstructed shares of patterns such as drugs,!cheating",
        "read",
        SEE,
        {
            200: Answer(
                "the share of each pattern",
                record(snapshot=TEXT, n={"type": "integer"}, patterns=listed(named("Pattern"))),
            )
        },
        shares,
        (
            Parameter(
                "pattern",
                {"type": "string", "pattern": LINE, "minLength": 1, "maxLength": 1000},
                "comma-separated literals; may be given up to 100 times",
                required=True,
                many=True,
            ),
        ),
        refusals={409: "too few have answered, or there is no such item"},
        tag="analyses",
    ),
    Operation(
        "listFiles",
        "GET",
        f"{VERSION}/files",
        "The files of a version, and which may be had now",
        "responses",
        TAKE,
        {200: Answer("the files", record(snapshot=TEXT, files=listed(named("File"))))},
        list_files,
        refusals={409: "no response is sealed yet"},
        tag="files",
    ),
    Operation(
        "getFile",
        "GET",
        VERSION + "/files/{file}",
        "One file; files of responses are noted with your name",
        "responses",
        TAKE,
        {200: Answer("the file", None, "*/*"), 304: Answer("you have it")},
        file,
        refusals={409: "the version still collects, or nothing is sealed"},
        tag="files",
    ),
    Operation(
        "getResponses",
        "GET",
        f"{VERSION}/responses",
        "All responses as a stream of JSON lines, shuffled",
        "responses",
        TAKE,
        {200: Answer("a response in each line", None, "application/jsonl"), 304: Answer("you have them")},
        responses,
        refusals={409: "the version still collects, or nothing is sealed"},
        tag="files",
    ),
    Operation(
        "listExports",
        "GET",
        f"{SURVEY}/exports",
        "Who took which file of responses",
        "read",
        SEE,
        _page_of("Export", "a page of entries"),
        exports,
        paging.PARAMETERS,
        tag="files",
    ),
    Operation(
        "listBatches",
        "GET",
        f"{SURVEY}/invitations",
        "The batches of invitations",
        "write",
        PUBLISH,
        _page_of("Batch", "a page of batches"),
        batches,
        paging.PARAMETERS,
        tag="invitations",
    ),
    Operation(
        "addBatch",
        "POST",
        f"{SURVEY}/invitations",
        "A new batch of invitations",
        "write",
        PUBLISH,
        {201: Answer("the batch", named("Batch"))},
        add_batch,
        body={
            "type": "object",
            "required": ["label", "count"],
            "properties": {
                "label": {"type": "string", "pattern": LINE, "minLength": 1, "maxLength": 100},
                "count": {"type": "integer", "minimum": 1, "maximum": 100_000},
            },
            "additionalProperties": False,
        },
        refusals={409: "the survey is not by invitation, not published, or closed"},
        tag="invitations",
    ),
    Operation(
        "drawLinks",
        "POST",
        SURVEY + "/invitations/{batch}/links",
        "The links of a batch, once: only hashes are kept",
        "write",
        PUBLISH,
        {201: Answer("the links", record(links=listed(TEXT)))},
        draw,
        refusals={409: "they were given already"},
        tag="invitations",
    ),
)
