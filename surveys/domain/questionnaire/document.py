"""A questionnaire as it is written: one plain document, which is what is stored, changed, copied, and sent as a file.

    {"candor": 2, "title": "…", "languages": ["en", "zh-hans"], "heading": TEXT, "who": TEXT, "why": TEXT,
     "consent": TEXT, "closing": TEXT, "closed": TEXT,
     "access": "open" | "invitation", "direct": false,
     …                                                      the fields of features, which surveys.features describe
     "comprehension": false, "early": false, "beside": false, "expected": 1000,
     "protection": {…},                                     what blocks follow from (surveys.domain.drafts.protect)
     "blocks": [{"name": "…", "kind": "flip", "settings": {…}, "questions": ["copied", …]}, …],
     "pages": [{"number": 1, "title": TEXT, "shuffle": false, "moves": false, "ask": null,
                "questions": [QUESTION, …]}, …]}

    A page may have its questions in random order, change places with the others that move, and ask only so many of its
    undisguised questions.
    QUESTION = {"id": "copied", "type": "yesno", "text": TEXT, "help": TEXT, "required": false, "shuffle": false,
     "min": "", "max": "", "low": TEXT, "high": TEXT, "settings": {…},
     …                                                      the fields of surveys.features.questions
     "options": [{"value": "…", "label": TEXT, "last": false, "settings": {…}}, …]}

TEXT maps language tags to texts. A question is sensitive if a block holds its id. What is published of it has the same
names in the definition (surveys.definition). When people answer, and what was published are no parts of a document:
they belong to the survey and not to its content.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from surveys import features
from surveys.features.questions import FIELDS, no_fields
from surveys.models import DraftDocument, PublishedDraft, Survey
from surveys.questions import TYPES
from surveys.questions.entered import EnteredBlock, EnteredOption, Question, Texts
from surveys.questions.rows import spoken_tag

Document = dict[str, Any]

FORMAT = 2
EARLIER = {"name": "id", "minimum": "min", "maximum": "max"}  # what format 1 called fields of a question
GONE = {"anchor", "anchor_share", "lineage"}  # fields that documents no longer have
ONE_ANSWER = gettext_lazy(
    "One question whose share is known no longer shows who follows the design, so the draft leaves that out: add the "
    "two ready-made questions instead."
)
TEXT_NAMES = {
    "heading": gettext_lazy("title for respondents"),
    "who": gettext_lazy("who asks"),
    "why": gettext_lazy("why, and what happens with the answers"),
    "consent": gettext_lazy("consent"),
    "closing": gettext_lazy("thanks after sending"),
    "closed": gettext_lazy("text once it is closed"),
    **features.NOTICE,
}
TEXTS = (*TEXT_NAMES, "unspoken")
PUBLISHED_TEXTS = ("heading", "who", "why", "consent", "closing")  # the first is the "title" of a definition
FLAGS = ("direct", "comprehension", "early", "beside")
PLAIN = tuple(dict.fromkeys(("title", "languages", *TEXTS, "access", *FLAGS, *features.empty(), "expected")))
PAGE_FLAGS = ("shuffle", "moves")
QUESTION_TEXTS = ("text", "help", "low", "high")
QUESTION_FLAGS = ("required", "shuffle")
QUESTION_LINES = ("min", "max", *(name for name, field in FIELDS.items() if field.line))
QUESTION_FIELDS = tuple(dict.fromkeys((*QUESTION_TEXTS, *QUESTION_FLAGS, *QUESTION_LINES, "settings", *FIELDS)))
# What the survey's own row says, too: lists, invitations and the page of a closed survey ask for it without the draft.
ON_SURVEY = ("title", "closed", "access", "expected")


def empty(title: str, languages: list[str]) -> Document:
    document: Document = {"candor": FORMAT, "title": title, "languages": languages, "access": "open", "expected": 1000}
    document |= {name: {} for name in TEXTS} | dict.fromkeys(FLAGS, False) | features.empty()
    return document | {"protection": {}, "blocks": [], "pages": [new_page(1)]}


def upgrade(document: Any) -> Any:
    """Bring a document of an earlier version into this format; anything else is returned as it is.

    Fields that the earlier version did not have are added, empty.
    """
    if not isinstance(document, dict) or document.get("candor") not in (1, FORMAT):
        return document
    document = features.empty() | {name: document[name] for name in document if name not in GONE} | {"candor": FORMAT}
    if isinstance(document.get("pages"), list):
        document["pages"] = [_upgrade_page(page) for page in document["pages"]]
    return document


def _upgrade_page(page: Any) -> Any:
    if not isinstance(page, dict) or not isinstance(page.get("questions"), list):
        return page
    questions = [upgrade_question(question) for question in page["questions"]]
    return {**dict.fromkeys(PAGE_FLAGS, False), "ask": None, **page, "questions": questions}


def upgrade_question(question: Any) -> Any:
    """Rename the question's fields to today's names. If it has both names it keeps both, and is refused."""
    if not isinstance(question, dict):
        return question
    names = {name: own for name, own in EARLIER.items() if own not in question}
    return no_fields() | {names.get(name, name): value for name, value in question.items()}


def new_page(number: int, questions: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"number": number, "title": {}, "ask": None, "questions": [*questions], **dict.fromkeys(PAGE_FLAGS, False)}


def new_question(name: str, kind: str) -> dict[str, Any]:
    question: dict[str, Any] = {"id": name, "type": kind, "settings": {}, "options": []}
    question |= {field: {} for field in QUESTION_TEXTS} | dict.fromkeys(QUESTION_FLAGS, False)
    return question | dict.fromkeys(QUESTION_LINES, "") | no_fields()


def new_option(value: str, label: Mapping[str, str], last: bool = False) -> dict[str, Any]:
    return {"value": value, "label": dict(label), "last": last, "settings": {}}


def questions(document: Document) -> Iterator[dict[str, Any]]:
    return (question for page in document["pages"] for question in page["questions"])


def sensitive(document: Document) -> set[str]:
    """The names of all sensitive questions."""
    return {name for block in document["blocks"] for name in block["questions"]}


def text_places(document: Document) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name of each text's place, as files for translators have it, and the text by language."""
    for name in TEXTS:
        yield name, document[name]
    for name, _shown, picture in features.pictures(document):
        yield name, picture["words"]
    for page in document["pages"]:
        yield f"page {page['number']}", page["title"]
    for question in questions(document):
        for name in QUESTION_TEXTS:
            yield f"{question['id']}.{name}", question[name]
        for field in FIELDS.values():
            yield from ((f"{question['id']}.{place}", text) for place, text in field.texts(question))
        for option in question["options"]:
            yield f"{question['id']}.options.{option['value']}", option["label"]


