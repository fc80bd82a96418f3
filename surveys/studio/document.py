"""The whole draft as JSON, for what no other page asks: values of options, names of blocks, numbers of pages."""

import json
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import current_draft, upgrade
from surveys.models import Survey
from surveys.sentences import sentence_of


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
