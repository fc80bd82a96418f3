"""What the respondent's page says in a language that it does not speak: written by the survey's author, and frozen."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from surveys.domain.drafts.faults import faults
from surveys.domain.people.roles import give
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.domain.questionnaire.publish import publish
from surveys.features.page_texts.draft import ENGLISH, needed
from surveys.models import Survey
from tests.cases import first
from tests.surveys.making import make_survey, write
from tests.surveys.staff import somebody

GAP = (
    "The respondent's page does not speak Italian: translate what it says, or write why people read the promise in "
    "another language."
)


@pytest.fixture
def italian() -> Survey:
    """A survey whose texts are all there, in Italian alone."""
    survey = make_survey()

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {"it" if key == "en" else key: renamed(own) for key, own in value.items() if key != "zh-hans"}
        return [renamed(own) for own in value] if isinstance(value, list) else value

    write(survey, **{**renamed(read_document(survey)), "languages": ["it"]})
    return survey


@pytest.fixture
def ann(client: Client, italian: Survey) -> Client:
    client.force_login(somebody())
    return client


def address(survey: Survey) -> str:
    return f"/staff/studio/{survey.pk}/page-texts/it/"


def test_no_promise_is_published_in_a_language_that_people_did_not_choose(italian: Survey) -> None:
    """It is the one thing that is missing."""
    assert missing(Draft.load(italian)) == [GAP]


def test_a_whole_translation_is_part_of_the_version(ann: Client, italian: Survey) -> None:
    """Each text that this survey's page can show, under the hash; no kind of disguise that it has not."""
    posted = {f"text-{name}": f"IT {text}" for name, text in ENGLISH.items()}
    assert ann.post(address(italian), posted).status_code == 302
    texts = publish(italian).parsed.source["texts"]["it"]
    assert texts["begin"] == "IT I agree – begin"
    assert {name.partition(".")[0] for name in texts if "." in name} == {
        "coin", "flips", "several", "matrix", "written", "practice", "stopped", "checks",
    }  # fmt: skip


def test_a_draw_and_a_ranking_bring_their_texts(italian: Survey) -> None:
    """Else nobody read that the device draws, nor how answers are put in order."""
    before = {name.partition(".")[0] for name in needed(Draft.load(italian))}
    document = read_document(italian)
    first_page = document["pages"][0]
    first_page["ask"] = 1
    first_page["questions"][0]["type"] = "ranking"
    write(italian, pages=document["pages"])
    after = {name.partition(".")[0] for name in needed(Draft.load(italian))}
    assert after - before == {"order", "ranking"}


def test_a_feature_brings_the_texts_that_begin_with_its_name(italian: Survey) -> None:
    """Else its author could not translate what only its surveys say."""
    before = needed(Draft.load(italian))

    write(italian, frames=["https://shop.example"])

    texts = [name for name in needed(Draft.load(italian)) if name not in before]
    assert texts == [name for name in ENGLISH if name.startswith("frames.")] != []


def test_two_translators_keep_what_the_other_has_written(ann: Client, italian: Survey) -> None:
    """Each form holds all texts; of a form that was opened earlier only what was changed in it counts."""
    seen = re.search(r'name="seen" value="([^"]*)"', ann.get(address(italian)).content.decode())
    assert seen is not None
    empty = {f"text-{name}": "" for name in ENGLISH}
    ann.post(address(italian), {**empty, "seen": seen[1], "text-back": "Indietro"})
    ann.post(address(italian), {**empty, "seen": seen[1], "text-next": "Avanti"})
    assert read_document(italian)["page_texts"] == {"it": {"back": "Indietro", "next": "Avanti"}}


def test_a_translation_that_a_reason_takes_the_place_of_is_named(ann: Client, italian: Survey) -> None:
    """A text that came later, for a panel perhaps, must not drop a finished translation in silence."""
    texts = {f"text-{name}": f"IT {text}" for name, text in ENGLISH.items()}
    ann.post(address(italian), {"reason": "Nessuno ha tradotto."})
    ann.post(address(italian), texts)
    publishing = f"/staff/studio/{italian.pk}/publish/"
    sentence = "are not all translated: none is used, and people read why."
    assert sentence not in ann.get(publishing).content.decode()
    ann.post(address(italian), {"text-begin": ""})
    assert sentence in ann.get(publishing).content.decode()


