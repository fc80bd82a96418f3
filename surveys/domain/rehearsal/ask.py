"""A rehearsal: a survey apart, of simulated people alone, made of a draft and thrown away when it has been looked at.

It is a survey with one version, so that everything that reads sealed responses reads it as it is; it is marked as
simulated in its definition, names the survey that it rehearses, and is none that the public site, lists or the API
know. Asking for it makes the survey and its version; a worker adds the answers, in one transaction and only where
there are none. So a task that comes twice, or dies half way, does no harm, and the duty asks again.

The work of a worker: simulated people answer; their answers and the truth are there whole or not at all.

The people are as plans expect them (`surveys.domain.questionnaire.expected`). Steps of a number and cells of a place
are equally common, and independent of the rest.
"""

import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.items import Item
from privacy.disguise import disguise
from privacy.errors import EntryError
from privacy.plan.connections import together
from privacy.records import Records
from privacy.records.packing import pack
from surveys import notes
from surveys.conditions import ends_visit, is_asked
from surveys.domain.closed.erase import erase
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.expected import NO_GUESS, pair_items
from surveys.domain.questionnaire.guess import Guess, guess_of_version
from surveys.domain.questionnaire.minimum import FEWEST
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import unzip_lines
from surveys.features import FEATURES, asked_directly
from surveys.models import DemoTruth, Phrase, PublishedDraft, Snapshot, Survey, SurveyVersion
from surveys.questions import type_of
from surveys.questions.question import PublishedQuestion

MOST = 20_000
MOST_TO_REPORT = 100  # however many the survey itself reports on


def begin(survey: Survey, respondents: int) -> Survey:
    """Start a rehearsal of the draft as it is now and return its survey; an earlier rehearsal is erased."""
    if not FEWEST <= respondents <= MOST:
        raise EntryError("{count} is not from {least} to {most}.", count=respondents, least=FEWEST, most=MOST)
    throw_away(survey)
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        if survey.rehearsals.exists():
            raise EntryError("Somebody has just started a rehearsal: look at that one.")
        title = (_("%(title)s (simulated)") % {"title": survey.title})[:200]
        apart = Survey(
            slug=f"{survey.slug[:30]}-try-{secrets.token_hex(4)}",
            title=title,
            expected=respondents,
            least=min(survey.least, MOST_TO_REPORT),
            simulated=True,
            rehearses=survey,
        )
        document = {
            **read_document(survey),
            "access": Survey.Access.OPEN,
            **{
                name: value
                for feature in FEATURES.values()
                if not feature.rehearsed
                for name, value in feature.empty.items()
            },
            "expected": respondents,
            "title": title,
        }
        definition = compose(draft_without_gaps(apart, document))
        if definition.design.leaks:
            raise EntryError(
                "A block gives true answers away (γ is infinite) and cannot be used in a real survey: disguise more."
            )
        apart.save()
        frozen = definition.to_bytes()
        version = SurveyVersion.objects.create(
            survey=apart,
            number=1,
            definition=frozen,
            sha256=sha256(frozen).hexdigest(),
            published_on=timezone.localdate(),
        )
        PublishedDraft.objects.create(version=version, document=document)  # its guess: people answer so
        Phrase.objects.bulk_create(
            Phrase(survey=apart, item=phrase.item, value=phrase.value, words=phrase.words)
            for phrase in Phrase.objects.filter(survey=survey)
        )
        transaction.on_commit(lambda: hint(apart.pk))
    return apart


def rehearsal(survey: Survey) -> Survey | None:
    return survey.rehearsals.filter(erasing_since=None).first()


def throw_away(survey: Survey) -> None:
    """Erase the survey's rehearsal with its answers, report and mining runs, also one that is half erased."""
    for apart in survey.rehearsals.all():
        erase(apart)


def hint(pk: int) -> bool:
    """Leave a hint for workers that this rehearsal needs answers; False if the broker is away: the duty comes later."""
    return notes.leave(notes.REHEARSE, pk, waits=f"rehearsal {pk} waits for the next look")


def start_due_rehearsals() -> None:
    """A duty: hint again at rehearsals without answers, and erase those that were half erased."""
    waiting = Survey.objects.filter(rehearses__isnull=False)
    for apart in waiting.exclude(erasing_since=None):
        erase(apart)
    notes.leave_again(hint, waiting.filter(versions__snapshots=None).values_list("pk", flat=True))


