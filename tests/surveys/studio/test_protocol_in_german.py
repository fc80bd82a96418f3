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
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.models import Membership, Survey
from surveys.sentences import of_staff
from tests.servers import ROOT
from tests.surveys.anchored import with_anchors
from tests.surveys.making import (
    MAP,
    add_block,
    add_question,
    edit_draft,
    find_in,
    make_survey,
    set_block,
    set_questions,
    town_survey,
    words,
    write,
)
from tests.surveys.staff import somebody

SIGNED = {"override_by": "Ann", "override_reason": "All three are needed."}
GUARDED = {"by": "hand", "sure": 50}


def say(survey: Survey, *changes: dict[str, Any]) -> Survey:
    """The survey after changes that the studio makes."""
    for change in changes:
        store(survey, apply(survey, read_document(survey), change))
    return survey


def demo(slug: str) -> Survey:
    survey = Survey.objects.create(slug=slug, title=slug)
    store(survey, _document_of_demo(SURVEYS[slug]))
    return survey


def of_every_type() -> Survey:
    """Undisguised questions of all types, with all that is said beside them."""
    survey = make_survey(direct=False, **SIGNED)
    options = (("f", "F"), ("m", "M"), ("none", "None"))

    def items(name: str) -> tuple[tuple[str, str], ...]:
        return tuple((f"{name}-{place}", name.upper()) for place in "ab")

    add_question(survey, "sex", type="choice", page=0, shuffle=True, required=True, options=options, out=["none"])
    with edit_draft(survey) as document:
        find_in(document, "sex")["options"][-1]["last"] = True
    add_question(survey, "age", type="number", page=3, min="18", max="99", help=words("In years."))
    add_question(survey, "size", type="number", page=3, min="18")
    add_question(survey, "births", type="number", page=4, max="20", when={"question": "sex", "is": ["f", "none"]})
    add_question(survey, "day", type="date", page=4, min="2020-01-01")
    add_question(survey, "late", type="date", page=4, max="2020-01-01")
    add_question(survey, "then", type="date", page=4, min="2020-01-01", max="2021-01-01")
    add_question(survey, "note", type="text", page=4, max="80")
    add_question(survey, "plain", type="yesno", page=4)
    add_question(survey, "many", type="several", page=4, options=items("many"))
    add_question(survey, "order", type="ranking", page=4, options=options)
    mood = {"low": words("Never"), "high": words("Always")}
    add_question(survey, "mood", type="scale", page=4, min="1", max="5", **mood)
    add_question(survey, "asked", type="matrix", page=4, options=items("asked"), min="1", max="5", **mood)
    add_question(survey, "form", type="choice", page=4, options=options[:2], chances="1 : 3")
    add_question(survey, "from", type="choice", page=4, options=options[:2], parameter="from")
    add_question(survey, "group", type="choice", page=4, options=options[:2], enough={"f": 20})
    both = [{"question": "sex", "is": ["f"]}, {"question": "plain", "is": ["1"]}]
    add_question(survey, "all", type="yesno", page=5, when={"all": both})
    add_question(survey, "any", type="yesno", page=5, when={"any": both})
    picture = {"file": {"en": "0" * 64 + "-2x1.png"}, "words": words("A dog")}
    add_question(survey, "seen", type="yesno", page=5, media=picture)
    with edit_draft(survey) as document:
        document["pages"][2] |= {"shuffle": True, "title": words("More")}
    return survey


def of_disguised_types() -> Survey:
    """Numbers, scales and options that are disguised, in several blocks, of which one asks some of its questions."""
    survey = make_survey(names=(), direct=False)
    set_block(survey, kind="square-wave", settings={"epsilon": 1.5})
    add_question(survey, "drinks", block="all", type="number", min="0", max="40")
    add_block(survey, "some", settings={"keep": 0.3, "theta": 0.5, "ask": 2})
    for name in ("a", "b", "c"):
        add_question(survey, name, block="some", no_skip="The law says so." if name == "a" else "")
    return survey


def with_notice(**fields: Any) -> Survey:
    named = ("controller", "officer", "basis", "obtained", "objection")
    return make_survey(**{name: words(name) for name in named}, keep_until=date(2099, 5, 4), **fields)


def one_sided() -> Survey:
    survey = make_survey(names=("threatened", "touched"))
    set_block(survey, kind="one-sided", settings={"turned": 0.25})
    set_questions(survey, settings={"harmless": "0"})
    return survey


def one_word(**settings: Any) -> Survey:
    survey = make_survey(names=tuple("abcdef"), direct=False)
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 2, "longest": 2} | settings)
    return survey


def drawn(names: str, draw: str = "") -> Survey:
    by_person = [{"do": "draws", "value": "by-person"}]
    draws = [{"do": "draw", "block": "block 1", "value": draw}] if draw else []
    return say(make_survey(names=tuple(names), direct=False), *by_person, *draws)


