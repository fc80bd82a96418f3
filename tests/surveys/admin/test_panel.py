"""What the page of a survey says beside its forms: protection, error, state and sealed responses."""

import math
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from surveys.admin import panel
from surveys.domain.demo.surveys import load
from surveys.domain.questionnaire import publish
from surveys.domain.questionnaire.promise import figure
from surveys.domain.questionnaire.write import Draft
from surveys.models import Block, Survey
from tests.surveys.admin.pages import entered, question_page, send, somebody, step, survey_page, visit
from tests.surveys.making import add_question, make_survey, town_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher() -> User:
    return somebody()


def context(researcher: User, survey: Survey) -> dict[str, Any]:
    return visit(researcher, survey_page(survey)).context_data


def table(researcher: User, survey: Survey) -> list[tuple[str, ...]]:
    rows = context(researcher, survey)["rows"]
    return [(row.name, row.asked, row.gamma, row.epsilon, row.posterior, *row.errors) for row in rows]


def test_the_paper_setting_is_shown_with_its_figures(researcher: User) -> None:
    """p = .3 and θ = .6 over three items: γ = 1 + .3/(.7·.4³) = 7.697, so 5 % becomes at most 28.9 %.

    The errors are √(P*(1−P*)/n)/.3 with P* = .3·.3^L + .7·.6^L for n = 1 000 respondents and L = 1, 2, 3.
    """
    survey = make_survey()

    assert context(researcher, survey)["promise"] == (
        "Someone who thinks that something asked in a disguised question is true of a respondent with a chance of 5 %, "
        "cannot become more than 29 % sure, whatever the disguised answers are."
    )
    assert table(researcher, survey) == [
        ("The whole record", "3", "7.70", "2.05", "29 %", "±0.053", "±0.047", "±0.039")
    ]


def test_the_promise_says_for_which_answers_it_holds(researcher: User) -> None:
    """Not for direct answers, and not for open questions; nothing is said where there are neither."""
    survey = make_survey(direct=False)
    assert context(researcher, survey)["covered"] == []
    survey.direct = True
    survey.save()
    add_question(survey, "age", type="number", position=9)
    said = [
        "This holds for those who let their device disguise their answers.",
        "This holds for disguised questions; open ones are stored as they are answered.",
    ]
    assert context(researcher, survey)["covered"] == said
    version = publish.publish(survey)
    page = visit(researcher, reverse("admin:surveys_surveyversion_change", args=[version.pk])).render().content.decode()
    assert all(sentence in page for sentence in said)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(77, 10), "7.70"),
        (Fraction(77, 10) + Fraction(1, 10**12), "7.71"),
        (Fraction(9999, 1000), "10.0"),
        (Fraction(40881848, 10000), "4090"),
        (Fraction(87430908) * 10**50, "8.75e+57"),
        (0.0, "0"),
        (math.inf, "∞"),
    ],
)
def test_a_figure_has_three_digits_and_is_not_below_the_promise(value: Fraction | float, shown: str) -> None:
    """However little it is above three digits, the next ones are shown."""
    assert figure(value) == shown


def test_blocks_multiply(researcher: User) -> None:
    """Whole record first, then block by block; the whole is the product of the blocks."""
    survey = make_survey(names=("drugs",))
    block = Block.objects.create(
        survey=survey, name="second", position=2, kind="each", settings={"keep": 0.3, "theta": 0.5}
    )
    for name in ("theft", "fraud"):
        add_question(survey, name, block=block)

    figures = [row[:5] for row in table(researcher, survey)]

    assert figures == [
        ("The whole record", "3", "7.15", "1.97", "28 %"),
        ("all", "1", "2.08", "0.729", "10 %"),
        ("second", "2", "3.45", "1.24", "16 %"),
    ]


def test_ten_questions_by_flips_reach_the_published_errors(researcher: User) -> None:
    """γ = 19, radius 2, n = 10 000: .0156, .0163 and .0198, as the table in docs/design.md has them."""
    survey = make_survey(names=tuple(f"q{number}" for number in range(10)), expected=10_000)
    Block.objects.update(kind="flip", settings={"gamma": 19, "radius": 2})

    assert table(researcher, survey) == [
        ("The whole record", "10", "19.0", "2.95", "50 %", "±0.016", "±0.016", "±0.02")
    ]


