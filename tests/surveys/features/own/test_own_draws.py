"""Questions that people draw for themselves: chosen in the studio, frozen, and refused where two answers would tell."""

import json
from typing import Any

import pytest

from privacy.errors import EntryError, InputError
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import judge_document
from surveys.domain.messages.submission import Refused, bytes_to_store, envelope
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Document, Draft, read_document, store
from surveys.domain.questionnaire.forecast import forecast_draft, widths_of_items
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft
from surveys.domain.questionnaire.promise import protection
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from surveys.studio.protection import guess_context, summary_of
from tests.servers import ROOT
from tests.surveys.making import edit_draft, make_survey

PERSON = {"do": "draws", "value": "by-person"}


def drawn(*names: str, **fields: Any) -> Survey:
    """A survey whose sensitive questions people draw for, as the studio chooses."""
    survey = make_survey(names=names, direct=False, **fields)
    change(survey, PERSON)
    return survey


def change(survey: Survey, said: dict[str, Any]) -> Document:
    document = apply(survey, read_document(survey), said)
    store(survey, document)
    return document


def settings_of(survey: Survey) -> list[tuple[list[str], dict[str, Any]]]:
    return [(block["questions"], block["settings"]) for block in read_document(survey)["blocks"]]


def said_of(survey: Survey) -> list[str]:
    return [refusal.sentence for refusal in refusals(Draft.load(survey))]


@pytest.fixture
def survey() -> Survey:
    return drawn("a")


@pytest.mark.parametrize(
    ("count", "way", "source", "gamma"),
    [
        (1, "crosswise", "day", 2.8),
        (2, "unrelated", "die", 9),
        (3, "unrelated", "die", 17),
        (7, "unrelated", "die", 17),
    ],
)
def test_the_studio_proposes_a_draw_for_so_many_questions(count: int, way: str, source: str, gamma: float) -> None:
    """One: crosswise, days 2 to 9; two and three: a die each; more: three by lot, a die each.

    γ is that of the worst chances, so not below the one without doubt about them.
    """
    survey = drawn(*"abcdefg"[:count])
    first = compose(Draft.load(survey)).design.blocks[0]

    assert first.draw is not None
    assert (first.draw.way.name, first.draw.drawn.source, first.items_per_person) == (
        way,
        source,
        min(count, 3),
    )
    assert gamma <= float(first.gamma) < 1.6 * gamma


@pytest.mark.parametrize("count", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 3, 4, 7))])
def test_what_the_studio_proposes_can_be_published_without_a_signature(count: int) -> None:
    """Answers that everybody knows tell of nobody, so the limit is about all others alone."""
    survey = drawn(*"abcdefg"[:count])
    definition = compose(Draft.load(survey))

    assert definition.design.odds > 19
    assert not protection(Draft.load(survey), Minimum(20)).over_limit
    assert publish(survey).parsed.source["override"] is None


def test_the_pair_of_known_answers_comes_with_draws_of_its_own(survey: Survey) -> None:
    """It goes when devices draw again, and the blocks are proposed again."""
    names = [name for name, _settings in settings_of(survey)]
    definition = compose(Draft.load(survey))
    change(survey, {"do": "draws", "value": "device"})

    assert names == [["a"], ["moon"], ["water"]]
    assert definition.source["own"] == {"never": "moon"}
    assert [*definition.source["careless"]] == ["moon", "water"]
    assert [question.id for question in Draft.load(survey).questions] == ["a"]
    assert "own" not in compose(Draft.load(survey)).source


def test_a_survey_that_people_draw_for_is_published_and_takes_what_they_press(survey: Survey) -> None:
    """With the look where half of the people see the opposite; without it, or with another, it is refused."""
    change(survey, {"do": "draw", "block": "block 1", "value": "day-of-two-lists"})
    assert missing(Draft.load(survey)) == []
    version = publish(survey)
    sent = {
        **{"version": version.sha256, "key": "0" * 32, "direct": 0, "record": [1, 0, 1], "pad": ""},
        "open": {"look": "opposite"},
    }

    stored = bytes_to_store(envelope(sent), version.parsed)
    assert json.loads(stored.open) == {"look": "opposite"}
    wrongs: list[dict[str, Any]] = [
        {"open": {}},
        {"open": {"look": "none"}},
        {"record": [1, None, 1]},
        {"record": [2, 0, 1]},
        {"record": [1]},
    ]
    for wrong in wrongs:
        with pytest.raises(Refused):
            bytes_to_store(envelope({**sent, **wrong}), version.parsed)


def test_one_fact_for_two_questions_is_refused_with_what_both_would_show(survey: Survey) -> None:
    """In a questionnaire; the question that is never true is one of them."""
    with edit_draft(survey) as document:
        document["blocks"][1]["settings"]["fact"] = "mother"

    (said,) = said_of(survey)
    assert said == (
        "“a?”, “Have you ever been to the Moon?” may use one fact, the day of a birthday (the mother): give each "
        "another. Two answers with one fact show whether the two true answers are the same."
    )
    with pytest.raises(InputError):
        publish(survey)


