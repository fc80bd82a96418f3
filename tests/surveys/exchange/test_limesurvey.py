"""Questionnaires of LimeSurvey, in both layouts of its .lss files."""

from typing import Any
from xml.sax.saxutils import escape

import pytest

from surveys.domain.exchange import formats
from surveys.domain.exchange.imported import Imported, ImportRefusedError
from surveys.domain.questionnaire.document import questions

Rows = list[dict[str, Any]]


def lss(kind: str = "Survey", **tables: Rows) -> bytes:
    """A file with these tables, as LimeSurvey writes it."""
    written = [
        f"<{name}><rows>"
        + "".join(
            "<row>" + "".join(f"<{cell}>{escape(str(text))}</{cell}>" for cell, text in row.items()) + "</row>"
            for row in rows
        )
        + f"</rows></{name}>"
        for name, rows in tables.items()
    ]
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<document><LimeSurveyDocType>{kind}</LimeSurveyDocType>'
        f"<DBVersion>623</DBVersion><languages><language>en</language></languages>{''.join(written)}</document>"
    ).encode()


def import_file(content: bytes) -> Imported:
    kind, survey = formats.read_survey(content, "file")
    assert kind.name == "limesurvey"
    return survey


def question(qid: int, kind: str, title: str, **more: Any) -> dict[str, Any]:
    return {"qid": qid, "gid": 1, "type": kind, "title": title, "question_order": qid, "mandatory": "N", **more}


def texts(*rows: tuple[int, str]) -> Rows:
    return [{"qid": qid, "question": text, "help": "", "language": "en"} for qid, text in rows]


GROUPS = [{"gid": 1, "group_order": 0, "grelevance": ""}]
NAMES = [{"gid": 1, "group_name": "About you", "language": "en"}]
TITLE = [{"surveyls_language": "en", "surveyls_title": "Health", "surveyls_welcometext": "<p>We <b>ask</b></p>"}]


def test_the_types_that_there_are_here_are_read() -> None:
    """Texts without their marks, conditions, limits, arrays; nothing else is in the file, so nothing is noted."""
    survey = import_file(
        lss(
            surveys_languagesettings=TITLE,
            groups=GROUPS,
            group_l10ns=NAMES,
            questions=[
                question(1, "Y", "Smokes", mandatory="Y"),
                question(2, "M", "Drinks"),
                question(3, "L", "Job", relevance='((Smokes.NAOK == "Y"))'),
                question(4, "F", "Mood", relevance='Drinks_wine.NAOK == "Y"'),
                question(5, "N", "Age"),
                question(6, "5", "Sleep", relevance='((Mood_calm.NAOK == "A2"))'),
                question(7, "T", "Why"),
                question(8, "D", "Born"),
            ],
            subquestions=[
                question(21, "T", "beer", parent_qid=2),
                question(22, "T", "wine", parent_qid=2),
                question(41, "T", "calm", parent_qid=4),
            ],
            question_l10ns=texts(
                (1, "<p>Do you <em>smoke</em>?</p>"),
                (2, "What?"),
                (21, "Beer"),
                (22, "Wine"),
                (41, "Calm"),
                (4, "Mood?"),
            ),
            answers=[
                {"aid": 9, "qid": 3, "code": "a", "sortorder": 1, "scale_id": 0},
                {"aid": 8, "qid": 3, "code": "b", "sortorder": 0, "scale_id": 0},
                {"aid": 7, "qid": 4, "code": "A1", "sortorder": 0, "scale_id": 0},
                {"aid": 6, "qid": 4, "code": "A2", "sortorder": 1, "scale_id": 0},
            ],
            answer_l10ns=[
                {"aid": 9, "answer": "Nurse", "language": "en"},
                {"aid": 8, "answer": "Baker", "language": "en"},
                {"aid": 7, "answer": "Never", "language": "en"},
                {"aid": 6, "answer": "Often", "language": "en"},
            ],
            question_attributes=[
                {"qid": 5, "attribute": "min_num_value_n", "value": "18"},
                {"qid": 5, "attribute": "max_num_value_n", "value": "99"},
                {"qid": 7, "attribute": "maximum_chars", "value": "200"},
                {"qid": 3, "attribute": "random_order", "value": "1"},
            ],
        )
    )
    own = {each["id"]: each for each in questions(survey.document)}
    assert [note.sentence for note in survey.left] == ["names are in small letters here, such as that of “Smokes”."]
    assert (survey.document["title"], survey.document["why"]) == ("Health", {"en": "We ask"})
    assert [(name, each["type"], each["when"]) for name, each in own.items()] == [
        ("smokes", "yesno", None),
        ("drinks", "several", None),
        ("job", "choice", {"question": "smokes", "is": ["1"]}),
        ("mood", "matrix", {"question": "drinks", "is": ["wine"]}),
        ("age", "number", None),
        ("sleep", "scale", {"question": "mood", "is": ["mood_calm=2"]}),
        ("why", "text", None),
        ("born", "date", None),
    ]
    assert (own["smokes"]["text"], own["smokes"]["required"]) == ({"en": "Do you smoke?"}, True)
    assert [(row["value"], row["label"]["en"]) for row in own["job"]["options"]] == [("b", "Baker"), ("a", "Nurse")]
    assert [row["value"] for row in own["mood"]["options"]] == ["mood_calm", "1", "2"]
    assert [own["age"][end] for end in ("min", "max")] == ["18", "99"]
    assert [own["sleep"][end] for end in ("min", "max")] == ["1", "5"]
    assert (own["job"]["shuffle"], own["why"]["max"]) == (True, "200")


