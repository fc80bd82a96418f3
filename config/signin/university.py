"""Signing in with the university's account, by OpenID Connect: docs/decisions/0015-sign-in.md says why.

Who may sign in is who was invited: issuer and subject are bound to an account when its invitation is opened, and no
name or address that the provider tells is asked for or looked at. Of allauth's `socialaccount` there are the provider,
the states and the table of bindings; its sign-up, connecting and pages are never reached.
"""

import logging
import secrets
import time
from collections.abc import Callable
from functools import wraps
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote

from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.internal.constants import LoginStageKey
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from jwt import ExpiredSignatureError
from redis import RedisError
from requests import RequestException, Response, Session

from config.signin import attempts, factor, invitations

log = logging.getLogger(__name__)

WAITING = BoundedSemaphore(3)  # threads of one process that wait for the provider; the others stay with respondents
# What providers say where a second factor was used: RFC 8176, and the profile of universities.
SECOND_FACTOR = {"mfa", "https://refeds.org/profile/mfa"}

# How it shows that no provider answers, or that it says what none would, such as a subject of 200 letters.
_MISFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
ODD = (OAuth2Error, RequestException, RedisError, DataError, *_MISFIT)
LONGEST, SLOWEST = 1_000_000, 10  # bytes of an answer, and seconds


class Dialogue(OpenIDConnectOAuth2Adapter):
    """What is said to the provider and read from it, about one sign-in."""

    state: dict[str, Any]

    def get_provider(self) -> OpenIDConnectProvider:
        """The one of the settings: what stands in the library's table of providers is nothing here."""
        issuer, client, secret, name = settings.OIDC
        how = {"server_url": issuer, "fetch_userinfo": False, "oauth_pkce_enabled": True}
        app = SocialApp(provider_id=issuer, name=name, client_id=client, secret=secret, settings=how)
        provider = OpenIDConnectProvider(self.request, app=app)
        provider.oauth2_adapter_class = Dialogue
        return provider

    @property
    def openid_config(self) -> dict[str, Any]:
        found: dict[str, Any] = super().openid_config
        if found["issuer"].rstrip("/") != settings.OIDC.issuer:
            raise OAuth2Error("It gives another issuer than OIDC_ISSUER.")
        scheme = settings.OIDC.issuer.partition("//")[0]  # a token is believed for the TLS that it came by
        if not all(found[f"{one}_endpoint"].startswith(scheme) for one in ("authorization", "token")):
            raise OAuth2Error("It names an address without TLS.")
        return found

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("university_back"))

    def complete_login(self, request: HttpRequest, app: SocialApp, token: Any, **given: Any) -> None:
        """Read who came, and go no further in the library."""
        claims = self._decode_id_token(app, given["response"]["id_token"])
        is_ours = claims.get("azp", app.client_id) == app.client_id and "exp" in claims
        if not is_ours or claims.get("nonce") != self.state.get("nonce"):  # a provider may know no PKCE
            raise OAuth2Error("Its token is for another sign-in.")
        raise ImmediateHttpResponse(_let_in(request, claims, self.state))


class Callback(OAuth2CallbackView):
    def _get_state(self, request: HttpRequest, provider: OpenIDConnectProvider) -> Any:
        found = super()._get_state(request, provider)
        self.adapter.state = found[0]
        return found


class Refusals(DefaultSocialAccountAdapter):
    def on_authentication_error(self, request: HttpRequest, provider: Any, exception: Any = None, **_: Any) -> None:
        raise ImmediateHttpResponse(_say_why(request, exception))

    def get_requests_session(self) -> Session:
        session: Session = super().get_requests_session()
        session.hooks["response"].append(_read)
        return session


def _read(response: Response, **_: Any) -> None:
    """Read an answer that is not too long, from the address that was asked and no other that it leads to."""
    if response.is_redirect:
        raise RequestException("It leads to another address.")
    content, until = b"", time.monotonic() + SLOWEST
    while part := response.raw.read1(65_536, decode_content=True):  # what has come: one that drips holds nobody up
        content += part
        if len(content) > LONGEST or time.monotonic() > until:
            response.close()
            raise RequestException("Its answer is too long or too slow.")
    response._content = content


