"""No combination of published figures is about fewer people than a survey reports on: whom each figure rests on."""

from itertools import chain, combinations

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from surveys.displays import Shares
from surveys.domain.responses import gate
from surveys.domain.responses.people import few_people
from surveys.results.answers import answers
from surveys.results.reading import ReportData
from tests.cases import first
from tests.surveys.results.game import LEAST, drawn_people, print_all, read_as, small_survey
from tests.surveys.results.whom import all_figures, numbers_of


def is_found_by_trying(figures: np.ndarray, people: np.ndarray, least: int) -> bool:
    """Whether figures tell of some classes of few people: without these classes they have a lower rank."""
    places = range(len(people))
    few = [
        list(chosen)
        for chosen in chain.from_iterable(combinations(places, size) for size in range(1, len(people) + 1))
        if people[list(chosen)].sum() < least
    ]
    rank = np.linalg.matrix_rank(figures)
    return any(np.linalg.matrix_rank(np.delete(figures, chosen, axis=1)) < rank for chosen in few)


@pytest.mark.parametrize("seed", first(1, range(8)))
def test_few_people_are_found_wherever_some_combination_is_about_them(seed: int) -> None:
    """As trying every set of classes finds; and what is found has fewer people."""
    chance, found = np.random.default_rng(seed), [0, 0]
    for _ in range(150):
        figures = chance.integers(*chance.choice([(0, 2), (-1, 3)]), (chance.integers(1, 6), chance.integers(2, 8)))
        people = chance.integers(0, 15, figures.shape[1])
        rows = [dict(enumerate(row)) for row in figures.tolist()]
        few = few_people(rows, dict(enumerate(people.tolist())), 10)
        assert bool(few) == is_found_by_trying(figures, people, 10), (figures, people)
        assert people[list(few)].sum() < 10
        found[bool(few)] += 1
    assert min(found) > 30


@pytest.mark.parametrize("cut", [0, 1, 19, 20])
def test_a_zone_less_the_squares_inside_of_it_is_no_figure_of_few_direct_people(cut: int) -> None:
    """The zone cuts a square of the map: so many direct people are in the part inside, and nobody looks like one."""
    home = {"id": "home", "width": 16, "height": 1, "cell": 1}
    zoned = {"place": "zones", "epsilon": 2, "side": 1, "zones": [[0, 0, 3, 1]], "items": [home]}
    design = Design.parse({"direct": True, "blocks": [zoned]})
    places = np.repeat([0, 2, 3, 4, 6, 8, 10, 12, 14], [40, cut, *[40] * 7])
    codes = np.concatenate([places, np.arange(200) % 16]).astype(design.code_type)[:, np.newaxis]
    records = Records(design, codes, np.arange(len(codes)) < len(places))

    kept = gate.alone(records, 20)

    assert (kept.codes[kept.direct] != design.not_asked).any() == (cut == 20)


@pytest.mark.parametrize("others", [0, 1, 19, 20])
def test_a_mean_is_no_figure_of_few_direct_people(others: int) -> None:
    """40 direct people say the same number in each bin, and so many say the next one: the mean less theirs is about
    these, beside that of the disguised, which a page with weights prints.
    """
    age = {"id": "age", "min": 0, "max": 99, "step": 1}
    design = Design.parse({"direct": True, "blocks": [{"number": "square-wave", "epsilon": 3, "items": [age]}]})
    distribution = design.blocks[0].distribution
    assert distribution is not None
    commonest = np.array(distribution(None).edges[:-1], int)
    numbers = np.concatenate([np.repeat(commonest, 40), np.repeat(commonest[:1] + 1, others)])
    truth = np.concatenate([numbers, np.arange(200) % 100]) + [*design.fields[0].scales[0]].index("0")
    records = disguise(design, truth[:, np.newaxis], np.arange(len(truth)) < len(numbers), words_from_seed(1))

    kept = gate.alone(records, 20)

    assert (kept.codes[kept.direct] != design.not_asked).any() == (others == 20)


@pytest.mark.parametrize("seed", first(2, range(12)))
def test_no_combination_of_all_figures_of_a_survey_is_about_few(seed: int) -> None:
    """Of surveys with direct people, skippers, a filter and groups of every size around the least one."""
    version, chance = small_survey(), np.random.default_rng(seed)
    for _ in range(12):
        data = read_as(version, drawn_people(chance))
        assert few_people(*all_figures(data), LEAST) == frozenset()


def test_a_figure_that_the_gate_lets_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test before can fail: the rare answer of 19 direct people counts."""
    version, chance = small_survey(), np.random.default_rng(3)
    monkeypatch.setattr(gate, "alone", lambda records, *_rule: records)
    found = [few_people(*all_figures(read_as(version, drawn_people(chance))), LEAST) for _ in range(12)]
    assert any(found)


@pytest.mark.parametrize(("seed", "rounds"), first(1, [(0, 1), *((seed, 3) for seed in range(6))]))
def test_every_number_of_people_is_that_of_a_figure_that_is_looked_at(
    seed: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report, tables, comparisons, regressions and weights print no other; nor are shares of undisguised answers."""
    version, chance = small_survey(), np.random.default_rng(seed)
    said, ask = set[int](), ReportData.people
    monkeypatch.setattr(ReportData, "people", lambda data, n: said.add(n) or ask(data, n))
    for _ in range(rounds):
        said.clear()
        people = drawn_people(chance)
        data = read_as(version, people)
        assert list(print_all(version, people))
        said |= {
            round(row.all.value * display.n)
            for question in answers(data, "en")
            for display in question.displays
            if isinstance(display, Shares) and not question.sensitive
            for row in display.rows
            if row.all
        }
        assert said - numbers_of(data) == set()
