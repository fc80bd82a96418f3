"""Changes of a draft by forms of their own pages, which show the draft as it is now: nothing is a conflict."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from privacy.errors import EntryError, InputError
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.models import Survey

_LATER = 2**31 - 1  # than every change


def change_draft(request: HttpRequest, survey: Survey, said: Mapping[str, Any]) -> None:
    """Make the change `said` of the draft, by the person who sent the form; InputError says why it cannot be made."""
    history.change(survey, Editor(request.user, "", _LATER), said)  # type: ignore[arg-type]


def field_of(form: forms.Form, error: InputError) -> str | None:
    """The field that a refusal is about; None where the form has none of that name."""
    name = error.at.rpartition(".")[2] if isinstance(error, EntryError) else ""
    return name if name in form.fields else None
