"""The game of the gate: an adversary who reads everything that a viewer may, and one person whose answer they want.

The adversary knows of everybody who answered directly and who skipped what, all answers but those to the attacked
question, and of these their own. They lose if another world fits everything printed, in which the attacked person
answered otherwise. Such a world must leave the adversary as they are: nobody else may be changed in
every world that is found.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from django.utils import timezone
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import lil_array

from config.api.figures import to_json
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design.patterns import parse_pattern
from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results import comparison, regression, report, tables, together, versions, weighted
from surveys.results.answers import answers
from surveys.results.open_answers import OpenAnswers
from surveys.results.reading import ReportData, coarsen_answers, read_data
from surveys.results.sample_choice import SampleColumns, weigh
from surveys.results.words import words_of
from surveys.shares import estimate_shares
from tests.surveys.making import add_question, make_survey

LEAST = 20
ITEMS = ("drugs", "theft")
OPEN = {"faculty": ("arts", "law", "music"), "clinic": ("0", "1"), "hours": (1, 2), "year": (1, 2, 3, 4)}
DRAWN = (
    SampleColumns(),
    SampleColumns("hours"),
    SampleColumns("year"),
    SampleColumns(cluster="faculty"),
    SampleColumns(strata="year"),
    SampleColumns("hours", cluster="faculty"),
    SampleColumns(cluster="hours", strata="year"),
    SampleColumns(margins=(("faculty", ("50", "30", "20")),)),
)
Answer = Any


@dataclass(frozen=True)
class People:
    """Who answered: a row of `codes` each, and the undisguised answers; a missing one was skipped or not asked."""

    codes: np.ndarray
    direct: np.ndarray
    answers: list[dict[str, Answer]]


def make_small(slug: str) -> Survey:
    """Two disguised questions, a choice, one that only lawyers are asked, and two numbers."""
    survey = make_survey(slug, ITEMS, least=LEAST, override_by="Tests", override_reason="few people")
    faculties = tuple((str(value), str(value)) for value in OPEN["faculty"])
    add_question(survey, "faculty", type="choice", page=2, options=faculties)
    add_question(survey, "clinic", type="yesno", page=2, when={"question": "faculty", "is": ["law"]})
    add_question(survey, "hours", type="number", page=2, min="1", max="2")
    add_question(survey, "year", type="number", page=2, min="1", max="4")
    return survey


def seal_in(survey: Survey, people: People) -> SurveyVersion:
    """The published version of a survey that is closed, with the answers of these people."""
    version = publish(survey)
    append(version, pack(Records(version.design, people.codes, people.direct)), lines_of(people))
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()
    return version


def small_survey(slug: str = "game") -> SurveyVersion:
    """A closed version of a small survey, whose people are put in the place of those whom it has."""
    first = People(np.zeros((2 * LEAST, 2), np.uint8), np.zeros(2 * LEAST, bool), [{}] * 2 * LEAST)
    return seal_in(make_small(slug), first)


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


def read_as(version: SurveyVersion, people: People) -> ReportData:
    """What pages would read of these people."""
    sealed = Records(version.design, people.codes, people.direct)
    return coarsen_answers(
        replace(read_data(version.snapshots.get()), sealed=sealed), OpenAnswers.from_rows(people.answers)
    )


def print_all(
    version: SurveyVersion,
    people: People,
    earlier: People | None = None,
    drawn: Sequence[SampleColumns] = DRAWN,
    least: int = LEAST,
) -> Iterator[object]:
    """All that a viewer may read, nine digits of each figure: report, pairs, API, tables, comparisons, regressions,
    weighted figures, versions, rules."""

    def show(of: Callable[[], object]) -> object:
        try:
            return _round(to_json(of()))
        except InputError as error:
            return str(error)

    def compare_shares(*asked: Any) -> object:
        told = comparison.compare(*asked)
        return [told.shares, told.differences]

    data = read_as(version, people)
    yield data.n
    yield show(lambda: answers(data, "en"))
    yield show(lambda: report.topics(data))
    pairs = together.pairs_of(data)
    yield show(lambda: [(pair.p, pair.corrected, pairs.say(pair)) for pair in pairs.tested])
    design = version.design
    for text, records in [*((item, data.for_single_answers) for item in ITEMS), ("drugs,theft", data.for_patterns)]:
        yield show(lambda text=text, records=records: estimate_shares(records, [parse_pattern(text, design)], least))
    kept = data.for_patterns
    rows = (kept.codes != design.not_asked).all(axis=1)
    if rows.sum() >= least:
        made = findings([(kept.codes[rows], kept.direct[rows])], design, MiningRequest(0.01, 0.01, least=least))
        for columns in (made.columns.itemsets, made.columns.rules):
            yield _round({name: values.tolist() for name, values in columns.items()})
    if earlier is not None:
        before = read_as(version, earlier)
        yield show(lambda: [(figure.title, figure.table) for figure in versions.figures([before, data], "en")])
    for way in drawn:
        try:
            weighed = weigh(data, way, "en")
        except InputError as error:
            yield str(error)
            continue
        yield weighed.drawn
        known = {each.axis.name: each for each in tables.variables(weighed, "en")}
        words = words_of(weighed.version, "en")
        items, opened = [known[name] for name in ITEMS], [one for one in known.values() if not one.sensitive]
        if way != SampleColumns():
            yield show(lambda w=weighed, k=known: [figure.table for figure in weighted.figures(w, [*k.values()])])
        chosen = [items, *([item, one] for item in items for one in opened), *([*items, one] for one in opened)]
        for each in chosen:
            yield show(lambda w=weighed, each=each: tables.cross_table(w, each))
        for by in opened:
            asked = [comparison.AskedShare(words, items[0], 1)]
            yield show(lambda w=weighed, by=by, asked=asked: compare_shares(w, asked, by))
        pair = [comparison.AskedShare(words, item, 1) for item in items[:2]]
        yield show(lambda w=weighed, pair=pair: compare_shares(w, pair))
        for on in [[items[1]], *([one] for one in opened), *combinations(opened, 2)]:
            yield show(lambda w=weighed, i=items[0], on=on: regression.explain(w, i, 1, on))


def _round(value: Any) -> Any:
    """Without the last digits, in which sums differ by the order of their terms."""
    if isinstance(value, dict):
        return {name: _round(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_round(one) for one in value]
    if isinstance(value, float):
        return f"{value:.9g}" if abs(value) > 1e-12 else "0" if value == value else "none"
    return value


Printing = Callable[[SurveyVersion, People], Iterable[object]]
Asked = Mapping[str, Sequence[Answer]]


def is_safe(
    version: SurveyVersion,
    people: People,
    attacked: str,
    person: int,
    printed: Printing = print_all,
    opened: Asked = OPEN,
) -> bool:
    """Whether a different answer of this person fits everything printed, for any adversary."""
    truth = list(printed(version, people))

    def unlike(fixed: int | None = None) -> Iterator[set[int]]:
        """Who is not what they are, in each world that fits."""
        for world in _worlds(people, opened, attacked, person, fixed):
            if all(one == other for one, other in zip(truth, printed(version, world), strict=False)):
                yield _find_changes(people, world)

    others = set(range(len(people.direct))) - {person}
    changed = next(unlike(), None)
    while changed is not None and others & changed:
        others &= changed
        changed = next(unlike(min(others)), None)
    return changed is not None


def _find_changes(people: People, world: People) -> set[int]:
    """Who is not what they are in truth: if they are the adversary, they know that this is not the world."""
    opened = (one != other for one, other in zip(people.answers, world.answers, strict=True))
    return set(np.flatnonzero((people.codes != world.codes).any(axis=1) | list(opened)).tolist())


def _worlds(people: People, opened: Asked, attacked: str, person: int, fixed: int | None = None) -> Iterator[People]:
    """Worlds with another answer of the person: theirs alone changed, or traded with that of somebody else.

    Somebody who is `fixed` is in all of them what they are.
    """
    item = ITEMS.index(attacked) if attacked in ITEMS else None
    own = _answer(people, attacked, person)
    values = (0, 1) if item is not None else opened[attacked]
    yield from (_put_changes(people, attacked, {person: value}) for value in values if value != own)
    others = [
        other
        for other in range(len(people.direct))
        if other not in (person, fixed)
        and not follows(people, attacked, other)
        and people.direct[other] == people.direct[person]
        and _answer(people, attacked, other) not in (own, None)
    ]

    def unlike(other: int) -> int:
        """What else differs between the two: figures are the same where nothing does."""
        codes = [place for place in range(len(ITEMS)) if place != item]
        said = sum(people.answers[other].get(name) != people.answers[person].get(name) for name in opened)
        return int(10 * (people.codes[other, codes] != people.codes[person, codes]).sum()) + said

    for other in sorted(others, key=unlike)[:6]:
        yield _put_changes(people, attacked, {person: _answer(people, attacked, other), other: own})
    if item is None and not people.direct[person]:
        few = [(name,) for name in opened if name != "clinic"]  # hardly anybody is asked of it
        fewer = [[own for own in few if own != left_out] for left_out in few if left_out != (attacked,)]
        all_of = [*few, ("clinic",), (attacked, "hours"), ("hours", "year")]
        pairs = [*few, (attacked, "hours")]
        for groups in [[own for own in one if opened.keys() >= {*own}] for one in (all_of, pairs, few, *fewer)]:
            for value in opened[attacked]:
                if value != own:
                    yield from _sent_otherwise(people, opened, attacked, {person: (value,)}, groups, fixed)


@dataclass(frozen=True)
class _Kind:
    """People who gave the same answers, sent the same, and may have said the same."""

    known: tuple[Answer, ...]
    said: Answer
    sent: int
    may_say: tuple[Answer, ...]
    is_fixed: bool


def _sent_otherwise(
    people: People,
    opened: Asked,
    attacked: str,
    said: dict[int, tuple[Answer]],
    groups: Sequence[tuple[str, ...]],
    fixed: int | None,
) -> Iterator[People]:
    """The world nearest to the truth in which people said this, and each group sent in all what it did in truth.

    Nobody knows what a disguise sent. How many people of each kind are in which place is an integer program.
    """
    sent = people.codes @ [1, 2]
    kinds: dict[_Kind, list[int]] = {}
    for one in np.flatnonzero(~people.direct).tolist():
        answers = people.answers[one]
        own, known = answers.get(attacked), tuple(answers.get(name) for name in opened if name != attacked)
        told = opened[attacked] if own is not None and one != fixed and not follows(people, attacked, one) else (own,)
        kinds.setdefault(_Kind(known, own, int(sent[one]), said.get(one, told), one == fixed), []).append(one)

    def cells(kind: _Kind, value: Answer, sends: int) -> list[object]:
        """What is counted of somebody of this kind who says and sends this."""
        answers = dict(zip((name for name in opened if name != attacked), kind.known, strict=True)) | {attacked: value}
        return [kind, value, *((tuple(answers[name] for name in own), own, sends) for own in groups)]

    true = Counter(cell for kind in kinds for _one in kinds[kind] for cell in cells(kind, kind.said, kind.sent))
    ways = [
        (kind, value, sends)
        for kind in kinds
        for value, sends in product(kind.may_say, [kind.sent] if kind.is_fixed else range(4))
    ]
    row = {cell: place for place, cell in enumerate(true)}
    matrix = lil_array((len(row) + 1, len(ways)))
    for column, way in enumerate(ways):
        for cell in cells(*way):
            matrix[row.get(cell, len(row)), column] += 1  # nobody is where in truth nobody is
    found = milp(
        np.array([(value, sends) != (kind.said, kind.sent) for kind, value, sends in ways], float),
        integrality=np.ones(len(ways), np.int64),
        constraints=LinearConstraint(matrix.tocsr(), [*true.values(), 0], [*true.values(), 0]),
    )
    if found.x is None:
        return
    codes, values = people.codes.copy(), {}
    for (kind, value, sends), count in zip(ways, np.round(found.x).astype(int), strict=True):
        for _ in range(count):
            one = kinds[kind].pop()
            codes[one] = sends & 1, sends >> 1
            if value is not None:
                values[one] = value
    yield replace(_put_changes(people, attacked, values), codes=codes)


def follows(people: People, attacked: str, person: int) -> bool:
    """Whether the answer follows from another one: the clinic is asked of lawyers alone."""
    return attacked == "faculty" and "clinic" in people.answers[person]


def _answer(people: People, attacked: str, person: int) -> Answer:
    if attacked in ITEMS:
        return int(people.codes[person, ITEMS.index(attacked)])
    return people.answers[person].get(attacked)


def _put_changes(people: People, attacked: str, changed: dict[int, Answer]) -> People:
    if attacked in ITEMS:
        codes = people.codes.copy()
        for person, value in changed.items():
            codes[person, ITEMS.index(attacked)] = value
        return replace(people, codes=codes)
    made = [
        one | {attacked: changed[person]} if person in changed else one for person, one in enumerate(people.answers)
    ]
    return replace(people, answers=made)


def attacked_people(
    people: People, attacked: str, chance: np.random.Generator, most: int, opened: Asked = OPEN
) -> list[int]:
    """Some people whose answer nothing disguises, those of the smallest groups first."""
    told = [
        person
        for person in range(len(people.direct))
        if (people.direct[person] if attacked in ITEMS else attacked in people.answers[person])
        and not follows(people, attacked, person)
    ]
    kinds = [
        (
            bool(people.direct[person]),
            *(str(people.answers[person].get(name)) for name in opened),
            *people.codes[person],
        )
        for person in told
    ]
    alike = {kind: kinds.count(kind) for kind in kinds}
    order = sorted(range(len(told)), key=lambda place: (alike[kinds[place]], chance.random()))
    first = order[: (most + 1) // 2]
    rest = [place for place in order if place not in first]
    return [told[place] for place in [*first, *chance.permutation(rest).tolist()[: most // 2]]]


def people_with(rare: str, few: int) -> People:
    """200 disguised people and 100 direct ones, of whom so few gave a rare answer, or none."""
    answers = [dict[str, object]() for _ in range(300)]
    direct = np.arange(300) >= 200
    codes = (np.random.default_rng(5).random((300, 2)) < 0.5).astype(np.uint8)
    for place, own in enumerate(answers):
        own |= {"faculty": "law" if place % 2 else "arts", "hours": 1 + place // 2 % 2, "year": 2 + place // 4 % 2}
        if own["faculty"] == "law":
            own["clinic"] = str(place // 2 % 2)
    common = {"an option": {"faculty": "law"}, "a number": {"year": 3}, "no answer": {"hours": 2}}
    alike = common.get(rare, {"faculty": "law"})
    for own in [own for own in answers[:200] if alike.items() <= own.items()][:few]:
        if rare == "an option":
            own["faculty"] = "music"
            del own["clinic"]
        if rare == "a number":
            own["year"] = 4
        if rare == "no answer":
            del own["hours"]
        if rare == "an answer to a filtered question":
            del own["clinic"]
    if rare == "a direct answer":
        codes[direct, 0] = np.arange(100) < few
    return People(codes, direct, answers)
