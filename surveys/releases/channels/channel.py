"""What the form of a release asks for a channel of a disguised column."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms

from privacy.design.rationals import parse_number
from privacy.errors import EntryError
from surveys.questions.number import LARGEST
from surveys.releases.table import SeenColumn


@dataclass(frozen=True)
class FormChannel:
    """`name` is that in a spec, and `fits` says whether a column can go through it.

    `fields` are those of a column, by the members of a spec that come of them; `entry` makes these members, and
    refuses at a field.
    """

    name: str
    label: Any
    fits: Callable[[SeenColumn], bool]
    fields: Callable[[SeenColumn], dict[str, forms.Field]]
    entry: Callable[[SeenColumn, Mapping[str, Any]], dict[str, Any]]


def figure(label: Any, help_text: Any = "", most: float | None = 1, **more: Any) -> forms.FloatField:
    """A number from 0 that may be left out, written with a point in every language."""
    limits: dict[str, Any] = {"min_value": 0, "max_value": most} | more
    return forms.FloatField(label=label, required=False, localize=False, help_text=help_text, **limits)


def plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)


def parts_of(line: str) -> Sequence[str]:
    return line.replace(",", " ").replace(";", " ").split()


def number_of(text: str, at: str = "") -> Decimal:
    number = parse_number(text)
    if number is None:
        raise EntryError("{value} is not a number.", at=at, value=f"“{text}”")
    if abs(number) > LARGEST:
        raise EntryError("{value} is too large a number.", at=at, value=f"“{text}”")
    return number
