"""The table of fields of a question: each row goes from a document to a definition and to its readers, in loops."""

import re
from copy import deepcopy
from typing import Any

import pytest

from privacy.errors import InputError
from surveys.definition import read_question
from surveys.domain.drafts.change_part import CHANGES, WORDS
from surveys.domain.drafts.faults import faults
from surveys.domain.questionnaire.compose import page_entries
from surveys.domain.questionnaire.document import Draft, empty, new_page, new_question, upgrade_question
from surveys.features.questions import CELLS, FIELDS, late_references, no_fields
from surveys.models import Survey
from tests.servers import ROOT
from tests.sources import ours
from tests.surveys.documents import options

NAME = "0" * 64 + "-2x1.png"
# What a document holds of a question with the field, what is published of it, and what staff read beside the question.
OF_EACH: dict[str, tuple[Any, Any, list[str]]] = {
    "chances": ("1 : 3", [2**30, 3 * 2**30], ["not asked: the device draws the answer, “a” 25 %, “b” 75 %"]),
    "parameter": ("from", "from", ["not asked: the parameter “from” of the address has the answer"]),
    "out": (["a"], ["a"], ["people are sent away who answer “a”"]),
    "enough": ({"a": 20}, {"a": 20}, ["enough people with an answer: about “a” 20"]),
    "when": ({"question": "first", "is": ["b"]},) * 2 + (["only when first = “b”"],),
    "pipes": ({"first": {"en": "that"}},) * 2 + ([],),
    "media": ({"file": {"en": NAME}, "words": {"en": "A dog"}},) * 2 + ([],),
    "no_skip": ("The law says so.",) * 2 + ([],),
}
# Where a room that asks all rows still names one: its own words on the page, a column of its own in a spreadsheet.
NAMED = {
    "surveys/domain/drafts/question_changes.py": {"no_skip"},
    "surveys/domain/exchange/xlsform/write.py": {"when"},
    "surveys/domain/questionnaire/check.py": {"no_skip"},
    "surveys/studio/protocol.py": {"media"},
}
# The module of each row, and the files that have more to say of a field than its row and its input on the writing page.
MODULES = {"chances": "unasked", "parameter": "unasked", "out": "ends", "enough": "ends"}
OWN = ("surveys/client/", "surveys/features/questions/", "surveys/conditions.py", "surveys/questions/")
LETTERS = [{"value": value, "label": {"en": value}, "last": False, "settings": {}} for value in "ab"]


def draft_with(name: str, value: Any) -> Draft:
    """Two questions of which the second has this field; a disguised one, if only such a question has it."""
    first, second = (new_question(own, "choice") | {"options": LETTERS} for own in ("first", "second"))
    second |= {"text": {"en": "And {first}?"}, name: value}
    hidden = [{"name": "all", "kind": "coin", "settings": {}, "questions": ["second"]}] if name == "no_skip" else []
    document = empty("Study", ["en"]) | {"blocks": hidden, "pages": [new_page(1, [first]), new_page(2, [second])]}
    assert list(faults(document)) == []
    return Draft.from_document(Survey(), document)


def code_of(path: str) -> str:
    """The source of a file without what is described in docstrings."""
    return re.sub(r'""".*?"""', "", (ROOT / path).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_every_field_is_tried_here() -> None:
    assert list(OF_EACH) == list(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_stored_published_checked_and_read(name: str) -> None:
    """A document takes it, its entry is as the format says, a definition accepts that, and staff read it."""
    entered, published, marks = OF_EACH[name]
    entry = page_entries(draft_with(name, entered), ["en"])[1]["questions"][0]
    assert {each: entry[each] for each in FIELDS if each in entry} == {name: published}
    read_question(entry, ["en"])
    assert list(FIELDS[name].marks(entry)) == marks


@pytest.mark.parametrize("name", FIELDS)
def test_a_question_without_a_field_publishes_nothing_of_it(name: str) -> None:
    """What a new question has, and one of an earlier version that had no such field, is empty."""
    assert new_question("q", "choice")[name] == upgrade_question({"id": "q"})[name] == FIELDS[name].empty()
    entry = page_entries(draft_with(name, FIELDS[name].empty()), ["en"])[1]["questions"][0]
    assert not entry.keys() & FIELDS.keys()


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.undisguised and name != "when"])
def test_what_others_could_learn_is_refused_of_a_disguised_question(name: str) -> None:
    entry = {"id": "q", "type": "choice", "sensitive": True, "text": {"en": "?"}, "options": options("a", "b")}
    with pytest.raises(InputError, match=r"sensitive answer|is undisguised"):
        read_question(entry | {name: OF_EACH[name][1]}, ["en"])


