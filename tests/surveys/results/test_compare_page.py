"""Shares and rules compared on the page: the differences of `candor compare`, its sentences, and what it refuses."""

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

import candor
from privacy.design import Design
from privacy.errors import EntryError, NoFigureError
from privacy.estimate.linearised import LinearisedFigure
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.shares_and_rules import figure as figure_of
from privacy.records import Records
from surveys.models import Phrase, SurveyVersion
from surveys.percent import Share, fit_difference
from surveys.questions.rows import SKIP
from surveys.results.comparison import Apart, AskedShare, ComparedShares, compare, figure, sentences
from surveys.results.forms import informative_place
from surveys.results.reading import read_data
from surveys.results.tables import open_codes, variables
from surveys.results.words import words_of
from surveys.sentences import sentence_of
from tests.surveys.databases import count_queries
from tests.surveys.results.making import survey_with_results, without_direct
from tests.surveys.staff import somebody, visit


def compare_groups(version: SurveyVersion, *asked: tuple[str, str], by: str = "") -> ComparedShares:
    """Yes to a question, of those with yes to another one; "" is everybody."""
    data = read_data(version.snapshots.get())
    known = {each.axis.name: each for each in variables(data, "en")}
    words = words_of(version, "en")
    figures = [AskedShare(words, known[answer], 1, known.get(given), 1 if given else 0) for answer, given in asked]
    return compare(data, figures, known.get(by))


def address(version: SurveyVersion, **query: object) -> str:
    return f"{reverse('studio:results-compare', args=[version.pk])}?{urlencode(query)}"


def context(version: SurveyVersion, **query: object) -> dict[str, Any]:
    values: dict[str, Any] = visit(somebody("view"), address(version, **query)).context_data
    return values


@pytest.mark.parametrize(("least", "counted"), [(20, 4000), (1000, None)], ids=["of all", "of the disguised"])
def test_two_rules_differ_as_candor_compare_says(least: int, counted: int | None) -> None:
    """Who takes drugs among those who cheat, and among those who steal: the difference with the error of both.

    A direct group counts if it hides each of its people, and else the figures are those of the disguised.
    """
    version = survey_with_results(4000, least=least, direct_share=0.5)
    sealed = read_data(version.snapshots.get()).sealed
    records = sealed if counted else without_direct(sealed)

    comparison = compare_groups(version, ("drugs", "cheating"), ("drugs", "theft"))

    of_library = candor.compare(records, ["cheating => drugs", "theft => drugs"])
    (difference,), (expected,) = comparison.differences, of_library.differences
    share, estimate = difference.share, expected.estimate
    assert (share.value, share.se, share.low, share.high, difference.q) == pytest.approx(
        (estimate.estimate, estimate.se, *estimate.ci, of_library.q[0]), abs=1e-12
    )
    assert [one.share.value for one in comparison.shares] == pytest.approx(
        [one.estimate.estimate for one in of_library.figures if one.estimate], abs=1e-12
    )
    assert {one.n for one in comparison.shares} == {counted or int((~sealed.direct).sum())}


def test_a_rule_by_an_open_question_has_a_difference_between_groups() -> None:
    """Law and all smaller faculties are one group, as in tables; all are groups of the disguised."""
    version = survey_with_results(4000, least=20, direct_share=0.5)
    data = read_data(version.snapshots.get())
    arts = np.array(["arts" if answer["faculty"] == "arts" else "other" for answer in data.answers or []], object)
    disguised = ~data.sealed.direct
    records = replace(without_direct(data.sealed), open_columns={"faculty": arts[disguised]})

    comparison = compare_groups(version, ("drugs", "cheating"), by="faculty")

    (expected,) = candor.compare(records, ["cheating => drugs"], "faculty").differences
    (difference,) = comparison.differences
    assert [one.group for one in comparison.shares] == ["Arts", "any other answer"]
    assert sum(one.n for one in comparison.shares) == int(disguised.sum())
    assert (difference.share.value, difference.share.se) == pytest.approx(
        (expected.estimate.estimate, expected.estimate.se), abs=1e-12
    )


