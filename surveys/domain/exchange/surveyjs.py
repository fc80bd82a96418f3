"""Questionnaires of SurveyJS: its JSON, of which the types that there are here are read."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from surveys.conditions import Condition, join_conditions
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

PARTS = ("pages", "elements", "questions")
PANELS = ("panel", "flowpanel")
# What is read of each element, beside what stands in its own line.
COMMON = {"type", "name", "title", "description", "isRequired", "visibleIf", "titleLocation", "startWithNewLine"}
CHOICES = {"choices", "choicesOrder", "colCount"}
RATES = {"rateMin", "rateMax", "rateCount", "rateValues", "minRateDescription", "maxRateDescription", "rateType"}
# What its types ask for, with their own settings.
TYPES = {
    name: (asks, known)
    for name, asks, known in (
        ("boolean", Asks.YES_OR_NO, {"labelTrue", "labelFalse"}),
        ("radiogroup", Asks.ONE_OF, CHOICES),
        ("dropdown", Asks.ONE_OF, CHOICES | {"placeholder"}),
        ("checkbox", Asks.ANY_OF, CHOICES),
        ("tagbox", Asks.ANY_OF, CHOICES | {"placeholder"}),
        ("ranking", Asks.ORDER_OF, CHOICES),
        ("rating", Asks.ON_A_SCALE, RATES),
        ("matrix", Asks.OF_STATEMENTS, {"rows", "columns", "rowsOrder", "eachRowRequired", "isAllRowRequired"}),
        ("text", Asks.TEXT, {"inputType", "min", "max", "maxLength", "placeholder"}),
        ("comment", Asks.TEXT, {"maxLength", "placeholder", "rows"}),
    )
}
INPUTS = {
    name: asks
    for asks, names in ((Asks.NUMBER, ("number", "range")), (Asks.DATE, ("date",)), (Asks.TEXT, ("text",)))
    for name in names
}
SURVEY = {*PARTS, "title", "description", "completedHtml", "locale", "$schema"}


def fits(document: Any) -> bool:
    return isinstance(document, dict) and any(isinstance(document.get(part), list) for part in PARTS)


def read_surveyjs(document: Mapping[str, Any], title: str) -> Imported:
    reader = _Reader(document)
    try:
        reader.read_all()
    except (AttributeError, TypeError, KeyError, RecursionError):
        raise import_refusal(_("this is JSON, but not a questionnaire of SurveyJS or of this site.")) from None
    return finish_sketch(reader.sketch, title)


class _Reader:
    """Turns the JSON of a survey into a sketch."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document, self.sketch = document, Sketch()
        self.main = tag_of(str(document.get("locale") or "en")) or "en"
        self.sketch.languages.append(self.main)

    def read_all(self) -> None:
        document = self.document
        self.sketch.title = next(iter(self._texts(document.get("title"), "title").values()), "")
        for field, own in (("heading", "title"), ("why", "description"), ("closing", "completedHtml")):
            self.sketch.texts[field] = self._texts(document.get(own), own)
        self._note_rest(document, SURVEY, "")
        pages = document.get("pages") or [{"elements": document.get("elements") or document.get("questions") or []}]
        for number, page in enumerate(pages):
            place = f"pages[{number}]"
            sketched = SketchedPage(self._texts(page.get("title"), f"{place}.title"))
            self.sketch.pages.append(sketched)
            self._note_rest(page, {"name", "title", "elements", "questions", "visibleIf"}, place)
            shown = self._condition(page)
            for asked in self._elements(page.get("elements") or page.get("questions") or [], place, shown):
                sketched.questions.append(asked)

    def _elements(self, elements: list[Any], place: str, shown: Condition | None) -> Iterator[SketchedQuestion]:
        """The questions among elements at a place, also inside panels; `shown`: the condition of what they are in."""
        for number, element in enumerate(elements):
            at = f"{place}.elements[{number}]"
            when = join_conditions("all", [shown, self._condition(element)])
            kind = element.get("type")
            if kind in PANELS:
                self._note_rest(element, {"type", "name", "elements", "visibleIf", "state"}, at)
                yield from self._elements(element.get("elements") or [], at, when)
            elif kind in TYPES:
                asked = self._read_question(element, at)
                asked.when = when
                yield asked
            else:
                self.sketch.note_type(at, str(element.get("name", ""))[:40], str(kind)[:40])

    def _read_question(self, element: Mapping[str, Any], at: str) -> SketchedQuestion:
        asks, known = TYPES[element["type"]]
        name = str(element.get("name") or "")
        asked = SketchedQuestion(at, name, asks, self._texts(element.get("title") or name, f"{at}.title"))
        asked.help = self._texts(element.get("description"), f"{at}.description")
        asked.required = element.get("isRequired") is True
        asked.shuffle = element.get("choicesOrder") == "random" or element.get("rowsOrder") == "random"
        match asks:
            case Asks.YES_OR_NO:
                labels = (("true", "labelTrue"), ("false", "labelFalse"))
                asked.choices = [
                    SketchedChoice(value, self._texts(element.get(own), f"{at}.{own}")) for value, own in labels
                ]
            case Asks.ONE_OF | Asks.ANY_OF | Asks.ORDER_OF:
                asked.choices = self._choices(element.get("choices") or [], f"{at}.choices")
            case Asks.ON_A_SCALE:
                self._read_rating(element, asked, at)
            case Asks.OF_STATEMENTS:
                asked.statements = self._choices(element.get("rows") or [], f"{at}.rows")
                asked.statements = [SketchedChoice(f"{name}.{each.value}", each.label) for each in asked.statements]
                asked.choices = self._choices(element.get("columns") or [], f"{at}.columns")
            case _:
                self._read_input(element, asked, at)
        self._note_rest(element, COMMON | known, at)
        return asked

    def _read_rating(self, element: Mapping[str, Any], asked: SketchedQuestion, at: str) -> None:
        if element.get("rateValues"):
            asked.asks, asked.choices = Asks.ONE_OF, self._choices(element["rateValues"], f"{at}.rateValues")
            return
        low = element.get("rateMin", 1)
        asked.min = str(low)
        asked.max = str(element.get("rateMax", low + element.get("rateCount", 5) - 1))
        asked.low = self._texts(element.get("minRateDescription"), f"{at}.minRateDescription")
        asked.high = self._texts(element.get("maxRateDescription"), f"{at}.maxRateDescription")

    def _read_input(self, element: Mapping[str, Any], asked: SketchedQuestion, at: str) -> None:
        kind = element.get("inputType", "text")
        asked.asks = INPUTS.get(kind, Asks.TEXT)
        if kind not in INPUTS:
            self.sketch.note(f"{at}.inputType", _("“%(type)s” is asked as a text here.") % {"type": str(kind)[:40]})
        if asked.asks is Asks.TEXT:
            asked.max = str(element.get("maxLength") or "")
        else:
            asked.min, asked.max = (str(element.get(end, "")) for end in ("min", "max"))

    def _choices(self, choices: list[Any], at: str) -> list[SketchedChoice]:
        listed = []
        for number, each in enumerate(choices):
            if isinstance(each, Mapping):
                value = str(each["value"])
                listed.append(SketchedChoice(value, self._texts(each.get("text") or value, f"{at}[{number}].text")))
                self._note_rest(each, {"value", "text"}, f"{at}[{number}]")
            else:
                listed.append(SketchedChoice(str(each), {self.main: str(each)}))
        return listed

    def _texts(self, entry: Any, at: str) -> Texts:
        """The texts by language of an entry: one text, or an object with the main language as “default”."""
        by_language = entry if isinstance(entry, Mapping) else {"default": entry or ""}
        texts: Texts = {}
        for language, text in by_language.items():
            tag = self.main if language == "default" else tag_of(str(language))
            if tag is None:
                self.sketch.note(at, _("“%(name)s” is not a known language.") % {"name": str(language)[:40]})
            elif words := text_of_html(str(text)):
                texts[tag] = words
                if tag not in self.sketch.languages:
                    self.sketch.languages.append(tag)
        return texts

    def _condition(self, element: Mapping[str, Any]) -> Condition | None:
        expression = element.get("visibleIf")
        return (condition(_as_xpath(str(expression))) or UNKNOWN) if expression else None

    def _note_rest(self, element: Mapping[str, Any], known: set[str], at: str) -> None:
        """Note each setting of the element that is not `known` here."""
        for name, value in element.items():
            if name not in known and value not in (False, "", [], None):
                place = f"{at}.{name}" if at else name
                self.sketch.note(place[:200], _("this setting is not imported."))


