"""The named changes of a draft: each is a function from a document, and what the change says, to the next document.

A change is a JSON object: `{"do": "move", "question": "copied", "to": "up"}`. `apply` is the only way in. EntryError
says why a change cannot be made; nothing has changed then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict
from typing import Any

from privacy.design.maps import read_map
from privacy.errors import EntryError, InputError
from surveys.domain.drafts import document as documents
from surveys.domain.drafts import protection_changes  # noqa: F401  # its changes stand in the table, too
from surveys.domain.drafts.document import (
    FLAGS,
    QUESTION_FLAGS,
    QUESTION_LINES,
    QUESTION_TEXTS,
    TEXTS,
    Document,
    draft_of,
)
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.named import CHANGES, Change, change, find
from surveys.domain.drafts.names import numbered, option_value, question_name, taken_in
from surveys.domain.drafts.protect import arranged
from surveys.domain.questionnaire.check import refusals
from surveys.domain.questionnaire.write import Draft, compose_design
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.outline import check_lines, read_outline
from surveys.questions.place import NO_MAP, SIZE
from surveys.questions.rows import PREFER_NOT, SKIP, Rows

MOST_LINES = 200
PARTS = ("left", "bottom", "width", "height")  # of a zone
MOST_PEOPLE = 10**9
NONE = "-"  # in place of an answer: no name is written so
# What a value of another kind than is expected makes of a change.
WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration, ArithmeticError, RecursionError)


def apply(survey: Survey, document: Document, change: Change) -> Document:
    """The next document. Blocks are arranged anew where they are proposed, and names are looked after."""
    do = CHANGES.get(str(change.get("do")))
    if do is None:
        raise EntryError("there is no change of this name.", at="do")
    after = deepcopy(document)
    wanted = documents.sensitive(after)
    try:
        do(after, change, wanted)
        check({**after, "blocks": []})
        names = {question["name"] for question in documents.questions(after)}
        after = arranged(survey, _without_gone(after, names), wanted & names)
        check(after)
        attempt(draft_of(survey, after))
    except InputError:
        raise
    except WRONG:
        raise EntryError("this change does not say what it needs to.", at=str(change.get("do"))) from None
    return after


def attempt(draft: Draft) -> None:
    """Whatever a page works out of the draft must come to an end, be it a refusal: values of blocks may be anything."""
    with suppress(InputError):
        if not refusals(draft):
            compose_design(draft)


def _without_gone(document: Document, names: set[str]) -> Document:
    """Blocks and conditions forget questions that are not there any more."""
    for block in document["blocks"]:
        block["questions"] = [name for name in block["questions"] if name in names]
    for question in documents.questions(document):
        if question["when"] and question["when"]["question"] not in names:
            question["when"] = None
    return document


# ---- texts and single values ----------------------------------------------------------------------------------------


@change("survey")
def _survey(document: Document, said: Change, _wanted: set[str]) -> None:
    field, value = said["field"], said["value"]
    if field in TEXTS:
        _write(document[field], said["language"], value)
    elif field == "languages":
        document["languages"] = [tag.lower() for tag in value]
    elif field == "expected":
        document["expected"] = _people(value)
    elif field in ("title", "access", *FLAGS):
        document[field] = value.strip() if isinstance(value, str) else value
        if field == "title" and not document["title"]:
            raise EntryError("a survey has a working title.", at="title")
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
            "{text} is no number of people from 1 to {most}.", at="expected", text=f"“{value}”", most=MOST_PEOPLE
        )
    return int(typed)


@change("question")
def _question(document: Document, said: Change, _wanted: set[str]) -> None:
    question, field, value = find(document, said["question"]), said["field"], said["value"]
    if field in QUESTION_TEXTS:
        _write(question[field], said["language"], value)
    elif field in QUESTION_FLAGS:
        question[field] = value
    elif field in QUESTION_LINES:
        question[field] = value.strip()
    else:
        raise KeyError(field)


def _write(texts: dict[str, str], language: str, value: str) -> None:
    """Set the text; an empty one is none."""
    if text := value.replace("\r\n", "\n").strip():
        texts[language] = text
    else:
        texts.pop(language, None)


@change("map")
def _map(document: Document, said: Change, _wanted: set[str]) -> None:
    """The map of a place: one of its measures, or the outline from a GeoJSON file, which brings all of them.

    An empty outline is a plain grid; so is one that a smaller map has no room for.
    """
    settings, field, value = find(document, said["question"])["settings"], said["field"], said["value"]
    own = dict(settings.get("map") or NO_MAP)
    size = {name: own[name] for name in SIZE}
    if field == "outline":
        own = asdict(read_outline(value.encode())) if value else size
    elif field in SIZE:
        size[field] = _length(value)
        read_map(size, "map")
        keeps = check_lines(own.get("lines", []), size["width"], size["height"])
        own = {**own, **size} if keeps else size
    else:
        raise KeyError(field)
    settings["map"] = own


@change("zone")
def _zone(document: Document, said: Change, _wanted: set[str]) -> None:
    """A sensitive zone of a place, by its number from 0: its four lengths, or one of them, or null to take it away.

    A zone after the last one is new; so is one without a number. Without zones the whole map is hidden.
    """
    question = find(document, said["question"])
    zones = [list(zone) for zone in question["settings"].get("zones") or ()]
    number, part, value = said["zone"], said.get("part"), said["value"]
    number = len(zones) if number is None else number
    if part is not None:
        zones[number][PARTS.index(part)] = _length(value)
    else:
        zones[number : number + 1] = [] if value is None else [[_length(value[place]) for place in range(len(PARTS))]]
    others = {name: own for name, own in question["settings"].items() if name != "zones"}
    question["settings"] = others | ({"zones": zones} if zones else {})
    for block in document["blocks"]:
        if block["questions"] == [question["name"]]:
            block["kind"] = "zones" if zones else "square"


def _length(value: Any) -> int | float:
    try:
        number = float(value)
    except ValueError:
        raise EntryError("'{written}' is not a number.", at="value", written=value) from None
    return int(number) if number.is_integer() else number


@change("name")
def _name(document: Document, said: Change, wanted: set[str]) -> None:
    question, name = find(document, said["question"]), said["value"].strip()
    old = question["name"]
    if name != old and name in taken_in(document):
        raise EntryError("the name '{name}' stands for two questions or items.", at="name", name=name)
    question["name"] = name
    for block in document["blocks"]:
        block["questions"] = [name if each == old else each for each in block["questions"]]
    for other in documents.questions(document):
        if other["when"] and other["when"]["question"] == old:
            other["when"]["question"] = name
    item, sign, option = (document["anchor"] or "").partition("=")
    if item == old:
        document["anchor"] = f"{name}{sign}{option}"
    if old in wanted:
        wanted.remove(old)
        wanted.add(name)


@change("when")
def _when(document: Document, said: Change, _wanted: set[str]) -> None:
    """Ask the question only after an answer to this one, the first it can have; the empty name: always."""
    question, other = find(document, said["question"]), said["value"]
    question["when"] = {"question": other, "is": list(said["is"])} if other else None
    if other:
        find(document, other)


@change("tick")
def _tick(document: Document, said: Change, _wanted: set[str]) -> None:
    """Add an answer to those of the condition, or take it away; with the last one the condition goes."""
    question, answer = find(document, said["question"]), str(said["answer"])
    values = [value for value in question["when"]["is"] if value != answer] + [answer] * bool(said["value"])
    question["when"] = {**question["when"], "is": values} if values else None


@change("type")
def _type(document: Document, said: Change, wanted: set[str]) -> None:
    """Another type; what it cannot use is taken away, what it can stays."""
    question = find(document, said["question"])
    before, after = TYPES[question["type"]], TYPES[said["value"]]
    question["type"] = after.name
    if not after.groups:
        question["options"] = []
    elif any(group.are_items for group in before.groups) != any(group.are_items for group in after.groups):
        labels = [option["label"] for option in question["options"]]
        question["options"] = []
        for label in labels:
            question["options"].append(_row(document, after.groups[0], question, label))
    for field, empty in (("minimum", ""), ("maximum", ""), ("low", {}), ("high", {}), ("shuffle", False)):
        if field not in after.uses:
            question[field] = empty
    question["settings"] = {}
    if after.disguise is None or (after.disguise.own_block and before.name != after.name):
        wanted.discard(question["name"])
    if "map" in after.uses:
        wanted.add(question["name"])  # there are no open places


@change("sensitive")
def _sensitive(document: Document, said: Change, wanted: set[str]) -> None:
    question = find(document, said["question"])
    if said["value"] and TYPES[question["type"]].disguise is None:
        raise EntryError("this type cannot be disguised; ask a choice or a scale instead.", at="sensitive")
    if said["value"]:
        wanted.add(question["name"])
        question["required"], question["when"] = False, None
    else:
        wanted.discard(question["name"])


# ---- rows: options, statements, points ------------------------------------------------------------------------------


@change("rows")
def _rows(document: Document, said: Change, _wanted: set[str]) -> None:
    """The rows of a group, one a line, in a language. In the main language lines come and go; in others they name."""
    question, language = find(document, said["question"]), said["language"]
    group = next(each for each in TYPES[question["type"]].groups if each.name == said["group"])
    lines = lines_of(said["lines"])
    own = [option for option in question["options"] if _is_of(group, option)]
    others = [option for option in question["options"] if not _is_of(group, option)]
    if language != document["languages"][0]:
        texts = [line.strip() for line in said["lines"].rstrip().split("\n")] if said["lines"].strip() else []
        if len(texts) > len(own):
            raise EntryError("{count} lines are more than the {rows} rows.", at="rows", count=len(texts), rows=len(own))
        for place, option in enumerate(own):
            _write(option["label"], language, texts[place] if place < len(texts) else "")
        return
    rows = _matched(own, lines, language)
    question["options"] = [*others] if group is not TYPES[question["type"]].groups[0] else []
    for line, row in zip(lines, rows, strict=True):
        if row is None:
            row = _row(document, group, question, {language: line})
        row["label"] = {**row["label"], language: line}
        question["options"].append(row)
    if group is TYPES[question["type"]].groups[0]:
        question["options"] += others


def _is_of(group: Rows, option: Mapping[str, Any]) -> bool:
    return option["value"] != SKIP and group.holds(option["value"])


def _matched(own: list[dict[str, Any]], lines: list[str], language: str) -> list[dict[str, Any] | None]:
    """For each line the row that it was: the one with this text, else the one that stood there and lost its text."""
    left = list(own)
    rows: list[dict[str, Any] | None] = [None] * len(lines)
    for place, line in enumerate(lines):
        rows[place] = next((row for row in left if row["label"].get(language) == line), None)
        if rows[place] is not None:
            left.remove(rows[place])  # type: ignore[arg-type]
    if len(lines) == len(own):
        for place, row in enumerate(own):
            if rows[place] is None and row in left:
                rows[place] = row
    return rows


def _row(document: Document, group: Rows, question: dict[str, Any], label: dict[str, str]) -> dict[str, Any]:
    text = label.get(document["languages"][0]) or next(iter(label.values()), "")
    taken = {option["value"] for option in question["options"]}
    if group.are_items:
        value = question_name(text, taken | taken_in(document))
    else:
        value = numbered("", taken) if group.numbered else option_value(text, taken)
    return {"value": value, "label": dict(label), "last": False, "settings": {}}


@change("scale")
def _scale(document: Document, said: Change, _wanted: set[str]) -> None:
    """A whole scale by one choice."""
    question = find(document, said["question"])
    own = TYPES[question["type"]]
    scale = next(each for each in own.scales if each.name == said["value"])
    for field in ("minimum", "maximum"):
        question[field] = getattr(scale, field)
    question["low"], question["high"] = dict(scale.low or {}), dict(scale.high or {})
    group = own.groups[-1] if own.groups else None
    if group is not None:
        question["options"] = [option for option in question["options"] if not _is_of(group, option)]
        for label in _in(document, *scale.points):
            question["options"].insert(_end(question), _row(document, group, question, label))


def _end(question: Mapping[str, Any]) -> int:
    """The place after the last option, before "prefer not to say"."""
    return len([option for option in question["options"] if option["value"] != SKIP])


def _in(document: Document, *texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Ready-made texts, in the languages of the survey as far as there are any; else in English."""
    tags = [tag for tag in document["languages"] if tag in texts[0]] if texts else []
    return [{tag: text[tag] for tag in tags} or {document["languages"][0]: text["en"]} for text in texts]


