"""Surveys with sealed responses for tests of runs."""

from functools import cache
from typing import Any

import numpy as np

from mining.domain.claim import claim, finish
from mining.domain.request import request_run
from mining.domain.result import mine_run
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey
from tests.surveys.making import make_survey, set_block, town_survey


def sealed_survey(
    respondents: int = 2000,
    slug: str = "study",
    items: int = 3,
    block: dict[str, Any] | None = None,
    *,
    closed: bool = False,
    **fields,
) -> Survey:
    """A published survey and a snapshot of answers, a fifth of them direct; `block` is how the others are disguised.

    Only of a `closed` one direct answers are reported.
    """
    names = tuple(f"q{place}" for place in range(items))
    survey = make_survey(slug, names, override_by="Tests", override_reason="to have many items in one block", **fields)
    if block:
        kind = {"kind": block["kind"]} if "kind" in block else {}
        usual = {} if kind else {"keep": 0.3, "theta": 0.6}
        settings = {name: value for name, value in block.items() if name != "kind"}
        set_block(survey, **kind, settings=usual | settings)
    version = publish(survey)
    append(version, _records(version.design, respondents), [b""] * respondents)
    if closed:
        close(survey)
    return survey


@cache
def _records(design: Design, respondents: int) -> np.ndarray:
    """What so many people send, packed. Most tests ask the same people."""
    chance, items = np.random.default_rng(respondents), len(design.items)
    group = chance.random(respondents) < 0.4
    answers = (chance.random((respondents, items)) < np.where(group, 0.7, 0.15)[:, None]).astype(np.uint8)
    packed = pack(disguise(design, answers, chance.random(respondents) < 0.2, words_from_seed(1)))
    packed.flags.writeable = False
    return packed


def sealed_places(people_outside: int, **closed: str) -> Survey:
    """A survey for a place, answered by 300 people in its zone and so many outside."""
    survey = town_survey()
    version = publish(survey)
    codes = np.repeat([50 * 80 + 40, 0], [300, people_outside]).astype(version.design.code_type)[:, np.newaxis]
    append(version, pack(Records(version.design, codes, np.zeros(len(codes), bool))), [b""] * len(codes))
    Survey.objects.filter(pk=survey.pk).update(**closed)
    survey.refresh_from_db()
    return survey


def queued_run(survey: Survey, **parameters) -> MiningRun:
    return request_run(survey, MiningRequest(**{"min_support": 0.1, "min_confidence": 0.4, **parameters}))


def end_run(run: MiningRun) -> MiningRun:
    """The run with its result: a worker's work, done in the process of the test."""
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))
    return MiningRun.objects.get(pk=run.pk)


def mined_run(survey: Survey, **parameters) -> MiningRun:
    return end_run(queued_run(survey, **parameters))


FOUND: dict[str, tuple[dict[str, Any], bytes]] = {}  # by runs with these fields: the people are the same each time


def finished_run(**fields) -> MiningRun:
    """A run of a closed survey, with its result; of one that was reported before, as such runs count direct answers."""
    survey = sealed_survey(5000, **{"closed": True, **fields})
    Survey.objects.filter(pk=survey.pk).update(coarse_from=2)
    run = queued_run(survey, min_support=0.02, min_confidence=0.1, negated=True)
    key = repr(fields)
    if key not in FOUND:
        FOUND[key] = mine_run(run, lambda *_: None)
    finish(run.pk, claim(run.pk), *FOUND[key])
    return MiningRun.objects.get(pk=run.pk)
