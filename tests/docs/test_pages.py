"""The pages for readers hold together, and speak of what is there."""

import re
import subprocess
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath

import pytest

from tests.docs.pages import PAGES, anchors, built, code_names, links, name_of, text_of
from tests.servers import ROOT

PACKAGES = ("benchmarks", "candor", "config", "mining", "papers", "privacy", "surveys", "tests")
SOURCE = (".cff", ".css", ".js", ".md", ".mjs", ".py", ".toml", ".yaml")


@pytest.fixture(scope="module")
def kept() -> set[str]:
    """Every file and folder of the repository, by its path."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = [path for path in map(PurePosixPath, listed.stdout.splitlines()) if (ROOT / path).exists()]
    return {str(path) for file in files for path in (file, *file.parents)} - {"."}


def test_every_link_leads_somewhere() -> None:
    """A link or picture inside the repository names a file that is there, and a heading that this file has."""
    headings = cache(lambda target: anchors(text_of(target)))
    lost = []
    for page in PAGES:
        for path, anchor in links(text_of(page)):
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in headings(target)):
                lost.append(f"{name_of(page)}: {path}#{anchor}")
    assert lost == []


def test_every_path_that_is_named_exists(kept: set[str]) -> None:
    """A name in code letters that begins with a folder of the repository, or ends as source does, is there."""
    names = {PurePosixPath(path).name for path in kept}
    tops = {path for path in kept if "/" not in path}

    def is_lost(name: str) -> bool:
        path = name.rstrip("/")
        if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", name):
            return False
        if "/" in name:
            return path.partition("/")[0] in tops and path not in kept
        return path.endswith(SOURCE) and path not in names

    assert [(name_of(page), name) for page in PAGES for name in code_names(built(text_of(page))) if is_lost(name)] == []


def test_every_module_that_is_named_exists() -> None:
    """A dotted name in code letters, as `privacy.guarantee.risk`, is a module or something that a module holds."""
    dotted = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+")
    named = [(name_of(page), name) for page in PAGES for name in code_names(built(text_of(page)))]
    assert [(page, name) for page, name in named if dotted.fullmatch(name) and not _is_there(name)] == []


def test_every_module_that_a_comment_names_exists(kept: set[str]) -> None:
    """The same of what docstrings and comments name: `mining.engines.bits.BitCounter` is found where it says."""
    named = {
        (path, name)
        for path in kept
        if path.endswith((".py", ".js")) and not path.startswith("tests/vendor")
        for name in re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", text_of(ROOT / path))
    }
    assert len(named) > 20
    assert sorted((path, name) for path, name in named if not _is_there(name)) == []


def _is_there(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    if (ROOT / name.replace(".", "/")).is_dir() or (ROOT / f"{name.replace('.', '/')}.py").exists():
        return True
    try:
        return hasattr(import_module(module), attribute)
    except ModuleNotFoundError:
        return False
