"""What changes and checks of a document ask of each feature: its part *changes*. Its module also adds named changes."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError
from surveys.domain.questionnaire.document import Document
from surveys.features import parts_of
from surveys.rules import Faults, Rule

Lister = Callable[[Sequence[EnteredItem], float, int], dict[str, Any] | None]
"""The settings of a list of words for these items, by the bound γ and the people expected; None where it has none."""


@dataclass(frozen=True)
class ChangePart:
    """A feature in a document that changes.

    rules       the shape of each of its fields
    faults      what is wrong with it beside the rest of the document, whose shape may be wrong, too
    entered     the shape of values that are entered as settings, by name
    setters     what the change of one field of the survey does, by field
    wrong       raises EntryError where its choices of protection are none that are offered
    forget      takes it out of the document where it needs one of these questions, which are going
    rename      gives a question another name in it
    elsewhere   the document for another survey
    pairs       whether what goes together must be seen in pairs of answers, so that no list of words may be proposed
    listed      what makes the settings of the list of words that its choices of protection ask for, if they do
    """

    rules: Mapping[str, Rule]
    faults: Callable[[Any, Collection[str]], Faults] = lambda _document, _names: ()
    entered: Mapping[str, Rule] = field(default_factory=dict)
    setters: Mapping[str, Callable[[Document, Any], None]] = field(default_factory=dict)
    wrong: Callable[[Mapping[str, Any]], None] = lambda _chosen: None
    forget: Callable[[Document, Collection[str]], None] = lambda _document, _names: None
    rename: Callable[[Document, str, str], None] = lambda _document, _old, _new: None
    elsewhere: Callable[[Document], Document] = lambda document: document
    pairs: Callable[[Document], bool] = lambda _document: False
    listed: Callable[[Mapping[str, Any]], Lister | None] = lambda _chosen: None


def shape() -> dict[str, Rule]:
    """The rules of features, looked up when a document is checked: changes import the checks."""
    return {name: rule for part in parts_of(ChangePart).values() for name, rule in part.rules.items()}


def faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    for part in parts_of(ChangePart).values():
        yield from part.faults(document, names)


def rules_of_settings() -> dict[str, Rule]:
    return {name: rule for part in parts_of(ChangePart).values() for name, rule in part.entered.items()}


def setters() -> dict[str, Callable[[Document, Any], None]]:
    return {name: setter for part in parts_of(ChangePart).values() for name, setter in part.setters.items()}


def check_choices(chosen: Mapping[str, Any]) -> None:
    for part in parts_of(ChangePart).values():
        part.wrong(chosen)


def forget(document: Document, names: Collection[str]) -> None:
    for part in parts_of(ChangePart).values():
        part.forget(document, names)


def rename(document: Document, old: str, new: str) -> None:
    for part in parts_of(ChangePart).values():
        part.rename(document, old, new)


def for_another(document: Document) -> Document:
    """The document for another survey: what stands in relation to this one is left out."""
    for part in parts_of(ChangePart).values():
        document = part.elsewhere(document)
    return document


def needs_pairs(document: Document) -> bool:
    return any(part.pairs(document) for part in parts_of(ChangePart).values())


def lister(chosen: Mapping[str, Any]) -> Lister | None:
    """What makes the list of words that choices of protection ask a feature for; None where they ask none."""
    return next((made for part in parts_of(ChangePart).values() if (made := part.listed(chosen))), None)
