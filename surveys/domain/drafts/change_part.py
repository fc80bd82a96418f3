"""What changes and checks of a document ask of each feature: its part *changes*. Its module also adds named changes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import Document
from surveys.features import parts_of
from surveys.rules import Faults, Rule


@dataclass(frozen=True)
class ChangePart:
    """A feature in a document that changes.

    rules       the shape of each of its fields
    faults      what is wrong with it beside the rest of the document, whose shape may be wrong, too
    setters     what the change of one field of the survey does, by field
    wrong       raises EntryError where its choices of protection are none that are offered
    forget      takes it out of the document where it needs one of these questions, which are going
    rename      gives a question another name in it
    elsewhere   the document for another survey
    pairs       whether what goes together must be seen in pairs of answers, so that no list of words may be proposed
    """

    rules: Mapping[str, Rule]
    faults: Callable[[Any, Collection[str]], Faults] = lambda _document, _names: ()
    setters: Mapping[str, Callable[[Document, Any], None]] = field(default_factory=dict)
    wrong: Callable[[Mapping[str, Any]], None] = lambda _chosen: None
    forget: Callable[[Document, Collection[str]], None] = lambda _document, _names: None
    rename: Callable[[Document, str, str], None] = lambda _document, _old, _new: None
    elsewhere: Callable[[Document], Document] = lambda document: document
    pairs: Callable[[Document], bool] = lambda _document: False


def shape() -> dict[str, Rule]:
    """The rules of features, looked up when a document is checked: changes import the checks."""
    return {name: rule for part in parts_of(ChangePart).values() for name, rule in part.rules.items()}


def faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    for part in parts_of(ChangePart).values():
        yield from part.faults(document, names)


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
