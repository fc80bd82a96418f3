"""The report of a version: every question by its type, nothing of few, nothing open while the version collects."""

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.displays import ShareRow, Shares, Table
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.snapshots import cite
from surveys.models import Inbox, Phrase, SealingRound, Survey, SurveyVersion
from surveys.percent import Share, of_people
from surveys.questions import type_of
from surveys.releases.reasons import TableError
from surveys.releases.table import releasable
from surveys.results import report, sharing
from surveys.results.answers import Answered
from surveys.results.figures import Figure, document
from surveys.results.open_answers import OpenAnswers
from surveys.results.report import data_of
from surveys.results.scale import TOPS, OnScale, by_size, on_one_axis, ticks
from tests.mining.surveys import mined_run
from tests.surveys.databases import count_queries
from tests.surveys.making import set_block
from tests.surveys.results.making import answer, draft, survey_with_results
from tests.surveys.sealed import seal_in_parts
from tests.surveys.staff import browser_of, somebody, visit


def address(version: SurveyVersion) -> str:
    return reverse("studio:results", args=[version.pk])


def context(version: SurveyVersion) -> dict[str, Any]:
    data: dict[str, Any] = visit(somebody("view"), address(version)).context_data
    return data


def figures_of_page(version: SurveyVersion) -> dict[str, list[Figure]]:
    (_part, answers, _pictures) = context(version)["parts"][0]
    return {question.name: figures for question, figures in answers["questions"]}


def test_every_type_of_question_shows_its_answers() -> None:
    """Disguised shares with their error and both groups; options, numbers, months and texts of the undisguised ones."""
    figures = figures_of_page(survey_with_results())
    tables = {name: [figure.table for figure in each] for name, each in figures.items()}
    assert list(figures) == [
        "drugs",
        "cheating",
        "theft",
        "age",
        "faculty",
        "ways",
        "mood",
        "hours",
        "born",
        "remark",
        "views",
    ]
    assert [row[0] for row in tables["drugs"][0].rows] == ["Yes"]
    assert len(tables["drugs"][0].head) == 7
    assert [row[0] for row in tables["age"][0].rows] == ["18-29", "30-49", "50+"]
    assert [row[:2] for row in tables["mood"][0].rows] == [(str(step), "20.0 %") for step in range(1, 6)]
    assert [row[0] for row in tables["hours"][0].rows] == ["at most 4", *map(str, range(5, 10)), "at least 10"]
    months = [row[0] for row in tables["born"][0].rows]
    assert (len(months), months[0], months[-1]) == (5, "up to 2026-03", "2026-07 or later")
    assert figures["views"][0].title == "Do you agree? Exams are fair."
    assert all(figure.svg for name, each in figures.items() for figure in each if name != "remark")


def test_one_picture_of_all_questions_stands_first(admin_client: Client) -> None:
    """Every question on one axis, of yes/no questions the yes; with a table of every share that is shown below, also of
    the answers that are too rare to be named, and its file. Numbers that were not disguised have bars of their own
    instead of the axis. Behind a shared link, too."""
    version = survey_with_results()
    _shared, token = sharing.share(version, "Colleague", ["answers"], 30, somebody())
    (_part, answers, _pictures) = context(version)["parts"][0]
    (overview,) = answers["overview"]
    below = [
        [row[0], row[1]]
        for question, _figures in answers["questions"]
        for display in question.displays
        for row in display.table().rows
        if row[1] != "–"
    ]
    assert [[row[1], row[2]] for row in overview.table.rows] == below
    assert list(dict.fromkeys(row[0] for row in overview.table.rows)) == [
        f"{question.text} {display.heading}".strip()
        for question, _figures in answers["questions"]
        for display in question.displays
        if not display.texts
    ]
    assert ["the other answers together"] in [row[:1] for row in below]
    of_numbers = sum(len(figure.table.rows) for figure in answers["undisguised"])
    assert overview.svg.count("<rect") == len(answers["scale"]) + of_numbers == len(below)
    for page in (address(version), f"/r/{token}/"):
        text = admin_client.get(page).content.decode()
        assert text.count('class="nested"') == len(answers["scale"])
        assert text.index('class="nested"') < text.index("These figures as a table") < text.index('id="q-drugs"')
        files = [each for each in re.findall(r'href="([^"]+)"', text) if "overview" in each]
        assert len(files) == 1
        assert "All questions on one scale" in admin_client.get(files[0]).content.decode()


