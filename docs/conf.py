"""The documentation site: `make docs` builds it into var/docs/html, without a network.

The pages read alike on a repository's host. The site adds its menu, from the lists of docs/README.md, the words by
which the search finds a guide, from docs/words.md, and what the reference has from the code: the library's names, a
page for each room, the commands, the operations of the API. Decisions are no part of it: links load their files.
"""

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from nbclient import NotebookClient
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

project = "Candor"
extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc"]
root_doc = "docs/README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "docs/reference/library/*.rst",
    "deploy/README.md",
    "checker/README.md",
    "locale/README.md",
]
exclude_patterns = [".*", "paper.md", "docs/decisions", "node_modules", "var", "build", "dist"]

html_theme = "furo"
html_title = "Candor"
html_copy_source = html_show_copyright = False
html_static_path, html_css_files = ["static"], ["site.css"]
pygments_style, pygments_dark_style = "default", "github-dark"

nb_execution_mode, nb_execution_raise_on_error, nb_execution_in_temp = "force", True, True
nb_execution_timeout = 600  # seconds
NotebookClient.extra_arguments.default_args = (["--log-level=ERROR"],)  # a kernel warns that it uses a port
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4  # as repository hosts name them
default_role = "code"  # what docstrings write between single backticks
numpydoc_show_class_members = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!candor\.).*")]  # of other packages, whose sites an offline build cannot ask


def menu(page: str) -> str:
    """A menu for each list of links, under its heading."""
    for title, entries in re.findall(r"^## (.+)\n\n(?:\w.+\n\n)?((?:- .+\n)+)", page, re.MULTILINE):
        links = (f"{name} <{path}>" for name, path in re.findall(r"^- \[(.+?)\]\((.+?)\)", entries, re.MULTILINE))
        page += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *links, "```", ""])
    return page


def words_that_find(guide: str) -> list[str]:
    """The field's words that the table of docs/words.md leads to this guide by."""
    rows = re.findall(r"^\| ([^|]+) \|[^|]*\| \[[^]]+\]\(([\w-]+)\.md", WORDS, re.MULTILINE)
    return [word for words, path in rows if path == guide for word in words.split(", ")]


def findable(page: str, guide: str) -> str:
    """With entries of the index below its title: the search puts these before what only mentions a word."""
    entries = ", ".join(f"! {word}" for word in words_that_find(guide))
    title, rest = page.split("\n", 1)
    return f"{title}\n\n```{{eval-rst}}\n.. index:: {entries}\n```\n{rest}" if entries else page


def library(page: str) -> str:
    """A page for each room that has names of `candor`."""
    return f"{page}\n```{{toctree}}\n:glob:\n\nlibrary/*\n```\n"


def write_rooms() -> None:
    """The pages of the library, beside its first one, for Sphinx to find."""
    import candor

    rooms = defaultdict(list)
    for name in ("InputError", "InputWarning", *candor._HOME):
        rooms[".".join(candor._HOME.get(name, "privacy.errors").split(".")[:2])].append(name)
    ROOMS.mkdir(exist_ok=True)
    for room, names in rooms.items():
        about = (import_module(room).__doc__ or "").partition("\n")[0]
        title = f"{room}: {', '.join(name for name in sorted(names) if name in candor.__all__) or 'what is returned'}"
        parts = [title, "=" * len(title), about, *(_directive(name) for name in sorted(names))]
        (ROOMS / f"{room}.rst").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _directive(name: str) -> str:
    import candor

    return f".. {_kind(getattr(candor, name))}:: candor.{name}"


def _kind(thing: Any) -> str:
    if isinstance(thing, type):
        return "autoexception" if issubclass(thing, Exception) else "autoclass"
    return "autofunction" if callable(thing) else "automodule"


def commands(page: str) -> str:
    from candor.commands import _parser, all_commands

    os.environ["COLUMNS"] = "84"  # argparse folds by the terminal's width
    for name in (module.name for module in all_commands()):
        (choice,) = (one for one in _parser([name])._actions if isinstance(one, argparse._SubParsersAction))
        parser = choice.choices[name]
        page += f"\n## candor {name}\n\n{_plain(parser.description)}\n\n```text\n{parser.format_usage()}```\n"
        page += "".join(_option(parser._get_formatter(), action) for action in parser._actions)
    return page


def _option(formatter: argparse.HelpFormatter, action: argparse.Action) -> str:
    about = _plain(formatter._expand_help(action)) if action.help else "see above"
    return f"\n`{formatter._format_action_invocation(action)}`\n: {about}\n"


@cache
def described_api() -> dict[str, Any]:
    import django

    with TemporaryDirectory() as folder:  # the settings want a folder of a site's data
        os.environ |= {"CANDOR_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from config.api.document import document

        return document()


def operations(page: str) -> str:
    described, tag = described_api(), ""
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if operation["tags"][0] != tag:
                tag = operation["tags"][0]
                page += f"\n## {tag.capitalize()}\n"
            page += f"\n### {operation['operationId']}\n\n`{method.upper()} {path}`\n\n{operation['summary']}\n\n"
            page += f"{operation['description']}\n\n"
            page += "".join(f"- {line}\n" for line in _parts(operation))
    return page


ALMOST_ALWAYS = (304, 400, 401, 403, 415, 422, 429)  # the guide says what they mean


def _parts(operation: dict[str, Any]) -> Iterator[str]:
    for parameter in operation["parameters"]:
        about = parameter.get("description") or parameter["schema"].get("description", "")
        yield f"{parameter['in']} `{parameter['name']}`: {about}"
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        yield f"body: {', '.join(f'`{name}`' for name in schema.get('properties', ()))}"
    for status, answer in operation["responses"].items():
        if int(status) not in ALMOST_ALWAYS:
            yield f"{status}: {answer['description']}"


def _plain(text: str | None) -> str:
    """Text that means nothing to Markdown."""
    return re.sub(r"([*_<>\[\]\\|$])", r"\\\1", text or "")


MADE: dict[str, Callable[[str], str]] = {
    "docs/README": menu,
    "docs/command-line": commands,
    "docs/reference/library": library,
    "docs/reference/operations": operations,
}
WORDS, ROOMS = (ROOT / "docs/words.md").read_text(encoding="utf-8"), ROOT / "docs/reference/library"
DECISION = re.compile(r"\]\(((?:\.\./|docs/)*decisions/[\w-]+\.md)(?:#[\w-]+)?\)")


def setup(app: Sphinx) -> None:
    write_rooms()

    def complete(_app: Sphinx, name: str, source: list[str]) -> None:
        page = MADE[name](source[0]) if name in MADE else source[0]
        page = DECISION.sub(r"](path:\1)", page)
        source[0] = findable(page, name.removeprefix("docs/"))

    def lead_in(_app: Sphinx, error: Exception | None) -> None:
        if error is None and app.builder.format == "html":
            Path(app.outdir, "index.html").write_text('<meta http-equiv="refresh" content="0; url=docs/README.html">')
            folder = Path(app.outdir, "schemas")
            folder.mkdir(exist_ok=True)
            for schema in ROOT.glob("*/schemas/*.json"):
                copyfile(schema, folder / schema.name)
            (folder / "api.json").write_text(json.dumps(described_api(), indent=1), encoding="utf-8")

    app.connect("source-read", complete)
    app.connect("build-finished", lead_in)