def test_shares_of_a_group_are_those_that_answers_can_have() -> None:
    """None is negative and they sum to 1 although an estimate is below 0; differences are those of the shares."""
    data = read_data(survey_with_results(400, least=20).snapshots.get())
    known = {each.axis.name: each for each in variables(data, "en")}
    words = words_of(data.version, "en")
    asked = [AskedShare(words, known["cheating"], answer, known["drugs"], 0) for answer in (0, 1)]

    comparison = compare(data, asked)

    first, second = (one.share for one in comparison.shares)
    assert min(first.raw_estimate.value, second.raw_estimate.value) < 0
    assert (min(first.value, second.value), max(first.value, second.value)) == (0, 1)
    assert comparison.differences[0].share.value == second.value - first.value


def test_a_sentence_says_which_is_more_or_that_it_is_not_shown() -> None:
    """In the words of the report; between two shares that are alike nothing is shown."""
    version = survey_with_results(4000)
    Phrase.objects.create(survey=version.survey, item="drugs", value="1", words={"en": "used drugs"})

    (clear,) = sentences(compare_groups(version, ("drugs", "cheating"), ("drugs", "")))
    (unclear,) = sentences(compare_groups(version, ("drugs", ""), ("cheating", "")))

    assert clear.startswith("“used drugs” of all is about ")
    assert " less than “used drugs” of those with “Have you ever cheated in an exam? Yes”" in clear
    assert "no difference is shown" in unclear


def test_many_differences_have_the_false_discovery_rate_of_candor_compare() -> None:
    """Each of two figures in groups: q is among all differences of the page, as in the library."""
    version = survey_with_results(4000, least=20)
    data = read_data(version.snapshots.get())
    codes, groups = open_codes(data, {each.axis.name: each for each in variables(data, "en")}["hours"])
    hours = np.array(groups, object)[codes[~data.sealed.direct]]
    records = replace(without_direct(data.sealed), open_columns={"hours": hours})

    comparison = compare_groups(version, ("drugs", ""), by="hours")

    of_library = candor.compare(records, "drugs", "hours")
    expected = {one.estimate.p: q for one, q in zip(of_library.differences, of_library.q.tolist(), strict=True)}
    assert len(comparison.differences) == len(expected) > 3
    assert sorted(each.q for each in comparison.differences) == pytest.approx(sorted(expected.values()), abs=1e-4)


def test_a_difference_that_many_of_them_explain_is_not_said_to_be_more() -> None:
    """Its own interval does not hold 0; among several differences chance would show one like it."""
    compared = compare_groups(survey_with_results(4000), ("drugs", ""), ("cheating", ""))
    share = Share(0.06, 0.028, 0.005, 0.115)
    compared = replace(compared, differences=(Apart("A", "B", share, 0.19), Apart("A", "C", share, 0.04)))

    assert sentences(compared) == [
        "Between B and A no difference is sure: it is +6.0 (0.5 … 11.5) points by itself, and of 2 differences chance "
        "alone shows some.",
        "C is about 6.0 points (0.5 to 11.5) more than A.",
    ]


def test_of_a_difference_that_may_be_anything_no_number_is_shown() -> None:
    """Two shares are at most 100 points apart, however large the error of their raw difference is."""
    compared = compare_groups(survey_with_results(4000), ("drugs", ""), ("cheating", ""))
    first, second = (one.share for one in compared.shares)
    unknown = fit_difference(Share(2.439, 8.968, -15.1, 20.0), second, first)
    compared = replace(compared, differences=(Apart("A", "B", unknown, 0.8),))

    assert sentences(compared) == ["Nothing is known of the difference between B and A: it may be anything."]
    assert figure(compared, "compared").table.rows[-1] == ("B, less A", "–", "anything", "–", "–", "–")


