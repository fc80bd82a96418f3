"""XLSForms in and out."""

from typing import Any

import pytest

from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.exchange import formats
from surveys.domain.exchange.files import workbook_of
from surveys.domain.exchange.imported import Imported, ImportRefusedError
from surveys.domain.exchange.words import yes_and_no
from surveys.domain.exchange.xlsform.protection import role_of
from surveys.domain.exchange.xlsform.write import WRITTEN, list_losses, write
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.questions import TYPES, Asks
from surveys.questions.rows import READY, SPOKEN
from tests.cases import every, first
from tests.surveys.exchange.documents import every_type
from tests.surveys.exchange.workbooks import form, workbook


def import_file(content: bytes) -> Imported:
    kind, survey = formats.read_survey(content, "file")
    assert kind.name == "xlsform"
    return survey


def read(*rows: tuple[Any, ...], **more: Any) -> Imported:
    """What comes of a form with these rows."""
    return import_file(form(*rows, **more))


def notes(survey: Imported) -> list[tuple[str, str]]:
    return [(note.place, note.sentence) for note in survey.left]


def one(survey: Imported, name: str) -> dict[str, Any]:
    return next(question for question in questions(survey.document) if question["id"] == name)


@pytest.mark.parametrize(
    "name", [name for name in BEGINNINGS if "validation" not in name]
)  # no form has answers in texts
def test_a_template_comes_back_as_it_left(name: str) -> None:
    """In both languages, with its pages and the blocks that are proposed for it; nothing is noted."""
    document = beginning(name, "Mine", "en")
    survey = import_file(write(document))
    assert (survey.document, notes(survey)) == (document, [])


def test_every_type_comes_back_as_it_left() -> None:
    """With conditions, limits, ends, shuffling, required answers, and blocks that were made by hand."""
    document = every_type()
    survey = import_file(write(document))
    assert survey.document == document
    assert notes(survey) == []


def test_an_export_is_a_valid_form_without_warnings() -> None:
    """pyxform itself reads the file and makes an XForm of it."""
    from pyxform.xls2xform import convert  # here: no process that only collects tests waits for it

    for document in (every_type(), *(beginning(name, "Mine", "en") for name in BEGINNINGS)):
        warnings: list[str] = []
        made = convert(write(document), warnings=warnings, file_type=".xlsx")
        assert (warnings, "<h:html" in made.xform) == ([], True)


@pytest.mark.parametrize(("name", "asks"), [("scale", None), *every(4, [(name, object()) for name in sorted(TYPES)])])
def test_each_type_may_ask_for_something_new(monkeypatch: pytest.MonkeyPatch, name: str, asks: object) -> None:
    """What this format has no name for, or no other program, is left out with a note, and the rest is written."""
    monkeypatch.setattr(TYPES[name], "asks", asks)
    document = every_type()
    new = {question["id"] for question in questions(document) if question["type"] == name}

    left = {note.place for note in list_losses(document) if "this format has no such type" in note.sentence}
    written = {row.get("name") for row in workbook_of(write(document))["survey"].rows}

    assert left == new
    assert written & {question["id"] for question in questions(document)} == {
        question["id"] for question in questions(document) if question["id"] not in new
    }


def test_all_that_questions_ask_for_has_a_type_and_a_name_here() -> None:
    """Who adds something that questions ask for says what this format calls it, or decides that it has none."""
    assert set(Asks) == {kind.asks for kind in TYPES.values()} - {None}
    assert set(Asks) == WRITTEN


def test_what_an_export_cannot_say_is_told() -> None:
    """The researcher reads it before taking the file."""
    document: Document = every_type()
    question = next(
        each for each in questions(document) if each["type"] == "number" and each["id"] in sensitive(document)
    )
    question["settings"]["step"] = 5
    assert [(note.place, note.sentence) for note in list_losses(document)] == [(question["id"], "its steps")]


def test_an_export_has_no_codes_of_a_panel_no_sites_and_no_words_of_the_page() -> None:
    """They are no questions: who takes the file chooses the panel once more, and the page's words have a file."""
    document = every_type()
    document |= {"panel": {"by": "other", "sent": "C7K2QD9P"}, "page_texts": {"sv": {"send": "Skicka"}}}
    document |= {"frames": ["https://www.example.edu"], "looks": {"logo": "", "words": {}, "accent": "#aa0000"}}

    assert [note.sentence for note in list_losses(document)] == [
        "the provider, and the codes or addresses at the end of a visit",
        "the sites whose pages may hold the survey",
        "the logo and the colour",
        "the page's own words in languages that it does not speak, and why they are missing",
    ]


