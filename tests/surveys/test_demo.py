"""The demo surveys are simulated, say so, and are made once."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from privacy.design.notation import DECIMAL
from privacy.guarantee import gamma
from surveys.domain.closed.erase import erase
from surveys.domain.demo import surveys as demo
from surveys.domain.demo.people import SURVEYS
from surveys.domain.questionnaire.guess import Guess
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.questionnaire.promise import Protection
from surveys.domain.responses.snapshots import latest, records
from surveys.models import DemoTruth, Inbox, Snapshot, Survey
from surveys.results.answers import answers
from surveys.results.report import data_of
from tests.servers import ROOT

GUIDES = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
DEMOS = r"[Dd]emo(?: surveys)? (\*[^*]+\*(?: and \*[^*]+\*)?)"  # demo *one*, demo surveys *one* and *other*


def test_the_demo_is_the_setting_of_the_paper() -> None:
    """Three questions, p = .3, θ = .6, 10 000 respondents of whom a fifth answer directly; γ ≈ 7.7."""
    call_command("load_demo", verbosity=0)
    snapshot = latest(Survey.objects.get(slug="demo"))
    assert snapshot is not None
    sealed = records(snapshot)
    assert (len(sealed), sealed.direct.sum(), sealed.codes.shape[1]) == (10_000, 2_000, 3)
    assert float(gamma(snapshot.version.design)) == pytest.approx(7.6964, abs=1e-3)


def test_the_words_of_a_demo_leave_room_for_begin() -> None:
    """Why, who and consent have 210 letters at most, so that Begin is within 1.3 screens of a phone."""
    for survey in SURVEYS.values():
        document = demo._document_of_demo(survey)
        assert sum(len(document[name]["en"]) for name in ("why", "who", "consent")) <= 210


def test_loading_again_changes_nothing() -> None:
    """A second load leaves every row as it was."""
    call_command("load_demo", verbosity=0)
    before = list(Snapshot.objects.values())
    call_command("load_demo", verbosity=0)
    assert list(Snapshot.objects.values()) == before
    assert (Survey.objects.count(), Inbox.objects.count(), DemoTruth.objects.count()) == (5, 0, 5)


def test_an_erased_demo_stays_erased(settings: Any, tmp_path: Path) -> None:
    """Also where the next start finds no account, and makes the first one again; the command brings it back."""
    settings.CANDOR_DATA, settings.DEMO = tmp_path, True
    call_command("prepare", stdout=StringIO())
    erase(Survey.objects.get(slug="demo-ten"))
    left = {"demo", "demo-prefer", "demo-ten-coin", "demo-town"}
    for _ in range(2):
        call_command("prepare", stdout=StringIO())
        assert set(Survey.objects.values_list("slug", flat=True)) == left
        User.objects.all().delete()
    call_command("load_demo", verbosity=0)
    assert set(Survey.objects.values_list("slug", flat=True)) == left | {"demo-ten"}


def test_the_demo_says_in_both_languages_that_it_is_simulated() -> None:
    """Title and definition carry the label."""
    call_command("load_demo", verbosity=0)
    for survey in Survey.objects.all():
        source = survey.versions.get().parsed.source
        assert source["simulated"] is True
        assert "simulated" in source["title"]["en"]
        assert "模拟" in source["title"]["zh-hans"]


@pytest.mark.parametrize(("slug", "error"), [("demo-ten", 0.0156), ("demo-ten-coin", 0.289)])
def test_ten_questions_are_asked_with_one_promise_in_two_ways(slug: str, error: float) -> None:
    """γ is at most 19 both times; the expected error of one share is the one that the pages name."""
    call_command("load_demo", verbosity=0)
    version = Survey.objects.get(slug=slug).versions.get()
    assert len(version.design.items) == 10
    assert 18.9 < float(gamma(version.design)) <= 19
    promise = Protection(version.design, demo.RESPONDENTS, minimum_of_version(version), 0.0, Guess())
    assert promise.whole.standard_errors[0] == pytest.approx(error, rel=0.01)


def test_the_same_people_answer_both_surveys_of_ten() -> None:
    """The truth behind the two is one table, so that every difference comes from the disguise."""
    call_command("load_demo", verbosity=0)
    flips, coin = (demo.truth(Survey.objects.get(slug=slug).versions.get()) for slug in ("demo-ten", "demo-ten-coin"))
    np.testing.assert_array_equal(flips, coin)


def test_one_demo_lets_people_prefer_not_to_say() -> None:
    """A third option of every question, under the site's limit; who took it differs from who would have said yes."""
    call_command("load_demo", verbosity=0)
    plain, skipping = (Survey.objects.get(slug=slug).versions.get() for slug in ("demo", "demo-prefer"))
    assert [item.options for item in skipping.design.items] == [("1", "0", "secret")] * 3
    assert 18 < float(gamma(skipping.design)) <= 19
    forced, free = demo.truth(plain), demo.truth(skipping)
    assert forced is not None
    assert free is not None
    assert (len(free), set(np.unique(free))) == (10_000, {0, 1, 2})
    yes = (free == 0).mean(axis=0) / forced.mean(axis=0)
    np.testing.assert_allclose(yes, 0.75, atol=0.05)


