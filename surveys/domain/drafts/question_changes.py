"""Named changes of one question: its texts, its name, its type, its disguise, its rows, and the map of a place."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design.fields import read_map
from privacy.errors import EntryError
from privacy.location.outline import Outline, check_lines
from surveys.domain.drafts.change_part import Change, change, find, lines_of, rename as rename_in_features
from surveys.domain.drafts.names import free_name, names_in, option_value, question_name
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import (
    QUESTION_FLAGS,
    QUESTION_LINES,
    QUESTION_TEXTS,
    Document,
    new_option,
    questions,
)
from surveys.features.questions import FIELDS, no_fields
from surveys.questions import TYPES, disguise_of
from surveys.questions.entered import write_text
from surveys.questions.place import NO_MAP, SIZE
from surveys.questions.rows import PREFER_NOT, SKIP, RowGroup, ready_texts


@change("rows", gettext_lazy("options changed"))
def _write_rows(document: Document, said: Change, _wanted: set[str]) -> None:
    """Write the rows of a group, one a line: the main language adds and removes rows, another only names them."""
    question, language = find(document, said["question"]), said["language"]
    group = next(group for group in TYPES[question["type"]].groups if group.name == said["group"])
    lines = lines_of(said["lines"])
    own = [option for option in question["options"] if _is_in_group(group, option)]
    others = [option for option in question["options"] if not _is_in_group(group, option)]
    if language != document["languages"][0]:
        texts = [line.strip() for line in said["lines"].rstrip().split("\n")] if said["lines"].strip() else []
        if len(texts) > len(own):
            raise EntryError("{count} lines are more than the {rows} rows.", at="rows", count=len(texts), rows=len(own))
        for index, option in enumerate(own):
            write_text(option["label"], language, texts[index] if index < len(texts) else "")
        return
    rows = _match_rows(own, lines, language)
    question["options"] = [*others] if group is not TYPES[question["type"]].groups[0] else []
    for line, row in zip(lines, rows, strict=True):
        if row is None:
            row = new_row(document, group, question, {language: line})
        row["label"] = {**row["label"], language: line}
        question["options"].append(row)
    if group is TYPES[question["type"]].groups[0]:
        question["options"] += others
    gone = {row["value"] for row in own} - {option["value"] for option in question["options"]}
    for field in FIELDS.values():
        field.drop(question, gone)


@change("label", gettext_lazy("options reworded"))
def _write_label(document: Document, said: Change, _wanted: set[str]) -> None:
    """Write one option's text in a language: "prefer not to say", or an option that is no row of a group."""
    question = find(document, said["question"])
    option = next(one for one in question["options"] if one["value"] == said["option"])
    write_text(option["label"], said["language"], said["value"])


def _is_in_group(group: RowGroup, option: Mapping[str, Any]) -> bool:
    return option["value"] != SKIP and group.holds(option["value"])


def _match_rows(own: list[dict[str, Any]], lines: list[str], language: str) -> list[dict[str, Any] | None]:
    """Match each line with its former row: the one with its text, else the one at its place whose text is gone."""
    left = list(own)
    rows: list[dict[str, Any] | None] = [None] * len(lines)
    for index, line in enumerate(lines):
        rows[index] = next((row for row in left if row["label"].get(language) == line), None)
        if rows[index] is not None:
            left.remove(rows[index])  # type: ignore[arg-type]
    if len(lines) == len(own):
        for place, row in enumerate(own):
            if rows[place] is None and row in left:
                rows[place] = row
    return rows


def new_row(document: Document, group: RowGroup, question: dict[str, Any], label: dict[str, str]) -> dict[str, Any]:
    text = label.get(document["languages"][0]) or next(iter(label.values()), "")
    taken = {option["value"] for option in question["options"]}
    if group.are_items:
        value = question_name(text, taken | names_in(document))
    else:
        value = free_name("", taken) if group.numbered else option_value(text, taken)
    return new_option(value, label)


