"""Who may do what: every operation by every role."""

import json
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.api.document import OPERATIONS
from config.api.operation import SCOPES
from config.models import ApiToken
from config.signin import tokens
from surveys.domain.people.roles import MAY, Action, Role, give
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.cases import first
from tests.clocks import stop_days
from tests.config.api.conftest import caller, person, status, token_of
from tests.surveys.making import make_survey

LISTS = ("listSurveys", "listRuns")
PERMISSIONS = (
    (("surveys.view_survey",), {Action.SEE}),
    (("surveys.change_survey",), {Action.SEE, Action.PUBLISH, Action.TAKE}),
    (("mining.view_miningrun",), {Action.FINDINGS}),
    (
        ("surveys.view_survey", "mining.view_miningrun", "mining.add_miningrun"),
        {Action.SEE, Action.FINDINGS, Action.MINE},
    ),
)


def test_every_operation_asks_for_its_scope(address: dict[str, str]) -> None:
    """No token, a guessed one, one without the scope."""
    for operation in OPERATIONS:
        others = [scope for scope in SCOPES if scope != operation.scope]
        narrow = token_of(person(f"narrow-{operation.name}"), *others)
        statuses = [status(operation, token, address) for token in ("", f"candor_{operation.name}", narrow)]
        assert (operation.name, statuses) == (operation.name, [401, 401, 403])


@pytest.mark.parametrize("role", first(2, [*MAY, "stranger"]))
def test_a_token_acts_with_the_role_of_its_person_in_the_survey(address: dict[str, str], role: str) -> None:
    """Every operation by every role; to who may not see the survey, as strangers and clerks, there is none."""
    user = person(role, "surveys.add_survey")
    if role in MAY:
        give(Survey.objects.get(slug="study"), user, role)
    actions = MAY.get(role, set())
    for operation in OPERATIONS:
        answered = status(operation, token_of(user, operation.scope), address)
        if operation.name in LISTS:
            assert (operation.name, answered) == (operation.name, 200)
        elif Action.SEE not in actions:
            assert (operation.name, answered) == (operation.name, 404)
        elif set(operation.actions) <= actions:
            assert (operation.name, answered in (200, 201, 409)) == (operation.name, True)
        else:
            assert (operation.name, answered) == (operation.name, 403)


def test_lists_hold_what_a_person_may_see(address: dict[str, str]) -> None:
    """A member of one survey sees that one and its runs; a stranger nothing."""
    publish(make_survey("other", heading={"en": "Other"}))
    member, stranger = person("member", "surveys.add_survey"), person("stranger", "surveys.add_survey")
    give(Survey.objects.get(slug="study"), member, Role.VIEWER)
    seen = {}
    for user in (member, stranger):
        ask = caller(token_of(user))
        items = [json.loads(ask("GET", path).content)["items"] for path in ("/surveys", "/runs")]
        seen[user.username] = [[item.get("name") or item["survey"] for item in page] for page in items]
    assert seen == {"member": [["study"], ["study"]], "stranger": [[], []]}


@pytest.mark.parametrize(("held", "rights"), first(1, PERMISSIONS))
def test_permissions_for_all_surveys_mean_what_they_meant(
    address: dict[str, str], held: tuple[str, ...], rights: set[Action]
) -> None:
    """What they do not allow is refused; where they do not let the survey be seen, there is none."""
    user = person("permitted", *held)
    for operation in OPERATIONS:
        answered = status(operation, token_of(user, operation.scope), address)
        needed = {*operation.actions} | ({Action.SEE} if "{survey}" in operation.path else set())
        right = (200, 201, 409) if needed <= rights or operation.name in LISTS else (403, 404)
        assert (operation.name, answered in right) == (operation.name, True)


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


def test_only_the_hash_of_a_token_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the day of its last use, no time."""
    stop_days(monkeypatch, date(2028, 2, 29))
    user = person("owner")
    token, text = tokens.make(user, "script", ["read"], 10_000)
    caller(text)("GET", "/surveys")
    token.refresh_from_db()
    assert text not in str(vars(token))
    assert token.used_on == date(2028, 2, 29)
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
    url = "/staff/admin/account/tokens/"
    assert client.get(url)["Location"].startswith("/staff/admin/account/confirm/")
    client.post("/staff/admin/account/confirm/", {"password": PASSWORD})
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
    client.post("/staff/admin/account/confirm/", {"password": PASSWORD})
    sent = {"name": "script", "scopes": ["read"], "days": "30"} | wrong
    client.post("/staff/admin/account/tokens/", {**sent, **({"name": ""} if "end" in wrong else {})})
    assert not ApiToken.objects.exists()
