"""The pair of questions that shows who follows the design: from the draft to the report."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from candor import careless
from privacy.errors import InputError
from privacy.following.careless import DEPART, FIT
from privacy.output import tenths
from surveys.definition import Definition
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.faults import faults
from surveys.domain.exchange.formats import import_document
from surveys.domain.exports.codebook import codebook
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import ONE_ANSWER, Draft, questions, read_document, sensitive, store
from surveys.domain.questionnaire.expected import pair_items
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.rehearsal.ask import simulate_people
from surveys.features import announce, careless as feature
from surveys.features.careless.staff import PART
from surveys.models import DraftDocument
from surveys.results import following
from surveys.results.figures import Figure
from surveys.results.following import judge_following
from surveys.results.reading import ReportData
from surveys.results.report import data_of, part
from tests.config.api.conftest import Caller, caller, person, token_of
from tests.surveys.anchored import answered, change, with_anchors
from tests.surveys.making import compose_draft, find_in, make_survey
from tests.surveys.results.shown import figures_of_picture
from tests.surveys.staff import somebody, visit

OF_ALL = "These figures are of all who answered, whether or not they followed the design."
OPTIONS = [{"value": value, "label": {"en": value}, "last": False, "settings": {}} for value in "10"]


@pytest.fixture
def ask() -> Caller:
    return caller(token_of(person("everything")))


def test_two_questions_come_between_the_others_and_leave_together() -> None:
    """Disguised like the first yes/no question, in all languages of the survey; deleting one of them, or a second
    press, leaves none."""
    before = beginning("substance-use", "Drugs", "en")
    asked = [one["id"] for one in questions(before)]

    after = change(before, do="careless", value=True)

    never, always = after["careless"]
    listed = [one["id"] for one in questions(after)]
    assert (never, always) == ("moon", "water")
    assert [one for one in listed if one not in (never, always)] == asked
    assert asked[0] in listed[: listed.index(never)]
    assert listed.index(never) + 1 < listed.index(always)
    assert {never, always} <= sensitive(after)
    moon = find_in(after, never)
    assert moon["text"] == {"en": "Have you ever been to the Moon?", "zh-hans": "您去过月球吗？"}
    assert [option["value"] for option in moon["options"]] == ["1", "0", "secret"]
    for undone in (change(after, do="careless", value=False), change(after, do="delete", question=never)):
        assert undone["careless"] is None
    assert [one["id"] for one in questions(change(after, do="careless", value=False))] == asked


def test_the_two_questions_have_the_disguise_of_the_first_and_a_guess_of_their_own() -> None:
    """Where noise has a share of its own at each question they take that of the first; how common it is they do not."""
    survey = make_survey(direct=False)
    before = read_document(survey)
    first = next(one for one in questions(before) if one["id"] in sensitive(before))
    first["settings"] = {"theta": 0.4, "guess": "very rare"}

    after = change(before, do="careless", value=True)

    assert [find_in(after, name)["settings"] for name in after["careless"]] == [{"theta": 0.4}] * 2


def test_a_new_name_is_kept_and_others_are_refused() -> None:
    """The names are those of two questions of the document."""
    document = read_document(with_anchors())

    assert change(document, do="name", question="moon", value="space")["careless"] == ["space", "water"]
    for wrong in (["moon"], ["moon", "moon"], ["moon", "mars"], []):
        other = deepcopy(document) | {"careless": wrong}
        said = [(fault.at, str(fault)) for fault in faults(other)]
        assert said == ([("careless", "careless: these are the names of two questions.")] if wrong else [])


def test_no_yes_no_question_is_disguised_yet() -> None:
    """There is nothing that the two could be like."""
    with pytest.raises(InputError, match="disguise a yes/no question first"):
        change(read_document(make_survey(names=())), do="careless", value=True)


def test_the_questionnaire_says_what_nearly_never_means() -> None:
    """The yes of each with the bounds of its share; with three options it is one of them. Others are refused."""
    survey = with_anchors()
    assert compose_draft(survey).source["careless"] == {"moon": [0.0, 0.01], "water": [0.99, 1.0]}
    assert "careless" not in compose_draft(make_survey("plain")).source

    document = read_document(survey)
    for question in questions(document):
        question["options"] = OPTIONS
    store(survey, document)
    whole = compose_draft(survey)

    assert feature.anchors(whole.source) == {"moon=1": [0.0, 0.01], "water=1": [0.99, 1.0]}
    (said,) = announce(whole.source, str)
    assert said == "Two questions show how many people do not follow the design: moon=1; water=1."
    second = ({}, {"stars=1": 1}, {"moon=0": 1}, {"water=1": 2}, {"water": 1})
    for wrong in ([], *({"moon=1": 0} | other for other in second)):
        with pytest.raises(InputError):
            Definition.parse(whole.source | {"careless": wrong})


def test_an_anchor_that_is_not_disguised_is_missing() -> None:
    """Before publishing, beside everything else that is."""
    survey = with_anchors()
    assert missing(Draft.load(survey)) == []
    document = read_document(survey)
    for block in document["blocks"]:
        block["questions"] = [name for name in block["questions"] if name != "moon"]
    store(survey, document)

    assert any("must be disguised, with the same options" in sentence for sentence in missing(Draft.load(survey)))


def test_the_report_shows_both_figures() -> None:
    """Those of `candor.careless`, of all who answered and of those who read, and what is assumed; the codebook knows
    the bounds. Other surveys have no such part."""
    version = answered(with_anchors(names=("drugs", "theft")), 0.3)
    data = data_of(version)
    found = careless(data.for_patterns, ["drugs", "theft"], anchors=feature.anchors(version.parsed.source))

    reader = somebody("view")
    page: dict[str, Any] = visit(reader, reverse("studio:results", args=[version.pk])).context_data

    (shown,) = [own for part, own, _pictures in page["parts"] if part.key == "attentive"]
    (figure,) = shown["figures"]
    assert figure.table.head == ("answer", "of whom", "share", "confidence interval (95 %)", "standard error")
    assert [row[1] for row in figure.table.rows] == ["all", "those who follow"] * 2
    assert figures_of_picture(figure.svg) == [row[2] for row in figure.table.rows]
    assert found.share is not None
    assert shown["sentences"][0].startswith(
        f"About {100 * found.share:.0f} % of these people did not follow the design"
    )
    for one, (of_all, of_others) in zip(found.figures, zip(*[iter(figure.table.rows)] * 2, strict=True), strict=True):
        assert of_all[2] == f"{tenths(100 * one.answered)} %"
        assert of_others[2] in (f"{tenths(100 * one.attentive)} %", "about 0 %")
        assert one.answered > one.attentive
    assert codebook(data.snapshot)["careless"] == {"moon": [0.0, 0.01], "water": [0.99, 1.0]}

    plain = answered(make_survey("plain", direct=False), 0.0, 300)
    page = visit(reader, reverse("studio:results", args=[plain.pk])).context_data
    assert "attentive" not in [part.key for part, _own, _pictures in page["parts"]]


def parts_of(data: ReportData, key: str) -> list[Figure]:
    found = part(data, key, lambda _action: True)
    assert found is not None
    figures: list[Figure] = found.context()["figures"]
    return figures


def test_figures_that_are_of_all_say_so() -> None:
    """A table, a regression and a comparison; of surveys without the two questions nothing is said."""
    names = ("drugs", "theft")
    for survey, said in ((with_anchors(names=names), True), (make_survey("plain", names, direct=False), False)):
        data = data_of(answered(survey, 0.0, 6000, link=0.7))
        for key in ("table.drugs.theft", "regression.drugs.1.theft", "compare.-.drugs.1.-.theft.1.-"):
            (figure,) = parts_of(data, key)
            assert (OF_ALL in figure.caption) == said


def test_the_api_has_the_share_of_those_who_read(ask: Caller) -> None:
    """Of a pattern that the two questions correct; null for surveys without them."""
    data = data_of(answered(with_anchors(names=("drugs", "theft")), 0.3))
    (found,) = careless(data.for_patterns, ["drugs"], anchors=feature.anchors(data.version.parsed.source)).figures
    answered(make_survey("plain", direct=False), 0.0, 300)

    (drugs,) = ask("GET", "/surveys/study/versions/1/shares?pattern=drugs").json()["patterns"]
    (plain,) = ask("GET", "/surveys/plain/versions/1/shares?pattern=drugs").json()["patterns"]

    assert drugs["attentive"] == {
        "value": pytest.approx(found.attentive),
        "se": pytest.approx(found.se),
        "low": pytest.approx(found.ci[0]),
        "high": pytest.approx(found.ci[1]),
    }
    assert plain["attentive"] is None


def test_simulated_people_read() -> None:
    """Who tries a draft out finds hardly anybody careless; links are drawn between the other questions."""
    draft = Draft.load(with_anchors(names=("drugs", "theft", "fraud")))
    guess, design = guess_of(draft), compose_draft(draft.survey).design

    truth, _direct = simulate_people(design, 4000, np.random.default_rng(3), guess=guess)

    names = [item.id for item in design.items]
    yes = dict(zip(names, truth.mean(axis=0), strict=True))
    assert (yes["moon"] < 0.02, yes["water"] > 0.98) == (True, True)
    assert {names[place] for link in pair_items(design, guess) for place in link} <= {"drugs", "theft", "fraud"}


@pytest.mark.parametrize("shuffle", [False, True])
def test_the_report_says_that_people_who_press_in_turn_are_not_seen(shuffle: bool) -> None:
    """Where everybody got the questions in one order; not where each person got an order of their own."""
    survey = with_anchors(names=("drugs", "theft"))
    document = read_document(survey)
    for page in document["pages"]:
        page["shuffle"] = shuffle
    store(survey, document)

    (shown,) = following.parts(data_of(answered(survey, 0.1, 600)))

    assert any("in turn" in sentence for sentence in shown.context()["sentences"]) != shuffle


def test_a_version_of_before_with_one_answer_of_known_share_is_read_and_tested() -> None:
    """Its bytes stay, and so does the test: two in ten said so, where three are known or two."""
    version = answered(make_survey(names=("drugs",), direct=False), 0.0)
    for known, share in ((DEPART, 0.3), (FIT, 0.2)):
        stored = Definition.parse(version.parsed.source | {"anchor": {"answer": "drugs", "share": share}})
        data = data_of(version)
        data.version.__dict__["parsed"] = stored
        data.memory.clear()

        assert Definition.parse(stored.to_bytes()) == stored
        assert judge_following(data).sentence.sentence == known
        assert [*announce(stored.source, str)] == []


def test_a_draft_of_before_says_that_its_one_answer_of_known_share_is_left_out() -> None:
    """On the list before publishing, and where a file of it is imported; not once the two questions are there."""
    survey = make_survey(names=("drugs",), direct=False)
    kept = DraftDocument.objects.get(survey=survey)
    before = kept.document | {"anchor": "drugs", "anchor_share": ".3"}
    DraftDocument.objects.filter(pk=kept.pk).update(document=before)

    assert [*PART.remarks(Draft.load(survey))] == [(ONE_ANSWER, "q-drugs")]
    assert [note.sentence for note in import_document(before).left] == [ONE_ANSWER]
    asked_twice = change(read_document(survey), do="careless", value=True) | {"anchor": "drugs"}
    assert import_document(asked_twice).left == ()
    store(survey, change(read_document(survey), do="careless", value=True))
    assert [*PART.remarks(Draft.load(survey))] == []
