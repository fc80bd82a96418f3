"""The page of a site's people: it invites, changes what somebody may do, ends accounts, and nothing else."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from config.models import AccountInvitation, ApiToken, SiteRight
from config.people import kind_of
from config.signin import invitations, sessions, tokens
from surveys.domain.people.roles import Role, give
from surveys.templatetags.shell import initials
from tests.config.signing_in import RIGHT
from tests.surveys.making import make_survey

PAGE = "/staff/people/"


def signed_in(user: User) -> Client:
    """Signed in and just confirmed."""
    client = Client()
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": RIGHT})
    return client


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password=RIGHT)


@pytest.fixture
def client(root: User) -> Client:
    return signed_in(root)


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann", "ann@example.org", RIGHT, first_name="Ann", last_name="Lee", is_staff=True)


def do(client: Client, what: str, **fields: Any) -> Any:
    return client.post(PAGE, {"do": what, **fields})


def messages_of_page(client: Client) -> list[str]:
    """What the next page says was done, or refused."""
    return [str(message) for message in client.get(PAGE).context["messages"]]


def rights(user: User) -> tuple[bool, bool, set[str]]:
    user = User.objects.get(pk=user.pk)
    return user.is_active, user.is_superuser, set() if user.is_superuser else user.get_all_permissions()


def notes(client: Client) -> list[tuple[str, str]]:
    return [(note.by, note.what) for note in client.get(PAGE).context["notes"]]


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        ("begins", (True, False, {"surveys.add_survey"})),
        ("invited", (True, False, set())),
        ("runs", (True, True, set())),
    ],
)
def test_an_invited_person_may_do_what_the_invitation_says(client: Client, kind: str, held: Any) -> None:
    """By a link that is shown once; who may begin surveys begins one."""
    page = do(client, "invite", who="mary.okafor@example.org", kind=kind)
    link = page.context["link"]
    assert [one.username for one in page.context["invitations"]] == ["mary.okafor@example.org"]
    Client().post(link, {"new_password1": RIGHT, "new_password2": RIGHT})
    mary = User.objects.get(username="mary.okafor@example.org")
    assert (mary.email, mary.is_staff, rights(mary)) == ("mary.okafor@example.org", True, held)
    begun = signed_in(mary).post("/staff/studio/new/", {"title": "Mine"}).status_code
    assert begun == (403 if kind == "invited" else 302)
    assert link not in client.get(PAGE).content.decode()


def test_a_name_has_no_rule_but_its_length(client: Client) -> None:
    """People are called by their names, with blanks and in their own letters."""
    for name in ("Mary Okafor", "李雷"):
        assert do(client, "invite", who=name, kind="begins").context["link"] != ""
    assert set(AccountInvitation.objects.values_list("username", flat=True)) == {"Mary Okafor", "李雷"}


@pytest.mark.parametrize(
    ("who", "kind", "field", "sentence"),
    [
        ("", "begins", "who", "This field is required."),
        ("x" * 151, "begins", "who", "Ensure this value has at most 150 characters (it has 151)."),
        ("ANN", "begins", "who", "“ANN” is already one of the people here."),
        ("ben", "begins", "who", "“ben” is already one of the people here."),
        ("Ｂen", "begins", "who", "“Ben” is already one of the people here."),
        ("boſs2", "begins", "who", "“boss2” is already one of the people here."),
        ("jürgen", "begins", "who", "“jürgen” is already one of the people here."),
        ("ca\ni", "begins", "who", "A name is one line of visible characters, at most 150 of them."),
        ("ann\u200b", "begins", "who", "A name is one line of visible characters, at most 150 of them."),
        ("boss2\ufe0f", "begins", "who", "A name is one line of visible characters, at most 150 of them."),
        ("\u3164", "begins", "who", "A name is one line of visible characters, at most 150 of them."),
        ("ﷺ" * 9, "begins", "who", "A name is one line of visible characters, at most 150 of them."),
        ("cai", "all", "kind", "Select a valid choice. all is not one of the available choices."),
    ],
)
def test_what_is_no_invitation_is_refused_at_its_field(
    client: Client, root: User, ann: User, who: str, kind: str, field: str, sentence: str
) -> None:
    """Nobody is invited twice, nor who has an account, in whatever letters; a name is what people see of it."""
    User.objects.create_user("boss2")
    User.objects.create_user("JÜRGEN")
    invitations.make(root, "ben", SiteRight.BEGINS)
    page = do(client, "invite", who=who, kind=kind)
    assert (page.context["form"].errors, AccountInvitation.objects.count()) == ({field: [sentence]}, 1)


def test_a_lost_link_is_replaced_and_an_invitation_taken_back(client: Client) -> None:
    """The earlier link works no more; then none does."""
    first = do(client, "invite", who="ben", kind="begins").context["link"]
    invitation = AccountInvitation.objects.get()
    second = do(client, "link", pk=invitation.pk).context["link"]
    assert [Client().get(link).status_code for link in (first, second)] == [404, 200]
    do(client, "take-back", pk=invitation.pk)
    assert Client().get(second).status_code == 404
    assert do(client, "link", pk=invitation.pk).status_code == 404
    assert client.get(PAGE).context["invitations"] == []
    assert notes(client) == [
        ("root", "Deleted “ben.”"),
        ("root", "Changed “ben” — Changed hash."),
        ("root", "Added “ben”."),
    ]


def test_what_somebody_may_do_is_changed_in_place_of_all_they_had(client: Client, ann: User) -> None:
    """Rights and groups of an earlier version hold and are shown, until somebody changes them."""
    group = Group.objects.create(name="researchers")
    group.permissions.set(Permission.objects.filter(codename__in=["add_survey", "view_survey"]))
    ann.groups.add(group)
    ann.user_permissions.set(Permission.objects.filter(codename="change_user"))
    shown = {row.account.username: (row.kind, row.more) for row in client.get(PAGE).context["people"]}
    assert shown == {"ann": ("begins", True), "root": ("runs", False)}
    held = []
    for kind in ("runs", "begins", "invited"):
        do(client, "kind", pk=ann.pk, kind=kind)
        held.append((kind_of(User.objects.get(pk=ann.pk)), rights(ann)[2]))
    assert held == [("runs", set()), ("begins", {"surveys.add_survey"}), ("invited", set())]
    assert notes(client) == [("root", "Changed “ann” — Changed is_superuser and user_permissions.")] * 3


def test_an_ended_account_opens_nothing_and_can_come_back(client: Client, ann: User) -> None:
    """Sessions and tokens end at once; what it did stays under its name."""
    hers = signed_in(ann)
    tokens.make(ann, "mine", ["read"], 30)
    do(client, "end", pk=ann.pk)
    assert (rights(ann)[0], sessions.open_sessions(ann)) == (False, [])
    assert not ApiToken.objects.filter(ended_at=None).exists()
    assert hers.get("/staff/studio/").status_code == 302
    assert not Client().login(username="ann", password=RIGHT)
    do(client, "kind", pk=ann.pk, kind="begins")
    assert rights(ann) == (True, False, {"surveys.add_survey"})
    assert notes(client)[1] == ("root", "Changed “ann” — Changed is_active.")


def test_a_second_factor_is_reset_once(client: Client, ann: User) -> None:
    """Where there is one; else the page says that there is none."""
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "x"})
    told = []
    for _ in range(2):
        do(client, "factor", pk=ann.pk)
        told += messages_of_page(client)
    assert told == ["Ann Lee can now sign in with the password alone.", "Ann Lee has no second factor."]
    assert notes(client) == [("root", "Changed “ann” — Deleted second factor “ann”.")]


@pytest.mark.parametrize(("what", "fields"), [("end", {}), ("kind", {"kind": "invited"}), ("factor", {})])
def test_nobody_changes_their_own_account(client: Client, root: User, what: str, fields: dict[str, str]) -> None:
    """So somebody who runs the site is always left; the row says who can."""
    before = rights(root)
    do(client, what, pk=root.pk, **fields)
    assert messages_of_page(client) == ["You cannot change your own account here: ask somebody else who runs the site."]
    assert rights(root) == before
    assert "Somebody else who runs the site can change this." in client.get(PAGE).content.decode()


def test_of_two_who_end_each_other_one_is_left(client: Client, root: User, ann: User) -> None:
    """Who no longer runs the site ends nobody, with a request that was already on its way either."""
    do(client, "kind", pk=ann.pk, kind="runs")
    hers = signed_in(User.objects.get(pk=ann.pk))
    do(client, "kind", pk=ann.pk, kind="begins")
    assert do(hers, "end", pk=root.pk).status_code == 403
    assert rights(root)[:2] == (True, True)


def test_the_only_owner_of_a_survey_is_not_ended(client: Client, ann: User, root: User) -> None:
    """The sentence says which survey, and what to do first."""
    survey = make_survey(title="Exams")
    give(survey, ann, Role.OWNER)
    do(client, "end", pk=ann.pk)
    assert (messages_of_page(client), rights(ann)[0]) == (
        ["Ann Lee is the only owner of “Exams”: make somebody else its owner first."],
        True,
    )
    give(survey, root, Role.OWNER)
    do(client, "end", pk=ann.pk)
    assert rights(ann)[0] is False


@pytest.mark.parametrize(
    ("what", "fields", "status"),
    [
        ("kind", {"pk": "1", "kind": "god"}, 302),
        ("end", {"pk": "9999"}, 404),
        ("end", {"pk": "x" * 99}, 404),
        ("all", {}, 302),
    ],
)
def test_what_the_page_does_not_do_changes_nobody(
    client: Client, ann: User, what: str, fields: dict[str, str], status: int
) -> None:
    """Neither a kind nor a person that there is not."""
    fields = {**fields, "pk": str(ann.pk)} if what == "kind" else fields
    assert do(client, what, **fields).status_code == status
    assert rights(ann) == (True, False, set())


def test_only_who_runs_the_site_sees_and_changes_people(ann: User) -> None:
    """Not even somebody with each right about people, which an earlier version gave."""
    ann.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    hers = signed_in(ann)
    assert hers.get(PAGE).status_code == 403
    for what in ("invite", "link", "take-back", "kind", "end", "factor"):
        assert do(hers, what, pk=ann.pk, who="ben", kind="runs").status_code == 403
    assert (AccountInvitation.objects.count(), rights(ann)[1]) == (0, False)
    assert "People of this site" not in hers.get("/staff/studio/").content.decode()


def test_many_people_can_be_searched(client: Client) -> None:
    """By every word in a name or an address; a search stands there where there are more than thirty."""
    assert b'type="search"' not in client.get(PAGE).content
    for place in range(31):
        User.objects.create_user(f"person-{place}", f"p{place}@example.org", first_name=f"Ann{place}")
    page = client.get(PAGE, {"q": "ann7 example"})
    assert [row.account.username for row in page.context["people"]] == ["person-7"]
    assert b'type="search"' in page.content


def test_a_survey_leads_to_the_site_and_back(client: Client) -> None:
    """Who manages its people and runs the site has both as tabs."""
    survey = make_survey()
    assert f'href="{PAGE}?survey={survey.pk}"' in client.get(f"/staff/studio/{survey.pk}/people/").content.decode()
    assert f'href="/staff/studio/{survey.pk}/people/"' in client.get(f"{PAGE}?survey={survey.pk}").content.decode()
    assert client.get(f"{PAGE}?survey=99999999999").context["survey"] is None


def test_a_person_who_lost_the_password_sets_another_by_a_link(client: Client, ann: User) -> None:
    """It works once and in place of an earlier one; open sessions end, and the log says who made it.

    Rights stay, and so does the second factor.
    """
    hers = signed_in(ann)
    Authenticator.objects.create(user=ann, type=Authenticator.Type.RECOVERY_CODES, data={})
    first, second = (do(client, "password", pk=ann.pk).context["link"] for _again in range(2))
    other = "another horse of hers"
    assert [Client().get(link).status_code for link in (first, second)] == [404, 200]
    before = rights(ann)
    assert Client().post(second, {"new_password1": other, "new_password2": other}).status_code == 302
    assert [Client().login(username="ann", password=word) for word in (RIGHT, other)] == [False, True]
    assert (rights(ann), hers.get("/staff/studio/").status_code, Client().get(second).status_code) == (before, 302, 404)
    assert Authenticator.objects.filter(user=ann).count() == 1
    assert notes(client) == [("root", "Changed “ann” — Added link for a new password “ann”.")] * 2


def test_a_link_for_a_password_is_listed_and_taken_back_and_ends_with_the_account(client: Client, ann: User) -> None:
    """Nobody who may not sign in gets one, nor does who asks for their own."""
    taken = do(client, "password", pk=ann.pk).context["link"]
    page = client.get(PAGE)
    assert [one.user for one in page.context["invitations"]] == [ann]
    assert "Not used yet" in page.content.decode()
    do(client, "take-back", pk=AccountInvitation.objects.get().pk)
    ended = do(client, "password", pk=ann.pk).context["link"]
    do(client, "end", pk=ann.pk)
    assert [Client().get(link).status_code for link in (taken, ended)] == [404, 404]
    client.get(PAGE)
    do(client, "password", pk=ann.pk)
    do(client, "password", pk=User.objects.get(username="root").pk)
    assert messages_of_page(client) == [
        "Ann Lee may not sign in.",
        "You cannot change your own account here: ask somebody else who runs the site.",
    ]


@pytest.mark.each
@pytest.mark.parametrize("how", ["end", "begins", "is_superuser", "is_staff"])
def test_links_end_with_the_right_of_the_person_who_made_them(client: Client, ann: User, how: str) -> None:
    """A removed administrator has no way back: not by an invitation, nor by a password of somebody else.

    They stay ended should the person run the site again; a link that was renewed is of the person who renewed it.
    """
    boss = User.objects.create_superuser("boss", password=RIGHT)
    theirs = signed_in(boss)
    links = [
        do(theirs, "invite", who="backdoor", kind="runs").context["link"],
        do(theirs, "password", pk=ann.pk).context["link"],
    ]
    do(theirs, "invite", who="ben", kind="begins")
    renewed = do(client, "link", pk=AccountInvitation.objects.get(username="ben").pk).context["link"]
    page = client.get(PAGE).content.decode()
    assert [text in page for text in ("made by boss,", "invited by boss on", "invited by root on")] == [True] * 3

    if how.startswith("is_"):
        User.objects.filter(pk=boss.pk).update(**{how: False})  # by a command of the machine
    else:
        do(client, "end" if how == "end" else "kind", pk=boss.pk, kind=how)

    found = [Client().get(link).status_code for link in (*links, renewed)]
    assert found == [404, 404, 200]
    assert [one.username for one in client.get(PAGE).context["invitations"]] == ["ben"]
    do(client, "kind", pk=boss.pk, kind="runs")
    assert [Client().get(link).status_code for link in links] == [404, 404]


def test_what_was_typed_is_there_after_the_password_was_asked_for(root: User) -> None:
    """Once: name and kind of an invitation. Nothing else that was sent is kept."""
    client = Client()
    client.force_login(root)
    assert do(client, "invite", who="ben", kind="runs")["Location"].startswith("/staff/admin/account/confirm/")
    client.post(reverse("account_reauthenticate"), {"password": RIGHT})
    forms = [client.get(PAGE).context["form"] for _again in range(2)]
    assert [(form["who"].value(), form["kind"].value()) for form in forms] == [("ben", "runs"), (None, "begins")]
    other = Client()
    other.force_login(root)
    do(other, "kind", pk=root.pk, kind="runs")
    assert other.get(PAGE).context["form"]["kind"].value() == "begins"


def test_initials_tell_people_of_one_page_apart() -> None:
    """Whoever was here first keeps the usual letters; no order of the list changes anybody's."""
    names = ("ada", "admin", "anna", "aa", "a")
    people = [User(pk=pk, username=name) for pk, name in enumerate(names)]
    assert [initials(one, people) for one in people] == ["AD", "AM", "AN", "AA", "A"]
    assert [initials(one, people[::-1]) for one in people] == ["AD", "AM", "AN", "AA", "A"]
    named = User(pk=7, username="x", first_name="Ada", last_name="Dole")
    assert (initials(named, people), initials(named, [])) == ("A2", "AD")
