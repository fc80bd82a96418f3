"""A page of which each device asks only some questions: it draws which, and says so as it says a version."""

import json
from math import comb

import numpy as np
import pytest

from surveys.domain.messages.submission import Refused, _check_open
from surveys.domain.questionnaire.check import complete_definition, refusals, say_small_groups, small_groups
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.domain.rehearsal.ask import open_lines
from surveys.models import Survey
from surveys.studio import sheet
from surveys.studio.checklist import checklist
from surveys.studio.protection import forecast_context
from tests.surveys.making import add_question, drop_questions, edit_draft, make_survey, set_questions, write

ASKED = "asked-2"


def ask(survey: Survey, number: int | None) -> None:
    with edit_draft(survey) as document:
        document["pages"][1]["ask"] = number


@pytest.fixture
def survey() -> Survey:
    """Two of four undisguised questions are asked; one of them only of people with a job."""
    survey = make_survey()
    add_question(survey, "job", required=True)
    for name in ("sleep", "sport", "music"):
        add_question(survey, name, page=2)
    add_question(survey, "boss", page=2, when={"question": "job", "is": ["1"]})
    ask(survey, 2)
    return survey


def test_every_set_of_questions_is_as_likely_and_each_question_is_in_its_sets(survey: Survey) -> None:
    """The draw stands before the page's questions, as a question that nobody is asked."""
    drawn, *others = compose(Draft.load(survey)).source["pages"][1]["questions"]
    assert (drawn["id"], drawn["text"]) == (ASKED, {"en": "Questions asked"})
    assert [option["value"] for option in drawn["options"]] == ["1-2", "1-3", "1-4", "2-3", "2-4", "3-4"]
    assert sum(drawn["chances"]) == 2**32
    assert max(drawn["chances"]) - min(drawn["chances"]) <= 1
    assert {one["id"]: one["when"] for one in others} == {
        "sleep": {"question": ASKED, "is": ["1-2", "1-3", "1-4"]},
        "sport": {"question": ASKED, "is": ["1-2", "2-3", "2-4"]},
        "music": {"question": ASKED, "is": ["1-3", "2-3", "3-4"]},
        "boss": {"all": [{"question": ASKED, "is": ["1-4", "2-4", "3-4"]}, {"question": "job", "is": ["1"]}]},
    }


def test_a_response_answers_what_its_device_drew(survey: Survey) -> None:
    """No other question of the page, and never without the draw."""
    asked = compose(Draft.load(survey)).open_questions
    _check_open({"job": "0", ASKED: "1-2", "sleep": "1", "sport": "0"}, asked)
    _check_open({"job": "0", ASKED: "1-4", "sleep": "1"}, asked)
    for answers in ({}, {ASKED: "1-2", "music": "1"}, {ASKED: "1-4", "boss": "1"}, {ASKED: "1"}):
        with pytest.raises(Refused):
            _check_open({"job": "0", **answers}, asked)


def test_simulated_people_are_asked_what_was_drawn(survey: Survey) -> None:
    """Each question of half of them, within 4.5 standard errors, and each pair of one in six."""
    count = 3000
    written = open_lines(compose(Draft.load(survey)).open_questions, count, np.random.default_rng(55))
    lines = [json.loads(line) for line in written]
    for names, chance in ((["sleep"], 1 / 2), (["sleep", "music"], 1 / comb(4, 2))):
        share = sum(all(name in line for name in names) for line in lines) / count
        assert abs(share - chance) < 4.5 * (chance * (1 - chance) / count) ** 0.5


def test_who_is_not_asked_counts_where_groups_are_too_small(survey: Survey) -> None:
    """Of 150 people 75 are asked each question, and half of these about a boss: a report needs 100."""
    with edit_draft(survey) as document:
        document["expected"] = 150
    draft = Draft.load(survey)
    few = {question.id: (people, least) for question, people, least in small_groups(draft, minimum_of_draft(draft))}
    assert few == {"sleep": (75, 100), "sport": (75, 100), "music": (75, 100), "boss": (37, 100)}


def test_a_third_of_the_people_is_a_third_and_all_pages_say_whose_answers_are_not_shown(survey: Survey) -> None:
    """Of 300 people 100 are asked each of three; of 240 they are 80, and Write, Protect and Publish say so alike."""
    set_questions(survey, no_skip="they may leave")
    drop_questions(survey, "boss")
    ask(survey, 1)
    write(survey, expected=300)
    draft = Draft.load(survey)
    enough = [*say_small_groups(draft, minimum_of_draft(draft))]
    write(survey, expected=240)
    draft = Draft.load(survey)
    ((asked, sentence),) = say_small_groups(draft, minimum_of_draft(draft))

    assert (enough, [one.id for one in asked]) == ([], ["sleep", "sport", "music"])
    assert sentence == (
        "If all answers were equally common, 80 of the 240 people expected would be asked: “sleep?”, “sport?”, "
        "“music?”. Answers are shown of 100 people or more, so these would not be."
    )
    assert [one.sentence for one in checklist(draft).look].count(sentence) == 1
    assert forecast_context(draft)["cannot"].count(sentence) == 1
    assert [*sheet.context(draft)["pages"][1]["too_small"]] == [sentence]


@pytest.mark.parametrize(("number", "more"), [(4, 0), (9, 0), (7, 10)])
def test_a_page_asks_fewer_than_it_has_in_not_too_many_ways(survey: Survey, number: int, more: int) -> None:
    """A hundred sets at most: each is an answer in records. Refused at the page, and before publication."""
    for place in range(more):
        add_question(survey, f"more{place}", page=2)
    ask(survey, number)
    (refused,) = refusals(Draft.load(survey))
    assert (str(refused.at), refused.sentence) == (
        "Page 2",
        f"A page can ask {number} of more undisguised questions than that, in at most 100 ways; here are {4 + more}.",
    )


def test_disguised_questions_are_no_matter_of_the_draw(survey: Survey) -> None:
    """Their block says how many of them are asked; a page asks some of the others, or all again."""
    add_question(survey, "steals", page=2, block="all")
    entries = compose(Draft.load(survey)).source["pages"][1]["questions"]
    assert [one["id"] for one in entries if "when" not in one] == [ASKED, "steals"]
    ask(survey, None)
    assert ASKED not in str(compose(Draft.load(survey)).source)


def test_of_two_questions_one_cannot_depend_on_the_other_if_one_is_asked(survey: Survey) -> None:
    """Nobody would be asked it."""
    add_question(survey, "why", page=2, when={"question": "sleep", "is": ["1"]})
    ask(survey, 1)
    with pytest.raises(Exception, match="nobody would be asked it"):
        complete_definition(Draft.load(survey))
