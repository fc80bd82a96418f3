"""The respondent's page at an origin of its own: static files under WEBCAT's rules, and answers that go to the site."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from playwright.sync_api import Browser, Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.invite import invite
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.versions import link
from surveys.models import SurveyVersion
from tests.cases import first
from tests.client.static_host import Headers, StaticHost, static_host
from tests.client.webcat import Extension, faults_of_answer, faults_of_manifest, faults_of_policy
from tests.client.wire import arrive, begin, say
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import make_survey
from tests.surveys.sending import submission

pytestmark = pytest.mark.django_db(transaction=True)
SOURCE = "https://code.example.org/candor"


def made(folder: Path, site: str) -> dict[str, Any]:
    """Write the files, and return their manifest."""
    call_command("page_origin", folder, site=site, source=SOURCE, stdout=StringIO())
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest


@pytest.fixture
def host(live: LiveServer, settings: Settings, tmp_path: Path) -> Iterator[StaticHost]:
    """A static host with the page, which the site lets ask."""
    with static_host() as host:
        made(tmp_path / "made", live.url)
        host.folder = tmp_path / "made" / "page"
        settings.PAGE_ORIGIN = host.origin
        yield host


@pytest.fixture
def manifest(host: StaticHost) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((host.folder.parent / "manifest.json").read_text())
    return read


def open_page(page: Page, live: LiveServer, version: SurveyVersion, more: str = "") -> None:
    page.goto(link(live.url, version) + more)
    page.get_by_role("heading", level=1).wait_for()


def test_an_answer_given_there_is_stored_at_the_site(page: Page, live: LiveServer, host: StaticHost) -> None:
    """By an invitation, which is used; the host gets no request but for its files, and never the survey's name."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.partition('#')[0]}"))
    survey = make_survey(access="invitation")
    version = publish(survey)
    (secret,) = invite(survey, "all", 1)
    open_page(page, live, version, f"&i={secret}")

    begin(page)
    for question in ("drugs?", "cheating?", "theft?"):
        say(page, question, "No")
    page.get_by_role("button", name="Continue").click()
    arrive(page)
    page.locator("summary").last.click()
    page.get_by_role("button", name="Ask the server").click()
    page.get_by_text("The server holds this response.").wait_for()

    assert len(responses_waiting(version)) == 1
    of_host = [request for request in asked if host.origin in request]
    assert [request for request in of_host if not request.startswith(f"GET {host.origin}/")] == []
    assert [request for request in of_host if "study" in request] == []
    sent = {request.replace(live.url, "") for request in asked if live.url in request}
    assert {request.split("/receipts/")[0] for request in sent} == {
        "GET /s/study/questionnaire",
        "POST /s/study/invitations",
        "POST /s/study/responses",
        "GET /s/study",
    }


def test_the_manifest_keeps_the_rules(manifest: dict[str, Any]) -> None:
    """All files are listed, one policy is for all, and what it asks of a static host is what the rules allow."""
    assert faults_of_manifest(manifest) == []
    assert manifest["default_csp"].startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src")


@pytest.mark.parametrize("loads", first(1, [1, 200]))
def test_no_load_raises_a_false_alarm(
    browser: Browser, live: LiveServer, host: StaticHost, manifest: dict[str, Any], loads: int
) -> None:
    """Each a first visit, in one of the page's languages, to the first question; and an address that is none."""
    version = publish(make_survey())
    for number in range(loads):
        context = browser.new_context(locale=("en-GB", "zh-CN", "de-DE", "ar")[number % 4])
        page = context.new_page()
        extension = Extension(page, host.origin, manifest)
        open_page(page, live, version)
        page.locator("button.main").click()
        page.locator("input[type=radio]").first.wait_for(state="attached")
        assert len(extension.answers) > 10
        faults = extension.faults()
        page.goto(f"{host.origin}/nothing")
        assert faults + extension.faults() == []
        context.close()


def bytes_of(path: str, change: bytes = b" ") -> Any:
    """Change the bytes of a file, at their end."""
    return lambda name, headers, body: (headers, body + change if name.endswith(path) else body)


