"""The accounts of a site: a list to search, and a page for each.

Somebody who finds a superuser's open session could make themselves at home with any change, so everything that changes
people asks first for what the sign-in asked for.
"""

from collections.abc import Callable
from functools import reduce, wraps
from operator import or_
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import AdminPasswordChangeForm, AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from config.signin import factor, sessions
from config.signin.account import confirmed
from config.signin.views import View
from surveys import lists
from surveys.access import signed_in
from surveys.domain.people.log import LogNote

SEARCHED = ("username", "first_name", "last_name", "email")
YES_OR_NO = [("", gettext_lazy("any")), ("1", gettext_lazy("yes")), ("0", gettext_lazy("no"))]


def changing(*rights: str) -> Callable[[View], View]:
    """A page that changes people, for those who have all these rights and have just confirmed who they are."""

    def decorate(view: View) -> View:
        @signed_in("GET", "HEAD", "POST")
        @wraps(view)
        def answer(request: HttpRequest, **address: Any) -> HttpResponse:
            if not all(_has(request, right) for right in rights):
                raise PermissionDenied
            return confirmed(view)(request, **address)

        return answer

    return decorate


class PeopleFilter(forms.Form):
    q = forms.CharField(label=gettext_lazy("Search"), required=False, widget=forms.SearchInput)
    is_active = forms.ChoiceField(label=gettext_lazy("active"), choices=YES_OR_NO, required=False)
    is_staff = forms.ChoiceField(label=gettext_lazy("may sign in"), choices=YES_OR_NO, required=False)
    is_superuser = forms.ChoiceField(label=gettext_lazy("superuser"), choices=YES_OR_NO, required=False)
    groups = forms.ModelChoiceField(
        Group.objects.order_by("name"), label=gettext_lazy("group"), required=False, empty_label=gettext_lazy("any")
    )

    def people(self) -> QuerySet[User]:
        """Those whose names or address have every word, and who are as was chosen; all where a choice is none."""
        found = User.objects.order_by("username")
        if not self.is_valid():
            return found
        chosen = {name: value for name, value in self.cleaned_data.items() if value}
        for word in chosen.pop("q", "").split():
            found = found.filter(reduce(or_, (Q(**{f"{name}__icontains": word}) for name in SEARCHED)))
        return found.filter(**chosen)


class PersonForm(UserChangeForm):
    password = None  # type: ignore[assignment]  # it has a page of its own

    class Meta:
        model = User
        fields = (*SEARCHED, "is_active", "is_staff", "is_superuser", "groups", "user_permissions")


@signed_in("GET", "HEAD", "POST")
def people(request: HttpRequest) -> HttpResponse:
    """The list. Looking is free; what is done with the people chosen is not."""
    _require_sight(request)
    if request.method == "POST":
        return confirmed(_act)(request)
    form = PeopleFilter(request.GET)
    context = {
        "title": _("People"),
        "form": form,
        "page": lists.page_of(request, form.people()),
        "may_add": _has(request, "add") and _has(request, "change"),
        "may_delete": _has(request, "delete"),
    }
    return render(request, "people/list.html", context)


def _act(request: HttpRequest) -> HttpResponse:
    """End sessions or remove second factors (superusers alone: others could lock out those above them), or delete."""
    chosen = lists.ticked(request, User.objects.all())
    action = request.POST.get("action")
    if action == "delete":
        return _delete(request, chosen)
    if not request.user.is_superuser:
        raise PermissionDenied
    if action == "end_sessions":
        number = sum(sessions.end(sessions.open_sessions(person)) for person in chosen)
        sentence = ngettext("%(number)d session was ended.", "%(number)d sessions were ended.", number)
        messages.success(request, sentence % {"number": number})
    elif action == "remove_factors":
        number = sum(factor.remove(person) > 0 for person in chosen)
        sentence = ngettext(
            "%(number)d person can now sign in with the password alone.",
            "%(number)d people can now sign in with the password alone.",
            number,
        )
        messages.success(request, sentence % {"number": number})
    return redirect("people")


def _delete(request: HttpRequest, chosen: QuerySet[User]) -> HttpResponse:
    if not _has(request, "delete"):
        raise PermissionDenied
    return lists.delete(request, chosen, reverse("people"))


@changing("add", "change")
def add(request: HttpRequest) -> HttpResponse:
    form = AdminUserCreationForm(request.POST or None)
    if form.is_valid():
        person = form.save()
        _note(request, person, ADDITION)
        return redirect("person", pk=person.pk)
    return render(request, "people/form.html", {"title": _("Add a person"), "form": form})


@signed_in("GET", "HEAD", "POST")
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """What a person may do, and what was changed about them; to be read only without the right to change people."""
    _require_sight(request)
    return confirmed(_change)(request, pk)


def _change(request: HttpRequest, pk: int) -> HttpResponse:
    account, may_change = get_object_or_404(User, pk=pk), _has(request, "change")
    form = PersonForm(request.POST if request.method == "POST" else None, instance=account)
    for field in form.fields.values():
        field.disabled = not may_change
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied
        if form.is_valid():
            _note(request, form.save(), CHANGE, [{"changed": {"fields": form.changed_data}}])
            messages.success(request, _("Saved."))
            return redirect("people")
    kind = ContentType.objects.get_for_model(User)
    rows = LogEntry.objects.filter(content_type=kind, object_id=str(pk)).select_related("user")
    context = {
        "title": account.get_username(),
        "form": form,
        "account": account,
        "may_change": may_change,
        "may_delete": _has(request, "delete"),
        "notes": [LogNote(row.action_time, str(row.user), str(row)) for row in rows[: lists.ROWS]],
    }
    return render(request, "people/form.html", context)


@changing("change")
def password(request: HttpRequest, pk: int) -> HttpResponse:
    """A new password, or none any more, for somebody who has lost theirs."""
    account = get_object_or_404(User, pk=pk)
    form = AdminPasswordChangeForm(account, request.POST or None)
    if form.is_valid():
        form.save()
        _note(request, account, CHANGE, [{"changed": {"fields": ["password"]}}])
        update_session_auth_hash(request, account)
        messages.success(request, _("Saved."))
        return redirect("person", pk=pk)
    return render(request, "people/form.html", {"title": _("Password of %(name)s") % {"name": account}, "form": form})


@changing("delete")
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(User, pk=pk)
    return _delete(request, User.objects.filter(pk=pk))


def sees_people(user: Any) -> bool:
    return any(user.has_perm(f"auth.{right}_user") for right in ("view", "change"))


def _require_sight(request: HttpRequest) -> None:
    if not sees_people(request.user):
        raise PermissionDenied


def _has(request: HttpRequest, right: str) -> bool:
    return request.user.has_perm(f"auth.{right}_user")


def _note(request: HttpRequest, account: User, flag: int, what: Any = "") -> None:
    """Note in the log of Django what was done, and by whom."""
    assert request.user.is_authenticated
    LogEntry.objects.log_actions(request.user.pk, [account], flag, what, single_object=True)
