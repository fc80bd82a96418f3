"""One response per invitation, and no way to tell which: the browser's half of RFC 9474."""

import json
from collections.abc import Callable
from hashlib import sha256 as sha256_of
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from playwright.sync_api import Page

from privacy.design import Design
from privacy.disguise.table import draw_questions
from tests.client.invitations import SECRET, to_bytes, to_text
from tests.client.questionnaires import one_coin, sha256, six_with_lot
from tests.client.wire import (
    ORIGIN,
    Answer,
    Wire,
    abort,
    activate,
    begin,
    local_storage,
    refusal,
    respond_and_arrive,
)


@pytest.fixture
def definition(key: dict[str, str]) -> dict[str, object]:
    return one_coin(access="invitation", key=key)


def exchanges(wire: Wire) -> list[dict[str, str]]:
    return [json.loads(body or "") for _, address, body in wire.asked if address.endswith("invitations")]


@pytest.mark.long
def test_begin_buys_a_token_that_verifies_and_was_never_seen_by_the_signer(
    page: Page,
    open_survey: Callable[..., Wire],
    definition: dict[str, object],
    signer: rsa.RSAPrivateKey,
    sign: Callable[[str], Answer],
) -> None:
    """RSASSA-PSS, SHA-384, a salt of 48 bytes, over 32 random bytes; the exchange carried neither of the two."""
    wire = open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=sign)
    assert page.get_by_text("This invitation works once.").is_visible()
    assert exchanges(wire) == []  # scanners of mail open links, and press no buttons
    respond_and_arrive(page)
    (exchange,) = exchanges(wire)
    token = json.loads(wire.posts[0])["token"]
    signer.public_key().verify(
        to_bytes(token["signature"]),
        to_bytes(token["message"]),
        padding.PSS(padding.MGF1(hashes.SHA384()), 48),
        hashes.SHA384(),
    )
    assert (exchange["version"], exchange["invitation"]) == (sha256(definition), SECRET)
    assert token["message"] not in json.dumps(exchange)
    assert SECRET not in wire.posts[0]
    assert len(wire.posts[0].encode()) == definition["pad"]
    assert wire.said == []


def test_a_panels_number_buys_the_token_and_nothing_else(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, Any], sign: Callable[[str], Answer]
) -> None:
    """It stands in one message, the exchange. The response carries the token alone."""
    panel = {"name": "Prolific", "number": "PROLIFIC_PID", "ends": {"sent": {"code": "C7K2QD9P"}}}
    asking = {**definition, "panel": panel}
    wire = open_survey(asking, fragment=f"v={sha256(asking)}&PROLIFIC_PID=5f1a2b", sign=sign)
    respond_and_arrive(page)
    assert [exchange["invitation"] for exchange in exchanges(wire)] == ["5f1a2b"]
    assert [address for _, address, body in wire.asked if "5f1a2b" in f"{address} {body}"] == [
        f"{ORIGIN}/s/tried/invitations"
    ]
    assert page.locator("code.receipt").first.text_content() == "C7K2QD9P"


@pytest.mark.long
def test_after_closing_a_device_still_knows_what_it_sent_by_a_panels_number(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, Any], sign: Callable[[str], Answer]
) -> None:
    """The refusal does not say that the number is an invitation: what is kept under it is found, receipt and end."""
    ends = {"sent": {"code": "C7K2QD9P"}, "full": {"code": "CFULL111"}}
    panel = {"name": "Prolific", "number": "PROLIFIC_PID", "ends": ends}
    asking = {**definition, "panel": panel}
    wire = open_survey(asking, fragment=f"v={sha256(asking)}&PROLIFIC_PID=5f1a2b", sign=sign)
    respond_and_arrive(page)
    receipts = page.locator("code.receipt").all_text_contents()
    wire.questionnaire = {"status": 410, "json": {"error": "closed", "message": "No.", "panel": panel}}

    page.reload()

    page.get_by_role("heading", name="This survey is closed").wait_for()
    assert page.locator("code.receipt").all_text_contents() == receipts
    assert "No answer has been sent" not in page.locator("main").inner_text()


