"""Two questions that show who answers without reading: from the draft to the report."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.errors import InputError
from privacy.reconstruct.careless import careless, price
from privacy.records.packing import pack
from surveys.definition import Definition
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.faults import faults
from surveys.domain.exports.codebook import codebook
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Document, questions, read_document, sensitive, store
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.expected import pair_items
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.testable import of_definition, of_draft, powers
from surveys.domain.rehearsal.fill import people
from surveys.domain.responses import seal
from surveys.models import Survey, SurveyVersion
from surveys.results.report import data_of
from surveys.studio.readable import announcements
from tests.surveys.making import compose_draft, find_in, make_survey
from tests.surveys.staff import somebody, visit

pytestmark = pytest.mark.django_db

OPTIONS = [{"value": value, "label": {"en": value}, "last": False, "settings": {}} for value in "10"]


def change(document: Document, **said: Any) -> Document:
    return apply(Survey(), document, said)


def with_anchors(**fields: Any) -> Survey:
    survey = make_survey(direct=False, **fields)
    store(survey, change(read_document(survey), do="careless", value=True))
    return survey


def test_two_questions_come_between_the_others_and_leave_together() -> None:
    """Disguised like the first yes/no question, in all languages of the survey; deleting one of them, or a second
    press, leaves none."""
    before = beginning("substance-use", "Drugs", "en")
    asked = [one["id"] for one in questions(before)]

    after = change(before, do="careless", value=True)

    never, always = after["careless"]
    listed = [one["id"] for one in questions(after)]
    assert (never, always) == ("moon", "water")
    assert [one for one in listed if one not in (never, always)] == asked
    assert asked[0] in listed[: listed.index(never)]
    assert listed.index(never) + 1 < listed.index(always)
    assert {never, always} <= sensitive(after)
    moon = find_in(after, never)
    assert moon["text"] == {"en": "Have you ever been to the Moon?", "zh-hans": "您去过月球吗？"}
    assert [option["value"] for option in moon["options"]] == ["1", "0", "secret"]
    for undone in (change(after, do="careless", value=False), change(after, do="delete", question=never)):
        assert undone["careless"] is None
    assert [one["id"] for one in questions(change(after, do="careless", value=False))] == asked


def test_a_new_name_is_kept_and_others_are_refused() -> None:
    """The names are those of two questions of the document."""
    document = read_document(with_anchors())

    assert change(document, do="name", question="moon", value="space")["careless"] == ["space", "water"]
    for wrong in (["moon"], ["moon", "moon"], ["moon", "mars"], []):
        other = deepcopy(document) | {"careless": wrong}
        said = [(fault.at, str(fault)) for fault in faults(other)]
        assert said == ([("careless", "careless: these are the names of two questions.")] if wrong else [])


def test_no_yes_no_question_is_disguised_yet() -> None:
    """There is nothing that the two could be like."""
    with pytest.raises(InputError, match="disguise a yes/no question first"):
        change(read_document(make_survey(names=())), do="careless", value=True)


def test_the_questionnaire_says_what_nearly_never_means() -> None:
    """The yes of each with the bounds of its share; with three options it is one of them. Others are refused."""
    survey = with_anchors()
    assert compose_draft(survey).source["careless"] == {"moon": [0.0, 0.01], "water": [0.99, 1.0]}
    assert "careless" not in compose_draft(make_survey("plain")).source

    document = read_document(survey)
    for question in questions(document):
        question["options"] = OPTIONS
    store(survey, document)
    whole = compose_draft(survey)

    assert whole.careless == {"moon=1": [0.0, 0.01], "water=1": [0.99, 1.0]}
    (said,) = announcements(whole.source, str)
    assert said == "Two questions show how many people answer without reading: moon=1; water=1."
    second = ({}, {"stars=1": 1}, {"moon=0": 1}, {"water=1": 2}, {"water": 1})
    for wrong in ([], *({"moon=1": 0} | other for other in second)):
        with pytest.raises(InputError):
            Definition.parse(whole.source | {"careless": wrong})


def test_an_anchor_that_is_not_disguised_is_missing() -> None:
    """Before publishing, beside everything else that is."""
    survey = with_anchors()
    assert missing(Draft.load(survey)) == []
    document = read_document(survey)
    for block in document["blocks"]:
        block["questions"] = [name for name in block["questions"] if name != "moon"]
    store(survey, document)

    assert any("must be disguised, with the same options" in sentence for sentence in missing(Draft.load(survey)))


def test_the_studio_says_what_they_find_and_cost() -> None:
    """By the number of people expected, before publishing and after; the protocol has the same sentence."""
    survey = with_anchors(expected=4000)
    whole = compose_draft(survey)
    found, wider = price(whole.design, whole.careless, 4000)

    (said,) = powers(of_draft(Draft.load(survey)), str)

    assert powers(of_definition(whole, 4000), str) == [said]
    assert f"from {int(np.ceil(100 * found))} % of people on" in said
    assert 1.3 < wider < 1.5


def answered(survey: Survey, share: float, n: int = 3000) -> SurveyVersion:
    """Published, and closed after n people of whom a share presses yes nine times in ten, whatever is asked."""
    version = publish(survey)
    chance = np.random.default_rng(8)
    names = [item.id for item in version.design.items]
    said = chance.random((n, len(names))) < [{"moon": 0.0, "water": 1.0}.get(name, 0.2) for name in names]
    said = np.where(chance.random((n, 1)) < share, chance.random((n, len(names))) < 0.9, said)
    records = disguise(version.design, said.astype(np.uint8), np.zeros(n, bool), seeded_words(8))
    seal.append(version, pack(records), [b"{}"] * n)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version


def test_the_report_shows_both_figures() -> None:
    """Those of `candor.careless`, of all who answered and of those who read, and what is assumed; the codebook knows
    the bounds. Other surveys have no such part."""
    version = answered(with_anchors(names=("drugs", "theft")), 0.3)
    data = data_of(version)
    found = careless(data.jointly, ["drugs", "theft"], anchors=version.parsed.careless)

    reader = somebody("view")
    page: dict[str, Any] = visit(reader, reverse("studio:results", args=[version.pk])).context_data

    (shown,) = [own for part, own, _pictures in page["parts"] if part.key == "attentive"]
    (figure,) = shown["figures"]
    assert figure.table.head == ("answer", "of whom", "share", "95 % interval", "standard error")
    assert [row[1] for row in figure.table.rows] == ["all", "those who read"] * 2
    assert found.share is not None
    assert shown["sentences"][0].startswith(f"{100 * found.share:.1f} % of these people answered without reading")
    for one, (of_all, of_others) in zip(found.figures, zip(*[iter(figure.table.rows)] * 2, strict=True), strict=True):
        assert of_all[2] == f"{100 * one.answered:.1f} %"
        assert one.attentive is not None
        assert of_others[2] in (f"{100 * one.attentive:.1f} %", "about 0 %")
        assert one.answered > one.attentive
    assert codebook(data.snapshot)["careless"] == {"moon": [0.0, 0.01], "water": [0.99, 1.0]}

    plain = answered(make_survey("plain", direct=False), 0.0, 300)
    page = visit(reader, reverse("studio:results", args=[plain.pk])).context_data
    assert "attentive" not in [part.key for part, _own, _pictures in page["parts"]]


def test_nobody_seems_careless() -> None:
    """Then the report says up to how many may be."""
    version = answered(with_anchors(names=("drugs", "theft")), 0.0, 2000)
    page: dict[str, Any] = visit(somebody("view"), reverse("studio:results", args=[version.pk])).context_data

    (shown,) = [own for part, own, _pictures in page["parts"] if part.key == "attentive"]

    assert any(sign in shown["sentences"][0] for sign in ("it may be up to", "answered without reading ("))


def test_simulated_people_read() -> None:
    """Who tries a draft out finds hardly anybody careless; links are drawn between the other questions."""
    draft = Draft.load(with_anchors(names=("drugs", "theft", "fraud")))
    guess, design = guess_of(draft), compose_draft(draft.survey).design

    truth, _direct = people(design, 4000, np.random.default_rng(3), guess=guess)

    names = [item.id for item in design.items]
    yes = dict(zip(names, truth.mean(axis=0), strict=True))
    assert (yes["moon"] < 0.02, yes["water"] > 0.98) == (True, True)
    assert {names[place] for link in pair_items(design, guess) for place in link} <= {"drugs", "theft", "fraud"}
