"""A draft as an XLSForm that ODK takes: texts in every language, conditions, limits, pages; and the protection.

Every cell is written as a text or a number, never as a formula.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from typing import Any

from django.utils.translation import gettext as _

from surveys.domain.drafts.protect import ONE_WORD, PROPOSAL, usual
from surveys.domain.exchange.imported import Note
from surveys.domain.exchange.words import tag_of
from surveys.domain.exchange.xlsform.expressions import constraint, relevance
from surveys.domain.exchange.xlsform.protection import ROLES, role_of
from surveys.domain.exchange.xlsform.read import NAMES, NOTES, TABLE, id_of_form
from surveys.domain.questionnaire.document import FLAGS, PAGE_FLAGS, Document, questions
from surveys.domain.questionnaire.draft_part import lost_in_spreadsheets
from surveys.domain.questionnaire.guess import GUESS, USUAL_GUESS
from surveys.features.questions import CELLS, FIELDS
from surveys.kinds import BLOCK_FIELDS
from surveys.questions import TYPES, Asks
from surveys.questions.rows import SKIP, YES_AND_NO
from surveys.sentences import own_name

Row = dict[str, Any]
YES_NO = "yes_no"
SELECTS = {
    Asks.YES_OR_NO: "select_one",
    Asks.ONE_OF: "select_one",
    Asks.ANY_OF: "select_multiple",
    Asks.ORDER_OF: "rank",
}
WRITTEN = {Asks.OF_STATEMENTS, *SELECTS, *NAMES}


def write(document: Document) -> bytes:
    blocks = [] if _is_proposed(document) else [_block_row(block) for block in document["blocks"]]
    rows, choices = list(_survey_rows(document)), list(_choice_rows(document))
    return write_book({"survey": rows, "choices": choices, "settings": [_settings_row(document)], "rr_blocks": blocks})


def write_book(sheets: Mapping[str, Sequence[Row]]) -> bytes:
    """The workbook with these sheets; one without rows is left out."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        if rows:
            _write_rows(book.create_sheet(name), rows)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _write_rows(sheet: Any, rows: Sequence[Row]) -> None:
    heads = list(dict.fromkeys(head for row in rows for head in row))
    for line, row in enumerate([{head: head for head in heads}, *rows], 1):
        for column, head in enumerate(heads, 1):
            value = row.get(head, "")
            if value != "":
                if isinstance(value, str):
                    value = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", value)  # no sheet holds them
                cell = sheet.cell(line, column, value)
                if isinstance(value, str):
                    cell.data_type = "s"  # else a text that begins with = would be computed
    sheet.freeze_panes = "A2"


def _is_proposed(document: Document) -> bool:
    """Whether blocks are left to be proposed at import. Not so a list of words, as nothing else asks for one."""
    return document["protection"].get("by") == PROPOSAL and document["protection"].get("way") != ONE_WORD


def list_losses(document: Document) -> list[Note]:
    """Notes on what the document has and an XLSForm cannot hold; the place of each is a question, or empty."""
    notes = []
    for question in questions(document):
        name, own = question["id"], TYPES[question["type"]]
        if _asks(question) is None:
            notes.append(Note(name, _("the question itself: this format has no such type")))
        if "map" in own.uses:
            notes.append(Note(name, _("the map and its zones")))
        if any(option["settings"] for option in question["options"]):
            notes.append(Note(name, _("the noise of its options")))
        notes += [Note(name, str(field.lost)) for each, field in FIELDS.items() if field.lost and question[each]]
        if "step" in question["settings"]:
            notes.append(Note(name, _("its steps")))
        if "heaps" in question["settings"]:
            notes.append(Note(name, _("the numbers that many people share")))
        if question["shuffle"] and any(option["last"] and option["value"] != SKIP for option in question["options"]):
            notes.append(Note(name, _("that an option stays the last one")))
    if any(document["closed"].values()):
        notes.append(Note("", _("what those read who come when it is closed")))
    notes += [Note("", words) for words in lost_in_spreadsheets(document)]
    if _is_proposed(document) and {**document["protection"], GUESS: USUAL_GUESS} != usual():
        notes.append(Note("", _("your choices of protection: blocks are proposed again")))
    if document["protection"].get("way") == ONE_WORD:
        notes.append(Note("", _("your choices of protection: the list of words stays as it is, and is by hand")))
    return notes


