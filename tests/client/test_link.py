"""What the page makes of a link: the questionnaire it names, or the reason why it stops."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from surveys.domain.page import bundle
from tests.cases import first
from tests.client.questionnaires import one_coin, one_word, open_question, sha256
from tests.client.wire import Answer, Wire, activate, answer_one_coin, arrive, begin, heading, respond, visit_in

KEY = {"n": "x", "e": "AQAB"}
ENDED = "1" * 64


def test_a_link_with_the_right_hash_opens_without_a_warning(page: Page, wire: Wire) -> None:
    """The check mark holds: nothing needs to be said."""
    assert page.get_by_text("check mark").count() == 0


def test_a_link_with_a_wrong_hash_stops(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A questionnaire that was changed on its way, or by the site, is not shown."""
    wire = open_survey(fragment="v=" + "0" * 64)
    assert heading(page) == "This is not the questionnaire of your link"
    assert page.get_by_text("No answer has been sent.").is_visible()
    assert page.locator(".protection").count() == 0
    assert wire.posts == []


@pytest.mark.parametrize("more", first(1, ["", "&i=secret", None]), ids=["open", "invited", "not invited"])
def test_a_link_of_an_ended_version_says_so_and_offers_the_new_one(page: Page, more: str | None) -> None:
    """In the languages of the survey. The new version opens as one that the link does not check; who would need an
    invitation reads that instead.
    """
    asking = one_coin(languages=["en", "zh-Hans"]) | ({} if more == "" else {"access": "invitation", "key": KEY})
    wire = Wire(asking, known={ENDED}).attach(page.context)
    page.goto(wire.link(f"v={ENDED}{more or ''}"))
    page.get_by_role("heading", name="A newer version has replaced this one").wait_for()
    assert page.locator("header option").all_inner_texts() == ["English", "简体中文"]
    assert page.get_by_text("No answer has been sent.").is_visible()
    assert wire.posts == []
    newer = page.get_by_role("button", name="See the new version")
    if more is None:
        assert newer.count() == 0
        assert page.get_by_text("The newer one is for invited people only").is_visible()
        return
    activate(newer)
    if more:  # nothing says which questionnaire the invitation is to
        page.get_by_role("heading", name="This link is incomplete: open the whole link").wait_for()
    else:
        page.get_by_text("We cannot check this link").wait_for()


def test_a_link_without_a_hash_shows_a_fingerprint(page: Page, open_survey: Callable[..., Wire]) -> None:
    """An open survey works, and says what this link cannot promise."""
    open_survey(fragment="")
    assert page.get_by_text("We cannot check this link").is_visible()
    assert page.locator("code").inner_text().replace(" ", "") == sha256(one_coin())[:16]


@pytest.mark.parametrize(
    "fragment",
    [
        "v=" + "0" * 63,
        *(pytest.param(cut, marks=pytest.mark.long) for cut in ("v=", "v=0123456789abcdef", "v=" + "g" * 64)),
    ],
)
def test_a_shortened_check_mark_is_said_to_be_one(page: Page, open_survey: Callable[..., Wire], fragment: str) -> None:
    """Nobody suspects the site because a messenger cut the link."""
    open_survey(fragment=fragment)
    assert heading(page) == "This link is incomplete: open the whole link"


@pytest.mark.parametrize("fragment", first(1, ["i=secret", None]), ids=["no check mark", "no invitation"])
def test_an_incomplete_invitation_is_refused_in_the_languages_of_the_survey(
    page: Page, open_survey: Callable[..., Wire], fragment: str | None
) -> None:
    """By invitation means by the whole link. Of a survey in English and Chinese the page that says so offers these two,
    not all that the site has.
    """
    open_survey(one_coin(access="invitation", key=KEY, languages=["en", "zh-Hans"]), fragment=fragment)
    assert heading(page) == "This link is incomplete: open the whole link"
    assert page.locator("header option").all_inner_texts() == ["English", "简体中文"]


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        pytest.param({"status": 404}, "There is no such survey: check the link", marks=pytest.mark.long),
        ({"status": 403}, "This survey is not open yet"),
        pytest.param({"status": 410}, "This survey is closed", marks=pytest.mark.long),
        pytest.param({"status": 500}, "No connection", marks=pytest.mark.long),
        pytest.param({"status": 503}, "Too many at once: try again in some minutes", marks=pytest.mark.long),
        ({"abort": True}, "No connection"),
    ],
    ids=["unknown", "early", "late", "broken", "busy", "offline"],
)
def test_a_questionnaire_that_cannot_be_had_is_explained(
    page: Page, open_survey: Callable[..., Wire], answer: Answer, title: str
) -> None:
    """Each reason has its page, and nothing was sent."""
    open_survey(questionnaire=answer)
    assert heading(page) == title
    assert page.get_by_text("No answer has been sent.").is_visible()


