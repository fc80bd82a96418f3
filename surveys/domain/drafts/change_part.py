"""What changes and checks of a document ask of each feature: its part *changed*. Its module also adds named changes."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import Document
from surveys.features import parts_of

Rule = Callable[[Any, str], Iterable[EntryError]]
"""What is wrong with a value at a place."""


@dataclass(frozen=True)
class ChangePart:
    """A feature in a document that changes.

    rule        the shape of its value
    faults      what is wrong with it beside the rest of the document, whose shape may be wrong, too
    forget      takes it out of the document where it needs one of these questions, which are going
    rename      gives a question another name in it
    pairs       whether what goes together must be seen in pairs of answers, so that no list of words may be proposed
    """

    rule: Rule
    faults: Callable[[Any, Collection[str]], Iterable[EntryError]] = lambda _document, _names: ()
    forget: Callable[[Document, Collection[str]], None] = lambda _document, _names: None
    rename: Callable[[Document, str, str], None] = lambda _document, _old, _new: None
    pairs: Callable[[Document], bool] = lambda _document: False


def shape() -> dict[str, Rule]:
    """The rule of each feature's value, looked up when a document is checked: changes import the checks."""
    return {name: part.rule for name, part in parts_of(ChangePart).items()}


def faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    for part in parts_of(ChangePart).values():
        yield from part.faults(document, names)


def forget(document: Document, names: Collection[str]) -> None:
    for part in parts_of(ChangePart).values():
        part.forget(document, names)


def rename(document: Document, old: str, new: str) -> None:
    for part in parts_of(ChangePart).values():
        part.rename(document, old, new)


def needs_pairs(document: Document) -> bool:
    return any(part.pairs(document) for part in parts_of(ChangePart).values())
