"""A tablet in Python: what it encrypts, and how it sends it."""

import base64
import json
import os
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from surveys.domain.messages.boxes import public_point
from surveys.domain.questionnaire.publish import publish
from surveys.features.interviews.parcels import code_of
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey, write

NOBODY = {"refused": 0, "broken": 0, "absent": 0}


def version_with_interviews(chosen: bool | str = True, slug: str = "clinics", **fields: Any) -> SurveyVersion:
    survey = make_survey(slug, direct=False, **fields)
    write(survey, interviews=chosen)
    return publish(survey)


def response(version: SurveyVersion, /, **fields: Any) -> dict[str, Any]:
    record = [0] * len(version.design.items)
    own = {"version": version.sha256, "key": os.urandom(16).hex(), "direct": 0, "record": record, "open": {}}
    return own | {"pad": ""} | fields


def lock(version: SurveyVersion, content: dict[str, Any] | bytes) -> str:
    """Encrypt a response as the page does."""
    bare = content if isinstance(content, bytes) else json.dumps(content).encode()
    site = bytes.fromhex(public_point(version.survey))
    own = ec.generate_private_key(ec.SECP256R1())
    secret = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), site))
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    info = b"candor interview" + bytes.fromhex(version.sha256) + point
    key = HKDF(hashes.SHA256(), 32, salt=None, info=info).derive(secret)
    return base64.b64encode(point + AESGCM(key).encrypt(bytes(12), bare, None)).decode()


def parcel(version: SurveyVersion, boxes: list[str], /, **fields: Any) -> dict[str, Any]:
    own = {"version": version.sha256, "code": code_of(version.survey), "boxes": boxes, "turned": NOBODY}
    return own | fields


def interviews(version: SurveyVersion, count: int) -> list[str]:
    return [lock(version, response(version)) for _ in range(count)]


def send(survey: Survey, message: dict[str, Any] | bytes) -> tuple[int, dict[str, Any]]:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    answer = Client().post(f"/s/{survey.slug}/parcels", body, content_type="application/json")
    return answer.status_code, answer.json()