def test_a_question_is_told_in_words_before_its_picture() -> None:
    """In the researcher's words where there are some; of several answers only one that is clearly the most common."""
    version = survey_with_results()
    Phrase.objects.create(survey=version.survey, item="drugs", value="1", words={"en": "used illegal drugs"})
    said = {name: figures[0].said for name, figures in figures_of_page(version).items()}
    assert re.fullmatch(r"Of 100 people, about 4\d \(\d+–\d+\) used illegal drugs\.", said["drugs"])
    assert re.fullmatch(r"Of 100 people, about 3\d \(\d+–\d+\) answer “Yes”\.", said["cheating"])
    assert said["faculty"] == ""
    assert said["mood"] == "Mean 3.00 (2.93 to 3.07). Median 3."


def share(value: float, low: float, high: float) -> Share:
    return Share(value, 0.01, low, high)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (share(0.245, 0.22, 0.27), "of 100 people, about 24 (22–27)"),
        (share(0.004, 0.002, 0.007), "of 1\u202f000 people, about 4 (2–7)"),
        (share(0.01, -0.02, 0.06), "of 100 people, at most 6"),
        (share(1.02, 0.95, 1.1), "of 100 people, at least 95"),
        (share(0.5, -0.3, 1.3), "any number of 100 people"),
        (share(-0.03, -0.05, -0.01), "of 1\u202f000 people, at most 0"),
    ],
)
def test_a_share_is_told_as_a_number_of_people(share: Share, words: str) -> None:
    """An end that no share can have is left out, not cut off; what is rare is counted in a thousand."""
    assert of_people(share) == words


@pytest.mark.parametrize(
    ("given", "about", "between"),
    [
        (share(-0.02, -0.1, 0.06), "about 0 %", "0–6"),
        (share(-0.03, -0.05, -0.01), "about 0 %", "0–0"),
        (share(0.0049, -0.01, 0.02), "about 0 %", "0–2"),
        (share(0.005, 0.001, 0.02), "0 %", "0–2"),
        (share(0.25, 0.22, 0.28), "25 %", "22–28"),
        (share(0.995, 0.95, 1.1), "100 %", "95–100"),
        (share(1.02, 0.95, 1.1), "about 100 %", "95–100"),
    ],
)
def test_no_headline_is_a_share_that_cannot_be(given: Share, about: str, between: str) -> None:
    """A best guess below half a percent is about 0 %, above 99.5 about 100 %; nothing is below 0 or above 100."""
    one = OnScale(given.value, given.low, given.high)
    assert (one.best_guess, one.range) == (about, between)


@pytest.mark.parametrize(
    ("highs", "end", "numbers"),
    [
        ((0.05, 0.26), "86.7%", ["0 %", "10", "20", "30 %"]),
        ((0.02, 0.1), "100.0%", ["0 %", "5", "10 %"]),
        ((0.02, 0.12), "80.0%", ["0 %", "5", "10", "15 %"]),
        ((0.3, 0.65), "81.2%", ["0 %", "20", "40", "60", "80 %"]),
        ((0.3, 1.2), "100.0%", ["0 %", "20", "40", "60", "80", "100 %"]),
        ((0.3, math.nan), "0%", ["0 %", "10", "20", "30 %"]),
    ],
)
def test_the_axis_ends_at_the_next_round_number_behind_the_longest_range(
    highs: tuple[float, float], end: str, numbers: list[str]
) -> None:
    """The same for all rows; up to 20 at the next five, up to 50 at the next ten, beyond at the next twenty."""
    *_, last = on_one_axis([OnScale(0.01, 0.0, high) for high in highs])
    assert (last.right, [label for _, label in ticks(last.top)]) == (end, numbers)
    assert last.steps == len(numbers) - 1  # lines stand where numbers do