@pytest.mark.long
def test_looks_that_cannot_be_had_are_no_fault_of_the_questionnaire(page: Page) -> None:
    """On a bad line some files of a page come and others do not."""
    wire = Wire(one_word()).attach(page.context)
    page.context.route("**/word.css", lambda route: route.abort())
    page.goto(wire.link())
    assert heading(page) == "No connection"


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [b'{"candor":1,"pages":[],"design":{"blocks":[{"items":[{"id":"a"}]}]}}', b"no json", b"\xff", b'{"candor":2}'],
)
def test_a_questionnaire_in_another_form_is_not_shown(
    page: Page, open_survey: Callable[..., Wire], body: bytes
) -> None:
    """What this page does not understand it does not guess."""
    open_survey(questionnaire={"body": body}, fragment="")
    assert heading(page) == "This questionnaire cannot be shown"


def _depends_on_a_sensitive_one(definition: dict[str, Any]) -> None:
    """What is shown would tell what was answered, and a hidden item has no answer to disguise."""
    definition["pages"][0]["questions"][1]["when"] = {"question": "drugs", "is": ["1"]}


def _open_one_depends_on_a_sensitive_one(definition: dict[str, Any]) -> None:
    """The undisguised answer would give the sensitive one away."""
    asked = open_question("often", "number", "How often?", "多久一次？", when={"question": "drugs", "is": ["1"]})
    definition["pages"][0]["questions"].append(asked)


def _twice(definition: dict[str, Any]) -> None:
    """An undisguised question of the same name would send the sensitive answer as given."""
    question = definition["pages"][0]["questions"][0]
    definition["pages"][0]["questions"].append({**question, "sensitive": False})


def _unsendable(definition: dict[str, Any]) -> None:
    """Who has the answer that fits no option could send nothing, and that would tell it."""
    definition["pages"][0]["questions"][0].update(type="scale", min=1, max=2)


def _make_text(definition: dict[str, Any]) -> None:
    definition["pages"][0]["questions"][0]["type"] = "text"


def _not_asked(definition: dict[str, Any]) -> None:
    del definition["pages"][0]["questions"][0]


def _item_twice(definition: dict[str, Any]) -> None:
    """Two draws for one answer tell more than one; the other question's answer would go nowhere."""
    items = definition["design"]["blocks"][0]["items"]
    items[1] = items[0]


def _kept_above_one(definition: dict[str, Any]) -> None:
    definition["design"]["blocks"][0]["keep"] = 2**32 + 1


def _no_language(definition: dict[str, Any]) -> None:
    definition["languages"] = ["no language"]


@pytest.mark.parametrize(
    "spoil",
    first(
        3,
        [
            _depends_on_a_sensitive_one,
            _unsendable,
            _twice,
            _open_one_depends_on_a_sensitive_one,
            _make_text,
            _not_asked,
            _item_twice,
            _kept_above_one,
            _no_language,
        ],
    ),
)
def test_a_questionnaire_that_would_ask_or_send_wrongly_is_not_shown(
    page: Page, open_survey: Callable[..., Wire], spoil: Callable[[dict[str, Any]], None]
) -> None:
    """No matter who wrote it: nothing is asked that could not be disguised and sent as published."""
    definition = one_coin()
    spoil(definition)
    open_survey(definition)
    page.get_by_role("heading", name="This questionnaire cannot be shown").wait_for()


