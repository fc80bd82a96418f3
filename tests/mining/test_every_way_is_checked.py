"""Every way to mine a snapshot refuses the same request: none goes round what the others check."""

from collections.abc import Callable
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.signin import tokens
from mining import child
from mining.domain.checks import check_request
from mining.domain.claim import claim
from mining.domain.request import request_run
from mining.domain.result import mine_snapshot
from mining.engines.request import MiningRequest
from mining.models import MiningResult, MiningRun
from privacy.errors import InputError
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from tests.cases import every
from tests.mining.surveys import sealed_places, sealed_survey

REQUEST = MiningRequest(0.1, 0.5, bins="home=zones")
ASKED = {name: getattr(REQUEST, name) for name in MiningRequest.STORED}
REFUSALS = {
    "collecting": (200, {}, "reported after this version is closed and its last response is sealed."),
    "few outside": (37, {"closed_at": "2026-01-01T00:00Z"}, "fewer than 100 people are outside the zones of 'home'"),
}


def _page(survey: Survey) -> str:
    client = Client()
    client.force_login(User.objects.create_superuser("staff"))
    page = client.post(reverse("mining_start", args=[survey.pk]), {**ASKED, "negated": ""})
    return " ".join(map(str, page.context["form"].errors["bins"]))


def _api(survey: Survey) -> str:
    token = tokens.make(User.objects.create_superuser("staff"), "tests", ("read", "run"), 30)[1]
    body = {name: ASKED[name] for name in ("min_support", "min_confidence", "bins")}
    path, headers = f"/api/surveys/{survey.slug}/runs", {"Authorization": f"Bearer {token}"}
    return Client().post(path, body, content_type="application/json", headers=headers).json()["detail"]


def _library(survey: Survey) -> str:
    with pytest.raises(InputError) as refused:
        request_run(survey, REQUEST)
    return str(refused.value)


def _mining(survey: Survey) -> str:
    with pytest.raises(InputError) as refused:
        mine_snapshot(latest(survey), REQUEST)
    return str(refused.value)


def _worker(survey: Survey) -> str:
    run = MiningRun.objects.create(snapshot=latest(survey), requested_at=timezone.now(), **ASKED)
    token = claim(run.pk)
    assert token
    child._mine(run.pk, token)
    run.refresh_from_db()
    return run.reason


WAYS = {"page": _page, "API": _api, "request": _library, "mining": _mining, "worker": _worker}


@pytest.mark.parametrize(("way", "case"), every(4, product(WAYS, REFUSALS)))
def test_undisguised_places_are_refused_on_every_way(way: str, case: str) -> None:
    """Places outside zones are sent as they are: they wait for the end, and for a crowd."""
    outside, closed, said = REFUSALS[case]
    ask: Callable[[Survey], str] = WAYS[way]

    assert said in ask(sealed_places(outside, **closed))
    assert not MiningResult.objects.exists()


def test_a_request_for_fewer_people_than_the_survey_says_is_one_for_as_many() -> None:
    """The survey's minimum stands where a request names a smaller one."""
    snapshot = latest(sealed_survey(2000, least=100))

    assert check_request(snapshot, MiningRequest(0.1, 0.4, least=1)).least == 100
