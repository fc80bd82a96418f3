"""On a Chinese page every refusal is Chinese, wherever its rule stands: in the design, the questionnaire, the form."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from privacy.errors import InputError
from surveys.domain.questionnaire import languages, publish
from surveys.models import Block, Question, Survey
from tests.mining.surveys import sealed_survey
from tests.surveys.admin.pages import entered, errors, question_page, send, somebody, step, survey_page, visit
from tests.surveys.admin.refused import OF_QUESTIONS, OF_SURVEYS
from tests.surveys.admin.refused import rows as rows_of
from tests.surveys.making import add_question, make_survey, words

pytestmark = pytest.mark.django_db

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


def said(response: Any) -> list[str]:
    return [sentence for sentences in errors(response).values() for sentence in sentences]


def messages_after(client: Client, survey: Survey, name: str) -> list[str]:
    """The messages after a step was posted."""
    response = client.post(step(survey, name), follow=True)
    return [str(message) for message in response.context["messages"]]


def test_refusals_on_the_page_of_a_survey(researcher: User) -> None:
    """Languages, dates, quota, blocks, ask, flips, probabilities and names."""
    page = survey_page(make_survey())
    data = entered(researcher, page)

    spoken = [said(visit(researcher, page, data | changes)) for changes, _, _ in OF_SURVEYS]

    assert all(spoken)
    assert [sentence for sentences in spoken for sentence in sentences if not is_chinese(sentence)] == []


def test_refusals_on_the_page_of_a_question(researcher: User) -> None:
    """Options, noise, ranges, types and conditions."""
    survey = make_survey()
    for place, name in enumerate(("city", "pet"), 4):
        add_question(survey, name, page=1, position=place, type="yesno")
    page = question_page(add_question(survey, "asked", block=survey.blocks.get(), page=1, position=6))
    data = entered(researcher, page)

    spoken = []
    for options, changes, _, _ in OF_QUESTIONS:
        rows = {
            f"options-{place}-{name}": value
            for place, option in enumerate(rows_of(*options))
            for name, value in option.items()
        }
        spoken.append(said(visit(researcher, page, data | rows | changes | {"options-TOTAL_FORMS": len(options)})))

    assert all(spoken)
    assert [sentence for sentences in spoken for sentence in sentences if not is_chinese(sentence)] == []


def test_refusals_that_concern_another_part(researcher: User) -> None:
    """A condition that loses its ground, and a block without room, are said with the name of the other."""
    survey = make_survey()
    sex = add_question(survey, "sex", page=2, position=1, type="yesno")
    add_question(survey, "pregnant", page=2, position=2, type="yesno", when_question="sex", when_values="1")
    flips = Block.objects.create(survey=survey, name="Flips", kind="flip", settings={"flips": [0.5, 0.5]})
    Question.objects.filter(identifier="drugs").update(block=flips)

    moved = send(researcher, question_page(sex), {"page": "3"})
    added = send(researcher, question_page(survey.questions.get(identifier="theft")), {"block": str(flips.pk)})

    assert said(moved) == ["“pregnant”：条件只能让一个公开问题取决于前面的另一个公开问题。"]
    assert said(added) == [
        "“Flips”：2 个概率不足以（或过多）说明 2 个回答中有 0 到 2 个被翻转的可能性；请填写 3 个总和为 1 的概率。"
    ]


def test_what_is_missing(researcher: User) -> None:
    """What the page lists before publishing: texts, options, ends, items, blocks, and answers that may be too long."""
    survey = make_survey(heading=words(""), names=("drugs",))
    add_question(survey, "age", block=survey.blocks.get(), type="choice")
    add_question(survey, "mood", block=survey.blocks.get(), type="scale")
    unfinished = visit(researcher, survey_page(survey)).context_data
    long = make_survey("long")
    for number in range(9):
        add_question(long, f"story{number}", type="text", maximum="4000")
    waiting = make_survey("waiting")
    waiting.blocks.update(settings={"keep": 0.3, "theta": 0.6, "ask": 5})
    undisguised = make_survey("undisguised", names=())
    add_question(undisguised, "name", type="text")

    pages = [visit(researcher, survey_page(survey)).context_data for survey in (long, waiting, undisguised)]

    sentences = [*unfinished["missing"], *(sentence for page in pages for sentence in page["missing"])]
    refused = [page["refused"] for page in (unfinished, *pages) if "refused" in page]
    assert (len(sentences), len(refused)) == (6, 3)
    assert [sentence for sentence in sentences + refused if not is_chinese(sentence)] == []


def test_refused_steps(browser: Client) -> None:
    """Publishing over the limit, twice, or when closed; closing what was never published; trying what is not whole."""
    survey, over, empty = make_survey(), make_survey("over"), make_survey("empty", names=())
    over.blocks.update(settings={"keep": 0.9, "theta": 0.6})
    publish.publish(survey)

    spoken = [
        messages_after(browser, survey, "publish"),
        messages_after(browser, over, "close"),
        messages_after(browser, empty, "preview"),
    ]
    publish.close(survey)
    spoken += [messages_after(browser, survey, "publish"), messages_after(browser, empty, "publish")]
    refused = browser.post(step(over, "publish"), {"reason": ""}).context["form"].errors["reason"]

    assert [len(messages) for messages in spoken] == [1] * 5
    assert [words for messages in (*spoken, refused) for words in messages if not is_chinese(words)] == []


def test_a_gamma_over_the_limit() -> None:
    """The figure, the limit and the way out."""
    survey = make_survey()
    survey.blocks.update(settings={"keep": 0.9, "theta": 0.6})

    with pytest.raises(InputError) as refused:
        publish.publish(survey)

    assert languages.sentence_of(refused.value) == (
        "γ 为 141.625，超过本网站的上限 19：请加强伪装，或签署例外，受访者会看到该例外。"
    )


def test_refused_invitations_and_erasing(browser: Client) -> None:
    """A survey that is open to everybody, a count out of range, a wrong name, and responses that runs refer to."""
    survey = sealed_survey(200)
    request_run(survey, MiningRequest(0.1, 0.4))
    posts = [
        ("invite", {"label": "first", "count": "3"}),
        ("invite", {"label": "first", "count": "0"}),
        ("invite", {"label": "", "count": "many"}),
        ("erase", {"slug": "another"}),
        ("erase", {"slug": "study"}),
    ]

    forms = [browser.post(step(survey, name), data).context["form"] for name, data in posts]

    spoken = [[sentence for sentences in form.errors.values() for sentence in sentences] for form in forms]
    assert [len(sentences) for sentences in spoken] == [1, 1, 2, 1, 1]
    assert [sentence for sentences in spoken for sentence in sentences if not is_chinese(sentence)] == []


def test_refused_mining(browser: Client) -> None:
    """Thresholds out of range, no snapshot, and too few respondents."""
    few, none = sealed_survey(50, "few"), make_survey("none")
    entry = {"min_support": "0.1", "min_confidence": "0.5", "max_length": "3", "estimator": "pooled", "engine": "auto"}
    posts: list[dict[str, Any]] = [
        {"survey": few.pk},
        {"survey": none.pk},
        {"survey": few.pk, "min_support": "0"},
        {"survey": few.pk, "min_confidence": "2"},
        {"survey": few.pk, "max_length": "99"},
        {"survey": few.pk, "engine": "none"},
        {"survey": "", "min_support": "many"},
    ]

    answers = [browser.post(reverse("admin:mining_miningrun_add"), entry | changes) for changes in posts]

    spoken = [
        [sentence for sentences in answer.context["form"].errors.values() for sentence in sentences]
        for answer in answers
    ]
    assert [len(sentences) for sentences in spoken] == [1, 1, 1, 1, 1, 1, 2]
    assert [sentence for sentences in spoken for sentence in sentences if not is_chinese(sentence)] == []
