"""The accounts of a site: found, changed and deleted by those who may, and by nobody else."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from tests.config.signing_in import RIGHT

pytestmark = pytest.mark.django_db

LIST = "/staff/people/"


def somebody(*rights: str) -> Client:
    """Signed in and just confirmed, with these rights about people."""
    user = User.objects.create_user("clerk", password=RIGHT, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"{right}_user" for right in rights]))
    client = Client()
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": RIGHT})
    return client


@pytest.fixture
def ann() -> User:
    ann = User.objects.create_user("ann", email="ann@example.org", first_name="Ann", last_name="Lee", is_staff=True)
    ann.groups.add(Group.objects.create(name="researchers"))
    return ann


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben", email="ben@example.org", is_active=False)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["ann", "ben", "clerk"]),
        ({"q": "example"}, ["ann", "ben"]),
        ({"q": "lee ANN"}, ["ann"]),
        ({"q": "lee ben"}, []),
        ({"is_active": "0"}, ["ben"]),
        ({"is_staff": "1"}, ["ann", "clerk"]),
        ({"is_superuser": "1"}, []),
        ({"groups": "first"}, ["ann"]),
        ({"is_active": "perhaps"}, ["ann", "ben", "clerk"]),
    ],
)
def test_people_are_searched_and_filtered(ann: User, ben: User, query: dict[str, str], found: list[str]) -> None:
    """By every word in any name or address, and by what they are; a choice that is none filters nothing."""
    if "groups" in query:
        query = {"groups": str(Group.objects.get().pk)}
    page = somebody("view").get(LIST, query).context["page"]
    assert [person.get_username() for person in page] == found


@pytest.mark.parametrize(
    ("rights", "opened"),
    [
        ((), set()),
        (("view",), {"", "change/"}),
        (("change",), {"", "change/", "password/"}),
        (("change", "add"), {"", "change/", "password/", "add/"}),
        (("add",), set()),
        (("view", "delete"), {"", "change/", "delete/"}),
    ],
)
def test_each_page_is_for_those_who_have_its_right(ann: User, rights: tuple[str, ...], opened: set[str]) -> None:
    """All else is refused, and nothing leads to it."""
    client = somebody(*rights)
    pages = {"": LIST, "add/": f"{LIST}add/"} | {
        name: f"{LIST}{ann.pk}/{name}" for name in ("change/", "password/", "delete/")
    }
    answers = {name: client.get(address) for name, address in pages.items()}
    assert {name for name, answer in answers.items() if answer.status_code == 200} == opened
    assert {answer.status_code for name, answer in answers.items() if name not in opened} <= {403}


def test_who_may_only_look_changes_nothing(ann: User) -> None:
    """Neither by the form, whose fields are closed, nor by the list."""
    client = somebody("view")
    assert b"<button" not in client.get(f"{LIST}{ann.pk}/change/").content.split(b'id="main"')[1]
    assert client.post(f"{LIST}{ann.pk}/change/", {"username": "eve", "is_superuser": "on"}).status_code == 403
    for action in ("delete", "end_sessions", "remove_factors"):
        assert client.post(LIST, {"action": action, "chosen": [ann.pk], "sure": "yes"}).status_code == 403
    assert User.objects.filter(pk=ann.pk, username="ann", is_superuser=False).exists()


def test_a_person_is_added_changed_and_given_a_password_and_the_log_says_so(ann: User) -> None:
    """A new person is led to what they may do; the log names what was changed, and by whom."""
    client = somebody("add", "change")
    new = {"username": "cai", "usable_password": "true", "password1": RIGHT, "password2": RIGHT}
    led = client.post(f"{LIST}add/", new)
    cai = User.objects.get(username="cai")
    assert led["Location"] == f"{LIST}{cai.pk}/change/"
    client.post(led["Location"], {"username": "cai", "email": "cai@example.org", "is_active": "on", "is_staff": "on"})
    client.post(
        f"{LIST}{cai.pk}/password/", {"usable_password": "true", "password1": "an other 37", "password2": "an other 37"}
    )
    cai.refresh_from_db()
    notes = client.get(led["Location"]).context["notes"]

    assert (cai.email, cai.is_staff, cai.check_password("an other 37")) == ("cai@example.org", True, True)
    assert [(note.by, note.what) for note in notes] == [
        ("clerk", "Changed “cai” — Changed password."),
        ("clerk", "Changed “cai” — Changed email and is_staff."),
        ("clerk", "Added “cai”."),
    ]


def test_people_are_deleted_once_somebody_is_sure(ann: User, ben: User) -> None:
    """The first press names them and what goes along; the second deletes those, and no others."""
    client = somebody("view", "delete")
    asked = client.post(LIST, {"action": "delete", "chosen": [ann.pk, "x"]})
    assert [person.pk for person in asked.context["chosen"]] == [ann.pk]
    assert User.objects.filter(pk=ann.pk).exists()
    gone = client.post(LIST, {"action": "delete", "chosen": [ann.pk], "sure": "yes"})
    assert gone["Location"] == LIST
    assert list(User.objects.order_by("username").values_list("username", flat=True)) == ["ben", "clerk"]
    assert client.post(LIST, {"action": "delete", "sure": "yes"})["Location"] == LIST
    assert User.objects.count() == 2
