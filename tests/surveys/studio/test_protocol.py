"""The protocol and the preregistration: what they say is what is published, and what nobody can know is a blank."""

import math
import re
from datetime import date
from fractions import Fraction
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from privacy.design import Design
from privacy.guarantee.promise import guarantee as guarantee_of
from surveys.domain.drafts.protect import judge_document, judge_version
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.forecast import forecast
from surveys.domain.questionnaire.promise import figure
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.surveys.databases import count_queries
from tests.surveys.making import (
    add_block,
    add_question,
    drop_questions,
    edit_draft,
    find_in,
    make_survey,
    set_block,
    set_questions,
    town_survey,
    words,
    write,
)


@pytest.fixture
def survey(client: Client) -> Survey:
    user = User.objects.create(username="ann", is_staff=True)
    client.force_login(user)
    own = make_survey()
    give(own, user, Role.VIEWER)
    return own


def read(client: Client, survey: Survey, name: str = "protocol", of: str = "") -> str:
    return client.get(f"/staff/studio/{survey.pk}/{name}/", {"of": of} if of else {}).content.decode()


def test_the_label_says_on_one_page_what_is_collected_guaranteed_learned_and_for_how_long(
    client: Client, survey: Survey
) -> None:
    """With the figures and the tables of the protocol, of which it is the short form, and nothing to fill in."""
    add_question(survey, "age", type="number", min="18", max="99")
    Survey.objects.update(keep_until=date(2099, 1, 1))
    version = publish(survey)
    whole_record = guarantee_of(version.design)

    label, whole = read(client, survey, "label"), client.get(f"/staff/studio/{survey.pk}/protocol/").content.decode()

    rows = dict(re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", label))
    assert (rows["Collected, disguised"], rows["Collected as it is said"]) == ("drugs, cheating, theft", "age")
    assert f"<strong>ε = {figure(whole_record.epsilon)}, γ = {figure(whole_record.gamma)}</strong>" in label
    assert [table in whole for table in re.findall("<table>.+?</table>", label, re.DOTALL)] == [True] * 2
    assert "Until Jan. 1, 2099; then the site erases the survey by itself." in label
    assert ('class="blank"' in label, "7.1" in label) == (False, False)
    assert '<article class="text protocol one-page">' in label  # staff.css draws what is called label in bold


def test_the_label_fits_on_one_page_and_says_what_texts_may_tell(signed_in: Page, live: LiveServer) -> None:
    """Also where people are invited by mail and write in their own words: then a record may be found."""
    survey = make_survey(access="invitation")
    add_question(survey, "note", type="text", max="80")
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/label/")
    assert "such a record can be found by it" in signed_in.inner_text("dl")
    assert re.findall(rb"/Type /Pages\s[^>]*/Count (\d+)", signed_in.pdf(prefer_css_page_size=True)) == [b"1"]


def test_it_is_about_the_newest_version_and_names_it(client: Client, survey: Survey) -> None:
    """By its number, its date and its hash; an older version and the draft are asked for."""
    first = publish(survey)
    write(survey, heading={"en": "Changed"})
    second = publish(survey)

    assert f"study / v2 / {second.sha256[:8]}" in read(client, survey)
    assert second.sha256 in read(client, survey, "preregistration")
    assert f"study / v1 / {first.sha256[:8]}" in read(client, survey, of="1")
    assert "study / draft / " in read(client, survey, of="draft")
    assert client.get(f"/staff/studio/{survey.pk}/protocol/", {"of": "3"}).status_code == 404


def test_a_lot_is_told_and_planned(client: Client, survey: Survey) -> None:
    """As they were published, with what each will find, whatever the draft says meanwhile."""
    write(survey, lot=40, expected=2000)
    publish(survey)
    write(survey, lot=None, direct=False)

    assert "Devices draw at random who is asked to answer undisguised" in read(client, survey)
    planned = read(client, survey, "preregistration")
    assert (
        "with an interval that allows for declining. If the disguise changes the share of an answer by 17 points or "
        "more, the draw shows it in four of five surveys, if everybody who is drawn answers directly.</li>"
    ) in planned
    assert "Whether " not in read(client, survey, "preregistration", of="draft")


def test_it_says_what_this_questionnaire_promises(client: Client, survey: Survey) -> None:
    """The promise in words and numbers, direct answers, undisguised questions, those that cannot be skipped, and the
    least.
    """
    add_question(survey, "age", type="number")
    publish(survey)
    page = read(client, survey)
    for said in (
        "cannot make them surer than 29 %",
        "Respondents may choose to answer undisguised",
        "Here these are: age.",
        'These sensitive questions have no “Prefer not to say”: </p><ul><li><code>drugs</code>: <span class="blank">',
        "Fewer than 20 people with disguised answers: nothing is ever shown, neither figures nor files.",
        "Until somebody erases the survey: no date is set.",
    ):
        assert said in page.replace("\n", " "), said
    assert page.count('class="blank') > 10


def test_it_says_what_studies_found_as_the_front_page_does(client: Client, survey: Survey) -> None:
    """One for, one against, and that nobody has tested Candor; in the same words."""
    publish(survey)
    said = client.get("/").content.decode()
    paragraphs = re.findall(r"<p>(?:For|Against|Nobody).*?</p>", said, re.DOTALL)

    assert len(paragraphs) == 3
    words, of_staff = (
        [re.sub(r"</?a\b[^>]*>", "", html) for html in each] for each in (paragraphs, [read(client, survey)])
    )
    assert [one for one in words if one not in of_staff[0]] == []


def table(client: Client, survey: Survey) -> list[tuple[str, ...]]:
    rows = client.get(f"/staff/studio/{survey.pk}/protocol/", {"of": "draft"}).context["rows"]
    return [(*[row[of] for of in ("name", "asked", "gamma", "epsilon", "posterior")], *row["errors"]) for row in rows]


def test_the_paper_setting_is_shown_with_its_figures(client: Client, survey: Survey) -> None:
    """p = .3 and θ = .6 over three items: γ = 1 + .3/(.7·.4³) = 7.697, so 5 % becomes at most 28.9 %.

    The errors are √(P*(1−P*)/n)/.3 with P* = .3·.3^L + .7·.6^L for n = 1 000 respondents and L = 1, 2, 3.
    """
    assert table(client, survey) == [("The whole record", "3", "7.70", "2.05", "29 %", "5.3", "4.7", "3.9")]


def test_shifts_of_several_blocks_multiply(client: Client, survey: Survey) -> None:
    """Whole record first, then block by block; the whole is the product of the blocks."""
    drop_questions(survey, "cheating", "theft")
    add_block(survey, "second", "each", {"keep": 0.3, "theta": 0.5})
    for name in ("theft", "fraud"):
        add_question(survey, name, block="second")

    assert [row[1:5] for row in table(client, survey)[:2]] == [
        ("3", "7.15", "1.97", "28 %"),
        ("1", "2.08", "0.729", "10 %"),
    ]


def test_a_sampled_block_says_how_many_are_asked(client: Client, survey: Survey) -> None:
    """Four of ten: γ is that of the four."""
    for number in range(7):
        add_question(survey, f"q{number}", block="all")
    set_block(survey, settings={"keep": 0.3, "theta": 0.5, "ask": 4})
    assert table(client, survey)[0][:3] == ("The whole record", "4 of 10", "7.86")


def test_an_unidentified_pattern_has_no_error(client: Client, survey: Survey) -> None:
    """With these flips a₂ = (3·.2 − .5 − .25 + 3·.05)/3 = 0: they cannot tell how two answers go together."""
    set_block(survey, kind="flip", settings={"flips": [0.2, 0.5, 0.25, 0.05]})
    assert table(client, survey)[0][5:] == ("6.7", "—", "—")


def test_a_one_sided_block_says_what_is_not_hidden(client: Client, survey: Survey) -> None:
    """γ is infinite, and no promise; the sentence and the bound are those of the hidden answer."""
    drop_questions(survey, "theft")
    set_block(survey, kind="one-sided", settings={"turned": 0.25})
    set_questions(survey, settings={"harmless": "0"})
    publish(survey)
    shown = client.get(f"/staff/studio/{survey.pk}/protocol/").context
    assert shown["promise"] == (
        "Harmless answers are not hidden: a stored one is true. If someone is 5 % sure that a respondent gave a "
        "hidden answer at least once, the disguised answers cannot make them surer than 46 %."
    )
    row = shown["rows"][0]
    assert (row["gamma"], row["epsilon"], row["odds"], row["posterior"]) == ("∞", "∞", "16.0", "46 %")


def test_what_the_disguise_costs_is_said_as_the_verdict_says_it(client: Client, survey: Survey) -> None:
    """In the unit of reports; the table of standard errors stands apart, and has no ± of its own."""
    publish(survey)
    said = client.get(f"/staff/studio/{survey.pk}/protocol/").context["judged"]
    judged = judge_version(survey.versions.get(), None)

    assert said == " ".join(str(one) for aim in judged.aims for one in aim.said)
    assert said.startswith("Shares: to within ")


def test_it_says_how_precise_numbers_and_places_will_be(client: Client, survey: Survey) -> None:
    """By their names, with their errors."""
    survey.delete()
    town = town_survey()
    give(town, User.objects.get(), Role.VIEWER)
    publish(town)
    ((name, sentence),) = client.get(f"/staff/studio/{town.pk}/protocol/").context["accuracy"]
    assert name == "home"
    assert "away from true ones (root mean square)" in sentence
    assert "The share of people in a zone is found to ±" in sentence


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


def test_it_shows_every_rule_of_the_questions(client: Client, survey: Survey) -> None:
    """Help, range, ends, order, what is required, when a question is shown at all, and the numbers of pages."""
    options = (("f", "F"), ("m", "M"), ("other, or none", "OTHER, OR NONE"))
    add_question(survey, "sex", type="choice", page=2, shuffle=True, required=True, options=options)
    with edit_draft(survey) as document:
        find_in(document, "sex")["options"][-1]["last"] = True
    add_question(survey, "age", type="number", page=2, min="18", max="99", help=words("In years."))
    add_question(survey, "day", type="date", page=2, min="2020-01-01")
    add_question(survey, "note", type="text", page=2, max="80")
    condition = {"when": {"question": "sex", "is": ["f", "other, or none"]}}
    add_question(survey, "births", type="number", page=2, max="20", **condition)
    ends = {"low": words("Never"), "high": words("Always")}
    add_question(survey, "mood", type="scale", page=5, min="1", max="5", **ends)
    publish(survey)

    answer = client.get(f"/staff/studio/{survey.pk}/protocol/")

    _first, second, third = answer.context["pages"]
    assert [second["number"], third["number"]] == [2, 5]
    assert {question["id"]: question["marks"] for page in (second, third) for question in page["questions"]} == {
        "sex": "one of several, not disguised, required, options in random order",
        "age": "number, not disguised, from 18 to 99",
        "day": "date (not disguised), at least 2020-01-01",
        "note": "text (not disguised), at most 80 characters",
        "births": "number, not disguised, at most 20, only when sex = “f” or “other, or none”",
        "mood": "scale, not disguised, from 1 to 5",
    }
    for part in ("In years.", "Never", "Always", "stays last"):
        assert part in answer.content.decode()


def test_every_text_is_read_in_the_main_language_first(client: Client, survey: Survey) -> None:
    """The order of the languages is the author's, whatever the order in which the definition is stored."""
    texts = {"zh-hans": "文", "ar": "نص", "en": "Text"}
    write(survey, languages=["zh-hans", "ar", "en"], **dict.fromkeys(documents.TEXTS, texts))
    set_questions(survey, text=texts)
    publish(survey)
    shown = client.get(f"/staff/studio/{survey.pk}/protocol/").context
    asked = shown["pages"][0]["questions"][0]
    assert [list(one) for _name, one in shown["texts"]] + [list(asked["text"])] == [["zh-hans", "ar", "en"]] * 11


def test_the_page_of_a_version_is_its_protocol(client: Client, survey: Survey) -> None:
    """For who may see the survey; for others it is not there."""
    version = publish(survey)
    hidden = publish(make_survey("hidden"))
    first, second = (client.get(f"/staff/studio/versions/{one.pk}/") for one in (version, hidden))
    assert first["Location"] == f"/staff/studio/{survey.pk}/protocol/?of=1"
    assert second.status_code == 404


@pytest.mark.parametrize(("role", "publishes"), [(Role.ANALYST, False), (Role.EDITOR, True)])
def test_a_draft_that_is_not_finished_says_why_in_place_of_a_document(
    client: Client, survey: Survey, role: Role, publishes: bool
) -> None:
    """With the way to what is missing, for people who may publish: the page refuses others."""
    give(survey, User.objects.get(), role)
    drop_questions(survey)
    answer = client.get(f"/staff/studio/{survey.pk}/protocol/")
    page = answer.content.decode()
    assert (answer.status_code, "Write it" in page, "See what is missing" in page) == (422, True, publishes)


def test_a_hundred_and_one_questions_are_forecast_too() -> None:
    """Of more no design is proposed; what is designed by hand has figures, those of fewer questions like these."""

    def made(count: int) -> Design:
        items = [{"id": f"q{number}", "theta": 0.5} for number in range(count)]
        return Design.parse({"blocks": [{"keep": 0.5, "items": items}]})

    of_many, of_few = (forecast(made(count), 5_000) for count in (101, 5))
    assert (of_many.least, of_many.apart) == (pytest.approx(of_few.least), pytest.approx(of_few.apart))


def test_a_preregistration_stays_as_it_was_when_the_draft_goes_on(client: Client, survey: Survey) -> None:
    """Data may be in by then."""
    publish(survey)
    before, after = "1\u202f000 respondents", "90\u202f000 respondents"
    assert (before in read(client, survey, "protocol"), after in read(client, survey, "protocol")) == (True, False)
    write(survey, expected=90_000)
    for name, of in (("protocol", "1"), ("protocol", "draft")):
        page = read(client, survey, name, of)
        assert (before in page, after in page) == ((True, False) if of == "1" else (False, True))


def test_the_plan_lists_what_she_wants_to_tell(client: Client, survey: Survey) -> None:
    """And nothing else."""
    plans = {}
    for tell in (["shares"], ["pairs"], ["groups"]):
        write(survey, protection={"by": "hand", "sure": 50, "tell": tell})
        page = read(client, survey, "preregistration", of="draft")
        plans[tell[0]] = [part in page for part in ("The share of every answer", "What goes together", "Differences")]
    assert plans == {
        "shares": [True, False, False],
        "pairs": [False, True, False],
        "groups": [False, False, True],
    }


def test_the_plan_says_what_so_few_people_do_not_tell(client: Client, survey: Survey) -> None:
    """Of fewer than a report tells of no precision is promised; figures are named for the lengths that have one."""
    write(survey, expected=15)
    publish(survey)
    planned = read(client, survey, "preregistration")

    assert "Of 15 people about 12 answer each question with disguise; of fewer than 20 nothing is shown." in planned
    assert "Expected precision" not in planned
    assert re.search(r"by at most: of one answer [\d.]+ points, of two [\d.]+ points", planned)


def test_that_no_rules_are_to_be_expected_is_said_before_anyone_is_asked(client: Client, survey: Survey) -> None:
    """A thousand respondents are too few for three questions under p = .3, and ten thousand are enough."""
    few = client.get(f"/staff/studio/{survey.pk}/preregistration/").context["unanswered"]
    write(survey, expected=10_000)
    many = client.get(f"/staff/studio/{survey.pk}/preregistration/").context["unanswered"]
    said = "What goes together: with 1\u202f000 people "
    assert ([one.startswith(said) for one in few], many) == ([False, True], [])


def test_the_plan_says_how_likely_rules_are_found(client: Client, survey: Survey) -> None:
    """Beside what is searched for, of the link that Protect names, with its figures."""
    write(survey, protection={"by": "hand", "guess": "0.05:0.02..0.1"})
    publish(survey)

    planned = read(client, survey, "preregistration")
    link = re.search(
        r"figures after selection\. If of those who give 1 answer ([\d.]+) % give another one, too", planned
    )
    protect = client.get(f"/staff/studio/{survey.pk}/protect/").content.decode()
    named = re.search(r"of those who give one answer, another is given by ([\d.]+)\s%", protect)

    assert link is not None
    assert named is not None
    assert link[1] == named[1]


def test_the_plan_says_of_groups_what_the_verdict_says(client: Client, survey: Survey) -> None:
    """In the same words, of a draft and of the version that it becomes."""
    write(survey, protection={"by": "hand", "sure": 50, "tell": ["groups"]})
    (groups,) = judge_document(survey, read_document(survey)).aims
    draft = read(client, survey, "preregistration")
    publish(survey)

    assert "must differ by" in str(groups.said[0])
    assert [str(groups.said[0]) in page for page in (draft, read(client, survey, "preregistration"))] == [True, True]


@pytest.mark.parametrize("name", ["protocol", "preregistration"])
def test_both_documents_say_what_a_guess_costs_that_is_wrong_by_three_times(
    client: Client, survey: Survey, name: str
) -> None:
    """In the words of the verdict, of a draft and of the version that it becomes."""
    wrong = judge_document(survey, read_document(survey)).guess[-1]
    draft = read(client, survey, name, of="draft")
    publish(survey)

    assert "wrong by three times" in str(wrong)
    assert [str(wrong) in page for page in (draft, read(client, survey, name))] == [True, True]


@pytest.mark.long
@pytest.mark.parametrize("name", ["protocol", "preregistration"])
def test_it_asks_as_often_for_many_questions_as_for_few(client: Client, survey: Survey, name: str) -> None:
    """And however many versions there are."""
    queries = partial(count_queries, lambda: read(client, survey, name))
    publish(survey)
    queries()  # what a process reads once
    few = queries()
    for more in ("x", "y"):
        add_question(survey, more)
        publish(survey)
    assert queries() == few
