"""The looks of a survey: its logo and colour, and a picture or a sound beside a question."""

import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.exchange.apart import read_apart
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import Document, questions, read_document
from surveys.domain.questionnaire.media import store
from surveys.features.looks import shades
from surveys.media import Picture, Sound, is_picture
from surveys.models import Survey
from surveys.sentences import capital, join_sentences, language_name, sentence_of
from surveys.studio.staff_part import StaffPart, change_draft, field_of

WORDS = "words-"  # before the tag of a language, in the form
LONGEST = 2_000


def file_field(label: Any, limits: Any, more: Any = "") -> forms.FileField:
    """A field that says its limits before a file is chosen, and where one is too large to be sent."""
    help_text = lazy(join_sentences, str)([limits, more])
    return forms.FileField(
        label=label, help_text=help_text, widget=forms.FileInput({"data-large": limits}), required=False
    )


class FileForm(forms.Form):
    """A file, with what it shows or says in each language of the survey."""

    file = forms.FileField(required=False)

    def __init__(
        self,
        person: int | None,
        document: Document,
        named: str,
        words: dict[str, str],
        data: Any = None,
        files: Any = None,
        **more: Any,
    ) -> None:
        super().__init__(data, files, auto_id=f"{self.which}-%s", **more)
        self.person = person
        for tag in document["languages"]:
            self.fields[WORDS + tag] = forms.CharField(
                label=self.shows % {"language": language_name(tag)},
                help_text=_("For people who cannot see or hear it. Needed in every language before it is published."),
                max_length=LONGEST,
                required=False,
                initial=words.get(tag, ""),
                widget=forms.Textarea({"class": "input", "rows": 2, "lang": tag, "dir": "auto"}),
            )
        if named:
            self.fields["gone"] = forms.BooleanField(label=_("Take this file away"), required=False)
        self.named = named

    which = "file"
    shows: Any  # the label of the words, with %(language)s

    def clean_file(self) -> tuple[str, bytes] | None:
        """The name and content that are kept of the file, read by a process of its own before anything is locked."""
        if not (sent := self.cleaned_data["file"]):
            return None
        try:
            read = read_apart(self.person, "medium", sent.read())
        except InputError as error:
            raise forms.ValidationError(capital(sentence_of(error))) from None
        return read["name"], b64decode(read["plain"])

    def store_file(self, survey: Survey) -> tuple[str, dict[str, str]]:
        """Store the file that was sent; return its name and, by language, the words that say what it shows.

        EntryError says why there is no room for it.
        """
        given = self.cleaned_data
        words = {name.removeprefix(WORDS): text for name, text in given.items() if name.startswith(WORDS)}
        if given["file"]:
            return store(survey, *given["file"]), words
        return "" if given.get("gone") else self.named, words


class LooksForm(FileForm):
    which = "looks"
    shows = gettext_lazy("What the logo shows, in words (%(language)s)")
    file = file_field(
        gettext_lazy("Logo"),
        format_lazy(gettext_lazy("PNG, JPEG or SVG, of {most} kB at most."), most=Picture.most // 1000),
        gettext_lazy("It stands on the first page, above who asks."),
    )
    accent = forms.CharField(
        label=gettext_lazy("Colour"),
        help_text=gettext_lazy("Such as #17635c. Where it could not be read, people see a darker or lighter shade."),
        max_length=7,
        required=False,
        widget=forms.TextInput({"class": "input", "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}),
    )

    def clean_accent(self) -> str:
        """A colour as programs copy it, with its # or without."""
        return re.sub(r"^(?=[0-9a-fA-F]{6}$)", "#", self.cleaned_data["accent"])


class MediaForm(FileForm):
    which = "media"
    shows = gettext_lazy("What it shows or says, in words (%(language)s)")
    file = file_field(
        gettext_lazy("Picture or sound"),
        format_lazy(
            gettext_lazy("A picture is PNG, JPEG or SVG, of {picture} kB at most; a sound MP3, of {sound} kB."),
            picture=Picture.most // 1000,
            sound=Sound.most // 1000,
        ),
    )


@studio(Action.WRITE, "GET", "POST")
def looks(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows what the draft has, and with `?question` the form of one; POST changes the draft."""
    document = read_document(survey)
    name, tag = (request.POST.get(field) or request.GET.get(field) or "" for field in ("question", "language"))
    question = next((one for one in questions(document) if one["id"] == name), None)
    if name and question is None:
        raise Http404
    media = (question and question["media"]) or {"file": {}, "words": {}}
    tags = list(dict.fromkeys((*document["languages"], *media["file"])))  # a language may have gone before its file
    tag = tag if tag in tags else tags[0]
    posted, person = (request.POST, request.FILES) if request.method == "POST" else (), request.user.pk
    if question is None:
        own = document["looks"]
        form: FileForm = LooksForm(
            person, document, own["logo"], own["words"], *posted, initial={"accent": own["accent"]}
        )
    else:
        form = MediaForm(person, document, media["file"].get(tag, ""), media["words"], *posted)
    if posted and form.is_valid() and _change(request, survey, form, question, tag):
        return redirect("studio:looks", survey.pk)
    if posted and request.FILES and "file" not in form.errors:
        form.add_error("file", _("Choose the file again: something else was refused."))
    context = {"survey": survey, "form": form, "tag": tag, "rows": list(_rows(survey, document))}
    context |= {
        "question": question,
        "text": question and (question["text"].get(tag) or question["id"]),
        "languages": [(one, language_name(one)) for one in tags],
    }
    if question is None and (color := document["looks"]["accent"]):
        context["shades"] = shades(color)
    if form.named:
        context["file"] = _file(survey, form.named)
    return render(request, "studio/features/looks/page.html", context, status=422 if posted else 200)


def _change(request: HttpRequest, survey: Survey, form: FileForm, question: dict[str, Any] | None, tag: str) -> bool:
    """Change the draft, and say what it lacks; False where the form says why not."""
    try:
        with transaction.atomic():  # a change that is refused keeps no file
            file, words = form.store_file(survey)
            said: dict[str, Any] = {"do": "looks", "logo": file, "accent": form.cleaned_data.get("accent", "")}
            if question is not None:
                said = {"do": "media", "question": question["id"], "language": tag, "file": file}
            change_draft(request, survey, {**said, "words": words})
    except InputError as error:
        form.add_error(field_of(form, error), capital(sentence_of(error)))
        return False
    missing = [language_name(tag) for tag, text in words.items() if not text.strip()]
    if file and missing:
        messages.warning(
            request,
            _("It is saved. Before the survey can be published, say in words what it shows or says (%(languages)s).")
            % {"languages": _(", ").join(missing)},
        )
    else:
        messages.success(request, _("It is saved, and part of the next version that is published."))
    return True


def _file(survey: Survey, name: str) -> dict[str, Any]:
    return {"address": reverse("medium", args=[survey.slug, name]), "is_picture": is_picture(name)}


def _rows(survey: Survey, document: Document) -> Iterator[dict[str, Any]]:
    """The questions with the files beside them."""
    main = document["languages"][0]
    for question in questions(document):
        files = question["media"]["file"] if question["media"] else {}
        words = question["media"]["words"] if question["media"] else {}
        yield {
            "name": question["id"],
            "text": question["text"].get(main) or question["id"],
            "words": words.get(main, ""),
            "files": [
                {**_file(survey, name), "tag": tag, "language": language_name(tag)} for tag, name in files.items()
            ],
        }


PART = StaffPart(pages=[path("<int:pk>/looks/", looks, name="looks")])