def test_a_sampled_block_says_how_many_are_asked(researcher: User) -> None:
    """Four of ten: γ is that of the four, and patterns longer than four are not reported."""
    survey = make_survey(names=tuple(f"q{number}" for number in range(10)))
    Block.objects.update(settings={"keep": 0.3, "theta": 0.5, "ask": 4})

    assert table(researcher, survey)[0][:3] == ("The whole record", "4 of 10", "7.86")


def test_an_unidentified_pattern_has_no_error(researcher: User) -> None:
    """With these flips a₂ = (3·.2 − .5 − .25 + 3·.05)/3 = 0: they cannot tell how two answers go together."""
    survey = make_survey()
    Block.objects.update(kind="flip", settings={"flips": [0.2, 0.5, 0.25, 0.05]})

    assert table(researcher, survey)[0][5:] == ("±0.067", "—", "—")


def test_what_an_empty_place_of_the_table_means_is_said(researcher: User) -> None:
    """A dash is a pattern the flips cannot tell; no figure, a pattern longer than there are questions."""
    survey = make_survey()
    whole = context(researcher, survey)
    Block.objects.update(kind="flip", settings={"flips": [0.2, 0.5, 0.25, 0.05]})
    unidentified = context(researcher, survey)
    short = context(researcher, make_survey("short", names=("drugs",)))

    assert [(page["dash"], page["blank"]) for page in (whole, unidentified, short)] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_an_error_that_leaves_nothing_to_tell_is_warned_of(researcher: User) -> None:
    """The same coin is fine for a thousand respondents and far too rough for ten."""
    fine, rough = make_survey(), make_survey("rough", names=("drugs", "theft"), expected=10)

    assert context(researcher, fine)["rough"] == ""
    assert context(researcher, rough)["rough"] == (
        "Too rough to tell much: one answer ±0.53, a pair ±0.47, where a share lies between 0 and 1. More respondents, "
        "fewer questions in a block, asking only some of them, or flips make it more exact."
    )


def test_truth_without_noise_is_called_no_protection(researcher: User) -> None:
    """γ is infinite when every answer stays; the sentence does not dress it up."""
    survey = make_survey()
    Block.objects.update(settings={"keep": 1, "theta": 0.6})

    shown = context(researcher, survey)

    assert shown["promise"] == "A disguised record can give the true answers away: there is no protection."
    assert table(researcher, survey)[0][2:5] == ("∞", "∞", "100 %")
    assert shown["over_limit"]


def test_a_published_version_is_given_no_advice(client: Client, researcher: User) -> None:
    """It cannot be changed any more; the promise is marked, and what could have been done instead is not told."""
    survey = make_survey(override_by="Ada", override_reason="A trial of the method.")
    survey.blocks.update(settings={"keep": 0.6, "theta": 0.6})
    version = publish.publish(survey)
    client.force_login(researcher)

    page = client.get(reverse("admin:surveys_surveyversion_change", args=[version.pk])).content.decode()

    assert ('class="promise over-limit"' in page, "Disguise more" in page) == (True, False)


def test_a_promise_over_the_limit_is_marked(researcher: User) -> None:
    """What is above the limit is marked so."""
    survey = make_survey()

    send(researcher, survey_page(survey), {"blocks-0-keep": "0.6"})

    shown = context(researcher, survey)
    assert (shown["over_limit"], shown["rows"][0].gamma) == (True, "24.5")
    assert shown["advice"] == [
        "γ is above this site’s limit of 19. Disguise more (smaller p), ask fewer questions of a block, or use flips; "
        "one coin over many questions multiplies γ with each of them."
    ]


def test_what_is_entered_is_checked_before_it_is_saved(researcher: User) -> None:
    """The browser sends the form while it is filled in; the figures are of what it holds, and nothing is stored."""
    survey = make_survey()
    data = entered(researcher, survey_page(survey))

    checked = visit(researcher, step(survey, "check"), data | {"blocks-0-keep": "0.6"}).context_data
    refused = visit(researcher, step(survey, "check"), data | {"blocks-0-keep": "6"}).context_data

    assert (checked["rows"][0].gamma, checked["over_limit"]) == ("24.5", True)
    assert refused["refused"] == "This cannot be saved as it is."
    assert Block.objects.get().settings["keep"] == 0.3


def test_only_who_may_change_has_it_checked() -> None:
    """Looking alone gives no form to check; and a check is asked for by POST."""
    survey = make_survey()

    with pytest.raises(PermissionDenied):
        visit(somebody("view"), step(survey, "check"), {})
    assert visit(somebody(), step(survey, "check")).status_code == 405


