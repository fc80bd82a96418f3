"""The same game where people answered on paper, too: nobody reads the mode of one person out of what is published."""

import json
import re
from itertools import product

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.responses.seal import append
from surveys.features.paper.report import say_error
from surveys.models import PaperBatch, Survey, SurveyVersion
from surveys.results.sample_choice import SampleColumns
from tests.cases import first
from tests.surveys.documents import options, question
from tests.surveys.features.paper.sheets_of import crosswise, publish_paper
from tests.surveys.results.game import ITEMS, People, attacked_people, is_safe, print_all

LEAST, EVERYBODY = 100, 400


def collected(pooled: bool) -> SurveyVersion:
    """A closed survey of 400, with two questions that people draw for and two undisguised ones."""
    faculty = question("faculty", "choice", options=options("arts", "law", "music"), required=True)
    year = question("year", "choice", options=options("1", "2", "3"))
    version = publish_paper(crosswise(*ITEMS), faculty, year, least=LEAST, **({"modes": "pooled"} if pooled else {}))
    append(version, pack(sent(version)), [json.dumps(one).encode() for one in people_of(0).answers])
    Survey.objects.update(closed_at="2026-01-01T00:00Z")
    return version


def sent(version: SurveyVersion) -> Records:
    codes = (np.random.default_rng(5).random((EVERYBODY, 2)) < 0.4).astype(np.uint8)
    return Records(version.parsed.design, codes, np.zeros(EVERYBODY, bool))


def people_of(by_web: int, on_paper: int | None = None) -> People:
    """The first ones came by web; the last ones where so few came on paper."""
    web = EVERYBODY - on_paper if on_paper is not None else by_web
    answers = [
        {
            "mode": "web" if place < web else "paper",
            "faculty": ("arts", "law")[place % 2],
            **({"year": str(1 + place // 2 % 2)} if place % 3 else {}),
        }
        for place in range(EVERYBODY)
    ]
    codes = (np.random.default_rng(5).random((EVERYBODY, 2)) < 0.4).astype(np.uint8)
    return People(codes, np.zeros(EVERYBODY, bool), answers)


def published(client: Client, people: People, drawn: tuple[SampleColumns, ...]) -> list[object]:
    """All that staff and readers see: Field, the design of files, and each figure of pages, reports, API and mining."""
    sheets = sum(one["mode"] == "paper" for one in people.answers)
    PaperBatch.objects.all().delete()
    PaperBatch.objects.create(version_id=SurveyVersion.objects.get().pk, counted=sheets, aside=0, compared=80,
                              differing=4, file="a")  # fmt: skip
    version = SurveyVersion.objects.select_related("survey").get()
    page = client.get(reverse("studio:fieldwork", args=[version.survey_id]) + "?way=paper").content.decode()
    seen = re.sub(r'"csrfmiddlewaretoken" value="[^"]*"', "", page)
    assert "sheets were entered" in seen
    return [seen, say_error(version), version.design.canonical(), *print_all(version, people, None, drawn, LEAST)]


WORLDS = {
    "by web": [people_of(0), people_of(LEAST - 1)],
    "by web, one": [people_of(0), people_of(1)],
    "on paper": [people_of(0, 20), people_of(0, LEAST - 1)],
}
STRATA = (SampleColumns(strata="mode"), SampleColumns(cluster="faculty"))


@pytest.mark.parametrize(
    ("few", "pooled", "drawn"), first(1, product(WORLDS, [False, True], [(SampleColumns(),), STRATA])), ids=str
)
def test_nothing_that_is_printed_tells_in_which_mode_one_of_few_came(
    few: str, pooled: bool, drawn: tuple[SampleColumns, ...], client: Client
) -> None:
    """Nobody, one person and 99 by web look alike, and so do twenty and 99 on paper, to who knows all others."""
    collected(pooled)
    client.force_login(User.objects.create_superuser("boss"))

    first, *others = (published(client, one, drawn) for one in WORLDS[few])
    assert all(other == first for other in others)


ON_PAPER = {"mode": ("web", "paper"), "faculty": ("arts", "law", "music"), "year": ("1", "2", "3")}


def drawn_people(chance: np.random.Generator) -> People:
    """Groups of every size, and people who skip the year."""
    lean = {name: chance.choice([0.05, 0.3, 0.5, 0.95]) for name in ON_PAPER}
    answers = [
        {
            name: values[0] if chance.random() < lean[name] else values[chance.integers(len(values))]
            for name, values in ON_PAPER.items()
            if name != "year" or chance.random() < 0.9
        }
        for _ in range(EVERYBODY)
    ]
    codes = (chance.random((EVERYBODY, 2)) < 0.4).astype(np.uint8)
    return People(codes, np.zeros(EVERYBODY, bool), answers)


@pytest.mark.long
@pytest.mark.parametrize(("attacked", "seed"), [*product(ON_PAPER, range(3))])
def test_a_different_mode_or_answer_of_anybody_fits_everything_printed(
    attacked: str, seed: int, client: Client
) -> None:
    """The game of the gate, where what is typed of paper is printed, too."""
    version = collected(pooled=bool(seed % 2))
    client.force_login(User.objects.create_superuser("boss"))
    chance = np.random.default_rng(seed)
    people = drawn_people(chance)

    def printed(_version: SurveyVersion, world: People) -> list[object]:
        return published(client, world, (SampleColumns(), *STRATA))

    for person in attacked_people(people, attacked, chance, 2, ON_PAPER):
        assert is_safe(version, people, attacked, person, printed, ON_PAPER)
