"""Questionnaires of LimeSurvey: its .lss files, of version 2 (texts beside the questions) and later (texts apart)."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from surveys.conditions import Condition, fold, join_conditions
from surveys.domain.exchange.files import xml_of
from surveys.domain.exchange.imported import Imported, import_refusal, sentence as _
from surveys.domain.exchange.sketch import (
    UNKNOWN,
    Sketch,
    SketchedChoice,
    SketchedPage,
    SketchedQuestion,
    finish_sketch,
)
from surveys.domain.exchange.words import Texts, tag_of, text_of_html
from surveys.domain.exchange.xlsform.expressions import condition
from surveys.questions import Asks

Row = Mapping[str, str]

# What its types, which have a letter each, ask for.
TYPES = {
    letter: asks
    for asks, letters in {
        Asks.YES_OR_NO: "Y",
        Asks.ONE_OF: "L!OG",
        Asks.ON_A_SCALE: "5",
        Asks.ANY_OF: "MP",
        Asks.ORDER_OF: "R",
        Asks.NUMBER: "N",
        Asks.DATE: "D",
        Asks.TEXT: "STU",
        Asks.OF_STATEMENTS: "FHABCE",
    }.items()
    for letter in letters
}
ENDS = {"5": ("1", "5"), "A": ("1", "5"), "B": ("1", "10")}
POINTS = {
    "C": (("Y", "Yes", "是"), ("U", "Uncertain", "不确定"), ("N", "No", "否")),
    "E": (("I", "Increase", "增加"), ("S", "Same", "不变"), ("D", "Decrease", "减少")),
    "G": (("M", "Male", "男"), ("F", "Female", "女")),
    "Y": (("Y", "Yes", "是"), ("N", "No", "否")),
}
_MEDIA = re.compile(r"<(img|audio|video|iframe|object|embed)\b", re.IGNORECASE)
_ANSWER = re.compile(r"\{(?:INSERTANS:\d+X\d+X(?P<qid>\d+)\w*|(?P<code>[A-Za-z]\w*)(?:\.(?:NAOK|shown|value))?)\}")
COMMENTS = ("O", "P")  # with a text beside each answer
# Tables of the file whose rows would be lost.
OTHERS = ("assessments", "conditions", "defaultvalues", "quota", "surveys_plugin_settings", "survey_url_parameters")
TEXTS = {
    "surveyls_title": "heading",
    "surveyls_welcometext": "why",
    "surveyls_endtext": "closing",
    "surveyls_policy_notice": "consent",
}
LIMITS = {"min_num_value_n": "min", "max_num_value_n": "max", "maximum_chars": "max"}
SHUFFLES = ("random_order", "answer_order")
# Attributes that change nothing of what is asked, or say what is so in any case.
LOOKS = (
    "cssclass",
    "page_break",
    "statistics_showgraph",
    "statistics_graphtype",
    "public_statistics",
    "save_as_default",
)
PLAIN = ("", "0", "N", "normal", "default", "1.0")


def fits(raw: bytes) -> bool:
    """Whether the file begins like an XML file of LimeSurvey."""
    return raw.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" and b"<LimeSurveyDocType" in raw[:4000]


def read_lss(raw: bytes, title: str) -> Imported:
    root = xml_of(raw)
    if root.tag != "document" or root.findtext("LimeSurveyDocType", "").strip() != "Survey":
        raise import_refusal(_("the file is from LimeSurvey, but it is not a survey (.lss)."))
    reader = _LssReader(root)
    reader.read_all()
    return finish_sketch(reader.sketch, title)


class _LssReader:
    """Turns the tables of an .lss file, row by row, into a sketch."""

    def __init__(self, root: Element) -> None:
        self.root, self.sketch = root, Sketch()
        for each in root.findall("languages/language"):
            self._tag(each.text or "")
        self.tables: dict[str, list[Row]] = {
            table.tag: [{cell.tag: (cell.text or "").strip() for cell in row} for row in table.findall("rows/row")]
            for table in root
        }
        self.texts = self._index("question_l10ns", "qid")
        self.own_texts = {name: self._index(name, "qid") for name in ("questions", "subquestions")}
        self.subquestions = self._index("subquestions", "parent_qid")
        self.answers = self._index("answers", "qid")
        self.labels = self._index("answer_l10ns", "aid")
        self.attributes = self._index("question_attributes", "qid")
        self.codes = {row.get("qid", ""): row.get("title", "") for row in self._table("questions")}
        several = (row for row in self._table("questions") if TYPES.get(row.get("type", "")) is Asks.ANY_OF)
        self.several = {row.get("title") for row in several}

    def _table(self, name: str) -> list[Row]:
        return self.tables.get(name, [])

    def _index(self, table: str, key: str) -> dict[str, list[Row]]:
        return _group_by_key(self._table(table), key)

    def _tag(self, language: str) -> str | None:
        """The tag of a language as LimeSurvey writes it, which the sketch then has; None if there is no language."""
        tag = tag_of(language.strip()) if language.strip() else None
        if tag and tag not in self.sketch.languages:
            self.sketch.languages.append(tag)
        return tag

    def read_all(self) -> None:
        for row in self._table("surveys_languagesettings"):
            tag = self._tag(row.get("surveyls_language", "")) or "en"
            for column, field in TEXTS.items():
                if text := text_of_html(row.get(column, "")):
                    self.sketch.texts.setdefault(field, {})[tag] = text
            if text := text_of_html(row.get("surveyls_description", "")):
                place = f"surveys_languagesettings, {tag}"
                self.sketch.note(place, _("the description is not imported: “%(text)s”") % {"text": text[:200]})
        heading = self.sketch.texts.get("heading", {})
        self.sketch.title = heading.get(self.sketch.languages[0], "") if self.sketch.languages else ""
        for table in OTHERS:
            if count := len(self._table(table)):
                self.sketch.note(table, _("these rows are not imported: %(count)d.") % {"count": count})
        for table, rows in self.tables.items():
            if count := sum(1 for row in rows if any(_MEDIA.search(cell) for cell in row.values())):
                self.sketch.note(
                    table, _("pictures and sounds in texts are not imported: %(count)d rows."), count=count
                )
        questions = _group_by_key(self._first_of_each(self._table("questions"), "qid"), "gid")
        names = self._index("group_l10ns", "gid") or self._index("groups", "gid")
        for group in sorted(self._first_of_each(self._table("groups"), "gid"), key=_sort_key_of("group_order")):
            gid = group.get("gid", "")
            in_languages = names.get(gid, [])
            sketched = SketchedPage(self._texts(in_languages, "group_name"))
            self.sketch.pages.append(sketched)
            place = _("group %(name)s") % {"name": next(iter(sketched.title.values()), gid)[:60]}
            if any(text_of_html(row.get("description", "")) for row in in_languages):
                self.sketch.note(place, _("the description is not imported."))
            shown = self._condition(group.get("grelevance", ""))
            for row in sorted(questions.get(gid, []), key=_sort_key_of("question_order")):
                self._add_question(row, sketched, shown)

    def _first_of_each(self, rows: list[Row], key: str) -> list[Row]:
        """The first row of each value of `key`: in old files each language has a row of its own."""
        first: dict[str, Row] = {}
        for row in rows:
            first.setdefault(row.get(key, ""), row)
        return list(first.values())

    def _texts(self, rows: Iterable[Row], column: str) -> Texts:
        texts: Texts = {}
        for row in rows:
            tag = self._tag(row.get("language", "")) or (self.sketch.languages or ["en"])[0]
            if text := _ANSWER.sub(self._answer_in_text, text_of_html(row.get(column, ""))):
                texts.setdefault(tag, text)
        return texts

    def _answer_in_text(self, match: re.Match[str]) -> str:
        """An answer that stands in a text, as an XLSForm writes it; other words in braces stay."""
        code = self.codes.get(match["qid"] or "", match["code"])
        return f"${{{code}}}" if code in self.codes.values() else match[0]

    def _texts_of(self, row: Row, table: str) -> list[Row]:
        qid = row.get("qid", "")
        return self.texts.get(qid) or self.own_texts[table].get(qid, [])

    def _add_question(self, row: Row, sketched: SketchedPage, shown: Condition | None) -> None:
        name, kind = row.get("title", ""), row.get("type", "")
        place = _("question %(name)s") % {"name": name}
        if kind not in TYPES:
            self.sketch.note_type(place, name, kind)
            return
        in_languages = self._texts_of(row, "questions")
        asked = SketchedQuestion(
            place, name, TYPES[kind], self._texts(in_languages, "question"), self._texts(in_languages, "help")
        )
        asked.required = row.get("mandatory") == "Y"
        if row.get("mandatory") == "S":
            self.sketch.note(place, _("LimeSurvey reminds people to answer this; here it is optional."))
        if row.get("other") == "Y":
            self.sketch.note(place, _("“other” with text is left out."))
        if kind in COMMENTS:
            self.sketch.note(place, _("comments on answers are left out."))
        if row.get("preg"):
            self.sketch.note(place, _("the required pattern of answers is not imported."))
        if braces := re.search(r"(?<!\$)\{[^{}]+\}", "\n".join([*asked.text.values(), *asked.help.values()])):
            self.sketch.note(place, _("“%(text)s” in its text is not computed here."), text=braces[0][:80])
        self._fill_in_parts(row, kind, asked)
        self._take_attributes(row, asked, place)
        asked.when = join_conditions("all", [shown, self._condition(row.get("relevance", ""))])
        sketched.questions.append(asked)

    def _fill_in_parts(self, row: Row, kind: str, asked: SketchedQuestion) -> None:
        qid = row.get("qid", "")
        if kind in ENDS:
            asked.min, asked.max = ENDS[kind]
        if kind in POINTS:
            for value, english, chinese in POINTS[kind]:
                label = {tag: chinese if tag == "zh-hans" else english for tag in self.sketch.languages or ["en"]}
                asked.choices.append(SketchedChoice(value, label))
        elif asked.asks in (Asks.ONE_OF, Asks.ORDER_OF, Asks.OF_STATEMENTS):
            asked.choices = self._options(qid)
        rows = sorted(self._first_of_each(self.subquestions.get(qid, []), "qid"), key=_sort_key_of("question_order"))
        for each in rows:
            if each.get("relevance", "") not in ("", "1"):
                sentence = _("its part “%(code)s” is always shown here: parts have no conditions.")
                self.sketch.note(_("question %(name)s") % {"name": asked.name}, sentence, code=each.get("title", ""))
        parts = [(row.get("title", ""), self._texts(self._texts_of(row, "subquestions"), "question")) for row in rows]
        if asked.asks is Asks.OF_STATEMENTS:
            asked.statements = [SketchedChoice(f"{asked.name}_{code}", label) for code, label in parts]
        elif asked.asks is Asks.ANY_OF:
            asked.choices = [SketchedChoice(code, label) for code, label in parts]

    def _options(self, qid: str) -> list[SketchedChoice]:
        rows = [row for row in self.answers.get(qid, []) if row.get("scale_id", "0") in ("", "0")]
        by_code: dict[str, list[Row]] = {}
        for row in sorted(rows, key=_sort_key_of("sortorder")):
            by_code.setdefault(row.get("code", ""), []).append(row)
        choices = []
        for code, own in by_code.items():
            labels = [label for row in own for label in self.labels.get(row.get("aid", "-"), [])]
            choices.append(SketchedChoice(code, self._texts(labels or own, "answer")))
        return choices

    def _take_attributes(self, row: Row, asked: SketchedQuestion, place: str) -> None:
        left = []
        for each in self.attributes.get(row.get("qid", ""), []):
            name, value = each.get("attribute", ""), each.get("value", "")
            if value in PLAIN or name in LOOKS:
                continue
            if name in LIMITS and (name == "maximum_chars") == (asked.asks is Asks.TEXT):
                setattr(asked, LIMITS[name], value)
            elif name in SHUFFLES and value in ("1", "random"):
                asked.shuffle = True
            else:
                left.append(name)
        if left:
            names = ", ".join(sorted(set(left)))
            self.sketch.note(place, _("these settings are not imported: %(names)s."), names=names)

    def _condition(self, expression: str) -> Condition | None:
        if expression in ("", "1"):
            return None
        return fold(condition(_as_xpath(expression)) or UNKNOWN, self._as_option, join_conditions)

    def _as_option(self, leaf: Condition) -> Condition:
        """Where the condition asks for "Y" at `Q2_SQ001`, ask for option SQ001 of Q2, which takes several answers."""
        base, underscore, code = leaf["question"].partition("_")
        if underscore and base in self.several and leaf.get("is") == {"Y"}:
            return {"question": base, "is": {code}}
        return leaf


def _as_xpath(expression: str) -> str:
    """Translate LimeSurvey's `((Q1.NAOK == "A1"))` into the expression of an XLSForm."""
    written = re.sub(r"(?<![\w'\"])([A-Za-z]\w*)(?:\.(?:NAOK|value|valueNAOK|shown))(?!\w)", r"${\1}", expression)
    written = re.sub(r"==|\beq\b", "=", written)
    return re.sub(r"\bne\b", "!=", written)


def _group_by_key(rows: Iterable[Row], key: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.get(key, ""), []).append(row)
    return groups


def _sort_key_of(column: str) -> Any:
    def number(row: Row) -> int:
        text = row.get(column, "")
        return int(text) if text.isdecimal() and len(text) < 10 else 0

    return number