def fill(pk: int) -> None:
    """Let simulated people answer the rehearsal with this key and seal their responses, once."""
    version = SurveyVersion.objects.filter(survey=pk, survey__rehearses__isnull=False).select_related("survey").first()
    if version is None or version.snapshots.exists():
        return
    chance = np.random.default_rng()
    count = version.survey.expected
    guess = guess_of_version(version)
    drawn = asked_directly(version.parsed.source)
    truth, direct = simulate_people(version.design, count, chance, drawn, guess)
    records = disguise(version.design, truth, direct)
    sent = pack(records)
    beside = list(version.parsed.beside_records)
    lines = open_lines(beside, count, chance)
    with transaction.atomic():
        still = Survey.objects.select_for_update(no_key=True).filter(pk=pk, erasing_since=None).exists()
        if still and not version.snapshots.exists():
            snapshot = append(version, sent, lines)
            order = whose(snapshot, sent, lines)
            answers = pack(Records(version.design, truth[order], direct[order]), may_be_complete=True)
            DemoTruth.objects.create(version=version, answers=answers.tobytes())


def whose(snapshot: Snapshot, sent: np.ndarray, lines: list[bytes]) -> np.ndarray:
    """For each sealed response the number of the person in `sent`.

    Of several who sent the very same it does not matter who is who: what is shown of them is counted together.
    """
    part = snapshot.parts.get()  # a rehearsal is smaller than one part
    sealed = np.frombuffer(part.records, np.uint8).reshape(sent.shape)
    order = np.empty(len(sent), np.int64)
    order[_sort_order(sealed, unzip_lines(part.open) or lines)] = _sort_order(sent, lines)
    return order


def _sort_order(rows: np.ndarray, lines: list[bytes]) -> list[int]:
    keys = [(line, row.tobytes()) for line, row in zip(lines, rows, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


DIRECT = 0.2  # of those who may answer directly


def simulate_people(
    design: Design, count: int, chance: np.random.Generator, drawn: float | None = None, guess: Guess = NO_GUESS
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the true answers of `count` people, as codes, and who of them answers directly: two arrays.

    `drawn`: the share of people who are asked to, where they do not choose.
    """
    codes = np.column_stack([_draw_answers(item, count, chance, guess) for item in design.items])
    for first, second in pair_items(design, guess):
        item, other = design.items[first], design.items[second]
        answers = guess.answer_to_link(item), guess.answer_to_link(other)
        gives = codes[:, first] == answers[0]
        codes[:, second] = _draw_linked(gives, guess.shares(item)[answers[0]], answers[1], guess.shares(other), chance)
    codes = codes.astype(design.code_type)
    return codes, chance.random(count) < (DIRECT * design.direct if drawn is None else drawn)


def _draw_answers(item: Item, count: int, chance: np.random.Generator, guess: Guess) -> np.ndarray:
    if not item.has_options:
        return item.codes_at([chance.integers(0, len(steps), count) for steps in item.steps])
    return chance.choice(len(item.options), count, p=guess.shares(item))


def _draw_linked(
    gives: np.ndarray, given: float, answer: int, shares: Sequence[float], chance: np.random.Generator
) -> np.ndarray:
    """Draw answers to the second item of people, given which of them gave the linked answer to the first.

    `given` is the share of these, and `answer` the linked answer to the second item.
    """
    common = np.array(shares)
    cells, among_those = together((given, float(common[answer])))
    gives_it = chance.random(len(gives)) < np.where(gives, among_those, cells[2] / (1 - given))
    rest = np.where(np.arange(len(common)) == answer, 0.0, common)
    return np.where(gives_it, answer, chance.choice(len(common), len(gives), p=rest / rest.sum()))


def open_lines(questions: Sequence[PublishedQuestion], count: int, chance: np.random.Generator) -> list[bytes]:
    """Draw the undisguised answers of so many people as lines of JSON: choices and numbers, but no words."""
    if not questions:
        return [b""] * count
    return [_draw_line(questions, chance) for _ in range(count)]


def _draw_line(questions: Sequence[PublishedQuestion], chance: np.random.Generator) -> bytes:
    given: dict[str, Any] = {}
    known = {question.id: question for question in questions}
    for question in questions:
        if not is_asked(question, given, known):
            continue
        answer = type_of(question).simulate(question, chance)
        while answer is not None and ends_visit(question, answer):  # who is sent away sends nothing
            answer = type_of(question).simulate(question, chance)
        if answer is not None:
            given[question.id] = answer
    return json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
