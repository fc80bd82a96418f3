"""The game where tables with a row per person are released.

Somebody who may not take files sees nothing of releases, nor what is refused. Who reads what was released knows
everybody's quasi-identifiers, who answered directly, how each table was made, and all other answers but those of one
person: whatever follows from the tables, they learn, and nothing else from reports, designs and refusals.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.release.responses import release_responses
from surveys.domain.people.log import notes
from surveys.domain.people.roles import Role, give
from surveys.models import SurveyVersion, TableRelease
from surveys.releases import decide, make
from surveys.releases.ask import ask
from surveys.releases.reasons import TableError
from surveys.results.open_answers import OpenAnswers
from surveys.results.reading import read_rows
from tests.cases import first
from tests.surveys.results.game import OPEN, People, make_small, people_with, seal_in, small_survey
from tests.surveys.results.releasing import work
from tests.surveys.staff import browser_of

SENSITIVE, INSENSITIVE = {"role": "sensitive"}, {"role": "insensitive"}
CHANGES = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"|[0-9a-f]{12,64}')
State = TableRelease.State
OUT = str(TableError("out"))


def known(name: str) -> dict[str, Any]:
    """What others may know of a column, which has one level above its answers."""
    return {"role": "quasi", "hierarchy": [[str(value), "*"] for value in (*OPEN[name], "")]}


def spec_of(k: int = 2, l: int = 1, more: dict[str, Any] | None = None, **roles: Any) -> dict[str, Any]:  # noqa: E741
    """What is asked for, by the roles of columns."""
    model = {"k": k} | ({"l": {"kind": "distinct", "l": l}} if l > 1 else {})
    return {"candor": 1, "attributes": roles, "model": model, "method": "full-domain", "seed": 1} | (more or {})


def made(version: SurveyVersion, spec: dict[str, Any]) -> TableRelease | str:
    """A table that was made, or that ended while it was; where it is refused before, the sentence."""
    try:
        release = ask(version, spec, None)
        work(release.pk)
    except InputError as error:
        return str(error)
    return TableRelease.objects.get(pk=release.pk)


REFUSED = {
    "an option": spec_of(l=3, year=known("year"), faculty=SENSITIVE),
    # whose hierarchy does not name those who said nothing
    "no answer": spec_of(hours=known("hours") | {"hierarchy": known("hours")["hierarchy"][:-1]}, drugs=SENSITIVE),
    "a direct answer": spec_of(l=2, year=known("year"), drugs=SENSITIVE),
}


READERS = (Role.VIEWER, Role.CLERK, Role.EDITOR, "mines everywhere")


def read_without_files(rare: str, few: int, readers: Sequence[str]) -> tuple[dict[Any, Any], str]:
    """All that people read who may not take files, and what became of a table that is refused in one of the worlds."""
    version = seal_in(make_small("game"), people_with(rare, few))
    done = made(version, spec_of(5, year=known("year"), drugs=SENSITIVE, theft=SENSITIVE))
    assert isinstance(done, TableRelease), done
    refused = made(version, REFUSED[rare])
    assert decide.release(done.pk)
    assert made(version, spec_of(5, year=known("year"), drugs=SENSITIVE)) == OUT
    found: dict[Any, Any] = {}
    for role in readers:
        person = User.objects.create_user(f"{role}", is_staff=True)
        if role in Role.values:
            give(version.survey, person, role)
        else:
            person.user_permissions.set(Permission.objects.filter(codename__in=["add_miningrun", "view_survey"]))
        client = browser_of(person)
        pages = [reverse("studio:releases", args=[version.pk])]
        for number in range(done.pk, done.pk + 3):  # made in one of the worlds, in both or in none
            own = reverse("studio:release", args=[version.pk, number])
            pages += [own, *(f"{own}{page}" for page in ("progress/", "release.csv", "release.html"))]
            for what in ("publish", "discard"):
                found[role, f"{own}{what}/"] = client.post(f"{own}{what}/").status_code, b""
        found |= {(role, page): said(client, page) for page in pages}
    written = [one.text for one in notes(version.survey, 50)]
    return found | {("everybody", "log"): (200, written)}, str(refused)


def said(client: Client, page: str) -> tuple[int, bytes]:
    answer = client.get(page)
    return answer.status_code, CHANGES.sub(b"", answer.content)


@pytest.mark.parametrize(
    ("rare", "readers"), first(1, [("an option", READERS[:2]), *((rare, READERS) for rare in REFUSED)])
)
def test_who_may_not_take_files_reads_the_same_whether_nobody_or_one_gave_a_rare_answer(
    rare: str, readers: Sequence[str]
) -> None:
    """Viewers, editors, clerks and people who mine: each page and file of releases, and the log."""
    worlds = []
    for few in (0, 1):
        with transaction.atomic():
            worlds.append(read_without_files(rare, few, readers))
            transaction.set_rollback(True)
    (nobody, before), (one, after) = worlds

    assert (nobody, before != after) == (one, True)
    statuses = {(role, status) for (role, page), (status, _content) in nobody.items() if "releases/" in page}
    assert statuses == {(role, 404 if role == Role.CLERK else 403) for role in readers}


def put_people(monkeypatch: pytest.MonkeyPatch, version: SurveyVersion, people: People) -> None:
    """Let releases be made of these people."""
    data = replace(
        read_rows(version.snapshots.get()),
        sealed=Records(version.design, people.codes, people.direct),
        answers=OpenAnswers.from_rows(people.answers),
    )
    monkeypatch.setattr(make, "to_release", lambda _version: data)


def files_of(version: SurveyVersion, client: Client, release: TableRelease) -> tuple[bytes, ...]:
    """What everybody may have of a table that was released: the table first."""
    own = reverse("studio:release", args=[version.pk, release.pk])
    answers = [client.get(f"{own}release.{kind}") for kind in ("csv", "json", "html", "design")]
    return tuple(CHANGES.sub(b"", answer.content) for answer in answers if answer.status_code == 200)


def publish_all(
    monkeypatch: pytest.MonkeyPatch, version: SurveyVersion, client: Client, people: People, specs: Sequence[Any]
) -> tuple[tuple[bytes, ...], tuple[Any, ...]]:
    """The tables that are made of these people one after the other, and all else that then becomes public."""
    tables, others = list[bytes](), list[Any]()
    with transaction.atomic():
        put_people(monkeypatch, version, people)
        for spec in specs:
            release = made(version, spec)
            if isinstance(release, str) or release.state == State.FAILED:
                others.append("refused")
                continue
            tables.append(bytes(release.table))
            decide.release(release.pk)
            others.append(files_of(version, client, release))
        transaction.set_rollback(True)
    return tuple(tables), tuple(others)


@pytest.fixture
def owner() -> Client:
    return browser_of(User.objects.create_superuser("owner"))


FEW = [{"faculty": one, "year": two, "hours": 1} for one, two in product(("arts", "law"), (1, 2))] + [
    {"faculty": "law", "year": 2, "hours": 2}
]
BOTH = {"faculty": known("faculty"), "year": known("year"), "drugs": SENSITIVE}
PAIRS = {
    "the same columns again": [spec_of(l=2, **BOTH), spec_of(3, more={"suppression": 0.4}, **BOTH)],
    "other columns": [
        spec_of(faculty=known("faculty"), drugs=SENSITIVE),
        spec_of(year=known("year"), drugs=SENSITIVE, hours=INSENSITIVE),
    ],
    "each group by itself": [
        spec_of(more={"method": "local"}, **BOTH),
        spec_of(l=2, more={"method": "local", "utility": {"inverse": True}}, **BOTH),
    ],
    "among more people": [spec_of(l=2, more={"population": {"size": 50}}, **BOTH), spec_of(4, **BOTH)],
    "cells": [spec_of(more={"method": "cells"}, **BOTH), spec_of(faculty=known("faculty"), drugs=SENSITIVE)],
}


@pytest.mark.parametrize(("pair", "unknown"), first(1, [("the same columns again", 3), *product(PAIRS, [4])]))
def test_all_that_is_public_beside_a_table_follows_from_it(
    monkeypatch: pytest.MonkeyPatch, owner: Client, pair: str, unknown: int
) -> None:
    """All worlds of five people: where the same tables come of them, so do the same files, and the same refusals.

    They differ in the answers of so many.
    """
    version = small_survey()
    found = defaultdict(set)
    for world in product(*[[0]] * (len(FEW) - unknown), *[(0, 1)] * unknown):
        codes = np.array([[one, 0] for one in world], np.uint8)
        tables, others = publish_all(
            monkeypatch, version, owner, People(codes, np.ones(len(FEW), bool), FEW), PAIRS[pair]
        )
        found[tables].add(others)

    assert (1 < len(found) < 2**unknown, {len(same) for same in found.values()}) == (True, {1})


def crossing(direct: Sequence[bool]) -> People:
    """Forty people: their faculty is in one answer of each record, their year in the other one."""
    answers, codes = list[dict[str, Any]](), list[list[int]]()
    for place in range(40):
        law, second = place % 2, place // 2 % 2
        answers.append({"faculty": ("arts", "law")[law], "year": 1 + second, "hours": 1 + (place // 4 % 2)})
        codes.append([law, second])
    return People(np.array(codes, np.uint8), np.resize(direct, 40), answers)


def disguised_worlds(people: People, person: int) -> Iterator[People]:
    """Each answer that this person may have given to the question that is disguised, a rare one and none among them."""
    for value in (*OPEN["faculty"], None):
        answers = [dict(own) for own in people.answers]
        answers[person] = {"year": 1, "hours": 1} | ({"faculty": value} if value else {})
        yield replace(people, answers=answers)


@pytest.mark.parametrize("seed", first(1, range(6)))
def test_of_a_disguised_question_the_table_alone_depends_on_an_answer(
    monkeypatch: pytest.MonkeyPatch, owner: Client, seed: int
) -> None:
    """By the same draws: report, page, design and refusals follow from the table, which differs in this row alone."""
    version, people = small_survey(), crossing([False, True, True])
    disguised = {"role": "disguised", "gamma": 9, "values": [*OPEN["faculty"], "no answer"]}
    beside = {"year": known("year"), "drugs": SENSITIVE}
    specs = [spec_of(4, **beside, faculty=disguised), spec_of(4, **beside, faculty=INSENSITIVE), spec_of(4, **beside)]
    found, tables = defaultdict(set), list[list[bytes]]()
    for world in disguised_worlds(people, seed):
        drawn = partial(release_responses, take=words_from_seed(seed))
        monkeypatch.setattr(make, "release_responses", drawn)
        published, others = publish_all(monkeypatch, version, owner, world, specs)
        found[published].add(others)
        tables.append(published[0].splitlines())

    assert {len(same) for same in found.values()} == {1}
    assert {tuple(one == "refused" for one in others) for same in found.values() for others in same} == {
        (False, True, True)
    }
    assert max(sum(row not in tables[0] for row in table) for table in tables) <= 1
