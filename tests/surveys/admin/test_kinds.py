"""What each kind of block asks for stands in its form alone; a one-sided block is published with its mark."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from privacy.design.blocks import FORMS
from privacy.errors import InputError
from surveys import kinds
from surveys.admin.panel import protection_context
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.write import Draft, compose
from surveys.models import Block, Option, Question, Survey
from tests.surveys.admin.pages import entered, errors, question_page, send, somebody, survey_page, visit
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher() -> User:
    return somebody()


def one_sided(turned: float = 0.25, harmless: str = "0", **fields: Any) -> Survey:
    """Two questions in a block that hides one of their answers."""
    survey = make_survey(names=("threatened", "touched"), **fields)
    survey.blocks.update(kind="one-sided", settings={"turned": turned})
    survey.questions.update(settings={"harmless": harmless} if harmless else {})
    return survey


def test_a_new_kind_needs_no_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database keeps a kind by its name, and the choices of the form come from the table."""
    another = replace(FORMS["coin"], name="another", label="another")
    monkeypatch.setitem(FORMS, another.name, another)

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)

    assert ("another", "another") in Block._meta.get_field("kind").flatchoices


def test_kinds_that_ask_for_a_value_of_one_name_ask_for_the_same() -> None:
    """A form has one field of a name, whatever kind is chosen."""
    fields = [field for form in FORMS.values() for field in form.fields]
    asked_of_items = [field for form in FORMS.values() for field in form.item_fields]

    assert [field for field in fields if kinds.BLOCK_FIELDS[field.name] != field] == []
    assert {field.name for field in asked_of_items} == {*kinds.QUESTION_FIELDS, *kinds.OPTION_FIELDS}
    assert [field for field in asked_of_items if not field.elsewhere] == []


def test_a_block_keeps_what_its_own_kind_asks_for(researcher: User) -> None:
    """Values that stand in the form for other kinds are not stored; with another kind its usual ones stand ready."""
    survey = make_survey()
    page = survey_page(survey)

    send(researcher, page, {"blocks-0-kind": "flip", "blocks-0-gamma": "9", "blocks-0-radius": "0"})
    flips = survey.blocks.get().settings
    shown = entered(researcher, page)
    send(researcher, page, {"blocks-0-kind": "coin"})

    assert flips == {"gamma": 9.0, "radius": 0}
    assert (shown["blocks-0-keep"], shown["blocks-0-theta"], shown["blocks-0-turned"]) == (0.3, 0.6, 0.2)
    assert survey.blocks.get().settings == {"keep": 0.3, "theta": 0.6}


def test_the_choices_of_the_page_say_which_fields_they_use(researcher: User) -> None:
    """The script shows, for the kind of block that is chosen, the fields of that kind."""
    survey = one_sided()
    block = visit(researcher, survey_page(survey)).render().content.decode()
    question = visit(researcher, question_page(survey.questions.first())).render().content.decode()

    for kind, uses in (
        ("coin", "ask keep theta"),
        ("each", "ask keep theta"),
        ("flip", "ask flips gamma radius"),
        ("one-sided", "ask turned"),
    ):
        assert f'<option value="{kind}" data-uses="{uses}"' in block.replace(" selected", "")
    assert f'<option value="{survey.blocks.get().pk}" data-uses="harmless"' in question.replace(" selected", "")


