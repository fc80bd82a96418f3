"""A lot that draws who is asked directly, and an answer of known share: from the draft to the report and the files."""

from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError, InputError
from privacy.guarantee import epsilon
from privacy.guarantee.crowd import promise_of_crowd
from privacy.output import tenths
from privacy.reconstruct.lot import detectable, lot as analysed
from privacy.records.packing import pack
from surveys.definition import Definition
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.exports.codebook import codebook
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft, empty, read_document, store
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.domain.questionnaire.planned_tests import crowd, round_epsilon, say_power
from surveys.domain.questionnaire.promise import protection
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.features.lot import asked_directly
from surveys.models import Survey, SurveyVersion
from surveys.results.report import data_of, topics as topics_of
from surveys.results.sections import TrustTopic
from surveys.studio import checklist
from tests.surveys.documents import document
from tests.surveys.making import add_question, compose_draft, drop_questions, make_survey
from tests.surveys.results.making import draft as full_draft


def collect_and_close(
    survey: Survey, n: int = 2000, yes: float = 0.3, direct_yes: float = 0.3, keep: float = 1.0, close: bool = True
) -> SurveyVersion:
    """Published, answered by n people of whom half are drawn and `keep` of these keep to it, and closed."""
    version = publish(survey)
    chance = np.random.default_rng(3)
    direct = (chance.random(n) < 0.5) & (chance.random(n) < keep)
    share = np.where(direct, direct_yes, yes)[:, None]
    truth = (chance.random((n, len(version.design.items))) < share).astype(np.uint8)
    seal.append(version, pack(disguise(version.design, truth, direct, words_from_seed(3))), [b"{}"] * n)
    if close:
        Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version


def topic(version: SurveyVersion, heading: str) -> TrustTopic:
    (match,) = (one for one in topics_of(data_of(version)) if one.heading == heading)
    return match


DISGUISE = "Does the disguise change what people say?"


# ---- the definition -------------------------------------------------------------------------------------------------


def test_what_was_entered_in_percent_stands_in_the_definition() -> None:
    """The lot as a whole number out of 2³², rounded down."""
    written = compose_draft(make_survey(lot=20))
    assert written.source["lot"] == 2**32 * 20 // 100
    assert Definition.parse(written.to_bytes()) == written
    assert asked_directly(written.source) == pytest.approx(0.2)


@pytest.mark.parametrize("lot", [0, 2**32, 0.2, True, "20"])
def test_a_lot_that_draws_nobody_or_everybody_is_refused(lot: Any) -> None:
    """It is a whole number of outcomes out of 2³²."""
    with pytest.raises(InputError, match="must be a whole number from 1 to 4294967295"):
        Definition.parse(document(lot=lot))


# ---- studio and administration --------------------------------------------------------------------------------------


@pytest.fixture
def draft_and_editor() -> tuple[Survey, Editor]:
    """A draft of the studio with two sensitive questions, and who writes it."""
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en"]))
    ann = Editor(User.objects.create(username="ann"), "tab-1", 0)
    history.change(survey, ann, {"do": "add", "type": "yesno", "lines": "One?\nTwo?", "sensitive": True})
    return survey, ann


def test_the_studio_writes_the_lot_and_takes_it_back(draft_and_editor: tuple[Survey, Editor]) -> None:
    """As fields of a page send it: a text. Without a direct group there is no lot."""
    survey, ann = draft_and_editor
    for field, value in (("direct", True), ("lot", "20")):
        history.change(survey, ann, {"do": "survey", "field": field, "value": value})
    assert read_document(survey)["lot"] == 20
    history.change(survey, ann, {"do": "survey", "field": "direct", "value": False})
    assert read_document(survey)["lot"] is None


@pytest.mark.parametrize(("field", "value"), [("lot", "100"), ("lot", "many")])
def test_the_studio_refuses_a_share_that_is_none(
    draft_and_editor: tuple[Survey, Editor], field: str, value: str
) -> None:
    """And the draft stays as it was."""
    survey, ann = draft_and_editor
    before = read_document(survey)
    with pytest.raises(EntryError):
        history.change(survey, ann, {"do": "survey", "field": field, "value": value})
    assert read_document(survey) == before


def test_a_document_of_an_earlier_version_says_nothing_of_them(draft_and_editor: tuple[Survey, Editor]) -> None:
    """It is taken in as it is; a document that is stored holds them."""
    survey, ann = draft_and_editor
    older = {name: value for name, value in read_document(survey).items() if name != "lot"}
    older |= {"anchor": "one", "anchor_share": 12.5}  # which none has any more
    history.change(survey, ann, {"do": "replace", "document": older})
    assert read_document(survey)["lot"] is None
    assert not {"anchor", "anchor_share"} & read_document(survey).keys()
    store(survey, read_document(survey))


def test_half_a_setting_is_said_before_publication() -> None:
    """On the page where the survey is published."""
    (said,) = missing(Draft.load(make_survey(lot=20, direct=False)))
    assert "direct answers are not allowed: allow them, or draw nobody" in said