OF_CHECKS = {
    "the draw of direct answers": {"lot": 20},
    "which two questions show who follows the design": {"careless": ["never", "always"]},
}


@pytest.mark.parametrize("sentence", OF_CHECKS)
def test_an_export_names_the_one_check_that_it_loses(sentence: str) -> None:
    """A draft with one of the checks reads of the loss of this one alone, and a copy from the file has none."""
    document = every_type() | OF_CHECKS[sentence]

    copy = import_file(write(document)).document

    assert [note.sentence for note in list_losses(document)] == [sentence]
    assert [copy[name] for name in ("lot", "careless")] == [None] * 2


def test_a_text_that_looks_like_a_formula_stays_a_text() -> None:
    """No cell of an export is computed by a spreadsheet."""
    document = beginning("corruption", "=1+1", "en")
    document["heading"]["en"] = '=HYPERLINK("http://example.org","x")'
    sheets = workbook_of(write(document))
    assert sheets["settings"].rows[0]["rr_title"] == "=1+1"
    assert import_file(write(document)).document["heading"] == document["heading"]


def test_what_is_not_understood_is_listed_with_sheet_row_and_column() -> None:
    """Calculations, repeats, media, cascades, metadata, conditions: nothing goes in silence."""
    content = form(
        ("type", "name", "label", "relevant", "calculation", "choice_filter", "image", "constraint", "appearance"),
        ("start", "begun", "", "", "", "", "", "", ""),
        ("select_one city", "city", "Which city?", "", "", "x=${begun}", "", "", "map"),
        ("calculate", "twice", "", "", "1 + 1", "", "", "", ""),
        ("begin_repeat", "child", "Children", "", "", "", "", "", ""),
        ("text", "child_name", "Name", "", "", "", "", "", ""),
        ("end_repeat", "", "", "", "", "", "", "", ""),
        ("integer", "age", "Age?", "${city} = 'x' and ${age} > 3", "", "", "old.png", "regex(., '.*')", ""),
        ("note", "end", "That was all.", "", "", "", "", "", ""),
        choices=[("city", "x", "X"), ("city", "y", "Y")],
    )
    survey = import_file(content)
    assert [question["id"] for question in questions(survey.document)] == ["city"]
    assert [note for note in notes(survey) if note[0] != "pyxform"] == [
        ("sheet survey, row 2, column type", "“begun” is left out: there is no question type “start”."),
        ("sheet survey, row 3, column appearance", "this appearance is not imported."),
        ("sheet survey, row 4, column type", "“twice” is left out: there is no question type “calculate”."),
        ("sheet survey, row 5, column type", "a repeat: “child” and its 1 rows are left out."),
        (
            "sheet survey, row 8, column constraint",
            "this constraint is not imported: only a minimum and a maximum are.",
        ),
        ("sheet survey, row 8, column type", "answers may also have decimals."),
        ("sheet survey, row 9", "“end” is left out: no question follows it."),
        ("sheet survey, column calculation, rows 4", "this column is not imported."),
        ("sheet survey, column choice_filter, rows 3", "this column is not imported."),
        ("sheet survey, column image, rows 8", "this column is not imported."),
        ("sheet survey, row 8", "“age” is left out: its condition is not understood."),
    ]


@pytest.mark.parametrize(
    ("expression", "answers"),
    [
        ("${job} = 'a'", ["a"]),
        ("'a' = ${job} or ${job} = 'c'", ["a", "c"]),
        ("${job} != 'a'", ["b", "c"]),
        ("not(${job} = 'a' or ${job} = 'b')", ["c"]),
        ("${job} != 'a' and ${job} != 'c'", ["b"]),
        ("(selected(${job}, 'b'))", ["b"]),
        ('${job} = "c"', ["c"]),
    ],
)
def test_a_condition_on_answers_becomes_one_of_the_draft(expression: str, answers: list[str]) -> None:
    survey = read(
        ("type", "name", "label", "relevant"),
        ("select_one jobs", "job", "Job?", ""),
        ("text", "why", "Why?", expression),
        choices=[("jobs", "a", "A"), ("jobs", "b", "B"), ("jobs", "c", "C")],
    )
    blank = [("sheet survey, row 3", "who gave no answer to “job” is not asked this here.")]
    assert one(survey, "why")["when"] == {"question": "job", "is": answers}
    assert notes(survey) == (blank if "!=" in expression or "not(" in expression else [])