def test_whom_the_survey_refuses_reads_it_in_the_same_words(ann: Client, italian: Survey) -> None:
    """Before it opens and after it has closed there is no questionnaire to take them from."""
    ann.post(address(italian), {f"text-{name}": f"IT {text}" for name, text in ENGLISH.items()})
    texts = publish(italian).parsed.source["texts"]
    visit = f"/s/{italian.slug}/questionnaire"
    Survey.objects.filter(pk=italian.pk).update(opens_at=timezone.now() + timedelta(days=1))
    early = ann.get(visit)
    Survey.objects.filter(pk=italian.pk).update(opens_at=None)
    close(Survey.objects.get(pk=italian.pk))
    late = ann.get(visit)
    assert [(answer.status_code, answer.json()["texts"]) for answer in (early, late)] == [(403, texts), (410, texts)]


def test_a_reason_is_published_in_place_of_a_translation(ann: Client, italian: Survey) -> None:
    """Respondents read it first (tests/client/test_languages.py)."""
    ann.post(address(italian), {"reason": "Nessuno ha tradotto."})
    assert publish(italian).parsed.source["unspoken"] == {"it": "Nessuno ha tradotto."}


def test_a_file_of_texts_goes_out_and_comes_back(ann: Client, italian: Survey) -> None:
    """The English text beside each; what was translated in the file is in the form."""
    sent = json.loads(ann.get(f"{address(italian)}?file").content)
    assert sent["begin"] == {"en": "I agree – begin", "it": ""}
    translated = {name: {**own, "it": f"IT {own['en']}"} for name, own in sent.items()}
    file = SimpleUploadedFile("it.json", json.dumps(translated).encode())
    assert ann.post(address(italian), {"file": file}).status_code == 302
    page = ann.get(address(italian)).content.decode()
    assert "The respondent's page in Italian" in page
    assert "All texts are translated." in page


@pytest.mark.parametrize(
    ("content", "sentence"),
    first(
        1,
        [
            (b"\xff", "the file is not JSON."),
            (b"[]", "every text of the file is an object with the language “it”."),
            (b'{"begin": {"en": "I agree"}}', "every text of the file is an object with the language “it”."),
            (b'{"start": {"it": "Si comincia"}}', "“start” is no text of the respondent&#x27;s page."),
            (
                b'{"page": {"it": "Pagina {page}"}}',
                "“page” must hold each figure of the English text, {page}, {pages}, and no other: “Page",
            ),
            (
                b'{"begin": {"it": "{si"}}',
                "“begin” must hold each figure of the English text, –, and no other: “I ",
            ),
        ],
    ),
)
def test_a_file_that_is_wrong_is_refused_in_a_sentence(
    ann: Client, italian: Survey, content: bytes, sentence: str
) -> None:
    """With the text that it names, and nothing changes."""
    page = ann.post(address(italian), {"file": SimpleUploadedFile("it.json", content)}).content.decode()
    assert sentence in page
    assert read_document(italian)["page_texts"] == {}


def test_what_a_file_or_the_form_leaves_out_stays(ann: Client, italian: Survey) -> None:
    """A file of one text, an empty one in it, and a form of one text; what is emptied in the form goes."""
    ann.post(address(italian), {"text-begin": "Inizia", "text-back": "Indietro"})
    file = SimpleUploadedFile("it.json", json.dumps({"next": {"it": "Avanti"}, "back": {"it": ""}}).encode())
    ann.post(address(italian), {"file": file})
    ann.post(address(italian), {"text-begin": ""})

    assert read_document(italian)["page_texts"] == {"it": {"back": "Indietro", "next": "Avanti"}}


def test_a_language_that_the_page_speaks_has_no_such_page(ann: Client, italian: Survey) -> None:
    """Nor one that is not the survey's."""
    assert ann.get(address(italian).replace("/it/", "/de/")).status_code == 404


def test_only_who_writes_the_survey_says_what_its_page_says(client: Client, italian: Survey) -> None:
    """Who may see it may not; for a stranger it is not there."""
    for name, status in (("viewer", 403), (None, 404)):
        user = User.objects.create(username=name or "stranger", is_staff=True)
        if name:
            give(italian, user, name)
        client.force_login(user)
        assert client.get(address(italian)).status_code == status


def test_a_document_keeps_only_texts_of_the_page(italian: Survey) -> None:
    """Imported, too."""
    document = read_document(italian) | {"page_texts": {"it": {"start": "Si comincia"}}}
    assert [fault.at for fault in faults(document)] == ["page_texts.it"]
