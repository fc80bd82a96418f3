"""What the studio asks for of a kind of block, and what it says of it: fields, labels, help, and longer explanations.

Texts are English sentences marked with `to_translate`; `make messages` collects them, and the page shows them in the
reader's language.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from privacy.design.recipes import Values
from privacy.errors import to_translate


class Value(Enum):
    """What a field holds."""

    SHARE = "share"  # a number from 0 to 1
    NUMBER = "number"
    COUNT = "count"  # a whole number that is not negative
    SHARES = "shares"  # a list of shares
    NUMBERS = "numbers"  # a list of numbers
    WORDS = "words"  # a list of words, as patterns are written
    CHOICE = "choice"  # one of `FormField.choices`
    ANSWER = "answer"  # one of the answers to the question itself
    MAP = "map"  # width, height and cell, and perhaps an outline: "lines" and "degrees"
    ZONES = "zones"  # a list of rectangles: left, bottom, width and height


@dataclass(frozen=True)
class Explanation:
    """A value explained at more length than beside its field: its name, what it is, and what follows of changing it."""

    name: str
    what: str
    follows: str


@dataclass(frozen=True)
class FormField:
    """One value to enter; `default` stands there before anything was entered. `help` says in a sentence what it is.

    `choices` are values, each with its label. A field of an item is asked with its question, one that holds shares with
    each option. `yes_no`: it means something for yes/no items only. `elsewhere` is the sentence that refuses it where
    it means nothing, `missing` the one that asks for what no item can do without. `key` is what the design's JSON calls
    the value, where that is not `name`: a refusal of it is shown at this field.
    """

    name: str
    value: Value
    label: str
    help: str = ""
    default: float | str | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    yes_no: bool = False
    elsewhere: str = ""
    missing: str = ""
    term: Explanation | None = None
    key: str = ""


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


@dataclass(frozen=True)
class Form:
    """What is asked for, and said, of a recipe of blocks.

    label: what the choice says; fields: of the block; item_fields: of each of its items.
    refusal: the sentence that says no to an item that the recipe does not take.
    stays: how it has the chance that an answer stays; None where it has none.
    """

    label: str
    fields: tuple[FormField, ...]
    refusal: str
    item_fields: tuple[FormField, ...] = ()
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

HARMLESS = FormField(
    "harmless",
    Value.ANSWER,
    to_translate("harmless answer"),
    elsewhere=to_translate("Only one-sided blocks and lists of words have harmless answers: leave it empty."),
    term=Explanation(
        to_translate("The harmless answer"),
        to_translate(
            "A one-sided block hides one answer only: people with the harmless answer sometimes send the other. A list "
            "of words hides all answers, and has no word for the harmless one."
        ),
        to_translate(
            "Under a one-sided block a stored harmless answer is true: choose one that can harm nobody. For a list of "
            "words choose the commonest answer."
        ),
    ),
)
"""The field of kinds that do not send one of the answers to a question as they send the others."""
