"""The game of the gate: an adversary who reads everything that a viewer may, and one person whose answer they want.

The adversary knows of everybody who answered directly and who skipped what, all answers but those to the attacked
question, and of these their own. They lose if another world fits everything printed, in which the attacked person
answered otherwise. Such a world must leave the adversary as they are, whoever they are: nobody else may be changed in
every world that is found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from django.utils import timezone

from config.api.figures import plain
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design.patterns import parse_pattern
from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results import comparison, regression, tables, trust, versions, weighted
from surveys.results.answers import answers
from surveys.results.drawn import Drawn, weigh
from surveys.results.reading import Data, read
from surveys.shares import reconstructed
from tests.surveys.making import add_question, make_survey

LEAST = 20
ITEMS = ("drugs", "theft")
OPEN = {"faculty": ("arts", "law", "music"), "clinic": ("0", "1"), "hours": (1, 2), "year": (1, 2, 3, 4)}
DRAWN = (
    Drawn(),
    Drawn("hours"),
    Drawn("year"),
    Drawn(cluster="faculty"),
    Drawn(strata="year"),
    Drawn("hours", cluster="faculty"),
    Drawn(cluster="hours", strata="year"),
)
Answer = Any


@dataclass(frozen=True)
class People:
    """Who answered: a row of `codes` each, and the open answers; a missing one was skipped or not asked."""

    codes: np.ndarray
    direct: np.ndarray
    answers: list[dict[str, Answer]]


def small_survey(slug: str = "game") -> SurveyVersion:
    """A published version: two disguised questions, a choice, one that only lawyers are asked, and two numbers."""
    survey = make_survey(slug, ITEMS, least=LEAST, override_by="Tests", override_reason="few people")
    faculties = tuple((str(value), str(value)) for value in OPEN["faculty"])
    add_question(survey, "faculty", type="choice", page=2, options=faculties)
    add_question(survey, "clinic", type="yesno", page=2, when={"question": "faculty", "is": ["law"]})
    add_question(survey, "hours", type="number", page=2)
    add_question(survey, "year", type="number", page=2)
    version = publish(survey)
    first = People(np.zeros((2 * LEAST, 2), np.uint8), np.zeros(2 * LEAST, bool), [{}] * 2 * LEAST)
    append(version, pack(Records(version.design, first.codes, first.direct)), lines_of(first))
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()
    return version


def lines_of(people: People) -> list[bytes]:
    return [json.dumps(one).encode() for one in people.answers]


def drawn_people(chance: np.random.Generator) -> People:
    """Groups of every size around the least one, skippers, and now and then a group that answers all alike."""
    n_direct = int(chance.choice([0, 1, 3, 19, 21, 30, 60, 150]))
    n = n_direct + int(chance.choice([25, 60, 120, 240]))
    skip = {name: chance.choice([0.0, 0.02, 0.1, 0.5]) for name in OPEN}
    lean = {name: chance.choice([0.05, 0.3, 0.5, 1.0]) for name in (*OPEN, *ITEMS)}
    direct = np.arange(n) < n_direct
    codes = (chance.random((n, 2)) < [lean[item] for item in ITEMS]).astype(np.uint8)
    codes[~direct] = chance.random((n - n_direct, 2)) < 0.5  # as the disguise leaves them
    made: list[dict[str, Answer]] = []
    for _ in range(n):
        own: dict[str, Answer] = {}
        for name, values in OPEN.items():
            if name == "clinic" and own.get("faculty") != "law":
                continue
            if chance.random() < skip[name]:
                continue
            own[name] = values[0] if chance.random() < lean[name] else values[chance.integers(len(values))]
        made.append(own)
    return People(codes, direct, made)


def read_as(version: SurveyVersion, people: People) -> Data:
    """What pages would read of these people."""
    return replace(
        read(version.snapshots.get()),
        sealed=Records(version.design, people.codes, people.direct),
        answers=people.answers,
    )


def printed(version: SurveyVersion, people: People, earlier: People | None = None) -> Iterator[object]:
    """All that a viewer may read, nine digits of each figure: report, API, tables, comparisons, regressions, weighted
    figures, versions, rules."""

    def shown(of: Callable[[], object]) -> object:
        try:
            return _rounded(plain(of()))
        except InputError as error:
            return str(error)

    def compared(*asked: Any) -> object:
        told = comparison.compare(*asked)
        return [told.shares, told.differences]

    data = read_as(version, people)
    yield data.n
    yield shown(lambda: answers(data, "en"))
    yield shown(lambda: trust.topics(data))
    design = version.design
    for text, records in [*((item, data.alone) for item in ITEMS), ("drugs,theft", data.jointly)]:
        yield shown(lambda text=text, records=records: reconstructed(records, [parse_pattern(text, design)], LEAST))
    kept = data.jointly
    rows = (kept.codes != design.not_asked).all(axis=1)
    if rows.sum() >= LEAST:
        made = findings([(kept.codes[rows], kept.direct[rows])], design, MiningRequest(0.01, 0.01, least=LEAST))
        for columns in (made.columns.itemsets, made.columns.rules):
            yield _rounded({name: values.tolist() for name, values in columns.items()})
    if earlier is not None:
        before = read_as(version, earlier)
        yield shown(lambda: [(figure.title, figure.table) for figure in versions.figures([before, data], "en")])
    for drawn in DRAWN:
        try:
            weighed = weigh(data, drawn, "en")
        except InputError as error:
            yield str(error)
            continue
        yield weighed.drawn
        known = {each.axis.name: each for each in tables.variables(weighed, "en")}
        items, opened = [known[name] for name in ITEMS], [one for one in known.values() if not one.sensitive]
        if drawn != Drawn():
            yield shown(lambda w=weighed, k=known: [figure.table for figure in weighted.figures(w, [*k.values()])])
        chosen = [items, *([item, one] for item in items for one in opened), *([*items, one] for one in opened)]
        for each in chosen:
            yield shown(lambda w=weighed, each=each: tables.cross_table(w, each))
        for by in opened:
            asked = [comparison.AskedShare(items[0], 1)]
            yield shown(lambda w=weighed, by=by, asked=asked: compared(w, asked, by))
        pair = [comparison.AskedShare(items[0], 1), comparison.AskedShare(items[1], 1)]
        yield shown(lambda w=weighed, pair=pair: compared(w, pair))
        for on in [[items[1]], *([one] for one in opened), *combinations(opened, 2)]:
            yield shown(lambda w=weighed, i=items[0], on=on: regression.explain(w, i, 1, on))


def _rounded(value: Any) -> Any:
    """Without the last digits, in which sums differ by the order of their terms."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, float):
        return f"{value:.9g}" if abs(value) > 1e-12 else "0" if value == value else "none"
    return value