def test_a_one_sided_block_waits_until_the_harmless_answer_is_marked(researcher: User) -> None:
    """The mark is entered on the question's own page, so the survey is saved without it, and not published."""
    survey = one_sided(harmless="")
    add_question(survey, "age", type="number", page=2)

    response = send(researcher, survey_page(survey), {"title": "Changed"})

    assert response.status_code == 302
    sentence = "“{}”: mark which answer is the harmless one."
    assert missing(Draft.stored(survey)) == [sentence.format(name) for name in ("threatened", "touched")]
    with pytest.raises(InputError, match="mark which answer is the harmless one"):
        publish(survey)

    for question in survey.questions.exclude(block=None):
        assert send(researcher, question_page(question), {"harmless": "0"}).status_code == 302
    assert missing(Draft.stored(survey)) == []
    assert compose(survey).source["design"]["blocks"] == [
        {
            "one-sided": 2**30,
            "items": [{"id": name, "options": ["0", "1"], "harmless": "0"} for name in ("threatened", "touched")],
        }
    ]


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"theta": "0.5"}, "theta", "θ is for yes/no answers under a coin: leave it empty."),
        ({"block": ""}, "harmless", "Only a one-sided block has harmless answers: leave it empty."),
        ({"type": "choice"}, "block", "A one-sided block takes plain yes/no answers only."),
        (
            {"harmless": "1"},
            "block",
            "“all”: Its questions have different harmless answers: give each of the two a block of its own.",
        ),
    ],
)
def test_what_a_one_sided_block_cannot_disguise_is_refused(
    researcher: User, changes: dict[str, str], field: str, sentence: str
) -> None:
    """One sentence at the field of the question; nothing is saved."""
    question = one_sided().questions.get(identifier="touched")

    response = send(researcher, question_page(question), changes)

    assert errors(response) == {field: [sentence]}
    assert Question.objects.get(pk=question.pk).settings == {"harmless": "0"}


def test_a_yes_or_no_in_other_words_stays_out_of_a_one_sided_block() -> None:
    """Respondents read that "no" is not hidden, which may be the other answer where 0 stands for "Yes, always"."""
    survey = one_sided()
    question = survey.questions.get(identifier="touched")
    for place, label in enumerate(("Yes, always", "No, never")):
        Option.objects.create(question=question, position=place, value=str(place), label={"en": label})

    with pytest.raises(InputError, match="plain yes/no answers only"):
        publish(survey)


def test_a_one_sided_block_needs_its_chance(researcher: User) -> None:
    """Without g there is no design; the refusal stands at its field."""
    survey = one_sided()

    response = send(researcher, survey_page(survey), {"blocks-0-turned": ""})

    sentence = "A one-sided block needs g, the chance that a harmless answer is turned."
    assert errors(response) == {"blocks-0-turned": [sentence]}


def test_a_one_sided_survey_is_held_against_the_limit_by_its_odds() -> None:
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
        "disguise more, or sign the override, which respondents are shown."
    )
    assert version.parsed.source["override"] == {
        "by": "A. Researcher",
        "reason": "A pilot.",
        "gamma": 64.0,
        "limit": 19.0,
    }


def test_the_panel_says_what_is_not_hidden() -> None:
    """γ is infinite, and no promise; the sentence and the bound are those of the hidden answer."""
    shown = protection_context(Draft.stored(one_sided()))

    assert shown["promise"] == (
        "Harmless answers are not hidden: a stored one is true. Someone who thinks that a respondent answers at "
        "least one such question otherwise with a chance of 5 %, cannot become more than 46 % sure of that, "
        "whatever the disguised answers are."
    )
    row = shown["rows"][0]
    assert (row.gamma, row.epsilon, row.odds, row.posterior) == ("∞", "∞", "16.0", "46 %")
    assert (shown["one_sided"], shown["over_limit"]) == (True, False)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"turned": 0.0, "ask": 1}, "turned"),
        ({"turned": 0.0}, "turned"),
        ({"patterned_gamma": 0.5, "ask": 2}, "patterned_gamma"),
        ({"ask": 2}, "patterned_gamma"),
    ],
)
def test_a_block_is_refused_at_the_field_whose_value_is_wrong(settings: dict[str, float], field: str) -> None:
    """Whatever the design calls the value, and whatever else was filled in."""
    kind = "one-sided" if field == "turned" else "patterned"
    survey = make_survey()
    survey.blocks.update(kind=kind, settings=settings)
    survey.questions.update(settings={"harmless": "0"} if kind == "one-sided" else {})
    assert [refusal.field for refusal in refusals(Draft.stored(survey))] == [field]
