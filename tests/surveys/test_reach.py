"""Before a link is given that not everybody can open, it is said."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.domain.questionnaire.publish import publish
from surveys.models import Invitation
from surveys.reach import Audience, reach_of
from tests.config.api.conftest import caller, person, token_of
from tests.surveys.making import make_survey
from tests.surveys.results.making import survey_with_results

ONLY_HERE = "This address works only on this computer."
ONLY_NEAR = "This address works only in your network."


@pytest.fixture(autouse=True)
def _every_host(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]


def client_at(host: str) -> Client:
    user = User.objects.filter(username="all").first() or User.objects.create_superuser("all", password="right")
    client = Client(headers={"host": host})
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": "right"})
    return client


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        ("localhost", Audience.MACHINE),
        ("LOCALHOST.:8000", Audience.MACHINE),
        ("candor.localhost:8000", Audience.MACHINE),
        ("127.0.0.1:8000", Audience.MACHINE),
        ("127.1.2.3", Audience.MACHINE),
        ("[::1]:8000", Audience.MACHINE),
        ("[::1]", Audience.MACHINE),
        ("[::ffff:127.0.0.1]:80", Audience.MACHINE),
        ("0.0.0.0:8000", Audience.MACHINE),
        ("10.1.2.3:8000", Audience.NETWORK),
        ("192.168.0.7", Audience.NETWORK),
        ("172.16.0.1", Audience.NETWORK),
        ("169.254.3.4", Audience.NETWORK),
        ("[fd00::1]:8000", Audience.NETWORK),
        ("[fe80::1]", Audience.NETWORK),
        ("office.local", Audience.NETWORK),
        ("survey.home.arpa", Audience.NETWORK),
        ("survey.example.org", Audience.EVERYBODY),
        ("localhost.example.org:8000", Audience.EVERYBODY),
        ("8.8.8.8", Audience.EVERYBODY),
        ("172.32.0.1", Audience.EVERYBODY),
        ("[2606:4700::1111]", Audience.EVERYBODY),
    ],
)
def test_the_address_says_who_can_open_a_link(host: str, reach: Audience) -> None:
    """Loopback addresses are this computer, private ones the network; every other name is for everybody."""
    assert reach_of(host) is reach


@pytest.mark.parametrize(
    ("host", "warned"),
    [("localhost:8000", (True, False)), ("10.1.2.3", (False, True)), ("survey.example.org", (False, False))],
)
def test_every_page_that_gives_a_link_warns_first(host: str, warned: tuple[bool, bool]) -> None:
    """Field, the poster, links to a report and invitations of people: on this computer, in a network, nowhere else."""
    version = survey_with_results(300, closed=False)
    pages = (
        reverse("studio:fieldwork", args=[version.survey_id]),
        reverse("studio:results-share", args=[version.pk]),
        reverse("people"),
        "/s/study/poster/",
    )
    said = [client_at(host).get(one).content.decode() for one in pages]
    assert [(ONLY_HERE in page, ONLY_NEAR in page) for page in said] == [warned] * 4
    assert ("/staff/help/deploy/?from=/staff/studio/" in said[0]) == any(warned)


def test_field_offers_no_copy_and_no_poster_of_a_link_for_this_computer() -> None:
    """The link itself can be tried; in a network all of it is offered."""
    address = reverse("studio:fieldwork", args=[publish(make_survey()).survey_id])
    offered = {}
    for host in ("localhost:8000", "10.1.2.3"):
        page = client_at(host).get(address).content.decode()
        offered[host] = [f"http://{host}/s/study/" in page, "copy.js" in page, "poster/" in page, "dots" in page]
    assert offered["localhost:8000"] == [True, False, False, False]
    assert offered["10.1.2.3"] == [True] * 4


def test_invitations_for_this_computer_are_made_on_request_alone() -> None:
    """Their file is the only one, so nobody gets it without having agreed; at another address nobody is asked."""
    survey = publish(make_survey(access="invitation")).survey
    address = reverse("studio:invite", args=[survey.pk])
    refused = client_at("localhost").post(address, {"label": "one", "count": "2"})

    assert (refused.status_code, Invitation.objects.count()) == (422, 0)
    assert "Nobody else could open these links" in refused.content.decode()
    agreed = client_at("localhost").post(address, {"label": "one", "count": "2", "anyway": "on"})
    assert agreed.content.count(b"http://localhost/s/study/") == 2
    elsewhere = client_at("survey.example.org").post(address, {"label": "two", "count": "2"})
    assert elsewhere.content.count(b"http://survey.example.org/s/study/") == 2


def test_the_api_gives_links_for_this_computer_on_request_alone() -> None:
    """A refused batch keeps its links: they can be drawn at the right address."""
    publish(make_survey(access="invitation"))
    ask = caller(token_of(person("program")))
    batch = ask("POST", "/surveys/study/invitations", {"label": "class", "count": 2}).json()["id"]
    path = f"/surveys/study/invitations/{batch}/links"
    refused = ask("POST", path, Host="localhost:8000")

    assert (refused.status_code, Invitation.objects.count()) == (409, 0)
    assert "localhost:8000, which only this computer opens" in refused.json()["detail"]
    agreed = ask("POST", f"{path}?anyway=yes", Host="localhost:8000").json()["links"]
    assert [link.partition("#")[0] for link in agreed] == ["http://localhost:8000/s/study/"] * 2