def test_one_common_answer_does_not_squeeze_the_rare_ones() -> None:
    """It goes on beyond the axis, where an arrow stands for its point; one of few, or a bit longer, is drawn whole."""
    rare = [OnScale(n / 100, n / 100 - 0.005, n / 100 + 0.01) for n in range(1, 11)]
    never = OnScale(0.89, 0.85, 0.93, 0.88)

    first, *_, last = on_one_axis([*rare, never])

    assert (first.top, first.is_beyond, first.position) == (15, False, "6.7%")
    assert (last.is_beyond, last.position, last.true_at, last.range) == (True, "", "", "85–93")
    assert last.where_it_ends == "The axis ends at 15 %, not at 100 %. The longest bar goes on beyond it."
    whole = [[*rare[:3], never], [*rare, OnScale(0.4, 0.3, 0.5)]]
    assert [any(one.cut for one in on_one_axis(rows)) for rows in whole] == [False, False]


def test_the_axis_holds_the_light_bars_and_the_truth() -> None:
    """Both end inside of it, and the dark bar begins where the light one does."""
    (one,) = on_one_axis([OnScale(0.06, 0.02, 0.11, 0.12, most=0.13)])
    assert (one.top, one.start, one.width, one.whole_width, one.up_to) == (15, "13.3%", "60.0%", "73.3%", "13")
    assert (one.is_held, one.is_held_at_most) == (False, True)
    assert (replace(one, most=None).whole_width, replace(one, truth=0.02).is_held) == ("", True)


def answer_with(monkeypatch: pytest.MonkeyPatch, *answered: Answered) -> None:
    """From now on the report shows these answers."""
    monkeypatch.setattr(report, "answers", lambda *_: list(answered))


@pytest.mark.parametrize(("high", "end"), [(0.1996, 20), (0.2004, 20), (0.2006, 30), (0.8049, 100)])
def test_the_axis_follows_from_the_figures_that_are_printed(
    monkeypatch: pytest.MonkeyPatch, high: float, end: int
) -> None:
    """The largest number in the table below it tells where it ends: no hidden answer does, and no hidden digit."""
    data = data_of(survey_with_results())
    rows = ShareRow("Law", share(0.05, 0.02, high)), ShareRow("Music", None)
    answer_with(monkeypatch, Answered("how", "How?", True, [Shares("", 500, rows)]))
    shown = report.part(data, "answers", lambda _: True).context()

    (table,) = (figure.table for figure in shown["overview"])
    printed = re.findall(r"[\d.]+", " ".join(cell for row in table.rows for cell in row[2:4]))
    assert [(min(top for top in TOPS if top >= max(map(float, printed))), end)] == [
        (rows[0].top, end) for _heading, rows, _largest in shown["axes"]
    ]


@pytest.mark.parametrize(
    ("highs", "on_page", "below_picture", "end"),
    [((0.13, 0.6), ["15", "60"], ["60"], "60 %"), ((0.9, 0.9), [], [], "100 %")],
)
def test_an_axis_that_ends_before_100_percent_says_so(
    monkeypatch: pytest.MonkeyPatch,
    admin_client: Client,
    highs: tuple[float, float],
    on_page: list[str],
    below_picture: list[str],
    end: str,
) -> None:
    """In a sentence below each axis, and below the picture for papers, which has one axis for all rows."""
    version = survey_with_results()
    rows = [ShareRow("Yes", share(0.05, 0.02, high)) for high in highs]
    asked = [
        Answered(name, f"{name}?", name == "drugs", [Shares("", 500, (row,))])
        for name, row in zip(("drugs", "faculty"), rows, strict=True)
    ]
    answer_with(monkeypatch, *asked)
    (picture,) = report.part(data_of(version), "answers", lambda _: True).context()["overview"]
    page = admin_client.get(address(version)).content.decode()

    said = [re.findall(r"The axis ends at (\d+) %, not at 100 %\.", text) for text in (page, picture.caption)]
    assert said == [on_page, below_picture]
    assert re.findall(r'font-size="12"[^>]*>([^<]+)</text>', picture.svg)[-1] == end


