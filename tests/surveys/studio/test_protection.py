"""The three questions: what is proposed, what is said of it, what else there is, and how few presses it takes."""

import json
import math
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.text import capfirst
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from privacy.design.brief import WIDE
from privacy.design.sentences import Said
from privacy.errors import EntryError
from privacy.plan.verdict import Verdict, say_gains
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.protect import judge_document, odds_of, read_wishes, usual
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft, empty, read_document
from surveys.domain.questionnaire.forecast import Forecast, forecast
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.kinds import FORMS
from surveys.models import Survey
from surveys.studio import alternatives, experts, protection, verdict
from surveys.studio.checklist import checklist
from surveys.studio.verdict import unmet_of_draft
from tests.surveys.databases import count_queries
from tests.surveys.staff import browser_of, somebody
from tests.surveys.studio.conftest import wait_until_saved

TEN = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcdefghij")
FOUR = "\n".join(TEN.splitlines()[:4])


@pytest.fixture
def survey() -> Survey:
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en"]) | {"protection": usual() | {"way": None}})
    return survey


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.filter(is_superuser=True).first() or somebody(), "tab-1", 10**6)


def do(survey: Survey, by: Editor, name: str, /, **said: Any) -> dict[str, Any]:
    return history.change(survey, by, {"do": name, **said}).document


def forecast_for(survey: Survey, people: int, share: float = 0.0) -> Forecast:
    draft = Draft.load(survey)
    return forecast(compose_design(draft), people, minimum_of_draft(draft), share, guess_of(draft))


def panel_of(survey: Survey) -> dict[str, Any]:
    return protection.forecast_context(Draft.load(survey))


def test_each_answer_to_the_three_questions_is_a_change_that_undo_takes_back(survey: Survey, ann: Editor) -> None:
    """People, how sure, what is told: blocks follow, keep the promise, and come back."""
    before = do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)

    do(survey, ann, "survey", field="expected", value="3 200")
    do(survey, ann, "protect", field="sure", value="20")
    after = do(survey, ann, "protect", field="pairs", value=False)

    assert (after["expected"], read_wishes(after).sure, read_wishes(after).tell) == (3200, 20, ("shares",))
    design = compose_design(Draft.load(survey))
    assert 0.99 * odds_of(20) < design.odds <= odds_of(20)
    for _change in range(3):
        history.undo(survey, ann)
    assert read_document(survey) == before


def test_a_survey_that_is_to_tell_nothing_is_refused(survey: Survey, ann: Editor) -> None:
    """The last tick cannot be taken away."""
    do(survey, ann, "protect", field="pairs", value=False)

    with pytest.raises(EntryError, match="tick at least one"):
        do(survey, ann, "protect", field="shares", value=False)


@pytest.mark.parametrize("typed", ["", "some", "0", "1.5", "10000000000", "9" * 5000])
def test_people_are_a_whole_number(survey: Survey, ann: Editor, typed: str) -> None:
    """Anything else is refused with what was typed."""
    with pytest.raises(EntryError, match=r"“.{0,20}” is not a number of people"):
        do(survey, ann, "survey", field="expected", value=typed)


def test_the_page_says_what_so_many_people_tell(survey: Survey, ann: Editor) -> None:
    """As a table: four times as many people about halve the width, and find links that few do not."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    now, then = (forecast_for(survey, n) for n in (1000, 4000))

    said = panel_of(survey)

    assert now.most is not None
    assert now.most == pytest.approx(2 * (then.most or 0), rel=0.05)
    points = [f"±{100 * one.most:.2g}" for one in (now, then)]
    assert [figures for _what, figures in said["rows"]][:2] == [
        points,
        [verdict.of_ten(one.chance(2)) for one in (now, then)],
    ]
    assert said["asked"] == 3


def test_the_pair_that_shows_who_follows_is_of_no_use_in_a_list(survey: Survey, ann: Editor) -> None:
    """Its figures are biased, and nothing corrects them: Publish says so before anybody is asked in vain."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?", sensitive=True)
    do(survey, ann, "careless", value=True)
    sentence = "Figures of words of a list cannot be corrected for people who do not follow the design"

    def remarks() -> list[str]:
        return [one.sentence for one in checklist(Draft.load(survey)).look if one.sentence.startswith(sentence)]

    by_coins = remarks()
    do(survey, ann, "protect", field="way", value="word")
    assert (by_coins, len(remarks())) == ([], 1)


