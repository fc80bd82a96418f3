"""Tables of two or three questions, and answers from version to version: figures, refusals, queries."""

from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import candor
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.reconstruct.association import JointShares
from privacy.records.packing import pack
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.counts import Count
from surveys.domain.responses.seal import append
from surveys.models import SurveyVersion
from surveys.percent import FittedShare, Share, error, interval, percent
from surveys.results.reading import read_data
from surveys.results.table_lines import lines_of_cells
from surveys.results.tables import CrossTable, Variable, cross_table, variables
from surveys.results.versions import Moved, figure_of, trend
from tests.cases import first
from tests.surveys.making import add_block, add_question, make_survey, set_block, write
from tests.surveys.results.making import answer, survey_with_results, without_direct
from tests.surveys.staff import somebody, visit


def choose_questions(version: SurveyVersion, *names: str) -> tuple[Any, list[Variable]]:
    data = read_data(version.snapshots.get())
    known = {each.axis.name: each for each in variables(data, "en")}
    return data, [known[name] for name in names]


def table(version: SurveyVersion, *names: str) -> CrossTable:
    return cross_table(*choose_questions(version, *names))


def address(version: SurveyVersion, **query: str) -> str:
    return f"{reverse('studio:results-table', args=[version.pk])}?{urlencode(query)}"


def context(version: SurveyVersion, **query: str) -> dict[str, Any]:
    values: dict[str, Any] = visit(somebody("view"), address(version, **query)).context_data
    return values


def test_two_disguised_questions_have_the_shares_of_candor_table() -> None:
    """Shares of all are those of `candor table` on the disguised records; the groups' shares are their quotients."""
    version = survey_with_results()
    expected = candor.table(without_direct(read_data(version.snapshots.get()).sealed), ["drugs", "cheating"])
    result = table(version, "drugs", "cheating")
    assert result.n.number == expected.n < 1500
    assert [(line.group, line.answer) for line in result.lines] == [
        (("No",), "No"),
        (("No",), "Yes"),
        (("Yes",), "No"),
        (("Yes",), "Yes"),
    ]
    assert [line.of_all.value for line in result.lines] == pytest.approx(list(expected.support.T.ravel()))
    assert [line.of_all.se for line in result.lines] == pytest.approx(list(expected.se.T.ravel()))
    both, cheats = expected.support[1, 1], expected.support[:, 1].sum()
    assert result.lines[3].share is not None
    assert result.lines[3].share.value == pytest.approx(both / cheats)


def test_a_large_direct_group_counts_in_a_table_of_disguised_questions() -> None:
    """Where 20 people or more gave any of its answers, the table is that of `candor table` on all records."""
    version = survey_with_results(4000, least=20, direct_share=0.5)
    expected = candor.table(read_data(version.snapshots.get()).sealed, ["drugs", "cheating"])

    result = table(version, "drugs", "cheating")

    assert result.n.number == expected.n == 4000
    assert [(line.of_all.value, line.of_all.se) for line in result.lines] == [
        pytest.approx(pair) for pair in zip(expected.support.T.ravel(), expected.se.T.ravel(), strict=True)
    ]


def test_the_shares_of_a_group_can_be_true_together_and_their_differences_follow() -> None:
    """None is below 0, they sum to 1, and the difference to the others is that of the two shares of the page."""
    support = np.array([[0.30, 0.11], [0.22, 0.43], [-0.02, -0.04]])
    made = lines_of_cells(JointShares(2000, support, np.eye(6) * 1e-5, None), [[*"abc"], [*"xy"]], None)

    shares = {(line.group[0], line.answer): line.share for line in made}
    first, second = ([one for (group, _), one in shares.items() if one and group == name] for name in "xy")
    for group in (first, second):
        assert min(one.value for one in group) >= 0
        assert sum(one.value for one in group) == pytest.approx(1, abs=1e-9)
    assert [line.difference.value for line in made[:3] if line.difference] == pytest.approx(
        [one.value - other.value for one, other in zip(first, second, strict=True)], abs=1e-12
    )