def test_one_demo_asks_for_a_number_and_a_place() -> None:
    """Under the site's limit, with two sensitive zones, to 10 000 people who live outside them for the most part."""
    call_command("load_demo", verbosity=0)
    version = Survey.objects.get(slug="demo-town").versions.get()
    number, place = version.design.blocks
    assert 18 < float(version.design.odds) <= 19
    assert (number.entry(DECIMAL)["number"], len(place.figures["merged"])) == ("square-wave", 2)
    people = demo.truth(version)
    assert people is not None
    assert 0.7 < place.certain(people[:, [1]]).mean() < 0.9


def test_what_is_told_beside_the_truth_is_what_was_sent() -> None:
    """The reports that are paired with true answers are those that were sealed, in another order."""
    call_command("load_demo", verbosity=0)
    for survey in Survey.objects.filter(slug__in=("demo", "demo-town")):
        version = survey.versions.get()
        pairs = demo.truth_and_reports(version)
        assert pairs is not None
        sealed = records(version.snapshots.get())
        np.testing.assert_array_equal(np.sort(pairs[1], axis=0), np.sort(sealed.codes, axis=0))


@pytest.mark.long
def test_a_report_tells_the_actual_error_beside_the_expected_one() -> None:
    """Of the people of the demo: the root of their mean squared distance, and the mean of their numbers."""
    call_command("load_demo", verbosity=0)
    version = Survey.objects.get(slug="demo-town").versions.get()
    people, sent = demo.truth_and_reports(version) or (None, None)
    apart = [np.array(np.divmod(codes[:, 1].astype(float), 48)) for codes in (people, sent)]
    actual = 100 * np.sqrt(((apart[0] - apart[1]) ** 2).sum(axis=0).mean())

    drinks, home = answers(data_of(version), "en")

    assert f"{round(actual, -1):.0f} away from theirs" in home.displays[0].said
    assert "1460 away from true ones (root mean square)" in home.displays[0].said
    first = version.design.items[0].grid.firsts[0]
    assert f"have a mean of {people[:, 0].mean() - first:.1f}" in drinks.displays[0].said


def test_a_demo_has_one_name_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Readme, guides, front page, studio and command say what the questionnaire is called."""
    call_command("load_demo")
    printed = capsys.readouterr()
    titles = [survey.versions.get().parsed.source["title"]["en"] for survey in Survey.objects.order_by("pk")]
    names = [title.removesuffix(" (simulated)") for title in titles]
    readme, *guides = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", *GUIDES))
    in_readme = re.findall(r"\*(Demo: [^*]+)\*", readme)
    in_guides = [
        name for text in guides for part in re.findall(DEMOS, text) for name in re.findall(r"\*([^*]+)\*", part)
    ]
    on_page = re.findall(r'href="/s/demo[^"]*">(Demo[^<]+)<', Client().get("/").content.decode())

    assert (sorted(on_page), list(Survey.objects.order_by("pk").values_list("title", flat=True))) == (
        sorted(titles),
        titles,
    )
    assert {line.rpartition(" Demo: ")[2] for line in (printed.out + printed.err).splitlines() if "/s/" in line} == {
        title.removeprefix("Demo: ") for title in titles
    }
    assert (in_readme[0], set(in_readme) - set(names)) == (on_page[0].removesuffix(" (simulated)"), set())
    assert (len(in_guides) > 2, {f"Demo: {name}" for name in in_guides} - set(names)) == (True, set())
