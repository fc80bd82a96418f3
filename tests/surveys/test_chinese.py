"""On a Chinese page every refusal is Chinese, wherever its rule stands: in the design, the questionnaire, the form."""

import re
from collections.abc import Iterator

import pytest
from django import forms
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import override

from mining.engines import warnings
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.compose import Draft
from surveys.models import Survey
from surveys.sentences import colon, join_sentences
from tests.surveys.making import add_question, make_survey, set_block, set_questions, words
from tests.surveys.staff import somebody

ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{3,}")  # two words in a row; names and tags that were entered are single ones


@pytest.fixture(autouse=True)
def _chinese() -> Iterator[None]:
    with override("zh-hans"):
        yield


@pytest.fixture
def researcher() -> User:
    return somebody()


@pytest.fixture
def browser(client: Client, researcher: User) -> Client:
    client.force_login(researcher)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "zh-CN"
    return client


def is_chinese(sentence: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", sentence)) and not ENGLISH.search(sentence)


def test_what_is_missing() -> None:
    """What the page lists before publishing: texts, options, ends, items, blocks, and answers that may be too long."""
    survey = make_survey(heading=words(""), names=("drugs",))
    add_question(survey, "age", block="all", type="choice")
    add_question(survey, "mood", block="all", type="scale")
    long = make_survey("long")
    for number in range(9):
        add_question(long, f"story{number}", type="text", max="4000")
    waiting = make_survey("waiting")
    set_block(waiting, settings={"keep": 0.3, "theta": 0.6, "ask": 5})
    undisguised = make_survey("undisguised", names=())
    add_question(undisguised, "name", type="text")

    sentences = [said for each in (survey, long, waiting, undisguised) for said in missing(Draft.load(each))]

    assert len(sentences) == 6
    assert [sentence for sentence in sentences if not is_chinese(sentence)] == []


def page_of(survey: Survey, name: str) -> str:
    return reverse(f"studio:{name}", args=[survey.pk])


def test_refused_steps(browser: Client) -> None:
    """Publishing over the limit, or what is not whole; closing what was never published; trying what is not whole."""
    over, empty = make_survey("over"), make_survey("empty", names=())
    set_block(over, settings={"keep": 0.9, "theta": 0.6})
    set_questions(over, no_skip="The board.")

    closing = browser.post(page_of(over, "close"), follow=True).context["messages"]
    trying = browser.post(page_of(empty, "trial"), follow=True).context["messages"]
    unfinished = browser.post(page_of(empty, "publish")).context["refused"]
    unsigned = browser.post(page_of(over, "publish"), {"reason": ""}).context["form"].errors["reason"]

    spoken = [*map(str, closing), *map(str, trying), unfinished, *unsigned]
    assert len(spoken) == 4
    assert [sentence for sentence in spoken if not is_chinese(sentence)] == []


def test_labels_of_fields_end_as_chinese_ends_them() -> None:
    """A colon of its own width, and none after a question mark of its own width."""
    given = type(
        "Given", (forms.Form,), {"role": forms.CharField(label="角色"), "asked": forms.CharField(label="吗？")}
    )()

    assert [re.sub("<.*?>", "", given[name].label_tag()) for name in ("role", "asked")] == ["角色：", "吗？"]


def test_sentences_follow_one_another_as_in_chinese() -> None:
    """Without a space, also those of a run's warnings; in English with one."""
    coded = [
        {"code": "no rules", "chance": 0.1, "needed": 4000},
        {"code": "weak", "count": 3, "of": 9, "needed": 4000},
        {"code": "groups", "items": ["drugs"], "estimator": "stratified"},
        {"code": "groups", "items": ["drugs"], "estimator": "pooled"},
    ]
    assert (join_sentences(["一。", "", "二。"]), colon()) == ("一。二。", "：")
    spoken = warnings.sentences(coded, 1000, translation)
    assert [(one.count("。"), re.findall(r"。\s", one)) for one in spoken] == [(2, [])] * 4
    with override("en"):
        assert (join_sentences(["One.", "", "Two."]), colon()) == ("One. Two.", ": ")


def test_the_page_of_terms_says_sentences_with_a_percent_sign(browser: Client) -> None:
    """Django doubles the sign of what a template translates from a variable, and would find no translation."""
    page = browser.get("/staff/studio/terms/").content.decode()

    assert "γ = 19 时为 50%" in page
    assert "Somebody who was" not in page