def of_a_study(*, is_arm: bool) -> Survey:
    """By devices that draw the arm; the first survey, or the arm."""
    first, arm = make_survey("first", access="invitation"), make_survey("arm", access="invitation")
    owner = somebody("view")
    for survey in (first, arm):
        Membership.objects.create(survey=survey, user=owner, role=Membership.Role.OWNER)
    write(arm, study={"of": "first"})
    if is_arm:
        publish(first)
        return arm
    write(first, study={"here": 1, "arms": [{"slug": "arm", "version": publish(arm).sha256, "parts": 1}]})
    return first


def with_fields(**fields: Any) -> Callable[[], Survey]:
    return lambda: make_survey(**fields)


def written(make: Callable[[], Survey], **fields: Any) -> Callable[[], Survey]:
    def made() -> Survey:
        survey = make()
        write(survey, **fields)
        return survey

    return made


PANEL = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "C7", "out": "C1", "full": "C2"}
OF_GROUPS = {**GUARDED, "tell": ["shares", "pairs", "groups"], "within": 5}


def flips() -> Survey:
    survey = make_survey()
    set_block(survey, kind="flip", settings={"gamma": 19, "radius": 2})
    return survey


def named(asked: int) -> Survey:
    """Devices name some of the answers that so many questions have together."""
    survey = make_survey(names=tuple("abcdef"), direct=False)
    set_block(survey, kind="by-gamma", settings={"stated": 9, "ask": asked, "names": 1 << asked - 1})
    return survey


def squares() -> Survey:
    """A place on a map without zones."""
    return town_survey("square", {"map": MAP})


MADE: dict[str, Callable[[], Survey]] = {
    **{slug: (lambda slug=slug: demo(slug)) for slug in SURVEYS},
    "plain": make_survey,
    "few": with_fields(expected=30),
    "many": with_fields(expected=900_000),
    "types": of_every_type,
    "disguised types": of_disguised_types,
    "notice": with_notice,
    "invitations": lambda: with_notice(access="invitation"),
    "looks": written(
        make_survey, looks={"logo": "0" * 64 + "-2x1.png", "words": words("A tower"), "accent": "#17635c"}
    ),
    "early": with_fields(early=True, beside=True),
    "lot": with_fields(lot=20),
    "text": lambda: ((survey := make_survey()) and add_question(survey, "why", type="text")) or survey,
    "quota": with_fields(quota=500),
    "panel": written(with_fields(access="invitation"), panel=PANEL),
    "open panel": written(make_survey, panel={**PANEL, "number": ""}),
    "frames": with_fields(frames=["https://www.example.edu"]),
    "interviews": with_fields(direct=False, interviews=True),
    "paper": lambda: ((survey := drawn("abc")) and write(survey, paper=True, pool=True)) or survey,
    "careless": lambda: with_anchors(**SIGNED),
    "one-sided": one_sided,
    "word": one_word,
    "group of words": lambda: one_word(groups=3, longest=1),
    "long word": lambda: one_word(longest=1),
    "flips": flips,
    "zones": town_survey,
    "squares": squares,
    "names two": lambda: named(2),
    "names three": lambda: named(3),
    "day": lambda: drawn("a", "day"),
    "two lists": lambda: drawn("a", "day-of-two-lists"),
    "die": lambda: drawn("ab", "die"),
    "note": lambda: drawn("abc", "note"),
    "die by lot": lambda: drawn("abcdefg", "die-by-lot"),
    "study": lambda: of_a_study(is_arm=False),
    "arm": lambda: of_a_study(is_arm=True),
    "wishes": written(make_survey, protection=OF_GROUPS, expected=2000),
    "wishes of few": written(make_survey, protection=OF_GROUPS, expected=60),
    "wishes of many": written(make_survey, protection=OF_GROUPS, expected=60_000),
    "guess": written(make_survey, protection=GUARDED | {"guess": "0.05:0.02..0.1"}),
}


ONLY_DRAFTS = ("looks", "types")  # their pictures are on no site


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
    if made not in ONLY_DRAFTS:
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


def test_other_languages_and_documents_are_as_they_were(ann: Client) -> None:
    """An address that names another language is that of the page; the label and the preregistration have no German."""
    survey = make_survey()
    own, other = read(ann, survey), read(ann, survey, language="fr")
    assert article(own) == article(other)
    assert '<article class="text protocol">' in own
    assert "Protocol for the ethics board and the data protection officer" in own
    for name in ("label", "preregistration"):
        page = article(read(ann, survey, name, language="de"))
        assert (page == article(read(ann, survey, name)), "Deutsch" in page) == (True, False)
