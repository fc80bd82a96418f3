"""One's own account: the second factor, the sessions that are open, tokens; and how an invited person makes one."""

import secrets
from collections.abc import Sequence
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, password_validation
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from config.signin import invitations, sessions, tokens
from config.signin.views import View, small_form
from surveys.access import staff_only

_KEPT, _LONGEST = "form_before_confirmation", 200  # where a form is kept, and letters of each field


def page(view: View, title: Promise) -> View:
    """Give the page of a view, which may be another app's, this title, and let it take small forms alone."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, TemplateResponse):
            response.context_data = {"title": title} | (response.context_data or {})
        return response

    return small_form(answer)


def ask_to_confirm(view: View, keeps: Sequence[str] = ()) -> View:
    """Ask people who are signed in for their password again, unless they gave it within five minutes; then lead back to
    the page.

    What was sent is not kept meanwhile, as the library would: it may hold a new password. Only a form with the fields
    that `keeps` names is, by these fields (`take_form`).
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if did_recently_reauthenticate(request):
            return view(request, *args, **kwargs)
        if request.method == "POST":
            if keeps and all(name in request.POST for name in keeps):
                request.session[_KEPT] = {name: request.POST[name][:_LONGEST] for name in keeps}
            _warn_once(request, gettext("Nothing was changed yet: confirm that it is you, then do it again."))
        first_way = get_adapter().get_reauthentication_methods(request.user)[0]["url"]
        return HttpResponseRedirect(f"{first_way}?{urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})}")

    return answer


def _warn_once(request: HttpRequest, sentence: str) -> None:
    """A person who presses twice, or in two tabs, sends two forms before a page shows what was said of the first."""
    waiting = messages.get_messages(request)
    assert isinstance(waiting, BaseStorage)  # a request of this site has its messages
    if sentence not in [str(one) for one in waiting]:
        messages.warning(request, sentence)
    waiting.used = False  # to look at them is not to show them


def take_form(request: HttpRequest) -> dict[str, str]:
    """The fields that were typed before somebody had to confirm who they are; they are given out once."""
    kept: dict[str, str] = request.session.pop(_KEPT, {})
    return kept


class EmailForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        required=False,
        widget=forms.EmailInput({"autocomplete": "email", "class": "input measure"}),
    )


@staff_only("GET", "HEAD", "POST")
def own_account(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert user.is_authenticated
    held = sessions.open_sessions(user)
    form = EmailForm(request.POST if "email" in request.POST else None, initial={"email": user.email})
    if form.is_valid():
        User.objects.filter(pk=user.pk).update(email=form.cleaned_data["email"])
        messages.success(request, gettext("Saved."))
        return HttpResponseRedirect(reverse("account"))
    if request.method == "POST" and not form.is_bound:
        number = sessions.end(session for session in held if _is_meant(session, request))
        sentence = ngettext("%(number)d session was ended.", "%(number)d sessions were ended.", number)
        messages.success(request, sentence % {"number": number})
        return HttpResponseRedirect(reverse("account"))
    kept = list(Authenticator.objects.filter(user=user).order_by("created_at"))
    by_type = {one.type: one.wrap() for one in kept}
    recovery = by_type.get(Authenticator.Type.RECOVERY_CODES)
    context = {
        "form": form,
        "sessions": held,
        "own_key": request.session.session_key,
        "app": by_type.get(Authenticator.Type.TOTP),
        "keys": [one.wrap() for one in kept if one.type == Authenticator.Type.WEBAUTHN],
        "recovery_codes": recovery and len(recovery.get_unused_codes()),
    }
    return TemplateResponse(request, "account/own.html", context)


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=100, help_text=gettext_lazy("For you only."))
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        widget=forms.CheckboxSelectMultiple,
        choices=[
            ("read", gettext_lazy("read: surveys, their figures, and runs")),
            ("run", gettext_lazy("run: start, cancel and repeat runs")),
            ("write", gettext_lazy("write: publish, end a version, close, invite")),
            ("responses", gettext_lazy("responses: files of single responses")),
        ],
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days until it expires"), min_value=1, max_value=tokens.LONGEST_DAYS, initial=90
    )


@staff_only("GET", "HEAD", "POST")
@ask_to_confirm
def api_tokens(request: HttpRequest) -> HttpResponse:
    """One's own tokens: make one, which is shown this once, or end one for good."""
    user = request.user
    assert user.is_authenticated
    made = ""
    if request.method == "POST" and (end := request.POST.get("end", "")[:18]).isdecimal():
        if tokens.end(user, int(end)):
            messages.success(request, gettext("The token has ended."))
        return HttpResponseRedirect(reverse("api_tokens"))
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        _token, made = tokens.make(user, **form.cleaned_data)
        form = TokenForm()
    context = {"form": form, "made": made, "tokens": user.api_tokens.all(), "now": timezone.now()}
    response = TemplateResponse(request, "account/tokens.html", context)
    response["Cache-Control"] = "no-store"
    return response


def accept_invitation(request: HttpRequest, text: str) -> HttpResponse:
    """A person who has the link sets a password and gets an account; then the link works no more."""
    invitation = invitations.find(text)
    if invitation is None:
        return TemplateResponse(request, "account/invited.html", {"gone": True}, status=404)
    user = invitation.user or User(username=invitation.username)
    form = SetPasswordForm(user, request.POST if request.method == "POST" else None)
    form.fields["new_password1"].help_text = _help_with_first_password()
    if form.is_valid():
        if invitations.accept(invitation, form.cleaned_data["new_password1"]) is None:
            return TemplateResponse(request, "account/invited.html", {"gone": True}, status=404)
        changed = gettext("Your password was changed.")
        messages.success(request, changed if invitation.user else gettext("Your account is ready: sign in."))
        return HttpResponseRedirect(reverse("account_login"))
    context = {"form": form, "username": invitation.username, "again": invitation.user, "text": text}
    if settings.OIDC is not None:
        context["mark"] = request.session.setdefault(invitations.MARK, secrets.token_urlsafe(16))
    return TemplateResponse(request, "account/invited.html", context)


def _help_with_first_password() -> str:
    """What Django's rules ask of a password; the site's own rules are about changing one."""
    validators = password_validation.get_default_password_validators()
    general = [validator for validator in validators if type(validator).__module__ == password_validation.__name__]
    return str(password_validation.password_validators_help_text_html(general))


def _is_meant(session: sessions.OpenSession, request: HttpRequest) -> bool:
    """Whether the button that was pressed ends this session: all, all others, or the one of its mark."""
    end = request.POST.get("end")
    return end in ("all", session.mark) or (end == "others" and session.key != request.session.session_key)
