"""The values that a form asks for each kind of block, collected from the kinds themselves.

Each kind declares these values in its own module (privacy.design.blocks). What is entered is stored as one JSON object,
so that no kind needs a column of its own.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design.blocks import FORMS
from privacy.design.forms import EnteredItem, Form, FormField, Value


def form_of(kind: str) -> Form:
    return FORMS[kind]


def choices() -> list[tuple[str, Any]]:
    """The kinds by their names, each with what it is called."""
    return [(name, gettext_lazy(form.label)) for name, form in FORMS.items()]


def names_of(kind: str) -> list[str]:
    """The names of the values that the kind asks of a block."""
    return [field.name for field in FORMS[kind].fields]


def _by_name(fields: Iterable[FormField]) -> dict[str, FormField]:
    return {field.name: field for field in fields}


def _askers(field: FormField) -> int:
    """How many kinds ask for it."""
    return sum(field in form.fields for form in FORMS.values())


# What few kinds ask for stands first, and what all of them ask for last.
BLOCK_FIELDS = _by_name(sorted((field for form in FORMS.values() for field in form.fields), key=_askers))
_ITEM_FIELDS = _by_name(field for form in FORMS.values() for field in form.item_fields)
QUESTION_FIELDS = {name: field for name, field in _ITEM_FIELDS.items() if field.value is not Value.SHARES}
OPTION_FIELDS = {name: field for name, field in _ITEM_FIELDS.items() if field.value is Value.SHARES}


# What a question with options says of its disguise; what one on a grid says is of its answers, too.
OWN_DISGUISE = tuple(
    dict.fromkeys(
        field.name for form in FORMS.values() if form.takes(EnteredItem("", None, {})) for field in form.item_fields
    )
)


def asked_by(kind: str | None) -> set[str]:
    """The names of the values that the kind asks of a question and its options; none for an undisguised question."""
    return set() if kind is None else {field.name for field in FORMS[kind].item_fields}


def example(field: FormField) -> Any:
    """A value that the field can have."""
    return field.choices[0].value if field.choices else 0.5 if field.value is Value.SHARE else field.default
