"""What the site serves as the respondent's page, and how anyone can hold it against the repository."""

import gzip
import hashlib
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from surveys.domain import bundle


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
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


@pytest.mark.parametrize("address", ["/s/demo/", "/client/main.js", "/client/icon.svg"])
def test_every_header_of_the_page_is_declared(address: str) -> None:
    """What `client_manifest --check` compares with is what the site sends: these, and those of the transport."""
    name = "index.html" if address == "/s/demo/" else address.removeprefix("/client/")
    served = dict(Client().get(address).headers)
    transport = {header: served.pop(header) for header in ("Content-Language", "Content-Length", "Vary")}
    assert served == bundle.headers(name)
    assert transport == {
        "Content-Language": "en",
        "Content-Length": str(len(bundle.files()[name].body)),
        "Vary": "Accept-Encoding, Accept-Language",
    }


def test_files_are_asked_for_anew_and_sent_once() -> None:
    """A browser that has the file hears that it is unchanged."""
    first = Client().get("/client/main.js")
    again = Client().get("/client/main.js", headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, first["Cache-Control"]) == (200, "no-cache")
    assert (again.status_code, again.content) == (304, b"")


def test_a_compressed_file_is_the_same_file() -> None:
    """What travels small unpacks to the bytes of the manifest."""
    answer = Client().get("/client/main.js", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content) == bundle.files()["main.js"].body


@pytest.mark.parametrize("name", ["nothing.js", "../urls.py", "index.html", "vendor/README.md"])
def test_only_the_files_of_the_page_are_served(name: str) -> None:
    """The folder is no way into the repository."""
    assert Client().get(f"/client/{name}").status_code == 404


def test_the_page_takes_nothing() -> None:
    """There is no form behind it that could carry an answer."""
    assert Client().post("/s/demo/").status_code == 405


def test_the_page_is_small() -> None:
    """78 kB as written, with comments and both languages, the vendored module aside; less than half as it travels.

    A module for each kind of block and type of question costs about 2 kB more than one file of all of them.
    The table of statements on one scale costs 4 kB: its module, and a third of it its styles. An answer that is left
    open costs as much: its kind of block, and what a respondent must be told of it.
    """
    own = {name: file for name, file in bundle.files().items() if not name.startswith("vendor/")}
    assert sum(len(file.body) for file in own.values()) <= 78_000
    assert sum(len(bundle.packed(name)) for name in own) <= 36_000


def test_the_page_names_every_module_it_needs_in_advance() -> None:
    """A slow line fetches everything at once; what only invitations need is not among it."""
    link = Client().get("/s/demo/")["Link"].split(", ")
    modules = {name for name in bundle.files() if name.endswith(".js")} - {"invitation.js", "vendor/blindrsa.js"}
    assert link[0] == "<questionnaire>; rel=preload; as=fetch; crossorigin"
    assert link[1:] == [f"</client/{name}>; rel=modulepreload" for name in sorted(modules)]


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
