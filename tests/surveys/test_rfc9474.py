"""RFC 9474's published vectors for the variant in use, RSABSSA-SHA384-PSS-Deterministic (Appendix A.3)."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa

from surveys.domain.messages.invite import EXPONENT, _sign
from tests.client.invitations import to_text
from tests.servers import ROOT

BLIND = Path(__file__).with_name("blind.mjs")
LENGTH = 512  # bytes; the vectors' key has 4096 bits


@cache
def vector() -> dict[str, bytes]:
    published = json.loads((ROOT / "tests" / "vectors" / "rfc9474.json").read_text())
    return {name: bytes.fromhex(value) for name, value in published.items() if name != "source"}


@cache
def private() -> rsa.RSAPrivateNumbers:
    p, q = (int.from_bytes(vector()[name]) for name in "pq")
    d = rsa.rsa_recover_private_exponent(EXPONENT, p, q)
    remainders = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    return rsa.RSAPrivateNumbers(p, q, d, *remainders, rsa.RSAPublicNumbers(EXPONENT, p * q))


def browser(node: Callable[..., str], **step: Any) -> dict[str, str]:
    """A step of the vendored module with the vectors' public key."""
    key = {"n": to_text(private().public_numbers.n.to_bytes(LENGTH)), "e": "AQAB"}
    return dict(json.loads(node(BLIND, input=json.dumps({"key": key, **step}))))


def test_the_server_signs_as_published() -> None:
    """The private operation on the published blinded message gives the published blind signature."""
    assert _sign(int.from_bytes(vector()["blinded_msg"]), private()) == int.from_bytes(vector()["blind_sig"])


def test_the_vendored_module_blinds_as_published(node: Callable[..., str]) -> None:
    """With the published salt and blinding it makes the published blinded message and inverse."""
    n = private().public_numbers.n
    factor = pow(int.from_bytes(vector()["inv"]), -1, n).to_bytes(LENGTH)
    made = browser(
        node, step="blind", message=to_text(vector()["msg"]), draws=[to_text(vector()["salt"]), to_text(factor)]
    )
    assert made == {"blinded": to_text(vector()["blinded_msg"]), "inverse": to_text(vector()["inv"])}


def test_the_vendored_module_unblinds_as_published(node: Callable[..., str]) -> None:
    """Of the published blind signature it makes the published signature, and has verified it."""
    given = {
        name: to_text(vector()[field])
        for name, field in (("message", "msg"), ("signature", "blind_sig"), ("inverse", "inv"))
    }
    assert browser(node, step="finalize", **given) == {"signature": to_text(vector()["sig"])}
