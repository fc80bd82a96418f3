"""Invitations that cannot be linked to responses: RSA blind signatures, RFC 9474, RSABSSA-SHA384-PSS-Deterministic.

The secret of an invitation buys one blind signature. The device hides a random message in a number, and the server
signs the number without seeing the message. From this the device makes a token (the message and its signature), which
tells nothing about the invitation. Every survey has its own key, used for nothing else; the public half is part of the
definition, so the hash in every link covers it.
"""

import base64
import binascii
import hmac
import logging
import os
import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.database.wrapping import UnknownSecretKeyError, rewrap, unwrap, wrap
from surveys.domain.messages.submission import Refused, unfit
from surveys.features import invited_by
from surveys.features.feature import Source
from surveys.models import Invitation, InvitationBatch, InvitationKey, Survey

log = logging.getLogger(__name__)

BITS = 3072
MESSAGE_BYTES = 32
EXPONENT = 65537
NO_KEY = {"n": "", "e": ""}  # of a draft that was never published
MAILED = "mail"  # the label of the batch of those whom the site mails their links
PANEL = ""  # the label of the batch of those whom a panel sends
# What is put before a secret to hash it. Links that earlier versions made for one of two waves open the survey, too.
_PREFIXES = b"", b"first wave ", b"second wave "
LONGEST_NUMBER = 200  # letters of a panel's number


def invite(survey: Survey, label: str, count: int) -> list[str]:
    """Make a batch of invitations and draw their secrets; only their hashes are kept."""
    return draw(add_batch(survey, label, count))


def add_batch(survey: Survey, label: str, count: int) -> InvitationBatch:
    """Make a batch of `count` invitations whose secrets are not drawn yet."""
    check_open(survey)
    if not 1 <= count <= 100_000:
        raise EntryError("{count} is outside 1 to 100000.", at="count", count=count)
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        if survey.invitation_batches.filter(label=label).exists():
            raise EntryError("There is already a batch “{label}”; choose another name.", at="label", label=label)
        return InvitationBatch.objects.create(survey=survey, label=label, count=count, created_on=timezone.localdate())


def check_open(survey: Survey) -> None:
    """EntryError if nobody more can be invited to the survey."""
    newest = survey.versions.last()
    if Survey.Access.INVITATION not in (survey.access, newest and newest.parsed.access):  # the next version's, and this
        raise EntryError("This survey is open to everybody: set access to invitations before you publish it.")
    if survey.closed_at:
        raise EntryError("This survey is closed.")
    if newest and newest.parsed.let_in_by:
        raise EntryError("The provider's numbers let people in: give the provider its link.")
    if newest and newest.parsed.invited_by:
        raise EntryError("Invitations to “{study}” let people in: make them there.", study=newest.parsed.invited_by)
    if newest and survey.has_ended(newest.number):
        raise EntryError("The last version takes no more answers: publish the next one, and invite people to that.")


def draw(batch: InvitationBatch) -> list[str]:
    """Draw the secrets of a batch and return them, once; only their hashes are kept."""
    drawn = _draw_secrets(batch.count)
    with transaction.atomic():
        survey = Survey.objects.select_for_update(no_key=True).filter(pk=batch.survey_id).first()
        if survey is None or survey.closed_at:  # perhaps it is being erased: new invitations would be left behind
            raise EntryError("This survey is closed.")
        if batch.invitations.exists():
            raise EntryError("The links of this batch were already given out and are not kept; make a new batch.")
        _store_hashes(batch, drawn)
    return drawn


def draw_for_mail(survey: Survey, count: int, more: int) -> list[str]:
    """Draw the secrets of so many invitations that the site mails; `more` are of people who had none before.

    Called under the survey's lock. All are in one batch, whose count is the number of these people.
    """
    drawn = _draw_secrets(count)
    batch, _new = survey.invitation_batches.get_or_create(
        label=MAILED, defaults={"count": 0, "created_on": timezone.localdate()}
    )
    InvitationBatch.objects.filter(pk=batch.pk).update(count=F("count") + more)
    _store_hashes(batch, drawn)
    return drawn


def _draw_secrets(count: int) -> list[str]:
    return [secrets.token_urlsafe(16) for _ in range(count)]


def _store_hashes(batch: InvitationBatch, drawn: Collection[str]) -> None:
    hashed = sorted(_hashes(secret)[0] for secret in drawn)
    Invitation.objects.bulk_create([Invitation(secret=secret, batch=batch) for secret in hashed], batch_size=1000)


