"""Wrapping: keys lie in the database encrypted, under a key that is derived from SECRET_KEY and lies elsewhere.

A wrapped key begins with a byte that names this form; then come the nonce and what AES-256-GCM makes of the key. The
ciphertext is bound to its place, so that it cannot be moved to another survey.
"""

import os
from collections.abc import Iterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

FORM = b"\x01"
NONCE_BYTES = 12
_NONCE, _ENCRYPTED = slice(1, 1 + NONCE_BYTES), slice(1 + NONCE_BYTES, None)


class UnknownSecretKeyError(Exception):
    """What was wrapped under another SECRET_KEY cannot be read."""


def wrap(key: bytes, place: str) -> bytes:
    """Encrypt a key under SECRET_KEY; `place` says what it is the key of, and only there it can be read again."""
    nonce = os.urandom(NONCE_BYTES)
    return FORM + nonce + _cipher(settings.SECRET_KEY).encrypt(nonce, key, place.encode())


def unwrap(wrapped: bytes, place: str) -> bytes:
    """The key, if it was wrapped under SECRET_KEY or one of SECRET_KEY_FALLBACKS."""
    for _, key in _try_secrets(wrapped, place):
        return key
    raise UnknownSecretKeyError


def rewrap(wrapped: bytes, place: str) -> bytes | None:
    """Wrap the key again under SECRET_KEY; None if it already is."""
    for secret, key in _try_secrets(wrapped, place):
        return None if secret == settings.SECRET_KEY else wrap(key, place)
    raise UnknownSecretKeyError


def mark(content: bytes, place: str) -> bytes:
    """Return the authentication tag of the content; only SECRET_KEY can make it."""
    return _mark(content, place, settings.SECRET_KEY)


def is_marked(content: bytes, marked: bytes, place: str) -> bool:
    """Whether the content was marked for this place, under SECRET_KEY or one of SECRET_KEY_FALLBACKS."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(marked, _mark(content, place, secret)) for secret in secrets)


def _mark(content: bytes, place: str, secret: str) -> bytes:
    return salted_hmac(f"candor: {place}", content, secret=secret, algorithm="sha256").digest()


def _try_secrets(wrapped: bytes, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield each configured secret that decrypts the wrapped key, with the decrypted key."""
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            yield secret, _cipher(secret).decrypt(wrapped[_NONCE], wrapped[_ENCRYPTED], place.encode())
        except InvalidTag:
            continue


def _cipher(secret: str) -> AESGCM:
    return AESGCM(HKDF(hashes.SHA256(), 32, salt=None, info=b"candor: keys in the database").derive(secret.encode()))
