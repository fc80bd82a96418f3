"""Operations on files of responses: which there are, their bytes, and who took them."""

from hashlib import sha256
from typing import Any

from django.http import FileResponse, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from config.api import paging
from config.api.address import SEE, SURVEY, TAKE, VERSION, find_snapshot, find_survey
from config.api.operation import FILE, Call, Operations, Reply
from config.api.problems import Problem
from config.api.schemas import TEXT, array_of, record, reference_to
from surveys.domain.exports import files
from surveys.domain.exports.sheet import refusal
from surveys.domain.people.roles import Action, may
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite, cite_hash
from surveys.models import Snapshot
from surveys.results import study_pack  # adds itself to the files

operations = Operations("files")
NOT_NOW = {409: "the version still collects, or too few have answered"}


@operations.declare(
    f"GET {VERSION}/files",
    "responses",
    TAKE,
    Reply("the files", record(snapshot=TEXT, files=array_of(reference_to("File")))),
    refusals={409: "no response is sealed yet"},
)
def list_files(call: Call) -> HttpResponse:
    """The files of a version that may be had now."""
    snapshot = find_snapshot(call)
    may_leave = refusal(snapshot) is None
    rows = [
        {"name": file.name, "about": str(file.label), "content_type": file.content_type, "responses": file.responses}
        for file in files.list_files(snapshot)
        if may_leave or not file.responses
    ]
    return JsonResponse({"snapshot": cite(snapshot), "files": rows})


@operations.declare(f"GET {VERSION}/files/{{file}}", "responses", TAKE, FILE, refusals=NOT_NOW)
def get_file(call: Call) -> HttpResponseBase:
    """One file; files of responses are noted with your name."""
    return _file(call, find_snapshot(call), call.path["file"])


@operations.declare(
    f"GET {VERSION}/responses",
    "responses",
    TAKE,
    Reply("a response in each line", None, "application/jsonl"),
    refusals=NOT_NOW,
)
def get_responses(call: Call) -> HttpResponseBase:
    """All responses as a stream of JSON lines, shuffled."""
    return _file(call, find_snapshot(call), "records.jsonl")


def _file(call: Call, snapshot: Snapshot, name: str) -> HttpResponseBase:
    """Return the file and note who took it; answer 304 if the caller already has these bytes."""
    if name not in {file.name for file in files.list_files(snapshot)}:
        raise Problem(404, "There is not a file with this name.")
    reportable = disclosure.reportable(snapshot)
    tag = sha256(f"{cite(snapshot)} {name} {reportable}".encode()).hexdigest()
    headers = {"ETag": f'"{tag}"'} if name != study_pack.NAME else {}  # it has what is mined later, too
    if headers and headers["ETag"] in call.request.headers.get("If-None-Match", ""):
        return HttpResponse(status=304, headers=headers)
    return FileResponse(
        files.take_file(snapshot, name, call.user, f"{call.user} (API)"),
        as_attachment=True,
        filename=files.download_name(snapshot, name),
        content_type=files.FILES[name].content_type,
        headers=headers,
    )


@operations.declare(f"GET {SURVEY}/exports", "read", SEE, paging.answer("Export", "a page of entries"))
def list_exports(call: Call) -> HttpResponse:
    """Who took which file of responses. Only those who may take files get sizes and hashes, which tell of answers."""
    survey = find_survey(call)
    may_take, count = may(call.user, Action.TAKE, survey), counts.of_exports(survey)

    def entry(row: Any) -> dict[str, Any]:
        return {
            **{name: getattr(row, name) for name in ("at", "by", "file", "version")},
            "snapshot": cite_hash(survey, row.snapshot),
            "size": row.size if may_take else None,
            "sha256": row.sha256 if may_take else None,
            **count(row).as_json("respondents"),
        }

    return paging.page_of_rows(call, counts.exports(survey), entry)
