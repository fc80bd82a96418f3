"""What each kind of block asks for stands in its form alone; a one-sided block is published with its mark."""

from typing import Any

import pytest

from privacy.design import Design
from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.errors import InputError
from surveys import kinds
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.surveys.making import add_question, compose_draft, make_survey, set_block, set_question, set_questions


def one_sided(turned: float = 0.25, harmless: str = "0", **fields: Any) -> Survey:
    """Two questions in a block that hides one of their answers."""
    survey = make_survey(names=("threatened", "touched"), **fields)
    set_block(survey, kind="one-sided", settings={"turned": turned})
    set_questions(survey, settings={"harmless": harmless} if harmless else {})
    return survey


def test_every_recipe_of_a_block_has_its_form() -> None:
    """What the studio says of it stands in one table, in the order in which the kinds stand below; no form is left."""
    assert list(kinds.FORMS) == list(RECIPES)


def test_a_kind_is_called_by_the_word_of_the_field_first() -> None:
    """Experts know that one; ours stands behind it."""
    assert {name: str(label).partition(": ")[0] for name, label in kinds.choices() if ": " in str(label)} == {
        "coin": "unrelated question, k-ary",
        "each": "unrelated question, k-ary",
        "by-gamma": "k-ary",
        "flip": "bit flipping",
        "one-of": "set-valued",
        "named-words": "set-valued",
        "by-person": "respondent-administered draw",
    }


def test_kinds_that_ask_for_a_value_of_one_name_ask_for_the_same() -> None:
    """A form has one field of a name, whatever kind is chosen."""
    fields = [field for form in kinds.FORMS.values() for field in form.fields]
    asked_of_items = [field for form in kinds.FORMS.values() for field in form.item_fields]

    assert [field for field in fields if kinds.BLOCK_FIELDS[field.name] != field] == []
    assert {field.name for field in asked_of_items} == {*kinds.QUESTION_FIELDS, *kinds.OPTION_FIELDS}
    assert [field for field in asked_of_items if not field.elsewhere] == []


def test_a_one_sided_block_waits_until_the_harmless_answer_is_marked() -> None:
    """A draft may be without it, and is not published."""
    survey = one_sided(harmless="")
    add_question(survey, "age", type="number", page=2)

    sentence = "“{}”: mark which answer is the harmless one."
    assert missing(Draft.load(survey)) == [sentence.format(f"{name}?") for name in ("threatened", "touched")]
    with pytest.raises(InputError, match="mark which answer is the harmless one"):
        publish(survey)

    for name in ("threatened", "touched"):
        set_question(survey, name, settings={"harmless": "0"})
    assert missing(Draft.load(survey)) == []
    assert compose_draft(survey).source["design"]["blocks"] == [
        {
            "one-sided": 2**30,
            "items": [{"id": name, "options": ["0", "1"], "harmless": "0"} for name in ("threatened", "touched")],
        }
    ]


def test_a_yes_or_no_in_other_words_stays_out_of_a_one_sided_block() -> None:
    """Respondents read that "no" is not hidden, which may be the other answer where 0 stands for "Yes, always"."""
    survey = one_sided()
    options = [
        {"value": str(place), "label": {"en": label}, "last": False, "settings": {}}
        for place, label in enumerate(("Yes, always", "No, never"))
    ]
    set_question(survey, "touched", options=options)

    with pytest.raises(InputError, match="plain yes/no answers only"):
        publish(survey)


