"""How a form asks for a block, as plain data: what the researcher enters, and how it becomes the design's JSON.

Nothing here knows Django. Labels and help are English sentences marked with `to_translate`; `make messages` collects
them, and the page shows them in the reader's language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from privacy.design.fields import YES_NO
from privacy.errors import EntryError, to_translate

Values = Mapping[str, Any]
"""What was entered, by the name of its field; None, or no entry, where a field was left empty."""


class Value(Enum):
    """What a field holds."""

    SHARE = "share"  # a number from 0 to 1
    NUMBER = "number"
    COUNT = "count"  # a whole number that is not negative
    SHARES = "shares"  # a list of shares
    CHOICE = "choice"  # one of `FormField.choices`
    MAP = "map"  # width, height and cell, and perhaps an outline: "lines" and "degrees"
    ZONES = "zones"  # a list of rectangles: left, bottom, width and height


@dataclass(frozen=True)
class FormChoice:
    value: str
    label: str


@dataclass(frozen=True)
class Explanation:
    """A value explained at more length than beside its field: its name, what it is, and what follows of changing it."""

    name: str
    what: str
    follows: str


@dataclass(frozen=True)
class FormField:
    """One value to enter; `default` stands there before anything was entered. `help` says in a sentence what it is.

    A field of an item is asked with its question, one that holds shares with each option. `yes_no`: it means something
    for yes/no items only. `elsewhere` is the sentence that refuses it where it means nothing, `missing` the one that
    asks for what no item can do without. `key` is what the design's JSON calls the value, where that is not `name`: a
    refusal of it is shown at this field.
    """

    name: str
    value: Value
    label: str
    help: str = ""
    default: float | str | None = None
    choices: tuple[FormChoice, ...] = ()
    yes_no: bool = False
    elsewhere: str = ""
    missing: str = ""
    term: Explanation | None = None
    key: str = ""


@dataclass(frozen=True)
class EnteredItem:
    """An item as it was entered: its options (None: a plain yes/no item), and the values of its own fields.

    An item on a grid has no options, and a `scale`: its keys in the design, such as min, max and step.

    A field that holds shares has a list with one entry for each option, None where it was left empty. A yes/no item
    that stands in a row of its question has the one share of that row.
    """

    id: str
    options: tuple[str, ...] | None
    values: Values
    scale: Values = field(default_factory=dict)

    @property
    def boolean(self) -> bool:
        return self.options in (None, YES_NO)


@dataclass(frozen=True)
class Advised:
    """How the advisor disguises a number or a place by a form.

    keys: all that a question may say of such an item; takes(entry): whether this form is for what it says.
    settings(budget): what is entered in the form for so much of ln γ.
    """

    keys: tuple[str, ...]
    takes: Callable[[Mapping[str, Any]], bool]
    settings: Callable[[float], dict[str, Any]]


SENSITIVE = "sensitive"  # the role of a question of which nothing else need be said


@dataclass(frozen=True)
class Stays:
    """How a form has the chance that an answer stays, where a table of questions gives that alone (XLSForm).

    apart: whether questions by themselves (True), or those of one block (False), are disguised by this form.
    settings(share): what is entered for the chance; share(settings): the chance that was entered.
    label: how the block is called that holds the questions by themselves.
    roles: the words that such a table has for its questions, each with what is entered for the question then.
    """

    apart: tuple[bool, ...]
    settings: Callable[[float], dict[str, Any]]
    share: Callable[[Values], float | None]
    label: str
    roles: Mapping[str, Values] = field(default_factory=lambda: {SENSITIVE: {}})


def bare_item(_values: Values, item: EnteredItem) -> dict[str, Any]:
    """An item of which the design's JSON says no more than its name and, on a grid, its scale."""
    return {"id": item.id, **item.scale}


def required(values: Values, name: str) -> Any:
    """What was entered in a field of the block, or a refusal."""
    if values.get(name) is None:
        raise EntryError("{key} is missing.", at=name, key=name)
    return values[name]


@dataclass(frozen=True)
class Form:
    """One way of disguising that a form offers.

    name: what is stored; label: what the choice says; fields: of the block; item_fields: of each of its items.
    takes(item): whether it can disguise the item; `refusal` is the sentence (marked) that says no.
    write_item(values, item): the item in the design's JSON; an EntryError's `at` is the field of the item.
    write(values, items): the blocks in the design's JSON; an EntryError's `at` is the field of the block.
    needs(values): how many items the block's numbers speak of, at least 1.
    advised: how the advisor takes numbers or places by it; None where it does not.
    stays: how it has the chance that an answer stays; None where it has none.
    """

    name: str
    label: str
    fields: tuple[FormField, ...]
    takes: Callable[[EnteredItem], bool]
    refusal: str
    write: Callable[[Values, Sequence[dict[str, Any]]], list[dict[str, Any]]]
    item_fields: tuple[FormField, ...] = ()
    write_item: Callable[[Values, EnteredItem], dict[str, Any]] = bare_item
    needs: Callable[[Values], int] = lambda values: values.get("ask") or 1
    advised: Advised | None = None
    stays: Stays | None = None


ASK = FormField(
    "ask",
    Value.COUNT,
    to_translate("ask only so many"),
    help=to_translate("Each device draws them at random. Empty: all."),
    term=Explanation(
        to_translate("Asked are only some"),
        to_translate("Each device draws this many questions of the block at random and asks only these."),
        to_translate(
            "With fewer questions, each is disguised less. But fewer people answer each, and even fewer answer each "
            "pair."
        ),
    ),
)
"""The field of every kind that can ask each respondent only some of its items."""

EPSILON = FormField(
    "epsilon",
    Value.NUMBER,
    to_translate("ε"),
    help=to_translate("ε is the natural logarithm of γ; those of blocks add up."),
    default=2.0,
    term=Explanation(
        to_translate("ε"),
        to_translate("The natural logarithm of γ, as in local differential privacy. The ε of blocks add up."),
        to_translate("A smaller ε protects more, but every figure needs more people."),
    ),
)
"""The field of every kind that is named by its ε."""


def of_epsilon(budget: float) -> dict[str, Any]:
    """What is entered for so much of ln γ in a form that is named by its ε."""
    return {EPSILON.name: budget}