@change("scale", gettext_lazy("scale changed"))
def _apply_scale(document: Document, said: Change, _wanted: set[str]) -> None:
    question = find(document, said["question"])
    own = TYPES[question["type"]]
    scale = next(scale for scale in own.scales if scale.name == said["value"])
    for field in ("min", "max"):
        question[field] = getattr(scale, field)
    tags = document["languages"]
    for field, text in (("low", scale.low), ("high", scale.high)):
        question[field] = ready_texts(tags, text)[0] if text else {}
    group = own.groups[-1] if own.groups else None
    if group is not None:
        question["options"] = [option for option in question["options"] if not _is_in_group(group, option)]
        for label in ready_texts(tags, *scale.points):
            before_skip = len([option for option in question["options"] if option["value"] != SKIP])
            question["options"].insert(before_skip, new_row(document, group, question, label))


LACKING = "lacking"


def may_skip(question: Mapping[str, Any]) -> bool:
    usual = TYPES[question["type"]].skipped
    return usual is not None and bool(usual or question["options"])


def has_skip(question: Mapping[str, Any]) -> bool:
    return any(option["value"] == SKIP for option in question["options"])


@change("skip", gettext_lazy("“prefer not to say” added or removed"))
def skip(document: Document, said: Change, wanted: set[str]) -> None:
    """Add "prefer not to say" to the options of a question, or take it away; with `for`, of all sensitive ones.

    `for` may be "lacking": those that have neither it nor a reason.
    """
    if "for" in said:
        chosen = [question for question in questions(document) if question["id"] in wanted and may_skip(question)]
        if said["for"] == LACKING:
            chosen = [question for question in chosen if not (has_skip(question) or question["no_skip"])]
    else:
        chosen = [find(document, said["question"])]
    for question in chosen:
        usual = TYPES[question["type"]].skipped
        if usual is None:
            raise EntryError("this type has no options, so “Prefer not to say” cannot be added.", at="skip")
        options = [option for option in question["options"] if option["value"] != SKIP]
        values = tuple(value for value, _label in usual)
        if said["value"]:
            if not options:
                labels = ready_texts(document["languages"], *(label for _value, label in usual))
                options = [new_option(value, label) for value, label in zip(values, labels, strict=True)]
            options.append(new_option(SKIP, ready_texts(document["languages"], PREFER_NOT)[0], last=True))
            question["no_skip"] = ""
        elif usual and tuple(option["value"] for option in options) == values:
            options = []
        question["options"] = options


@change("no_skip", gettext_lazy("reason why nobody can skip changed"))
def _no_skip(document: Document, said: Change, wanted: set[str]) -> None:
    """Write why a sensitive question has no "prefer not to say"; with `for`, use it for all without a reason."""
    own = find(document, said["question"])
    if "for" not in said:
        own["no_skip"] = " ".join(said["value"].split())
        return
    for question in questions(document):
        if question["id"] in wanted and not has_skip(question) and TYPES[question["type"]].skipped is not None:
            question["no_skip"] = question["no_skip"] or own["no_skip"]


@change("question", gettext_lazy("question changed"))
def _change_field(document: Document, said: Change, _wanted: set[str]) -> None:
    question, field, value = find(document, said["question"]), said["field"], said["value"]
    if field in QUESTION_TEXTS:
        write_text(question[field], said["language"], value)
    elif field in QUESTION_FLAGS:
        question[field] = value
    elif field in QUESTION_LINES:
        question[field] = value.strip()
    else:
        raise KeyError(field)


@change("name", gettext_lazy("short name of a question changed"))
def _rename_question(document: Document, said: Change, wanted: set[str]) -> None:
    question, name = find(document, said["question"]), said["value"].strip()
    old = question["id"]
    if name != old and name in names_in(document):
        raise EntryError("the name '{name}' is used for two questions or items.", at="name", name=name)
    question["id"] = name
    for block in document["blocks"]:
        block["questions"] = [name if each == old else each for each in block["questions"]]
    for other in documents.questions(document):
        for field in FIELDS.values():
            field.rename(other, old, name)
    rename_in_features(document, old, name)
    if old in wanted:
        wanted.remove(old)
        wanted.add(name)


@change("stay", gettext_lazy("order of options changed"))
def _keep_option_last(document: Document, said: Change, _wanted: set[str]) -> None:
    """Let an option stay after all others where their order is drawn, or no longer."""
    for option in find(document, said["question"])["options"]:
        if option["value"] == said["answer"]:
            option["last"] = bool(said["value"])


