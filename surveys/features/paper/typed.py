"""Sheets that somebody types and has not stored yet: kept for them alone, so that nothing is lost with the page.

The key lies in a cookie of the browser they are typed in, and the database keeps what it encrypts. So no copy of the
database tells of a stack before it is mixed with others; once a stack is stored, nobody can read what was typed.
"""

import json
import os
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from privacy.errors import EntryError, to_translate
from surveys.models import Survey, SurveyVersion, TypedSheets

COOKIE = "typed_sheets"  # and the number of the person: another one in the same browser has a key of their own
SECONDS = 7 * 24 * 3600  # for which a browser keeps the key
MOST_BYTES = 500_000
MOST_BROWSERS = 10  # of a person and a survey, so that rows whose key is lost do not pile up
# So many bytes are encrypted, or twice as many: a length tells no empty box, and hardly how many sheets there are.
_SMALLEST = 4096
_NONCE = 12
ANOTHER_WINDOW = to_translate(
    "Another window of this browser types a stack, so this sheet is not kept. Finish that stack or throw it away "
    "there, or load this page again and go on with it."
)


def keep(request: HttpRequest, version: SurveyVersion, typed: str, response: HttpResponse) -> None:
    """Keep what this window has typed so far in place of what it had before; let the browser keep the key.

    EntryError where another window went on meanwhile, also at this moment: neither overwrites what the other has typed.
    """
    key = _key(request) or os.urandom(32)
    seen = _content(request, key)
    before = _decrypt(request, version, key, seen)
    if before and member(before, "by") not in (member(typed, "by"), member(typed, "from")):
        raise EntryError(ANOTHER_WINDOW)
    if member(typed, "first") == [] and not member(typed, "aside"):  # the first sheet was taken back
        forget(request, version.survey, response)
        return
    nonce, plain = os.urandom(_NONCE), typed.encode()
    size = max(_SMALLEST, 1 << (len(plain) - 1).bit_length())
    content = nonce + AESGCM(key).encrypt(nonce, plain.ljust(size), _place(request, version))
    own = {"version": version, "person_id": request.user.pk, "content": content}
    row, made = TypedSheets.objects.get_or_create(name=_name(request, key), defaults=own)
    # Each content has a nonce of its own: where it is another one by now, another window went on since it was read.
    if not made and not TypedSheets.objects.filter(pk=row.pk, content=seen).update(**own):
        raise EntryError(ANOTHER_WINDOW)
    of_person = TypedSheets.objects.filter(version__survey=version.survey_id, person_id=request.user.pk)
    kept = of_person.order_by("-pk").values_list("pk", flat=True)[:MOST_BROWSERS]
    of_person.exclude(pk__in=[*kept]).delete()
    _set_key(request, version.survey, response, key)


def mark_compared(request: HttpRequest, version: SurveyVersion, token: str, response: HttpResponse) -> None:
    """Of a stack whose differences were shown no sheet is taken back: they count as they were typed."""
    before = read(request, version)
    if token and member(before, "token") == token:
        keep(request, version, json.dumps({**json.loads(before), "compared": True}), response)


def give_key(request: HttpRequest, survey: Survey, response: HttpResponse) -> None:
    """Let the browser have a key, so that two windows whose first sheets are kept at one moment have the same."""
    if _key(request) is None or _cookie(request) in response.cookies:  # or it was just deleted
        _set_key(request, survey, response, os.urandom(32))


def read(request: HttpRequest, version: SurveyVersion) -> str:
    """What this person has typed in this browser and not stored; empty where there is nothing."""
    key = _key(request)
    return _decrypt(request, version, key, _content(request, key)) if key else ""


def _content(request: HttpRequest, key: bytes) -> bytes:
    """What the database keeps under the key; empty where it keeps nothing."""
    found = TypedSheets.objects.filter(name=_name(request, key)).values_list("content", flat=True).first()
    return bytes(found or b"")


def _decrypt(request: HttpRequest, version: SurveyVersion, key: bytes, content: bytes) -> str:
    """Empty where it was typed of another version, or is nothing."""
    try:
        plain = AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], _place(request, version))
    except (InvalidTag, ValueError):
        return ""
    return plain.decode().rstrip()


def member(typed: str, name: str) -> Any:
    """What the page says of what is typed: `by`, its window, `from`, the one it went on from, and the `token`."""
    try:
        said = json.loads(typed)
    except (ValueError, RecursionError):
        return None
    return said.get(name) if isinstance(said, dict) else None


def forget(request: HttpRequest, survey: Survey, response: HttpResponse) -> None:
    """Forget what this browser has typed, and its key."""
    if key := _key(request):
        TypedSheets.objects.filter(name=_name(request, key)).delete()
        response.delete_cookie(_cookie(request), path=_path(survey), samesite="Strict")


def forget_stored(request: HttpRequest, version: SurveyVersion, token: str, response: HttpResponse) -> None:
    """Forget the stack of this token, and its key; what another window types by now stays, with the key."""
    if key := _key(request):
        content, own = _content(request, key), TypedSheets.objects.filter(name=_name(request, key))
        if member(_decrypt(request, version, key, content), "token") in (None, token):
            own.filter(content=content).delete()
        if not own.exists():
            forget(request, version.survey, response)


def _set_key(request: HttpRequest, survey: Survey, response: HttpResponse, key: bytes) -> None:
    response.set_cookie(
        _cookie(request),
        key.hex(),
        max_age=SECONDS,
        path=_path(survey),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _cookie(request: HttpRequest) -> str:
    return f"{COOKIE}_{request.user.pk}"


def _key(request: HttpRequest) -> bytes | None:
    try:
        key = bytes.fromhex(request.COOKIES.get(_cookie(request), ""))
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _name(request: HttpRequest, key: bytes) -> str:
    return sha256(b"name" + key + str(request.user.pk).encode()).hexdigest()


def _place(request: HttpRequest, version: SurveyVersion) -> bytes:
    return f"{version.sha256} {request.user.pk}".encode()


def _path(survey: Survey) -> str:
    return reverse("studio:paper", args=[survey.pk])
