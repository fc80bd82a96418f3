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

Opening boxes is most of what a sealing costs. Where many wait, several processes of this machine share it.

A process is given the private keys and then boxes, a piece at a time, and gives back what is in them, all through
pipes, so that nothing of it is on a disk. It connects to nothing, and ends when nobody holds the other end of its pipes
any more, so also if the sealing job is killed. Pieces come back in the order in which they were given, no matter which
is done first.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

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


Keys = Mapping[bytes, Sequence[X25519PrivateKey]]  # by the round they belong to
Waiting = tuple[bytes, bytes, bytes, bytes]  # the key of a row, its round, its box, and what the box is bound to
Opened = tuple[bytes, bytes]  # the key of a row, and what was in its box

MANY = 4_000  # boxes, a third of a second for one process: so long it takes until several are there
MOST = 4  # processes; so many open what the sealing job reads meanwhile
_ROOT = Path(__file__).parents[3]


@contextmanager
def openers(count: int, private_keys: Keys) -> Iterator[Callable[[Iterable[list[Waiting]]], Iterator[Opened]]]:
    """Yield a function that opens pieces of boxes, in several processes if there are many boxes.

    It raises ValueError at a box that no key opens, and another error if a process ends before it is done.
    """
    if count < MANY or (number := min(processors(), MOST)) < 2:
        yield lambda pieces: chain.from_iterable(map(_opener(private_keys), pieces))
        return
    with ExitStack() as processes:
        yield partial(_share_pieces, [processes.enter_context(_process(private_keys)) for _ in range(number)])


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _share_pieces(idle: list[subprocess.Popen[bytes]], pieces: Iterable[list[Waiting]]) -> Iterator[Opened]:
    """Open pieces in several processes, each with one piece at a time, so that no two wait for each other."""
    busy: deque[subprocess.Popen[bytes]] = deque()
    for piece in pieces:
        contents = []
        if idle:
            process = idle.pop()
        else:
            contents = _receive_piece(process := busy.popleft())
        _send(process, piece)
        busy.append(process)
        yield from contents
    for process in busy:
        yield from _receive_piece(process)


@contextmanager
def _process(private_keys: Keys) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "surveys.domain.responses.boxes"]
    with subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        _send(process, {name: [key.private_bytes_raw() for key in keys] for name, keys in private_keys.items()})
        yield process


def _send(process: subprocess.Popen[bytes], message: object) -> None:
    assert process.stdin is not None
    process.stdin.write(pickle.dumps(message))
    process.stdin.flush()


def _receive_piece(process: subprocess.Popen[bytes]) -> list[Opened]:
    assert process.stdout is not None
    contents: list[Opened] | str = pickle.load(process.stdout)
    if isinstance(contents, str):
        raise ValueError(contents)
    return contents


def _opener(private_keys: Keys) -> Callable[[list[Waiting]], list[Opened]]:
    opens = {name: opener(keys) for name, keys in private_keys.items()}
    return lambda piece: [(key, opens[name](box, bound)) for key, name, box, bound in piece]


def main() -> None:
    """The process that opens boxes: it reads keys, then pieces, until nobody asks, and ignores signals to end."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who asked has ended: so does this
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        raw = pickle.load(asked)
        opening = _opener({name: list(map(X25519PrivateKey.from_private_bytes, keys)) for name, keys in raw.items()})
        while True:
            piece = pickle.load(asked)
            try:
                contents: list[Opened] | str = opening(piece)
            except ValueError as error:
                contents = str(error)
            answers.write(pickle.dumps(contents))
            answers.flush()
    except EOFError:
        return


if __name__ == "__main__":
    main()
