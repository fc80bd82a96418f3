"""A feature of a survey: something that a questionnaire may have beside its questions and its disguise.

A feature is a folder of `surveys.features` and a row of the table there. The row holds what is known without a
database: how the entry of a definition is checked, and what staff read of it. All else is a *part*: a module of the
folder that one room asks. The class of a part belongs to the room that asks (`DraftPart` to the questionnaire,
`ChangePart` to drafts, `ReportingPart` to results, `StaffPart` to the studio), so that a part may import what that room
may, and no room knows which features there are.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from privacy.design import Design
from surveys.questions import PublishedQuestion

PARTS = {"DraftPart": "draft", "ChangePart": "changes", "ReportingPart": "report", "StaffPart": "staff"}
"""The class of a part, and the module that has it, in the order in which rooms may import one another."""
Source = Mapping[str, Any]
"""A definition as JSON."""
Named = Callable[[str], str]
"""Says an answer in the words of its question."""


@dataclass(frozen=True)
class Around:
    """A definition whose design and questions have been read: what a check looks at."""

    source: Source
    design: Design
    questions: tuple[PublishedQuestion, ...]


@dataclass(frozen=True)
class Feature:
    """A row of the table. Checks and sentences are asked of a definition that has one of the entries alone.

    name      the name of its folder, and of its entry in a definition, if `entries` does not say otherwise
    empty     what a document holds where the survey does not have it, by field; {} where it has no field of its own
    check     refuses a definition whose entry is wrong
    says      what staff read of it
    entries   the names of its entries in a definition
    follows   whether the definition must have it, where that follows from its design: then it is true
    asked     what a device says beside undisguised answers, as if it had been asked
    files     the names of the pictures that it uses
    codebook  what the codebook of files has of it, under the name of its first entry
    parts     the modules of its folder that rooms ask; a room that finds none of its name passes over the feature
    """

    name: str
    empty: Mapping[str, Any]
    check: Callable[[Around], None]
    says: Callable[[Source, Named], Iterator[str]]
    entries: tuple[str, ...] = ()
    follows: Callable[[Design], bool] | None = None
    asked: Callable[[Design], tuple[PublishedQuestion, ...]] = lambda _design: ()
    files: Callable[[Source], set[str]] = lambda _source: set()
    codebook: Callable[[Source], Any] | None = None
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if strange := sorted({*self.parts}.difference(PARTS.values())):
            raise TypeError(f"{self.name} has parts that nobody asks: {', '.join(strange)}.")
        if not self.entries:
            object.__setattr__(self, "entries", (self.name,))

    def is_in(self, source: Source) -> bool:
        return any(entry in source for entry in self.entries)
