"""Submissions as the respondent's page makes them."""

import json
import os
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from django.http import HttpResponse
from django.test import Client

from surveys.domain.messages.invite import _private
from surveys.domain.messages.submission import Stored, receipt
from surveys.models import SurveyVersion
from tests.client.invitations import to_text


def submission(version: SurveyVersion, /, **fields: Any) -> dict[str, Any]:
    """A disguised record of all noes; `fields` replaces parts of the message."""
    return {
        "version": version.sha256,
        "key": os.urandom(16).hex(),
        "direct": 0,
        "record": [0] * len(version.design.items),
        "open": {},
        "pad": "",
        **fields,
    }


def send(client: Client, slug: str, message: dict[str, Any] | bytes, **headers: str) -> HttpResponse:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    kind = "application/json"
    return client.post(f"/s/{slug}/responses", body, content_type=kind, headers={"Content-Type": kind, **headers})


def sign_in_the_open(version: SurveyVersion, message: bytes) -> dict[str, str]:
    """A token as the browser makes it, but signed in the open by the survey's own key."""
    pss = padding.PSS(padding.MGF1(hashes.SHA384()), 48)
    signature = (
        _private(version.survey).private_key(unsafe_skip_rsa_key_validation=True).sign(message, pss, hashes.SHA384())
    )
    return {"message": to_text(message), "signature": to_text(signature)}


def hash_of(version: SurveyVersion, key: bytes) -> bytes:
    """What the site keeps of a submission key."""
    return receipt(version.sha256, key, Stored(b"", b""))[0]