# ---- rows -----------------------------------------------------------------------------------------------------------


def _asks(question: Mapping[str, Any]) -> Asks | None:
    """What a question asks for; None where this format has no such type."""
    asks = TYPES[question["type"]].asks
    return asks if asks in WRITTEN else None


def labels(field: str, texts: Mapping[str, str], document: Mapping[str, Any]) -> Row:
    """The cells of these texts, one for each language: {"label::English (en)": …} if the field is "label"."""
    return {f"{field}::{language_head(tag)}": _as_html(texts[tag]) for tag in document["languages"] if texts.get(tag)}


def _as_html(text: str) -> str:
    """The text as programs read it that take labels for HTML: an angle or an entity would be a tag or a letter."""
    return escape(text, quote=False) if re.search(r"<|&[#\w]", text) else text


def language_head(tag: str) -> str:
    """Write a language as ODK does, with the short code: 简体中文 (zh)."""
    short = tag.partition("-")[0]
    return f"{own_name(tag)} ({short if tag_of(short) == tag else tag})"


def _settings_row(document: Document) -> Row:
    main = document["languages"][0]
    heading = document["heading"].get(main) or document["title"]
    row: Row = {"form_title": heading, "form_id": id_of_form(document["title"])}
    row["default_language"] = language_head(main)
    row |= {"rr_title": document["title"], "rr_access": document["access"], "rr_expected": document["expected"]}
    if GUESS in document["protection"]:
        row["rr_guess"] = document["protection"][GUESS]
    return row | {f"rr_{flag}": "yes" for flag in FLAGS if document[flag]}


def _block_row(block: Mapping[str, Any]) -> Row:
    values = {name: block["settings"][name] for name in BLOCK_FIELDS if name in block["settings"]}
    cells = {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}
    return {"block": block["name"], "kind": block["kind"], **cells}


def _survey_rows(document: Document) -> Iterator[Row]:
    for name, field in NOTES.items():
        in_settings = field == "heading" and len(document["heading"]) < 2
        if any(document[field].values()) and not in_settings:
            yield {"type": "note", "name": name, **labels("label", document[field], document)}
    protection = dict(_protection_cells(document))
    by_name = {question["id"]: question for question in questions(document)}
    grouped = len(document["pages"]) > 1 or any(
        page["shuffle"] or page["ask"] or any(page["title"].values()) for page in document["pages"]
    )
    for page in document["pages"]:
        if grouped:
            yield {
                "type": "begin_group",
                "name": f"candor_page_{page['number']}",
                "appearance": "field-list",
                **labels("label", page["title"], document),
                **{f"rr_{flag}": "yes" for flag in PAGE_FLAGS if page[flag]},
                **({"rr_ask": page["ask"]} if page["ask"] else {}),
            }
        for question in page["questions"]:
            yield from _rows_of_question(question, document, by_name, protection.get(question["id"], {}))
        if grouped:
            yield {"type": "end_group"}


def _protection_cells(document: Document) -> Iterator[tuple[str, Row]]:
    proposed = _is_proposed(document)
    for block in document["blocks"]:
        for name in block["questions"]:
            question = next(question for question in questions(document) if question["id"] == name)
            row: Row = {"rr_role": role_of({} if proposed else question["settings"])}
            if (harmless := question["settings"].get("harmless")) and "harmless" not in ROLES[row["rr_role"]]:
                row["rr_harmless"] = harmless
            if GUESS in question["settings"]:
                row["rr_guess"] = question["settings"][GUESS]
            if not proposed:
                row["rr_block"] = block["name"]
                values = block["settings"] | question["settings"]
                row |= {f"rr_{key}": values[key] for key in ("keep", "theta") if values.get(key) is not None}
            yield name, row