@pytest.mark.parametrize(("undisguised", "headings"), [(0.7, 2), (0.12, 1)])
def test_a_large_undisguised_share_leaves_disguised_ones_their_room(
    monkeypatch: pytest.MonkeyPatch, undisguised: float, headings: int
) -> None:
    """Then both have an axis of their own under a heading; where the disguised axis holds all, there is one."""
    data = data_of(survey_with_results())
    asked = [
        Answered("drugs", "Drugs?", True, [Shares("", 500, (ShareRow("Yes", share(0.05, 0.02, 0.13)),))]),
        Answered("faculty", "Faculty?", False, [Shares("", 500, (ShareRow("Arts", share(undisguised, 0.1, 0.1)),))]),
    ]
    answer_with(monkeypatch, *asked)
    axes = report.part(data, "answers", lambda _: True).context()["axes"]

    assert [(heading != "", [one.share for one in rows], rows[0].top) for heading, rows, _largest in axes] == (
        [(True, [0.05], 15), (True, [0.7], 80)] if headings == 2 else [(False, [0.05, 0.12], 15)]
    )


@pytest.mark.parametrize(
    ("bars", "said"),
    [
        ([(0.05, 0.01, 0.09), (0.08, 0.04, 0.12), (0.3, 0.2, 0.4)], "It cannot tell 5 % from 9 %"),
        ([(0.15, 0.01, 0.64), (0.012, 0.0, 0.43), (0.013, 0.0, 0.43)], "It cannot tell 1 % from 43 %"),
        ([(0.5, 0.47, 0.53), (0.32, 0.2, 0.44), (0.44, 0.3, 0.6)], "It cannot tell 32 % from 44 %"),
    ],
)
def test_what_it_cannot_tell_apart_is_as_coarse_as_the_bars_are(
    monkeypatch: pytest.MonkeyPatch, bars: list[tuple[float, float, float]], said: str
) -> None:
    """With a class of sixty some best guesses are one point apart, and no bar tells anything below 43 %."""
    data = data_of(survey_with_results())
    rows = tuple(ShareRow(f"{place}", share(*bar)) for place, bar in enumerate(bars))
    answer_with(monkeypatch, Answered("how", "How?", True, [Shares("", 60, rows)]))

    assert report.part(data, "cannot", lambda _: True).context()["said"][1].partition(":")[0] == said


def test_where_no_share_may_be_shown_there_is_no_axis(monkeypatch: pytest.MonkeyPatch, admin_client: Client) -> None:
    """The page says so in its place."""
    version = survey_with_results()
    answer_with(monkeypatch, Answered("drugs", "Drugs?", True, []))
    page = admin_client.get(address(version))

    assert page.status_code == 200
    assert "No answer may be shown" in page.content.decode()
    assert page.content.decode().count('class="axis') == 0


def test_the_largest_share_stands_first_or_the_order_of_the_questions(admin_client: Client) -> None:
    """A link chooses, without a script; the answers to one question stay together behind those of one answer."""
    version = survey_with_results()
    rows = [OnScale(0.2, 0.1, 0.3, label=name) for name in "ab"] + [OnScale(0.6, 0.5, 0.7, label="c", part="of")]
    rows += [OnScale(0.3, 0.2, 0.4, label="d"), OnScale(0.7, 0.6, 0.8, label="e", part="of")]
    axes = context(version)["parts"][0][1]["axes"]
    orders = []
    for order in ("", "?order=asked"):
        text = admin_client.get(address(version) + order).content.decode()
        orders.append(re.findall(r'<span class="name">([^<]*)</span>', text))
    assert [one.label for one in by_size(rows)] == ["d", "a", "b", "c", "e"]
    assert orders == [[one.label for axis in axes for one in axis[place]] for place in (2, 1)]
    assert orders[0] != orders[1]


def test_the_most_common_answer_is_named_where_it_is_clear_which_it_is() -> None:
    """Not where the interval of another answer reaches into its own."""
    arts, law = ShareRow("Arts", share(0.6, 0.55, 0.65)), ShareRow("Law", share(0.4, 0.35, 0.45))
    near = ShareRow("Music", share(0.52, 0.47, 0.57))
    assert Shares("faculty", 500, (law, arts)).sentence("") == (
        "The most common answer is “Arts”: of 100 people, about 60 (55–65)."
    )
    assert Shares("faculty", 500, (arts, near)).sentence("") == ""