def read_document(survey: Survey) -> Document:
    document: Document = current_draft(survey).document
    return document


def published_document(**version: Any) -> Document | None:
    """The draft that the version of these fields was published from; None of versions from before these were kept."""
    kept = PublishedDraft.objects.filter(**version).first()
    return upgrade(kept.document) if kept else None


def current_draft(survey: Survey) -> DraftDocument:
    """The draft as it is now; of a survey that never had one, an empty one that is not stored.

    A machine of the version before may have stored an earlier format while the site was upgraded.
    """
    found = DraftDocument.objects.filter(survey=survey).first()
    if found is None:
        document = empty("", ["en"]) | {name: getattr(survey, name) for name in ON_SURVEY}
        return DraftDocument(survey=survey, document=document)
    found.survey, found.document = survey, upgrade(found.document)
    return found


@transaction.atomic
def write_closed_text(survey: Survey, texts: dict[str, str]) -> None:
    """Change the texts that people read once the survey is closed: at any time, as they are never published."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    draft = current_draft(survey)
    store(survey, {**draft.document, "closed": texts}, draft.number)


def store(survey: Survey, document: Document, number: int = 0) -> None:
    """Make the document the survey's draft. The caller has checked it, and holds the survey's lock."""
    now = {"document": document, "number": number, "changed_at": timezone.now()}
    DraftDocument.objects.update_or_create(survey=survey, defaults=now)
    fields = [name for name in ON_SURVEY if getattr(survey, name) != document[name]]
    for name in fields:
        setattr(survey, name, document[name])
    if fields:
        survey.save(update_fields=fields)


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
    """A document with its blocks, questions and pages as objects: one that is stored, or one that is considered.

    Nothing here is stored or changed: a change makes another document, of which there is another draft.
    """

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
