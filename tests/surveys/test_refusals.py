"""What a draft is refused for: one sentence at what it belongs to, in each language."""

import re
from typing import Any

import pytest
from django.utils.translation import override

from privacy.errors import EntryError
from surveys.domain.questionnaire.check import missing, refusals, why_not
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Document, Draft, EnteredBlock, Question, new_question, read_document
from surveys.models import Survey
from tests.surveys.making import add_question, edit_draft, make_survey

ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{3,}")  # two words in a row; names and tags that were entered are single ones
Said = list[tuple[str, str]]


def list_refusals(survey: Survey, document: Document) -> Said:
    """The place and the sentence of each refusal of this draft."""
    return [
        (str(one.at) if isinstance(one.at, EnteredBlock | Question) else "survey", one.sentence)
        for one in refusals(Draft.from_document(survey, document))
    ]


def with_block(document: Document, entered: dict[str, Any]) -> Document:
    """With these values of the block, without those that are None; and of the survey itself."""
    block = dict(document["blocks"][0])
    own = dict(entered)
    block["kind"] = own.pop("kind", block["kind"])
    settings = {} if "kind" in entered else block["settings"]
    of_survey = {name: own.pop(name) for name in ("direct", "lot") if name in own}
    block["settings"] = {name: value for name, value in {**settings, **own}.items() if value is not None}
    return {**document, **of_survey, "blocks": [block]}


FLIP = {"kind": "flip"}
# What is entered for the block, the place at which it is refused, and the sentence.
OF_BLOCKS: list[tuple[dict[str, Any], str, str]] = [
    ({"keep": 1.5}, "all", "1.5 is outside 0 to 1."),
    ({"keep": -0.1}, "all", "-0.1 is outside 0 to 1."),
    ({"keep": None}, "all", "A coin needs p, the chance that the truth is kept."),
    (
        {"keep": 0, "direct": False},
        "all",
        "0 keeps no answer, so nothing could be recovered without a direct group.",
    ),
    ({"keep": 1e-12}, "all", "1e-12 is closer to 0 than steps of 2^-32 allow."),
    ({"theta": 2}, "drugs", "2 is outside 0 to 1."),
    ({"theta": None}, "drugs", "Give θ, the chance that noise says yes, here or in its block."),
    ({"ask": 0}, "all", "0 is not from 1 to the 3 items of the block."),
    (FLIP, "all", "A flip block needs its flips, or γ and radius."),
    ({**FLIP, "gamma": 19}, "all", "A flip block needs its flips, or γ and radius."),
    (
        {**FLIP, "flips": [0.5, 0.5], "gamma": 19, "radius": 1},
        "all",
        "Give either the flips, or γ and radius.",
    ),
    ({**FLIP, "flips": [0.5, 0.6, 0, 0]}, "all", "The shares [0.5, 0.6, 0, 0] sum to 1.1, not to 1."),
    ({**FLIP, "flips": [float("nan"), 1, 0, 0]}, "all", "Nan is not a number."),
    (
        {**FLIP, "flips": [0.5, 0.5]},
        "all",
        "2 shares were given; 0 to 3 turned answers need 4 shares that sum to 1.",
    ),
    (
        {**FLIP, "flips": [0.125, 0.375, 0.375, 0.125], "direct": False},
        "all",
        "This table keeps nothing of any answer, so nothing could be recovered.",
    ),
    (
        {**FLIP, "gamma": 1, "radius": 1},
        "all",
        "1 is not above 1; at 1 nothing can be learned.",
    ),
    (
        {**FLIP, "gamma": 19, "radius": 3, "ask": 3},
        "all",
        "3 is not from 0 to 2, one less than the answers turned over.",
    ),
    (
        {"kind": "one-sided", "turned": None},
        "all",
        "A one-sided block needs g, the chance that a harmless answer is turned.",
    ),
    (
        {"lot": 20, "direct": False},
        "survey",
        "You draw who is asked directly, but direct answers are not allowed: allow them, or draw nobody.",
    ),
]

