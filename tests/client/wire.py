"""The respondent's page in a browser over a wire that a test holds in its hand: what the server says, what left."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route

from surveys.domain.page import bundle
from tests.client.questionnaires import bytes_of, sha256

ORIGIN = "http://localhost"
HEARD = ("console", "weberror", "request", "requestfinished")  # of a context
LINES_OF_HEADER = "document.querySelector('header').offsetHeight / parseFloat(getComputedStyle(document.body).fontSize)"
Answer = dict[str, Any]  # what Route.fulfill takes, or {"abort": True} for a broken line


def receipt_of(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def accept(body: str) -> Answer:
    return {"status": 201, "json": {"receipt": receipt_of(body)}}


def refusal(status: int, code: str = "some", **headers: str) -> Callable[[str], Answer]:
    return lambda _body: {"status": status, "json": {"error": code, "message": "No."}, "headers": headers}


def abort(_body: str) -> Answer:
    return {"abort": True}


@dataclass
class Wire:
    """One survey's addresses. `reply` decides what a sent response gets back; everything that left is in `asked`."""

    definition: dict[str, Any]
    reply: Callable[[str], Answer] = accept
    sign: Callable[[str], Answer] = abort
    questionnaire: Answer | None = None
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)  # method, address, body
    known: set[str] = field(default_factory=set)  # hashes of the survey's versions
    media: dict[str, bytes] = field(default_factory=dict)  # files of the questionnaire, by their names
    full: Answer = field(default_factory=lambda: {"json": {}})  # of which groups there are enough
    said: list[str] = field(default_factory=list)  # what the page wrote to the console
    version: str = field(default_factory=bundle.version)

    def attach(self, context: BrowserContext) -> "Wire":
        context.route("**/*", self._answer)
        context.on("console", lambda message: self.said.append(message.text))
        context.on("weberror", lambda error: self.said.append(str(error.error)))
        return self

    def upgrade(self) -> None:
        """The site has a new version: its page names other addresses, and nothing is left at those of the old one."""
        self.version = "0" * len(self.version)

    @property
    def posts(self) -> list[str]:
        return [
            body or "" for method, address, body in self.asked if method == "POST" and address.endswith("responses")
        ]

    def link(self, fragment: str | None = None) -> str:
        hash_ = f"v={sha256(self.definition)}"
        return f"{ORIGIN}/s/tried/#{hash_ if fragment is None else fragment}"

    def _answer(self, route: Route) -> None:
        request = route.request
        address = request.url.split("#")[0]
        body = request.post_data
        self.asked.append((request.method, address, body))
        path = address.removeprefix(ORIGIN)
        answer: Answer
        if path.startswith("/client/"):
            name = path.removeprefix("/client/").removeprefix(f"{self.version}/")
            found = bundle.files().get(name)
            answer = {"body": found.body, "headers": _headers(found.type)} if found else {"status": 404}
        elif path.endswith("/questionnaire"):
            answer = self.questionnaire or {"body": bytes_of(self.definition), "content_type": "application/json"}
        elif path.endswith("/responses"):
            answer = self.reply(body or "")
        elif path.endswith("/invitations"):
            answer = self.sign(body or "")
        elif "/versions/" in path:
            answer = {"status": 200 if path.rpartition("/")[2] in self.known else 404, "json": {}}
        elif path.endswith("/groups"):
            answer = self.full
        elif "/media/" in path:
            found_file = self.media.get(path.rpartition("/")[2])
            answer = {"status": 404, "json": {}} if found_file is None else {"body": found_file}
        elif "/receipts/" in path:
            known = path.rpartition("/")[2] in map(receipt_of, self.posts)
            answer = {"status": 200 if known else 404, "json": {}}
        else:
            file = bundle.files()[bundle.PAGE]
            html = file.body.replace(bundle.version().encode(), self.version.encode())
            answer = {"body": html, "headers": _headers(file.type)}
        if answer.get("abort"):
            route.abort("connectionreset")
        else:
            route.fulfill(**answer)


def _headers(content_type: str) -> dict[str, str]:
    return {"Content-Type": content_type, "Content-Security-Policy": bundle.CONTENT_SECURITY_POLICY}


