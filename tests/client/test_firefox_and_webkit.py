"""The whole way of a respondent in the browsers that people have beside Chromium, on the real site."""

from collections.abc import Iterator

import numpy as np
import pytest
from pytest_django.live_server_helper import LiveServer

from privacy.records.packing import unpack
from surveys.domain.invite import invite
from surveys.domain.publish import publish
from surveys.models import Inbox, SpentToken, SurveyVersion
from tests.client.line import Line, line_to
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import make_survey
from tests.webdriver import Window

pytestmark = pytest.mark.django_db(transaction=True)

FROM = "/robots.txt"  # any page
QUESTIONS = ("drugs?", "cheating?", "theft?")


@pytest.fixture
def line(live: LiveServer) -> Iterator[Line]:
    """The way to the site; its address is new in each test, so that nothing is kept from before."""
    with line_to(live.thread.port) as line:
        yield line


def open_by(window: Window, line: Line, version: SurveyVersion, secret: str = "") -> None:
    """The whole link of a survey, from another page."""
    invitation = f"&i={secret}" if secret else ""
    window.go(line.url + FROM)
    window.go(f"{line.url}/s/{version.survey.slug}/#v={version.sha256}{invitation}")
    window.see("I agree – begin")


def practise(window: Window) -> None:
    window.press("Try the disguise")
    window.press("Yes")
    window.see("You said Yes. Stored would be:")
    window.press("To the survey")


def begin(window: Window) -> None:
    """To the first question, by the disguise where there is a choice."""
    window.press("I agree – begin")
    window.see("How do you want to answer?")
    window.press("Continue")


def answer(window: Window, *answers: str) -> None:
    for question, given in zip(QUESTIONS, answers, strict=True):
        window.tick(question, given)
    window.press("Continue")
    window.see("Check your answers")


def go_back(window: Window, to: str) -> None:
    window.back()
    window.see(to)


def leave_quickly(window: Window, line: Line) -> None:
    """To an empty page: Back leads to where the person came from, Forward to empty pages, and no entry is the survey's.

    Addresses tell it, and another tab goes on: WebKit loses what its window is asked for while it goes to such a page.
    """
    window.press("Leave quickly")
    window.see_address("about:blank")
    window.back()
    window.see_address(line.url + FROM)
    window.forward()
    window.see_address("about:blank")
    window.forward()
    window.see_address(f"{line.url}/client/empty.html")
    window.new_tab()


def shown(window: Window) -> list[str]:
    """What the receipt says was sent, question by question."""
    cells = "document.querySelectorAll('tbody tr:has(th) td:nth-child(2)')"
    return list(window.run(f"return [...{cells}].map((cell) => cell.innerText)"))


def test_the_whole_way_of_somebody_invited(window: Window, line: Line) -> None:
    """Practice, answers, a step back, no network for a while, the receipt; then nothing is left, and the link is used.

    Stored is what the receipt shows, once, and the answers leave the device once, as a disguised record.
    """
    version = publish(make_survey(access="invitation"))
    (secret,) = invite(version.survey, "first", 1)
    open_by(window, line, version, secret)
    practise(window)
    begin(window)
    answer(window, "Yes", "No", "Yes")
    line.cut()
    go_back(window, "Continue")
    assert window.ticked() == ["Yes", "No", "Yes"]
    window.press("Continue")
    window.press("Disguise and send")
    window.see("They have not arrived yet.")
    line.mend()
    window.press("Try again")
    window.see("Thank you")
    stored_codes = [["No", "Yes"].index(word) for word in shown(window)]
    window.press("Ask the server")
    window.see("The server holds this response.")
    leave_quickly(window, line)
    open_by(window, line, version, secret)
    window.press("I agree – begin")
    window.see("This invitation has been used")

    (sent,) = line.posted("responses")
    (waits,) = responses_waiting(version)
    arrived = unpack(version.design, np.frombuffer(waits.record, np.uint8).reshape(1, -1))
    assert arrived.codes.tolist() == [sent["record"]] == [stored_codes]
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)
    assert len(line.posted("invitations")) == 2
