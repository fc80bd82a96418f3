"""A box: bytes that only somebody with one of some private keys can open.

A box is made like a message of HPKE (RFC 9180, base mode): a key pair drawn for this box alone agrees with the public
key of each recipient on a secret (X25519, RFC 7748), HKDF-SHA256 (RFC 5869) makes a key of the secret, and AES-256-GCM
encrypts with it. What it encrypts is the box's own content key, once for each recipient; the content is encrypted once:

    1 byte    how many recipients
    32        the public half of the pair that was drawn for this box
    48 each   the content key, encrypted to one recipient
    rest      the content, encrypted, with its tag of 16 bytes

Every key encrypts one message only, so that the nonce can always be 0. The private half of the drawn pair is gone when
`close` returns: its maker cannot open the box.
"""

import os
from collections.abc import Callable, Iterable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE = bytes(12)
_PUBLIC, _WRAPPED = 32, 48


def close(content: bytes, recipients: Sequence[bytes], bound: bytes) -> bytes:
    """Encrypt content for the owners of these public keys. `bound` says where it belongs, and is needed to open it."""
    drawn = X25519PrivateKey.generate()
    public, content_key = drawn.public_key().public_bytes_raw(), os.urandom(32)
    wrapped = [
        AESGCM(_key(drawn.exchange(X25519PublicKey.from_public_bytes(recipient)), public, recipient)).encrypt(
            _NONCE, content_key, None
        )
        for recipient in recipients
    ]
    return bytes([len(wrapped)]) + public + b"".join(wrapped) + AESGCM(content_key).encrypt(_NONCE, content, bound)


def opener(private_keys: Iterable[X25519PrivateKey]) -> Callable[[bytes, bytes], bytes]:
    """Return a function that opens boxes, each together with its `bound`, by these keys.

    It raises ValueError if none of the keys opens a box, or if it is not the box that was closed.
    """
    pairs = [(private, private.public_key().public_bytes_raw()) for private in private_keys]

    def open_box(box: bytes, bound: bytes) -> bytes:
        end = 1 + _PUBLIC + _WRAPPED * box[0]
        public, content = box[1 : 1 + _PUBLIC], box[end:]
        drawn = X25519PublicKey.from_public_bytes(public)
        for private, own in pairs:
            key = AESGCM(_key(private.exchange(drawn), public, own))
            for start in range(1 + _PUBLIC, end, _WRAPPED):
                try:
                    content_key = key.decrypt(_NONCE, box[start : start + _WRAPPED], None)
                    return AESGCM(content_key).decrypt(_NONCE, content, bound)
                except InvalidTag:
                    continue
        raise ValueError("No key opens this box.")

    return open_box


def _key(secret: bytes, drawn: bytes, recipient: bytes) -> bytes:
    return HKDF(SHA256(), 32, None, b"candor box" + drawn + recipient).derive(secret)
