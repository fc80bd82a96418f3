"""The codebook of the files: what every column asks, what its values mean, and by what it was disguised.

It is HTML and JSON, and DDI-Codebook 2.5, which data archives read.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_noop

from privacy.output import as_json
from privacy.version import maker, version as own_version
from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED, FileColumn, Texts, columns_of, words_of_lists
from surveys.domain.exports.formats.labelled import SPSS_EMPTY, STATA_EMPTY
from surveys.domain.exports.sheet import hides_mode, is_apart
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.features import MODE, present
from surveys.models import Snapshot
from surveys.questions.question import ColumnKind
from surveys.sentences import of_staff

MEANINGS = {
    NOT_ASKED: gettext_noop(
        "Before any answer, the device drew at random which items of the block it asks. It did not draw this one. The "
        "cell says nothing about the person."
    ),
    NOT_ANSWERED: gettext_noop("The question was skipped, or its condition was not met."),
}


def codebook(snapshot: Snapshot) -> dict[str, Any]:
    """The codebook as a JSON value. `channel` has a row for each recorded value, with a chance for each true one."""
    version = snapshot.version
    definition, own = version.parsed, present(version.parsed.source)
    return {
        "candor": 1,
        "made_by": maker(),
        "survey": definition.slug,
        "title": definition.source["title"],
        "languages": definition.source["languages"],
        "version": {"number": version.number, "sha256": version.sha256},
        "snapshot": cite(snapshot),
        **counts.of_snapshot(snapshot).as_json("respondents"),
        "least": version.survey.least,
        **({"rates": rates.as_json()} if (rates := counts.rates(version.survey)) else {}),
        "design": version.design.sha256,
        **{one.entries[0]: one.codebook(definition.source) for one in own if one.codebook},
        **({"words": words} if (words := words_of_lists(definition)) else {}),
        "empty": {
            reason: {
                "csv": "",
                "json": None,
                "sav": SPSS_EMPTY[reason],
                "dta": f".{STATA_EMPTY[reason]}",
                "means": means,
            }
            for reason, means in MEANINGS.items()
        },
        "columns": [_column_entry(column, file_of(snapshot)) for column in columns_of(definition, version.design)],
    }


def as_html(snapshot: Snapshot) -> str:
    """The codebook as a page for people, in the main language of the questionnaire."""
    content = codebook(snapshot)
    language = content["languages"][0]
    with translation.override(of_staff(language)):
        definition = snapshot.version.parsed
        own, file = present(definition.source), file_of(snapshot)
        rows = [
            (
                column,
                file(column),
                column.title(language),
                [(value, value.label.get(language, "")) for value in column.values],
            )
            for column in columns_of(definition)
        ]
        context = {
            "n": counts.of_snapshot(snapshot),
            "codebook": content,
            "rates": counts.say_rates(snapshot.version.survey),
            "noted": [one.noted(definition.source) for one in own if one.noted],
            "language": language,
            "rows": rows,
            "title": content["title"][language],
        }
        return render_to_string("surveys/codebook.html", context)


def as_text(snapshot: Snapshot) -> str:
    return as_json(codebook(snapshot)) + "\n"


def file_of(snapshot: Snapshot) -> Callable[[FileColumn], str | None]:
    """Return a function that names the file in which a column is, without its ending; None for a column in no file."""
    definition = snapshot.version.parsed
    if disclosure.is_of_few(snapshot):
        return lambda column: None if column.of else "records"
    hidden = hides_mode(snapshot)

    def name_file(column: FileColumn) -> str | None:
        if hidden and column.name == MODE:
            return None
        return "texts" if is_apart(column) and not definition.keeps_texts_in_records else "records"

    return name_file


def _column_entry(column: FileColumn, file: Callable[[FileColumn], str | None]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": column.name,
        "variable": column.variable,
        "kind": column.kind,
        "disguised": column.disguised,
        "file": file(column),
    }
    if column.question:
        entry |= {"question": column.question, "texts": list(column.texts)}
    if column.empty:
        entry["empty"] = column.empty
    if column.values:
        entry["values"] = [vars(value) for value in column.values]
    if column.channel:
        entry["channel"] = column.channel
    if column.row:
        entry["row"] = column.row
    return entry


DISGUISE = (
    "Sensitive answers were changed at random on the respondents' devices before they were sent (randomised response). "
    "Recorded values of a disguised variable are not the answers: never tabulate them, reconstruct shares from them. "
    "The notes of each such variable have the chance of every recorded value, given the true one, or say what a row "
    "shows."
)
COLLECTED = {
    "open": "Everybody who had the link could answer; nobody checked who answers, or how often.",
    "invitation": "Every invitation let one person answer once; which invitation a response came by is not known.",
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def ddi(snapshot: Snapshot) -> bytes:
    """The codebook as XML: one study, the files, and a variable for each column; texts in every language."""
    definition = snapshot.version.parsed
    source, file_in, people = definition.source, file_of(snapshot), counts.of_snapshot(snapshot)
    root = Element("codeBook", {"xmlns": "ddi:codebook:2_5", "version": "2.5", "xml:lang": source["languages"][0]})
    _add_study(SubElement(root, "stdyDscr"), snapshot, source["title"], source["who"], source["why"])
    described = [(column, file_in(column)) for column in columns_of(definition)]
    for file in sorted({file for _, file in described if file}):
        text = SubElement(SubElement(root, "fileDscr", ID=f"F_{file}"), "fileTxt")
        _add(text, "fileName", f"{file}.json" if file == "counts" else f"{file}.csv")
        if people.exact:
            _add(SubElement(text, "dimensns"), "caseQnty", str(people.number))
    data = SubElement(root, "dataDscr")
    for index, (column, held) in enumerate(described, 1):
        name = column.name if held == "counts" else column.variable
        names = {"ID": f"V{index}", "name": name} | ({"files": f"F_{held}"} if held else {})
        intervals = "contin" if column.kind == ColumnKind.NUMBER else "discrete"
        _add_variable(SubElement(data, "var", names, intrvl=intervals), column)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _add_study(study: Element, snapshot: Snapshot, title: Texts, who: Texts, why: Texts) -> None:
    version = snapshot.version
    definition = version.parsed
    main, *others = definition.source["languages"]
    citation = SubElement(study, "citation")
    titles = SubElement(citation, "titlStmt")
    _add(titles, "titl", title[main], main)
    for language in others:
        _add(titles, "parTitl", title[language], language)
    _add(titles, "IDNo", version.sha256)
    _add(SubElement(citation, "rspStmt"), "AuthEnty", who[main], main)
    SubElement(SubElement(citation, "prodStmt"), "software", version=own_version()).text = "Candor"
    _add(SubElement(citation, "distStmt"), "distDate", version.published_on.isoformat())
    _add(SubElement(citation, "verStmt"), "version", str(version.number))
    information = SubElement(study, "stdyInfo")
    _add_texts(information, "abstract", why)
    _add(SubElement(information, "sumDscr"), "dataKind", "simulated data" if definition.is_simulated else "survey data")
    method = SubElement(study, "method")
    collection = SubElement(method, "dataColl")
    notes = [" ".join(one.noted(definition.source)) + "." for one in present(definition.source) if one.noted]
    _add(collection, "sampProc", " ".join([COLLECTED[definition.access], *notes]))
    _add(collection, "collMode", "Web-based questionnaire, filled in by the respondents")
    if definition.design.fields:
        said = [DISGUISE, f"The exact channel is in design.json (SHA-256 {version.design.sha256})."]
        if words := words_of_lists(definition):
            said.append(f"The words of the list that devices had: {'; '.join(words)}.")
        _add(method, "dataProcessing", " ".join(said))


def _add_variable(element: Element, column: FileColumn) -> None:
    question, *part = column.texts or ({},)
    for texts in part or [question]:
        _add_texts(element, "labl", texts)
    if question:
        asked = SubElement(element, "qstn")
        _add_texts(asked, "qstnLit", question)
    for value in column.values:
        category = SubElement(element, "catgry")
        _add(category, "catValu", value.value)
        _add_texts(category, "labl", value.label)
    if column.empty:
        category = SubElement(element, "catgry", missing="Y")
        _add(category, "labl", column.empty, "en")
    kind = "numeric" if column.kind == ColumnKind.NUMBER else "character"
    SubElement(element, "varFormat", type=kind)
    if column.variable != column.name:
        _add(element, "notes", f"In the questionnaire, and in counts and rules: {column.name}")
    if column.disguised:
        _add(element, "notes", " ".join(_sentences_on_disguise(column)), type="disguise")


def _sentences_on_disguise(column: FileColumn) -> Iterator[str]:
    yield "Disguised on the respondent's device."
    if column.row:
        yield column.row
    for recorded, chances in column.by_record if column.channel else ():
        given = ", ".join(f"{true.value}: {chance:.6g}" for true, chance in zip(column.values, chances, strict=True))
        yield f"Recorded {recorded.value}, given the true answer: {given}."


def _add_texts(parent: Element, tag: str, texts: Texts) -> None:
    for language, text in texts.items():
        _add(parent, tag, text, language)


def _add(parent: Element, tag: str, text: str, language: str = "", **attributes: str) -> None:
    child = SubElement(parent, tag, attributes | ({"xml:lang": language} if language else {}))
    child.text = _NOT_IN_XML.sub("\ufffd", text)
