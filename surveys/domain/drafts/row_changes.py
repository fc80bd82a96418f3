"""Named changes of the rows of a question: its options, statements and points."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.named import Change, change, find, lines_of
from surveys.domain.drafts.names import free_name, names_in, option_value, question_name
from surveys.domain.questionnaire.document import Document, new_option, questions
from surveys.features.questions import FIELDS
from surveys.questions import TYPES
from surveys.questions.entered import write_text
from surveys.questions.rows import PREFER_NOT, SKIP, RowGroup, ready_texts


@change("rows", gettext_lazy("options changed"))
def _write_rows(document: Document, said: Change, _wanted: set[str]) -> None:
    """Write the rows of a group, one a line: the main language adds and removes rows, another only names them."""
    question, language = find(document, said["question"]), said["language"]
    group = next(each for each in TYPES[question["type"]].groups if each.name == said["group"])
    lines = lines_of(said["lines"])
    own = [option for option in question["options"] if _is_in_group(group, option)]
    others = [option for option in question["options"] if not _is_in_group(group, option)]
    if language != document["languages"][0]:
        texts = [line.strip() for line in said["lines"].rstrip().split("\n")] if said["lines"].strip() else []
        if len(texts) > len(own):
            raise EntryError("{count} lines are more than the {rows} rows.", at="rows", count=len(texts), rows=len(own))
        for place, option in enumerate(own):
            write_text(option["label"], language, texts[place] if place < len(texts) else "")
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
    for place, line in enumerate(lines):
        rows[place] = next((row for row in left if row["label"].get(language) == line), None)
        if rows[place] is not None:
            left.remove(rows[place])  # type: ignore[arg-type]
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
    scale = next(each for each in own.scales if each.name == said["value"])
    for field in ("min", "max"):
        question[field] = getattr(scale, field)
    tags = document["languages"]
    for field, text in (("low", scale.low), ("high", scale.high)):
        question[field] = ready_texts(tags, text)[0] if text else {}
    group = own.groups[-1] if own.groups else None
    if group is not None:
        question["options"] = [option for option in question["options"] if not _is_in_group(group, option)]
        for label in ready_texts(tags, *scale.points):
            question["options"].insert(_place_before_skip(question), new_row(document, group, question, label))


def _place_before_skip(question: Mapping[str, Any]) -> int:
    """The place after the last option, before "prefer not to say"."""
    return len([option for option in question["options"] if option["value"] != SKIP])


def may_skip(question: Mapping[str, Any]) -> bool:
    usual = TYPES[question["type"]].skipped
    return usual is not None and bool(usual or question["options"])


def has_skip(question: Mapping[str, Any]) -> bool:
    return any(option["value"] == SKIP for option in question["options"])


@change("skip", gettext_lazy("“prefer not to say” added or removed"))
def skip(document: Document, said: Change, wanted: set[str]) -> None:
    """Add "prefer not to say" to the options of a question, or take it away; with `for`, of all sensitive ones."""
    if "for" in said:
        chosen = [one for one in questions(document) if one["id"] in wanted and may_skip(one)]
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