def header(name: str, value: str | None, of: str = "index.html", add: bool = False) -> Any:
    """Change a header of a file, add another one, or take it away."""

    def alter(path: str, headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        if not path.endswith(of):
            return headers, body
        kept = [pair for pair in headers if add or pair[0] != name]
        return [*kept, *([] if value is None else [(name, value)])], body

    return alter


def policy(old: str, new: str, of: str = "index.html") -> Any:
    """Change the policy of a file."""

    def alter(path: str, headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        is_it = path.endswith(of)
        return [(n, v.replace(old, new) if is_it and n == POLICY else v) for n, v in headers], body

    return alter


POLICY = "Content-Security-Policy"
CHANGES = {
    "a policy that lets other scripts in": policy("script-src 'self'", "script-src *"),
    "the page": bytes_of("index.html"),
    "the disguise": bytes_of("disguise.js"),
    "the coin": bytes_of("coin.js"),
    "the way through": bytes_of("main.js"),
    "what is sent": bytes_of("exchange.js"),
    "the chances": bytes_of("chances.js"),
    "the promise": bytes_of("promise.js"),
    "the questions": bytes_of("questionnaire.js"),
    "the elements": bytes_of("/page.js"),
    "the looks": bytes_of("style.css"),
    "the words": bytes_of("en/usual.json"),
    "a policy of the looks": policy("img-src 'self'", "img-src *", of="style.css"),
    "no policy": header(POLICY, None),
    "two policies": header(POLICY, "default-src *", add=True),
    "a policy with one more blank": policy("; ", ";  "),
    "a policy that sends elsewhere": policy("connect-src", "connect-src *"),
    "a policy of a script": policy("script-src 'self'", "script-src 'self' 'unsafe-eval'", of="main.js"),
    "what is loaded in advance": header("Link", "<https://elsewhere.example/a.js>; rel=preload; as=script"),
    "a page that leads on": header("Refresh", "9; url=https://elsewhere.example/"),
}


@pytest.mark.parametrize("change", first(2, CHANGES))
def test_whatever_is_changed_is_found(
    page: Page, live: LiveServer, host: StaticHost, manifest: dict[str, Any], change: str
) -> None:
    """A byte of a file, or a header: in one load, for everybody who has the extension."""
    assert len(CHANGES) == 20
    version = publish(make_survey())
    host.alter = CHANGES[change]
    extension = Extension(page, host.origin, manifest)
    page.goto(link(live.url, version))
    page.wait_for_load_state("networkidle")

    assert len(set(extension.faults())) == 1


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        ("default-src *", "default-src 'none'"),
        ("script-src 'nonce-abc'", "script-src 'self'"),
        ("script-src https://elsewhere.example", "script-src 'self'"),
        ("script-src 'unsafe-inline'", "script-src 'self'"),
        ("style-src https://elsewhere.example", "style-src 'self'"),
        ("no object-src", "default-src 'none'"),
        ("object-src 'self'", "base-uri 'none'"),
        ("a comma", "form-action 'none';"),
    ],
)
def test_the_rules_of_the_test_refuse_what_they_name(rule: str, broken: str) -> None:
    """So that no fault of the page would pass because nobody looks."""
    ours = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none';"
    new = {"no object-src": "default-src 'self'", "a comma": "form-action 'none',"}.get(rule, rule)
    assert faults_of_policy(ours) == []
    assert rule in faults_of_policy(ours.replace(broken, new))


def test_an_answer_that_leads_elsewhere_or_is_not_listed_is_refused(manifest: dict[str, Any]) -> None:
    own = {"name": POLICY, "value": manifest["default_csp"]}
    leads = [own, {"name": "Location", "value": "//elsewhere.example/"}]
    assert faults_of_answer(manifest, "document", "/x/", [own], b"a") == ["/x/: not listed"]
    assert faults_of_answer(manifest, "fetch", "/data", leads, b"a") == ["/data: leads to //elsewhere.example/"]


def test_pages_of_other_origins_are_let_in_nowhere(client: Client, settings: Settings) -> None:
    """Where the site has such an origin, it alone may ask and send; where it has none, nobody may."""
    version = publish(make_survey())
    settings.PAGE_ORIGIN = "https://page.example.org"
    ask, sent = "/s/study/questionnaire", json.dumps(submission(version))

    def headers_for(origin: str, method: str = "get") -> dict[str, str]:
        answered = getattr(client, method)(ask, headers={"Origin": origin})
        given = {name: value for name, value in answered.items() if name.startswith("Access-")}
        return given | ({"Vary": "Origin"} if "Origin" in answered.get("Vary", "") else {})

    def status_of(origin: str) -> int:
        post = client.post("/s/study/responses", sent, "application/json", headers={"Origin": origin})
        return int(post.status_code)

    let_in = {
        "Access-Control-Allow-Origin": "https://page.example.org",
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Expose-Headers": "Retry-After",
        "Vary": "Origin",
    }
    assert headers_for("https://page.example.org") == headers_for("https://page.example.org", "options") == let_in
    assert headers_for("https://elsewhere.example") == headers_for("null") == {"Vary": "Origin"}
    assert [status_of(origin) for origin in ("https://elsewhere.example", "null")] == [403, 403]
    assert status_of("https://page.example.org") == 201
    settings.PAGE_ORIGIN = ""
    assert headers_for("https://page.example.org") == {}
    assert status_of("https://page.example.org") == 403


def test_every_link_to_a_survey_leads_there(admin_client: Client, settings: Settings, rf: RequestFactory) -> None:
    """In the studio, in a list of invitations, and beside the poster's code."""
    version = publish(make_survey())
    settings.PAGE_ORIGIN = "https://page.example.org"
    expected = f"https://page.example.org/#s=study&v={version.sha256}"
    page = admin_client.get(f"/staff/studio/{version.survey_id}/fieldwork/").content.decode()
    assert link("http://testserver/staff/", version) == expected
    assert expected.replace("&", "&amp;") in page


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"site": "survey.example.org"}, "--site: survey.example.org is not an address that begins with https://."),
        ({"site": "https://a.example/x"}, "--site: https://a.example/x is not an address that begins with https://."),
        ({"source": "here"}, "--source: here is not an address that begins with https://."),
        ({"folder": "full"}, "full is not an empty folder: name a new one."),
    ],
)
def test_what_cannot_be_written_is_one_sentence(
    given: dict[str, str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    asked = {"folder": "new", "site": "https://survey.example.org", "source": SOURCE} | given
    with pytest.raises(CommandError) as error:
        call_command("page_origin", asked.pop("folder"), **asked)
    assert (str(error.value), error.value.returncode, (tmp_path / "new").exists()) == (sentence, 2, False)


def test_the_same_version_gives_the_same_bytes(tmp_path: Path) -> None:
    """Anybody who has the source can make the manifest again."""
    site = "https://survey.example.org"
    assert made(tmp_path / "one", site) == made(tmp_path / "two", site)
    one, two = (
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two
