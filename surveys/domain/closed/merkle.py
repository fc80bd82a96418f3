"""Merkle trees as in RFC 6962, section 2.1: one hash for a list, and a short proof that something stands in it.

A leaf is hashed with a 0 before it and a node with a 1, so that no node can be shown as a leaf. The largest power of
two below the length goes to the left; level by level that is the same as pairing neighbours and letting an odd last
one rise. So the tree over a list is also the tree over the roots of its pieces, if each piece but the last has the same
power of two of leaves. surveys/client/closed/merkle.js is the twin in the browser; tests hold both to the same vectors.
"""

from collections.abc import Iterable
from hashlib import sha256


def leaf(data: bytes) -> bytes:
    return sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def root(hashes: Iterable[bytes]) -> bytes:
    """The root of the tree over these hashes of leaves (or roots of pieces); for an empty list the hash of no bytes."""
    level = list(hashes)
    if not level:
        return sha256(b"").digest()
    while len(level) > 1:
        risen = level[-1:] if len(level) % 2 else []
        level = [node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)] + risen
    return level[0]