@pytest.mark.long
def test_a_second_try_asks_for_the_same_signature(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, object], sign: Callable[[str], Answer]
) -> None:
    """A lost reply costs nobody the invitation: the blinded message is kept from before it was sent."""
    wire = open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=abort)
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", name="No connection").wait_for()
    wire.sign = sign
    activate(page.get_by_role("button", name="Try again"))
    begin(page)
    page.locator(".question").first.wait_for()
    assert len(exchanges(wire)) == 2
    assert exchanges(wire)[0] == exchanges(wire)[1]


@pytest.mark.long
def test_what_is_kept_is_named_by_the_hash_of_the_invitation(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, object], sign: Callable[[str], Answer]
) -> None:
    """Two invitations on one device do not meet."""
    open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=sign)
    begin(page)
    assert list(local_storage(page)) == [f"candor:{sha256(definition)}:{sha256_of(SECRET.encode()).hexdigest()}"]


@pytest.mark.long
def test_the_token_draws_what_is_asked(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, Any], sign: Callable[[str], Answer]
) -> None:
    """By the same hashes as the site checks: six questions, of which two are asked, and the same two after a reload."""
    asking = six_with_lot(access="invitation", key=definition["key"], drawn=True)
    open_survey(asking, fragment=f"v={sha256(asking)}&i={SECRET}", sign=sign)
    begin(page)
    page.locator(".question").first.wait_for()
    (entry,) = local_storage(page).values()
    seed = f"candor asked {sha256(asking)} {entry['token']['signature']}".encode()
    assert entry["asked"] == draw_questions(Design.parse(asking["design"]), seed)
    page.reload()
    begin(page)
    page.locator(".question").first.wait_for()
    (again,) = local_storage(page).values()
    assert again["asked"] == entry["asked"]


@pytest.mark.parametrize(
    ("status", "code", "title"),
    [
        pytest.param(403, "invitation", "This invitation is not known: open the whole link", marks=pytest.mark.long),
        (409, "spent", "This invitation has been used, ended on request, or replaced"),
        pytest.param(409, "version", "The questionnaire has changed", marks=pytest.mark.long),
        pytest.param(410, "closed", "This survey is closed", marks=pytest.mark.long),
        pytest.param(429, "rate", "Too many at once: try again in some minutes", marks=pytest.mark.long),
        pytest.param(503, "busy", "Too many at once: try again in some minutes", marks=pytest.mark.long),
    ],
)
def test_an_invitation_that_is_refused_stops_before_the_questions(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, object], status: int, code: str, title: str
) -> None:
    """Nobody answers first and hears afterwards that it was in vain."""
    open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=refusal(status, code))
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", name=title).wait_for()
    assert page.locator(".question").count() == 0


def test_a_signature_that_does_not_verify_is_not_used(
    page: Page, open_survey: Callable[..., Wire], definition: dict[str, object]
) -> None:
    """A site that signs with another key, to mark one person, gains nothing."""
    other = {"json": {"signature": to_text(b"\x01" * 384)}}
    open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=lambda _body: other)
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", name="This invitation is not known: open the whole link").wait_for()


def open_before_an_upgrade(page: Page, wire: Wire) -> None:
    """Open the page, wait until all that it asks for by itself is here, and give the site a new version."""
    awaited = {"vendor/blindrsa.js", "stopped/stopped.js", "en/rare.json"}
    page.context.on("requestfinished", lambda request: awaited.discard("/".join(request.url.split("/")[-2:])))
    wire.attach(page.context)
    page.goto(wire.link(f"v={sha256(wire.definition)}&i={SECRET}"))
    page.get_by_role("heading", level=1).wait_for()
    while awaited:
        page.wait_for_timeout(10)
    wire.upgrade()


@pytest.mark.long
def test_a_page_that_was_opened_before_an_upgrade_begins_after_it(
    page: Page, definition: dict[str, object], sign: Callable[[str], Answer]
) -> None:
    """What Begin needs is here long before: it was asked for as soon as the first page was shown."""
    wire = Wire(definition, sign=sign)
    open_before_an_upgrade(page, wire)
    respond_and_arrive(page)
    assert (len(wire.posts), len(exchanges(wire))) == (1, 1)
