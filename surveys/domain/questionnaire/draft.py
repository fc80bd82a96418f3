"""A document as what composes and checks it reads: its blocks and questions by their names, each question in its block.

Nothing here is stored or changed: a change makes another document, of which there is another draft.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys.domain.questionnaire.document import PAGE_FLAGS, QUESTION_FIELDS, Document, read_document
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.entered import EnteredBlock, EnteredOption, Question, Texts
from surveys.questions.rows import spoken_tag


@dataclass(frozen=True, eq=False)
class Page:
    number: int
    title: Texts
    flags: tuple[str, ...]  # those of PAGE_FLAGS that hold
    ask: int | None  # so many of its undisguised questions

    def __str__(self) -> str:
        return _("Page %(number)s") % {"number": self.number}

    @property
    def place(self) -> str:
        return f"page {self.number}"


@dataclass(frozen=True, eq=False)
class Draft:
    """A document with its blocks, questions and pages as objects: one that is stored, or one that is considered."""

    survey: Survey
    document: Document
    blocks: tuple[EnteredBlock, ...]
    questions: tuple[Question, ...]
    pages: tuple[Page, ...]

    @classmethod
    def from_document(cls, survey: Survey, document: Document) -> "Draft":
        blocks = tuple(EnteredBlock(entry["name"], entry["kind"], entry["settings"]) for entry in document["blocks"])
        within = {
            name: block for block, entry in zip(blocks, document["blocks"], strict=True) for name in entry["questions"]
        }
        return cls(
            survey,
            document,
            blocks,
            tuple(
                _question(entry, page["number"], within.get(entry["id"]))
                for page in document["pages"]
                for entry in page["questions"]
            ),
            tuple(
                Page(page["number"], page["title"], tuple(filter(page.get, PAGE_FLAGS)), page.get("ask"))
                for page in document["pages"]
            ),
        )

    @classmethod
    def load(cls, survey: Survey) -> "Draft":
        return cls.from_document(survey, read_document(survey))

    @property
    def languages(self) -> list[str]:
        """The tags of the languages, the main one first."""
        return self.document["languages"]

    @property
    def unspoken(self) -> list[str]:
        """The languages that the respondent's page does not speak."""
        return [tag for tag in self.languages if not spoken_tag(tag)]

    def inside(self, block: EnteredBlock) -> list[Question]:
        return [question for question in self.questions if question.block is block]

    def on_page(self, page: Page) -> list[Question]:
        return [question for question in self.questions if question.page == page.number]


def _question(entry: Mapping[str, Any], page: int, block: EnteredBlock | None) -> Question:
    return Question(
        page=page,
        block=block,
        options=tuple(
            EnteredOption(option["value"], option["label"], option["last"], option["settings"])
            for option in (entry["options"] if TYPES[entry["type"]].groups else ())  # they wait for a type with some
        ),
        **{name: entry[name] for name in (*QUESTION_FIELDS, "id", "type")},
    )
