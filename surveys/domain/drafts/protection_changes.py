"""Named changes of the protection: the choices that blocks follow from, and blocks made by hand."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.named import Change, change, find
from surveys.domain.drafts.protect import PROPOSAL, TELL, by_hand, new_block, read_wishes
from surveys.domain.questionnaire.document import Document, questions
from surveys.domain.questionnaire.guess import GUESS, LEAST_SHARE, check_guess, range_of_guess, word_of, write_range
from surveys.kinds import FORMS, OPTION_FIELDS, OWN_DISGUISE, QUESTION_FIELDS
from surveys.kinds.forms import HARMLESS, FormField, Value


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