YES, NO = {"value": "1", "label": {"en": "Yes"}}, {"value": "0", "label": {"en": "No"}}
# The options of a question, what is entered for it, and the sentence.
OF_QUESTIONS: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    ([YES], {"type": "choice"}, "A choice needs at least two options."),
    ([YES], {}, "A choice needs at least two options."),
    (
        [{**YES, "settings": {"noise": 0.5}}, NO],
        {"type": "choice"},
        "Give the noise of every option, or of none.",
    ),
    (
        [{**YES, "settings": {"noise": 0.5}}, {**NO, "settings": {"noise": 0.6}}],
        {"type": "choice"},
        "The shares [0.5, 0.6] sum to 1.1, not to 1.",
    ),
    (
        [{**YES, "value": "a,b"}, NO],
        {"type": "choice"},
        "'a,b' is not a label: text without commas, edge spaces or controls.",
    ),
    (
        [{"value": "drugs", "label": {"en": "Drugs?"}}],
        {"type": "several"},
        "The name 'drugs' is used for two questions or items.",
    ),
    (
        [{"value": "Drugs", "label": {"en": "Drugs?"}}],
        {"type": "several"},
        "A name is a small letter, then up to 39 of a-z, 0-9, - and _.",
    ),
    ([], {"type": "scale", "min": "1"}, "A scale needs whole numbers min < max, at most 20 apart."),
    ([], {"type": "scale", "min": "1", "max": "x"}, "'x' is not a number."),
    (
        [],
        {"type": "scale", "min": "5", "max": "1"},
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    (
        [],
        {"type": "scale", "min": "1", "max": "30"},
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    ([], {"type": "number"}, "A disguised number needs a minimum and a maximum."),
    (
        [],
        {"type": "number", "min": "0", "max": "99"},
        "A coin works with options, not with numbers or places.",
    ),
    ([], {"type": "date"}, "This type cannot be disguised; ask a choice or a scale instead."),
    ([], {"type": "number", "open": True, "min": "9", "max": "1"}, "Min 9 is above max 1."),
    ([], {"type": "number", "open": True, "min": "many"}, "'many' is not a number."),
    ([], {"type": "number", "open": True, "min": "nan", "max": "9"}, "'nan' is not a number."),
    ([], {"type": "number", "min": "0", "max": "1e999"}, "'1e999' is not a number."),
    (
        [],
        {"type": "text", "open": True, "max": "5001"},
        "A text has only max, its length, from 1 to 5000.",
    ),
    (
        [],
        {"type": "date", "open": True, "min": "yesterday"},
        "Min and max of a date are written YYYY-MM-DD.",
    ),
    ([], {"min": "1"}, "This type has neither min nor max."),
    (
        [{**YES, "settings": {"noise": 0.5}}, {**NO, "settings": {"noise": 0.5}}],
        {"type": "choice", "open": True},
        "Noise is for answers under a coin: leave it empty.",
    ),
    (
        [],
        {"open": True, "settings": {"theta": 0.5}},
        "θ is for yes/no answers under a coin: leave it empty.",
    ),
    (
        [],
        {"open": True, "settings": {"harmless": "0"}},
        "Only one-sided blocks and lists of words have harmless answers: leave it empty.",
    ),
    (
        [],
        {"type": "scale", "min": "1", "max": "5", "settings": {"theta": 0.5}},
        "θ is for yes/no answers under a coin: leave it empty.",
    ),
    ([], {"settings": {"theta": 1.2}}, "1.2 is outside 0 to 1."),
    ([], {"settings": {"theta": 1e-12}}, "1e-12 is closer to 0 than steps of 2^-32 allow."),
    (
        [],
        {"when": {"question": "city", "is": ["1"]}},
        "A condition must depend on an earlier undisguised question.",
    ),
    (
        [],
        {"open": True, "when": {"question": "city", "is": ["berlin"]}},
        "Its condition needs an option of 'city'.",
    ),
    (
        [],
        {"id": "direct"},
        "'direct' is the name of the column of the direct group; choose another name.",
    ),
]


def with_question(document: Document, options: list[dict[str, Any]], entered: dict[str, Any]) -> Document:
    """With one more question, behind two undisguised ones."""
    city = {**new_question("city", "yesno"), "text": {"en": "City?"}}
    own = {**new_question("asked", "yesno"), "text": {"en": "Asked?"}, **entered}
    is_open = own.pop("open", False)
    own["options"] = [{"last": False, "settings": {}, **option} for option in options]
    (page,), (block,) = document["pages"], document["blocks"]
    block = {**block, "questions": [*block["questions"], *([] if is_open else [own["id"]])]}
    return {**document, "blocks": [block], "pages": [{**page, "questions": [*page["questions"], city, own]}]}


@pytest.mark.parametrize(("entered", "place", "sentence"), OF_BLOCKS)
def test_a_block_is_refused_in_one_sentence(survey: Survey, entered: dict[str, Any], place: str, sentence: str) -> None:
    """Every refusal stands where it can be mended."""
    assert list_refusals(survey, with_block(read_document(survey), entered))[0] == (place, sentence)


@pytest.mark.parametrize(("options", "entered", "sentence"), OF_QUESTIONS)
def test_a_question_is_refused_in_one_sentence(
    survey: Survey, options: list[dict[str, Any]], entered: dict[str, Any], sentence: str
) -> None:
    """Alone, whatever else there is in the draft."""
    name = entered.get("id", "asked")
    assert list_refusals(survey, with_question(read_document(survey), options, entered)) == [(name, sentence)]


def test_every_refusal_is_chinese_on_a_chinese_page(survey: Survey) -> None:
    """Wherever its rule stands: in the design, or in the questionnaire."""
    document = read_document(survey)
    drafts = [with_block(document, entered) for entered, *_said in OF_BLOCKS]
    drafts += [with_question(document, options, entered) for options, entered, *_said in OF_QUESTIONS]
    with override("zh-hans"):
        said = [sentence for draft in drafts for _place, sentence in list_refusals(survey, draft)]

    assert len(said) >= len(drafts)
    assert [one for one in said if ENGLISH.search(one) or not re.search(r"[\u4e00-\u9fff]", one)] == []


@pytest.mark.parametrize(
    "entered",
    [{"ask": 4}, {**FLIP, "flips": [0.4, 0.3, 0.2, 0.1, 0]}, {**FLIP, "gamma": 19, "radius": 3}],
    ids=["ask", "flips", "radius"],
)
def test_a_block_may_wait_for_more_questions(survey: Survey, entered: dict[str, Any]) -> None:
    """Questions are added one by one: numbers that speak of more than there are yet are named before publishing."""
    document = with_block(read_document(survey), entered)
    assert list_refusals(survey, document) == []
    assert missing(Draft.from_document(survey, document)) == ["“all” announces 4 items but has 3 so far."]


def test_a_question_that_its_block_has_no_room_for_is_refused(survey: Survey) -> None:
    """The numbers of a block say how many items it has."""
    document = with_question(with_block(read_document(survey), {**FLIP, "flips": [0.4, 0.3, 0.2, 0.1]}), [], {})
    assert list_refusals(survey, document) == [
        (
            "all",
            "4 shares were given; 0 to 4 turned answers need 5 shares that sum to 1.",
        )
    ]


@pytest.mark.parametrize(
    ("options", "entered"),
    [
        ([NO, YES, {"value": "secret", "label": {"en": "Secret"}}], {}),
        ([{**NO, "value": "n"}, {**YES, "value": "y"}], {}),
        ([YES, NO], {}),
        ([], {"type": "choice"}),
        ([], {"type": "scale"}),
        ([], {"type": "matrix"}),
    ],
    ids=["three", "values of its own", "the other order", "choice", "scale", "matrix"],
)
def test_a_flip_block_takes_yes_and_no(survey: Survey, options: list[dict[str, Any]], entered: dict[str, Any]) -> None:
    """Another answer has no opposite that could be sent in its place; it is refused even before it is finished."""
    document = with_question(with_block(read_document(survey), {**FLIP, "gamma": 19, "radius": 0}), options, entered)
    assert list_refusals(survey, document) == [("asked", "A flip block takes yes/no answers only.")]


def test_a_condition_looks_back_at_open_questions(survey: Survey) -> None:
    """A question behind the one that depends on it is refused at the one that loses its ground."""
    add_question(survey, "pregnant", page=2, when={"question": "sex", "is": ["1"]})
    add_question(survey, "sex", page=2)
    assert list_refusals(survey, read_document(survey)) == [
        ("pregnant", "A condition must depend on an earlier undisguised question.")
    ]


def test_a_condition_looks_back_in_every_order(survey: Survey) -> None:
    """Where the device draws the order, the question before it may come after it."""
    add_question(survey, "sex", page=2)
    add_question(survey, "pregnant", page=2, when={"question": "sex", "is": ["1"]})
    document = read_document(survey)
    document["pages"][1]["shuffle"] = True
    assert list_refusals(survey, document) == [
        (
            "pregnant",
            "Its condition needs a question that comes earlier in every order: let neither page nor questions change "
            "places.",
        )
    ]


@pytest.mark.parametrize("numbers", [{"flips": [0.5, 0.3, 0.2]}, {"gamma": 19, "radius": 1}])
def test_flips_wait_for_the_items_of_a_question_that_has_none_yet(numbers: dict[str, Any]) -> None:
    """Its block is not refused for that, and once it has its item the design has both."""
    survey = make_survey(names=("drugs",))
    document = with_block(read_document(survey), {**FLIP, **numbers})
    first = with_question(document, [], {"type": "several"})
    beer = [{"value": "beer", "label": {"en": "Beer"}}]

    assert list_refusals(survey, first) == []
    assert (
        len(compose_design(Draft.from_document(survey, with_question(document, beer, {"type": "several"}))).items) == 2
    )


def test_a_title_waits_for_its_questions_and_its_translation() -> None:
    """What would never be shown, or not to everybody, is named before publishing."""
    survey = make_survey(names=("drugs",), languages=["en", "zh-hans"])
    with edit_draft(survey) as document:
        document["pages"][0]["title"] = {"en": "Title"}
        document["pages"].append({"number": 7, "title": {"en": "Title", "zh-hans": "标题"}, "questions": []})
    assert [sentence for sentence in missing(Draft.load(survey)) if "Page" in sentence] == [
        "“Page 1” has no text in Simplified Chinese.",
        "Page 7 has a title and no questions.",
    ]


@pytest.mark.parametrize("kind", ["each", "coin"])
def test_publishing_is_refused_at_the_question_of_whichever_block(survey: Survey, kind: str) -> None:
    """The design counts its blocks and items otherwise than the draft: a coin for each item is a block of its own."""
    document = read_document(survey)
    names = document["blocks"][0]["questions"]
    late = {**new_question("late", "yesno"), "text": {"en": "Late?"}, "settings": {"theta": 2}}
    document["pages"][-1]["questions"].append(late)
    settings = {"keep": 0.5, "theta": 0.5}
    document["blocks"] = [
        {"name": "one", "kind": kind, "settings": settings, "questions": names},
        {"name": "two", "kind": kind, "settings": settings, "questions": ["late"]},
    ]

    with pytest.raises(EntryError) as refused:
        compose_design(Draft.from_document(survey, document))

    assert len(names) > 1
    assert why_not(Draft.from_document(survey, document), refused.value) == "“Late?”: 2 is outside 0 to 1."