def end_invitation(survey: Survey, secret: str) -> None:
    """Make an invitation look as if it had been used, so that it buys nothing more."""
    own = Invitation.objects.filter(secret__in=_hashes(secret), batch__survey=survey)
    own.update(blinded=os.urandom(sha256().digest_size))


def secrets_used(survey: Survey, drawn: Collection[str]) -> set[str]:
    """Which of these secrets have bought a signature."""
    secret_of = {hashed: secret for secret in drawn for hashed in _hashes(secret)}
    used = Invitation.objects.filter(batch__survey=survey).exclude(blinded=None).values_list("secret", flat=True)
    return {secret_of[bytes(row)] for row in used.iterator() if bytes(row) in secret_of}


def derive_key(survey: Survey, purpose: str, length: int) -> bytes:
    """Derive a key of so many bytes for another purpose than signing from the survey's private key."""
    private = _private(survey).d.to_bytes(BITS // 8)
    return HKDF(hashes.SHA256(), length, salt=None, info=f"candor: {purpose}".encode()).derive(private)


def inviting_survey(survey: Survey, source: Source) -> Survey:
    """The survey whose invitations let people into a document or a definition of `survey`; EntryError if it is gone."""
    if (slug := invited_by(source)) is None:
        return survey
    if (found := Survey.objects.filter(slug=slug, rehearses=None).first()) is None:
        raise EntryError("There is no survey “{study}” whose invitations could let people in.", study=slug)
    return found


def make_key(survey: Survey) -> None:
    """Give the survey its signing key, if it has none. This takes a second and is done once, at publication."""
    if InvitationKey.objects.filter(survey=survey).exists():
        return
    encoded = rsa.generate_private_key(EXPONENT, BITS).private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    InvitationKey.objects.get_or_create(survey=survey, defaults={"private": wrap(encoded, _place(survey.pk))})


def renew_keys() -> list[str]:
    """Wrap every signing key under today's SECRET_KEY; return a sentence for each that no known SECRET_KEY opens."""
    lost = []
    for kept in InvitationKey.objects.select_related("survey"):
        try:
            renewed = rewrap(bytes(kept.private), _place(kept.survey_id))
        except UnknownSecretKeyError:
            lost.append(str(_no_key_error(kept.survey)))
            continue
        if renewed is not None:
            InvitationKey.objects.filter(pk=kept.pk).update(private=renewed)
    return lost


def public_key(survey: Survey) -> dict[str, str]:
    """The survey's public key as the members of a JWK; they are empty for a draft that was never published."""
    if not InvitationKey.objects.filter(survey=survey).exists():
        return NO_KEY
    key = _private(survey).public_numbers
    return {"n": _to_text(key.n.to_bytes(BITS // 8)), "e": _to_text(key.e.to_bytes(3))}


def exchange(survey: Survey, secret: str, blinded: str, *, of_panel: bool = False) -> str:
    """Exchange the secret of an invitation for a blind signature, once; the same `blinded` message gets the same one.

    `of_panel`: the secret is the panel's number of a person, any that has not come yet (see `_panel_hashes`).
    """
    number = _to_bytes(blinded, BITS // 8)
    try:
        private = _private(survey)
    except EntryError as lost:
        log.error("%s", lost)
        raise Refused(503, "busy", "The server cannot sign invitations now; your device will try again.") from None
    if number is None or not 1 < int.from_bytes(number) < private.public_numbers.n - 1:
        raise unfit("blinded must be a number below the modulus.")
    known_as = _add_panel_number(survey, private, secret) if of_panel else _hashes(secret)
    invitation = Invitation.objects.filter(secret__in=known_as, batch__survey=survey)
    digest, used = sha256(number).digest(), invitation.exclude(blinded=None)
    if used.exists() or invitation.filter(blinded=None).update(blinded=digest) == 0:
        known = [bytes(one) for one in used.values_list("blinded", flat=True) if one is not None]
        if not known:
            raise Refused(403, "invitation", "This survey does not know this invitation.")
        if digest not in known:
            raise Refused(409, "spent", "This invitation has been used.")
    return _to_text(_sign(int.from_bytes(number), private).to_bytes(BITS // 8))


def _add_panel_number(survey: Survey, private: rsa.RSAPrivateNumbers, number: str) -> list[bytes]:
    """Store the hash of a panel's number as an invitation, unless it is there, and return all that it may be."""
    if not 0 < len(number.strip()) <= len(number) <= LONGEST_NUMBER:
        raise unfit(f"A panel's number has 1 to {LONGEST_NUMBER} letters.")
    hashes_of_number = _panel_hashes(private, number)
    if Invitation.objects.filter(secret__in=hashes_of_number, batch__survey=survey).exists():
        return hashes_of_number
    batch, _new = survey.invitation_batches.get_or_create(
        label=PANEL, defaults={"count": 0, "created_on": lambda: survey.versions.latest("number").published_on}
    )
    Invitation.objects.bulk_create([Invitation(secret=hashes_of_number[0], batch=batch)], ignore_conflicts=True)
    return hashes_of_number


def _panel_hashes(private: rsa.RSAPrivateNumbers, number: str) -> list[bytes]:
    """The hash of a panel's number, without spaces around it and in small letters, and then those of before.

    It is made under the survey's private key, because such numbers are few enough to be tried one after the other.
    Earlier versions took the number as it came, so a person may be stored as they come now, or in capital letters.
    """
    bare = number.strip()
    spelled = dict.fromkeys([bare.casefold(), number, bare, bare.lower(), bare.upper()])
    key = private.d.to_bytes(BITS // 8)
    return [hmac.digest(key, each.encode(), "sha256") for each in spelled]


def check_token(key: dict[str, str], token: dict[str, Any] | None) -> bytes:
    """The hash by which a spent token is stored; Refused if the public key (a JWK) has not signed the token."""
    if token is None or token.keys() != {"message", "signature"}:
        raise _bad_token()
    message, signature = _to_bytes(token["message"], MESSAGE_BYTES), _to_bytes(token["signature"], BITS // 8)
    modulus = _to_bytes(key["n"], BITS // 8)
    if message is None or signature is None or modulus is None:
        raise _bad_token()
    public = rsa.RSAPublicNumbers(EXPONENT, int.from_bytes(modulus)).public_key()
    try:
        public.verify(signature, message, padding.PSS(padding.MGF1(hashes.SHA384()), 48), hashes.SHA384())
    except InvalidSignature:
        raise _bad_token() from None
    return sha256(modulus + message).digest()


def _bad_token() -> Refused:
    return Refused(403, "token", "This survey has not signed this token.")


def _private(survey: Survey) -> rsa.RSAPrivateNumbers:
    wrapped = InvitationKey.objects.get(survey=survey).private
    try:
        key = unwrap(bytes(wrapped), _place(survey.pk))
    except UnknownSecretKeyError:
        raise _no_key_error(survey) from None
    # The key was made here and every signature is checked, so its numbers are not checked again (a tenth of a second).
    loaded = serialization.load_der_private_key(key, None, unsafe_skip_rsa_key_validation=True)
    assert isinstance(loaded, rsa.RSAPrivateKey)
    return loaded.private_numbers()


def _place(survey: int) -> str:
    return f"invitations to survey {survey}"


def _no_key_error(survey: Survey) -> EntryError:
    return EntryError(
        "The key that signs invitations to “{title}” was encrypted under another SECRET_KEY: start the site with that "
        "one, or name it in SECRET_KEY_FALLBACKS.",
        title=survey.title,
    )


def _sign(message: int, private: rsa.RSAPrivateNumbers) -> int:
    """message^d mod n by the Chinese remainder theorem, on a blinded base, and checked before it is returned.

    Without the blinding, the time of the computation could tell something about the key (Kocher 1996). Without the
    check, an error of the machine could give away the factors of the modulus (Boneh, DeMillo and Lipton 1997).
    """
    n, e = private.public_numbers.n, private.public_numbers.e
    mask = secrets.randbelow(n - 2) + 2
    base = message * pow(mask, e, n) % n
    by_p, by_q = pow(base, private.dmp1, private.p), pow(base, private.dmq1, private.q)
    signature = (by_q + private.q * (private.iqmp * (by_p - by_q) % private.p)) * pow(mask, -1, n) % n
    if pow(signature, e, n) != message:
        raise ArithmeticError("A blind signature came out wrong and was not released.")
    return signature


def _hashes(secret: str) -> list[bytes]:
    """The hash by which an invitation is stored, and then those of before."""
    return [sha256(prefix + secret.encode()).digest() for prefix in _PREFIXES]


def _to_text(value: bytes) -> str:
    """Encode as base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _to_bytes(text: object, length: int) -> bytes | None:
    """Decode base64url without padding; None if the text is invalid or has another length."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        value = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return None
    return value if len(value) == length and _to_text(value) == text else None