def test_texts_are_shown_as_they_are_written(page: Page, open_survey: Callable[..., Wire]) -> None:
    """No text of an author becomes part of the page, and names that mean something to a program mean nothing."""
    definition = one_coin(title={"en": "<img src=x onerror=alert(1)>" + "w" * 2000, "__proto__": "x"})
    del definition["closing"]
    question = {"id": "__proto__", "type": "text", "sensitive": False, "text": {"en": "</p><script>"}, "max": 50}
    definition["pages"][0]["questions"].append(question)
    wire = open_survey(definition)
    assert heading(page).startswith("<img src=x onerror=alert(1)>www")
    begin(page)
    page.get_by_label("</p><script>").fill("kept")
    answer_one_coin(page)
    arrive(page)
    assert '"open":{"__proto__":"kept"}' in wire.posts[0]
    assert wire.said == []


@pytest.mark.long
def test_a_size_that_holds_no_response_sends_nothing(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A body of its own length would tell of the answers in it; the page says that it stopped."""
    wire = open_survey(one_coin(pad=10))
    respond(page)
    page.get_by_role("heading", name="This questionnaire cannot be shown").wait_for()
    assert wire.posts == []


@pytest.mark.long
@pytest.mark.parametrize("pad", [None, -1, "much"])
def test_a_questionnaire_without_a_size_is_not_shown(page: Page, open_survey: Callable[..., Wire], pad: object) -> None:
    """Nobody answers what cannot be sent."""
    open_survey(one_coin(pad=pad))
    assert heading(page) == "This questionnaire cannot be shown"


@pytest.mark.long
def test_another_link_in_the_same_tab_is_followed(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Who pastes the right link over a wrong one gets the right page."""
    wire = open_survey(fragment="v=" + "0" * 64)
    page.goto(wire.link())
    page.get_by_role("heading", name="Student life and health").wait_for()


def test_a_disguise_that_hides_nothing_is_not_praised(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Where someone could become certain, the page says so in place of a number."""
    definition = one_coin()
    definition["design"]["blocks"][0]["keep"] = 2**32 - 1
    open_survey(definition)
    assert page.locator(".protection > .promise").last.inner_text().startswith("The disguise here is weak")
    assert page.get_by_text("So nobody who sees").count() == 0


def test_a_test_a_demonstration_and_an_override_say_that_they_are(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Nobody takes a rehearsal for the real thing, and a person who lowers the protection stands by it in front of the
    respondents.
    """
    override = {"by": "Dr. No", "reason": "A pilot.", "gamma": 40.0, "limit": 19.0}
    open_survey(one_coin(trial=True, simulated=True, override=override))
    banners = [banner.replace("“", "").replace("”", "") for banner in page.locator(".caution").all_inner_texts()]
    assert [banner[:5] for banner in banners[:2]] == ["A tes", "A dem"]
    assert "Dr. No takes responsibility: A pilot." in banners[2]
    assert len(banners) == 3


def test_without_a_secure_context_nothing_is_asked(page: Page) -> None:
    """Plain http from another machine: the page says why it stops, before it fetches the questionnaire."""
    wire = Wire(one_coin())
    asked = []

    def answer(route) -> None:  # type: ignore[no-untyped-def]
        asked.append(route.request.url)
        path = route.request.url.removeprefix("http://survey.example")
        file = bundle.files()[bundle.names().get(path.removeprefix("/client/"), bundle.PAGE)]
        route.fulfill(body=file.body, headers={"Content-Type": file.type})

    page.route("**/*", answer)
    page.goto("http://survey.example/s/tried/" + wire.link()[len("http://localhost/s/tried/") :])
    page.get_by_role("heading", name="Nothing can be protected here: this page came without https").wait_for()
    assert [address for address in asked if address.endswith("questionnaire")] == []


def test_without_javascript_the_page_says_so_and_leads_to_other_languages(browser: Browser) -> None:
    """There is no fallback that would send answers as they are."""
    with visit_in(browser, Wire(one_coin()), java_script_enabled=False) as page:
        assert page.locator("h1").all_inner_texts() == ["Nothing can be protected here"]
        assert page.locator("form, input, button").count() == 0
        page.get_by_role("link").click()
        page.get_by_text("此处无法提供保护").wait_for()
        assert page.locator("form, input, button").count() == 0