def test_numbers_and_places_are_told_in_their_own_words(survey: Survey, ann: Editor) -> None:
    """The mean of a number, and how far away a place is."""
    do(survey, ann, "add", type="number", lines="Income?")
    name = read_document(survey)["pages"][0]["questions"][0]["id"]
    do(survey, ann, "question", question=name, field="min", value="0")
    do(survey, ann, "question", question=name, field="max", value="90")
    do(survey, ann, "sensitive", question=name, value=True)

    ((own, sentence),) = panel_of(survey)["on_grid"]

    assert own == name
    assert sentence.startswith("The mean is exact to about ±")
    assert panel_of(survey)["rows"] == []


def test_what_is_wanted_and_cannot_be_told_is_named(survey: Survey, ann: Editor) -> None:
    """Beside the questionnaire and where it is published; enough people, and nothing is said."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    do(survey, ann, "survey", field="expected", value=300)
    do(survey, ann, "protect", field="groups", value=True)
    few = unmet_of_draft(Draft.load(survey))
    client = browser_of(ann.user)
    page = client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    do(survey, ann, "survey", field="expected", value=200_000)

    assert [re.sub(r"\d[\d\u202f.]*", "N", sentence) for sentence in few] == [
        "Shares: to within N points, not N Good for “is it N % or N %?”, not for “is it N % or N %?” "
        "N people are enough.",
        "What goes together: with N people hardly any link of medium strength (N % instead of N %) would be found; "
        "stronger ones may be. N people are enough.",
        "Groups: two halves of the people must differ by N points before you see it. N people are enough.",
    ]
    assert all(sentence in page for sentence in few)
    assert unmet_of_draft(Draft.load(survey)) == []


def test_whether_to_ask_plainly_is_said_wherever_the_verdict_is(survey: Survey, ann: Editor) -> None:
    """On Protect, Publish, in the protocol (proportionality) and preregistration. Neither an aim that is met nor the
    step has the mark of what is done.
    """
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True, skip="yes")
    do(survey, ann, "survey", field="expected", value=800)
    do(survey, ann, "protect", field="within", value="15")
    for field in ("heading", "who", "why", "consent"):
        do(survey, ann, "survey", field=field, language="en", value=field)
    verdict = judge_document(survey, read_document(survey))
    assert verdict.plain is not None
    (plain, _harmless), shares = map(str, verdict.plain.said), verdict.aims[0]
    client = browser_of(ann.user)
    pages = {
        name: client.get(f"/staff/studio/{survey.pk}/{name}").content.decode()
        for name in ("protect/", "publish/", "protocol/?of=draft", "preregistration/?of=draft")
    }
    (head,) = re.findall(r'<section class="judged".*?</section>', pages["protect/"], re.DOTALL)
    (proportionality,) = re.findall(r"7\.2 .*?7\.3 ", pages["protocol/?of=draft"], re.DOTALL)

    assert plain.startswith("With 800 people a plain question errs less, unless ")
    assert [name for name, page in pages.items() if plain not in page] == []
    assert plain in head
    assert plain in proportionality
    assert (shares.met, "#done" in head) == (True, False)
    assert re.search(r'data-state="look"[^>]*>(?:(?!</a>).)*Protect', pages["protect/"], re.DOTALL)


def test_every_question_is_asked_of_as_many_people_as_a_report_tells_of(survey: Survey, ann: Editor) -> None:
    """One of ten would err least, and 80 of 800 people would answer it, of whom no report says anything."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True, skip="yes")
    do(survey, ann, "protect", field="pairs", value=False)
    do(survey, ann, "protect", field="sure", value="33")

    asked = {}
    for people in (800, 3000):
        do(survey, ann, "survey", field="expected", value=people)
        asked[people] = panel_of(survey)["asked"]

    assert asked == {800: 2, 3000: 1}


