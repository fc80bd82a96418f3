"""Demo surveys with simulated respondents, so that a new site has results to look at.

`demo` is the setting of the improved grouped unrelated-question paper: three sensitive yes/no questions, one coin with
p = .3 and noise θ = .6, 10 000 respondents of whom 20 % answer directly. `demo-ten` and `demo-ten-coin` ask the same
10 000 people the same ten questions with the same promise, γ = 19, once by flips and once under one coin, so that what
the two channels learn can be compared figure by figure; all of them are disguised. `demo-prefer` lets the people of
`demo` prefer not to say: a third option, disguised as the others are. `demo-town` asks for a number, and for a place
on a map with sensitive zones. The truth is kept beside the responses (DemoTruth), so that reports can show the real
error.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db import transaction

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.records.packing import pack, unpack
from surveys.domain.demo.people import RESPONDENTS, SURVEYS, answers, in_town, questions_of, where_one_may_skip
from surveys.domain.questionnaire.document import TEXTS, Document, empty, new_option, new_page, new_question, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import disclosure
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import records
from surveys.models import DemoTruth, Phrase, Survey, SurveyVersion
from surveys.questions.rows import PREFER_NOT, SKIP, YES_AND_NO, ready_texts

DIRECT_SHARE = 0.2  # exactly, where the survey allows it, and chosen independently of the answers


def load() -> Iterator[tuple[Survey, bool]]:
    """Make the demo surveys; yield each with whether it is new. A survey of the same name stays as it is."""
    for slug in SURVEYS:
        existing = Survey.objects.filter(slug=slug).first()
        yield (existing, False) if existing else (_make_survey(slug), True)


def truth(version: SurveyVersion) -> np.ndarray | None:
    """The true answers of simulated respondents, as codes; None for real respondents.

    In a demo they are in another order than the records, in a rehearsal in the same.
    """
    people = _true_answers(version)
    return None if people is None else people.codes


def truth_and_reports(version: SurveyVersion) -> tuple[np.ndarray, np.ndarray] | None:
    """The codes of simulated respondents' true answers and of what their devices sent; None for real respondents.

    Of a rehearsal they are of the people who are reported, in the order of the records.
    """
    people = _true_answers(version)
    if people is None:
        return None
    if version.survey.rehearses_id is None:
        return people.codes, _reports(people).codes
    snapshot = version.snapshots.get()
    stored = records(snapshot)
    rows = ~stored.direct | (not disclosure.hides_direct(snapshot))
    return people.codes[rows], stored.codes[rows]


def _true_answers(version: SurveyVersion) -> Records | None:
    row = DemoTruth.objects.filter(version=version).first()
    if row is None:
        return None
    return unpack(version.design, row.answers, may_be_complete=True)


@transaction.atomic
def _make_survey(slug: str) -> Survey:
    demo = SURVEYS[slug]
    questions = questions_of(demo)
    survey = Survey.objects.create(slug=slug, title=demo["heading"]["en"], simulated=True)
    store(survey, _document_of_demo(demo))
    Phrase.objects.bulk_create(
        Phrase(survey=survey, item=question["id"], value=value, words=question[said])
        for question in questions
        for value, said in (("1", "yes"), ("0", "no"))
        if said in question
    )
    version = publish(survey)
    direct = np.random.default_rng(7).permutation(RESPONDENTS) < demo["direct"] * DIRECT_SHARE * RESPONDENTS
    people = Records(version.design, _draw_true_answers(demo, version.design), direct)
    append(version, pack(_reports(people)), [b""] * len(people))
    DemoTruth.objects.create(version=version, answers=pack(people).tobytes())
    return survey


def _document_of_demo(demo: dict[str, Any]) -> Document:
    tags = ["en", "zh-hans"]
    usual = (*YES_AND_NO, (SKIP, PREFER_NOT)) if demo["skip"] else ()
    options = [new_option(value, ready_texts(tags, label)[0]) for value, label in usual]
    texts = {name: demo[name] for name in TEXTS if name in demo}
    document = empty(demo["heading"]["en"], tags) | texts | {"direct": demo["direct"], "expected": RESPONDENTS}
    written = {}
    for asked in questions_of(demo):
        question = new_question(asked["id"], asked.get("type", "yesno")) | {"options": options}
        written[asked["id"]] = question | {name: value for name, value in asked.items() if name in question}
    pages = [[written[name] for name in block["questions"]] for block in demo["blocks"]]
    document["pages"] = [new_page(number, page) for number, page in enumerate(pages, 1)]
    return document | {"blocks": demo["blocks"]}


def _draw_true_answers(demo: dict[str, Any], design: Design) -> np.ndarray:
    risks = [question["risks"] for question in questions_of(demo) if "risks" in question]
    if not risks:
        return in_town(design)
    people = answers(risks)
    return where_one_may_skip(people) if demo["skip"] else people


def _reports(people: Records) -> Records:
    """The records that the devices of simulated people sent, the same at every call."""
    return disguise(people.design, people.codes, people.direct, words_from_seed(people.codes.shape[1]))