def test_shares_of_all_go_with_the_shares_of_each_question() -> None:
    """None is below 0, and they sum to the shares of the answers to each question, which were possible: a cell of −4 %
    makes the two beside it less. Where all cells are possible they stay as they came out."""
    possible = np.array([[0.10, 0.02], [0.10, 0.78]])
    first, second = (
        [
            line.of_all
            for line in lines_of_cells(JointShares(500, raw, np.eye(4) * 1e-3, None), [[*"ab"], [*"xy"]], None)
        ]
        for raw in (np.array([[0.14, -0.04], [0.06, 0.84]]), possible)
    )

    assert [one.value for one in first if one] == pytest.approx([0.1, 0.1, 0.0, 0.8], abs=1e-9)
    assert [one.raw_estimate.value for one in first if one] == pytest.approx([0.14, 0.06, -0.04, 0.84])
    assert all(0 <= one.low <= one.value <= one.high <= 1 for one in first if one)
    assert [one.value for one in second if one] == pytest.approx(list(possible.T.ravel()), abs=0)
    assert not any(isinstance(one, FittedShare) for one in second)


def test_of_a_group_that_may_be_empty_no_share_is_printed() -> None:
    """Its answers may be anything, so two of them are not “about 100 %” each."""
    support = np.array([[0.4, 0.03], [0.58, 0.04], [0.01, -0.06]])
    made = lines_of_cells(JointShares(200, support, np.eye(6) * 1e-3, None), [[*"abc"], [*"xy"]], None)

    printed = [(percent(line.share), interval(line.share), error(line.share)) for line in made if line.group == ("y",)]

    assert printed == [("–", "anything", "–")] * 3


def test_what_goes_together_is_told_with_the_difference_of_the_groups() -> None:
    """Who takes drugs cheats more often in this survey, and studies law more often."""
    version = survey_with_results(4000)
    for names in (("drugs", "cheating"), ("drugs", "faculty"), ("drugs", "cheating", "faculty")):
        assert table(version, *names).test.p < 0.001
    difference = table(version, "drugs", "cheating").lines[3].difference
    assert difference is not None
    assert 0 < difference.low < difference.value < difference.high


def test_an_open_question_makes_groups_and_the_rare_ones_are_one() -> None:
    """Music has few students: together with the next smallest faculty it is “any other answer”."""
    result = table(survey_with_results(), "drugs", "faculty")
    assert list(dict.fromkeys(line.group for line in result.lines)) == [("Arts",), ("any other answer",)]
    assert result.test.df == 1


def test_numbers_make_groups_by_range() -> None:
    """Those of the histogram."""
    result = table(survey_with_results(), "drugs", "hours")
    assert [line.group for line in result.lines[::2]] == [
        (hour,) for hour in ("at most 4", *map(str, range(5, 10)), "at least 10")
    ]


@pytest.mark.parametrize(
    ("names", "sentence"),
    first(
        2,
        [
            (("drugs",), "Choose two or three different questions."),
            (("drugs", "drugs"), "Choose two or three different questions."),
            (("faculty", "drugs"), "The first question must be disguised"),
            (("drugs", "faculty", "mood"), "at most one undisguised question"),
            (("drugs", "bus"), "Fewer than 100 people gave all answers but one"),
        ],
    ),
)
def test_what_would_tell_of_few_or_makes_no_table_is_refused(names: tuple[str, ...], sentence: str) -> None:
    """In one sentence, on the page."""
    version = survey_with_results()
    query = dict(zip(("answer", "by", "also"), names, strict=False))
    if len(names) > 1 and names[0] != "faculty":  # the form offers no undisguised question as the first one
        shown = context(version, **query)
        assert sentence in str(shown.get("why_not") or shown["form"].not_offered)
    with pytest.raises(Exception, match=sentence.split(" people")[0]):
        table(version, *names)


def test_groups_by_an_open_question_are_of_the_disguised() -> None:
    """However many answered directly: beside what they answered openly, their answers would be read one by one."""
    version = survey_with_results(4000, least=20, direct_share=0.5)
    result = table(version, "drugs", "faculty")
    assert result.n.number == int((~read_data(version.snapshots.get()).sealed.direct).sum()) < 3000


