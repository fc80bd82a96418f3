"""The guides inside the site: every link of every page leads somewhere, and Help leads back."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config import guides
from surveys.models import Survey
from tests.servers import ROOT

NAMES = sorted(guides.by_name())


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("anna"))
    return client


class Read(HTMLParser):
    """The links, pictures, anchors and tags of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.anchors: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.anchors += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if tag == "a" else []
        self.pictures += [named["src"]] if tag == "img" else []


def crawl(client: Client, start: str) -> dict[str, Read]:
    """Every page of help that links lead to from the first, with what does not answer or has no such anchor refused."""
    pages: dict[str, Read] = {}
    wanted, wrong, anchors = [start], [], []
    while wanted:
        address = wanted.pop()
        answer = client.get(address)
        if answer.status_code != 200:
            wrong.append(f"{address}: {answer.status_code}")
            continue
        page = pages[address] = Read(answer.content.decode() if "/help/" in address else "")
        for link in page.links:
            whole = urlsplit(urljoin(address, link))
            if link.startswith(("http", "mailto:")):
                continue
            anchors.append((address, whole.path, whole.fragment))
            if whole.path not in pages and whole.path not in wanted:
                wanted.append(whole.path)
        for picture in page.pictures:
            found = client.get(picture)
            assert found.getvalue()  # read to its end, so that its file is closed
            wrong += [] if found.status_code == 200 else [f"{address}: {picture}"]
    wrong += [
        f"{address}: {path}#{anchor}"
        for address, path, anchor in anchors
        if anchor and "/help/" in path and anchor not in pages[path].anchors
    ]
    assert wrong == []
    return {address: page for address, page in pages.items() if "/help/" in address}


def test_every_link_of_every_guide_leads_somewhere_without_signing_in() -> None:
    """From the front page on: each page of the site that a guide names answers, and has the anchor of the link."""
    pages = crawl(Client(), "/help/")

    assert sorted(pages) == sorted(["/help/", *(f"/help/{name}/" for name in NAMES)])
    assert [len(set(page.anchors)) == len(page.anchors) for page in pages.values()] == [True] * len(pages)
    assert [address for address, page in pages.items() if page.tags & {"script", "style", "iframe"}] == []


def test_every_link_of_every_guide_leads_somewhere_for_staff(staff: Client) -> None:
    """And to the guides among their own pages, not to those of everybody."""
    pages = crawl(staff, "/staff/help/")

    assert sorted(pages) == sorted(["/staff/help/", *(f"/staff/help/{name}/" for name in NAMES)])


def test_help_leads_to_every_guide() -> None:
    """Each file of the folder has a line in the list, by which pages are found; its groups are those to translate."""
    files = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"README"}

    assert set(NAMES) == files
    assert tuple(guides.groups()) == guides.GROUPS


@pytest.mark.parametrize("name", NAMES)
def test_no_reader_sees_where_a_guide_lies(name: str) -> None:
    """Links to guides say what these are called, and what leaves the site is no link."""
    html, _parts = guides.render_guide(name)

    assert re.findall(r">[\w-]+\.md</a>", html) == []
    assert re.findall(r'href="(?!https?:|mailto:|#|\.\./[\w/-]*\0)[^"]*"', html) == []


def test_help_begins_with_the_guides_of_the_page_and_leads_back(staff: Client) -> None:
    """From Protect: its guides, and in each of them and behind each link the way back."""
    survey = Survey.objects.create(slug="a", title="A")
    protect = f"/staff/studio/{survey.pk}/protect/"
    (help_,) = re.findall(r'class="help-entry" href="([^"]+)"', staff.get(protect).content.decode())
    shown = staff.get(help_).content.decode()
    (first,) = re.findall(r'href="(which-design/[^"]+)">Which technique[^<]+</a></li>', shown)[:1]
    guide = staff.get(urljoin(help_, first)).content.decode()

    assert help_ == f"/staff/help/?from={protect}"
    assert "You come from Protect" in shown
    assert [page.count("– Candor</title>") for page in (shown, guide)] == [1, 1]
    assert shown.count("– Candor – Candor") == 0
    assert shown.index("Does it make people honest?") < shown.index("You were asked to answer")
    assert re.findall(r'href="([^"]+)"><svg[^>]+><use[^>]+></svg>Back to Protect', guide) == [protect]
    assert f'href="../own-draw/?from={protect}' in guide


@pytest.mark.parametrize(
    "address", ["//evil.example/", "https://evil.example/staff/", "/staff/../x", "javascript:x", ""]
)
def test_help_leads_back_to_pages_of_staff_alone(staff: Client, address: str) -> None:
    """Another address in a link is taken for none."""
    shown = staff.get("/staff/help/", {"from": address}).content.decode()

    assert ("You come from" in shown, f'href="{address}"' in shown) == (False, False)


def test_every_page_of_staff_has_guides() -> None:
    """Each address below that of staff, but the sign-in and Help itself, is in the table."""

    def named(resolver: URLResolver, space: str) -> list[str]:
        found: list[str] = []
        for one in resolver.url_patterns:
            if isinstance(one, URLPattern):
                found += [f"{space}{one.name}"] if one.name else []
            else:
                found += named(one, f"{one.namespace}:" if one.namespace else space)
        return found

    (below,) = (one for one in get_resolver().url_patterns if str(one.pattern) == "staff/")
    names = set(named(below, "")) - {"help", "help-guide", "account_login", "account_logout", "set_language"}
    names -= {"university", "university_back"}
    rows = "|".join(names for names, _label, _guides in guides.PAGES)

    assert sorted(name for name in names if not re.fullmatch(rows, name)) == []
    assert {guide for _names, _label, guide_names in guides.PAGES for guide in guide_names.split()} <= set(NAMES)


@pytest.mark.parametrize("folder", ["/help/", "/staff/help/"])
def test_an_unknown_guide_is_one_sentence(staff: Client, folder: str) -> None:
    """With 404, and no file of the folder but the guides can be named."""
    for name in ("nothing", "README", "conf"):
        answer = staff.get(f"{folder}{name}/")

        assert (answer.status_code, re.findall(r'<p class="lead">(.*?)</p>', answer.content.decode())) == (
            404,
            ["There is no such guide."],
        )


def test_guides_are_found_in_the_language_of_the_reader() -> None:
    """The page around an English guide is in theirs."""
    shown = Client().get("/help/respondents/?language=zh-hans").content.decode()

    assert ('<html lang="zh-hans">' in shown, '<article class="text" lang="en">' in shown) == (True, True)
    assert "本文内容" in unescape(shown)


def test_no_page_names_a_file_of_the_folder() -> None:
    """A page leads to a guide by a link, and never says where it lies."""
    pages = [path for folder in ("templates", "surveys") for path in Path(ROOT, folder).rglob("*.html")]

    assert [path.name for path in pages if re.search(r"docs/[\w-]+\.md|README\.md", path.read_text())] == []