def _as_xpath(expression: str) -> str:
    """Translate an expression such as `{q} anyof ['a', 'b']` into that of an XLSForm."""
    written = re.sub(r"\{([^{}]+)\}", r"${\1}", expression)
    written = re.sub(r"(\$\{[^{}]+\})\s+(?:anyof|allof)\s+\[([^\]]*)\]", _translate_any_of, written)
    written = re.sub(r"(\$\{[^{}]+\})\s+contains\s+('[^']*'|\"[^\"]*\"|[\w-]+)", _translate_contains, written)
    written = re.sub(r"==|\bequals?\b", "=", written)
    written = re.sub(r"<>|\bnotequals?\b", "!=", written)
    return re.sub(r"(=\s*)(true|false)\b", r"\1'\2'", written)


def _translate_any_of(match: re.Match[str]) -> str:
    """Translate “any of” several values; “all of” is understood only for a single value."""
    values = [value.strip() for value in match[2].split(",")]
    if "allof" in match[0] and len(values) > 1:
        return "allof"
    return "(" + " or ".join(f"selected({match[1]}, {_put_quotes(value)})" for value in values) + ")"


def _translate_contains(match: re.Match[str]) -> str:
    return f"selected({match[1]}, {_put_quotes(match[2])})"


def _put_quotes(value: str) -> str:
    return value if value[:1] in ("'", '"') else f"'{value}'"
