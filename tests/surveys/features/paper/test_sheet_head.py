"""What a sheet says before its questions: that people are free, how chance protects both ways, and an example."""

import re
from fractions import Fraction

import pytest
from django.test import Client

from privacy.own_draw.ready import draw_of
from privacy.own_draw.typed import EntryErrors
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.features.paper.form import form_of
from surveys.features.paper.layout import lay_out, texts_of_head
from surveys.models import SurveyVersion
from tests.surveys.features.paper.sheets_of import BORN, crosswise, extended, publish_paper
from tests.surveys.making import make_survey

BY_DAY = {"by": "person", "draw": draw_of("crosswise", "day", 8, 1, "mother", slips=True), "items": [{"id": "copied"}]}
WAYS = [
    (
        BY_DAY,
        ("25", "One yes, one no", "Both yes, or both no", 75),
        "Suppose you got 2, so you say “Yes” to A. B asks: “Did you drink coffee today?” You say “No”. Then you cross:",
        [("One yes, one no", True), ("Both yes, or both no", False)],
    ),
    (
        {"by": "person", "draw": draw_of("forced", "die", 4, 1), "items": [{"id": "copied"}]},
        ("16", "Yes", "No", 84),
        "Suppose you got 1: “Cross Yes, whatever is true”. The question is: “Did you drink coffee today?” Your true "
        "answer is “No”. Then you cross:",
        [("Yes", True), ("No", False)],
    ),
    (
        {"by": "person", "draw": draw_of("unrelated", "die", 4, 1), "items": [{"id": "copied"}]},
        ("16", "Yes", "No", 84),
        "Suppose you got 1: “Cross your true answer”. The question is: “Did you drink coffee today?” Your true "
        "answer is “No”. Then you cross:",
        [("Yes", False), ("No", True)],
    ),
]


@pytest.mark.parametrize(("block", "figures", "example", "boxes"), WAYS)
def test_a_sheet_says_how_chance_protects_both_ways_and_shows_an_example(
    block: dict, figures: tuple[str, str, str, int], example: str, boxes: list[tuple[str, bool]]
) -> None:
    """The no first, then the limit of somebody who thought it as likely as not; nothing of the example is asked."""
    version = publish_paper([block])
    form = form_of(version)
    head = texts_of_head(form, form.lots[0], "en")
    some, yes, no, sure = figures

    assert head["free"][0] == version.parsed.source["consent"]["en"]
    assert [(said, dots.count("<circle"), 100 - dots.count("open")) for said, dots in head["directions"]] == [
        (f"Of 100 people who would say “No”, about {some} cross “{yes}”.", 100, int(some)),
        (f"Of 100 people who would say “Yes”, about {some} cross “{no}”.", 100, 100 - int(some)),
    ]
    assert head["limit"] == [
        f"● {yes} ○ {no}.",
        f"The exact limit: somebody 50\N{NO-BREAK SPACE}% sure of your answer before can become "
        f"{sure}\N{NO-BREAK SPACE}% sure at most, never certain.",
    ]
    assert (head["example"], head["boxes"]) == (example, boxes)


def test_the_second_look_says_the_other_box() -> None:
    """There the opposite of the fact is asked for, so that the same answer is crossed in the other box."""
    form = form_of(publish_paper([extended()], least=20))
    of_no = {lot.look: texts_of_head(form, lot, "en")["directions"][0][0] for lot in form.lots}

    assert [said.partition("cross ")[2] for said in of_no.values()] == ["“One yes, one no”.", "“Both yes, or both no”."]


def test_slips_take_the_place_of_birthdays_where_the_design_reckons_with_them(admin_client: Client) -> None:
    """On the sheet, and in the guide among what to bring; not where δ is that of birthdays alone, nor with a die."""
    narrow = {**BY_DAY, "draw": draw_of("crosswise", "day", 8, 1, "mother")}
    said = []
    for slug, block in (("wide", BY_DAY), ("narrow", narrow), ("die", crosswise("copied")[0])):
        version: SurveyVersion = publish_paper([block], BORN, slug=slug)
        sheet, guide = (
            admin_client.get(f"/staff/studio/{version.survey_id}/paper/{page}/").content.decode()
            for page in ("print", "guide")
        )
        said.append((bool(re.search("draw a slip from the bag", sheet)), "a bag with 31 slips of paper" in guide))

    assert said == [(True, True), (False, False), (False, False)]


def test_paper_makes_the_draw_of_a_draft_reckon_with_slips() -> None:
    """Of 31 slips eight are drawn by .2581, and birthdays are on days 2 to 9 by .2628: δ reaches over both."""
    survey = make_survey(names=("copied",), direct=False)
    document = apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})
    document = apply(survey, document, {"do": "draw", "block": "block 1", "value": "day"})
    found = []
    for paper in (False, True):
        document = apply(survey, document, {"do": "survey", "field": "paper", "value": paper})
        draws = [block.draw for block in compose_design(Draft.from_document(survey, document)).blocks]
        found += [(draw.drawn.delta, draw.drawn.takes_slips) for draw in draws if draw]

    assert {*found[: len(found) // 2]} == {(Fraction(3, 1000), False)}
    assert {*found[len(found) // 2 :]} == {(Fraction(5, 1000), True)}


def test_a_sheet_with_two_birthdays_is_one_side_of_paper() -> None:
    """Consent, both directions, an example, slips, and three questions; typed answers move none of its figures."""
    others = {**BY_DAY, "draw": {**BY_DAY["draw"], "fact": "father"}, "items": [{"id": "moon"}]}
    texts = {
        "title": {"en": "Bribes in the district"},
        "who": {"en": "Anna Meier, University of Example, anna@example.org."},
        "why": {"en": "We want to know how common bribes are. We publish shares only."},
        "consent": {"en": "I am 18 or older, have read this, and take part of my own free will."},
    }
    version = publish_paper([BY_DAY, others], BORN, sentence="Have you ever taken a bribe?", **texts)
    form = form_of(version)
    head = texts_of_head(form, form.lots[0], "en")
    version.entry_errors = EntryErrors(1000, 100, Fraction(1))

    assert version.design != version.parsed.design
    assert texts_of_head(form, form.lots[0], "en") == head
    assert [len(page) for page in lay_out(form, form.lots[0])] == [3]