def test_a_question_that_too_few_are_asked_is_named(survey: Survey, ann: Editor) -> None:
    """Also where it was chosen how many are asked: it counts as given by no figure."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    do(survey, ann, "protect", field="pairs", value=False)
    do(survey, ann, "survey", field="expected", value=180)
    do(survey, ann, "protect", field="asked", value=1)
    said = panel_of(survey)

    assert unmet_of_draft(Draft.load(survey))[0] == (
        "Of 180 people about 18 answer each question with disguise; of fewer than 20 nothing is shown."
    )
    assert [figures[0] for _what, figures in said["rows"]] == ["–"] * len(said["rows"])


def test_a_price_says_nothing_of_shares_that_are_not_known(survey: Survey, ann: Editor) -> None:
    """No word has the place of a number, and numbers of people that no survey asks are not named."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True, skip="yes")
    do(survey, ann, "survey", field="expected", value=60)
    do(survey, ann, "protect", field="sure", value="10")
    every = alternatives.prices_of(survey, do(survey, ann, "protect", field="asked", value=10))
    few = alternatives.prices_of(survey, do(survey, ann, "protect", field="asked", value=2))

    said = {price.title: [price.much, *price.gains, *price.costs] for price in few}
    assert "ask everybody all 10" not in said  # intervals would reach from 0 to 100 %
    assert "a weaker promise" not in said  # nobody should run it as it is, and that would tell no share either
    assert not [one for price in (*every, *few) for one in price.gains + price.costs if "000\u202f000" in one]


def test_figures_that_tell_nothing_are_in_no_sentence(survey: Survey, ann: Editor) -> None:
    """A share known to 100 points is not known."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True, skip="yes")
    do(survey, ann, "protect", field="sure", value="10")
    do(survey, ann, "protect", field="groups", value=True)
    do(survey, ann, "survey", field="expected", value=150)
    unmet = unmet_of_draft(Draft.load(survey))

    assert unmet[0].startswith("Shares: nothing is known with 150 people.")
    assert unmet[-1].startswith("Groups: nothing is known of how they differ with 150 people.")


def test_each_price_does_what_it_says(survey: Survey, ann: Editor) -> None:
    """Its change makes the figures that stand on it, and undo takes it back."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True, skip=True)
    before = read_document(survey)
    here = judge_document(survey, before)
    prices = [one for one in alternatives.prices_of(survey, before) if one.change]

    assert {json.loads(price.change)["do"] for price in prices} >= {"skip", "protect", "survey"}
    for price in prices:
        if json.loads(price.change)["do"] == "survey":
            continue
        history.change(survey, ann, json.loads(price.change))
        there = judge_document(survey, read_document(survey))
        widths = [f"±{100 * one.aims[0].figure:.2g}" for one in (there, here)]
        assert (price.much, price.instead) == (f"Shares {widths[0]}", f"instead of {widths[1]}")
        better, worse = (set(map(str, said)) for said in say_gains(here, there, ["shares"]))
        assert better <= {*price.gains}
        assert worse <= {*price.costs}
        history.undo(survey, ann)
        assert read_document(survey) == before


def test_a_few_more_people_are_not_as_many_invitations() -> None:
    """What is asked of somebody who lacks 30 of 830 is more than “1 times”; of many, two digits are enough."""
    here = Verdict(800, False, Said("", {}), ())
    costs = [alternatives._meaning({"field": "expected", "value": n}, here)[1] for n in (830, 1_800)]

    assert costs == [["1.04 times the invitations"], ["2.2 times the invitations"]]