def _rows_of_question(
    question: Mapping[str, Any], document: Document, by_name: Mapping[str, Mapping[str, Any]], protection: Row
) -> Iterator[Row]:
    """The rows of a question: none of a type unknown there, several of a matrix; `protection`: further cells."""
    own: Row = {"name": question["id"], **labels("label", question["text"], document)}
    own |= labels("hint", question["help"], document)
    own |= {"required": "yes"} if question["required"] else {}
    own |= {f"rr_{cell.name}": text for cell in CELLS if (text := cell.write_cell(question[cell.name]))}
    own |= labels("rr_low", question["low"], document) | labels("rr_high", question["high"], document) | protection
    if question["when"]:
        own["relevant"] = _expression_of(question["when"], by_name)
    match asks := _asks(question):
        case None:
            return
        case _ if asks in SELECTS:
            shuffle = {"parameters": "randomize=true"} if question["shuffle"] else {}
            yield {"type": f"{SELECTS[asks]} {_list_name(question)}", **own, **shuffle}
        case Asks.OF_STATEMENTS:
            yield {"type": "begin_group", "appearance": TABLE, **own}
            for row in _rows_or_answers(question, statements=True):
                required = {"required": "yes"} if question["required"] else {}
                texts = labels("label", row["label"], document)
                yield {"type": f"select_one {_list_name(question)}", "name": row["value"], **texts, **required}
            yield {"type": "end_group"}
        case Asks.ON_A_SCALE:
            parameters = f"start={question['min'] or 0} end={question['max'] or 10} step=1"
            yield {"type": NAMES[asks][0], **own, "parameters": parameters}
        case _:
            bounds = constraint(asks, question["min"], question["max"])
            yield {"type": NAMES[asks][0], **own, **({"constraint": bounds} if bounds else {})}


def _expression_of(when: Mapping[str, Any], by_name: Mapping[str, Mapping[str, Any]]) -> str:
    def means_answer(name: str, value: str) -> str:
        asks = _asks(by_name[name]) if name in by_name else None
        if asks is Asks.ANY_OF:
            return f"selected(${{{name}}}, '{value}')"
        if asks is Asks.OF_STATEMENTS:
            name, _equals, value = value.partition("=")
        return f"${{{name}}} = '{value}'"

    return relevance(when, means_answer)


def _rows_or_answers(question: Mapping[str, Any], statements: bool) -> list[Mapping[str, Any]]:
    """Return the rows of a question: its statements, or the answers that people may tick."""
    own = next(group for group in TYPES[question["type"]].groups if group.are_items == statements)
    return [option for option in question["options"] if own.holds(option["value"])]


def _list_name(question: Mapping[str, Any]) -> str:
    plain = _asks(question) is Asks.YES_OR_NO and not question["options"]
    return YES_NO if plain else f"{question['id']}_options"


def _choice_rows(document: Document) -> Iterator[Row]:
    if any(_list_name(question) == YES_NO for question in questions(document)):
        for value, usual in YES_AND_NO:
            texts = {tag: usual.get(tag, usual["en"]) for tag in document["languages"]}
            yield {"list_name": YES_NO, "name": value, **labels("label", texts, document)}
    for question in (question for question in questions(document) if TYPES[question["type"]].groups):
        for value, label in _points(question, document["languages"]):
            yield {"list_name": _list_name(question), "name": value, **labels("label", label, document)}


def _points(question: Mapping[str, Any], languages: Iterable[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The values of a question's options, or of the points of its scale, each with its label by language."""
    if _asks(question) is not Asks.OF_STATEMENTS:
        yield from ((option["value"], option["label"]) for option in question["options"])
        return
    points = _rows_or_answers(question, statements=False)
    yield from ((option["value"], option["label"]) for option in points)
    low, high = question["min"], question["max"]
    if not points and low.lstrip("-").isdecimal() and high.lstrip("-").isdecimal():
        for point in range(int(low), int(high) + 1):
            yield str(point), dict.fromkeys(languages, str(point))
