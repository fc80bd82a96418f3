"""`open_survey`: the respondent's page with a questionnaire, over a wire that the test holds in its hand.

It waits until all is here that a visit needs; of what comes while the first page is read, nothing is missing then.
`evaluate`: what a function of one of its modules says under Node, for a quarter of what a visit costs.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from playwright.sync_api import Browser, BrowserContext, Page

from surveys.domain.page import bundle
from tests.browsers import page_alone
from tests.client.invitations import to_bytes, to_text
from tests.client.questionnaires import one_coin
from tests.client.wire import HEARD, ORIGIN, Answer, Wire

ALL_IS_HERE = """async (types) => {
    const came = name => performance.getEntriesByType('resource').some(entry => entry.name.endsWith(`/${name}.js`));
    const isRead = document.querySelector('.protection'); // the first page, or the receipt
    while (isRead && !['questionnaire', 'response', ...types].every(came)) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(scope="session")
def context_for_all(browser: Browser) -> Iterator[BrowserContext]:
    """One for tests that follow each other. Its first page stays, and with it the process that all of them share."""
    context = browser.new_context(locale="en-GB")
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def alone() -> None:
    """For a test that changes more of its context than routes and what pages store: its network, its clock."""


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new page without cookies and storage, in English; a sixth of the time of a test was its context and process."""
    if {"alone", "live", "live_server"}.intersection(request.fixturenames):
        with page_alone(browser) as own:
            yield own
        return
    context: BrowserContext = request.getfixturevalue("context_for_all")
    yield context.new_page()
    lasting, *opened = context.pages
    for one in opened:
        one.close()
    context.unroute_all(behavior="ignoreErrors")
    for event in HEARD:
        for hear in context._impl_obj.listeners(event):
            context._impl_obj.remove_listener(event, hear)
    context.clear_cookies()
    stored = context.new_cdp_session(lasting)
    stored.send("Storage.clearDataForOrigin", {"origin": ORIGIN, "storageTypes": "all"})
    stored.detach()


@pytest.fixture
def evaluate(node: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    """The value of a JavaScript function of (module, given), of the files as they are served."""
    for file, served in bundle.files().items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(served.body)
    (tmp_path / "package.json").write_text('{"type": "module"}')

    def run(module: str, function: str, given: Any) -> Any:
        script = (
            "Object.defineProperty(globalThis, 'navigator', {value: {languages: []}});"
            "import(process.argv[1]).then(async (module) => "
            f"console.log(JSON.stringify(await ({function})(module, JSON.parse(process.argv[2])))))"
        )
        return json.loads(node("-e", script, tmp_path / module, json.dumps(given)))

    return run


@pytest.fixture(scope="session")
def signer() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 3072)


@pytest.fixture(scope="session")
def key(signer: rsa.RSAPrivateKey) -> dict[str, str]:
    """The signer's public half, as a questionnaire by invitation has it."""
    return {"n": to_text(signer.public_key().public_numbers().n.to_bytes(384)), "e": "AQAB"}


@pytest.fixture(scope="session")
def sign(signer: rsa.RSAPrivateKey) -> Callable[[str], Answer]:
    """The raw RSA operation on whatever was blinded: all that the site does."""
    numbers = signer.private_numbers()

    def answer(body: str) -> Answer:
        blinded = int.from_bytes(to_bytes(json.loads(body)["blinded"]))
        signature = pow(blinded, numbers.d, numbers.public_numbers.n)
        return {"json": {"signature": to_text(signature.to_bytes(384))}}

    return answer


@pytest.fixture
def open_survey(page: Page) -> Callable[..., Wire]:
    """Open a questionnaire (the demo's setting unless another is given) by its link and wait for the first heading."""

    def visit(definition: dict[str, Any] | None = None, fragment: str | None = None, **wire: Any) -> Wire:
        attached = Wire(one_coin() if definition is None else definition, **wire).attach(page.context)
        page.goto(attached.link(fragment))
        page.get_by_role("heading", level=1).wait_for()
        page.evaluate(ALL_IS_HERE, ["questions/usual"] if definition is None else [])
        return attached

    return visit


@pytest.fixture
def wire(open_survey: Callable[..., Wire]) -> Wire:
    """The questionnaire of the demo's setting, open."""
    return open_survey()
