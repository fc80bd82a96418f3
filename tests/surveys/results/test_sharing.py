"""Links to a report: what was chosen and nothing else, for as long as they last, to nobody who guesses."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.domain.closed.erase import erase
from surveys.models import Phrase, SharedReport, Survey, SurveyVersion
from surveys.results import sharing
from surveys.results.words import words_of
from tests.clocks import stop_windows
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody, visit


def share_report(version: SurveyVersion, *parts: str) -> tuple[SharedReport, str]:
    return sharing.share(version, "Colleague", parts or ("answers",), 30, somebody())


def test_a_link_shows_what_was_chosen_and_nothing_else(client: Client) -> None:
    """A table alone: no answers, no link into the administration, no working title."""
    version = survey_with_results()
    _shared, token = share_report(version, "table.drugs.cheating")
    page = client.get(f"/r/{token}/").content.decode()
    assert "These answers are associated" in page
    assert "How common it is" not in page
    assert "/staff/admin/" not in page
    assert client.get(f"/r/{token}/table.drugs.cheating/table.svg").status_code == 200
    others = ("answers/drugs-1", "table.drugs.theft/table", "versions/drugs")
    assert [client.get(f"/r/{token}/{name}.svg").status_code for name in others] == [404] * 3


def test_a_shared_page_is_kept_by_nobody(client: Client) -> None:
    """Not indexed, not stored, no referrer, no cookie."""
    _shared, token = share_report(survey_with_results(300))
    answer = client.get(f"/r/{token}/")
    assert {name: answer[name] for name in ("Referrer-Policy", "X-Robots-Tag", "Cache-Control")} == {
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex, nofollow, noarchive",
        "Cache-Control": "no-store",
    }
    assert not answer.cookies


@pytest.mark.parametrize("address", ["r/guessed/", "r/{token}/answers/none.svg", "r/guessed/answers/drugs-1.svg"])
def test_a_link_that_opens_nothing_has_the_headers_of_a_good_one(client: Client, address: str) -> None:
    """A good link that was cut short is kept, listed and shown to others as little as the whole one."""
    _shared, token = share_report(survey_with_results(300))
    good, wrong = client.get(f"/r/{token}/"), client.get("/" + address.format(token=token))
    assert (wrong.status_code, wrong.headers.keys()) == (404, good.headers.keys())
    length = {"Content-Length"}
    assert {name: wrong[name] for name in wrong.headers.keys() - length} == {
        name: good[name] for name in good.headers.keys() - length
    }


def test_the_database_holds_no_token() -> None:
    """A hash of it alone."""
    made, token = share_report(survey_with_results(300))
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM surveys_sharedreport")
        row = repr([bytes(each) if isinstance(each, memoryview) else each for each in cursor.fetchone()])
    assert token not in row
    assert len(bytes(SharedReport.objects.get(pk=made.pk).token)) == 32


def test_links_that_open_nothing_are_all_answered_alike(client: Client) -> None:
    """One that was guessed, one that has ended, one that was taken back, one of a survey that is being erased."""
    version, user = survey_with_results(300), somebody()
    (ended, first), (back, second), (_still, third) = (
        sharing.share(version, "Colleague", ["answers"], 30, user) for _ in range(3)
    )
    SharedReport.objects.filter(pk=ended.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    sharing.revoke(back)
    answers = [client.get(f"/r/{token}/") for token in ("guessed", first, second)]
    Survey.objects.update(erasing_since=timezone.now())
    answers.append(client.get(f"/r/{third}/"))
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({answer.content for answer in answers}) == 1


def test_while_a_version_collects_a_shared_report_tells_of_the_disguised_alone(client: Client) -> None:
    """The gate is that of all pages."""
    _shared, token = share_report(survey_with_results(closed=False))
    page = client.get(f"/r/{token}/").content.decode()
    assert "only disguised answers are counted" in page
    assert "remark of" not in page


@pytest.mark.usefixtures("broker")
def test_one_network_reads_so_many_pages_only(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then 429, for good links and bad ones."""
    cache.clear()
    stop_windows(monkeypatch)
    monkeypatch.setattr("surveys.shared_report.READ", 2)
    _shared, token = share_report(survey_with_results(300))
    answers = [client.get(f"/r/{name}/", REMOTE_ADDR="192.0.2.7") for name in ("guess", token, token)]
    cache.clear()
    assert [answer.status_code for answer in answers] == [404, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def share_page(version: SurveyVersion, user: User, data: dict[str, Any] | None = None) -> Any:
    return visit(user, reverse("studio:results-share", args=[version.pk]), data)


def test_a_link_is_made_shown_once_and_taken_back(client: Client) -> None:
    """Its address stands on the page that made it, and on no later one."""
    version, user = survey_with_results(300), somebody("change")
    made = share_page(version, user, {"label": "Ann", "days": "7", "parts": ["answers"]}).context_data
    path = made["link"].removeprefix("http://testserver")
    assert client.get(path).status_code == 200
    assert "link" not in share_page(version, user).context_data
    share_page(version, user, {"revoke": str(SharedReport.objects.get().pk)})
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"label": ""}, "label"), ({"days": "367"}, "days"), ({"days": "0"}, "days"), ({"parts": ["secrets"]}, "parts")],
)
def test_a_link_that_makes_no_sense_is_refused_at_its_field(changes: dict[str, Any], field: str) -> None:
    """And none is made."""
    version = survey_with_results(300)
    page = share_page(version, somebody("change"), {"label": "Ann", "days": "7", "parts": ["answers"], **changes})
    assert list(page.context_data["form"].errors) == [field]
    assert not SharedReport.objects.exists()