def test_while_a_version_collects_no_open_question_is_offered() -> None:
    """Only the disguised ones."""
    version = survey_with_results(closed=False)
    names = [each.axis.name for each in variables(read_data(version.snapshots.get()), "en")]
    assert names == ["drugs", "cheating", "theft", "age"]


def test_the_page_begins_with_the_first_two_questions_and_has_a_picture(client: Client) -> None:
    """The picture is a file too."""
    version = survey_with_results()
    values = context(version)
    assert values["part"].key == "table.drugs.cheating"
    client.force_login(somebody("change"))
    picture = client.get(reverse("studio:results-picture", args=[version.pk, "table.drugs.cheating", "table"]))
    assert picture.status_code == 200
    assert "These answers are associated" in picture.content.decode()


@pytest.mark.parametrize("key", first(1, ["table.drugs.nothing", "table", "table.drugs", "table.faculty.drugs"]))
def test_there_is_no_picture_of_another_table(client: Client, key: str) -> None:
    """404 for questions that are none, and for tables that are refused."""
    version = survey_with_results(300)
    client.force_login(somebody("change"))
    assert client.get(reverse("studio:results-picture", args=[version.pk, key, "table"])).status_code == 404


@pytest.mark.parametrize("name", ["studio:results-table", "studio:results-versions"])
def test_of_too_few_people_nothing_is_told(name: str) -> None:
    """The page says so."""
    version = survey_with_results(90, closed=False)
    values = visit(somebody("view"), reverse(name, args=[version.pk])).context_data
    assert "100" in values["refused"]


def test_answers_of_two_versions_stand_side_by_side_with_what_moved() -> None:
    """A second version that asks the same: its shares, and the difference to the first with its interval."""
    first = survey_with_results(closed=False)
    survey = first.survey
    write(survey, closing={"en": "Thank you again", "zh-hans": "再次感谢"})
    second = publish(survey, "Tests", "two blocks")
    answer(second, 1500, seed=6)
    values = visit(somebody("view"), reverse("studio:results-versions", args=[second.pk])).context_data
    (_part, shown, _pictures) = values["parts"][0]
    drugs = next(figure for figure in shown["figures"] if figure.name == "drugs")
    assert [row[:2] for row in drugs.table.rows] == [("Yes", "1"), ("Yes", "2")]
    assert drugs.table.rows[0][4] == "–"
    assert "…" in drugs.table.rows[1][4]


def test_from_three_versions_on_the_trend_of_each_answer_is_told() -> None:
    """The line that fits best, each version weighed by its precision: of .1, .2, .3 with equal errors it is .1."""
    even = [Share(value, 0.02, value - 1.959964 * 0.02, value + 1.959964 * 0.02) for value in (0.1, 0.2, 0.3)]
    fitted = trend(even)
    assert (fitted.value, fitted.se) == pytest.approx((0.1, 0.02 / 2**0.5))
    assert fitted.low == pytest.approx(0.1 - 1.959964 * fitted.se)

    by_version = dict(enumerate(even, 1))
    rows = figure_of("drugs", [Moved("drugs", "Drugs?", "Yes", "", Count(300, exact=True), by_version)]).table.rows
    assert rows[-1] == ("Yes", "on the whole, each version", "–", "–", "+10.0 (7.2 … 12.8)")


def test_a_change_is_the_difference_of_the_shares_beside_it() -> None:
    """Also of shares that were fitted: from 0.0 to 5.0 and 10.0 %, though the first estimate was -3.0. The interval is
    that of the raw estimates."""
    raw = Share(-0.03, 0.02, -0.0692, 0.0092)
    shares = [
        FittedShare(0.0, 0.02, 0.0, 0.02, raw),
        Share(0.05, 0.02, 0.0108, 0.0892),
        Share(0.1, 0.02, 0.0608, 0.1392),
    ]
    moved = Moved("drugs", "Drugs?", "Yes", "", Count(300, exact=True), dict(enumerate(shares, 1)))

    changes = [row[4] for row in figure_of("drugs", [moved]).table.rows]

    assert changes == ["–", "+5.0 (2.5 … 13.5)", "+5.0 (−0.5 … 10.5)", "+5.0 (3.7 … 9.3)"]


