"""A regression beside the tables: its sentences, its figures, what it refuses, and that everybody can use the page."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import SurveyVersion
from surveys.results.open_answers import OpenAnswers
from surveys.results.reading import ReportData, read_data
from surveys.results.regression import ExplainedAnswer, explain, figure, sentences
from surveys.results.tables import variables
from surveys.sentences import sentence_of
from tests.cases import first
from tests.surveys.databases import count_queries
from tests.surveys.making import add_block, add_question, make_survey, set_block
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody, visit


def explain_outcome(
    version: SurveyVersion, outcome: str, answer: int, *on: str, together: bool = False, apart: bool = True
) -> ExplainedAnswer:
    data = read_data(version.snapshots.get())
    known = {each.axis.name: each for each in variables(data, "en")}
    return explain(data, known[outcome], answer, [known[name] for name in on], together, apart)


def address(version: SurveyVersion, **query: object) -> str:
    return f"{reverse('studio:results-regression', args=[version.pk])}?{urlencode(query, doseq=True)}"


def context(version: SurveyVersion, **query: object) -> dict[str, Any]:
    values: dict[str, Any] = visit(somebody("view"), address(version, **query)).context_data
    return values


def test_what_goes_with_an_answer_is_said_as_how_many_times_as_likely_it_is() -> None:
    """Who cheats takes drugs more often in this survey: a ratio of chances with its interval."""
    version = survey_with_results(4000, least=20, direct_share=0.5)

    regression = explain_outcome(version, "drugs", 1, "cheating")

    (cheating, one), (direct, _) = regression.coefficients
    assert (cheating.label, direct.word) == ("Have you ever cheated in an exam? “Yes”, against “No”", "direct")
    assert one.ci[0] > 0
    first, second = sentences(regression)
    times = regression.chance_ratios["cheating=1"]
    assert first == (
        "Have you ever cheated in an exam? Of people with “Yes” “Have you ever used illegal drugs? Yes” is about "
        f"{times.estimate:.1f} times as likely to be true as of people with “No” ({times.ci[0]:.1f} to "
        f"{times.ci[1]:.1f}), the other answers being equal."
    )
    assert 1 < times.estimate < math.exp(one.estimate)
    assert "no difference is shown" in second


def test_rare_values_of_an_open_question_are_one_value_together() -> None:
    """Music has few students, and is joined with the next smallest; others stand against the most common value."""
    regression = explain_outcome(survey_with_results(4000), "drugs", 1, "faculty", "hours")

    named = [(predictor.value, predictor.other) for predictor, _ in regression.coefficients]
    assert named[0] == ("“any other answer”", "“Arts”")
    assert len(named) == 1 + 6


@pytest.mark.parametrize(
    ("least", "on", "label"),
    [
        (20, "faculty", "Which faculty are you in? “any other answer”, against “Arts”"),
        (100, "cheating", "Have you ever cheated in an exam? “Yes”, against “No”"),
    ],
    ids=["beside an undisguised question", "where fewer than 100 gave some of its answers"],
)
def test_a_direct_group_that_could_be_read_enters_nothing(least: int, on: str, label: str) -> None:
    """The regression is that of the disguised alone."""
    version = survey_with_results(4000, least=least, direct_share=0.5)

    regression = explain_outcome(version, "drugs", 1, on)

    assert regression.n.number == int((~read_data(version.snapshots.get()).sealed.direct).sum())
    assert [predictor.label for predictor, _ in regression.coefficients] == [label]


def test_two_questions_together_have_a_sentence_for_each_pair_of_values() -> None:
    """A disguised question with an undisguised one: what both do beyond each, and no ratio of what stands in the
    product.
    """
    version = survey_with_results(4000)

    regression = explain_outcome(version, "drugs", 1, "cheating", "faculty", together=True)

    pairs = [predictor.label for predictor, _ in regression.coefficients if ":" in predictor.word]
    assert pairs == [
        "Have you ever cheated in an exam? “Yes”, and Which faculty are you in? “any other answer”: both together"
    ]
    assert [*regression.chance_ratios] == []
    assert "together" in " ".join(sentences(regression)) or "one by one" in " ".join(sentences(regression))
    page = context(version, answer="drugs.1", on=["cheating", "faculty"], together="on")
    assert page["part"].key == "together.drugs.1.cheating.faculty"


def test_combinations_of_open_answers_of_too_few_are_refused() -> None:
    """Each value has enough people, some of the pairs have not."""
    version = survey_with_results(1200)

    with pytest.raises(EntryError) as refusal:
        explain_outcome(version, "drugs", 1, "hours", "faculty", together=True)
    assert sentence_of(refusal.value).startswith(
        "Fewer than 100 people gave some of these answers to both “Hours of sleep?”"
    )


def test_one_question_is_not_two_together() -> None:
    """One sentence says how many there must be."""
    version = survey_with_results()

    with pytest.raises(EntryError, match="Choose two questions to see what they do together"):
        explain_outcome(version, "drugs", 1, "cheating", together=True)


@pytest.mark.parametrize(
    ("outcome", "answer", "on", "sentence"),
    first(2, [
        ("faculty", 0, ("drugs",), "Choose a disguised answer to explain."),
        ("drugs", 1, (), "Choose one to 4 other questions to explain it."),
        ("drugs", 1, ("drugs",), "Choose one to 4 other questions to explain it."),
        ("drugs", 1, ("cheating", "theft", "age", "faculty", "hours"), "Choose one to 4 other questions to explain "
        "it."),
        ("drugs", 1, ("bus",), "Fewer than 100 people gave all answers but one"),
    ]),
)  # fmt: skip
def test_what_would_tell_of_few_or_explains_nothing_is_refused(
    outcome: str, answer: int, on: tuple[str, ...], sentence: str
) -> None:
    """In one sentence."""
    version = survey_with_results()

    with pytest.raises(EntryError) as refusal:
        explain_outcome(version, outcome, answer, *on)
    assert sentence_of(refusal.value).startswith(sentence)


def test_too_few_to_tell_are_refused_with_what_would_be_found() -> None:
    """Nothing is reported about 130 people, and the page says which difference so many would show."""
    version = survey_with_results(130, direct_share=0.0)

    values = context(version, answer="drugs.1", on="age")

    assert "context" not in values
    assert values["why_not"].startswith("130 people were asked all of this, too few ")
    assert "too few under this disguise" in values["why_not"]


def test_the_page_begins_with_a_pair_of_which_there_is_a_regression_and_says_whom_a_refusal_counts() -> None:
    """The first two questions are disguised so much that 600 people tell nothing; the last two tell."""
    survey = make_survey(names=("drugs", "cheating"), direct=False, override_by="Tests", override_reason="two blocks")
    set_block(survey, settings={"keep": 0.05, "theta": 0.5})
    add_block(survey, "weak", settings={"keep": 0.9, "theta": 0.5})
    for name in ("theft", "fraud"):
        add_question(survey, name, block="weak")
    version = publish(survey)
    truth = np.random.default_rng(4).integers(0, 2, (600, 1)).astype(np.uint8).repeat(4, axis=1)
    truth[::4, 3] = 1 - truth[::4, 3]
    append(version, pack(disguise(version.design, truth, np.zeros(600, bool), words_from_seed(1))), [b"{}"] * 600)
    close(survey)

    assert context(version)["part"].key == "regression.theft.1.fraud"
    User.objects.all().delete()
    refused = context(version, answer="drugs.1", on=["cheating"])["why_not"]
    assert refused.startswith("600 respondents answered all of this, too few to estimate")


def test_direct_respondents_differ_unless_they_are_taken_to_be_alike() -> None:
    """By their own term, or without it, which the caption calls an assumption; old addresses have the term."""
    version = survey_with_results(4000, least=20, direct_share=0.5)

    words = [
        predictor.word for predictor, _one in explain_outcome(version, "drugs", 1, "cheating", apart=False).coefficients
    ]
    drawn = figure(explain_outcome(version, "drugs", 1, "cheating", apart=False), "coefficients")
    reader = somebody("view")
    keys = [
        visit(reader, address(version, answer="drugs.1", on="cheating", **more)).context_data["part"].key
        for more in ({}, {"chosen": "1", "direct": "on"}, {"chosen": "1"})
    ]

    assert words == ["cheating=1"]
    assert "This assumes that direct respondents answer like the others." in drawn.caption
    assert keys == [
        "regression.drugs.1.cheating",
        "regression.drugs.1.cheating",
        "regression-alike.drugs.1.cheating",
    ]


def test_nobody_is_asked_of_direct_respondents_where_there_are_none() -> None:
    """The form has no such box, nor where their answers do not count."""
    versions = [
        survey_with_results(300, slug="none", direct_share=0.0),
        survey_with_results(300, slug="few"),
        survey_with_results(4000, slug="many", least=20, direct_share=0.5),
    ]
    reader = somebody("view")

    offered = ["direct" in visit(reader, address(version)).context_data["form"].fields for version in versions]

    assert offered == [False, False, True]


def of_some(version: SurveyVersion, people: int, **given: Callable[[int, bool], Any]) -> ReportData:
    """The first people of a version, as if all might be reported, with undisguised answers by place and first
    answer.
    """
    data = read_data(version.snapshots.get())
    yes = data.sealed.codes[:people, 0] == 1
    answers = [
        old | {name: of(place, bool(yes[place])) for name, of in given.items()}
        for place, old in enumerate([*(data.answers or [])][:people])
    ]
    records = Records(data.sealed.design, data.sealed.codes[:people], data.sealed.direct[:people])
    return replace(data, sealed=records, answers=OpenAnswers.from_rows(answers), least=1)


@pytest.mark.parametrize(
    ("people", "direct", "given", "on", "sentence"),
    first(1, [
        (400, 0.0, {"faculty": lambda _place, yes: "law" if yes else "arts"}, ["faculty"], "400 respondents answered "),
        (400, 0.3, {"faculty": lambda _place, _yes: "law"}, ["faculty"], "Fewer than 1 people gave all answers but on"),
        (400, 0.3, {}, ["drugs"], "Choose one to 4 other questions to explain it."),
        (12, 0.0, {"hours": lambda place, _yes: place}, ["hours", "cheating"], "12 respondents answered all "),
        (60, 0.0, {}, ["cheating"], ("60 respondents ", "60 people were asked ", "Answers of 60 people are too few ")),
    ]),
)  # fmt: skip
def test_what_no_regression_can_tell_gets_a_sentence_in_both_languages(
    people: int,
    direct: float,
    given: dict[str, Callable[[int, bool], Any]],
    on: list[str],
    sentence: str | tuple[str, ...],
) -> None:
    """Groups that the answers follow, no variance, a predictor that is the outcome, more coefficients than people, a
    hopeless disguise.
    """
    data = of_some(survey_with_results(500, direct_share=direct), people, **given)
    known = {each.axis.name: each for each in variables(data, "en")}

    with pytest.raises(EntryError) as refusal:
        explain(data, known["drugs"], 1, [known[name] for name in on])

    assert sentence_of(refusal.value).startswith(sentence)
    with translation.override("zh-hans"):
        chinese = sentence_of(refusal.value)
    assert chinese != sentence_of(refusal.value)
    assert "{" not in chinese


def test_nothing_is_told_while_a_version_collects() -> None:
    """Its direct respondents could be found by asking twice."""
    values = context(survey_with_results(closed=False), answer="drugs.1", on="cheating")

    assert values["why_not"] == "A regression is reported after this version stops collecting."


def test_the_page_begins_with_the_first_two_questions_and_has_a_picture(client: Client) -> None:
    """A fit of the first by the second; the picture is a file, too, and a key of nothing is none."""
    version = survey_with_results(4000)

    assert context(version)["part"].key == "regression.drugs.1.cheating"

    client.force_login(somebody("change"))
    picture = ["studio:results-picture", version.pk]
    known = reverse(picture[0], args=[picture[1], "regression.drugs.1.cheating", "coefficients"])
    assert "no difference" in client.get(known).content.decode()
    for key in ("regression", "regression.drugs", "regression.drugs.x.cheating", "regression.drugs.1.nothing"):
        assert client.get(reverse(picture[0], args=[picture[1], key, "coefficients"])).status_code == 404


@pytest.mark.long
def test_more_predictors_need_no_more_queries() -> None:
    """One and three: the same number of questions to the database."""
    version = survey_with_results()
    user = somebody("view")
    visit(user, address(version))  # what a process reads once
    visit(user, address(version))  # what a process reads once
    one, three = (
        count_queries(partial(visit, user, address(version, answer="drugs.1", on=on)))
        for on in (["cheating"], ["cheating", "theft", "age"])
    )
    assert one == three
