"""The protocol in German, for boards and officers who read German: everything of it, and nothing else of the site."""

import gettext
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from django.utils.translation.trans_real import DjangoTranslation

from surveys.domain.demo.people import SURVEYS
from surveys.domain.demo.surveys import _document_of_demo
from surveys.domain.questionnaire.document import store
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from surveys.sentences import of_staff
from tests.servers import ROOT
from tests.surveys.making import (
    make_survey,
    set_questions,
    words,
    write,
)


def demo(slug: str) -> Survey:
    survey = Survey.objects.create(slug=slug, title=slug)
    store(survey, _document_of_demo(SURVEYS[slug]))
    return survey


def with_notice(**fields: Any) -> Survey:
    named = ("controller", "officer", "basis", "obtained", "objection")
    return make_survey(**{name: words(name) for name in named}, keep_until=date(2099, 5, 4), **fields)


MADE: dict[str, Callable[[], Survey]] = {
    **{slug: (lambda slug=slug: demo(slug)) for slug in SURVEYS},
    "plain": make_survey,
    "notice": with_notice,
}


def messages(language: str) -> set[str]:
    path = ROOT / f"locale/{language}/LC_MESSAGES/django.mo"
    with Path(path).open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return {one if isinstance(one, str) else one[0] for one in catalogue}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """What is asked in German, by a function, a lazy text or a template."""
    seen: set[str] = set()

    def one(self: DjangoTranslation, message: str) -> str:
        seen.update([message] if self.language() == "de" else ())
        return gettext.GNUTranslations.gettext(self, message)

    def many(self: DjangoTranslation, single: str, plural: str, n: int) -> str:
        seen.update([single] if self.language() == "de" else ())
        return gettext.GNUTranslations.ngettext(self, single, plural, n)

    monkeypatch.setattr(DjangoTranslation, "gettext", one)
    monkeypatch.setattr(DjangoTranslation, "ngettext", many)
    return seen


def untranslated(asked: set[str]) -> set[str]:
    """Of the project's own messages, which all have a Chinese text; Django's are in German already."""
    return (asked & messages("zh_Hans")) - messages("de")


@pytest.fixture
def ann(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ann"))
    return client


def read(client: Client, survey: Survey, name: str = "protocol", **asked: str) -> str:
    answer = client.get(f"/staff/studio/{survey.pk}/{name}/", asked)
    assert answer.status_code == 200, re.findall(r"apart grow\"><span>(.*?)</span>", answer.content.decode())
    return answer.content.decode()


@pytest.mark.each
@pytest.mark.parametrize("made", MADE)
def test_all_that_a_protocol_says_is_said_in_german(ann: Client, asked: set[str], made: str) -> None:
    """Of the draft and of the version that it becomes."""
    survey = MADE[made]()
    read(ann, survey, language="de", of="draft")
    publish(survey)
    read(ann, survey, language="de")

    assert len(asked) > 100
    assert untranslated(asked) == set()


def test_what_german_lacks_is_found(asked: set[str]) -> None:
    """A function asks for it here, and no protocol says it."""
    with translation.override("de"):
        said = [translation.gettext("Where you are"), translation.gettext("Protocol")]

    assert (said, untranslated(asked)) == (["Where you are", "Protokoll"], {"Where you are"})


def test_german_has_nothing_that_nobody_asks_for() -> None:
    """A sentence that was changed leaves its old translation behind."""
    assert messages("de") - messages("zh_Hans") == set()


def test_no_file_is_half_in_german() -> None:
    """A codebook and figures of a survey in German are in English, as before there was a catalogue."""
    assert [of_staff(tag) for tag in ("en", "zh-hans", "de", "fr")] == ["en", "zh-hans", "en", "en"]


def article(page: str) -> str:
    """The document alone; its links to guides name the page from which they lead."""
    return re.sub(r"from=[^\"]*", "", page[page.index("<article") : page.index("</article>")])


def test_german_writes_a_comma_before_decimals(ann: Client) -> None:
    """Also in figures that sentences take from elsewhere; what the survey itself says stays as it is."""
    survey = demo("demo")
    said = {"en": "Wave 2.5", "zh-hans": "2.5"}
    write(survey, why=said)
    set_questions(survey, text=said)
    publish(survey)
    german = article(read(ann, survey, language="de"))

    assert ("<td>7,70</td>" in german, "<h3>7.1 Notwendigkeit</h3>" in german) == (True, True)
    assert german.count("Wave 2.5") == article(read(ann, survey)).count("Wave 2.5") > 1
    assert re.findall(r"±\d+\.\d", german) == []
    assert "<td>7.70</td>" in article(read(ann, survey))


@pytest.mark.parametrize(("reader", "back"), [("en", "English"), ("zh-hans", "简体中文")])
def test_the_protocol_leads_to_its_german_and_back(ann: Client, reader: str, back: str) -> None:
    """About the same version, with the site around it in the reader's language."""
    survey = with_notice()
    publish(survey)
    write(survey, heading=words("Again"))
    publish(survey)
    ann.cookies["staff_language"] = reader
    own = read(ann, survey, of="1")
    german = read(ann, survey, of="1", language="de")

    assert '<a href="?of=1&amp;language=de" lang="de" hreflang="de">Auf Deutsch</a>' in own
    assert f'<a href="?of=1" lang="{reader}" hreflang="{reader}">{back}</a>' in german
    assert '<a href="?of=2&amp;language=de">Fassung 2</a>' in german
    assert '<a href="?of=draft&amp;language=de">der Entwurf</a>' in german
    assert (f'<html lang="{reader}">' in german, '<article class="text protocol" lang="de">' in german) == (True, True)
    for said in (
        "<h2>7 Datenschutz-Folgenabschätzung</h2>",
        "Bis zum 4. Mai 2099; danach löscht",
        "29 % sicher machen",
    ):
        assert said in article(german)


def test_other_languages_and_documents_are_as_they_were(survey: Survey, ann: Client) -> None:
    """An address that names another language is that of the page; the label and the preregistration have no German."""
    own, other = read(ann, survey), read(ann, survey, language="fr")
    assert article(own) == article(other)
    assert '<article class="text protocol">' in own
    assert "Protocol for the ethics board and the data protection officer" in own
    for name in ("label", "preregistration"):
        page = article(read(ann, survey, name, language="de"))
        assert (page == article(read(ann, survey, name)), "Deutsch" in page) == (True, False)
