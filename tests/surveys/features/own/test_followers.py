"""Who follows a draw of their own, in the report: corrected shares first, bounds where nothing tells more."""

import json
from typing import Any

import numpy as np
import pytest

from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.features.own.report import PART
from surveys.models import Survey, SurveyVersion
from surveys.results.report import data_of
from tests.surveys.making import make_survey, words, write

pytestmark = pytest.mark.django_db
PEOPLE, CARELESS, SHARE = 8000, 0.2, 0.3


def answered(names: tuple[str, ...], *, closed: bool = True, never: bool = True) -> SurveyVersion:
    """Published and answered by people, a fifth of whom press "exactly one" nine times in ten, whatever is asked."""
    survey = make_survey(names=names, direct=False, override_by="Tests", override_reason="three questions")
    document = apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})
    if not never:
        document = apply(survey, document, {"do": "delete", "question": "moon"})
    store(survey, document)
    version = publish(survey)
    random, design = np.random.default_rng(84), version.design
    look = random.random(PEOPLE) < 0.5
    truth = random.random((PEOPLE, len(design.items))) < [SHARE * (item.id != "moon") for item in design.items]
    kept = {block: random.random(PEOPLE) < block.keep / 2**32 for block in design.blocks}  # type: ignore[attr-defined]
    codes = np.array(
        [
            np.where(kept[design.blocks[design.place(place)[0]]], truth[:, place], random.random(PEOPLE) < 0.5)
            for place in range(len(design.items))
        ]
    ).T
    careless = random.random(PEOPLE) < CARELESS
    pressed = random.random((int(careless.sum()), len(design.items))) < 0.9
    turned = any(block.draw and block.draw.way.look for block in design.blocks)
    codes[careless] = pressed ^ (look[careless, np.newaxis] & turned)
    lines = [json.dumps({"look": "opposite" if one else "fact"} if turned else {}).encode() for one in look.tolist()]
    seal.append(version, pack(Records(design, codes.astype(np.uint8), np.zeros(PEOPLE, bool))), lines)
    if closed:
        Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version


def shown(version: SurveyVersion) -> dict[str, Any]:
    (part,) = PART.parts(data_of(version))
    assert part.key == "followers"
    return dict(part.context())


def percent(text: str) -> float:
    return float(text.removesuffix(" %").removeprefix("about ")) / 100


def test_two_looks_correct_and_show_as_pressed_beside() -> None:
    """The share of the others first, within 4.5 of its errors; a fifth do not follow; and what nothing finds."""
    found = shown(answered(("a",)))

    corrected, pressed = found["figures"][0].table.rows
    assert (corrected[1], pressed[1]) == ("those who follow the draw", "as pressed by all")
    error = percent(corrected[4].removeprefix("± "))
    assert abs(percent(corrected[2]) - SHARE) < 4.5 * error
    assert abs(percent(pressed[2]) - (0.8 * SHARE + 0.2 * 0.5)) < 4.5 * error  # half of what is pressed speaks for yes
    many, proves, hides, assumed = found["sentences"]
    share = float(many.split(" %")[0]) / 100
    assert abs(share - CARELESS) < 0.1
    assert "at most" in proves
    assert hides.endswith("Read the low end of a share as “at least”.")
    assert assumed.startswith("Assumed: who does not follow")


def test_while_it_collects_there_are_bounds_and_nothing_is_corrected() -> None:
    """The looks are undisguised answers, which nobody sees before the survey is closed."""
    found = shown(answered(("a",), closed=False))

    between, pressed = found["figures"][0].table.rows
    low, high = (percent(one.replace("%", " %").replace("  ", " ").strip()) for one in between[2].split(" – "))
    assert low < high
    assert (between[1], between[4], pressed[1]) == ("those who follow the draw", "–", "as pressed by all")
    assert found["sentences"][0].startswith("One question that nobody affirms cannot tell how many do not follow")


def test_a_group_by_one_draw_has_bounds_that_hold_the_share() -> None:
    """Three questions by a die and coins, and the question that is never true by a birthday."""
    found = shown(answered(("a", "b", "c")))

    rows = [row for row in found["figures"][0].table.rows if row[1] == "those who follow the draw"]
    assert [row[0] for row in rows] == ["a? Yes", "b? Yes", "c? Yes"]
    for row in rows:
        low, high = (
            percent(one.replace("%", " %").replace("  ", " ").strip()) for one in row[3].removesuffix(" %").split("–")
        )
        assert low <= SHARE <= high


def test_without_a_question_that_is_never_true_the_report_says_that_nothing_shows_it() -> None:
    assert shown(answered(("a",), never=False))["sentences"] == [
        "No question here shows who follows the draw, so figures are as pressed by all."
    ]


def test_a_fact_that_people_have_answered_with_is_named_in_words_when_it_is_refused() -> None:
    """Not by its key: who reads it must find the fact in the list of Protect."""
    survey = answered(("a",), closed=False).survey
    write(survey, consent=words("I agree, again."))

    with pytest.raises(EntryError) as refused:
        publish(survey)

    assert "with the fact “the day of a birthday (the " in str(refused.value)
