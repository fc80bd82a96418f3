"""A feature of a survey: something that a questionnaire may have beside its questions and its disguise.

A feature is a folder of `surveys.features` and a row of the table there. The row holds what is known without a
database: how the entry of a definition is checked, and what staff read of it. All else is a *part*: a module of the
folder that one room asks. The class of a part belongs to the room that asks (`DraftPart` to the questionnaire and
to its drafts, `ReportingPart` to results, `StaffPart` to the studio), so that a part may import what that room
may, and no room knows which features there are.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from privacy.design import Design
from privacy.errors import to_translate
from surveys.questions import PublishedQuestion

PARTS = {
    "DraftPart": "draft",
    "ReportingPart": "report",
    "StaffPart": "staff",
}
"""The class of a part, and the module that has it, in the order in which rooms may import one another."""
PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,39}")  # of an address: none of ours, which have one letter
PARAMETER_RULE = to_translate(
    "a parameter of the address is a letter, then 1 to 39 of a-z, A-Z, 0-9, - and _, such as group."
)
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
    entries   the names of its entries in a definition: none where it is in none
    asked     what a device says beside undisguised answers, as if it had been asked
    rehearsed     whether simulated people meet it, too
    online    whether people can answer only while their device reaches the site
    lasting   whether a version that has it ends with its survey
    noted     what files say of it in English: a sentence, and the name and the value of what is to be known
    codebook  what the codebook of files has of it, under the name of its first entry
    parts     the modules of its folder that rooms ask; a room that finds none of its name passes over the feature
    """

    name: str
    empty: Mapping[str, Any]
    check: Callable[[Around], None]
    says: Callable[[Source, Named], Iterator[str]]
    entries: tuple[str, ...] = ("",)
    asked: Callable[[Design, Source], tuple[PublishedQuestion, ...]] = lambda _design, _source: ()
    rehearsed: bool = True
    online: bool = False
    lasting: bool = False
    noted: Callable[[Source], tuple[str, str, str]] | None = None
    codebook: Callable[[Source], Any] | None = None
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if strange := sorted({*self.parts}.difference(PARTS.values())):
            raise TypeError(f"{self.name} has parts that nobody asks: {', '.join(strange)}.")
        if self.entries == ("",):
            object.__setattr__(self, "entries", (self.name,))