@pytest.mark.parametrize("key", ["pairs", "together-all", "secrets"])
def test_what_no_page_offers_to_share_is_not_shared(client: Client, key: str) -> None:
    """The address can add tables and what else is asked for, and not all pairs: a reviewer may have rejected some."""
    version, user = survey_with_results(300), somebody("change")
    address = f"{reverse('studio:results-share', args=[version.pk])}?part={key}"
    offered = [choice for choice, _title in visit(user, address).context_data["form"].fields["parts"].choices]
    page = visit(user, address, {"label": "Ann", "days": "7", "parts": [key]})

    assert offered == ["answers", "together", "cannot", "trust"]
    assert list(page.context_data["form"].errors) == ["parts"]
    assert not SharedReport.objects.exists()


def test_a_report_is_seen_as_a_reader_does_before_it_has_a_reader(client: Client) -> None:
    """For whom and until when is asked of a link alone; browsers do not hold the form back."""
    version, looked = survey_with_results(300), {"label": "", "days": "", "parts": ["answers"], "look": "1"}
    client.force_login(somebody("change"))
    address = reverse("studio:results-share", args=[version.pk])
    page, offered = client.post(address, looked), client.get(address).content.decode()

    assert (page.status_code, "form" in page.context) == (200, False)
    assert ["formnovalidate" in one for one in re.findall("<button[^>]*look[^>]*>", offered)] == [True]
    assert not SharedReport.objects.exists()


def test_words_of_the_report_are_kept_in_each_language() -> None:
    """The question says what is left empty."""
    version = survey_with_results(300)
    url = reverse("studio:results-words", args=[version.pk])
    visit(somebody("change"), url, {"drugs:1:en": " used drugs ", "drugs:1:zh-hans": "使用过毒品"})
    assert Phrase.objects.get(item="drugs", value="1").words == {"en": "used drugs", "zh-hans": "使用过毒品"}
    english, chinese = words_of(version, "en"), words_of(version, "zh-hans")
    assert english.phrase("drugs") == "used drugs"
    assert english.phrase("!drugs") == "answered “No” to “Have you ever used illegal drugs?”"
    assert english.phrase("age=30-49") == "answered “30-49” to “How old are you?”"
    assert chinese.phrase("drugs") == "使用过毒品"
    assert english.join(["drugs", "cheating"]).startswith("used drugs and answered “Yes”")


def test_words_are_a_tab_for_those_who_may_take_files() -> None:
    """Lit as their own, and not as sharing."""
    version = survey_with_results(300)
    url = reverse("studio:results-words", args=[version.pk])

    page = visit(somebody("change"), url)
    viewer = visit(somebody("view"), reverse("studio:results", args=[version.pk]))

    assert [tab.label for tab in page.context_data["tabs"] if tab.here] == ["Words"]
    assert "Words" not in [tab.label for tab in viewer.context_data["tabs"]]


def test_an_erased_survey_takes_its_links_and_words_along(client: Client) -> None:
    """Nothing of them stays."""
    version = survey_with_results(300)
    _shared, token = share_report(version)
    Phrase.objects.create(survey=version.survey, item="drugs", value="1", words={"en": "used drugs"})
    erase(version.survey)
    assert (SharedReport.objects.count(), Phrase.objects.count()) == (0, 0)
    assert client.get(f"/r/{token}/").status_code == 404
