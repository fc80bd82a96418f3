"""Surveys in and out of the studio: a file is looked at first, and becomes a draft when somebody accepts it.

Between the two nothing is stored. What was read is in the form that accepts it, signed for the person who sent the
file.
"""

import json
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import staff_only, studio
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.exchange import formats
from surveys.domain.exchange.apart import BusyError
from surveys.domain.exchange.imported import Imported, ImportRefusedError, Note, TooLargeError, pack_text
from surveys.domain.people.roles import Action, may_begin
from surveys.domain.questionnaire.document import Draft, current_draft, sensitive, upgrade
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.sentences import language_name, sentence_of
from surveys.studio.home import begin, document_of, version_of
from surveys.studio.staff_part import as_file

OTHER_FIELDS = 1000  # bytes of the form that accepts it
LOOKED_AT = 24 * 60 * 60  # seconds that somebody may look at an import before it is sent again


class ImportForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("The file"))


@staff_only("GET", "HEAD", "POST")
def look(request: HttpRequest) -> HttpResponse:
    """POST says what a file holds, and what of it was not understood; nothing is stored."""
    if not may_begin(request.user):
        raise PermissionDenied
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        return _page(request, form, status=422 if form.is_bound else 200)
    sent = form.cleaned_data["file"]
    try:
        kind, imported = formats.read_import(request.user.pk, sent.read(), PurePosixPath(sent.name).stem)
    except InputError as error:
        faults = error.faults if isinstance(error, ImportRefusedError) else [Note("", sentence_of(error))]
        status = 413 if isinstance(error, TooLargeError) else 429 if isinstance(error, BusyError) else 422
        return _page(request, ImportForm(), faults, status)
    return _show_import(request, kind, imported)


def _page(request: HttpRequest, form: ImportForm, faults: Any = (), status: int = 200) -> HttpResponse:
    context = {"form": form, "faults": faults, "formats": formats.FORMATS.values()}
    return render(request, "studio/import.html", context, status=status)


def _show_import(request: HttpRequest, kind: formats.SurveyFormat, imported: Imported) -> HttpResponse:
    notes = [(note.place, note.sentence) for note in imported.left]
    document = imported.document
    draft, main = Draft.from_document(Survey(), document), document["languages"][0]
    kept_notes = [(pack_text(place), pack_text(sentence)) for place, sentence in notes]
    packed = signing.dumps({"document": document, "notes": kept_notes}, salt=_salt(request), compress=True)
    if len(packed) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE - OTHER_FIELDS:
        sentence = _("The survey is larger than what can be accepted at once: split the file.")
        return _page(request, ImportForm(), [Note("", sentence)], status=413)
    context = {
        "kind": kind,
        "document": document,
        "languages": [language_name(tag) for tag in document["languages"]],
        "notes": notes,
        "pages": [
            (
                page.title.get(main, ""),
                [
                    (number, question.text.get(main) or question.words, TYPES[question.type].label, question.block)
                    for number, question in enumerate(draft.questions, 1)
                    if question.page == page.number
                ],
            )
            for page in draft.pages
        ],
        "count": len(draft.questions),
        "sensitive": len(sensitive(document)),
        "read": packed,
    }
    return render(request, "studio/imported.html", context)


def _salt(request: HttpRequest) -> str:
    return f"import of {request.user.pk}"


@staff_only("POST")
def accept(request: HttpRequest) -> HttpResponse:
    """Make a draft of what was looked at; what was left out is kept with its history."""
    if not may_begin(request.user):
        raise PermissionDenied
    try:
        looked_at = signing.loads(request.POST.get("read", ""), salt=_salt(request), max_age=LOOKED_AT)
        survey = begin(request.user, looked_at["document"])
    except signing.BadSignature:
        messages.error(request, _("This preview has expired or belongs to somebody else: send the file again."))
        return redirect("studio:import")
    history.note_import(survey, request.user, looked_at["notes"])  # type: ignore[arg-type]
    return redirect("studio:write", survey.pk)


@studio(Action.SEE)
def export(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The formats in which the draft or a version can leave, each with what it cannot say."""
    version = version_of(survey, request.GET.get("of", "draft"))
    document = document_of(survey, version)
    context = {
        "survey": survey,
        "version": version,
        "versions": survey.versions.values_list("number", flat=True),
        "copies": document is not None and may_begin(request.user),
        "kept": document is not None,
        "formats": [
            (each, each.lost(document))
            for each in formats.FORMATS.values()
            if document is not None and each.write is not None
        ],
    }
    return render(request, "studio/export.html", context)


@studio(Action.SEE)
def file(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    kind = formats.FORMATS.get(name)
    version = version_of(survey, request.GET.get("of", "draft"))
    document = document_of(survey, version)
    if kind is None or kind.write is None or document is None:
        raise Http404
    own = f"{survey.slug}-v{version.number}" if version else survey.slug
    return as_file(kind.write(document), kind.content_type, f"{own}.{kind.ending}")


class DocumentForm(forms.Form):
    """`base` is the last change that this page has seen."""

    base = forms.IntegerField(widget=forms.HiddenInput)
    document = forms.CharField(
        label=gettext_lazy("The draft"),
        widget=forms.Textarea({"rows": 30, "spellcheck": "false", "dir": "ltr", "class": "address"}),
    )

    def clean_document(self) -> Any:
        try:
            return upgrade(json.loads(self.cleaned_data["document"]))
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(_("This is not JSON: %(why)s") % {"why": error}) from None


@studio(Action.WRITE, "GET", "POST")
def document(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows the document; POST puts another in its place, as a change that can be undone."""
    if survey.closed_at is not None:
        return redirect("studio:write", survey.pk)
    if request.method == "POST":
        form = DocumentForm(request.POST)
        if form.is_valid() and _replace(request, survey, form):
            return redirect("studio:write", survey.pk)
    else:
        draft = current_draft(survey)
        written = json.dumps(draft.document, ensure_ascii=False, indent=1)
        form = DocumentForm(initial={"base": draft.number, "document": written})
    context = {"survey": survey, "form": form}
    return render(request, "studio/document.html", context, status=422 if form.is_bound else 200)


def _replace(request: HttpRequest, survey: Survey, form: DocumentForm) -> bool:
    """Put the entered document in place of the draft. False if it is refused: the form says why, and at which place."""
    by = Editor(request.user, "document", form.cleaned_data["base"])  # type: ignore[arg-type]
    try:
        history.change(survey, by, {"do": "replace", "document": form.cleaned_data["document"]})
    except InputError as error:
        place = getattr(error, "at", "")
        form.add_error("document", f"{place}: {sentence_of(error)}" if place else sentence_of(error))
        return False
    return True
