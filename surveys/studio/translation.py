"""The texts of a questionnaire as a table to send to a translator, and to read back.

A line of the CSV file is one text: where it stands, the main text, and the translation. A spreadsheet opens it; what
comes back is read line by line, and lines that fit no text any more are listed.
"""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from privacy.records.csv_rows import csv_text
from surveys.access import studio
from surveys.domain.exchange.apart import read_apart
from surveys.domain.exchange.words import PLACE
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import Document, read_document, text_places
from surveys.models import Survey
from surveys.rules import TAG
from surveys.sentences import language_name, sentence_of
from surveys.studio.staff_part import as_file, change_draft

OTHERS = 1_000  # lines of a file beside twice as many as there are texts: of questions that are gone


class TranslationForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("The translated file (CSV)"))


@studio(Action.WRITE, "GET", "POST")
def translation(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET with a language gives the file; POST reads it back. Adding a language begins with an empty column."""
    document = read_document(survey)
    language = request.GET.get("language", "").lower()
    if language and (not TAG.fullmatch(language) or language == document["languages"][0]):
        wrong = _("“%(tag)s” is not another language of this survey.") % {"tag": language}
        return _page(request, survey, TranslationForm(), wrong=wrong)
    if request.method == "GET":
        return _file(survey, document, language) if language else _page(request, survey, TranslationForm())
    form = TranslationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, survey, form)
    try:
        most = 2 * sum(1 for _place in text_places(document)) + OTHERS
        tag, texts = read_apart(request.user.pk, "texts", form.cleaned_data["file"].read(), most)
        change_draft(request, survey, {"do": "translate", "language": tag, "texts": texts})
    except InputError as error:
        form.add_error("file", sentence_of(error))
        return _page(request, survey, form)
    strange = sorted(texts.keys() - dict(text_places(document)).keys())
    if strange:
        return _page(request, survey, TranslationForm(), strange=strange)
    return redirect("studio:write", survey.pk)


def _file(survey: Survey, document: Document, language: str) -> HttpResponse:
    main = document["languages"][0]
    rows = ((place, texts[main], texts.get(language, "")) for place, texts in text_places(document) if texts.get(main))
    table = "\ufeff" + csv_text([(PLACE, main, language), *rows], "\r\n")
    return as_file(table, "text/csv; charset=utf-8", f"{survey.slug}-{language}.csv")


def _page(request: HttpRequest, survey: Survey, form: TranslationForm, **said: Any) -> HttpResponse:
    others = [(tag, language_name(tag)) for tag in read_document(survey)["languages"][1:]]
    return render(request, "studio/translation.html", {"survey": survey, "form": form, "others": others, **said})
