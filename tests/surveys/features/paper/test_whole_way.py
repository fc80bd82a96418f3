"""One survey on paper from its draft to its report, through the studio's own changes."""

import numpy as np
import pytest
from django.test import Client

from privacy.own_draw.sources import SOURCES
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal
from surveys.features.paper.batches import enter_batch
from surveys.features.paper.form import SheetField, SheetForm, SheetLot, form_of, turn_outcomes
from surveys.features.paper.printing import stack_of
from surveys.results.report import data_of
from tests.surveys.features.paper.sheets_of import sheet_file, table_of
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db


def test_the_whole_way_of_a_survey_on_paper(client: Client) -> None:
    """People draw, Field allows paper, sheets are printed and entered, and the report has their share.

    Seed 7: 300 sheets, one in five did it; the figure lies within 4.5 standard errors of the truth.
    """
    survey = make_survey(names=("copied",), direct=False)
    for change in (
        {"do": "draws", "value": "by-person"},
        {"do": "draw", "block": "block 1", "value": "day-of-two-lists"},
    ):
        store(survey, apply(survey, read_document(survey), change))
    user = somebody()
    client.force_login(user)
    answer = client.post(f"/staff/studio/{survey.pk}/paper/choose/", {"paper": "on", "pooled": "on"})
    assert answer.status_code == 302
    assert missing(Draft.load(survey)) == []
    version = publish(survey)
    assert version.parsed.source["modes"] == "pooled"  # as Field was asked
    form = form_of(version)
    assert client.get(f"/staff/studio/{survey.pk}/paper/print/?sheets=200").status_code == 200
    assert all(stack_of(form, lot, "en")["pages"] for lot in form.lots)

    chance = np.random.default_rng(7)
    stacks: list[list[str]] = [[], [], []]
    for place in range(300):
        number = int(chance.integers(len(form.lots)))
        boxes = [box(form, field, form.lots[number], chance) for field in form.fields]
        stacks[place // 100].append(",".join([str(number + 1), *boxes]))
    for stack in stacks:
        enter_batch(version, 100, 0, table_of(sheet_file(version, *stack)))
    close(survey)
    seal(version)
    data = data_of(version)
    seen = data.sealed.codes[:, version.design.column("copied")].mean()
    draw = version.design.blocks[0].draw
    assert draw is not None
    keep = float(draw.numbers(1).keep)
    share, se = (seen - (1 - keep) / 2) / keep, np.sqrt(seen * (1 - seen) / 300) / keep

    assert len(data.sealed) == 300
    assert abs(share - 0.2) < 4.5 * se
    report = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    assert ("Chance has a part in what is sent" in report, "Chance changed some answers" in report) == (True, False)


def box(form: SheetForm, field: SheetField, lot: SheetLot, chance: np.random.Generator) -> str:
    """The box that somebody crosses who draws a day; one in five did it, and nobody was on the moon."""
    draw = form.draw_of(field)
    assert draw is not None
    source = SOURCES[draw.drawn.source].chances
    label = chance.choice([*source], p=[float(one) for one in source.values()])
    means = "not" if lot.look else "fact"
    fact = any(label in labels for labels, says in turn_outcomes(draw.drawn, lot.turn) if says == means)
    did = field.name == "copied" and chance.random() < 0.2
    return "1" if fact != did else "2"