A, B, SWIMS = ({"question": name, "is": [value]} for name, value in (("job", "a"), ("job", "b"), ("sports", "swim")))
RUNS = {"question": "sports", "is": ["run"]}


@pytest.mark.parametrize(
    ("expression", "when"),
    first(
        2,
        [
            ("${job} = 'a' and selected(${sports}, 'swim')", {"all": [A, SWIMS]}),
            ("${job} = 'a' or selected(${sports}, 'swim')", {"any": [A, SWIMS]}),
            ("selected(${sports}, 'run') and selected(${sports}, 'swim')", {"all": [RUNS, SWIMS]}),
            ("not(${job} != 'a' or not(selected(${sports}, 'swim')))", {"all": [A, SWIMS]}),
            (
                "(${job} = 'b' or ${job} = 'a') and (selected(${sports}, 'run') or selected(${sports}, 'swim'))",
                {"all": [{"question": "job", "is": ["a", "b"]}, {"question": "sports", "is": ["run", "swim"]}]},
            ),
            (
                "${job} = 'a' or (${job} = 'b' and selected(${sports}, 'run')) or selected(${sports}, 'swim')",
                {"any": [A, {"all": [B, RUNS]}, SWIMS]},
            ),
        ],
    ),
)
def test_a_condition_on_several_questions_comes_in_and_goes_out(expression: str, when: dict[str, Any]) -> None:
    """What goes out says the same, and comes in again."""

    def asked_after(relevant: str) -> bytes:
        return form(
            ("type", "name", "label", "relevant"),
            ("select_one jobs", "job", "Job?", ""),
            ("select_multiple sports", "sports", "Sports?", ""),
            ("text", "why", "Why?", relevant),
            choices=[("jobs", "a", "A"), ("jobs", "b", "B"), ("sports", "run", "Run"), ("sports", "swim", "Swim")],
        )

    survey = import_file(asked_after(expression))
    assert (one(survey, "why")["when"], notes(survey)) == (when, [])
    again = import_file(write(survey.document))
    assert one(again, "why")["when"] == when


@pytest.mark.parametrize(
    "expression",
    [
        "not(selected(${sports}, 'run'))",
        "selected(${sports}, 'swim') and not(selected(${sports}, 'run'))",
        "selected(${sports}, 'swim') or not(selected(${sports}, 'run'))",
        "${sports} = 'swim'",
        "${sports} != 'swim'",
    ],
)
def test_what_was_not_ticked_is_no_condition_of_a_draft(expression: str) -> None:
    """Nor is that nothing else was: the question is left out, and a note says so. The wrong people are never asked."""
    survey = read(
        ("type", "name", "label", "relevant"),
        ("select_multiple sports", "sports", "Sports?", ""),
        ("text", "why", "Why?", expression),
        choices=[("sports", "run", "Run"), ("sports", "swim", "Swim"), ("sports", "chess", "Chess")],
    )
    sentence = "“why” is left out: its condition is not understood."
    assert [question["id"] for question in questions(survey.document)] == ["sports"]
    assert notes(survey) == [("sheet survey, row 3", sentence)]


def test_a_text_with_a_control_character_goes_out_without_it() -> None:
    """Slides have some at the ends of lines, and no sheet holds them."""
    survey = read(("type", "name", "label"), ("text", "why", "Why?"))
    next(questions(survey.document))["text"] = {"en": "Why\x0bnot?"}
    again = import_file(write(survey.document))
    assert one(again, "why")["text"] == {"en": "Whynot?"}


@pytest.mark.parametrize("text", ["Why <not>?", "A&ampB", "a < b & c", "R & D", "&lt;b&gt; &amp; co"])
def test_angles_and_entities_of_a_text_come_back(text: str) -> None:
    """Labels of forms are HTML, in which they would be tags and letters."""
    survey = read(("type", "name", "label"), ("text", "why", "Why?"))
    next(questions(survey.document))["text"] = {"en": text}
    assert one(import_file(write(survey.document)), "why")["text"] == {"en": text}


