"""The demo surveys are simulated, say so, and are made once."""

import numpy as np
import pytest
from django.core.management import call_command

from privacy.guarantee import gamma
from surveys.domain.demo import surveys as demo
from surveys.domain.questionnaire.protection import frozen
from surveys.domain.responses.snapshots import latest, records
from surveys.models import DemoTruth, Inbox, Snapshot, Survey

pytestmark = pytest.mark.django_db


def test_the_demo_is_the_setting_of_the_paper() -> None:
    """Three questions, p = .3, θ = .6, 10 000 respondents of whom a fifth answer directly; γ ≈ 7.7."""
    call_command("load_demo", verbosity=0)
    snapshot = latest(Survey.objects.get(slug="demo"))
    assert snapshot is not None
    sealed = records(snapshot)
    assert (len(sealed), sealed.direct.sum(), sealed.codes.shape[1]) == (10_000, 2_000, 3)
    assert float(gamma(snapshot.version.design)) == pytest.approx(7.6964, abs=1e-3)


def test_what_is_stored_is_disguised_and_the_truth_stands_beside_it() -> None:
    """The mean of each column is the truth drawn towards θ, within four standard errors."""
    call_command("load_demo", verbosity=0)
    version = Survey.objects.get(slug="demo").versions.get()
    truth, sealed = demo.truth(version), records(version.snapshots.get())
    assert truth is not None
    disguised = sealed.codes[~sealed.direct].mean(axis=0)
    expected = 0.3 * truth.mean(axis=0) + 0.7 * 0.6
    assert np.abs(disguised - expected).max() < 4 * np.sqrt(0.25 / 8_000) + 4 * 0.3 * np.sqrt(0.25 / 10_000)


def test_loading_again_changes_nothing() -> None:
    """A second load leaves every row as it was."""
    call_command("load_demo", verbosity=0)
    before = list(Snapshot.objects.values())
    call_command("load_demo", verbosity=0)
    assert list(Snapshot.objects.values()) == before
    assert (Survey.objects.count(), Inbox.objects.count(), DemoTruth.objects.count()) == (4, 0, 4)


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
    assert frozen(version.design, demo.RESPONDENTS).whole.standard_errors[0] == pytest.approx(error, rel=0.01)


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


def test_a_survey_of_real_people_has_no_truth() -> None:
    """Asking for it returns nothing."""
    call_command("load_demo", verbosity=0)
    DemoTruth.objects.all().delete()
    assert demo.truth(Survey.objects.get(slug="demo").versions.get()) is None