def test_researchers_read_what_can_be_found_before_they_publish() -> None:
    """By the calculations of the report, for the respondents that are expected."""
    survey = make_survey(lot=50, expected=4000)
    definition = compose_draft(survey)
    least = detectable(definition.design, 4000, 0.5)
    assert least is not None
    said = [say_power(definition, 4000)]
    assert f"by {np.ceil(100 * least):.0f} points or more" in said[0]
    named = [sentence.replace("“drugs”", "“drugs? Yes”") for sentence in said]
    draft = Draft.load(survey)
    on_page = checklist.say_trust(draft, protection(draft, minimum_of_draft(draft)))
    hidden = crowd(definition, 4000)
    assert on_page[-len(said) - len(hidden) :] == [*named, *hidden]


def test_so_few_that_nothing_can_be_found_are_told_so() -> None:
    """In place of a figure above 100 %."""
    few = make_survey(lot=1, expected=20)
    said = [say_power(compose_draft(few), 20)]
    assert said[0].startswith("So few respondents cannot show")


def test_the_crowd_is_told_with_what_open_questions_take_away() -> None:
    """Three faculties leave a third of those in disguise at best; texts that stand apart take nothing."""
    survey = full_draft(expected=750)
    drop_questions(survey, "age", "ways", "mood", "hours", "born", "views")
    definition = compose_draft(survey)
    design, said = definition.design, crowd(definition, 750)
    assert f"ε = {round_epsilon(promise_of_crowd(design, 600).epsilon)}," in said[0]
    assert f"promises {round_epsilon(epsilon(design.gamma))}." in said[0]
    assert said[1].startswith("Undisguised answers distinguish people (faculty): at best 200 people give the same")
    assert said[1].endswith(f"ε = {round_epsilon(promise_of_crowd(design, 200).epsilon)}.")
    add_question(survey, "hours", type="number", page=3)
    assert "at best 1 person gives the same" in crowd(checklist.definition_so_far(Draft.load(survey)), 750)[1]


# ---- the report and the files ---------------------------------------------------------------------------------------


def test_the_report_tells_what_the_disguise_changes() -> None:
    """The figures of `candor lot` on the files, with a verdict; of a disguise that changes much."""
    version = collect_and_close(make_survey(lot=50, names=("drugs",)), yes=0.6, direct_yes=0.1)
    data = data_of(version)
    tested = analysed(data.sealed, 0.5, least=100)
    shown = topic(version, DISGUISE)
    assert shown.sentences[0] == "Devices drew 50 % of respondents (random assignment) for direct questioning."
    assert shown.sentences[2].startswith("The disguise changes what people say on drugs")
    assert shown.table is not None
    (row,) = shown.table.rows
    assert row[1] == f"{tenths(100 * tested.effects[0].kept.direct)} %"
    assert row[5] == " … ".join(f"{100 * end:+.1f}".replace("-", "−") for end in tested.effects[0].ci)


def test_a_difference_that_decliners_could_explain_is_no_effect() -> None:
    """The groups differ, and half of those who were drawn declined."""
    version = collect_and_close(make_survey(lot=50, names=("drugs",)), 4000, yes=0.5, direct_yes=0.2, keep=0.5)
    assert (
        topic(version, DISGUISE)
        .sentences[2]
        .startswith("The groups differ in “drugs? Yes”. If everybody who was drawn")
    )


@pytest.mark.parametrize(("n", "direct_yes"), [(2000, 0.05), (150, 0.3)], ids=["of an answer", "in all"])
def test_what_few_people_said_directly_is_not_told(n: int, direct_yes: float) -> None:
    """As in the report of the answer, from which it could be subtracted otherwise: a hundred at least."""
    version = collect_and_close(make_survey(lot=50, names=("drugs",)), n, direct_yes=direct_yes)
    shown = topic(version, DISGUISE)
    assert (shown.sentences[1:], shown.table) == (
        ("Too few answered directly, or disguised, for a comparison.",),
        None,
    )


def test_no_difference_is_no_proof_of_none() -> None:
    """And the combined estimator is right as far as there is none."""
    version = collect_and_close(make_survey(lot=50, names=("drugs",)))
    assert topic(version, DISGUISE).sentences[2].startswith("No difference is found, which does not show")


def test_more_direct_answers_than_the_lot_gives_are_said() -> None:
    """Half answered directly where one in five is drawn."""
    version = collect_and_close(make_survey(lot=20, names=("drugs",)))
    assert any(
        sentence.startswith("The draw gives this many in few") for sentence in topic(version, DISGUISE).sentences
    )


def test_direct_answers_wait_until_the_version_is_closed() -> None:
    """While it collects nothing of them is reported, not their number either."""
    version = collect_and_close(make_survey(lot=50, names=("drugs",)), close=False)
    shown = topic(version, DISGUISE)
    assert (shown.sentences[1:], shown.table) == (("Direct answers are reported after this version is closed.",), None)


def test_where_people_choose_themselves_there_is_no_such_part() -> None:
    """A group that chose itself shows no effect of the disguise."""
    version = collect_and_close(make_survey(names=("drugs",)))
    assert DISGUISE not in [one.heading for one in topics_of(data_of(version))]


def test_the_codebook_tells_analysts_of_it() -> None:
    """So that `candor lot` gives the figures of the report; without it it says nothing."""
    version = collect_and_close(make_survey(lot=50))
    assert codebook(data_of(version).snapshot)["lot"] == 0.5
    plain = collect_and_close(make_survey("plain"))
    assert "lot" not in codebook(data_of(plain).snapshot)