@change("skip")
def _skip(document: Document, said: Change, _wanted: set[str]) -> None:
    """Add "prefer not to say" to the options of a question, or take it away again."""
    question = find(document, said["question"])
    usual = TYPES[question["type"]].skipped
    if usual is None:
        raise EntryError("this type has no options to which “Prefer not to say” could be added.", at="skip")
    options = [option for option in question["options"] if option["value"] != SKIP]
    values = tuple(value for value, _label in usual)
    if said["value"]:
        if not options:
            labels = _in(document, *(label for _value, label in usual))
            options = [_ready(value, label) for value, label in zip(values, labels, strict=True)]
        options.append({**_ready(SKIP, _in(document, PREFER_NOT)[0]), "last": True})
    elif usual and tuple(option["value"] for option in options) == values:
        options = []
    question["options"] = options


def _ready(value: str, label: dict[str, str]) -> dict[str, Any]:
    return {"value": value, "label": label, "last": False, "settings": {}}


# ---- questions and pages --------------------------------------------------------------------------------------------


def lines_of(text: str) -> list[str]:
    """Lines with something in them, as they are typed or pasted; of a spreadsheet the cells of a row are joined."""
    lines = [" ".join(line.split()) for line in text.replace("\r", "\n").split("\n")]
    kept = [line for line in lines if line]
    if len(kept) > MOST_LINES:
        raise EntryError("{count} lines are more than {most}.", at="lines", count=len(kept), most=MOST_LINES)
    return kept


