"""What a page explains of the disguise: its promise, practice, and the question about it."""

import re

from playwright.sync_api import Locator, Page

from tests.client.wire import activate

TITLE = "One question about the disguise"
PRACTICE = "Try the disguise"
DRAWS = """(practised, times) => {
  const show = practised.querySelector('.buttons > button');
  for (let time = 0; time < times; time++) show.click();
}"""
Counts = dict[tuple[str, str], int]


def practise(page: Page) -> None:
    activate(page.get_by_role("button", name=PRACTICE))
    page.get_by_role("heading", level=1, name=PRACTICE).wait_for()


def draw(practised: Locator, times: int = 1) -> Counts:
    """How often which answer was stored as what, after so many more draws of the answer that is given."""
    practised.evaluate(DRAWS, times)
    rows = [row.locator("th, td").all_inner_texts() for row in practised.locator("tbody tr").all()]
    return {(said, stored): int(count) for said, stored, count in rows}


def promise_on(page: Page) -> list[str]:
    """All sentences: the first is in sight, the fold has the others."""
    open_fold(page)
    told = page.locator(".protection > .promise").all_inner_texts()
    return told[:1] + page.locator("main > details .promise").all_inner_texts()


def open_fold(page: Page) -> None:
    if page.locator("details").first.get_attribute("open") is None:
        activate(page.locator("summary").first)


def reach(page: Page) -> None:
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", level=1, name=TITLE).wait_for()


def press(page: Page, answer: str) -> str:
    activate(page.get_by_role("group").get_by_role("button", name=answer, exact=True))
    return page.get_by_role("status").inner_text()


def why(of: int, some: int, stored: str) -> str:
    return (
        f"Of {of} people who would say something else, the site stores about {some} as “{stored}”. "
        "So nobody who sees it alone can be sure."
    )


def sent_on(page: Page) -> list[list[str]]:
    """What the receipt says was sent, line by line, in a fold that nobody has opened."""
    fold = page.locator("main > details", has_text="it need not be true of you")
    assert fold.get_attribute("open") is None
    return [line.locator("p").all_text_contents() or line.all_text_contents() for line in fold.locator("li").all()]


def limit_on(page: Page) -> tuple[str, str]:
    """How sure somebody was, and can become, as the receipt says in a fold."""
    fold = page.locator("main > details", has_text="How sure could somebody become?")
    said = re.fullmatch(
        r"The exact limit: somebody (\S+) sure of your answer before can become (\S+) sure at most, never certain\.",
        fold.locator("p").text_content() or "",
    )
    assert said
    return said[1], said[2]
