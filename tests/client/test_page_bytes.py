"""What the site serves as the respondent's page, and how anyone can hold it against the repository."""

import gzip
import hashlib
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page, Route

from surveys.domain.page import bundle
from tests.cases import first
from tests.client.questionnaires import everything, one_coin, statements
from tests.client.wire import ORIGIN, Wire, begin, heading, local_storage


def test_the_page_is_the_same_for_every_survey() -> None:
    """No survey, draft or typing error gets a page of its own."""
    answers = [Client().get(address) for address in ("/s/demo/", "/s/no-such-survey/", "/t/abc/test/")]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert {answer.content for answer in answers} == {bundle.files()["index.html"].body}


def test_the_page_sets_no_cookie_and_is_not_stored() -> None:
    """A visit leaves nothing behind that the person did not agree to."""
    answer = Client().get("/s/demo/")
    assert dict(answer.cookies) == {}
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("address", ["/s/demo/", "/client/main.js"])
def test_the_policy_allows_this_site_only(address: str) -> None:
    """Nothing from elsewhere, nothing inline, no markup from a string."""
    assert Client().get(address)["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
        "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


@pytest.mark.parametrize("name", ["index.html", "main.js", "icon.svg"])
def test_every_header_of_the_page_is_declared(name: str) -> None:
    """What `client_manifest --check` compares with is what the site sends: these, and those of the transport."""
    served = dict(Client().get(f"/{bundle.place(name)}").headers)
    if name == "index.html":  # kept by nobody, and said to be in the language that the site chose
        assert (served.pop("Content-Language"), served["Vary"]) == ("en", "Accept-Encoding, Accept-Language")
        served["Vary"] = "Accept-Encoding"
    transport = {header: served.pop(header) for header in ("Content-Length", "Vary")}
    assert served == bundle.headers(name)
    assert transport == {"Content-Length": str(len(bundle.files()[name].body)), "Vary": "Accept-Encoding"}


def test_files_are_asked_for_again_and_sent_once() -> None:
    """A browser that has the file hears that it is unchanged."""
    first = Client().get("/client/main.js")
    again = Client().get("/client/main.js", headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, first["Cache-Control"]) == (200, "public, no-cache")
    assert (again.status_code, again.content) == (304, b"")


def test_an_address_with_a_version_is_kept_and_has_no_other_file() -> None:
    """The page names its modules and styles there, so a visit is of one version, whichever machines serve it.

    A machine of another version has nothing there. What is the same in every version, and what another program asks
    for, has an address without one.
    """
    version = bundle.version()
    page = bundle.files()["index.html"].body.decode()
    kept = Client().get(f"/client/{version}/main.js")
    assert re.findall(r'"/client/(.+?)"', page) == [
        "icon.svg", f"{version}/style.css", *(f"{version}/{name}.js" for name in ("exchange", "page", "main")),
        "plain.html",
    ]  # fmt: skip
    assert (kept.content, kept["Cache-Control"]) == (
        Client().get("/client/main.js").content,
        "public, max-age=31536000, immutable",
    )
    others = [f"/client/{'0' * len(version)}/main.js", f"/client/{version}/icon.svg", f"/client/{version}/manifest.txt"]
    assert [Client().get(address).status_code for address in others] == [404, 404, 404]


def test_no_module_names_an_address_that_may_be_another_versions() -> None:
    """They find each other from where they stand; only an empty page is the same for all."""
    named = [
        (name, address)
        for name, file in bundle.files().items()
        if name.endswith((".js", ".css")) and name != bundle.WORKER  # which takes only files with the hashes it names
        for address in re.findall(rb"/client/[\w./-]+", file.body)
    ]
    assert named == [("page.js", b"/client/empty.html")]


def test_a_compressed_file_is_the_same_file() -> None:
    """What travels small unpacks to the bytes of the manifest."""
    answer = Client().get("/client/main.js", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content) == bundle.files()["main.js"].body


@pytest.mark.parametrize("name", ["nothing.js", "../urls.py", "index.html", "closed/receipts.html", "vendor/README.md"])
def test_only_the_files_of_the_page_are_served(name: str) -> None:
    """The folder is no way into the repository."""
    assert Client().get(f"/client/{name}").status_code == 404


def test_the_page_takes_nothing() -> None:
    """There is no form behind it that could carry an answer."""
    assert Client().post("/s/demo/").status_code == 405


def nothing_to_shuffle() -> dict[str, Any]:
    """Three yes/no questions under one coin; one is to come in random order, and has no options of its own."""
    source = one_coin()
    source["pages"][0]["questions"][0]["shuffle"] = True
    return source


def usual_types() -> dict[str, Any]:
    """A large questionnaire as people write them: questions of five types, one kind of block."""
    source = everything()
    source["design"]["blocks"].pop()
    asked = [page["questions"] for page in source["pages"]]
    source["pages"] = [
        {"questions": [question for question in page if question["type"] not in ("several", "date")]}
        for page in (asked[0], asked[2])
    ]
    return source


LATER = {f"{name}.js" for name in bundle.LATER}


def size(files: set[str]) -> int:
    return sum(len(bundle.files()[name].body) for name in files)


def files_to_load(wire: Wire) -> set[str]:
    """The files that a browser loads: the page, what its header names in advance, and what it asks for by itself."""
    addresses = [address.removeprefix(ORIGIN) for _method, address, _body in wire.asked]
    asked = [address.removeprefix("/client/") for address in addresses if address.startswith("/client/")]
    assert len(asked) == len(set(asked))
    named = re.findall(r"</client/(.+?)>", bundle.preloads())
    return {bundle.PAGE, "icon.svg", *(bundle.names()[address] for address in (*asked, *named))}


@pytest.mark.parametrize(
    ("questionnaire", "used", "most"),
    first(
        1,
        [
            # two kinds of blocks, and every type of question but the matrix
            (
                everything,
                {"kinds/flips.js", "questions/several.js", "questions/written.js"}
                | {"features/questions/when.js", "features/order/order.js"},
                92_350,
            ),
            (nothing_to_shuffle, set(), 82_350),
            (
                usual_types,
                {"features/questions/when.js", "features/order/order.js", "questions/written.js"},
                88_650,
            ),
        ],
    ),
)
def test_a_questionnaire_loads_what_it_uses_and_stays_small(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Any, used: set[str], most: int
) -> None:
    """About 86 kB as written, with comments and one language: 82 for three yes/no questions, 88 for one kind of block,
    five types of question and a condition; half of it as it travels.

    What asks more loads more, 92 kB for two kinds, seven types and a condition; a practice question adds 6 kB when it
    is pressed, and 4 kB say why the way ends, where it does. The frequencies cost 7 kB: their figures worked out in
    exact numbers, ten figures drawn, who learns what. WebKit's dates and boxes cost .2 kB.

    That is the sum of all files which an open survey's page loads: page, styles, icon and modules; of kinds of blocks
    and types of questions those that stand in the questionnaire. All are here once Begin leads on, so that an open
    page works without a network until the receipt.
    """
    wire = open_survey(questionnaire())
    begin(page)
    files = files_to_load(wire)
    always = {bundle.PAGE, "icon.svg", "style.css", *(f"{name}.js" for name in bundle.ALWAYS)} | {
        "languages/en/usual.json",
        *LATER,
    }
    assert files == always | used
    assert len(wire.asked) == len(always - {"icon.svg"}) + len(used) + 1  # the questionnaire
    assert size(files) <= most
    assert sum(len(bundle.pack_file(name)) for name in files) <= most / 2


def test_statements_bring_their_own_looks(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Before Begin leads on and once, however many such questions there are; no other questionnaire carries them."""
    wire = open_survey(statements())
    page.wait_for_function("() => document.querySelector('link[href$=\"matrix.css\"]')?.sheet")  # it has come
    own = {name for name in files_to_load(wire) if name.startswith("questions/")} - LATER
    assert own == {"questions/matrix.js", "questions/matrix.css", "questions/written.js"}


def test_the_page_names_every_module_that_it_always_needs_in_advance() -> None:
    """A slow line fetches them at once, with the usual kind; first what asks for the questionnaire and the texts."""
    named = re.findall(r"</client/\w+/([\w/]+\.js)>; rel=modulepreload(; fetchpriority=low)?", bundle.preloads())
    assert Client().get("/s/demo/")["Link"] == bundle.preloads()
    assert named[:2] == [("exchange.js", ""), ("page.js", "")]
    own = {name for name in bundle.files() if name.endswith(".js") and "/" not in name} - {"invitation.js"}
    assert {name for name, _ in named} == own | {"kinds/coin.js", "questions/usual.js"}
    assert {late for _, late in named[2:]} == {"; fetchpriority=low"}


def test_a_first_page_waits_for_eleven_requests_and_60_kb(page: Page) -> None:
    """On a line that answers slowly each costs: the page, its looks, seven modules, texts, and the questionnaire.

    The three modules with the questions and the response come beside it.
    """
    questionnaire = one_coin()
    questionnaire["design"]["direct"] = False
    wire = Wire(questionnaire).attach(page.context)
    held: list[Route] = []
    page.route(re.compile("/(questionnaire|response)\\.js$"), lambda route: held.append(route))
    page.goto(wire.link(), wait_until="commit")
    page.get_by_role("heading", level=1, name="Student life and health").wait_for()
    assert (len(wire.asked), len(held)) == (11, 2)
    files = files_to_load(wire)
    assert size(files - LATER) <= 60_000
    assert size(files | LATER) <= 82_350


def test_what_a_questionnaire_uses_is_asked_for_while_the_rest_is_on_its_way(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """No round trip is added after the program: what is used loads without waiting for it."""
    held: list[Route] = []
    wire = Wire(one_coin()).attach(page.context)
    page.route("**/client/*/main.js", lambda route: held.append(route))
    with page.expect_request("**/s/tried/questionnaire"):
        page.goto(wire.link(), wait_until="commit")
    held[0].fallback()
    page.get_by_role("heading", level=1, name="Student life and health").wait_for()


def test_begin_waits_for_what_it_needs(page: Page) -> None:
    """The first page is read before all is here; Begin leads on as soon as it is, once."""
    held: list[Route] = []
    wire = Wire(one_coin()).attach(page.context)
    page.route("**/client/*/response.js", lambda route: held.append(route))
    page.goto(wire.link())
    page.get_by_role("button", name="I agree – begin").click()
    assert page.get_by_role("button", name="I agree – begin").is_disabled()
    assert local_storage(page) == {}
    held[0].fallback()
    page.get_by_role("heading", name="How do you want to answer?").wait_for()


@pytest.mark.parametrize("lost", ["response.js", "questionnaire.js"])
def test_without_what_begin_needs_nothing_begins(page: Page, lost: str) -> None:
    """The page says so and stays; nothing is kept, and it can be loaded again."""
    wire = Wire(one_coin()).attach(page.context)
    page.route(f"**/client/*/{lost}", lambda route: route.abort())
    page.goto(wire.link())
    page.get_by_role("button", name="I agree – begin").click()
    assert page.get_by_role("alert").inner_text().startswith("Part of this page could not be loaded.")
    assert (heading(page), local_storage(page)) == ("Student life and health", {})


def test_the_manifest_lists_every_file_with_its_hash() -> None:
    """The served manifest is what `manage.py client_manifest` prints, and both are true."""
    printed = StringIO()
    call_command("client_manifest", stdout=printed)
    served = Client().get("/client/manifest.txt").content.decode()
    assert printed.getvalue() == served
    assert dict(reversed(line.split("  ")) for line in served.splitlines()) == {
        address: hashlib.sha256(Client().get(f"/{address}").content).hexdigest()
        for address in (bundle.place(name) for name in bundle.files())
    }