def test_three_other_ways_are_drawn_and_the_others_are_lines(survey: Survey, ann: Editor, client: Client) -> None:
    """Each with its width beside today's, what it gains and what it costs; each button makes its own change."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True)
    do(survey, ann, "survey", field="expected", value=2_000)
    client.force_login(ann.user)
    page = client.get(f"/staff/studio/{survey.pk}/alternatives/").content.decode()
    cards, lines = page.split("<summary>")
    prices = alternatives.prices_of(survey, read_document(survey))

    assert cards.count('<article class="other">') == 3
    assert re.findall(r"<h3>(.*?)</h3>", cards) == [capfirst(one.title) for one in prices[:3]]
    assert all(one.much in page and one.instead in page for one in prices)
    assert page.count("data-change") == len([one for one in prices if one.change])
    assert lines.count("<li>") == len(prices) - 3


@pytest.mark.each
@pytest.mark.parametrize("questions", [0, 1, 2, 11])
def test_other_ways_are_worked_out_for_every_draft(survey: Survey, ann: Editor, client: Client, questions: int) -> None:
    """Before the first question, where people draw themselves, and with too many questions for that."""
    if questions:
        lines = "\n".join(f"Thing {number}?" for number in range(questions))
        do(survey, ann, "add", type="yesno", lines=lines, sensitive=True)
    if 0 < questions <= 10:
        do(survey, ann, "draws", value="by-person")
    client.force_login(ann.user)

    answers = [client.get(f"/staff/studio/{survey.pk}/alternatives/{query}") for query in ("", "?works")]

    assert [answer.status_code for answer in answers] == [200, 200]


def test_a_class_that_should_not_be_asked_reads_first_what_would_work(
    survey: Survey, ann: Editor, client: Client
) -> None:
    """One question, more people, or teaching; with as many people as are named it may be run."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    do(survey, ann, "protect", field="pairs", value=False)
    client.force_login(ann.user)
    pages = {}
    for people in (60, 2_000):
        do(survey, ann, "survey", field="expected", value=people)
        shown = client.get(f"/staff/studio/{survey.pk}/protect/").content.decode()
        pages[people] = (
            "?works" in shown,
            client.get(f"/staff/studio/{survey.pk}/alternatives/?works").content.decode(),
        )
    do(survey, ann, "survey", field="expected", value=60)
    one, more, teach = alternatives.works_of(survey, read_document(survey))
    history.change(survey, ann, json.loads(more.change))

    assert [asked for asked, _page in pages.values()] == [True, False]
    assert "What would work" in pages[60][1]
    assert "<article" not in pages[2_000][1]
    assert (one.title, teach.title) == ("Ask one question, not 10", "Use it to teach")
    (shares,) = judge_document(survey, read_document(survey)).aims
    assert shares.met
    assert more.much == f"Shares ±{100 * shares.figure:.2g}"


def _price_of_direct(survey: Survey) -> alternatives.Price:
    (price,) = (one for one in alternatives.prices_of(survey, read_document(survey)) if "answer directly" in one.title)
    return price