def test_what_cannot_be_told_stands_with_what_goes_together(admin_client: Client) -> None:
    """From what on a link could have been found at all; where none is, with how many people there would be."""
    version = survey_with_results(600)
    run = mined_run(version.survey, min_support=0.1, min_confidence=0.3)
    _shared, token = sharing.share(version, "Colleague", ["answers", f"rules-{run.pk}"], 30, somebody())
    for page in (admin_client.get(address(version)), admin_client.get(f"/r/{token}/")):
        text = page.content.decode()
        assert text.index('id="answers"') < text.index(f'id="rules-{run.pk}"') < text.index("What this cannot show")
        assert ("With about 1\u202f" in text) == ("No rule of this run can be trusted" in text)


def test_texts_stand_in_the_order_of_their_letters() -> None:
    """Nothing tells who came first."""
    (remarks,) = figures_of_page(survey_with_results(600))["remark"]
    assert len(remarks.texts) == 600
    assert list(remarks.texts) == sorted(remarks.texts)


def test_an_option_of_few_looks_like_one_of_nobody() -> None:
    """Three of 1 500 study music: its line is empty, and the smallest other one goes with it."""
    (faculty,) = figures_of_page(survey_with_results())["faculty"]
    rows = [row[1:] for row in faculty.table.rows[:3]]
    assert rows[1:] == [("–", "–", "–")] * 2
    assert faculty.table.rows[3][0] == "the other answers together"


def test_what_everybody_or_nobody_ticked_is_not_told() -> None:
    """All of them travel by bus; that would tell it of each."""
    (ways,) = figures_of_page(survey_with_results())["ways"]
    assert [(row[0], row[1] == "–") for row in ways.table.rows] == [("By bus", True), ("By bicycle", False)]


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("remark", ["no"] * 200 + ["yes"] * 2, 0),
        ("remark", ["no"] * 200 + ["yes"] * 3, 203),
        ("hours", [7] * 202, 0),
        ("hours", [7] * 100 + [8] * 102, 202),
    ],
)
def test_what_nearly_all_answered_alike_is_not_told(name: str, given: list[Any], told: int) -> None:
    """Texts of which all but two are the same, and numbers that are one range: who knows those two knows the others."""
    data = data_of(survey_with_results(300))
    (question,) = (one for one in data.version.parsed.questions if one.id == name)

    (display,) = type_of(question).displays(
        replace(
            data.answers_to(question, "en"),
            given=OpenAnswers.from_rows([{name: one} for one in given]).column(name).tally(),
        )
    )

    assert display.n == told


def test_while_a_version_collects_only_disguised_answers_are_counted() -> None:
    """No direct group, no undisguised answer, and the page says so."""
    version = survey_with_results(closed=False)
    report = context(version)
    figures = {question.name: each for question, each in report["parts"][0][1]["questions"]}
    assert figures["faculty"] == figures["hours"] == figures["remark"] == []
    assert len(figures["drugs"][0].table.head) == 4
    assert not report["data"].sealed.direct.any()


def test_a_closed_version_whose_last_answers_wait_is_called_closed(client: Client) -> None:
    """Nobody can answer any more, though one answer has not been sealed yet."""
    version = survey_with_results(closed=False)
    client.force_login(somebody("view"))
    before = client.get(address(version)).content.decode()
    Survey.objects.filter(pk=version.survey_id).update(closed_at=timezone.now())
    waits_for = SealingRound.objects.create(key=b"round", current=False)
    Inbox.objects.create(key=b"one", version=version, round=waits_for, box=b"")
    after = client.get(address(version)).content.decode()
    said = ["This version still collects", "still collecting", "This version is closed, and its last answers are being"]
    assert [sentence in before for sentence in said] == [True, True, False]
    assert [sentence in after for sentence in said] == [False, False, True]


