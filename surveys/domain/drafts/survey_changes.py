"""Named changes of the survey as a whole: its texts and switches, a translation of all texts, another document."""

import re
from copy import deepcopy
from typing import Any

from privacy.errors import EntryError
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.named import Change, change, write_text
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import FLAGS, TEXTS, Document, text_places

MOST_PEOPLE = 10**9
NONE = "-"  # in place of an answer: no name is written so


@change("survey")
def _survey(document: Document, said: Change, _wanted: set[str]) -> None:
    field, value = said["field"], said["value"]
    if field in TEXTS:
        write_text(document[field], said["language"], value)
    elif field == "languages":
        document["languages"] = [
            tag.lower() for tag in (value.replace(",", " ").split() if isinstance(value, str) else value)
        ]
    elif field == "expected":
        document["expected"] = _people(value)
    elif field in ("title", "access", *FLAGS):
        document[field] = value.strip() if isinstance(value, str) else value
        if field == "title" and not document["title"]:
            raise EntryError("a survey needs a working title.", at="title")
        if field == "direct" and not document["direct"]:
            document["lot"] = None
    elif field == "lot":
        document["lot"] = int(value) if value else None
    elif field == "anchor":
        document["anchor"] = value if value != NONE else None
    elif field == "anchor_share":
        document["anchor_share"] = float(value) if value else None
    else:
        raise KeyError(field)


def _people(value: Any) -> int:
    """A number of people, perhaps typed with spaces or commas at the thousands."""
    typed = re.sub(r"[\s,]", "", str(value))
    if not typed.isdecimal() or not 0 < int(typed) <= MOST_PEOPLE:
        raise EntryError(
            "{text} is not a number of people from 1 to {most}.", at="expected", text=f"“{value}”", most=MOST_PEOPLE
        )
    return int(typed)


@change("translate")
def _translate(document: Document, said: Change, _wanted: set[str]) -> None:
    """Texts in one language, by their places; those that name no place change nothing."""
    language, texts = said["language"], said["texts"]
    if language not in document["languages"]:
        document["languages"].append(language)
    for place, own in text_places(document):
        if place in texts:
            write_text(own, language, texts[place])


@change("replace")
def _replace(document: Document, said: Change, wanted: set[str]) -> None:
    """Another document in place of this one: an import. The working title stays."""
    other = documents.upgrade(deepcopy(said["document"]))
    check(other)
    document.update(other, title=document["title"])
    wanted.clear()
    wanted |= documents.sensitive(document)