@change("add")
def _add(document: Document, said: Change, wanted: set[str]) -> None:
    """A question for each line, after one that is there, or at the end."""
    own = TYPES[said["type"]]
    lines = lines_of(said["lines"]) or [""]
    page, place = _after(document, said.get("after"))
    options = lines_of(said.get("rows") or "")
    for line in lines:
        name = question_name(line, taken_in(document)) if line else numbered("q", taken_in(document))
        question = documents.new_question(name, own.name)
        _write(question["text"], document["languages"][0], line)
        page["questions"].insert(place, question)
        place += 1
        if options and own.groups:
            for text in options:
                label = {document["languages"][0]: text}
                question["options"].append(_row(document, own.groups[0], question, label))
        if own.disguise is not None and ("map" in own.uses or (said.get("sensitive") and not own.disguise.own_block)):
            wanted.add(name)


def _after(document: Document, name: Any) -> tuple[dict[str, Any], int]:
    for page in document["pages"]:
        for place, question in enumerate(page["questions"]):
            if question["name"] == name:
                return page, place + 1
    return document["pages"][-1], len(document["pages"][-1]["questions"])


@change("delete")
def _delete(document: Document, said: Change, _wanted: set[str]) -> None:
    question = find(document, said["question"])
    for page in document["pages"]:
        page["questions"] = [each for each in page["questions"] if each is not question]
    _drop_empty(document)


