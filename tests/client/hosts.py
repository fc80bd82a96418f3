"""A page of another site that holds a survey in a frame, and hears what it tells."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import ThreadingHTTPServer

from playwright.sync_api import Frame, Page, TimeoutError

from surveys.domain.page import bundle
from tests.servers import PATIENCE, Quiet, answering, wait_until

QUESTIONS = ("drugs?", "cheating?", "theft?")
LISTEN = """<script>
const heard = [];
addEventListener('message', ({origin, data}) => heard.push([origin, JSON.stringify(data)]));
addEventListener('candor', ({detail}) => heard.push(['event', JSON.stringify(detail)]));
</script>"""


@contextmanager
def host(html: Callable[[str], str] = str) -> Iterator[str]:
    """A site of one page, which asks for what is behind its `?`: `html` of that. Its origin."""

    class Host(Quiet):
        def answer(self) -> None:
            body = f"<!doctype html><meta charset=utf-8><title>Host</title>{html(self.path)}".encode()
            self.reply(body, [("Content-Type", "text/html; charset=utf-8")])

    with answering(ThreadingHTTPServer(("127.0.0.1", 0), Host)) as site:
        yield f"http://127.0.0.1:{site.server_port}"


def frame_of(address: str, script: bool = True, more: str = "") -> str:
    """What a researcher puts into the page."""
    site = address.split("/f/")[0]
    loaded = (
        f'<script src="{site}/client/{bundle.HOST}" integrity="{bundle.integrity(bundle.HOST)}"'
        ' crossorigin="anonymous"></script>'
    )
    frame = f'<iframe src="{address}" title="Survey" style="width: 100%; height: 700px; border: 0" {more}></iframe>'
    return LISTEN + frame + (loaded if script else "")


def survey_in(page: Page) -> Frame:
    """The survey's own page, once its first heading is there.

    Playwright may lose a frame whose address the script changes while it loads: then the page is loaded again.
    """

    def frame_here() -> Frame | None:
        return page.locator("iframe").element_handle().content_frame()

    wait_until(lambda: frame_here() is not None or bool(page.reload() and False), PATIENCE, "the frame is there")
    frame = frame_here()
    assert frame is not None
    frame.get_by_role("heading", level=1).wait_for()
    return frame


def until(act: Callable[[], object], done: Callable[[], bool]) -> None:
    """Press again until it counts: what has just come into sight does not."""

    def counts() -> bool:
        act()
        return done()

    wait_until(counts, PATIENCE, "a press counts")


def press(frame: Frame, name: str) -> None:
    """A press that counts disables the button or takes it away, perhaps while the next press is tried."""
    button = frame.get_by_role("button", name=name, disabled=False)

    def click() -> None:
        with suppress(TimeoutError):
            if button.count():
                button.click(timeout=2000)

    until(click, lambda: not button.count())


def say(frame: Frame, question: str, answer: str) -> None:
    group = frame.get_by_role("radiogroup", name=question)
    option = group.locator(".option").filter(has_text=answer)
    until(option.click, group.get_by_role("radio", name=answer, exact=True).is_checked)


def respond(frame: Frame, *answers: str) -> None:
    """All the way to the receipt."""
    press(frame, "I agree – begin")
    for question, answer in zip(QUESTIONS, answers, strict=True):
        say(frame, question, answer)
    press(frame, "Continue")
    press(frame, "Disguise and send")
    frame.locator("code.receipt").first.wait_for(state="attached")
