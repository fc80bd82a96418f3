"""The page of a survey's files: what they tell of people, what there is, who took what."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.access import also_of_rehearsals
from surveys.domain.exports import files as made
from surveys.domain.exports.risk import list_undisguised, risk_of
from surveys.domain.exports.sheet import refusal
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite, cite_hash
from surveys.models import Survey
from surveys.results import study_pack  # noqa: F401  adds itself to the files
from surveys.sentences import sentence_of

SHOWN = 50  # of the files that were taken
# What most people take; the others are folded.
FIRST = ("study-pack.zip", "records.csv", "records.sav", "records.dta", "codebook.html", "reproduce.py", "reproduce.R")


@also_of_rehearsals(Action.TAKE, "GET", "POST")
def files(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The files of each version that has responses; GET shows them, POST gives one."""
    snapshots = counts.newest(survey)[::-1]
    if not snapshots:
        messages.info(request, _("No response is sealed yet."))
        return redirect("studio:try" if survey.rehearses_id else "studio:fieldwork", survey.rehearses_id or survey.pk)
    if request.method == "POST":
        return _download(request, survey, snapshots)
    return render(request, "studio/files.html", {"survey": survey, **_context(survey, snapshots)})


def _context(survey: Survey, snapshots: list[Any]) -> dict[str, Any]:
    """What the page shows of the newest snapshot of each version."""
    versions = []
    for snapshot in snapshots:
        why_not = refusal(snapshot)
        risk = None if why_not else risk_of(snapshot)
        in_vain = made.READ_RECORDS if why_not else ()
        offered = [
            file for file in made.list_files(snapshot) if not (why_not and file.responses) and file.name not in in_vain
        ]
        versions.append(
            {
                "snapshot": snapshot,
                "cited": cite(snapshot),
                "sealed": counts.of_snapshot(snapshot),
                "refused": why_not and sentence_of(why_not),
                "few": minimum_of_version(snapshot.version).of_few if disclosure.is_of_few(snapshot) else "",
                "collects": not snapshot.settled,
                "few_direct": snapshot.settled and disclosure.hides_direct(snapshot),
                "risk": risk,
                "people": risk and counts.to_report(risk.respondents, snapshot.settled),
                "undisguised": [] if why_not else list_undisguised(snapshot),
                "beside": snapshot.version.parsed.keeps_texts_in_records,
                "first": [file for file in offered if file.name in FIRST],
                "more": [file for file in offered if file.name not in FIRST],
            }
        )
    count = counts.of_exports(survey)
    exports = [(row, count(row), cite_hash(survey, row.snapshot)) for row in counts.exports(survey)[:SHOWN]]
    return {"versions": versions, "exports": exports}


def _download(request: HttpRequest, survey: Survey, snapshots: list[Any]) -> HttpResponse:
    number, _slash, name = request.POST.get("file", "").partition("/")
    snapshot = next((snapshot for snapshot in snapshots if str(snapshot.version.number) == number), None)
    try:
        if snapshot is None:
            raise InputError(_("There is no such version."))
        content = made.take_file(snapshot, name, request.user, str(request.user))  # type: ignore[arg-type]
        return FileResponse(  # type: ignore[return-value]
            content,
            as_attachment=True,
            filename=made.download_name(snapshot, name),
            content_type=made.FILES[name].content_type,
        )
    except InputError as error:
        messages.error(request, sentence_of(error))
        return redirect("studio:files", survey.pk)
