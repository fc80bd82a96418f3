"""Named changes of the survey as a whole: its texts and switches, a translation of all texts, another document."""

import re
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import setters
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.named import Change, change
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import FLAGS, TEXTS, Document, text_places
from surveys.questions.entered import write_text
from surveys.questions.rows import spoken_tag, translations

MOST_PEOPLE = 10**9


@change("survey", gettext_lazy("survey changed"))
def _change_field(document: Document, said: Change, _wanted: set[str]) -> None:
    field, value = said["field"], said["value"]
    if set_own := setters().get(field):
        set_own(document, value)
    elif field in TEXTS:
        write_text(document[field], said["language"], value)
    elif field in ("languages", "main", "also", "without"):
        _choose_languages(document, _languages_after(document["languages"], field, value))
    elif field == "expected":
        document["expected"] = _parse_people(value)
    elif field in ("title", "access", *FLAGS):
        document[field] = value.strip() if isinstance(value, str) else value
        if field == "title" and not document["title"]:
            raise EntryError("a survey needs a working title.", at="title")
    else:
        raise KeyError(field)


def _languages_after(before: list[str], field: str, value: Any) -> list[str]:
    """The tags after a change: of all, of the main language, or with one more or less."""
    if field == "languages":
        return [tag.lower() for tag in (value.replace(",", " ").split() if isinstance(value, str) else value)]
    others = [tag for tag in before if tag != value]
    if field == "main":
        return [value, *(others if value in before else before[1:])]
    return [*others, value] if field == "also" else others


def _choose_languages(document: Document, tags: list[str]) -> None:
    """Set the languages and fill in ready-made texts; a replaced main language gives its texts to the new one."""
    before = document["languages"][0]
    is_replaced = bool(tags) and before not in tags and tags[0] not in document["languages"]
    document["languages"] = tags
    for _place, own in text_places(document):
        ready = translations(own)
        ours = {tag: ready[spoken] for tag in tags if ready and (spoken := spoken_tag(tag))}
        own |= ours
        if is_replaced and before in own:
            own[tags[0]] = ours.get(tags[0], own[before])
            del own[before]


def _parse_people(value: Any) -> int:
    """A number of people, perhaps typed with spaces or commas at the thousands."""
    typed = re.sub(r"[\s,]", "", str(value))
    if not typed.isdecimal() or len(typed) > len(str(MOST_PEOPLE)) or not 0 < int(typed) <= MOST_PEOPLE:
        raise EntryError(
            "{text} is not a number of people from 1 to {most}.",
            at="expected",
            text=f"“{str(value)[:20]}”",
            most=MOST_PEOPLE,
        )
    return int(typed)


@change("translate", gettext_lazy("translation changed"))
def _translate(document: Document, said: Change, _wanted: set[str]) -> None:
    """Write texts in one language, given by their places; places that do not exist are ignored."""
    language, texts = said["language"], said["texts"]
    if language not in document["languages"]:
        document["languages"].append(language)
    for place, own in text_places(document):
        if place in texts:
            write_text(own, language, texts[place])


@change("replace", gettext_lazy("imported"))
def _replace_document(document: Document, said: Change, wanted: set[str]) -> None:
    """Put another document, such as an import, in place of this one. The working title stays."""
    other = documents.upgrade(deepcopy(said["document"]))
    check(other)
    document.update(other, title=document["title"])
    wanted.clear()
    wanted |= documents.sensitive(document)