@change("duplicate")
def _duplicate(document: Document, said: Change, wanted: set[str]) -> None:
    question = find(document, said["question"])
    copy = deepcopy(question)
    taken = taken_in(document)
    copy["name"] = _copied(question["name"], taken)
    for group in TYPES[question["type"]].groups:
        for option in copy["options"]:
            if group.are_items and group.holds(option["value"]):
                option["value"] = _copied(option["value"], taken)
                taken.add(option["value"])
    page, place = _after(document, question["name"])
    page["questions"].insert(place, copy)
    if question["name"] in wanted:
        wanted.add(copy["name"])


def _copied(name: str, taken: set[str]) -> str:
    base = name.rstrip("0123456789")
    return numbered(base if base.endswith("-") or base != name else f"{name[:37]}-", taken, 2)


@change("move")
def _move(document: Document, said: Change, _wanted: set[str]) -> None:
    """One step up or down, over the break to the next page too, or before or after another question."""
    question, to = find(document, said["question"]), said["to"]
    pages = document["pages"]
    number = next(place for place, page in enumerate(pages) if question in page["questions"])
    place = pages[number]["questions"].index(question)
    if isinstance(to, Mapping):
        side, other = next(iter(to.items()))
        if find(document, other) is question:
            return
        pages[number]["questions"].pop(place)
        page, after = _after(document, other)
        page["questions"].insert(after - (side == "before"), question)
    elif to in ("up", "down"):
        step = -1 if to == "up" else 1
        if 0 <= place + step < len(pages[number]["questions"]):
            pages[number]["questions"].insert(place + step, pages[number]["questions"].pop(place))
        elif 0 <= number + step < len(pages):
            beside = pages[number + step]["questions"]
            beside.insert(len(beside) if step < 0 else 0, pages[number]["questions"].pop(place))
    else:
        raise KeyError(to)
    _drop_empty(document)