def test_a_trend_reaches_as_far_as_people_above_a_cap_may_go_in_every_version() -> None:
    """Shares may be .05 higher in each of four versions: .4 of that are in the slope to either side, and its error."""
    shares = [Share(0.1, 0.01, 0.1 - 0.0196, 0.1 + 0.05 + 0.0196) for _ in range(4)]

    grown = trend(shares)

    assert (grown.value, grown.se) == pytest.approx((0, 0.01 / 5**0.5))
    assert (grown.low, grown.high) == pytest.approx((-0.02 - 1.96 * grown.se, 0.02 + 1.96 * grown.se), abs=1e-5)


@pytest.mark.parametrize(
    ("page", "refused"),
    [
        (
            "table",
            "Nothing can be chosen here: it takes two questions with answers to choose from, and there is one. "
            "Undisguised questions count after the version stops collecting.",
        ),
        ("compare", None),
    ],
)
def test_one_question_makes_no_table_but_can_be_compared(page: str, refused: str | None) -> None:
    """A survey of one question: the page of tables says what it takes, and that of comparisons has its form."""
    version = publish(make_survey(names=("drugs",)))
    yes = np.arange(400, dtype=np.uint8)[:, None] % 2
    append(version, pack(disguise(version.design, yes, np.zeros(400, bool), words_from_seed(5))), [b""] * 400)

    response = visit(somebody("view"), reverse(f"studio:results-{page}", args=[version.pk]))

    assert (response.status_code, response.context_data.get("refused")) == (200, refused)


def test_the_page_begins_with_a_pair_that_can_be_shown_and_offers_others() -> None:
    """People were asked one of the first two questions, and so both of no pair of these; the refusal leads to those."""
    survey = make_survey(names=("drugs", "cheating"), least=20, direct=False)
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 1})
    add_block(survey, "theft", settings={"keep": 0.7, "theta": 0.5})
    add_question(survey, "theft", block="theft")
    version = publish(survey)
    truth = np.zeros((400, 3), np.uint8)
    append(version, pack(disguise(version.design, truth, np.zeros(400, bool), words_from_seed(1))), [b"{}"] * 400)
    assert context(version)["part"].key == "table.drugs.theft"
    User.objects.all().delete()
    refused = context(version, answer="drugs", by="cheating")
    assert refused["why_not"] == "Fewer than 20 people were asked all of this, too few to report on."
    assert refused["instead"] == [("theft?", "?answer=drugs&by=theft")]


SIGNED = {"override_by": "Tests", "override_reason": "several blocks"}


def test_questions_of_which_there_is_no_table_are_not_offered_and_the_page_says_why() -> None:
    """Each of three questions is asked of 30 people, the last two of 90; a table needs 40."""
    survey = make_survey(names=("drugs", "cheating", "lying"), least=40, direct=False, **SIGNED)
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 1})
    for name in ("theft", "fraud"):
        add_block(survey, name, settings={"keep": 0.7, "theta": 0.5})
        add_question(survey, name, block=name)
    version = publish(survey)
    truth = np.random.default_rng(4).integers(0, 2, (90, 5)).astype(np.uint8)
    append(version, pack(disguise(version.design, truth, np.zeros(90, bool), words_from_seed(1))), [b"{}"] * 90)
    close(version.survey)
    refused = "Fewer than 40 people were asked all of this, too few to report on."

    reader = somebody("view")
    (table, comparison) = (
        visit(reader, reverse(f"studio:results-{name}", args=[version.pk])).context_data
        for name in ("table", "compare")
    )

    names = ["drugs?", "cheating?", "lying?"]
    for page in (table, comparison):
        assert page["form"].not_offered == [(refused, names)]
    assert table["part"].key == "table.theft.fraud"
    assert comparison["part"].key.startswith("compare.")
    assert dict(table["form"].fields["answer"].choices)["Disguised"] == [("theft", "theft?"), ("fraud", "fraud?")]
