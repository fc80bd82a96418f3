"""A disguised number in a survey: published with its noise, shown as a histogram, or refused."""

import json
import re
from collections.abc import Sequence

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import tenths
from privacy.reconstruct.distribution import distribution
from privacy.records.packing import pack
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results import weighted
from surveys.results.reading import ReportData, read_data
from surveys.results.sample_choice import SampleColumns, weigh
from tests.surveys.making import MAP, ZONES, add_block, add_question, make_survey
from tests.surveys.staff import somebody, visit

SEED = 20260311


def draft(kind: str = "square-wave", heaps: Sequence[float] = (), **settings: object) -> Survey:
    """Only a number is disguised: an age from 0 to 99."""
    survey, own = make_survey(names=()), {"settings": {"heaps": [*heaps]}} if heaps else {}
    add_block(survey, "ages", kind, settings or {"epsilon": 2})
    add_question(survey, "age", type="number", min="0", max="99", block="ages", **own)
    return survey


def collect_ages(people: int, direct: float = 0.0, heaps: Sequence[float] = ()) -> SurveyVersion:
    """A closed version with the ages of so many people, half about 30 and half about 70."""
    version = publish(draft(heaps=heaps))
    chance = np.random.default_rng(SEED)
    ages = np.where(chance.random(people) < 0.5, chance.normal(30, 6, people), chance.normal(70, 6, people))
    first = version.design.items[0].grid.firsts[0]
    codes = (ages.round().clip(0, 99).astype(int) + first)[:, np.newaxis]
    records = disguise(version.design, codes, chance.random(people) < direct, words_from_seed(SEED))
    append(version, pack(records), [b""] * people)
    Survey.objects.filter(pk=version.survey_id).update(closed_at=timezone.now())
    version.refresh_from_db()
    return version


def drawn_twice_as_often(people: int, kind: str = "zones") -> ReportData:
    """The data of a closed version with a disguised age and home, in which half of the people count half."""
    survey = draft(epsilon=1)
    add_block(survey, "homes", kind, {"epsilon": 1.9})
    zones = {"zones": ZONES} if kind == "zones" else {}
    add_question(survey, "home", type="place", block="homes", settings={"map": MAP} | zones)
    add_question(survey, "stands", type="number", min="1", max="9")
    version = publish(survey)
    chance, first = np.random.default_rng(SEED), version.design.items[0].grid.firsts[0]
    old = np.arange(people) % 2
    ages = np.where(old, chance.normal(70, 6, people), chance.normal(30, 6, people)).round().clip(0, 99).astype(int)
    homes = chance.integers(0, 100, people) * 80 + chance.integers(0, 80, people)
    codes = np.stack([ages + first, homes], axis=1).astype(version.design.code_type)
    records = disguise(version.design, codes, np.zeros(people, bool), words_from_seed(SEED))
    append(version, pack(records), [json.dumps({"stands": int(1 + one)}).encode() for one in old])
    Survey.objects.filter(pk=version.survey_id).update(closed_at=timezone.now())
    version.refresh_from_db()
    return read_data(version.snapshots.get())


@pytest.mark.long
def test_weights_show_the_histogram_and_the_map_that_the_library_gives() -> None:
    """The old count twice: two in three of the population are about 70, with the errors of such a sample."""
    data = drawn_twice_as_often(2_000, "square")
    weighed = weigh(data, SampleColumns("stands"), "en")

    ages, homes = weighted.on_grids(weighed, [], "en")

    expected = distribution(weighed.sealed, "age", sample=weighed.sampling)
    assert [row[1] for row in ages.table.rows] == [f"{tenths(100 * share)} %" for share in expected.shares]
    assert expected.shares[10:].sum() == pytest.approx(2 / 3, abs=0.2)
    assert "The weights are worth 1 800 respondents drawn alike" in ages.caption
    assert "The weights are worth 1 800 respondents drawn alike" in homes.caption
    assert (ages.name, homes.name) == ("weighted-age-1", "weighted-home-1")


