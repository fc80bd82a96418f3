"""One response per invitation, and nothing that joins the two."""

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from privacy.disguise.table import draw_questions
from privacy.errors import InputError
from surveys.definition import Definition
from surveys.domain.messages.invite import (
    BITS,
    _private,
    _to_bytes,
    add_batch,
    invite,
    public_key,
    renew_keys,
    secrets_used,
)
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import Inbox, Invitation, InvitationKey, SpentToken, Submission, SurveyVersion
from tests.client.invitations import to_text
from tests.surveys.making import make_survey, set_block, words, write
from tests.surveys.sending import send, sign_in_the_open, submission

DER = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey(access="invitation"))


def blind(version: SurveyVersion) -> str:
    """A number below the modulus, as a blinded message looks."""
    modulus = int.from_bytes(_to_bytes(public_key(version.survey)["n"], BITS // 8) or b"")
    return to_text((secrets.randbelow(modulus - 4) + 2).to_bytes(BITS // 8))


def ask(client: Client, version: SurveyVersion, secret: str, blinded: str, /, **fields: Any) -> Any:
    body = {"version": version.sha256, "invitation": secret, "blinded": blinded, **fields}
    return client.post("/s/study/invitations", json.dumps(body), content_type="application/json")


def test_the_signing_key_is_made_at_publication(admin_client: Client) -> None:
    """Looking at a draft writes nothing; publication gives the survey its key, and the next version keeps it."""
    survey = make_survey(access="invitation")
    assert admin_client.get(reverse("studio:write", args=[survey.pk])).status_code == 200
    assert InvitationKey.objects.count() == 0
    first = publish(survey)
    write(survey, why=words("Another why"))
    assert publish(survey).parsed.source["key"] == first.parsed.source["key"] == public_key(survey)


def test_an_invitation_buys_one_signature(client: Client, version: SurveyVersion) -> None:
    """The same blinded message gets the same signature again, another one 409."""
    (secret,) = invite(version.survey, "first", 1)
    blinded = blind(version)
    first, again = ask(client, version, secret, blinded), ask(client, version, secret, blinded)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert ask(client, version, secret, blind(version)).status_code == 409


@pytest.mark.parametrize("prefix", [b"first wave ", b"second wave "])
def test_an_invitation_of_one_of_two_waves_opens_the_survey(
    client: Client, version: SurveyVersion, prefix: bytes
) -> None:
    """Earlier versions hashed it in another way; it buys one signature, and is seen to be used or ended."""
    add_batch(version.survey, "first", 1)
    batch = version.survey.invitation_batches.get()
    Invitation.objects.create(secret=sha256(prefix + b"old").digest(), batch=batch)

    assert [ask(client, version, "old", blind(version)).status_code for _ in range(2)] == [200, 409]
    assert secrets_used(version.survey, ["old", "other"]) == {"old"}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"invitation": "unknown"}, 403),
        ({"blinded": "AA"}, 422),
        ({"blinded": to_text(bytes([255]) * (BITS // 8))}, 422),
        ({"blinded": to_text(bytes(BITS // 8))}, 422),
        ({"version": "0" * 64}, 409),
        ({"invitation": 7}, 422),
        ({"more": "x"}, 422),
    ],
)
def test_other_exchanges_are_refused(
    client: Client, version: SurveyVersion, change: dict[str, Any], status: int
) -> None:
    """Each is refused, and the invitation stays unused."""
    (secret,) = invite(version.survey, "first", 1)
    response = ask(client, version, secret, blind(version), **change)
    assert response.status_code == status
    assert Invitation.objects.filter(blinded=None).count() == 1


def test_an_invitation_of_another_survey_buys_nothing(client: Client, version: SurveyVersion) -> None:
    """Secrets are good for the survey they were made for."""
    other = publish(make_survey("other", access="invitation"))
    (secret,) = invite(other.survey, "first", 1)
    assert ask(client, version, secret, blind(version)).status_code == 403


def test_no_signature_after_closing(client: Client, version: SurveyVersion) -> None:
    """410, as for responses."""
    (secret,) = invite(version.survey, "first", 1)
    close(version.survey)
    assert ask(client, version, secret, blind(version)).status_code == 410


def test_an_open_survey_invites_nobody() -> None:
    """Its invitations would promise what it does not do."""
    with pytest.raises(InputError, match="open to everybody"):
        invite(publish(make_survey()).survey, "first", 1)


def test_a_token_is_spent_once(client: Client, version: SurveyVersion) -> None:
    """One response; its retry is known, another response with the token is 409."""
    message = submission(version, token=sign_in_the_open(version, secrets.token_bytes(32)))
    assert send(client, "study", message).status_code == 201
    assert send(client, "study", message).status_code == 200
    assert send(client, "study", message | {"key": "0" * 32}).status_code == 409
    assert (Inbox.objects.count(), Submission.objects.count(), SpentToken.objects.count()) == (1, 1, 1)


def no_token(_version: SurveyVersion) -> None:
    return None


def forge_token(version: SurveyVersion) -> dict[str, str]:
    token = sign_in_the_open(version, secrets.token_bytes(32))
    return token | {"message": to_text(secrets.token_bytes(32))}


def foreign(_version: SurveyVersion) -> dict[str, str]:
    return sign_in_the_open(publish(make_survey("other", access="invitation")), secrets.token_bytes(32))


def shapeless(_version: SurveyVersion) -> dict[str, Any]:
    return {"message": 7, "signature": "é"}


@pytest.mark.parametrize("token", [no_token, forge_token, foreign, shapeless])
def test_a_token_this_survey_did_not_sign_is_403(
    client: Client, version: SurveyVersion, token: Callable[[SurveyVersion], Any]
) -> None:
    """None, forged, of another survey, or no token at all in shape: nothing is stored."""
    made = token(version)
    response = send(client, "study", submission(version, **({"token": made} if made else {})))
    assert (response.status_code, response.json()["error"]) == (403, "token")
    assert Inbox.objects.count() == SpentToken.objects.count() == 0


def test_an_open_survey_takes_no_token(client: Client) -> None:
    """A token there would only be something to recognise people by."""
    version = publish(make_survey())
    response = send(client, "study", submission(version, token={"message": "", "signature": ""}))
    assert response.status_code == 422


def test_the_database_alone_makes_no_invitations(version: SurveyVersion, settings: Settings) -> None:
    """What lies there is not the key, and no other secret reads it: the survey's page says so in one sentence."""
    kept = bytes(InvitationKey.objects.get().private)
    key = _private(version.survey).private_key(unsafe_skip_rsa_key_validation=True).private_bytes(*DER)
    assert key not in kept
    settings.SECRET_KEY = "somebody-else-" + "0123456789" * 5
    with pytest.raises(InputError, match="“Study” was encrypted under another SECRET_KEY"):
        public_key(version.survey)


def test_a_key_is_bound_to_its_survey(version: SurveyVersion) -> None:
    """Copied to another survey, it signs nothing."""
    other = publish(make_survey("other", access="invitation")).survey
    private = InvitationKey.objects.get(survey=version.survey).private
    InvitationKey.objects.filter(survey=other).update(private=private)
    with pytest.raises(InputError, match="another SECRET_KEY"):
        public_key(other)


def test_an_earlier_secret_key_is_replaced(version: SurveyVersion, settings: Settings) -> None:
    """Named as a fallback it opens the keys, the next start encrypts them again, and then it is needed no more."""
    public = public_key(version.survey)
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "the-next-one-" + "0123456789" * 5
    settings.SECRET_KEY_FALLBACKS = [earlier]
    before = public_key(version.survey)
    lost = renew_keys()
    settings.SECRET_KEY_FALLBACKS = []
    kept = InvitationKey.objects.get().private
    assert (before, lost, public_key(version.survey)) == (public, [], public)
    assert (renew_keys(), InvitationKey.objects.get().private) == ([], kept)


def test_a_lost_secret_key_is_told_in_a_sentence(
    client: Client, version: SurveyVersion, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """The start and the log say what to do; the device is asked to come again, and the invitation stays unused."""
    (secret,) = invite(version.survey, "first", 1)
    blinded = blind(version)
    settings.SECRET_KEY = "somebody-else-" + "0123456789" * 5
    answer = ask(client, version, secret, blinded)
    sentence = (
        "The key that signs invitations to “Study” was encrypted under another SECRET_KEY: start the site with that "
        "one, or name it in SECRET_KEY_FALLBACKS."
    )
    assert (answer.status_code, answer.json()["error"], Invitation.objects.get().blinded) == (503, "busy", None)
    lines = [record.getMessage() for record in caplog.records if record.name == "surveys.domain.messages.invite"]
    logged = [line.partition(" (")[0] for line in lines]  # how many lines of other tests were left out may follow
    assert (logged, renew_keys()) == ([sentence], [sentence])


def publish_with_lot(access: str = "invitation", slug: str = "study") -> SurveyVersion:
    """Two of three questions are asked."""
    survey = make_survey(slug, access=access)
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 2})
    return publish(survey)


def test_a_token_draws_what_is_asked(client: Client) -> None:
    """The record of the questions that the signature draws is stored; the other two choices are refused."""
    version = publish_with_lot()
    assert version.parsed.draws_by_token
    token = sign_in_the_open(version, secrets.token_bytes(32))
    seed = f"candor asked {version.sha256} {token['signature']}".encode()
    drawn = [0 if is_asked else None for is_asked in draw_questions(version.design, seed)]
    others = [[None, 0, 0], [0, None, 0], [0, 0, None]]
    others.remove(drawn)
    for record in others:
        refused = send(client, "study", submission(version, token=token, record=record))
        assert (refused.status_code, refused.json()["error"]) == (422, "content")
    assert send(client, "study", submission(version, token=token, record=drawn)).status_code == 201


def test_direct_respondents_are_asked_what_their_token_draws(client: Client) -> None:
    """What is asked is public for everybody, and nobody chooses it."""
    version = publish_with_lot()
    token = sign_in_the_open(version, secrets.token_bytes(32))
    seed = f"candor asked {version.sha256} {token['signature']}".encode()
    other = [None if is_asked else 0 for is_asked in draw_questions(version.design, seed)]
    other[other.index(None)] = 0
    refused = send(client, "study", submission(version, token=token, direct=1, record=other))
    assert refused.status_code == 422


def test_questionnaires_from_before_leave_the_draw_to_the_device(client: Client) -> None:
    """Their bytes say nothing of it, and any draw is taken, as it was promised."""
    version = publish_with_lot()
    source = {name: value for name, value in version.parsed.source.items() if name != "drawn"}
    assert not Definition.parse(source).draws_by_token


def test_only_where_a_token_draws_it_is_it_said_so() -> None:
    """An open survey has no token, and where all is asked nothing is drawn."""
    everything, free = publish(make_survey("all", access="invitation")), publish_with_lot("open", "free")
    assert [version.parsed.draws_by_token for version in (everything, free)] == [False, False]
    with pytest.raises(InputError, match="drawn"):
        Definition.parse({**free.parsed.source, "drawn": True})
