"""Operations on files of responses: which there are, their bytes, and who took them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.http import FileResponse, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from config.api import paging
from config.api.address import SEE, SURVEY, TAKE, VERSION, find_snapshot, find_survey
from config.api.operation import Call, Operation, Reply
from config.api.problems import Problem
from config.api.schemas import TEXT, listed, named, record
from surveys.domain.exports import files
from surveys.domain.exports.sheet import refusal
from surveys.domain.responses import counts, disclosure
from surveys.models import Snapshot
from surveys.results import study_pack  # noqa: F401  adds itself to the files


def list_files(call: Call) -> HttpResponse:
    snapshot = find_snapshot(call)
    may_leave = refusal(snapshot) is None
    with translation.override("en"):
        rows = [
            {
                "name": file.name,
                "about": str(file.label),
                "content_type": file.content_type,
                "responses": file.responses,
                "available": may_leave or not file.responses,
            }
            for file in files.offered(snapshot)
        ]
    return JsonResponse({"snapshot": snapshot.sha256, "files": rows})


def file(call: Call) -> HttpResponseBase:
    """A file is made and noted unless the caller has it: its bytes follow from the snapshot and what is reported."""
    return _file(call, find_snapshot(call), call.path["file"])


def responses(call: Call) -> HttpResponseBase:
    return _file(call, find_snapshot(call), "records.jsonl")


def _file(call: Call, snapshot: Snapshot, name: str) -> HttpResponseBase:
    if name not in {file.name for file in files.offered(snapshot)}:
        raise Problem(404, "There is no file of this name.")
    reportable = disclosure.reportable(snapshot)
    tag = sha256(f"{snapshot.sha256} {name} {reportable}".encode()).hexdigest()
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
    return paging.paged(call, counts.exports(find_survey(call)), _export)


def _export(row: Any) -> dict[str, Any]:
    names = ("at", "by", "file", "version", "snapshot", "size", "sha256")
    return {name: getattr(row, name) for name in names} | counts.of_export(row).as_json("respondents")


OPERATIONS = (
    Operation(
        "listFiles",
        "GET",
        f"{VERSION}/files",
        "The files of a version, and which may be had now",
        "responses",
        TAKE,
        {200: Reply("the files", record(snapshot=TEXT, files=listed(named("File"))))},
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
        {200: Reply("the file", None, "*/*"), 304: Reply("you have it")},
        file,
        refusals={409: "the version still collects, or too few have answered"},
        tag="files",
    ),
    Operation(
        "getResponses",
        "GET",
        f"{VERSION}/responses",
        "All responses as a stream of JSON lines, shuffled",
        "responses",
        TAKE,
        {200: Reply("a response in each line", None, "application/jsonl"), 304: Reply("you have them")},
        responses,
        refusals={409: "the version still collects, or too few have answered"},
        tag="files",
    ),
    Operation(
        "listExports",
        "GET",
        f"{SURVEY}/exports",
        "Who took which file of responses",
        "read",
        SEE,
        paging.answer("Export", "a page of entries"),
        exports,
        paging.PARAMETERS,
        tag="files",
    ),
)