@contextmanager
def visit_in(browser: Browser, wire: Wire, **options: Any) -> Iterator[Page]:
    """The page of the survey in a context of its own, for what belongs to contexts: a language, a colour, a size."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(wire.attach(context).link())
    page.locator("h1").first.wait_for()
    yield page
    context.close()


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def speak(page: Page, *languages: str) -> None:
    """What the page reads of its browser's languages, without a context and a process for each."""
    page.add_init_script(f"Object.defineProperty(navigator, 'languages', {{value: {list(languages)}}})")


def look_at(page: Page) -> None:
    """As a person does who uses it: a browser hardly works on a page that another one covers."""
    page.bring_to_front()


def activate(control: Locator) -> None:
    """As a program that reads pages aloud does. A pointer's way there costs five times as much to draw."""
    control.dispatch_event("click")


def begin(page: Page, direct: bool = False) -> None:
    """Through consent and the choice, where it is offered, to the first question."""
    look_at(page)
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", level=1, name="How do you want to answer?").or_(
        page.locator(".question")
    ).first.wait_for()
    if page.get_by_role("radio", name="Answer directly").count():
        if direct:
            activate(page.get_by_role("radio", name="Answer directly"))
        activate(page.get_by_role("button", name="Continue"))


def every_step(page: Page) -> Iterator[str]:
    """Walk from welcome to receipt by structure, not by words; yields the step it stands on."""
    main = page.locator("button.main")
    yield "welcome"
    main.click()
    page.locator("input[name=way]").first.wait_for()
    yield "choice"
    main.click()
    page.locator(".question").first.wait_for()
    main.click()  # nothing answered yet
    yield "questions with complaints"
    while page.locator(".question").count():
        for group in page.get_by_role("radiogroup").all():
            if group.is_visible():
                group.get_by_role("radio").first.check()
        if page.locator("#q-hours").is_visible():
            page.locator("#q-hours input").fill("7")
        page.evaluate("scrollTo(0, 0)")  # the header lies over what is scrolled below it
        yield "questions"
        main.click()
    yield "review"
    main.click()
    page.locator("[role=status]").first.wait_for()
    yield "sending"
    page.locator("button.main").click()
    page.locator("code.receipt").wait_for(state="attached")
    yield "receipt"


def say(page: Page, question: str, answer: str) -> None:
    activate(page.get_by_role("radiogroup", name=question).get_by_role("radio", name=answer, exact=True))


def answer_one_coin(page: Page, *answers: str) -> None:
    """Answer the three questions of the demo's setting and stop before Send."""
    for question, answer in zip(("illegal drugs", "examination", "shop"), answers or ("Yes", "No", "Yes"), strict=True):
        say(page, question, answer)
    activate(page.get_by_role("button", name="Continue"))


def answer_disguised(page: Page) -> None:
    """Answer the disguised questions of `everything` and stop at those of its last page."""
    say(page, "illegal drugs", "Yes")
    say(page, "How old", "50+")
    say(page, "trust the police", "4")
    for _page in range(2):
        activate(page.get_by_role("button", name="Continue"))


def send(page: Page) -> None:
    look_at(page)
    activate(page.get_by_role("button", name="Send", exact=False))


def respond(page: Page, direct: bool = False) -> None:
    """All the way from consent in the demo's setting: what comes after Send is the test's."""
    begin(page, direct)
    answer_one_coin(page)
    send(page)


def arrive(page: Page) -> None:
    """Send, and wait for the receipt."""
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()


def respond_and_arrive(page: Page, direct: bool = False) -> None:
    respond(page, direct)
    page.get_by_role("heading", name="Thank you").wait_for()


def entries(page: Page) -> list[str]:
    """The addresses that Back and Forward lead to, oldest first, the present one among them."""
    history = page.context.new_cdp_session(page).send("Page.getNavigationHistory")
    return [entry["url"] for entry in history["entries"]]


def local_storage(page: Page) -> dict[str, Any]:
    """What the page keeps on the device."""
    return {place: json.loads(entry) for place, entry in page.evaluate("Object.entries(localStorage)")}
