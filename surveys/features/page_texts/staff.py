"""What the respondent's page says, in a language that it does not speak: a form of all texts, and a file of them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from zlib import crc32

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.exchange.apart import read_apart
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.features.page_texts.draft import ENGLISH, LONGEST, needed, translations
from surveys.models import Survey
from surveys.questions.rows import spoken_tag
from surveys.sentences import language_name, sentence_of
from surveys.studio.staff_part import StaffPart, as_file, change_draft

NAME = "text-"  # before the name of a text, in the form


@studio(Action.WRITE, "GET", "POST")
def page_texts(request: HttpRequest, survey: Survey, tag: str) -> HttpResponse:
    """GET gives the form, or with `?file` the file; POST keeps the form, the file or the reason for none."""
    document = read_document(survey)
    if tag not in document["languages"] or spoken_tag(tag):
        raise Http404
    if request.method == "GET":
        return _file(survey, document, tag) if "file" in request.GET else _page(request, survey, document, tag)
    try:
        change_draft(request, survey, _change(request, tag, document["page_texts"].get(tag, {})))
    except InputError as error:
        return _page(request, survey, document, tag, sentence_of(error))
    return redirect("studio:page-texts", survey.pk, tag)


def _change(request: HttpRequest, tag: str, own: Mapping[str, str]) -> dict[str, Any]:
    """The change of the draft that the person asks for; InputError says what is wrong with it.

    What the form does not show and a file leaves out or empty stays as it is in `own`, and of the form's texts those
    that nobody has changed there: somebody else may have done so meanwhile.
    """
    if "reason" in request.POST:
        return {"do": "survey", "field": "unspoken", "language": tag, "value": request.POST["reason"][:LONGEST]}
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        texts = read_apart(request.user.pk, "page texts", file.read(), tag)
    else:
        typed = {name: request.POST[NAME + name] for name in ENGLISH if NAME + name in request.POST}
        seen = request.POST.get("seen", "").split()
        texts = {name: text for name, text in typed.items() if _mark(name, text) not in seen}
    return {"do": "speak", "language": tag, "texts": {**own, **texts}}


def _mark(name: str, text: str) -> str:
    """What tells a text from any other of that name, in few letters."""
    plain = text.replace("\r\n", "\n").strip()
    return f"{name}:{crc32(plain.encode()):x}"


def _file(survey: Survey, document: Document, tag: str) -> HttpResponse:
    own = document["page_texts"].get(tag, {})
    entries = {
        name: {"en": ENGLISH[name], tag: own.get(name, "")} for name in needed(Draft.from_document(survey, document))
    }
    written = json.dumps(entries, ensure_ascii=False, indent=1) + "\n"
    return as_file(written, "application/json", f"{survey.slug}-page-{tag}.json")


def _page(request: HttpRequest, survey: Survey, document: Document, tag: str, wrong: str = "") -> HttpResponse:
    """The form, with what was typed where it is refused."""
    own = document["page_texts"].get(tag, {})
    names = needed(Draft.from_document(survey, document))
    texts = [(NAME + name, ENGLISH[name], request.POST.get(NAME + name, own.get(name, ""))) for name in names]
    context = {
        "survey": survey,
        "tag": tag,
        "name": language_name(tag),
        "texts": texts,
        "seen": request.POST.get("seen") or " ".join(_mark(name, own.get(name, "")) for name in names),
        "lacking": sum(name not in own for name in names),
        "reason": request.POST.get("reason", document["unspoken"].get(tag, "")),
        "wrong": wrong,
    }
    return render(request, "studio/features/page_texts/page.html", context)


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    for tag, texts in translations(draft).items():
        if draft.document["page_texts"].get(tag) and draft.document["unspoken"].get(tag) and not texts:
            sentence = _(
                "The page's own words in %(language)s are not all translated: none is used, and people read why."
            )
            yield sentence % {"language": language_name(tag)}, "opening"


PART = StaffPart(
    pages=[path("<int:pk>/page-texts/<slug:tag>/", page_texts, name="page-texts")],
    fields={"unspoken": gettext_lazy("why a language is not spoken")},
    remarks=_remarks,
    languages="studio/features/page_texts/languages.html",
)
