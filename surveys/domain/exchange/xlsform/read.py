"""An XLSForm as a draft. pyxform says whether it is one; what a draft cannot hold is noted with its place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.conditions import Condition, join_conditions
from surveys.domain.exchange.files import SheetRow, WorkbookSheet, place_in, workbook_of
from surveys.domain.exchange.imported import Imported, Note, import_refusal, sentence as _
from surveys.domain.exchange.sketch import (
    UNKNOWN,
    Sketch,
    SketchedChoice,
    SketchedPage,
    SketchedQuestion,
    check_size,
    finish_sketch,
)
from surveys.domain.exchange.words import Texts, name_of, tag_of, text_of_html
from surveys.domain.exchange.xlsform.expressions import condition, limits
from surveys.domain.exchange.xlsform.protection import SheetProtection
from surveys.domain.questionnaire.document import FLAGS, PAGE_FLAGS, PUBLISHED_TEXTS
from surveys.features.questions import CELLS
from surveys.questions import Asks

SHEETS = ("survey", "choices", "settings", "rr_blocks")
# What each type of a row is called, as it is written first; beside those that select from a list.
NAMES = {
    Asks.NUMBER: ("decimal", "integer", "int"),
    Asks.TEXT: ("text", "string"),
    Asks.DATE: ("date",),
    Asks.ON_A_SCALE: ("range",),
    Asks.PLACE: ("geopoint",),
}
SELECTED = {
    "select one": Asks.ONE_OF,
    "select1": Asks.ONE_OF,
    "select multiple": Asks.ANY_OF,
    "select all that apply": Asks.ANY_OF,
    "rank": Asks.ORDER_OF,
}
SELECT = re.compile(
    r"(select[_ ]one|select1|select[_ ]multiple|select all that apply|rank)(?: from)? (\S+)( or[_ ]other)?"
)
BEGIN = re.compile(r"begin[_ ](group|repeat|loop)")
END = re.compile(r"end[_ ](group|repeat|loop)")
TRANSLATED = ("label", "hint", "rr_low", "rr_high")
OWN = ("type", "name", "required", "appearance", "parameters", "constraint", "relevant", "relevance")
OF_BLOCK = ("rr_role", "rr_block", "rr_keep", "rr_theta", "rr_harmless", "rr_guess")
RR = (*OF_BLOCK, *(f"rr_{field.name}" for field in CELLS))
OF_PAGE = ("rr_ask", *(f"rr_{flag}" for flag in PAGE_FLAGS))
NOTES = {f"candor_{name}": name for name in PUBLISHED_TEXTS}
OF_FILE = ("form_id", "id_string", "version", "style", "default_language")  # they say nothing to respondents
YES = ("yes", "true", "true()", "1")
TABLE = "table-list"


def read_workbook(content: bytes, title: str) -> Imported:
    sheets = workbook_of(content)
    if "survey" not in sheets:
        raise import_refusal(_("the workbook has no sheet “survey”, so it is not an XLSForm."))
    form = _FormReader(sheets)
    check_size(form.sketch)  # first: what is written once there is made for each of its questions
    form.sketch.notes += [Note("pyxform", sentence) for sentence in warnings_of(sheets)]
    return finish_sketch(form.sketch, title)


class _FormReader:
    """Turns the sheets of an XLSForm, row by row, into a sketch."""

    def __init__(self, sheets: dict[str, WorkbookSheet]) -> None:
        self.sketch = Sketch()
        self.survey = sheets["survey"]
        empty = WorkbookSheet("")
        self._read_settings(sheets.get("settings", empty).rows)
        self.columns = self._columns(self.survey)
        self.lists = self._read_lists(sheets.get("choices", empty))
        self.protection = SheetProtection(self.sketch, sheets.get("rr_blocks", empty))
        for name, sheet in sheets.items():
            if name not in SHEETS and sheet.rows:
                self.sketch.note(sheet.name, _("this sheet is not read."))
        self._read_survey()
        self._other_columns(self.survey, {*OWN, *RR, *OF_PAGE, *self.columns})
        self.sketch.blocks = self.protection.blocks()

    # ---- settings, languages, choices

    def _read_settings(self, rows: Sequence[SheetRow]) -> None:
        row, *others = rows or [SheetRow("", 2, {})]
        self.default = tag_of(row.get("default_language", "")) or ""
        form_id = row.get("form_id", row.get("id_string", ""))
        self.sketch.title = row.get("rr_title", row.get("form_title", row.get("title", form_id)))
        if form_id and form_id != id_of_form(self.sketch.title):
            sentence = _("the form is called “%(name)s” there; a survey has a short name of its own.")
            self.sketch.note(row.place("form_id"), sentence, name=form_id)
        if row.get("version"):
            self.sketch.note(row.place("version"), _("versions of a survey are counted from 1: this one is not kept."))
        for head, text in row.items():
            base, language = _split_head(head)
            if base in ("form_title", "title"):
                self.sketch.texts.setdefault("heading", {})[self._tag(language) or "en"] = text
            elif head == "rr_access":
                self.sketch.fields["access"] = text
            elif head in tuple(f"rr_{flag}" for flag in FLAGS):
                self.sketch.fields[head[3:]] = text.lower() in YES
            elif head == "rr_expected" and text.isdecimal():
                self.sketch.fields["expected"] = int(text[:12])
            elif head == "rr_guess":
                self.sketch.guess = text
            elif head not in (*OF_FILE, "rr_title"):
                self.sketch.note(row.place(head), _("this setting has no meaning here."))
        for other in filter(None, others):
            self.sketch.note(other.place(), _("settings must be in one row."))

    def _tag(self, language: str) -> str | None:
        """The tag of a language of the form, which the survey then has; the default one where none is named."""
        if not language and not self.default:
            self.default = "en"
        tag = tag_of(language) if language else self.default
        if tag and tag not in self.sketch.languages:
            self.sketch.languages.insert(0 if tag == self.default else len(self.sketch.languages), tag)
        return tag

    def _columns(self, sheet: WorkbookSheet) -> dict[str, tuple[str, str]]:
        """The field and the language tag of each translated column, by its head; both empty if it is unknown."""
        columns: dict[str, tuple[str, str]] = {}
        for head in sheet.heads:
            base, language = _split_head(head)
            if base in TRANSLATED:
                tag = self._tag(language)
                if tag is None:
                    self.sketch.note(place_in(sheet.name, 1, head), _("“%(name)s” is not a known language."), name=head)
                    columns[head] = ("", "")
                else:
                    columns[head] = (base, tag)
        return columns

    def _texts(self, row: SheetRow, field: str, columns: dict[str, tuple[str, str]]) -> Texts:
        texts = (
            (tag, text_of_html(row[head])) for head, (base, tag) in columns.items() if base == field and head in row
        )
        return {tag: text for tag, text in texts if text}

    def _read_lists(self, sheet: WorkbookSheet) -> dict[str, list[SketchedChoice]]:
        columns = self._columns(sheet)
        lists: dict[str, list[SketchedChoice]] = {}
        named = {"list_name", "list name", "name", "value", *columns}
        for row in sheet.rows:
            name, value = row.get("list_name", row.get("list name", "")), row.get("name", row.get("value", ""))
            if name and value:
                lists.setdefault(name, []).append(SketchedChoice(value, self._texts(row, "label", columns)))
        self._other_columns(sheet, named)
        return lists

    def _other_columns(self, sheet: WorkbookSheet, known: set[str]) -> None:
        """Note each column with something in it that is not `known` here."""
        for head in sheet.heads:
            rows = [str(row.number) for row in sheet.rows if head in row]
            if head and head not in known and rows:
                values = {"sheet": sheet.name, "column": head, "rows": ", ".join(rows)}
                place = _("sheet %(sheet)s, column %(column)s, rows %(rows)s") % values
                self.sketch.note(place, _("this column is not imported."))

    # ---- questions

    def _read_survey(self) -> None:
        rows = iter(self.survey.rows)
        page = SketchedPage()
        self.sketch.pages.append(page)
        self.said: list[tuple[SheetRow, Texts]] = []  # notes, which stand before the question that follows
        depth: list[Condition | None] = []  # the conditions of the groups that are open
        for row in rows:
            kind = _type_of_row(row)
            if BEGIN.fullmatch(kind):
                if not kind.endswith("group"):
                    self._skip_repeat(rows, row)
                elif TABLE in row.get("appearance", ""):
                    self._read_matrix(rows, row, page, depth)
                else:
                    depth.append(self._condition_of_row(row))
                    page = self._begin_page(row, page, len(depth))
            elif END.fullmatch(kind):
                self._drop_notes()
                if depth:
                    depth.pop()
                if not depth:
                    page = SketchedPage()
                    self.sketch.pages.append(page)
            elif kind:
                self._read_row(row, page, depth)
        self._drop_notes()

    def _drop_notes(self) -> None:
        """Notes after the last question of a page have no question to stand before."""
        for row, _texts in self.said:
            self.sketch.note(row.place(), _("“%(name)s” is left out: no question follows it.") % {"name": row["name"]})
        self.said = []

    def _begin_page(self, row: SheetRow, page: SketchedPage, depth: int) -> SketchedPage:
        """Begin a page for a group and return it; a group within another one stays on the page."""
        title = self._texts(row, "label", self.columns)
        if depth > 1:
            if title:
                self.sketch.note(row.place(), _("a group in a group has no title here."))
            return page
        if row.get("appearance", "field-list") != "field-list":
            self.sketch.note(row.place("appearance"), _("this appearance is not imported."))
        new = SketchedPage(title, shuffle=_is_yes(row, "rr_shuffle"), moves=_is_yes(row, "rr_moves"))
        if (ask := row.get("rr_ask", "")).isdecimal():
            new.ask = int(ask[:3])
        elif ask:
            self.sketch.note(row.place("rr_ask"), _("this is no number of questions: all are asked."))
        self.sketch.pages.append(new)
        return new

    def _skip_repeat(self, rows: Iterator[SheetRow], row: SheetRow) -> None:
        count, level = 0, 1
        for inside in rows:
            kind = _type_of_row(inside)
            level += bool(BEGIN.fullmatch(kind)) - bool(END.fullmatch(kind))
            if not level:
                break
            count += bool(kind)
        left_out = _("a repeat: “%(name)s” and its %(count)d rows are left out.")
        self.sketch.note(row.place("type"), left_out, name=row.get("name", ""), count=count)

    def _read_row(self, row: SheetRow, page: SketchedPage, depth: list[Condition | None]) -> None:
        kind, name = _type_of_row(row), row.get("name", "")
        if kind == "note" and name in NOTES:
            self.sketch.texts[NOTES[name]] = self._texts(row, "label", self.columns)
            return
        if kind == "note" and self._condition_of_row(row) is None:
            self.said.append((row, self._texts(row, "label", self.columns)))
            return
        select = SELECT.fullmatch(kind)
        asks = next((asks for asks, names in NAMES.items() if kind in names), None)
        if select:
            asks = SELECTED[select[1].replace("_", " ")]
        if asks is None:
            self.sketch.note_type(row.place("type"), name, row["type"])
            return
        asked = self._read_question(row, asks)
        if select:
            if select[3]:
                self.sketch.note(row.place("type"), _("“other” with text is left out."))
            asked.choices = self.lists.get(select[2], [])
        asked.when = join_conditions("all", [*depth, asked.when])
        for said, texts in reversed(self.said):
            for tag, text in texts.items():
                asked.help[tag] = "\n".join(filter(None, (text, asked.help.get(tag))))
            self.sketch.note(said.place(), _("“%(name)s” is a help text of the next question."), name=said["name"])
        self.said = []
        page.questions.append(asked)

    def _read_question(self, row: SheetRow, asks: Asks) -> SketchedQuestion:
        asked = SketchedQuestion(row.place(), row.get("name", ""), asks)
        for field, own in (("label", "text"), ("hint", "help"), ("rr_low", "low"), ("rr_high", "high")):
            setattr(asked, own, self._texts(row, field, self.columns))
        asked.fields = {cell.name: cell.read_cell(row.get(f"rr_{cell.name}", "")) for cell in CELLS}
        required = row.get("required", "").lower()
        asked.required = _is_yes(row, "required")
        if required not in (*YES, "", "no", "false", "false()", "0"):
            self.sketch.note(row.place("required"), _("it is required only sometimes: here it is optional."))
        self._read_parameters(row, asked)
        self._read_limits(row, asked)
        appearance = row.get("appearance", "")
        if appearance not in ("", "minimal", "likert", "autocomplete", "multiline", "list-nolabel"):
            self.sketch.note(row.place("appearance"), _("this appearance is not imported."))
        asked.when = self._condition_of_row(row)
        self.protection.protect_question(row, asked)
        return asked

    def _read_parameters(self, row: SheetRow, asked: SketchedQuestion) -> None:
        parameters = dict(re.findall(r"(\w+)\s*=\s*([^\s,;]+)", row.get("parameters", "")))
        if asked.asks is Asks.ON_A_SCALE:
            asked.min, asked.max = parameters.pop("start", "0"), parameters.pop("end", "10")
            if parameters.pop("step", "1") != "1":
                self.sketch.note(row.place("parameters"), _("a scale has steps of 1."))
        elif asked.asks in SELECTED.values():
            asked.shuffle = parameters.pop("randomize", "").lower() in YES
        if parameters:
            sentence = _("these parameters are not imported: %(names)s.")
            self.sketch.note(row.place("parameters"), sentence, names=", ".join(parameters))

    def _read_limits(self, row: SheetRow, asked: SketchedQuestion) -> None:
        whole = _type_of_row(row) in ("integer", "int")
        if expression := row.get("constraint"):
            bounds = limits(expression, asked.asks, whole)
            asked.min, asked.max = bounds.min, bounds.max
            if not bounds.is_all:
                sentence = _("this constraint is not imported: only a minimum and a maximum are.")
                kept = _("of this constraint only the minimum and the maximum are imported.")
                self.sketch.note(row.place("constraint"), kept if bounds.min or bounds.max else sentence)
        if whole and not row.get("rr_role", "").startswith("sens"):
            self.sketch.note(row.place("type"), _("answers may also have decimals."))

    def _condition_of_row(self, row: SheetRow) -> Condition | None:
        head = "relevant" if "relevant" in row else "relevance"
        return (condition(row[head]) or UNKNOWN) if row.get(head) else None

    def _read_matrix(
        self, rows: Iterator[SheetRow], row: SheetRow, page: SketchedPage, depth: list[Condition | None]
    ) -> None:
        """Read a group that is shown as a table as one question: its questions are statements on one scale."""
        statements, lists = [], []
        inside: Mapping[str, str] = {}
        for each in rows:
            kind = _type_of_row(each)
            if END.fullmatch(kind):
                break
            select = SELECT.fullmatch(kind)
            if select is None or "mult" in kind:
                if kind:
                    sentence = _("“%(name)s” is left out: a table needs statements with the same scale.")
                    self.sketch.note(each.place(), sentence % {"name": each.get("name", "")})
                continue
            inside = inside or each
            lists.append(select[2])
            statements.append(SketchedChoice(each.get("name", ""), self._texts(each, "label", self.columns)))
            for head in ("hint", "relevant", "relevance", "constraint", "required"):
                if head in each and each[head] != inside.get(head):
                    self.sketch.note(each.place(head), _("a statement cannot have its own."))
        if len(set(lists)) != 1:
            self.sketch.note(row.place(), _("a table needs statements with the same list of choices: left out."))
            return
        shared = {name: inside[name] for name in (*RR, "required") if name in inside}
        whole = SheetRow(row.sheet, row.number, {**shared, **row, "appearance": ""})
        asked = self._read_question(whole, Asks.OF_STATEMENTS)
        asked.statements, asked.choices = statements, self.lists.get(lists[0], [])
        ends = _ends_of_scale(asked.choices)
        if ends and (asked.low or asked.high):
            asked.min, asked.max, asked.choices = *ends, []
        asked.when = join_conditions("all", [*depth, asked.when])
        page.questions.append(asked)


def id_of_form(title: str) -> str:
    """What a form is called in other programs: the title of the survey, in letters that they take."""
    return name_of(title, ()) if re.search("[a-z]", title.lower()) else "candor"


def _ends_of_scale(choices: list[SketchedChoice]) -> tuple[str, str] | None:
    """The first and last value of a scale whose points have their numbers as labels; None for other choices."""
    values = [choice.value for choice in choices]
    if not values or any(
        not choice.value.isdecimal() or not set(choice.label.values()) <= {choice.value} for choice in choices
    ):
        return None
    numbers = [int(value) for value in values]
    return (values[0], values[-1]) if numbers == list(range(numbers[0], numbers[-1] + 1)) else None


def _is_yes(row: Mapping[str, str], head: str) -> bool:
    return row.get(head, "").lower() in YES


def _type_of_row(row: Mapping[str, str]) -> str:
    return " ".join(row.get("type", "").split()).replace("table-list", "").strip() if row else ""


def _split_head(head: str) -> tuple[str, str]:
    """Split the head of a column, such as “label::English (en)”, into its field and its language."""
    field, _colons, language = head.partition("::")
    if not language and ":" in field and not field.startswith("jr:"):
        field, _colon, language = field.partition(":")
    return field.strip().lower(), language.strip()


_SHEETS_OF_A_FORM = ("survey", "choices", "settings", "external_choices", "entities", "osm")
_LONGEST_WARNING = 500


def warnings_of(sheets: Mapping[str, WorkbookSheet]) -> list[str]:
    """List what pyxform warns of; a workbook that is no form is refused in its words. It reads texts, and no file."""
    # Imported where it is needed: a quarter of a second, for a page that is rarely opened.
    from pyxform.errors import PyXFormError
    from pyxform.xls2xform import convert

    book: dict[str, Any] = {"sheet_names": [sheet.name for sheet in sheets.values()], "fallback_form_name": "form"}
    for name in _SHEETS_OF_A_FORM:
        if sheet := sheets.get(name):
            book[name] = [dict(row) for row in sheet.rows]
            book[f"{name}_header"] = [dict.fromkeys(filter(None, sheet.heads))]
    warnings: list[str] = []
    try:
        convert(book, warnings=warnings)
    except PyXFormError as error:
        raise import_refusal(_short(str(error)), "pyxform") from None
    except MemoryError:
        raise
    except Exception as error:  # what it does not expect itself fails in any way
        raise import_refusal(_short(f"{type(error).__name__}: {error}"), "pyxform") from None
    return [_short(warning) for warning in warnings]


def _short(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= _LONGEST_WARNING else f"{line[:_LONGEST_WARNING]}…"
