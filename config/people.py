"""The people of a site: who may begin surveys, who runs the site, who was invited, who may no longer sign in.

Somebody who finds the open session of a person who runs the site could make themselves at home with any change, so
everything that changes people asks first for what the sign-in asked for.
"""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from config.models import AccountInvitation, SiteRight
from config.signin import factor, invitations, sessions, tokens
from config.signin.account import ask_to_confirm, take_form
from privacy.errors import EntryError
from surveys import lists
from surveys.access import staff_only
from surveys.domain.people.log import LogNote
from surveys.domain.people.roles import Action, may, only_owner_of
from surveys.models import Survey
from surveys.sentences import sentence_of

SEARCH_FROM = 30  # people, above which a field to search stands over the list
LONGEST_NAME = 150
# Nobody sees these, which Unicode counts among letters, marks and symbols (Default_Ignorable_Code_Point, and a blank of
# Braille). What is no letter at all, `isprintable` knows.
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
NAMES = ("username", "first_name", "last_name", "email")
ABOUT = {
    SiteRight.BEGINS: gettext_lazy("and work in surveys of others, where invited"),
    SiteRight.INVITED: gettext_lazy("works in surveys that others gave a role in"),
    SiteRight.RUNS: gettext_lazy("people, backups, updates"),
}


class InviteForm(forms.Form):
    who = forms.CharField(
        label=gettext_lazy("E-mail, or a name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off", "class": "input measure"}),
    )
    kind = forms.ChoiceField(choices=SiteRight.choices, initial=SiteRight.BEGINS)

    def clean_who(self) -> str:
        """The name as the account will have it: that of nobody here, and without characters that nobody sees."""
        name: str = User.normalize_username(self.cleaned_data["who"]).strip()
        if not name.isprintable() or UNSEEN.search(name) or len(name) > LONGEST_NAME:
            sentence = _("A name is one line of visible characters, at most %(longest)d of them.")
            raise forms.ValidationError(sentence % {"longest": LONGEST_NAME})
        if invitations.has_account(name) or invitations.is_invited(name):
            raise forms.ValidationError(_("“%(name)s” is already one of the people here.") % {"name": name})
        return name


@dataclass(frozen=True)
class PersonRow:
    """Somebody in the list. `more` says that they have rights that an earlier version gave."""

    account: User
    kind: SiteRight
    more: bool


@staff_only("GET", "HEAD", "POST")
def people(request: HttpRequest) -> HttpResponse:
    """The page of all people. Everybody who runs the site may look; for a change they confirm who they are."""
    if not request.user.is_superuser:
        raise PermissionDenied
    if request.method == "POST":
        return ask_to_confirm(_do_action, keeps=("who", "kind"))(request)
    return _page(request, InviteForm(initial=take_form(request)))