@change("break")
def _break(document: Document, said: Change, _wanted: set[str]) -> None:
    """Begin a new page with the question."""
    question = find(document, said["question"])
    number = next(place for place, page in enumerate(document["pages"]) if question in page["questions"])
    own = document["pages"][number]["questions"]
    place = own.index(question)
    if place == 0:
        raise EntryError("the page begins with this question already.", at="break")
    document["pages"][number]["questions"] = own[:place]
    document["pages"].insert(number + 1, {"number": 0, "title": {}, "questions": own[place:]})
    _renumber(document)


@change("join")
def _join(document: Document, said: Change, _wanted: set[str]) -> None:
    """Take away the break before the page that begins with the question."""
    number = _begins(document, said["question"])
    if number == 0:
        raise EntryError("there is no page before the first one.", at="join")
    document["pages"][number - 1]["questions"] += document["pages"].pop(number)["questions"]
    _renumber(document)


@change("page")
def _page(document: Document, said: Change, _wanted: set[str]) -> None:
    """The title of the page that begins with the question."""
    _write(document["pages"][_begins(document, said["question"])]["title"], said["language"], said["value"])


def _begins(document: Document, name: Any) -> int:
    for number, page in enumerate(document["pages"]):
        if page["questions"] and page["questions"][0]["name"] == name:
            return number
    raise EntryError("The page does not begin with “{name}” any more.", name=name)


def _drop_empty(document: Document) -> None:
    kept = [page for page in document["pages"] if page["questions"]]
    if len(kept) < len(document["pages"]):
        document["pages"] = kept or [{"number": 1, "title": {}, "questions": []}]
        _renumber(document)


def _renumber(document: Document) -> None:
    for number, page in enumerate(document["pages"], 1):
        page["number"] = number


def places(document: Document) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text of the document with the name of its place, as files for translators have it."""
    for name in TEXTS:
        yield name, document[name]
    for page in document["pages"]:
        yield f"page {page['number']}", page["title"]
    for question in documents.questions(document):
        for name in QUESTION_TEXTS:
            yield f"{question['name']}.{name}", question[name]
        for option in question["options"]:
            yield f"{question['name']}.options.{option['value']}", option["label"]


@change("translate")
def _translate(document: Document, said: Change, _wanted: set[str]) -> None:
    """Texts in one language, by their places; those that name no place change nothing."""
    language, texts = said["language"], said["texts"]
    if language not in document["languages"]:
        document["languages"].append(language)
    for place, own in places(document):
        if place in texts:
            _write(own, language, texts[place])


# ---- the whole ------------------------------------------------------------------------------------------------------


@change("replace")
def _replace(document: Document, said: Change, wanted: set[str]) -> None:
    """Another document in place of this one: an import. The working title stays."""
    other = documents.completed(deepcopy(said["document"]))
    check(other)
    document.update(other, title=document["title"])
    wanted.clear()
    wanted |= documents.sensitive(document)