def test_conditions_of_groups_hold_together_with_a_question_s_own() -> None:
    survey = read(
        ("type", "name", "label", "relevant"),
        ("select_one jobs", "job", "Job?", ""),
        ("select_multiple sports", "sports", "Sports?", ""),
        ("begin_group", "more", "More", "${job} = 'a'"),
        ("text", "why", "Why?", "selected(${sports}, 'swim')"),
        ("end_group", "", "", ""),
        choices=[("jobs", "a", "A"), ("jobs", "b", "B"), ("sports", "swim", "Swim")],
    )
    assert (one(survey, "why")["when"], notes(survey)) == ({"all": [A, SWIMS]}, [])


def test_a_condition_with_a_sensitive_question_is_not_kept() -> None:
    """Whether the next question is shown would tell the answer."""
    survey = read(
        ("type", "name", "label", "relevant", "rr_role"),
        ("select_one yn", "drugs", "Drugs?", "", "sensitive"),
        ("text", "why", "Why?", "${drugs} = 'yes'", ""),
        choices=[("yn", "yes", "Yes"), ("yn", "no", "No")],
    )
    sentence = "“why” is left out: its condition would reveal a sensitive answer."
    assert [question["id"] for question in questions(survey.document)] == ["drugs"]
    assert notes(survey) == [("sheet survey, row 3", sentence)]


def test_roles_blocks_and_chances_become_blocks() -> None:
    """One coin for a block with a name, a coin each without one, one-sided where one answer is harmless."""
    heads = ("type", "name", "label", "rr_role", "rr_block", "rr_keep", "rr_theta")
    survey = read(
        heads,
        ("select_one yn", "a", "A?", "sensitive", "drugs", 0.25, 0.5),
        ("select_one yn", "b", "B?", "sensitive", "drugs", 0.25, 0.6),
        ("select_one yn", "c", "C?", "sensitive", "", 0.5, ""),
        ("select_one yn", "d", "D?", "harmless-no", "", 0.8, ""),
        ("select_one yn", "e", "E?", "open", "", "", ""),
        choices=[("yn", "yes", "Yes"), ("yn", "no", "No")],
    )
    assert survey.document["blocks"] == [
        {"name": "drugs", "kind": "coin", "settings": {"keep": 0.25, "theta": 0.5}, "questions": ["a", "b"]},
        {"name": "Each by itself 0.5", "kind": "each", "settings": {"keep": 0.5, "theta": 0.5}, "questions": ["c"]},
        {"name": "One-sided 0.8", "kind": "one-sided", "settings": {"turned": 0.2}, "questions": ["d"]},
    ]
    assert [question["settings"] for question in questions(survey.document)] == [
        {},
        {"theta": 0.6},
        {},
        {"harmless": "0"},
        {},
    ]


def test_all_bad_cells_of_the_protection_are_told_at_once() -> None:
    """A chance that is none, a role that is none, two chances of one block, a chance of an undisguised question."""
    content = form(
        ("type", "name", "label", "rr_role", "rr_block", "rr_keep"),
        ("select_one yn", "a", "A?", "sensitive", "one", 1.5),
        ("select_one yn", "b", "B?", "secret", "", ""),
        ("select_one yn", "c", "C?", "sensitive", "two", 0.4),
        ("select_one yn", "d", "D?", "sensitive", "two", 0.5),
        ("select_one yn", "e", "E?", "", "", 0.5),
        ("text", "f", "F?", "sensitive", "", ""),
        choices=[("yn", "yes", "Yes"), ("yn", "no", "No")],
    )
    with pytest.raises(ImportRefusedError) as refused:
        import_file(content)
    assert {fault.place: fault.sentence for fault in refused.value.faults} == {
        "sheet survey, row 2, column rr_keep": "“1.5” is not a number from 0 to 1.",
        "sheet survey, row 3, column rr_role": "“secret” is not one of: open, sensitive, harmless-yes, harmless-no.",
        "sheet survey, row 5, column rr_keep": "the block “two” keeps 0.4 already.",
        "sheet survey, row 6, column rr_keep": "an undisguised question has no role: leave rr_role empty.",
        "sheet survey, row 7": "this type cannot be disguised; ask a choice or a scale instead.",
    }