def test_a_one_sided_survey_is_checked_against_the_limit_by_its_odds() -> None:
    """(1/.25)² = 16 is within the limit of 19 although γ is infinite; (1/.125)² = 64 needs the signed override."""
    within, beyond = one_sided(), one_sided(0.125, slug="beyond")

    publish(within)
    with pytest.raises(InputError) as refused:
        publish(beyond)
    beyond.override_by, beyond.override_reason = "A. Researcher", "A pilot."
    beyond.save()
    version = publish(beyond)

    assert within.versions.get().parsed.source["override"] is None
    assert str(refused.value) == (
        "The odds of what is hidden can grow 64 times, above this site's limit of 19: "
        "disguise more, or sign the override, which respondents will see."
    )
    assert version.parsed.source["override"] == {
        "by": "A. Researcher",
        "reason": "A pilot.",
        "gamma": 64.0,
        "limit": 19.0,
    }


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"type": "choice"}, "a one-sided block takes plain yes/no answers only."),
        (
            {"settings": {"harmless": "1"}},
            "its questions have different harmless answers; use a block for each.",
        ),
        ({"settings": {"harmless": "0", "theta": 0.5}}, "θ is for yes/no answers under a coin: leave it empty."),
    ],
)
def test_what_a_one_sided_block_cannot_disguise_is_refused(other: dict[str, Any], sentence: str) -> None:
    """One sentence says why."""
    survey = one_sided()
    set_question(survey, "touched", **other)
    assert [refusal.sentence.lower() for refusal in refusals(Draft.load(survey))] == [sentence.lower()]


@pytest.mark.parametrize(
    ("name", "role"), [(name, role) for name, form in kinds.FORMS.items() if form.stays for role in form.stays.roles]
)
def test_the_chance_that_an_answer_stays_is_read_back_from_what_is_entered_for_it(name: str, role: str) -> None:
    """And of a block that is made so, "no" is as much more likely from people who say no than from others."""
    form, recipe = kinds.FORMS[name], RECIPES[name]
    assert form.stays is not None
    settings = {field.name: field.default for field in form.fields} | form.stays.settings(0.3)

    item = recipe.write_item(settings, EnteredItem("x", None, form.stays.roles[role]))
    block = Design.parse({"blocks": recipe.write(settings, [item])}).blocks[0]
    kept = block.chance((0,), (0,), (0,)) - block.chance((0,), (1,), (0,))

    assert form.stays.share(settings) == pytest.approx(0.3, abs=1e-12)
    assert float(kept) == pytest.approx(0.3, abs=1e-9)


def one_of(**settings: Any) -> Survey:
    """A yes/no question and one with options in a list of words."""
    survey = make_survey(names=("theft", "bribe"), direct=False)
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 2, **settings})
    options = [
        {"value": value, "label": {"en": value.title()}, "last": value == "prefer", "settings": {}}
        for value in ("asked", "never", "prefer")
    ]
    set_question(survey, "bribe", type="choice", options=options, settings={"harmless": "never"})
    return survey


def test_a_list_of_words_is_published_with_a_word_for_each_answer_that_is_not_harmless() -> None:
    """No of a yes/no question needs no mark; "prefer not to say" is a word like another, and one word has the γ."""
    version = publish(one_of())
    (block,) = version.parsed.design.blocks
    entry = version.parsed.source["design"]["blocks"][0]

    assert [item["harmless"] for item in entry["items"]] == ["0", "never"]
    assert [word["word"] for word in entry["words"]] == ["theft", "bribe=asked", "bribe=prefer"]
    assert 18.99 < block.gamma <= 19


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"cap": None}, "A list of words needs a cap: how many answers of one person it tells in full."),
        ({"cap": 0.5}, "0.5 is below 1 answer."),
        ({"list_gamma": None}, "A list of words needs γ, its promise."),
        ({"list_gamma": 1}, "1 is not above 1; at 1 nothing can be learned."),
        ({"longest": 9}, "9 is not from 1 to 3."),
    ],
)
def test_a_setting_of_a_list_that_cannot_be_is_refused_at_its_field(settings: dict[str, Any], sentence: str) -> None:
    """One sentence says why, at the block."""
    (refusal,) = refusals(Draft.load(one_of(**settings)))
    assert (refusal.sentence, str(refusal.at)) == (sentence, "all")


def test_a_harmless_answer_that_a_question_does_not_have_is_refused_at_the_question() -> None:
    """Without one entered it is no, or the first option."""
    survey = one_of()
    set_question(survey, "bribe", settings={"harmless": "often"})
    (refusal,) = refusals(Draft.load(survey))
    set_question(survey, "bribe", settings={})

    assert str(refusal.at) == "bribe"
    assert refusal.sentence.startswith("'often' is none of its answers")
    assert [item["harmless"] for item in compose_draft(survey).source["design"]["blocks"][0]["items"]] == ["0", "asked"]
