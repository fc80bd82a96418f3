"""People who draw themselves, of whom some follow nothing, as tests of reports ask them."""

import json

import numpy as np

from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey

PEOPLE, CARELESS, SHARE = 8000, 0.2, 0.3


def answered(names: tuple[str, ...], *, closed: bool = True, pair: bool = True) -> SurveyVersion:
    """Published and answered by people, a fifth of whom press "exactly one" nine times in ten, whatever is asked.

    One question alone has two lists.
    """
    survey = make_survey(names=names, direct=False, override_by="Tests", override_reason="three questions")
    document = apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})
    if len(names) == 1:
        document = apply(survey, document, {"do": "draw", "block": "block 1", "value": "day-of-two-lists"})
    for name in () if pair else ("moon", "water"):
        document = apply(survey, document, {"do": "delete", "question": name})
    store(survey, document)
    version = publish(survey)
    random, design = np.random.default_rng(84), version.design
    look = random.random(PEOPLE) < 0.5
    truth = random.random((PEOPLE, len(design.items))) < [
        {"moon": 0.0, "water": 1.0}.get(item.id, SHARE) for item in design.items
    ]
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
    beside = [{"look": "opposite" if one else "fact"} if turned else {} for one in look.tolist()]
    lines = [json.dumps(own).encode() for own in beside]
    seal.append(version, pack(Records(design, codes.astype(np.uint8), np.zeros(PEOPLE, bool))), lines)
    if closed:
        Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version
