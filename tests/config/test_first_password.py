"""The generated password is shown once or kept in a file of its owner, and opens the page that changes it alone."""

import io
import stat
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client

from config.models import GeneratedPassword
from config.signin import first_password

OWN = "a horse of my own"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _new_site(settings: Any, tmp_path: Any) -> None:
    settings.CANDOR_DATA, settings.DEMO = tmp_path, False


def first_start_output(terminal: bool) -> str:
    """What the first start prints."""
    printed = Terminal() if terminal else io.StringIO()
    call_command("prepare", stdout=printed)
    return printed.getvalue()


def signed_in(name: str = "admin") -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def begin() -> tuple[str, Client]:
    """The password that the first start has written down, and a browser in which it has been given."""
    first_start_output(terminal=False)
    return first_password.password_file().read_text().strip(), signed_in()


def change(client: Client, old: str, new: str) -> Any:
    fields = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/staff/admin/password_change/", fields)


def test_a_terminal_shows_the_first_password_once() -> None:
    """No file is written, and a second start shows nothing."""
    word = first_start_output(terminal=True).split("password: ")[1].split()[0]
    assert User.objects.get(username="admin").check_password(word)
    assert not first_password.password_file().exists()
    assert first_start_output(terminal=True) == ""


def test_what_may_end_in_a_log_names_a_file(tmp_path: Any) -> None:
    """Only its owner can read it, also where a start that did not get further has left one that others could."""
    first_password.password_file().write_text("of a start that was interrupted, and longer than the new one")
    first_password.password_file().chmod(0o644)
    printed = first_start_output(terminal=False)
    word = first_password.password_file().read_text().strip()
    assert printed.startswith(f"Administrator: admin, password: in the file {tmp_path / 'first_password'} ")
    assert word not in printed
    assert stat.S_IMODE(first_password.password_file().stat().st_mode) == 0o600
    assert User.objects.get(username="admin").check_password(word)


def test_it_opens_the_page_that_changes_it_alone() -> None:
    """Every other page of the administration leads there, until it is changed; then the file is gone."""
    word, client = begin()
    for page in ("/staff/people/", "/staff/studio/"):
        assert client.get(page)["Location"] == "/staff/admin/password_change/"
        assert client.post(page)["Location"] == "/staff/admin/password_change/"
    assert "Please choose your own password first" in client.get("/staff/admin/password_change/").content.decode()
    assert change(client, word, OWN)["Location"] == "/staff/studio/"
    assert client.get("/staff/studio/").status_code == 200
    assert not first_password.password_file().exists()
    assert not Client().login(username="admin", password=word)


def test_the_change_leads_to_the_page_that_was_wanted() -> None:
    """With its question, and once: a later change leads to one's account, and so does one that nothing came before."""
    word, client = begin()
    client.get("/staff/runs/?survey=demo-ten")
    client.post("/staff/studio/")
    assert change(client, word, OWN)["Location"] == "/staff/runs/?survey=demo-ten"
    assert change(client, OWN, f"{OWN}, too")["Location"] == "/staff/admin/account/"


@pytest.mark.long
def test_changed_on_another_machine_its_file_is_removed_here() -> None:
    """By the sealing job of this machine, or at its next start; before that day it stays."""
    kept = first_password.password_file()
    for forget in (first_password.forget_changed, lambda: first_start_output(terminal=False)):
        User.objects.all().delete()
        first_start_output(terminal=False)
        forget()
        assert kept.exists()
        GeneratedPassword.objects.all().delete()  # what the other machine does, which has no such file
        forget()
        assert not kept.exists()


def test_until_it_is_changed_the_page_offers_no_others() -> None:
    """Each link of the header would lead back here."""
    first_start_output(terminal=True)
    client = signed_in()
    assert ">Surveys<" not in client.get("/staff/admin/password_change/").content.decode()
    GeneratedPassword.objects.all().delete()
    assert ">Surveys<" in client.get("/staff/admin/password_change/").content.decode()


def test_the_first_password_cannot_be_kept() -> None:
    """Changed to itself it is refused, and stays what must be changed."""
    word, client = begin()
    answer = change(client, word, word)
    assert answer.context["form"].errors["new_password2"] == [
        "Choose another password than the one generated at the first start of this site."
    ]
    assert client.get("/staff/studio/").status_code == 302
    assert first_password.password_file().exists()


def test_signing_out_needs_no_new_password() -> None:
    assert begin()[1].post("/staff/admin/logout/").status_code == 200


def test_changed_on_the_command_line_it_is_changed() -> None:
    """`manage.py changepassword` does as well, also for sessions that are open."""
    _word, client = begin()
    administrator = User.objects.get(username="admin")
    validate_password(OWN, administrator)
    administrator.set_password(OWN)
    administrator.save()
    assert not GeneratedPassword.objects.exists()
    assert not first_password.password_file().exists()
    assert client.get("/staff/studio/")["Location"].startswith("/staff/admin/login/")  # as for every change of it


def test_other_accounts_keep_what_they_have() -> None:
    """Accounts of an earlier version, and passwords that one administrator gives another person, open everything."""
    User.objects.create_superuser("ann", password=OWN)
    assert first_start_output(terminal=False) == ""
    assert signed_in("ann").get("/staff/studio/").status_code == 200
    validate_password(OWN, User.objects.get(username="ann"))
    with pytest.raises(ValidationError):
        validate_password("short", User.objects.get(username="ann"))


def test_who_has_just_changed_it_is_not_asked_for_it_again() -> None:
    """The page of people invites at once."""
    word, client = begin()
    change(client, word, OWN)
    page = client.post("/staff/people/", {"do": "invite", "who": "ann", "kind": "begins"})
    assert (page.status_code, page.context["link"] != "") == (200, True)
