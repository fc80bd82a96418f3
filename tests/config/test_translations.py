"""Everything the Django pages say is said in Chinese too."""

import gettext
import os
import re
import shutil
import subprocess
from contextlib import chdir
from pathlib import Path
from string import Formatter

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from tests.servers import ROOT, copied

CATALOG = Path("locale/zh_Hans/LC_MESSAGES/django.po")
CATALOGS = (CATALOG, Path("locale/de/LC_MESSAGES/django.po"))  # German has only what the protocol says


@pytest.fixture(autouse=True, scope="module")
def _gettext_programs() -> None:
    if shutil.which("msgfmt") is None or shutil.which("xgettext") is None:
        reason = "no gettext: `make test` installs it for root on Debian"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, where collecting strings disturbs nobody."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("config", "mining", "privacy", "surveys", "templates", "locale"):
        copied(ROOT / name, folder)
    return folder


def texts(compiled: Path) -> dict[str, str]:
    with compiled.open("rb") as file:
        return dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def copy_with_strings(copy: Path) -> Path:
    """The copy, after its strings were collected again: for all who only read it."""
    with chdir(copy), override_settings(LOCALE_PATHS=[]):  # so it writes below this folder
        call_command("makemessages", locale=["zh_Hans"], no_obsolete=True, verbosity=0)
    return copy


@pytest.mark.long
def test_collecting_notes_no_time(copy_with_strings: Path) -> None:
    """Two people who collect strings at two times change only what their strings change."""
    assert "POT-Creation-Date" not in (copy_with_strings / CATALOG).read_text(encoding="utf-8")


def test_no_string_is_left_untranslated(copy_with_strings: Path) -> None:
    """Strings collected again from the code and the templates all have a Chinese text: run `make messages`, fill in."""
    untranslated = subprocess.run(
        ["msgattrib", "--untranslated", "--no-wrap", CATALOG],
        cwd=copy_with_strings,
        check=True,
        capture_output=True,
        text=True,
    )
    fuzzy = subprocess.run(
        ["msgattrib", "--only-fuzzy", "--no-wrap", CATALOG],
        cwd=copy_with_strings,
        check=True,
        capture_output=True,
        text=True,
    )
    assert (untranslated.stdout, fuzzy.stdout) == ("", "")


def test_templates_join_sentences_as_their_language_does() -> None:
    """By {% gap %} or join_sentences (surveys/sentences.py): a space or a new line would be a space in Chinese, too."""
    ends = r"[.!?](?:[\"'] %\}|\s*\{% endblocktranslate %\})(?:\{% (?:endif|endwith|else) %\}|</(?:b|strong)>)*"
    goes_on = r"(?:\{\{|\{% (?:translate|blocktranslate|if|for)\b|<(?:a|b|strong|span|small|code)\b)"
    spaced = [
        (path.name, found.group())
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for found in re.finditer(rf"{ends}\s+{goes_on}.*|.*\|join:\" \".*", path.read_text(encoding="utf-8"))
    ]
    assert [found for found in spaced if "document.languages|join" not in found[1]] == []


@pytest.mark.parametrize("written", CATALOGS, ids=str)
def test_what_is_read_is_made_from_what_is_written(tmp_path: Path, written: Path) -> None:
    """The compiled catalog in the repository is that of the written one."""
    subprocess.run(["msgfmt", "--check", "--output-file", tmp_path / "made.mo", ROOT / written], check=True)
    assert texts(tmp_path / "made.mo") == texts((ROOT / written).with_suffix(".mo"))


@pytest.mark.parametrize("written", CATALOGS, ids=str)
def test_a_sentence_of_an_error_takes_the_same_values_in_every_language(written: Path) -> None:
    """A value that is named wrongly in a translation would fail where the sentence is needed."""
    catalog = texts((ROOT / written).with_suffix(".mo"))
    sentences = {english: said for english, said in catalog.items() if isinstance(english, str) and english}

    def values(sentence: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}

    assert [english for english, said in sentences.items() if values(english) != values(said)] == []


@pytest.mark.parametrize("written", CATALOGS, ids=str)
def test_only_a_question_is_translated_by_a_question(written: Path) -> None:
    """A heading goes on with a colon: a mark before it would be one too many."""
    catalog = texts((ROOT / written).with_suffix(".mo"))
    said = {key if isinstance(key, str) else key[0]: text for key, text in catalog.items()}

    assert [key for key, text in said.items() if text.endswith(("?", "？")) and "?" not in key[-2:]] == []


@pytest.mark.parametrize(("language", "sentence"), [("zh-CN", "问人们不愿说的事。"), ("fr", "answer honestly.")])
def test_a_page_speaks_the_visitors_language(client: Client, language: str, sentence: str) -> None:
    """Chinese where the browser asks for it, English for everybody else."""
    answer = client.get("/", headers={"Accept-Language": language})
    assert sentence in answer.content.decode()
    assert answer["Content-Language"] == ("zh-hans" if language == "zh-CN" else "en")