def test_direct_answers_are_among_the_prices_with_their_risk(survey: Survey, ann: Editor) -> None:
    """Of many people, what one in five who answer directly would tell, by hand, and that nothing disguises them."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True)
    do(survey, ann, "protect", field="pairs", value=False)
    do(survey, ann, "survey", field="expected", value=50_000)
    document = read_document(survey)
    design = compose_design(Draft.load(survey))
    price = _price_of_direct(survey)
    here, there = (forecast_for(survey, 50_000, share) for share in (0, 0.2))

    assert not document["direct"]
    assert json.loads(price.change) == {"do": "survey", "field": "direct", "value": True}
    assert (price.much, price.instead) == (f"Shares ±{100 * there.most:.2g}", f"instead of ±{100 * here.most:.2g}")
    assert price.costs[0].startswith("Their answers are stored as they are")
    assert here.most is not None
    (asked,) = {block.items_per_person / len(block.items) for block in design.blocks}
    truth = 0.05 * 0.95 / asked / document["expected"]  # one in twenty says yes
    assert there.most == pytest.approx(math.sqrt(0.2 * WIDE**2 * truth + 0.8 * here.most**2), rel=0.01)
    history.change(survey, ann, json.loads(price.change))
    again = alternatives.prices_of(survey, read_document(survey))
    assert [one.title for one in again if "directly" in one.title] == ["nobody answers directly"]


def test_direct_answers_that_reports_leave_out_are_not_offered(survey: Survey, ann: Editor, client: Client) -> None:
    """Of three questions and 4 800 people the gate leaves out one in five: the reason stands there, and no button."""
    do(survey, ann, "add", type="yesno", lines="\n".join(TEN.splitlines()[:3]), sensitive=True)
    do(survey, ann, "survey", field="expected", value=4800)
    price = _price_of_direct(survey)
    client.force_login(ann.user)
    page = client.get(f"/staff/studio/{survey.pk}/alternatives/").content.decode()

    assert price.change == ""
    assert price.costs[0].startswith("It would not pay: reports leave direct answers out")
    assert "&quot;direct&quot;" not in page
    assert "It would not pay" in page


@pytest.mark.parametrize(
    ("people", "said"),
    [
        (400, "Figures leave them out, as too few would share an answer: figures rest on the others."),
        (4800, "Single answers count them. Links and groups leave them out, as they could point at somebody."),
        (40_000, "Single answers and links count them; groups leave them out."),
    ],
)
def test_what_becomes_of_direct_answers_is_said_once_they_may_be_given(
    survey: Survey, ann: Editor, client: Client, people: int, said: str
) -> None:
    """On Protect, Write and Publish, with how many are thought to answer so."""
    do(survey, ann, "add", type="yesno", lines="\n".join(TEN.splitlines()[:3]), sensitive=True)
    do(survey, ann, "protect", field="guess", value="some")
    do(survey, ann, "survey", field="expected", value=people)
    do(survey, ann, "survey", field="direct", value=True)
    client.force_login(ann.user)
    pages = [
        client.get(reverse(f"studio:{name}", args=[survey.pk])).content.decode()
        for name in ("protect", "write", "publish")
    ]

    assert ["People may answer directly: 20 of 100 are thought to." in page for page in pages] == [True] * 3
    assert [said in page for page in pages] == [True] * 3


@pytest.mark.parametrize("skip", [True, False])
def test_prefer_not_to_say_is_among_the_prices(survey: Survey, ann: Editor, skip: bool) -> None:
    """The other way: who leaves it out reads that a reason is asked for, and how many people fewer it takes."""
    document = do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True, skip=skip)
    (price,) = (one for one in alternatives.prices_of(survey, document) if '"skip"' in one.change)

    words = "no “Prefer not to say”, and a reason why" if skip else "“Prefer not to say” at every question"
    assert price.title == words
    (links,) = [said for said in price.gains + price.costs if "links" in said]
    assert re.fullmatch(r"links need [\d\u202f]+ people instead of [\d\u202f]+", links)
    assert json.loads(price.change) == {"do": "skip", "for": "all", "value": not skip}


def test_a_block_changed_by_hand_stays_and_is_compared_with_the_proposal(survey: Survey, ann: Editor) -> None:
    """A question more changes no number of it; what the proposal would have given is said, and can be taken."""
    proposed = do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    do(survey, ann, "block", place=0, field="keep", value="0.25")
    after = do(survey, ann, "add", type="yesno", lines="One more?", sensitive=True)

    (block,) = after["blocks"]
    assert block["settings"] == {**proposed["blocks"][0]["settings"], "keep": 0.25}
    assert len(block["questions"]) == 11
    said = experts.context(Draft.load(survey))
    assert said["by_hand"]
    assert said["own"] != said["proposed"]
    assert [own["gamma"] for own in said["blocks"]] == [f"γ = {said['gamma']}, ε = {said['epsilon']}"]
    again = do(survey, ann, "protect", field="by", value="proposal")
    assert not experts.context(Draft.load(survey))["by_hand"]
    assert again["blocks"] != after["blocks"]


def test_a_block_that_keeps_no_answer_is_shown_as_any_other(client: Client, survey: Survey, ann: Editor) -> None:
    """A direct group alone tells of it: what disguised answers tell is nothing, and no page fails over it."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True)
    do(survey, ann, "survey", field="direct", value=True)
    do(survey, ann, "block", place=0, field="keep", value="0")

    client.force_login(ann.user)
    assert forecast(compose_design(Draft.load(survey)), 1000).most == math.inf
    pages = ("", "protect/", "alternatives/", "price/one/", "publish/", "try/")
    assert [client.get(f"/staff/studio/{survey.pk}/{page}").status_code for page in pages] == [200] * 6


