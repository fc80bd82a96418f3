"""The kinds of block as the studio shows them: what is asked for, and what is said of it.

What is entered is stored as one JSON object, so that no kind needs a column of its own. What it means in a design is
known below (`privacy.design.recipes`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError
from surveys.kinds import one_of, person, rows
from surveys.kinds.forms import Form, FormField, Value

_KINDS = (
    ("coin", rows.COIN),
    ("person", person.FORMS),
    ("coin", rows.BY_GAMMA),
    ("flips", rows.FLIPS),
    ("one-sided", rows.ONE_SIDED),
    ("one-of", one_of.FORMS),
    ("number", rows.NUMBER),
    ("place", rows.PLACE),
)
FORMS: dict[str, Form] = {name: form for _words, forms in _KINDS for name, form in forms.items()}
"""What is asked for and said of each recipe, by its name, in the order of the choice."""
TEXTS = {name: words for words, forms in _KINDS for name in forms}
"""How the names of what the respondent's page says of each recipe begin."""


def write_item(kind: str, settings: Mapping[str, Any], item: EnteredItem) -> dict[str, Any]:
    """The item in the design's JSON; refused where a required value is missing."""
    for field in FORMS[kind].item_fields:
        value = item.values.get(field.name)
        if field.missing and (not value or (field.choices and value not in field.choices)):
            raise EntryError(field.missing, at=field.name)
    return RECIPES[kind].write_item(settings, item)


def choices() -> list[tuple[str, Any]]:
    """The kinds by their names, each with what it is called."""
    return [(name, gettext_lazy(form.label)) for name, form in FORMS.items()]


def _by_name(fields: Iterable[FormField]) -> dict[str, FormField]:
    return {field.name: field for field in fields}


_ASKED = [field for form in FORMS.values() for field in form.fields]
BLOCK_FIELDS = _by_name(sorted(_ASKED, key=_ASKED.count))
"""What few kinds ask for stands first, and what all of them ask for last."""
_ITEM_FIELDS = _by_name(field for form in FORMS.values() for field in form.item_fields)
QUESTION_FIELDS = {name: field for name, field in _ITEM_FIELDS.items() if field.value is not Value.SHARES}
OPTION_FIELDS = {name: field for name, field in _ITEM_FIELDS.items() if field.value is Value.SHARES}


# What a question with options says of its disguise; what one on a grid says is of its answers, too.
OWN_DISGUISE = tuple(
    dict.fromkeys(
        field.name
        for name, recipe in RECIPES.items()
        if recipe.takes(EnteredItem("", None, {}))
        for field in FORMS[name].item_fields
    )
)


def values_of_kind(kind: str) -> set[str]:
    """The names of the values that the kind asks of a question and its options."""
    return {field.name for field in FORMS[kind].item_fields}


def example(field: FormField) -> Any:
    """A value that the field can have."""
    return next(iter(field.choices), 0.5 if field.value is Value.SHARE else field.default)