@pytest.mark.parametrize(("keep", "kind"), [(0.3, "info"), (0.6, "warning")])
def test_confirmations_carry_the_figures(client: Client, researcher: User, keep: float, kind: str) -> None:
    """After a question is saved, the page of the survey says what the whole promises now."""
    survey = make_survey()
    Block.objects.update(settings={"keep": keep, "theta": 0.6})
    client.force_login(researcher)
    url = question_page(survey.questions.all()[0])

    response = client.post(url, entered(researcher, url), follow=True)

    (sentence,) = [message for message in response.context["messages"] if "γ" in str(message)]
    assert sentence.level_tag == kind
    assert str(sentence).startswith(
        "Someone who thinks that something"
    )  # a message begins with a capital, and Γ is not γ
    assert str(sentence).endswith("γ = 7.70, ε = 2.05." if kind == "info" else "γ = 24.5, ε = 3.20.")


def test_a_sealed_survey_can_be_mined_from_its_page(researcher: User) -> None:
    """Mining offers itself where there is something to mine, to those who may start runs."""
    demo, draft = next(load())[0], make_survey()

    assert context(researcher, demo)["offered"] == [("Mine", f"/staff/admin/mining/miningrun/add/?survey={demo.slug}")]
    assert context(researcher, draft)["offered"] == []
    assert context(somebody("change"), demo)["offered"] == []


def test_only_sealed_responses_are_counted(researcher: User) -> None:
    """The count comes from the newest snapshot, on the page and in the list."""
    demo = next(load())[0]

    assert context(researcher, demo)["snapshot"].respondents == 10_000
    listed = visit(researcher, reverse("admin:surveys_survey_changelist")).context_data["cl"]
    assert [listed.model_admin.sealed(survey) for survey in listed.result_list] == ["10\u202f000"]


def test_the_list_costs_the_same_for_one_and_three(
    researcher: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """State, version and sealed responses come with the rows."""
    url = reverse("admin:surveys_survey_changelist")
    for count in (1, 2):
        for number in range(count):
            publish.publish(make_survey(f"study-{count}-{number}"))
        with django_assert_num_queries(3):
            visit(researcher, url)


def test_the_page_costs_the_same_for_one_and_three(
    researcher: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Blocks, questions and options are read once, however many there are."""
    small, large = make_survey("small", names=("a",)), make_survey("large")
    for name in ("second", "third"):
        add_question(large, name, block=Block.objects.create(survey=large, name=name))
    visit(researcher, survey_page(small))  # what is read once in a process
    for survey in (small, large):
        with django_assert_num_queries(24):
            visit(researcher, survey_page(survey))


def test_questions_that_force_a_yes_or_a_no_are_named() -> None:
    """Beside the promise; with options of its own, or without a disguise, a question forces nobody."""
    survey = make_survey(names=("drugs", "theft"))
    add_question(survey, "job")
    assert panel.protection_context(Draft.stored(survey))["forced"] == "drugs, theft"
    for place, value in enumerate(("1", "0", "secret")):
        survey.questions.get(identifier="drugs").options.create(position=place, value=value, label={"en": value})
    assert panel.protection_context(Draft.stored(survey))["forced"] == "theft"


def test_that_no_rules_are_to_be_expected_is_said_before_anyone_is_asked(researcher: User) -> None:
    """A thousand respondents are too few for three questions under p = .3, and ten thousand are enough."""
    few, many = make_survey(), make_survey("many", names=("a", "b", "c"), expected=10_000)

    assert context(researcher, few)["no_rules"].startswith("Expect no rules from 1000 respondents. About ")
    shown = context(researcher, many)
    assert shown["no_rules"] == ""
    assert shown["connections"][0].startswith(
        "If of those who give 1 answer 51 % give another one, too, where among all it is 30 %, this is found in "
    )


def test_the_panel_says_how_precise_numbers_and_places_will_be() -> None:
    """By their names, with their errors; and that nobody can skip them."""
    shown = panel.protection_context(Draft.stored(town_survey()))

    ((name, sentence),) = shown["accuracy"]
    assert (name, shown["on_grid"]) == ("home", "home")
    assert "away from people in the root mean square" in sentence
    assert "The share of people in a zone is found to ±" in sentence
