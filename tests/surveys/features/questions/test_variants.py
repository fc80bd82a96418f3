"""Questions that nobody is asked: the device draws the answer, and it says which version a person gets."""

import json
from typing import Any

import numpy as np
import pytest

from privacy.errors import InputError
from surveys.definition import Definition
from surveys.domain.messages.submission import Refused, _check_open
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft
from surveys.domain.rehearsal.ask import open_lines
from surveys.features.questions import late_references
from surveys.models import Survey
from surveys.studio.protocol import questionnaire
from tests.surveys.making import add_question, make_survey

STORIES = (("short", "Short"), ("long", "Long"))
LONG = {"question": "story", "is": ["long"]}


@pytest.fixture
def survey() -> Survey:
    """A quarter gets the short story; only of the long one there is a question more."""
    survey = make_survey()
    add_question(survey, "story", type="choice", options=STORIES, chances="1 : 3")
    add_question(survey, "bored", when=LONG)
    return survey


def definition(survey: Survey) -> Definition:
    return compose(Draft.load(survey))


def test_proportions_are_published_as_chances(survey: Survey) -> None:
    """Out of 2^32, and in the protocol as shares; thirds add up."""
    published = definition(survey)
    story = published.source["pages"][0]["questions"][3]
    assert story["chances"] == [2**30, 3 * 2**30]
    marks = {one["id"]: one["marks"] for page in questionnaire(published.source)["pages"] for one in page["questions"]}
    assert marks["story"] == (
        "one of several, not disguised, not asked: the device draws the answer, “short” 25 %, “long” 75 %"
    )
    thirds = make_survey("thirds")
    add_question(thirds, "story", type="choice", options=(*STORIES, ("none", "None")), chances="1,1,1")
    assert definition(thirds).source["pages"][0]["questions"][3]["chances"] == [1431655766, 1431655765, 1431655765]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"chances": "1 : 1 : 1"}, "the device draws one of the options: give each a proportion above 0"),
        ({"chances": "1 : 0"}, "the device draws one of the options: give each a proportion above 0"),
        ({"chances": "9" * 5000}, "the device draws one of the options: give each a proportion above 0"),
        ({"chances": "half"}, "the device draws one of the options: give each a proportion above 0"),
        ({"required": True}, "what the device draws is undisguised"),
        ({"parameter": "story"}, "what the device draws is undisguised"),
        ({"out": ["long"]}, "what the device draws is undisguised"),
    ],
)
def test_what_no_device_can_draw_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """At the question, with the field still there to mend it."""
    survey = make_survey()
    add_question(survey, "story", type="choice", options=STORIES, **{"chances": "1 : 1", **fields})
    (refused,) = refusals(Draft.load(survey))
    assert str(refused.at) == "story"
    assert refused.sentence.lower().startswith(sentence.lower())


def test_a_sensitive_answer_is_not_drawn() -> None:
    source = definition(make_survey()).source
    source["pages"][0]["questions"][0] |= {"chances": [2**31, 2**31]}
    with pytest.raises(InputError, match="what the device draws is undisguised"):
        Definition.parse(source)


def test_a_version_is_known_in_every_order(survey: Survey) -> None:
    """So a condition may name it on a page whose questions have a random order."""
    source = definition(survey).source
    source["pages"][0]["shuffle"] = True
    assert list(late_references(source["pages"])) == []
    assert missing(Draft.load(survey)) == []


def test_each_response_says_which_version_it_is_about(survey: Survey) -> None:
    """A device always draws; what it did not show has no answer."""
    asked = definition(survey).open_questions
    _check_open({"story": "long", "bored": "1"}, asked)
    _check_open({"story": "short"}, asked)
    for answers in ({}, {"bored": "1"}, {"story": "short", "bored": "1"}, {"story": "other"}):
        with pytest.raises(Refused):
            _check_open(answers, asked)


def test_simulated_people_get_versions_as_they_are_drawn(survey: Survey) -> None:
    """Within 4.5 standard errors of three quarters."""
    count = 2000
    written = open_lines(definition(survey).open_questions, count, np.random.default_rng(5))
    lines = [json.loads(line) for line in written]
    longs = sum(line["story"] == "long" for line in lines)
    assert abs(longs / count - 0.75) < 4.5 * (0.75 * 0.25 / count) ** 0.5
    assert all(("bored" in line) is (line["story"] == "long") for line in lines)