def _page(request: HttpRequest, form: InviteForm | None = None, link: str = "") -> HttpResponse:
    asked = request.GET.get("q", "")
    found = User.objects.order_by("-is_active", "username").annotate(surveys=Count("memberships"))
    found = found.prefetch_related("user_permissions", "groups")
    for word in asked.split():
        found = found.filter(models.Q(*((f"{name}__icontains", word) for name in NAMES), _connector=models.Q.OR))
    page = lists.page_of(request, found)
    context = {
        "title": _("People of this site"),
        "people": [PersonRow(one, kind_of(one), _has_more(one)) for one in page],
        "page": page,
        "searched": asked,
        "search": User.objects.count() > SEARCH_FROM,
        "number": User.objects.count(),
        "invitations": list(invitations.usable().select_related("made_by")),
        "form": form or InviteForm(),
        "kinds": [(kind, kind.label, ABOUT[kind]) for kind in SiteRight],
        "days": invitations.DAYS,
        "link": link,
        "survey": _survey(request),
        "notes": _notes(),
    }
    response = render(request, "people.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _survey(request: HttpRequest) -> Survey | None:
    """The survey from which somebody came, to lead back to its people."""
    asked = request.GET.get("survey", "")
    survey = Survey.objects.filter(pk=int(asked)).first() if asked.isdecimal() and len(asked) < 10 else None
    return survey if survey is not None and may(request.user, Action.MANAGE, survey) else None


def _do_action(request: HttpRequest) -> HttpResponse:
    try:
        match request.POST.get("do"):
            case "invite":
                return _invite(request)
            case "link":
                return _page(request, link=_new_link(request))
            case "take-back":
                _take_back(request)
            case "kind":
                _change_kind(request)
            case "end":
                _end(request)
            case "password":
                return _page(request, link=_link_for_password(request))
            case "factor":
                _reset_factor(request)
    except EntryError as error:
        messages.error(request, sentence_of(error))
    return HttpResponseRedirect(request.get_full_path())


def _invite(request: HttpRequest) -> HttpResponse:
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    assert request.user.is_authenticated
    invitation, text = invitations.make(request.user, form.cleaned_data["who"], SiteRight(form.cleaned_data["kind"]))
    _note(request, invitation, ADDITION)
    return _page(request, link=_invitation_address(request, text))


def _invitation_address(request: HttpRequest, text: str) -> str:
    return request.build_absolute_uri(reverse("account_invited", args=[text]))


def _new_link(request: HttpRequest) -> str:
    """Another link in place of one that was lost: the first one works no more."""
    invitation = get_object_or_404(invitations.usable(), pk=_pk_from_post(request))
    assert request.user.is_authenticated
    text = invitations.renew(request.user, invitation)
    _note(request, invitation, CHANGE, [{"changed": {"fields": ["hash"]}}])
    return _invitation_address(request, text)


@transaction.atomic
def _link_for_password(request: HttpRequest) -> str:
    """A link for a person who has lost the password; the old password works until the link is used."""
    account = _other(request)
    if not (account.is_active and account.is_staff):
        raise EntryError("{name} may not sign in.", name=_name(account))
    assert request.user.is_authenticated
    text = invitations.make_again(request.user, account)
    _note(request, account, CHANGE, [{"added": {"name": _("link for a new password"), "object": str(account)}}])
    return _invitation_address(request, text)


def _take_back(request: HttpRequest) -> None:
    invitation = get_object_or_404(AccountInvitation, pk=_pk_from_post(request))
    if invitations.end(invitation.pk):
        _note(request, invitation, DELETION)
        messages.success(request, _("The invitation was withdrawn."))


@transaction.atomic
def _change_kind(request: HttpRequest) -> None:
    account, kind = _other(request), request.POST.get("kind", "")
    if kind not in SiteRight.values:
        raise EntryError("“{kind}” is nothing that people may do here.", kind=kind)
    set_kind(account, SiteRight(kind))
    invitations.end_made_by(account)
    User.objects.filter(pk=account.pk).update(is_active=True, is_staff=True)
    _note(request, account, CHANGE, [{"changed": {"fields": ["is_superuser", "user_permissions"]}}])
    messages.success(request, _("%(name)s: %(kind)s.") % {"name": _name(account), "kind": SiteRight(kind).label})


@transaction.atomic
def _end(request: HttpRequest) -> None:
    """End an account: the person can no longer sign in, and their work keeps its author's name."""
    account = _other(request)
    if survey := only_owner_of(account):
        raise EntryError(
            "{name} is the only owner of “{survey}”: make somebody else its owner first.",
            name=_name(account),
            survey=survey.title,
        )
    User.objects.filter(pk=account.pk).update(is_active=False)
    tokens.end_all(account)
    invitations.end_of(account)
    invitations.end_made_by(account)
    sessions.end(sessions.open_sessions(account))
    _note(request, account, CHANGE, [{"changed": {"fields": ["is_active"]}}])
    messages.success(request, _("%(name)s may no longer sign in.") % {"name": _name(account)})


def _reset_factor(request: HttpRequest) -> None:
    account = _other(request)
    if not factor.remove(account):
        raise EntryError("{name} has no second factor.", name=_name(account))
    _note(request, account, CHANGE, [{"deleted": {"name": _("second factor"), "object": str(account)}}])
    messages.success(request, _("%(name)s can now sign in with the password alone.") % {"name": _name(account)})


def _other(request: HttpRequest) -> User:
    """The account to change: never one's own, so that somebody who runs the site is always left.

    Those who run it are locked first: of two who end each other at the same time, only the first succeeds.
    """
    with transaction.atomic():
        running = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
        if request.user.pk not in [one.pk for one in running]:
            raise PermissionDenied
    account = get_object_or_404(User, pk=_pk_from_post(request))
    if account.pk == request.user.pk:
        raise EntryError("You cannot change your own account here: ask somebody else who runs the site.")
    return account


def _pk_from_post(request: HttpRequest) -> int:
    pk = request.POST.get("pk", "")
    return int(pk) if pk.isdecimal() and len(pk) < 10 else 0


def kind_of(account: User) -> SiteRight:
    if account.is_superuser:
        return SiteRight.RUNS
    return SiteRight.BEGINS if "surveys.add_survey" in account.get_all_permissions() else SiteRight.INVITED


def _has_more(account: User) -> bool:
    """Whether an earlier version gave rights for all surveys, alone or by a group; they hold until one is changed."""
    return not account.is_superuser and bool(account.get_all_permissions() - {"surveys.add_survey"})


def set_kind(account: User, kind: SiteRight) -> None:
    """Replace all rights for the whole site by those of this kind of account."""
    User.objects.filter(pk=account.pk).update(is_superuser=kind == SiteRight.RUNS)
    account.groups.clear()
    begin = Permission.objects.filter(content_type__app_label="surveys", codename="add_survey")
    account.user_permissions.set(begin if kind == SiteRight.BEGINS else [])


def _name(account: User) -> str:
    return account.get_full_name() or account.get_username()


def _notes() -> list[LogNote]:
    kinds = ContentType.objects.get_for_models(User, AccountInvitation).values()
    rows = LogEntry.objects.filter(content_type__in=kinds).select_related("user")
    return [LogNote(row.action_time, str(row.user), str(row)) for row in rows[: lists.ROWS]]


def _note(request: HttpRequest, about: models.Model, flag: int, what: Any = "") -> None:
    """Note in the log of Django what was done, and by whom."""
    assert request.user.is_authenticated
    LogEntry.objects.log_actions(request.user.pk, [about], flag, what, single_object=True)