def test_what_is_not_understood_is_listed_with_its_question() -> None:
    """Types, comments, “other”, patterns, settings, conditions, and whole tables."""
    survey = import_file(
        lss(
            groups=[*GROUPS, {"gid": 2, "group_order": 1, "grelevance": "rand(1, 2) == 1"}],
            group_l10ns=NAMES,
            questions=[
                question(1, "|", "upload"),
                question(2, "O", "Job", other="Y", mandatory="S", preg="/x/"),
                question(3, "S", "note", relevance="is_empty(job)", gid=2),
            ],
            answers=[{"aid": 1, "qid": 2, "code": code, "sortorder": 0, "scale_id": 0} for code in "ab"],
            question_attributes=[
                {"qid": 3, "attribute": "prefix", "value": "EUR"},
                {"qid": 3, "attribute": "cssclass", "value": "x"},
            ],
            quota=[{"id": 1}],
        )
    )
    assert [(note.place, note.sentence) for note in survey.left] == [
        ("quota", "these rows are not imported: 1."),
        ("question upload", "“upload” is left out: there is no question type “|”."),
        ("question Job", "LimeSurvey reminds people to answer this; here it is optional."),
        ("question Job", "“other” with text is left out."),
        ("question Job", "comments on answers are left out."),
        ("question Job", "the required pattern of answers is not imported."),
        ("question note", "these settings are not imported: prefix."),
        ("", "names are in small letters here, such as that of “Job”."),
        ("question note", "“note” is left out: its condition is not understood."),
    ]


def test_a_group_of_questions_alone_is_no_survey() -> None:
    """LimeSurvey has other files of the same look."""
    with pytest.raises(ImportRefusedError, match="not a survey"):
        import_file(lss("Group", groups=GROUPS))


def test_answers_in_texts_pictures_and_parts_are_kept_or_listed() -> None:
    """The notice of privacy is the consent; a computed text, a picture and the condition of a part are listed."""
    survey = import_file(
        lss(
            surveys_languagesettings=[TITLE[0] | {"surveyls_policy_notice": "<p>We keep nothing.</p>"}],
            groups=[*GROUPS, {"gid": 2, "group_order": 1, "grelevance": ""}],
            question_l10ns=texts(
                (1, "Job? <img src='job.png'>"),
                (2, "You said {INSERTANS:12X1X1}: why, {job.shown}?"),
                (3, "Drinks of {TOKEN:FIRSTNAME}?"),
            ),
            questions=[question(1, "L", "job"), question(2, "T", "why", gid=2), question(3, "M", "drinks", gid=2)],
            answers=[{"aid": 1, "qid": 1, "code": code, "sortorder": 0, "scale_id": 0} for code in "ab"],
            subquestions=[
                {"qid": 9, "parent_qid": 3, "title": "wine", "question_order": 1, "relevance": "job.NAOK == 'a'"}
            ],
        )
    )

    read = {each["id"]: each for each in questions(survey.document)}
    assert survey.document["consent"] == {"en": "We keep nothing."}
    assert (read["why"]["text"], read["why"]["pipes"]) == (
        {"en": "You said {job}: why, {job}?"},
        {"job": {"en": "…"}},
    )
    assert [(note.place, note.sentence) for note in survey.left] == [
        ("question_l10ns", "pictures and sounds in texts are not imported: 1 rows."),
        ("question drinks", "“{TOKEN:FIRSTNAME}” in its text is not computed here."),
        ("question drinks", "its part “wine” is always shown here: parts have no conditions."),
        ("question why", "where “job” has no answer, its text shows “…”: write what should be there."),
    ]
