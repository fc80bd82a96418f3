"""The key to which devices encrypt responses that wait on them, where others could read them.

It follows from the survey's private key (surveys.domain.messages.invite), which lies in the database under SECRET_KEY.
A device holds the public point alone: it cannot read what it keeps. A box is the point that the device drew for it,
65 bytes, and then what AES-256-GCM makes of the response under a key that HKDF-SHA-256 derives from both (ECDH).
"""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from surveys.definition import BODY_LIMIT
from surveys.domain.messages.invite import derive_key
from surveys.models import InvitationKey, Survey

CURVE = ec.SECP256R1()
POINT = 65  # bytes, uncompressed
MOST_BYTES = BODY_LIMIT // 2  # of a response: encrypted and written as text it has a third more
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve
_NONCE = bytes(12)  # each key encrypts once


def private_key(survey: Survey) -> ec.EllipticCurvePrivateKey:
    drawn = int.from_bytes(derive_key(survey, "interviews", 48))  # 128 bits more than the order: as good as even
    return ec.derive_private_key(drawn % (ORDER - 1) + 1, CURVE)


def public_point(survey: Survey) -> str:
    """The public key in hex; empty for a draft that was never published."""
    if not InvitationKey.objects.filter(survey=survey).exists():
        return ""
    return private_key(survey).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


def open_box(private: ec.EllipticCurvePrivateKey, version: str, box: bytes) -> bytes | None:
    """The response in a box; None where it was not encrypted to this key for this version."""
    point, encrypted = box[:POINT], box[POINT:]
    try:
        secret = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point))
        info = b"candor interview" + bytes.fromhex(version) + point
        return AESGCM(HKDF(hashes.SHA256(), 32, salt=None, info=info).derive(secret)).decrypt(_NONCE, encrypted, None)
    except (ValueError, InvalidTag):
        return None