def is_safe(version: SurveyVersion, people: People, attacked: str, person: int, earlier: People | None = None) -> bool:
    """Whether a different answer of this person fits everything printed, whoever the adversary is."""
    truth = list(printed(version, people, earlier))
    others = set(range(len(people.direct))) - {person}
    for world in _worlds(people, attacked, person):
        if all(one == other for one, other in zip(truth, printed(version, world, earlier), strict=False)):
            others &= _changed(people, world)
            if not others:
                return True
    return False


def _changed(people: People, world: People) -> set[int]:
    """Who is not what they are in truth: if they are the adversary, they know that this is not the world."""
    opened = (one != other for one, other in zip(people.answers, world.answers, strict=True))
    return set(np.flatnonzero((people.codes != world.codes).any(axis=1) | list(opened)).tolist())


def _worlds(people: People, attacked: str, person: int) -> Iterator[People]:
    """Worlds with another answer of the person: theirs alone changed, or traded with that of somebody else."""
    item = ITEMS.index(attacked) if attacked in ITEMS else None
    own = _answer(people, attacked, person)
    values = (0, 1) if item is not None else OPEN[attacked]
    yield from (_with(people, attacked, {person: value}) for value in values if value != own)
    others = [
        other
        for other in range(len(people.direct))
        if other != person
        and not follows(people, attacked, other)
        and people.direct[other] == people.direct[person]
        and _answer(people, attacked, other) not in (own, None)
    ]

    def unlike(other: int) -> int:
        """What else differs between the two: figures are the same where nothing does."""
        codes = [place for place in range(len(ITEMS)) if place != item]
        opened = sum(people.answers[other].get(name) != people.answers[person].get(name) for name in OPEN)
        return int(10 * (people.codes[other, codes] != people.codes[person, codes]).sum()) + opened

    for other in sorted(others, key=unlike)[:6]:
        yield _with(people, attacked, {person: _answer(people, attacked, other), other: own})
    if item is None and not people.direct[person]:
        few = [("faculty",), ("hours",), ("year",)]  # hardly anybody is asked of the clinic
        for groups in [[*few, ("clinic",), (attacked, "hours"), ("hours", "year")], [*few, (attacked, "hours")], few]:
            for other in sorted(others, key=lambda other: unlike(other) % 10)[:6]:
                yield from _sent_otherwise(people, attacked, (person, other), groups)


