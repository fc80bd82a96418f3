"""Who may do what: every operation by every role."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.api.operation import SCOPES, Operation
from config.api.table import OPERATIONS
from config.models import ApiToken
from config.signin import tokens
from mining.domain.request import request_run
from mining.engines.request import Request
from surveys.domain.messages.invite import add_batch
from surveys.models import Survey
from tests.config.api.conftest import caller, person, read, token_of
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db

BODIES = {
    "publishVersion": {},
    "addBatch": {"label": "another", "count": 2},
    "startRun": {"min_support": 0.1, "min_confidence": 0.5},
}


@pytest.fixture
def address() -> dict[str, str]:
    """A survey with everything that an address can name."""
    survey = survey_with_results(200, closed=False).survey
    Survey.objects.filter(pk=survey.pk).update(access="invitation")
    survey.refresh_from_db()
    batch = add_batch(survey, "class", 2)
    run = request_run(survey, Request(0.2, 0.5))
    return {"survey": "study", "number": "1", "file": "records.csv", "batch": str(batch.pk), "run": str(run.pk)}


def status(operation: Operation, token: str, address: dict[str, str]) -> int:
    query = "?pattern=drugs" if operation.name == "getShares" else ""
    named = address | ({"file": "rules.csv"} if operation.name == "getFindings" else {})
    path = operation.path.format(**named) + query
    response = caller(token)(operation.method, path, BODIES.get(operation.name))
    read(response)
    return response.status_code


def test_every_operation_asks_for_its_scope_and_its_permission(address: dict[str, str]) -> None:
    """No token, a foreign one, one without the scope, a person without the permission, one with just what is needed."""
    every = {"surveys.view_survey", "surveys.change_survey", "mining.view_miningrun", "mining.add_miningrun"}
    for operation in OPERATIONS:
        name = operation.name
        others = [scope for scope in SCOPES if scope != operation.scope]
        needed = {operation.permission, *operation.also}
        weak = token_of(person(f"weak-{name}", *(every - {operation.permission})), operation.scope)
        right = token_of(person(f"right-{name}", *needed), operation.scope)
        found = [
            status(operation, token, address)
            for token in ("", "candor_guessed", token_of(person(f"narrow-{name}"), *others), weak)
        ]
        assert (name, found) == (name, [401, 401, 403, 403])
        assert (name, status(operation, right, address) in (200, 201, 409)) == (name, True)


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}])
def test_a_token_ends_with_the_rights_of_its_person(change: dict[str, bool]) -> None:
    user = person("leaver")
    ask = caller(token_of(user))
    assert ask("GET", "/surveys").status_code == 200
    User.objects.filter(pk=user.pk).update(**change)
    assert ask("GET", "/surveys").status_code == 401


def test_a_token_expires_and_can_be_ended() -> None:
    user, other = person("owner"), person("other")
    token, text = tokens.make(user, "script", ["read"], 30)
    ask = caller(text)
    assert not tokens.end(other, token.pk)
    assert ask("GET", "/surveys").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert ask("GET", "/surveys").status_code == 401
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    assert tokens.end(user, token.pk)
    assert ask("GET", "/surveys").status_code == 401


def test_only_the_hash_of_a_token_is_kept() -> None:
    """And the day of its last use, no time."""
    user = person("owner")
    token, text = tokens.make(user, "script", ["read"], 10_000)
    caller(text)("GET", "/surveys")
    token.refresh_from_db()
    assert text not in str(vars(token))
    assert token.used_on == timezone.localdate()
    assert token.expires_at < timezone.now() + timedelta(days=tokens.LONGEST_DAYS + 1)


def test_a_session_gives_no_right_here() -> None:
    """No cookie is read: another site's page can do nothing in a person's name."""
    client = Client()
    client.force_login(person("signed-in"))
    assert client.get("/api/surveys").status_code == 401


PASSWORD = "a long one for tests"


def test_a_token_is_made_shown_once_and_ended_on_the_page() -> None:
    """After confirming that it is oneself."""
    user = User.objects.create_superuser("maker", password=PASSWORD)
    client = Client()
    client.force_login(user)
    url = "/admin/account/tokens/"
    assert client.get(url)["Location"].startswith("/admin/account/confirm/")
    client.post("/admin/account/confirm/", {"password": PASSWORD})
    made = client.post(url, {"name": "script", "scopes": ["read", "run"], "days": "30"})
    text = made.context_data["made"]
    assert text in made.content.decode()
    assert text not in client.get(url).content.decode()
    assert caller(text)("GET", "/surveys").status_code == 200
    token = ApiToken.objects.get()
    assert (token.scopes, token.user) == (["read", "run"], user)
    client.post(url, {"end": str(token.pk)})
    assert caller(text)("GET", "/surveys").status_code == 401


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "0"}, {"days": "367"}, {"end": "x"}]
)
def test_a_token_that_makes_no_sense_is_not_made(wrong: dict[str, object]) -> None:
    user = User.objects.create_superuser("maker", password=PASSWORD)
    client = Client()
    client.force_login(user)
    client.post("/admin/account/confirm/", {"password": PASSWORD})
    sent = {"name": "script", "scopes": ["read"], "days": "30"} | wrong
    client.post("/admin/account/tokens/", {**sent, **({"name": ""} if "end" in wrong else {})})
    assert not ApiToken.objects.exists()
