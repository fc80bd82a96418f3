"""A study: the device draws the arm before the first page, goes on to its survey, and draws once."""

import json
from collections.abc import Callable
from hashlib import sha256 as sha256_of
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from privacy.design.rationals import ONE
from tests.cases import first
from tests.client.invitations import SECRET, to_text
from tests.client.questionnaires import bytes_of, one_coin, sha256
from tests.client.wire import ORIGIN, Wire, activate, local_storage

ARM = one_coin(slug="arm")


def study(here: int, **more: Any) -> dict[str, Any]:
    arms = [{"slug": "arm", "version": sha256(ARM), "chance": ONE - here}]
    return one_coin(study={"here": here, "arms": arms}, **more)


def open_study(page: Page, source: dict[str, Any], search: str = "") -> Wire:
    """The link of a study on a site that has its arm, too."""
    wire = Wire(source).attach(page.context)
    page.context.route(f"{ORIGIN}/s/arm/questionnaire", lambda route: route.fulfill(body=bytes_of(ARM)))
    page.goto(wire.link().replace("/#", f"/{search}#"))
    page.get_by_role("heading", level=1).wait_for()
    return wire


def test_the_device_goes_on_to_the_arm_that_it_drew(page: Page) -> None:
    """With the questionnaire's hash, and with what else the address has; it sends there, and Back leads to no draw."""
    open_study(page, study(1), "?group=a")
    expect(page).to_have_url(f"{ORIGIN}/s/arm/?group=a#v={sha256(ARM)}")
    page.get_by_role("heading", level=1).wait_for()

    assert page.locator(".protection").count() == 1
    assert [(entry["state"], entry["arm"]) for entry in local_storage(page).values()] == [("arm", "arm")]


@pytest.mark.parametrize(("here", "more"), first(1, [(ONE - 1, {}), (1, {"trial": True})]))
def test_who_is_drawn_for_this_survey_or_tries_it_stays(page: Page, here: int, more: dict[str, Any]) -> None:
    """The page is that of any survey."""
    wire = open_study(page, study(here, **more))

    assert page.url == wire.link()
    assert page.get_by_role("button", name="I agree – begin").count() == 1


def test_a_draw_is_kept(page: Page) -> None:
    """Nobody can come again until another arm is drawn: here hardly any draw is this arm."""
    source = study(ONE - 1)
    wire = open_study(page, source)
    kept = {**next(iter(local_storage(page).values())), "arm": "arm"}
    page.evaluate(
        "([place, entry]) => localStorage.setItem(place, entry)", [f"candor:{sha256(source)}:arm", json.dumps(kept)]
    )
    page.goto("about:blank")
    page.goto(wire.link())
    expect(page).to_have_url(f"{ORIGIN}/s/arm/#v={sha256(ARM)}")


@pytest.mark.parametrize(("word", "arm"), [(0, None), (99, None), (100, "a"), (299, "a"), (300, "b"), (ONE - 1, "b")])
def test_one_word_draws_the_arm_by_its_share(evaluate: Callable[..., Any], word: int, arm: str | None) -> None:
    """By whole numbers out of 2^32, this survey first."""
    chances = {"here": 100, "arms": [{"slug": "a", "chance": 200}, {"slug": "b", "chance": ONE - 300}]}
    function = "({drawnArm}, [study, word]) => drawnArm(study, () => word)?.slug ?? null"
    assert evaluate("features/study/study.js", function, [chances, word]) == arm


@pytest.mark.parametrize(
    ("search", "fragment", "address"),
    [("", "#v=1", "../arm/#v=2"), ("?pid=7", "#v=1&w=2", "../arm/?pid=7#v=2&w=2"), ("", "#s=entry&v=1", "#s=arm&v=2")],
)
def test_an_arm_has_the_address_of_this_page(
    evaluate: Callable[..., Any], search: str, fragment: str, address: str
) -> None:
    """Of a page at an origin of its own, too, whose fragment names the survey."""
    function = "({addressOf}, [search, hash]) => addressOf({slug: 'arm', version: '2'}, {search, hash})"
    assert evaluate("features/study/study.js", function, [search, fragment]) == address