def test_experts_move_questions_and_give_them_a_noise_of_their_own(survey: Survey, ann: Editor) -> None:
    """A new block begins like the old one; θ of a question and a harmless answer stand with it."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?\nThree?", sensitive=True)
    moved = do(survey, ann, "block", question="two", value="new")
    do(survey, ann, "setting", question="one", name="theta", value="0.7")

    assert [block["questions"] for block in moved["blocks"]] == [["one", "three"], ["two"]]
    members = {member["name"]: member for member in experts.context(Draft.load(survey))["blocks"][0]["members"]}
    assert [entry.value for entry in members["one"]["entries"]] == ["0.7"]
    assert members["three"]["places"] == [("1", "block 2"), ("new", "a new block")]
    do(survey, ann, "block", place=1, field="kind", value="one-sided")
    after = do(survey, ann, "setting", question="two", name="harmless", value="0")
    assert after["pages"][0]["questions"][1]["settings"] == {"harmless": "0"}
    compose_design(Draft.load(survey))


def test_experts_give_each_option_its_noise(survey: Survey, ann: Editor) -> None:
    """One field for each option of a question under a coin."""
    do(survey, ann, "add", type="choice", lines="What?", sensitive=True)
    do(survey, ann, "rows", question="what", group="options", language="en", lines="A\nB")
    do(survey, ann, "block", place=0, field="kind", value="coin")
    do(survey, ann, "setting", question="what", option="a", name="noise", value="0.25")
    do(survey, ann, "setting", question="what", option="b", name="noise", value="0.75")

    (block,) = experts.context(Draft.load(survey))["blocks"]
    assert [(entry.label, entry.value) for entry in block["members"][0]["entries"]] == [
        ("noise: a", "0.25"),
        ("noise: b", "0.75"),
    ]
    assert compose_design(Draft.load(survey)).items[0].noise == (2**30, 3 * 2**30)


def test_a_number_has_its_step_and_its_heaps_under_a_proposal_too(survey: Survey, ann: Editor) -> None:
    """They say what answers there are and which many people give, and not how they are disguised."""
    do(survey, ann, "add", type="number", lines="Weeks?")
    do(survey, ann, "sensitive", question="weeks", value=True)
    for field, value in (("min", "0"), ("max", "100")):
        do(survey, ann, "question", question="weeks", field=field, value=value)
    do(survey, ann, "setting", question="weeks", name="step", value="5")
    do(survey, ann, "setting", question="weeks", name="heaps", value="0, 50")

    shown = experts.context(Draft.load(survey))
    assert [(entry.label, entry.value) for entry in shown["blocks"][0]["members"][0]["entries"]] == [
        ("step", "5.0"),
        ("numbers that many people share", "0, 50"),
    ]
    assert not shown["by_hand"]


def test_a_proposal_forgets_the_noise_of_single_questions(survey: Survey, ann: Editor) -> None:
    """Its promise is worked out for even noise, so that a θ left over would break it."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?", sensitive=True)
    do(survey, ann, "setting", question="one", name="theta", value="0.9")
    after = do(survey, ann, "protect", field="by", value="proposal")

    assert [question["settings"] for question in after["pages"][0]["questions"]] == [{}, {}]
    assert compose_design(Draft.load(survey)).odds <= 19


def test_every_value_that_a_kind_asks_for_explains_itself(ann: Editor) -> None:
    """A sentence beside each; where it leads on, the page of terms has its place. All of it is in the kind's module."""
    fields = [field for form in FORMS.values() for field in (*form.fields, *form.item_fields)]
    client = browser_of(ann.user)
    page = client.get("/staff/studio/terms/").content.decode()

    assert [field.name for field in fields if not field.help] == []
    assert set(re.findall(r'<h2 id="(\w+)"', page)) == {"block"} | {field.name for field in fields if field.term}


def test_outside_experts_no_page_names_the_mathematics(survey: Survey, ann: Editor) -> None:
    """Never γ, ε, ρ, θ, radius or block, on the pages, in their panels and in the alternatives."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True)
    do(survey, ann, "survey", field="expected", value=2_000)  # as above, where its figures were worked out
    client = browser_of(ann.user)
    write, protect = (client.get(f"/staff/studio/{survey.pk}/{step}").content.decode() for step in ("", "protect/"))
    outside = write + re.sub(r'<details class="fold"><summary>For experts.*?</section>', "", protect, flags=re.S)
    outside += client.get(f"/staff/studio/{survey.pk}/alternatives/").content.decode()

    assert 'data-panel="experts"' in protect
    assert re.findall(r"[γερθ]|\bradius\b|\bblocks?\b", re.sub(r"<[^>]+>", " ", outside)) == []


@pytest.mark.long
@pytest.mark.parametrize("address", ["", "protect/", "alternatives/"])
def test_queries_are_as_many_for_three_questions_as_for_one(survey: Survey, ann: Editor, address: str) -> None:
    """The page and its alternatives read the draft once."""
    client = browser_of(ann.user)
    counts = []
    for lines in ("One?", "Two?\nThree?"):
        do(survey, ann, "add", type="yesno", lines=lines, sensitive=True)
        client.get(f"/staff/studio/{survey.pk}/{address}")
        counts.append(count_queries(lambda: client.get(f"/staff/studio/{survey.pk}/{address}")))

    assert counts[0] == counts[1]


def test_an_answer_holds_only_what_has_changed(survey: Survey, ann: Editor) -> None:
    """Parts whose marks the page sends come by their names alone; a page that knows nothing gets all."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    client = browser_of(ann.user)
    page = client.get(f"/staff/studio/{survey.pk}/").content.decode()
    marks = {}
    for tag in re.findall(r"<[a-z]+ [^>]*data-hash=[^>]*>", page):
        name = re.search(r'data-part="([^"]+)"', tag)
        panel = re.search(r'data-panel="([^"]+)"', tag)
        key = f"panel.{panel[1]}" if panel else name[1] if name else ""
        marks[key] = re.search(r'data-hash="([^"]+)"', tag)[1]  # type: ignore[index]
    first = next(iter(read_document(survey)["pages"][0]["questions"]))["id"]
    change = {"do": "question", "question": first, "field": "text", "language": "en", "value": "Another?"}
    sent = {"base": 10**6, "tab": "t", "change": change}

    def send_change(**more: Any) -> dict[str, Any]:
        body = json.dumps({**sent, **more})
        answer: dict[str, Any] = client.post(
            f"/staff/studio/{survey.pk}/change/", body, content_type="application/json"
        ).json()
        return answer

    few, whole = send_change(have=marks), send_change()

    assert len(few["sheet"]) < len(whole["sheet"]) / 5
    assert few["panels"] == {}
    assert set(whole["panels"]) == {"pledge", "missing", "rail"}
    protect = send_change(step="protect")
    assert set(protect["panels"]) == {
        *("alternatives", "experts", "forecast", "guess", "promise", "rail", "verdict"),
        *("draws", "paper", "wanted", "works"),
    }
    assert protect["sheet"] == ""
    assert "Another?" in few["sheet"]


