"""The small page that somebody else hosts, and that checks a site from a respondent's own browser."""

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.page import bundle, visit
from surveys.domain.questionnaire.publish import publish
from tests.client.proxies import Headers, proxy
from tests.servers import ROOT, Files, answering
from tests.surveys.making import make_survey

LINK = "<https://elsewhere.example/a.js>; rel=preload; as=script"


@pytest.fixture
def checker(tmp_path: Path) -> Iterator[str]:
    """The folder on a server of its own, another origin, with the manifest of what this repository holds."""
    folder = copytree(ROOT / "checker", tmp_path / "checker")
    (folder / "manifest.json").write_text(bundle.release("9.9.9"))
    with answering(ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder)))) as server:
        yield f"http://127.0.0.1:{server.server_port}/"


def test_both_checks_know_the_same_headers_of_the_transport() -> None:
    """A proxy passes both or neither."""
    script = (ROOT / "checker" / "check.js").read_text(encoding="utf-8")
    listed = script.split("const TRANSPORT = [")[1].split("]")[0]
    assert sorted(re.findall(r"'([\w-]+)'", listed)) == sorted(visit.TRANSPORT)


def check(page: Page, link: str) -> None:
    page.get_by_label("Link of the survey").fill(link)
    page.get_by_role("button", name="Check").click()


def test_a_site_is_checked_from_another_origin(page: Page, live: LiveServer, checker: str) -> None:
    """Every file is compared; an invitation in the link is not kept, nothing is sent but the questions for files."""
    asked: list[Request] = []
    page.goto(checker)
    page.on("request", lambda request: asked.append(request))
    check(page, f"{live.url}/s/demo/#v={'0' * 64}&i=secret")
    expect(page.get_by_role("status")).to_have_text(
        f"{live.url} gave this browser the {len(bundle.files())} files of Candor 9.9.9, byte for byte."
    )
    assert page.get_by_label("Link of the survey").input_value() == f"{live.url}/s/demo/"
    assert sorted((request.method, request.url) for request in asked) == sorted(
        ("GET", f"{live.url}/{bundle.place(name)}".replace("/s/any/", "/s/demo/")) for name in bundle.files()
    )
    check(page, "https://example.org/")
    expect(page.get_by_role("status")).to_contain_text("This is no link of a survey")


@pytest.mark.long
def test_the_page_for_frames_is_checked_by_its_policy(page: Page, live: LiveServer, checker: str) -> None:
    """Sites stand in the place that the manifest has for them, and nothing else does."""
    publish(make_survey(frames=["https://www.example.edu", "https://lab.example.edu:8443"]))
    page.goto(checker)
    check(page, f"{live.url}/f/study/")
    expect(page.get_by_role("status")).to_contain_text("byte for byte")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("surveys.features.frames.sites", lambda _source: ("https://www.example.edu", "*"))
        check(page, f"{live.url}/f/study/")
        expect(page.locator("#differences")).to_contain_text("/f/study/: Content-Security-Policy is")


@pytest.mark.long
def test_a_site_that_serves_another_page_is_found(page: Page, checker: str) -> None:
    """Other bytes, a missing permission to read, another policy and a header too many: a sentence each."""

    def alter(name: str, asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        if name == "main.js":
            body += b" "
        if name == "page.js":
            headers = [pair for pair in headers if pair[0] != "Access-Control-Allow-Origin"]
        if name == "index.html":
            headers = [(header, text.replace("script-src 'self'", "script-src *")) for header, text in headers]
            headers += [("Refresh", "0; url=https://elsewhere.example/")]
            headers = [pair for pair in headers if pair[0] != "Link"] + [("Link", LINK)]
        if name == "closed/receipts.html":
            headers += [("Link", LINK)]
        return headers, body

    policy = bundle.CONTENT_SECURITY_POLICY
    loosened = policy.replace("script-src 'self'", "script-src *")
    with proxy(alter) as address:
        page.goto(checker)
        check(page, address)
        expect(page.get_by_role("status")).to_contain_text("does not serve the page of Candor 9.9.9:")
        assert sorted(page.locator("#differences li").all_inner_texts()) == [
            f"/{bundle.place('main.js')}: other bytes",
            f"/{bundle.place('page.js')}: could not be loaded, or this page may not read it",
            f'/s/one/: Content-Security-Policy is "{loosened}", must be "{policy}"',
            f"/s/one/: Link is {json.dumps(LINK)}, must be {json.dumps(bundle.preloads())}",
            "/s/one/: refresh must not be there",
            "/s/one/receipts/: link must not be there",
        ]