def test_the_phones_of_two_people_are_one_fact(survey: Survey) -> None:
    """The phone of a friend and that of a relative: one may have married the other."""
    with edit_draft(survey) as document:
        for block, whose in zip(document["blocks"], ("friend", "relative"), strict=False):
            block["settings"] |= {"source": "phone", "fact": whose, "part": 3}

    assert any("may use one fact" in said for said in said_of(survey))


def test_people_whom_the_page_names_are_not_one_person() -> None:
    """A good friend is neither a cousin nor a former teacher, who is no relative: in every language."""
    texts = json.loads((ROOT / "surveys/client/features/own/texts.json").read_text(encoding="utf-8"))
    by_words = {name for name in texts["en"] for text in texts.values() if text[name][-1] in ")）"}

    assert by_words == {"own.friend", "own.teacher"}
    assert all(text[name][-1] in ")）" for text in texts.values() for name in by_words)


DRAWING = {"en": "drew", "de": "zog", "fr": "tiré", "es": "sacó", "pt": "tirou", "ar": "سحب", "ru": "вытян"}
DRAWING |= {"zh-hans": "抽到", "zh-hant": "抽到", "hi": "खींच", "id": "tarik", "sw": "vuta"}


@pytest.mark.parametrize("where", ["client/features/own", "features/paper"])
def test_steps_for_every_source_name_none(where: str) -> None:
    """A die is rolled and a number written down: what all share does not speak of drawing a card, in any language."""
    texts = json.loads((ROOT / f"surveys/{where}/texts.json").read_text(encoding="utf-8"))
    shared = ("own.find", "own.drew", "own.supposeDraw", "own.asksAny", "find")
    said = [(tag, text) for tag, own in texts.items() for name, text in own.items() if name in shared]

    assert texts.keys() == DRAWING.keys()
    assert [(tag, text) for tag, text in said if DRAWING[tag] in text] == []


def test_a_question_that_is_never_true_shares_no_draw(survey: Survey) -> None:
    """Its answer is known: beside it, what is pressed tells more of the other answer than alone."""
    with edit_draft(survey) as document:
        document["careless"] = None
        own, control, _always = document["blocks"]
        together = {"draw_way": "unrelated", "source": "digit", "fact": "note", "part": 6}
        document["blocks"] = [own | {"settings": together, "questions": [*own["questions"], *control["questions"]]}]

    with pytest.raises(EntryError) as refused:
        compose(Draft.load(survey))
    assert str(refused.value) == (
        "a question that is never true needs a draw of its own: its answer is known beside others."
    )


def test_a_fact_that_others_know_is_refused(survey: Survey) -> None:
    """The survey, a panel, an employer, a school, a household."""
    change(survey, {"do": "held", "fact": "mother", "value": True})
    (said,) = said_of(survey)
    change(survey, {"do": "held", "fact": "mother", "value": False})

    assert "who may see the answers knows the day of a birthday (the mother)" in said
    assert said_of(survey) == []


def test_one_warner_draw_for_a_group_is_refused() -> None:
    """All truths or all opposites tell whether two answers are the same."""
    survey = drawn("a", "b")
    with edit_draft(survey) as document:
        document["blocks"][0]["settings"] = {"draw_way": "warner", "source": "die", "part": 5}

    with pytest.raises(EntryError, match="show whether the true answers are the same"):
        compose(Draft.load(survey))


def test_direct_answers_and_own_draws_do_not_go_together(survey: Survey) -> None:
    """Who answers directly draws nothing."""
    with edit_draft(survey) as document:
        document["direct"] = True

    assert said_of(survey) == [
        "Who draws the chance answers disguised: a survey has either direct answers or own draws."
    ]


def test_what_a_survey_will_tell_is_not_said_of_the_question_that_nobody_affirms() -> None:
    """The verdict has the widths and the guess of the questions that are asked for their answers, on every page."""
    draft = Draft.load(drawn("a", "b"))
    design, people = compose(draft).design, draft.document["expected"]
    widths = widths_of_items(design, people, minimum_of_draft(draft).disguised, guess_of(draft))

    verdict = judge_document(draft.survey, draft.document)
    said = [str(one) for one in verdict.sentences()]

    assert {aim.what: aim.figure for aim in verdict.aims}["shares"] == max(widths["a"], widths["b"]) < widths["moon"]
    assert forecast_draft(draft).most == max(widths["a"], widths["b"])
    assert not [one for one in said if "it 0.5 or" in one or "it is 0.5 %" in one or "however many hide" in one]
    assert [row["id"] for row in guess_context(draft)["rows"]] == ["a", "b"]
    assert summary_of(draft).startswith("2 are")
