"""What machines ask every site for, and addresses that Django would add."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from surveys.domain.questionnaire.publish import publish
from tests.surveys.making import make_survey


def test_search_engines_are_kept_out_of_the_pages_of_staff(client: Client) -> None:
    """Nothing else is listed: an engine has to read a survey's page to see that it wants no listing."""
    assert client.get("/robots.txt").content.decode() == "User-agent: *\nDisallow: /staff/\n"


@pytest.mark.parametrize("address", ["", "questionnaire", "poster/", "receipts/none"])
def test_nothing_of_a_survey_is_listed(client: Client, address: str) -> None:
    """The page, the questionnaire, the poster and every answer to the page say so in their headers."""
    publish(make_survey())
    assert client.get(f"/s/study/{address}")["X-Robots-Tag"] == "noindex"


def test_whom_to_tell_of_a_weakness_is_said_as_rfc_9116_asks(client: Client, settings: Settings) -> None:
    """The contact of the operator, and a day after which the file is to be read again."""
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")
    contact, expires = answer.content.decode().splitlines()
    left = datetime.fromisoformat(expires.removeprefix("Expires: ")) - timezone.now()
    assert (answer["Content-Type"], contact) == ("text/plain; charset=utf-8", "Contact: mailto:security@example.org")
    assert timedelta(days=29) < left <= timedelta(days=30)


def test_where_nobody_is_named_there_is_no_such_file(client: Client, settings: Settings) -> None:
    """Nothing false is said."""
    settings.SECURITY_CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("address", ["/staff/admin/r/1/1/", "/staff/admin/r/999/1/", "/staff/admin/r/x/y/"])
def test_no_object_of_the_administration_has_a_page_on_the_site(admin_client: Client, address: str) -> None:
    """Django's redirect to such a page is no address here."""
    assert admin_client.get(address).status_code == 404