@pytest.mark.parametrize(
    ("kind", "head", "cell"),
    [("flip", "flips", "[0.7, 0.3]"), ("coin", "keep", "half"), ("one-sided", "turned", "some")],
)
def test_a_chance_of_a_row_is_refused_where_its_block_has_none(kind: str, head: str, cell: str) -> None:
    """Flips have no one chance that an answer stays; and what is no number is none."""
    content = workbook(
        {
            "survey": [
                ("type", "name", "label", "rr_role", "rr_block", "rr_keep"),
                ("select_one yn", "a", "A?", "sensitive", "own", 0.5),
            ],
            "choices": [("list_name", "name", "label"), ("yn", "yes", "Yes"), ("yn", "no", "No")],
            "rr_blocks": [("block", "kind", head), ("own", kind, cell)],
        }
    )

    with pytest.raises(ImportRefusedError) as refused:
        import_file(content)

    sentences = {fault.place: fault.sentence for fault in refused.value.faults}
    assert sentences["sheet survey, row 2, column rr_keep"] == "this kind of block has no such value."


def test_yes_and_no_are_known_by_their_words_and_prefer_not_to_say_too() -> None:
    """Whatever numbers they had."""
    survey = read(
        ("select_one a", "a", "A?"),
        ("select_one b", "b", "B?"),
        choices=[
            ("a", "1", "Yes"),
            ("a", "2", "No"),
            ("b", "y", "yes"),
            ("b", "n", "no"),
            ("b", "x", "Prefer not to say"),
        ],
    )
    assert (one(survey, "a")["type"], one(survey, "a")["options"]) == ("yesno", [])
    assert [(row["value"], row["last"]) for row in one(survey, "b")["options"]] == [
        ("1", False),
        ("0", False),
        ("secret", True),
    ]


def test_yes_and_no_are_known_in_every_language_of_the_page() -> None:
    """So a yes/no question in the words that the studio gives it comes back as one."""
    read = {
        tag: yes_and_no([("1", {tag: READY["yes"][tag]}), ("0", {tag: READY["no"][tag]}), ("x", {tag: label})])
        for tag, label in READY["prefer-not"].items()
    }

    assert read == {tag: {"1": "1", "0": "0", "x": "secret"} for tag in SPOKEN}


def test_what_pyxform_refuses_is_refused_in_its_words() -> None:
    """A list of choices that does not exist is a mistake of the form itself."""
    with pytest.raises(ImportRefusedError) as refused:
        import_file(form(("select_one nowhere", "a", "A?")))
    (fault,) = refused.value.faults
    assert (fault.place, "choices" in fault.sentence) == ("pyxform", True)


def test_warnings_of_pyxform_are_shown() -> None:
    """A form whose language it does not know."""
    content = workbook(
        {"survey": [("type", "name", "label::English (en)", "label::Klingon"), ("text", "a", "A?", "B?")]}
    )
    listed = notes(import_file(content))
    assert [place for place, _sentence in listed] == ["sheet survey, row 1, column label::Klingon", "pyxform"]


@pytest.mark.parametrize(
    ("settings", "role"),
    [
        ({}, "sensitive"),
        ({"theta": 0.4, "noise": None}, "sensitive"),
        ({"harmless": "1"}, "harmless-yes"),
        ({"harmless": "0", "theta": 0.4}, "harmless-no"),
    ],
)
def test_the_role_of_a_question_is_what_the_forms_of_blocks_say(settings: dict[str, Any], role: str) -> None:
    """Of the roles that fit what was entered, the one that says most."""
    assert role_of(settings) == role


JOBS = [("jobs", "a", "A"), ("jobs", "b", "B")]