def test_questions_that_too_few_were_asked_are_named_beside_the_others() -> None:
    """Each person is asked one of three: 15 or so answer each, and 45 the fourth, which is shown."""
    survey = draft(override_by="Tests", override_reason="two blocks")
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 1})
    version = publish(survey)
    answer(version, 45)
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()
    answers = context(version)["parts"][0][1]
    assert {one.part or one.label for one in answers["scale"]} >= {"How old are you?"}
    asked = [answered.text for answered, _figures in answers["questions"]][:3]
    said = "Fewer than 20 people were asked this, too few to report on: it takes about 60 answers."
    assert dict(answers["left_out"])[said][:3] == asked


def test_a_version_without_sealed_responses_says_so() -> None:
    """Nothing is sealed yet."""
    version = publish(draft(override_by="Tests", override_reason="two blocks"))
    assert context(version)["refused"] == "No responses are sealed yet; there is nothing to show."


def test_an_ended_version_that_nobody_answered_says_so() -> None:
    """Nothing is still to come."""
    version = publish(draft(override_by="Tests", override_reason="two blocks"))
    close(version.survey)
    said = "Nobody answered this version before it ended: there is nothing to show."
    assert context(version)["refused"] == said
    with pytest.raises(TableError) as refused:
        releasable(version)
    assert str(refused.value) == said


def test_a_picture_is_a_file_with_title_caption_and_source(client: Client) -> None:
    """On white, with n and the hash of the snapshot, so that it can stand in a paper by itself."""
    version = survey_with_results()
    client.force_login(somebody("view"))
    answer = client.get(reverse("studio:results-picture", args=[version.pk, "answers", "drugs-1"]))
    text = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert "Have you ever used illegal drugs?" in text
    assert "n = 1\u202f500" in text
    assert cite(version.snapshots.get())[:40] in text.replace("</text>", "").replace("\n", "")


def test_a_figure_folds_by_what_the_answers_were_disguised() -> None:
    """The parameters of the question's own block and what the whole design promises; its file has them, too."""
    figures = figures_of_page(survey_with_results())
    assert [figures[name][0].caption for name in ("drugs", "age", "mood")] == [
        "Answers were disguised; the shares are reconstructed. Lines are 95 % intervals. "
        "Shares are of people who were asked. n = 1\u202f500.",
        "Answers were disguised; the shares are reconstructed. "
        "Lines are 95 % intervals. Shares are of people who were asked. n = 1\u202f500.",
        "Undisguised answers. Lines are 95 % intervals. Shares are of people who answered. n = 1\u202f500.",
    ]
    assert [figures[name][0].disguise for name in ("drugs", "age", "mood")] == [
        "p = 0.3, θ = 0.6; γ = 61.6, ε = 4.13",
        "p = 0.7, noise = (0.3333, 0.3333, 0.3333); γ = 61.6, ε = 4.13",
        "",
    ]
    assert "p = 0.3, θ = 0.6; γ = 61.6, ε = 4.13" in document(figures["drugs"][0], "")


@pytest.mark.parametrize(("share", "said"), [(0.03, False), (0.1, True), (0.3, False)])
def test_a_caption_says_how_many_direct_answers_its_figure_leaves_out(share: float, said: bool) -> None:
    """Too few of them gave some answer: the figure is of the disguised, and its reader must know that.

    Where few answered directly at all, nothing says how many.
    """
    version = survey_with_results(direct_share=share)
    direct = int(data_of(version).sealed.direct.sum())
    (figure,) = figures_of_page(version)["drugs"]
    assert (f"{direct} people who answered directly are left out." in figure.caption) == said
    assert ("left out" in figure.caption) == said


@pytest.mark.parametrize(("rows", "svg", "is_open"), [(20, "<svg/>", True), (21, "<svg/>", False), (21, "", True)])
def test_a_long_table_beside_a_picture_is_folded(rows: int, svg: str, is_open: bool) -> None:
    """It would fill twenty screens of a phone."""
    figure = Figure("sets", "Sets", "", svg, Table(("answer", "share"), (("Yes", "5 %"),) * rows))
    page = render_to_string("figures/figure.html", {"figure": figure, "figures": [figure]})

    assert ('<details class="fold" open>' in page) == is_open