def test_a_map_of_which_some_places_are_true_is_not_weighted() -> None:
    """What is sent from outside the zones is true, and the sum of weights in a cell would tell who is there."""
    weighed = weigh(drawn_twice_as_often(2_000, "zones"), SampleColumns("stands"), "en")

    assert [one.name for one in weighted.on_grids(weighed, [], "en")] == ["weighted-age-1"]


def test_a_weighted_map_tells_of_nobody_alone_whose_weights_are_worth_few() -> None:
    """Outside the zones places are true: where one of its people counts for nearly all, a cell is not reported."""
    data = drawn_twice_as_often(2_000)
    heavy = np.ones(data.n)
    cells = np.divmod(data.sealed.codes[:, 1].astype(int), 80)
    corner = (cells[0] < 12) & (cells[1] < 10)  # the first cell of the 8 × 8 that are shown
    heavy[np.flatnonzero(corner)[0]] = 1_500.0
    sampling = Sampling.from_columns({"w": heavy}, data.n, Sample(weights="w"))

    worth = distribution(data.sealed, "home", bins=(8, 8), sample=sampling).exposed

    assert corner.sum() > 5
    assert worth[0, 0] == pytest.approx(1, abs=0.05)
    assert distribution(data.sealed, "home", bins=(8, 8)).exposed[0, 0] == corner.sum()


def figure(version: SurveyVersion):
    page = visit(somebody("view"), reverse("studio:results", args=[version.pk]))
    ((_question, figures),) = page.context_data["parts"][0][1]["questions"]
    return figures


def test_the_results_show_its_histogram_with_mean_and_median() -> None:
    """Twenty bins with an interval each, whose shares sum to 1, and the middle in a sentence."""
    (shown,) = figure(collect_ages(2_000, direct=0.2))

    assert shown.svg.count("<rect") == 20
    assert [row[0] for row in shown.table.rows][:2] == ["0–4", "5–9"]
    assert sum(float(row[1].removesuffix(" %")) for row in shown.table.rows) == pytest.approx(100, abs=1.5)
    assert shown.said.startswith("Mean 4") or shown.said.startswith("Mean 5")
    assert "Median" in shown.said


def test_a_report_looks_at_the_numbers_that_many_share_by_themselves() -> None:
    """They are named in the questionnaire, and the histogram is that of the library with these heaps."""
    version = collect_ages(2_000, heaps=(30, 70))
    data = read_data(version.snapshots.get())

    (shown,) = figure(version)

    bare, named = (distribution(data.sealed, "age", heaps=heaps) for heaps in ((), (30, 70)))
    assert json.loads(bytes(version.definition))["pages"][0]["questions"][0]["heaps"] == [30, 70]
    assert [row[1] for row in shown.table.rows] == [f"{tenths(100 * share)} %" for share in named.shares]
    assert abs(named.shares - bare.shares).max() > 0.001


@pytest.mark.parametrize("heaps", [[7.5], [100], [-1]])
def test_a_number_that_nobody_can_answer_is_shared_by_nobody(heaps: list[float]) -> None:
    """The page on which it is written says so, and publishing refuses it."""
    said = f"“age?”: {heaps[0]:g} is no answer to this question."
    assert missing(Draft.load(draft("square-wave", heaps))) == [said]
    Survey.objects.all().delete()
    with pytest.raises(InputError, match=re.escape(said)):
        publish(draft(heaps=heaps))


def test_few_are_told_nothing_of() -> None:
    """Below the least number of respondents of a survey there is no figure."""
    page = visit(somebody("view"), reverse("studio:results", args=[collect_ages(12).pk]))

    assert "parts" not in page.context_data


@pytest.mark.parametrize("page", ["table", "compare", "regression"])
def test_a_page_says_so_where_no_question_can_be_chosen(page: str) -> None:
    """A disguised number alone has no answers to choose from: the page says that, and has no form without choices."""
    response = visit(somebody("view"), reverse(f"studio:results-{page}", args=[collect_ages(200).pk]))

    assert (response.status_code, response.context_data["refused"]) == (
        200,
        "Nothing can be chosen here: no disguised question of this version has options.",
    )
    assert "form" not in response.context_data