@pytest.mark.parametrize("have", [[], "x", {"question-one": 3}])
def test_marks_that_are_none_are_refused_or_match_nothing(survey: Survey, ann: Editor, have: Any) -> None:
    """What a page sends of itself never breaks an answer."""
    client = browser_of(ann.user)
    sent = {"base": 10**6, "tab": "t", "have": have, "change": {"do": "add", "type": "yesno", "lines": "One?"}}

    answer = client.post(f"/staff/studio/{survey.pk}/change/", json.dumps(sent), content_type="application/json")

    assert answer.status_code in (200, 400)


@pytest.mark.long
def test_protection_takes_at_most_five_presses(live: LiveServer, signed_in: Page, survey: Survey, ann: Editor) -> None:
    """From a questionnaire to what it tells: people, how sure, what is told, an alternative; figures follow each."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/protect/")
    presses = 0

    signed_in.get_by_label("How many people will answer?").fill("800")
    presses += 1
    signed_in.get_by_label("20 %", exact=True).check()
    presses += 1
    signed_in.get_by_label("how groups differ").check()
    presses += 1
    wait_until_saved(signed_in)
    expect(signed_in.locator("[data-panel=forecast]")).to_contain_text(re.compile(r"people\s*800"))
    weaker = signed_in.get_by_role("button", name=re.compile("Use this ?: a weaker promise"))
    signed_in.get_by_text("Other plans, and what each costs").click()
    presses += 1
    expect(weaker).to_have_count(1)
    weaker.click()
    presses += 1
    expect(signed_in.get_by_label("33 %", exact=True)).to_be_checked()
    wait_until_saved(signed_in)

    survey.refresh_from_db()
    assert presses <= 5
    assert (
        read_document(survey)["expected"],
        read_wishes(read_document(survey)).sure,
        read_wishes(read_document(survey)).tell,
    ) == (
        800,
        33,
        ("shares", "pairs", "groups"),
    )
    signed_in.get_by_role("button", name="Undo").click()
    expect(signed_in.get_by_label("20 %", exact=True)).to_be_checked()


def test_a_class_is_told_what_it_costs_to_ask_each_person_some_of_the_questions(survey: Survey, ann: Editor) -> None:
    """Beside the alternative, and where it is chosen: how many are asked each question, and when its report begins."""
    do(survey, ann, "add", type="yesno", lines=FOUR, sensitive=True)
    do(survey, ann, "skip", **{"for": "all"}, value=False)
    do(survey, ann, "survey", field="expected", value="60")
    do(survey, ann, "protect", field="asked", value=4)
    prices = alternatives.prices_of(survey, read_document(survey))
    fewer = [price.costs[-1] for price in prices if '"asked"' in price.change]
    do(survey, ann, "protect", field="asked", value=3)

    assert fewer
    assert all(" of 60 people would be asked each question. Its report: from " in one for one in fewer)
    assert panel_of(survey)["whom"] == (
        "About 45 of 60 people would be asked each question. Its report: from 134 answers on; disguised ones from 27 "
        "once closed."
    )