def test_the_page_does_not_begin_with_prefer_not_to_say() -> None:
    """It is the last option, and tells nothing."""
    items = [{"id": "drugs", "theta": 0.5}, {"id": "lied", "options": ["yes", "no", SKIP], "noise": [0.25, 0.25, 0.5]}]
    design = Design.parse({"blocks": [{"keep": 0.5, "items": items}]})

    assert [informative_place(design, name) for name in ("drugs", "lied")] == [1, 0]


@pytest.mark.parametrize(
    ("asked", "by", "sentence"),
    [
        ([("drugs", "")], "", "Choose two different figures, or an undisguised question that makes the groups."),
        ([("drugs", ""), ("drugs", "")], "", "Choose two different figures"),
        ([("drugs", "drugs"), ("drugs", "")], "", "An answer is on both sides of a figure"),
        ([("drugs", "")], "bus", "Fewer than 100 people gave all answers but one"),
    ],
)
def test_what_compares_nothing_or_tells_of_few_is_refused(asked: list[tuple[str, str]], by: str, sentence: str) -> None:
    """In one sentence."""
    with pytest.raises(EntryError) as refusal:
        compare_groups(survey_with_results(), *asked, by=by)
    assert sentence_of(refusal.value).startswith(sentence)


def test_nothing_is_compared_while_a_version_collects() -> None:
    """Its direct respondents could be found by asking twice."""
    assert context(survey_with_results(closed=False))["why_not"] == (
        "Figures can be compared after this version stops collecting."
    )


def test_the_page_begins_with_a_rule_beside_its_share_and_has_a_picture(client: Client) -> None:
    """Of those who cheat, and of all; a key of nothing is none."""
    version = survey_with_results(4000)
    key = "compare.-.drugs.1.cheating.1.drugs.1.-"

    assert context(version)["part"].key == key

    client.force_login(somebody("change"))
    assert "%" in client.get(picture(version, key)).content.decode()
    for wrong in ("compare", "compare.-", "compare.-.drugs.1", "compare.-.drugs.7.-.cheating.1.-", "compare.-.x.1.-",
                  "compare.by-drugs.drugs.1.-", "compare.-.-.drugs.1", "compare.-.drugs"):  # fmt: skip
        assert client.get(picture(version, wrong)).status_code == 404


def picture(version: SurveyVersion, key: str) -> str:
    return reverse("studio:results-picture", args=[version.pk, key, "compared"])


@pytest.mark.long
def test_groups_need_no_more_queries() -> None:
    """One figure in two groups and in seven: the same number of questions to the database."""
    version, user, counts = survey_with_results(), somebody("view"), []
    for _ in range(2):
        visit(user, address(version))  # what a process reads once
    for by in ("faculty", "hours"):
        counts.append(count_queries(partial(visit, user, address(version, first="drugs.1", by=by))))
    assert counts[0] == counts[1]


def test_a_group_that_has_no_figure_leaves_the_others_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody of arts seems to cheat, its rule is “–” in the table and said below; others have their figure."""
    version = survey_with_results(4000, least=20, direct_share=0.5)
    (arts, other) = compare_groups(version, ("drugs", "cheating"), by="faculty").shares

    def without_arts(records: Records, text: str, sampling: Sampling, among: np.ndarray) -> LinearisedFigure:
        if among.sum() == (arts.n if arts.group.endswith("arts") else other.n):
            raise NoFigureError("nobody cheats")
        return figure_of(records, text, sampling, among=among)

    monkeypatch.setattr("surveys.results.comparison.figure_of", without_arts)
    comparison = compare_groups(version, ("drugs", "cheating"), by="faculty")

    nothing, shown = sorted(comparison.shares, key=lambda one: one.n)
    assert (nothing.share, shown.share is not None, comparison.differences) == (None, True, ())
    assert sentences(comparison) == [f"“{nothing.label}”: the disguise leaves too little to estimate this."]
    rows = {row[0]: row[1:] for row in figure(comparison, "compared").table.rows}
    assert rows[nothing.label] == ("–",) * 5
