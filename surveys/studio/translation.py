"""The texts of a questionnaire as a table to send to a translator, and to read back.

A line of the CSV file is one text: where it stands, the main text, and the translation. A spreadsheet opens it; what
comes back is read line by line, and lines that fit no text any more are listed.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import EntryError, InputError
from surveys.domain.drafts import history
from surveys.domain.drafts.document import Document, read, text_places
from surveys.domain.drafts.history import Editor
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.languages import TAG, language_name, sentence_of
from surveys.models import Survey
from surveys.studio.access import studio

PLACE = "place"  # the head of the column that says where a text stands
LARGEST = 2 * 2**20
COMPUTES = (
    "=",
    "+",
    "-",
    "@",
    "\t",
)  # a spreadsheet would compute a cell that begins so; an apostrophe keeps it from that


class TranslationForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("The translated file (CSV)"))


@studio(Action.WRITE, "GET", "POST")
def translation(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET with a language gives the file; POST reads it back. Adding a language begins with an empty column."""
    document = read(survey)
    language = request.GET.get("language", "").lower()
    if language and (not TAG.fullmatch(language) or language == document["languages"][0]):
        return _page(
            request, survey, document, TranslationForm(), _("“%(tag)s” is no other language.") % {"tag": language}
        )
    if request.method == "GET":
        return _file(survey, document, language) if language else _page(request, survey, document, TranslationForm())
    form = TranslationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, survey, document, form)
    try:
        tag, texts = _read(form.cleaned_data["file"])
        by = Editor(request.user, "", 2**31 - 1)  # type: ignore[arg-type]
        history.change(survey, by, {"do": "translate", "language": tag, "texts": texts})
    except InputError as error:
        form.add_error("file", sentence_of(error))
        return _page(request, survey, document, form)
    strange = sorted(texts.keys() - dict(text_places(document)).keys())
    if strange:
        return _page(request, survey, read(survey), TranslationForm(), strange=strange)
    return redirect("studio:write", survey.pk)


def _file(survey: Survey, document: Document, language: str) -> HttpResponse:
    main = document["languages"][0]
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow((PLACE, main, language))
    for place, texts in text_places(document):
        if texts.get(main):
            table.writerow((place, _safe(texts[main]), _safe(texts.get(language, ""))))
    return HttpResponse(
        "\ufeff" + written.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{survey.slug}-{language}.csv"'},
    )


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(COMPUTES) else text


def _read(file: Any) -> tuple[str, dict[str, str]]:
    """The language and the texts by their places; EntryError says what is wrong with the file."""
    if file.size > LARGEST:
        raise EntryError("the file has {size} bytes, more than {most}.", size=file.size, most=LARGEST)
    try:
        rows = list(csv.reader(io.StringIO(file.read().decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise EntryError("the file is no CSV table in UTF-8.") from None
    heads = rows[0] if rows else []
    if len(heads) != 3 or heads[0] != PLACE or not TAG.fullmatch(heads[2]):
        raise EntryError("the first line must be: place, the main language, the other language.")
    if any(len(row) != 3 for row in rows[1:] if row):
        raise EntryError("every line has three cells: place, main text, translation.")
    texts = {
        place: text.removeprefix("'") if text[1:2] in COMPUTES else text
        for place, _main, text in filter(None, rows[1:])
    }
    return heads[2], texts


def _page(
    request: HttpRequest,
    survey: Survey,
    document: Document,
    form: TranslationForm,
    wrong: str = "",
    strange: list[str] | None = None,
) -> HttpResponse:
    others = [(tag, language_name(tag)) for tag in document["languages"][1:]]
    context = {"survey": survey, "form": form, "others": others, "wrong": wrong, "strange": strange}
    return render(request, "studio/translation.html", context)
