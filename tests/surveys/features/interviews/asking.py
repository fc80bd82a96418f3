"""An interviewer and a person at work on the page: by hands, or as fast as the page lets them."""

from typing import Any

from playwright.sync_api import Page

# Interviews one after the other, inside the page; each person gives the number that is theirs.
FAST = """async ([from, to]) => {
    const found = find => new Promise(done => {
        const look = () => (find() ? done(find()) : setTimeout(look));
        look();
    });
    const press = async text =>
        (await found(() => [...document.querySelectorAll('button')].find(one => one.textContent === text))).click();
    const heading = text => found(() => document.querySelector('h1')?.textContent === text);
    for (let number = from; number < to; number += 1) {
        await press(number === from ? 'First person' : 'Next person: clear this screen');
        await press('Yes: begin');
        const field = await found(() => document.querySelector('input.field'));
        field.value = `${number}`;
        field.dispatchEvent(new Event('input', {bubbles: true}));
        await press('Continue');
        await press('I turn it round now');
        await press('Continue');
        await found(() => document.querySelector('fieldset'));
        for (const set of document.querySelectorAll('fieldset')) set.querySelectorAll('input')[number % 2].click();
        await press('Continue');
        await press('I am the interviewer');
        await heading('Kept. Not sent yet.');
    }
}"""

KEPT = """name => new Promise((done, failed) => {
    const asked = indexedDB.open('candor-interviews');
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
        const rows = asked.result.transaction(name).objectStore(name).getAll();
        rows.onsuccess = () => {
            asked.result.close();
            const text = box => btoa(Array.from(new Uint8Array(box), byte => String.fromCharCode(byte)).join(''));
            done(rows.result.map(({box, boxes, bytes, ...row}) => ({
                ...row, ...(box && {box: text(box)}), ...(boxes && {boxes: boxes.map(text)}),
            })));
        };
    };
})"""


def kept(page: Page, name: str) -> list[Any]:
    """The rows of one of the tablet's tables, in the order in which it gives them."""
    rows: list[Any] = page.evaluate(KEPT, name)
    return rows


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def interview(page: Page) -> None:
    """One person answers the three questions alone, and it is kept."""
    answer(page)
    page.get_by_role("heading", name="Kept. Not sent yet.").wait_for()


def answer(page: Page, begin: str = "First person", says: str = "No") -> None:
    """One person answers the three questions alone, and gives the tablet back."""
    press(page, begin)
    press(page, "Yes: begin")
    press(page, "I turn it round now")
    press(page, "Continue")
    for question in page.locator("fieldset").all():
        question.get_by_text(says, exact=True).click()
    press(page, "Continue")
    press(page, "I am the interviewer")


def counts(page: Page) -> list[int]:
    """Took part, refused, broken off, not there: as the page shows them."""
    return [int(count) for count in page.locator(".tally dd").all_inner_texts()]
