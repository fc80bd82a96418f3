"""The guides as pages of the site: docs/*.md of this version, in the groups of docs/README.md.

What leaves the site, files of a checkout and decisions, is no link there. Everybody may read all of them, as anybody
may read the source; staff read them between their own pages, and find the way back.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _, gettext_lazy, gettext_noop
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from surveys.access import staff_only

FOLDER = settings.BASE_DIR / "docs"
# The groups of docs/README.md, for translators.
GROUPS = (
    gettext_noop("You were asked to answer"),
    gettext_noop("Researchers"),
    gettext_noop("Ethics boards"),
    gettext_noop("Analysts"),
    gettext_noop("Operators and developers"),
)
# Pages of staff by the names of their addresses, what they are called, and the guides that are about them.
PAGES = (
    ("studio:(protect|alternatives|price)", gettext_lazy("Protect"), "which-design evidence own-draw"),
    ("studio:(try|rehearsal-.+|preview.*|trial|test)", gettext_lazy("Try"), "respondents which-design"),
    ("studio:(publish|version)", gettext_lazy("Publish"), "guarantee researchers storage"),
    ("studio:(protocol|label|preregistration)", gettext_lazy("Protocol"), "guarantee threat-model evidence storage"),
    ("studio:arms", gettext_lazy("Field"), "evidence researchers"),
    ("studio:(paper|interviews).*", gettext_lazy("Field"), "paper own-draw field"),
    ("studio:(field.+|dates|who-.+|invite|mail|close.*|erase|frames|panel)", gettext_lazy("Field"), "field storage"),
    ("studio:results-(regression|weighted|compare)", gettext_lazy("Results"), "groups results analysts"),
    ("studio:release.*", gettext_lazy("Results"), "release results"),
    ("studio:(report|results.*)", gettext_lazy("Results"), "results groups evidence"),
    ("studio:(files|export-file)", gettext_lazy("Files"), "results ten-lines formats"),
    ("studio:(people|log)", gettext_lazy("People"), "researchers admins"),
    ("studio:(home|new|erased|terms)", gettext_lazy("Surveys"), "first-survey researchers words"),
    ("studio:.+", gettext_lazy("Write"), "researchers questionnaires first-survey"),
    ("mining_.+", gettext_lazy("What goes together"), "rules results"),
    ("system", gettext_lazy("System"), "deploy settings admins"),
    ("people", gettext_lazy("People of this site"), "admins"),
    ("account.*|mfa_.+|password_change|api_tokens", gettext_lazy("Your account"), "admins api"),
)
_MARK = "\0"  # in links between guides: where the page that somebody came from is named
_REASON = re.compile(r"\s\(\[[^\]]+\]\((?:\.\./)?decisions/[^)]+\)\)")


class Guide(NamedTuple):
    name: str
    title: str
    about: str


@cache
def groups() -> dict[str, list[Guide]]:
    """The guides that the site has, under the headings of docs/README.md."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    found = {
        heading: [
            Guide(name, title, about)
            for title, name, about in re.findall(r"^- \[(.+?)\]\(([\w-]+)\.md\):? (.+)$", entries, re.MULTILINE)
        ]
        for heading, entries in re.findall(r"^## (.+)\n\n((?:- .+\n)+)", text, re.MULTILINE)
    }
    return {heading: guides for heading, guides in found.items() if guides}


@cache
def by_name() -> dict[str, Guide]:
    return {guide.name: guide for guides in groups().values() for guide in guides}


@cache
def render_guide(name: str) -> tuple[str, list[tuple[str, str]]]:
    """The HTML of a guide, and the anchors of its parts with their headings."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_REASON.sub("", text))
    parts: list[tuple[str, str]] = []
    for token, inline in pairwise(tokens):
        inline.children = inline.children and list(_keep_inside(inline.children))
        if token.type == "heading_open":
            heading = "".join(part.content for part in inline.children or ())
            anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")  # as repository hosts name them
            token.attrSet("id", anchor)
            parts += [(anchor, heading)] * (token.tag == "h2")
    html = parser.renderer.render(tokens, parser.options, {}).replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="scrolls" tabindex="0"><table>').replace("</table>", "</table></div>")
    return html, parts


def _keep_inside(tokens: list[Token]) -> Iterator[Token]:
    """The parts of a line; links to guides and pictures lead to this site, and links to other files are their words."""
    dropped = False
    for token in tokens:
        if token.type == "image":
            token.attrSet("src", static(str(token.attrs["src"]).replace("images/", "guides/", 1)))
        if token.type == "link_open":
            target = _address(str(token.attrs["href"]))
            dropped = target is None
            token.attrSet("href", target or "")
        if not (dropped and token.type in ("link_open", "link_close")):
            yield token


def _address(target: str) -> str | None:
    """Where a link of a guide leads on this site; None where that is nowhere."""
    if target.startswith(("https:", "http:", "mailto:", "#")):
        return target
    path, sharp, anchor = target.partition("#")
    name = posixpath.normpath(path).removesuffix(".md")
    if name == "README":
        return f"../{_MARK}"
    return f"../{name}/{_MARK}{sharp}{anchor}" if name in by_name() else None


def _came_from(request: HttpRequest) -> dict[str, Any]:
    """The page of staff that somebody came from, with its guides."""
    address = request.GET.get("from", "")
    try:
        name = resolve(address.partition("?")[0]).view_name if address.startswith(settings.STAFF_PATH) else ""
    except Resolver404:
        name = ""
    for names, label, guides in PAGES:
        if re.fullmatch(names, name):
            near = [by_name()[guide] for guide in guides.split()]
            return {"page": label, "address": address, "near": near, "query": f"?from={quote(address)}"}
    return {"query": ""}


def _help(request: HttpRequest, name: str = "") -> HttpResponse:
    """The list of guides, or one of them."""
    came = _came_from(request)
    if not name:
        context = {"title": _("Help"), "groups": [(_(heading), guides) for heading, guides in groups().items()]}
    elif name in by_name():
        html, parts = render_guide(name)
        context = {"title": by_name()[name].title, "parts": parts, "html": html.replace(_MARK, came["query"])}
    else:
        return render(request, "404.html", {"said": _("There is no such guide.")}, status=404)
    return render(request, "help.html", context | {"came": came})


read, read_as_staff = require_safe(_help), staff_only()(_help)