def _sent_otherwise(
    people: People, attacked: str, pair: tuple[int, int], groups: Sequence[tuple[str, ...]]
) -> Iterator[People]:
    """The world in which two traded their answers, and others sent or answered what they did not, such that each group
    sent in all what it did in truth: nobody knows what a disguise sent. Random trades find it, or do not.
    """
    chance = np.random.default_rng(pair)
    values = {name: [one.get(name) for one in people.answers] for name in OPEN}
    known = {name: np.unique([str(one) for one in held], return_inverse=True)[1] for name, held in values.items()}
    sent = people.codes @ [1, 2]
    row = np.arange(len(sent))

    def counted() -> list[np.ndarray]:
        kinds = [sum(5**place * known[name] for place, name in enumerate(group)) for group in groups]
        return [np.bincount(4 * kind + sent, minlength=4 * 5**2) for kind in kinds]

    def traded(two: np.ndarray, *of: np.ndarray) -> None:
        for each in of:
            each[two] = each[two[::-1]]

    true = counted()
    senders = np.flatnonzero(~people.direct)
    tellers = [one for one in senders if one != pair[0] and values[attacked][one] is not None]
    tellers = [one for one in tellers if not follows(people, attacked, one)]
    traded(np.array(pair), sent, known[attacked], row)
    now = sum(np.abs(one - other).sum() for one, other in zip(counted(), true, strict=True))
    for step in range(8000):
        if not now:
            world = _with(people, attacked, {int(one): values[attacked][row[one]] for one in [*tellers, pair[0]]})
            yield replace(world, codes=np.stack([sent & 1, sent >> 1], axis=1).astype(np.uint8))
            return
        two = chance.choice(tellers if step % 4 == 0 else senders, 2)
        of = (known[attacked], row) if step % 4 == 0 else (sent,)
        traded(two, *of)
        then = sum(np.abs(one - other).sum() for one, other in zip(counted(), true, strict=True))
        if then > now and chance.random() > np.exp(now - then):
            traded(two, *of)
        else:
            now = then


def follows(people: People, attacked: str, person: int) -> bool:
    """Whether the answer follows from another one: the clinic is asked of lawyers alone."""
    return attacked == "faculty" and "clinic" in people.answers[person]


def _answer(people: People, attacked: str, person: int) -> Answer:
    if attacked in ITEMS:
        return int(people.codes[person, ITEMS.index(attacked)])
    return people.answers[person].get(attacked)


def _with(people: People, attacked: str, changed: dict[int, Answer]) -> People:
    if attacked in ITEMS:
        codes = people.codes.copy()
        for person, value in changed.items():
            codes[person, ITEMS.index(attacked)] = value
        return replace(people, codes=codes)
    made = [
        one | {attacked: changed[person]} if person in changed else one for person, one in enumerate(people.answers)
    ]
    return replace(people, answers=made)


def attacked_people(people: People, attacked: str, chance: np.random.Generator, most: int) -> list[int]:
    """Some people whose answer nothing disguises, those of the smallest groups first."""
    told = [
        person
        for person in range(len(people.direct))
        if (people.direct[person] if attacked in ITEMS else attacked in people.answers[person])
        and not follows(people, attacked, person)
    ]
    kinds = [
        (bool(people.direct[person]), *(str(people.answers[person].get(name)) for name in OPEN), *people.codes[person])
        for person in told
    ]
    alike = {kind: kinds.count(kind) for kind in kinds}
    order = sorted(range(len(told)), key=lambda place: (alike[kinds[place]], chance.random()))
    first = order[: (most + 1) // 2]
    rest = [place for place in order if place not in first]
    return [told[place] for place in [*first, *chance.permutation(rest).tolist()[: most // 2]]]
