"""Sheets that somebody types and has not stored yet: kept for them alone, so that nothing is lost with the page.

The key lies in a cookie of the browser they are typed in, and the database keeps what it encrypts. So no copy of the
database tells of a stack before it is mixed with others; once a stack is stored, nobody can read what was typed.
"""

import os
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from surveys.models import SurveyVersion, TypedSheets

COOKIE = "typed_sheets"
SECONDS = 7 * 24 * 3600  # for which a browser keeps the key
MOST_BYTES = 500_000
_NONCE = 12


def keep(request: HttpRequest, version: SurveyVersion, response: HttpResponse) -> None:
    """Keep what this browser has typed so far in place of what it had typed before, and let it keep the key."""
    key, nonce = _key(request) or os.urandom(32), os.urandom(_NONCE)
    content = nonce + AESGCM(key).encrypt(nonce, request.body, _place(request, version))
    own = {"version": version, "person_id": request.user.pk, "content": content}
    TypedSheets.objects.update_or_create(name=_name(key), defaults=own)
    response.set_cookie(
        COOKIE,
        key.hex(),
        max_age=SECONDS,
        path=_path(version),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def read(request: HttpRequest, version: SurveyVersion) -> str:
    """What this person has typed in this browser and not stored; empty where there is nothing."""
    if (key := _key(request)) is None:
        return ""
    own = TypedSheets.objects.filter(name=_name(key), version=version, person_id=request.user.pk).first()
    if own is None:
        return ""
    content = bytes(own.content)
    try:
        return AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], _place(request, version)).decode()
    except InvalidTag:
        return ""


def forget(request: HttpRequest, version: SurveyVersion, response: HttpResponse) -> None:
    """Forget what this browser has typed, and its key."""
    if key := _key(request):
        TypedSheets.objects.filter(name=_name(key)).delete()
        response.delete_cookie(COOKIE, path=_path(version), samesite="Strict")


def _key(request: HttpRequest) -> bytes | None:
    try:
        key = bytes.fromhex(request.COOKIES.get(COOKIE, ""))
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _name(key: bytes) -> str:
    return sha256(b"name" + key).hexdigest()


def _place(request: HttpRequest, version: SurveyVersion) -> bytes:
    return f"{version.sha256} {request.user.pk}".encode()


def _path(version: SurveyVersion) -> str:
    return reverse("studio:paper", args=[version.survey_id])
