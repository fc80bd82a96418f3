"""Named changes of the survey as a whole: texts and switches, a translation, another document, and its protection."""

import math
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import Change, change, find, setters
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.protect import PROPOSAL, TELL, by_hand, new_block, read_wishes
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import FLAGS, TEXTS, Document, questions, text_places
from surveys.domain.questionnaire.guess import GUESS, LEAST_SHARE, check_guess, range_of_guess, word_of, write_range
from surveys.kinds import FORMS, OPTION_FIELDS, OWN_DISGUISE, QUESTION_FIELDS
from surveys.kinds.forms import HARMLESS, FormField, Value
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


@change("protect", gettext_lazy("protection changed"))
def _protect(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change a choice that blocks follow from (how sure, what is reported, how many are asked), or propose again."""
    own, field, value = dict(document["protection"]), said["field"], said["value"]
    if field in TELL:
        own["tell"] = [what for what in TELL if (bool(value) if what == field else what in read_wishes(document).tell)]
    elif field == "sure":
        own["sure"] = int(value)
    elif field == GUESS:
        own[field] = _read_guess(own.get(GUESS), said)
        for question in questions(document):
            question["settings"].pop(GUESS, None)
    elif field == "within":
        own["within"] = _percent(value)
        read_wishes({"protection": own})
    elif field == "asked":
        own["asked"] = int(value) if value else None
    elif field == "way":
        own.pop(field, None)
        if value:
            own[field] = value
        read_wishes({"protection": own})
    elif field == "by" and value == PROPOSAL:
        own["by"] = value
    else:
        raise KeyError(field)
    document["protection"] = own


def _read_guess(now: Any, said: Change) -> str | None:
    """The guess that a change says: whole, or one `part` of it in percent, which leaves the others."""
    if "part" not in said:
        check_guess(said["value"], "protection.guess")
        return said["value"] or None
    about, low, high = range_of_guess(now)
    share, part = _percent(said["value"]) / 100, said["part"]
    if part == "about":  # the range goes along
        low, high = (min(end * share / about, 1 - LEAST_SHARE) if low < high else share for end in (low, high))
        about = share
    elif part == "low":
        low, high = share, max(high, about)
    elif part == "high":
        low, high = min(low, about), share
    else:
        raise KeyError(part)
    if not low <= about <= high:
        raise EntryError(
            "{value} leaves the guess outside its range.", at="protection.guess", value=f"{said['value']} %"
        )
    made = write_range(about, low, high)
    check_guess(made, "protection.guess")
    return made


def _percent(value: Any) -> float:
    """A percentage as people write it, with a point or a comma."""
    try:
        number = float(str(value).strip().rstrip("%").replace(",", "."))
    except ValueError:
        number = math.nan
    if not 0 < number < 100:
        raise EntryError("{value} is not a percentage above 0 and below 100.", at="protection", value=f"“{value}”")
    return number


@change("guesses", gettext_lazy("guesses of shares changed"))
def _write_guesses(document: Document, said: Change, wanted: set[str]) -> None:
    """Guess each sensitive question by the share that an earlier version found; `words` has the guess of each name."""
    for question in questions(document):
        if question["id"] in wanted and (word := said["words"].get(question["id"])):
            question["settings"][GUESS] = word


@change("setting", gettext_lazy("protection changed"))
def _change_setting(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set a value that the block asks for at the question; an empty value removes it.

    With `option`, the share of this option in a list that has one for each.
    """
    question = find(document, said["question"])
    if said["name"] == GUESS and "part" in said:
        now = word_of(document, question["settings"])
        question["settings"][GUESS] = _read_guess(now, said)
    elif "option" in said:
        own = next(option for option in question["options"] if option["value"] == said["option"])
        shares = {name: replace(field, value=Value.SHARE) for name, field in OPTION_FIELDS.items()}
        _enter_setting(own["settings"], str(said["name"]), said["value"], shares)
    else:
        _enter_setting(question["settings"], str(said["name"]), said["value"], QUESTION_FIELDS)
    if said["name"] in OWN_DISGUISE and said["name"] != HARMLESS.name:  # a proposal may have it, too
        by_hand(document)


@change("block", gettext_lazy("protection changed"))
def _change_block(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change a setting of a block, several `settings`, or its kind; with `question`, move this to another block."""
    by_hand(document)
    blocks, value = document["blocks"], said["value"]
    if "question" in said:
        name = find(document, said["question"])["id"]
        own = next(block for block in blocks if name in block["questions"])
        target = new_block(document, own) if value == "new" else blocks[_index(value, len(blocks))]
        own["questions"].remove(name)
        target["questions"].append(name)
        document["blocks"] = [block for block in blocks if block["questions"]]
        return
    block = blocks[_index(said["place"], len(blocks))]
    if said["field"] == "kind":
        usual = {field.name: field.default for field in FORMS[value].fields if field.default is not None}
        block |= {"kind": value, "settings": usual}
        return
    fields = {field.name: field for field in FORMS[block["kind"]].fields}
    block["settings"] = dict(block["settings"])
    for name, entered in (value if said["field"] == "settings" else {said["field"]: value}).items():
        _enter_setting(block["settings"], fields[name].name, entered, fields)


def _index(value: Any, below: int) -> int:
    place = int(value)
    if not 0 <= place < below:
        raise IndexError
    return place


def _enter_setting(settings: dict[str, Any], name: str, value: Any, fields: Mapping[str, FormField]) -> None:
    """Store an entered value; typed text becomes the number that its field holds."""
    typed = value.strip() if isinstance(value, str) else value
    if typed in (None, ""):
        settings.pop(name, None)
    elif isinstance(typed, str) and name in fields:
        settings[name] = _parse_value(typed, fields[name])
    else:
        settings[name] = typed


def _parse_value(text: str, field: FormField) -> Any:
    try:
        match field.value:
            case Value.COUNT:
                return int(text)
            case Value.SHARE | Value.NUMBER:
                return float(text)
            case Value.SHARES | Value.NUMBERS:
                return [float(part) for part in text.replace(";", ",").split(",")]
            case Value.WORDS:
                return [word for part in text.split(";") if (word := part.strip())]
            case _:
                return text
    except ValueError:
        raise EntryError("{text} is no number.", at=field.name, text=f"“{text}”") from None