def _guard(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Let few wait for the provider, and say so where it does not answer, or answers something else."""

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        if settings.OIDC is None or request.method != "GET":
            raise Http404
        if not WAITING.acquire(blocking=False):
            return _refuse(request, gettext("Too many people are signing in: try again in a minute."))
        try:
            return view(request)
        except attempts.TooManyAttemptsError as refusal:
            return _refuse(request, str(refusal.message))
        except ODD as error:
            return _say_why(request, error)
        finally:
            WAITING.release()

    return answer


@_guard
def begin(request: HttpRequest) -> HttpResponse:
    """Lead to the provider. Only pages of this site do, and to bind an invitation only its own page in this session:
    another's page, or a mail, could bind a visitor to an invitation of its own.
    """
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return HttpResponseRedirect(reverse("account_login"))
    attempts.count_departure(request)
    text = request.GET.get("invitation", "")[:100]
    if text and request.GET.get("mark", "") != request.session.get(invitations.MARK):
        return HttpResponseRedirect(f"../invited/{quote(text, safe='')}/")
    kept = text and invitations.hash_of(text).hex()  # in a session, which the database holds
    again = {"prompt": "login", "max_age": "0"} if request.user.is_authenticated and not text else {}
    to, provider = get_next_redirect_url(request), Dialogue(request, settings.OIDC.issuer).get_provider()
    own = {"nonce": secrets.token_urlsafe(16)}
    return provider.redirect(request, "login", to, kept, auth_params=again | own, scope=["openid"], **own)


@_guard
def come_back(request: HttpRequest) -> HttpResponse:
    return Callback.adapter_view(Dialogue(request, settings.OIDC.issuer))(request)


def _let_in(request: HttpRequest, claims: dict[str, Any], state: dict[str, Any]) -> HttpResponse:
    """Sign in whom the issuer and the subject are bound to, once they open the invitation that they began with."""
    who, invited = (settings.OIDC.issuer, claims["sub"]), state.get("data")
    user = User.objects.filter(socialaccount__provider=who[0], socialaccount__uid=who[1]).first()
    if invited:
        try:
            invitation = invitations.find_by(invited)
            user = invitations.accept(invitation, None, who) if invitation else None
        except IntegrityError:
            return _refuse(request, gettext("This account of %(name)s is already bound to another account here."))
        if user is None:
            return TemplateResponse(request, "account/invited.html", {"gone": True}, status=404)
    if user is None or not (user.is_active and user.is_staff):
        log.warning("A sign-in with the university's account was refused: it is bound to nobody who may sign in.")
        sentence = gettext("Nobody was invited with this account of %(name)s: open the link of your invitation first.")
        return _refuse(request, sentence)
    to = state.get("next") or reverse("studio:home")
    if request.user.is_authenticated and not invited:
        if request.user != user or not 0 <= time.time() - claims.get("auth_time", 0) + 60 < REAUTHENTICATION_TIMEOUT:
            return _refuse(request, gettext("%(name)s did not say that it was you, just now: try again."))
        record_authentication(request, user, "socialaccount", reauthenticated=True)
        return HttpResponseRedirect(to)
    request.session.cycle_key()
    request.session[factor.PASSWORD_GIVEN] = user.get_session_auth_hash()
    methods = claims.get("amr") or []
    given = SECOND_FACTOR.intersection([*(methods if isinstance(methods, list) else []), claims.get("acr")])
    # Who came by a stolen link has bound an account of their own, with a second factor of theirs.
    older = Authenticator.objects.filter(user=user, created_at__lt=F("user__socialaccount__date_joined"))
    stages = {LoginStageKey.MFA_AUTHENTICATE.value: {"handled": True}} if given and not older.exists() else {}
    return perform_login(request, Login(user=user, redirect_url=to, state={"stages": stages}))


def _say_why(request: HttpRequest, error: Exception | None) -> HttpResponse:
    if error is None:
        return _refuse(request, gettext("Signing in with %(name)s was not finished: begin again."))
    shown = "an answer with a token" if '_token"' in str(error) else str(error)[:200]
    log.warning("The provider of the university's account: %s (%s).", type(error).__name__, shown)
    wrong_clock = gettext("The clock of this site or that of %(name)s is wrong: tell who runs this site.")
    away = gettext("%(name)s does not answer as it should: try again later, or tell who runs this site.")
    return _refuse(request, wrong_clock if isinstance(error.__cause__, ExpiredSignatureError) else away)


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    messages.error(request, sentence % {"name": settings.OIDC.name})
    return HttpResponseRedirect(reverse("account" if request.user.is_authenticated else "account_login"))