def test_who_refused_consent_is_not_asked_what_follows() -> None:
    """One condition that is not understood, of a group or of a question in it, leaves out what it is about."""
    survey = read(
        ("type", "name", "label", "relevant"),
        ("select_one jobs", "consent", "Do you agree?", ""),
        ("begin_group", "more", "More", "${consent} = 'a'"),
        ("integer", "age", "Age?", ""),
        ("text", "why", "Why?", "${age} > 3"),
        ("end_group", "", "", ""),
        ("begin_group", "rest", "Rest", "count(${consent}) = 1"),
        ("text", "what", "What?", "${consent} = 'a'"),
        ("end_group", "", "", ""),
        choices=JOBS,
    )

    asked = {question["id"]: question["when"] for question in questions(survey.document)}
    assert asked == {"consent": None, "age": {"question": "consent", "is": ["a"]}}
    assert [sentence for _place, sentence in notes(survey) if "left out" in sentence] == [
        f"“{name}” is left out: its condition is not understood." for name in ("why", "what")
    ]
    assert [page["number"] for page in survey.document["pages"]] == [1, 2]


def test_an_answer_in_a_label_is_one_in_the_text_of_the_draft() -> None:
    """With dots where it is missing, so that the survey can be published; dots where a draft cannot have it."""
    survey = read(
        ("type", "name", "label"),
        ("begin_group", "one", "One"),
        ("select_one jobs", "job", "Job?"),
        ("select_multiple jobs", "others", "Others?"),
        ("text", "here", "And ${job}?"),
        ("end_group", "", ""),
        ("text", "why", "Why ${job}?"),
        ("text", "rest", "Not ${others}?"),
        choices=JOBS,
    )

    texts = {name: (one(survey, name)["text"]["en"], one(survey, name)["pipes"]) for name in ("here", "why", "rest")}
    assert texts == {
        "here": ("And …?", {}),
        "why": ("Why {job}?", {"job": {"en": "…"}}),
        "rest": ("Not …?", {}),
    }
    assert [sentence for _place, sentence in notes(survey)] == [
        "the answer to “job” cannot stand in its text here: the text shows “…”.",
        "where “job” has no answer, its text shows “…”: write what should be there.",
        "the answer to “others” cannot stand in its text here: the text shows “…”.",
    ]


def test_a_constraint_keeps_its_bounds_beside_what_is_not_understood() -> None:
    """A part joined by “and” holds by itself; one joined by “or” does not."""
    survey = read(
        ("type", "name", "label", "constraint"),
        ("decimal", "a", "A?", ". >= 0 and . <= 10 and . != 5"),
        ("decimal", "b", "B?", ". >= 0 or . = -1 and . <= 5"),
        ("decimal", "c", "C?", ". >= 0 and . <= 10"),
    )

    assert [(each["min"], each["max"]) for each in questions(survey.document)] == [("0", "10"), ("", ""), ("0", "10")]
    assert notes(survey) == [
        (
            "sheet survey, row 2, column constraint",
            "of this constraint only the minimum and the maximum are imported.",
        ),
        (
            "sheet survey, row 3, column constraint",
            "this constraint is not imported: only a minimum and a maximum are.",
        ),
    ]


def test_notes_are_help_texts_of_the_next_question() -> None:
    """In every language; before its hint."""
    survey = read(
        ("type", "name", "label::English (en)", "label::العربية", "hint::English (en)"),
        ("note", "intro", "Read this.", "اقرأ هذا.", ""),
        ("text", "why", "Why?", "لماذا؟", "In a word."),
    )

    why = one(survey, "why")
    assert (why["text"], why["help"]) == (
        {"en": "Why?", "ar": "لماذا؟"},
        {"en": "Read this.\nIn a word.", "ar": "اقرأ هذا."},
    )
    own = [note for note in notes(survey) if note[0] != "pyxform"]
    assert own == [("sheet survey, row 2", "“intro” is a help text of the next question.")]


def test_a_form_is_called_as_its_survey() -> None:
    """So that two exports are two forms in ODK; what a form was called there is listed."""
    document = every_type() | {"title": "Health 2026"}
    assert workbook_of(write(document))["settings"].rows[0]["form_id"] == "health-2026"
    content = form(
        ("type", "name", "label"),
        ("text", "why", "Why?"),
        settings=[("form_title", "form_id", "version"), ("Health", "hs_26", "7")],
    )
    survey = import_file(content)
    assert survey.document["title"] == "Health"
    assert notes(survey) == [
        (
            "sheet settings, row 2, column form_id",
            "the form is called “hs_26” there; a survey has a short name of its own.",
        ),
        ("sheet settings, row 2, column version", "versions of a survey are counted from 1: this one is not kept."),
    ]