@change("type", gettext_lazy("type of a question changed"))
def _change_type(document: Document, said: Change, wanted: set[str]) -> None:
    """Give the question another type. A sensitive one stays sensitive, and options wait for a type that has some.

    What else the type cannot use is removed.
    """
    question = find(document, said["question"])
    before, after = TYPES[question["type"]], TYPES[said["value"]]
    name = question["id"]
    if name in wanted and after.disguise is None:
        raise EntryError("this question would become open. If you want that, untick “sensitive” first.", at="type")
    question["type"] = after.name
    if after.groups and any(group.are_items for group in before.groups) != any(
        group.are_items for group in after.groups
    ):
        labels = [option["label"] for option in question["options"] if option["value"] != SKIP]
        question["options"] = []
        for label in labels:
            question["options"].append(new_row(document, after.groups[0], question, label))
    for field, empty in (("min", ""), ("max", ""), ("low", {}), ("high", {}), ("shuffle", False)):
        if field not in after.uses:
            question[field] = empty
    question |= {"settings": {}, **no_fields(of_type=True)}
    if "map" in after.uses:
        wanted.add(name)  # there are no open places
    if before is not after and any(each.disguise and each.disguise.on_grid for each in (before, after)):
        for block in document["blocks"]:  # one that was made for the other type cannot take it
            block["questions"] = [each for each in block["questions"] if each != name]


@change("sensitive", gettext_lazy("protection of a question changed"))
def _mark_sensitive(document: Document, said: Change, wanted: set[str]) -> None:
    question = find(document, said["question"])
    if said["value"] and TYPES[question["type"]].disguise is None:
        raise EntryError("this type cannot be disguised; ask a choice or a scale instead.", at="sensitive")
    if said["value"]:
        wanted.add(question["id"])
        question["required"] = False
        question |= {name: field.empty() for name, field in FIELDS.items() if field.undisguised}
    else:
        wanted.discard(question["id"])


PARTS = ("left", "bottom", "width", "height")  # of a zone
OWN = "epsilon"  # its fifth number


@change("map", gettext_lazy("map changed"))
def _change_map(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change one measure of the map of a place, or its outline, which was read from a file and brings all measures.

    An empty outline leaves a plain grid; so does a size that the outline does not fit into.
    """
    settings, field, value = find(document, said["question"])["settings"], said["field"], said["value"]
    own = dict(settings.get("map") or NO_MAP)
    size = {name: own[name] for name in SIZE}
    if field == "outline":
        own = {part.name: value[part.name] for part in fields(Outline)} if value else size
        read_map(own, "map")
        if not check_lines(own.get("lines", []), own["width"], own["height"]):
            raise ValueError(field)
    elif field in SIZE:
        size[field] = _parse_length(value)
        read_map(size, "map")
        keeps = check_lines(own.get("lines", []), size["width"], size["height"])
        own = {**own, **size} if keeps else size
    else:
        raise KeyError(field)
    settings["map"] = own


@change("zone", gettext_lazy("zones changed"))
def _change_zone(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change a place's zone number `zone`, from 0: all its lengths, one of them (`part`), or null to remove the zone.

    Its own ε is a fifth number, which stays with a zone that is drawn elsewhere; nothing takes it away. A zone after
    the last one is new; so is one without a number. Without zones the whole map is hidden.
    """
    question = find(document, said["question"])
    zones = [list(zone) for zone in question["settings"].get("zones") or ()]
    number, part, value = said["zone"], said.get("part"), said["value"]
    number = len(zones) if number is None else number
    if part == OWN:
        zones[number][len(PARTS) :] = [] if value in ("", None) else [_parse_length(value)]
    elif part is not None:
        zones[number][PARTS.index(part)] = _parse_length(value)
    else:
        own = [kept for zone in zones[number : number + 1] for kept in zone[len(PARTS) :]]
        lengths = [] if value is None else [[*(_parse_length(value[index]) for index in range(len(PARTS))), *own]]
        zones[number : number + 1] = lengths
    others = {name: own for name, own in question["settings"].items() if name != "zones"}
    question["settings"] = others | ({"zones": zones} if zones else {})
    for block in document["blocks"]:
        if block["questions"] == [question["id"]]:
            block["kind"] = disguise_of(question["type"], "zone").form(question["settings"])


def _parse_length(value: Any) -> int | float:
    try:
        number = float(value)
    except ValueError:
        raise EntryError("'{written}' is not a number.", at="value", written=value) from None
    return int(number) if number.is_integer() else number