@pytest.mark.parametrize("name", ["answers/remark-1", "answers/nothing", "nothing/drugs-1"])
def test_there_is_no_other_picture(client: Client, name: str) -> None:
    """404 for texts, for a name that is none, and for a part that is none."""
    version = survey_with_results(300)
    client.force_login(somebody("view"))
    assert client.get(f"/staff/studio/versions/{version.pk}/results/{name}.svg").status_code == 404


@pytest.mark.parametrize("page", ["results", "results-table"])
def test_the_number_of_queries_does_not_grow_with_parts(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    """Of the report and of a table: one part or three, the same queries."""
    seal_in_parts(monkeypatch, 400)
    user, counts = somebody(), []
    for slug, people in (("one", 400), ("three", 1200)):
        address = reverse(f"studio:{page}", args=[survey_with_results(people, slug=slug).pk])
        user = type(user).objects.get(pk=user.pk)
        counts.append(count_queries(lambda user=user, address=address: visit(user, address).render()))
    assert counts[0] == counts[1]


def test_the_overview_says_why_undisguised_answers_are_missing() -> None:
    """Of 180 people no answer was given by a hundred: each reason stands with the questions it is about."""
    version = survey_with_results(180)
    client = browser_of(somebody())

    page = client.get(reverse("studio:results", args=[version.pk]))

    shown = next(context for part, context, _address in page.context["parts"] if part.key == "answers")
    reasons = dict(shown["left_out"])
    none = (
        "Shares are shown where 100 people or more gave each answer. Fewer gave some answer here, and each share could "
        "tell how many."
    )
    assert "Which faculty are you in?" in reasons[none]
    alike = "Nearly all answers are alike, or each part of them would be of fewer than 100 people."
    assert "Hours of sleep?" in reasons[alike]
    text = page.content.decode()
    assert "–: fewer than 100 people gave this answer, or it could tell how many gave another, or none." in text
    assert text.count("Next time, invite more people who may give such an answer, or offer fewer answers.") == 1


@pytest.mark.parametrize("required", [True, False])
def test_the_reason_of_a_gap_follows_from_the_questionnaire(required: bool) -> None:
    """Where people may give no answer, they are pooled with common answers, and requiring one helps."""
    version = survey_with_results(180)
    data = report.data_of(version)
    display = Shares("faculty", 100, (ShareRow("Arts", None), ShareRow("Law", None)))
    asked = [Answered("faculty", "Faculty?", False, [display])]
    questions = [replace(one, required=required) for one in data.version.parsed.questions]
    parsed = SimpleNamespace(questions=questions)
    view = SimpleNamespace(few=False, least=100, version=SimpleNamespace(parsed=parsed))

    ((why, _questions),) = report._gaps(view, asked)  # type: ignore[arg-type]

    assert ("gave none" in why, "require an answer" in why) == (not required, not required)


def test_the_overview_leads_to_texts_and_says_why_it_counts_no_words() -> None:
    """How many wrote something, where all of it stands, and one sentence on words."""
    version = survey_with_results(800)
    client = browser_of(somebody())

    text = client.get(reverse("studio:results", args=[version.pk])).content.decode()

    assert re.findall(r'<a href="#(q-remark)">', text) == re.findall(r'<h3 id="(q-remark)">', text) == ["q-remark"]
    assert "Words are not counted: the same word may mean opposites" in text


def test_no_page_shows_a_share_below_nothing_and_files_keep_the_raw_one() -> None:
    """A raw estimate of -41.7 % is about 0 %, with the interval of the nearest share."""
    raw = Share(-0.417, 0.3, -1.0, 0.171)
    table = Shares("drugs", 200, (ShareRow("Yes", raw), ShareRow("No", Share(0.5, 0.1, 0.3, 0.7)))).table()

    assert table.rows == (
        ("Yes", "about 0 %", "0.0–30.4 %", "± 30.0"),
        ("No", "50.0 %", "30.0–70.0 %", "± 10.0"),
    )
    assert [line[-1] for line in table.with_raw] == ["raw estimate", "−41.7 %", "50.0 %"]
