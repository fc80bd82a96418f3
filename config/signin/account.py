"""One's own account: the second factor, and the sessions that are open."""

from __future__ import annotations

from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache

from config.signin import sessions
from config.signin.views import View, small_form


def page(view: View, title: Promise) -> View:
    """Show the page, which may be another app's, as one of the administration."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, TemplateResponse):
            own = {**admin.site.each_context(request), "title": title}
            response.context_data = own | (response.context_data or {})
        return response

    return small_form(answer)


def confirmed(view: View) -> View:
    """Ask whoever is signed in to confirm it, unless they have within five minutes; then lead back to the page.

    What was sent is not kept meanwhile, as the library would: it may hold a new password.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if did_recently_reauthenticate(request):
            return view(request, *args, **kwargs)
        if request.method == "POST":
            messages.warning(request, gettext("Nothing was changed yet: confirm that it is you, then do it again."))
        first_way = get_adapter().get_reauthentication_methods(request.user)[0]["url"]
        return HttpResponseRedirect(f"{first_way}?{urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})}")

    return answer


@staff_member_required(login_url="admin:login")
def own_account(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert user.is_authenticated  # staff_member_required
    held = sessions.open_sessions(user)
    if request.method == "POST":
        number = sessions.end(session for session in held if _is_meant(session, request))
        sentence = ngettext("%(number)d session was ended.", "%(number)d sessions were ended.", number)
        messages.success(request, sentence % {"number": number})
        return HttpResponseRedirect(reverse("account"))
    kept = list(Authenticator.objects.filter(user=user).order_by("created_at"))
    by_type = {one.type: one.wrap() for one in kept}
    recovery = by_type.get(Authenticator.Type.RECOVERY_CODES)
    context = {
        "sessions": held,
        "own_key": request.session.session_key,
        "app": by_type.get(Authenticator.Type.TOTP),
        "keys": [one.wrap() for one in kept if one.type == Authenticator.Type.WEBAUTHN],
        "recovery_codes": recovery and len(recovery.get_unused_codes()),
    }
    return TemplateResponse(request, "account/own.html", context)


def _is_meant(session: sessions.OpenSession, request: HttpRequest) -> bool:
    """Whether the button that was pressed ends this session: all, all others, or the one of its mark."""
    end = request.POST.get("end")
    return end in ("all", session.mark) or (end == "others" and session.key != request.session.session_key)