PRIME = 2**3072 - 1103717  # nobody signs with it: a modulus that any message can be blinded for
INVITED = {"access": "invitation", "key": {"n": to_text(PRIME.to_bytes(384)), "e": "AQAB"}}


def open_invited(page: Page, here: int, drop: str = "") -> tuple[Wire, dict[str, Any]]:
    """By the link of one invitation; `drop` is a part of the arm's address that gets lost."""
    arm = one_coin(slug="arm", study={"of": "tried"}, **INVITED)
    arms = [{"slug": "arm", "version": sha256(arm), "chance": ONE - here}]
    first = one_coin(study={"here": here, "arms": arms}, **INVITED)
    wire = Wire(first).attach(page.context)
    page.context.route(f"{ORIGIN}/s/arm/questionnaire", lambda route: route.fulfill(body=bytes_of(arm)))
    page.goto(f"{wire.link()}&i={SECRET}")
    page.get_by_role("heading", level=1).wait_for()
    if drop:
        lost = page.url.partition(drop)[0]
        page.goto("about:blank")
        page.goto(lost)
        page.get_by_role("heading", level=1).wait_for()
    return wire, first


@pytest.mark.parametrize(("here", "slug"), [(1, "arm"), (ONE - 1, "tried")])
def test_an_arm_exchanges_the_invitation_at_the_first_survey(page: Page, here: int, slug: str) -> None:
    """At Begin, as any survey; the message is the same from every arm, so that the site does not learn which it is."""
    wire, first = open_invited(page, here)
    assert page.url.startswith(f"{ORIGIN}/s/{slug}/#")
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_text("The server did not answer").or_(page.get_by_role("button", name="Try again")).first.wait_for()
    sent = [(address, json.loads(body or "")) for method, address, body in wire.asked if method == "POST"]

    assert [address for address, _said in sent] == [f"{ORIGIN}/s/tried/invitations"]
    assert [{**said, "blinded": ""} for _address, said in sent] == [
        {"version": sha256(first), "invitation": SECRET, "blinded": ""}
    ]


def test_an_invitation_keeps_its_arm(page: Page) -> None:
    """In a later version of the first survey, too: its token is kept there. Another person's invitation draws again."""
    wire, _first = open_invited(page, 1)
    kept = local_storage(page)
    drawn = page.evaluate(
        """async by => {
            const kept = {path: '/s/tried/', state: 'arm', arm: null, by};
            localStorage.setItem(`candor:${'0'.repeat(64)}:${by}:arm`, JSON.stringify(kept));
            return Object.keys(localStorage).length;
        }""",
        sha256_of(b"another").hexdigest(),
    )
    page.goto("about:blank")
    page.goto(f"{wire.link()}&i=another")
    page.get_by_role("heading", level=1).wait_for()

    assert ([entry["arm"] for entry in kept.values()], drawn) == (["arm"], 2)
    assert page.url == f"{wire.link()}&i=another"


def test_an_arm_whose_link_lacks_its_first_survey_says_so(page: Page) -> None:
    """Nothing is exchanged at random."""
    wire, _first = open_invited(page, 1, drop="&d=")
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", level=1, name="This link is incomplete: open the whole link").wait_for()

    assert [method for method, _address, _body in wire.asked if method == "POST"] == []


@pytest.mark.long
def test_chances_that_are_not_all_people_are_refused(page: Page) -> None:
    """Or an arm that is no survey of this site."""
    for wrong in ({"here": 5}, {"arms": [{"slug": "../x", "version": "0" * 64, "chance": ONE - 1}]}):
        source = study(1)
        source["study"] |= wrong
        open_study(page, source)

        assert page.get_by_role("button", name="I agree – begin").count() == 0