@pytest.mark.parametrize("name", ["when", "pipes"])
def test_a_field_that_names_a_question_follows_its_new_name(name: str) -> None:
    question = new_question("second", "choice") | {"text": {"en": "And {first}?"}, name: deepcopy(OF_EACH[name][0])}
    FIELDS[name].rename(question, "first", "job")
    assert list(FIELDS[name].references(question)) == ["job"]


@pytest.mark.parametrize(("name", "left"), [("when", None), ("out", []), ("enough", {})])
def test_a_field_forgets_what_is_deleted(name: str, left: Any) -> None:
    """A condition on a question that is gone, and what an answer does that nobody can give."""
    question: dict[str, Any] = {name: OF_EACH[name][0]}
    FIELDS[name].keep(question, ["second"])
    FIELDS[name].drop(question, {"a"})
    assert question == {name: left}


@pytest.mark.parametrize(("page", "refused"), [({}, ["pipes"]), ({"shuffle": True}, ["when", "pipes"])])
def test_a_text_needs_an_earlier_page_and_a_condition_an_order_that_stays(
    page: dict[str, Any], refused: list[str]
) -> None:
    """On one page a condition may name the question before, unless the device draws their order."""
    asked = [{"id": "first"}, {"id": "second", "when": OF_EACH["when"][1], "pipes": OF_EACH["pipes"][1]}]
    assert [(name, late.name) for name, late in late_references([{"questions": asked, **page}])] == [
        ("second", name) for name in refused
    ]


def test_each_named_change_of_a_field_is_in_the_table_and_in_the_history() -> None:
    """Staff read in words what a change did."""
    named = {name for field in FIELDS.values() for name, _do, _words in field.changes}
    assert named == {"ends", "enough", "pipe", "media"}
    assert named <= CHANGES.keys() & WORDS.keys()


def test_what_a_spreadsheet_says_of_a_field_is_what_was_written() -> None:
    entered = {field.name: OF_EACH[field.name][0] for field in CELLS}
    assert {field.name: field.read_cell(field.write_cell(entered[field.name])) for field in CELLS} == entered


def test_another_type_keeps_no_answer_that_ends_the_visit_or_is_drawn() -> None:
    assert no_fields(of_type=True) == {"chances": "", "parameter": "", "out": [], "enough": {}}


def test_a_room_that_asks_all_rows_names_none() -> None:
    """So a new field needs no line there. What a room says of one alone is listed above."""
    named = {}
    for path in ours("surveys/*.py"):
        code = code_of(path)
        if re.search(r"^from surveys\.features\.questions import .*FIELDS", code, re.M):
            named[path] = {name for name in FIELDS if re.search(rf"[\"']{name}[\"']|\w\.{name}\b(?!\()", code)}
    assert len(named) >= 10
    assert {path: names for path, names in named.items() if names} == NAMED


@pytest.mark.parametrize("name", FIELDS)
def test_few_files_name_a_field_outside_its_folder(name: str) -> None:
    """Beside the attributes of a question that was entered or published, and the device."""
    words = re.compile(
        rf"""(question|entered|one|values)\.{name}\b|(question|entry|entries\[one\.id\])(\[|\.get\()["']{name}["']"""
        rf"""|"(field|do)": ?"{name}"|["']{name}["']:|change\("{name}"\)|questions\.{MODULES.get(name, name)}\b"""
    )
    places = [
        path
        for top in ("config", "mining", "surveys", "templates")
        for path in ours(f"{top}/*.py", f"{top}/*.html")
        if "/migrations/" not in path
    ]
    others = [path for path in places if not path.startswith(OWN)]
    found = [path for path in others if words.search(code_of(path))]
    assert len(found) <= 3, found
