"""Nobody reads an undisguised answer out of what is published, though they know all about everybody else but one."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from privacy.design.patterns import parse_pattern
from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import gate
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results import report, sharing, weighted
from surveys.results.comparison import AskedShare, compare
from surveys.results.reading import read_data
from surveys.results.regression import explain
from surveys.results.sample_choice import SampleColumns, weigh
from surveys.results.tables import cross_table, variables
from surveys.results.words import words_of
from surveys.shares import estimate_shares
from tests.cases import first
from tests.surveys.making import add_question, make_survey, set_block, set_questions
from tests.surveys.results.game import (
    DRAWN,
    ITEMS,
    LEAST,
    OPEN,
    People,
    Printing,
    attacked_people,
    drawn_people,
    is_safe,
    lines_of,
    people_with,
    print_all,
    read_as,
    small_survey,
)
from tests.surveys.staff import somebody


def by_draws(*places: int) -> pytest.MarkDecorator:
    """The ways of drawing that a trap is laid in, for each of which every figure is made; `make test-long` looks at all
    of them."""
    cases = [[DRAWN[place] for place in places], [*DRAWN]]
    printed = [partial(print_all, drawn=drawn) for drawn in cases]
    return pytest.mark.parametrize("printed", first(1, printed), ids=["some draws", "all draws"])


def reported_before() -> SurveyVersion:
    """A version that was reported before figures read classes of undisguised answers."""
    Survey.objects.filter(pk=small_survey().survey_id).update(coarse_from=2)
    return SurveyVersion.objects.select_related("survey").get()


def play(seed: int, most: int, questions: Iterable[str] = (*ITEMS, *OPEN)) -> None:
    version, chance = small_survey(), np.random.default_rng(seed)
    people, earlier = drawn_people(chance), drawn_people(chance)
    for attacked in questions:
        for person in attacked_people(people, attacked, chance, most):
            assert is_safe(version, people, attacked, person, partial(print_all, earlier=earlier)), (
                f"seed {seed}: {attacked} of person {person} is told: {people.answers[person]}, "
                f"{'direct' if people.direct[person] else 'disguised'}, {people.codes[person]}"
            )


@pytest.mark.parametrize("attacked", [*ITEMS, *OPEN])
def test_a_different_answer_of_anybody_fits_everything_printed(attacked: str) -> None:
    """In a small survey with direct answers, skippers, a filter, weights and an earlier version."""
    play(0, 1, [attacked])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 7))
def test_a_different_answer_of_anybody_fits_everything_printed_in_many_surveys(seed: int) -> None:
    """The same of many more surveys and people."""
    play(seed, most=8)


def one_skipper() -> People:
    """120 disguised and 60 direct people say their faculty; the last direct person skips it."""
    n = 181
    direct = np.arange(n) >= 120
    codes = np.array([[place % 2, place % 3 == 0] for place in range(n)], np.uint8)
    answers = [{"faculty": "law" if place % 2 else "arts"} for place in range(n - 1)]
    return People(codes, direct, [*answers, {}])


@by_draws(0, 1)
def test_the_direct_answer_of_the_one_who_skipped_a_question_is_not_told(printed: Printing) -> None:
    """The report counts them, and a table by the question they skipped does not."""
    assert is_safe(small_survey(), one_skipper(), "drugs", 180, printed)


WITHOUT: dict[str, tuple[str, Callable[..., Any]]] = {
    "together": ("fills", lambda *_given: True),
    "alone": ("alone", lambda records, *_rule: records),
}


@pytest.mark.parametrize("removed", WITHOUT)
def test_without_the_gate_the_adversary_wins(removed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the game can be lost."""
    version, people = small_survey(), one_skipper()
    codes = people.codes.copy()
    codes[people.direct, 1] = np.arange(people.direct.sum()) == 60  # the skipper alone says yes to the second question
    if removed == "alone":
        codes[people.direct, 0] = 1
    monkeypatch.setattr(gate, *WITHOUT[removed])
    assert not is_safe(version, replace(people, codes=codes), "drugs", 180)


def one_cluster() -> People:
    """100 disguised people: a quarter of one year, who all study as long as each other; nobody skipped anything."""
    answers = [{"year": 1 if place < 25 else 2, "hours": 1 if place < 25 or place < 63 else 2} for place in range(100)]
    return People(
        np.array([[place % 2, place % 3 == 0] for place in range(100)], np.uint8), np.zeros(100, bool), answers
    )


@pytest.mark.long
@by_draws(0, 3, 5, 6)
@pytest.mark.parametrize("person", first(1, [3, 99]))
def test_neither_clusters_nor_the_crowd_tell_that_a_group_answered_alike(person: int, printed: Printing) -> None:
    """The error of a clustered share would, and so would the size of the smallest group."""
    assert is_safe(small_survey(), one_cluster(), "hours", person, printed)


@pytest.mark.long
def test_without_the_gate_crossed_answers_tell_that_a_group_answered_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the search for another world, in which others sent and answered otherwise, finds none that is not there."""
    monkeypatch.setattr(gate, "columns_that_cross", lambda columns, _least: list(range(len(columns))))
    assert not is_safe(reported_before(), one_cluster(), "hours", 3)


@pytest.mark.long
def test_a_figure_by_clusters_leaves_out_no_single_person() -> None:
    """The report has the hours of everybody, a clustered figure would have those of all but who skipped the cluster."""
    people = one_cluster()
    answers = [one | {"faculty": "law" if place % 2 else "arts"} for place, one in enumerate(people.answers)]
    answers[99].pop("faculty")
    assert is_safe(small_survey(), replace(people, answers=answers), "hours", 99)


@pytest.mark.long
@by_draws(0, 1, 3)
@pytest.mark.parametrize("person", first(1, [3, 399]))
def test_no_regression_tells_that_one_answer_follows_from_another(person: int, printed: Printing) -> None:
    """All who began in the first year study arts, all others law; who knows the year would know the faculty."""
    chance, first = np.random.default_rng(5), np.arange(400) < 200
    answers = [{"faculty": "arts" if early else "law", "year": 1 if early else 2} for early in first]
    people = People((chance.random((400, 2)) < 0.5).astype(np.uint8), np.zeros(400, bool), answers)
    assert is_safe(small_survey(), people, "faculty", person, printed)


@pytest.mark.parametrize("one_apart", [False, True], ids=["groups of many", "groups that differ by one person"])
def test_answers_that_are_true_for_certain_are_shown_in_groups_of_one_partition(one_apart: bool) -> None:
    """Who knows that one lawyer alone is in the second year reads a stored "no" out of two tables, or of weights."""
    survey = make_survey("one-sided", ITEMS, least=LEAST, override_by="Tests", override_reason="few people")
    set_block(survey, kind="one-sided", settings={"turned": 0.25})
    set_questions(survey, settings={"harmless": "0"})
    add_question(survey, "faculty", type="choice", page=2, options=(("arts", "arts"), ("law", "law")))
    add_question(survey, "year", type="number", page=2)
    version = publish(survey)
    years = [1 if n % 2 and n < 199 else 2 for n in range(200)] if one_apart else [1 + (n < 100) for n in range(200)]
    answers = [{"faculty": "law" if n % 2 else "arts", "year": year} for n, year in enumerate(years)]
    people = People(np.array([[n % 3 > 0, n % 2] for n in range(200)], np.uint8), np.zeros(200, bool), answers)
    append(version, pack(Records(version.design, people.codes, people.direct)), lines_of(people))
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    data = read_data(version.snapshots.get())

    def ways_out(drawn: SampleColumns, by: str) -> list[bool]:
        """Whether there is a table, a comparison, a regression, and a share by weights."""
        weighed = weigh(data, drawn, "en")
        known = {each.axis.name: each for each in variables(weighed, "en")}
        figures: list[Callable[[], object]] = [
            lambda: cross_table(weighed, [known["drugs"], known[by]]),
            lambda: compare(weighed, [AskedShare(words_of(version, "en"), known["drugs"], 1)], known[by]),
            lambda: explain(weighed, known["drugs"], 1, [known[by]]),
        ]
        shown = []
        for figure in figures:
            try:
                figure()
                shown.append(True)
            except EntryError:
                shown.append(False)
        weights = weighted.figures(weighed, [known["drugs"]]) if drawn != SampleColumns() else [None]
        return [*shown, bool(weights)]

    assert ways_out(SampleColumns(), "year") == [True] * 4
    assert ways_out(SampleColumns(), "faculty") == [not one_apart] * 3 + [True]
    assert ways_out(SampleColumns(cluster="faculty"), "year") == [not one_apart] * 4


RARE = ("an option", "a direct answer", "a number", "no answer", "an answer to a filtered question")


@by_draws(0, 5, 7)
@pytest.mark.parametrize(
    ("rare", "few"), first(1, [(RARE[0], [LEAST - 1]), *((rare, [1, LEAST - 1]) for rare in RARE)])
)
def test_nothing_that_is_printed_tells_nobody_from_a_few(rare: str, few: list[int], printed: Printing) -> None:
    """Every figure, refusal and sentence is the same whether nobody, one person or 19 gave a rare answer."""
    version = small_survey()
    nobody, *some = (list(printed(version, people_with(rare, many))) for many in (0, *few))
    assert some == [nobody] * len(few)


def test_versions_that_were_reported_before_keep_what_they_chose() -> None:
    """Both choices together would tell more than either; so the old gate is there for them alone."""
    version = reported_before()
    answers = read_as(version, people_with("an option", 1)).answers
    assert answers is not None
    assert "music" in answers.column("faculty").different


def test_a_shared_link_reads_the_same_in_both_worlds(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The skipper said yes and another direct person no, or the other way round: no byte of the pages differs."""
    version, people = small_survey(), one_skipper()
    codes = people.codes.copy()
    codes[[179, 180]] = codes[[180, 179]]
    assert (codes != people.codes).any()
    keys = ("answers", "trust", "table.drugs.faculty", "table.drugs.theft.faculty", "regression.drugs.1.faculty")
    _shared, token = sharing.share(version, "All", keys, 30, somebody())
    paths = [f"/r/{token}/", f"/r/{token}/answers/drugs-1.svg", f"/r/{token}/table.drugs.theft.faculty/table.svg"]

    def open_link(of: People) -> list[bytes]:
        monkeypatch.setattr("surveys.results.report.read_data", lambda _snapshot: read_as(version, of))
        answers = [client.get(path) for path in paths]
        assert [answer.status_code for answer in answers] == [200] * len(paths)
        return [answer.content for answer in answers]

    assert open_link(people) == open_link(replace(people, codes=codes))


@pytest.mark.long
@by_draws(0, 1)
def test_a_group_that_answered_all_alike_is_not_told_of(printed: Printing) -> None:
    """All direct people say yes: no share of theirs is printed, and none that they move."""
    people = one_skipper()
    codes = np.where(people.direct[:, np.newaxis], np.uint8(1), people.codes)
    assert is_safe(small_survey(), replace(people, codes=codes), "drugs", 140, printed)


def test_rules_hold_direct_answers_only_where_the_others_pick_out_nobody() -> None:
    """Of 200 people each pair of other answers is given by 20 or more; with one person more alone, none counts."""
    codes = np.array([[place >> item & 1 for item in range(3)] for place in range(200)], np.uint8)
    assert gate.together(codes, 20)
    alone = np.concatenate([np.where(codes[:, :1] + codes[:, 1:2] == 2, 0, codes), [[1, 1, 0]]]).astype(np.uint8)
    assert not gate.together(alone, 20)
    assert not gate.together(np.empty((0, 3), np.uint8), 20)


@pytest.mark.parametrize("seed", first(10, range(40)))
def test_who_is_singled_out_by_some_answers_is_by_all(seed: int) -> None:
    """The first look, which many large surveys need alone, refuses only what the whole look refuses."""
    chance = np.random.default_rng(seed)
    codes = (chance.random((600, chance.integers(1, 7))) < chance.random()).astype(np.uint8)
    codes[chance.random(codes.shape) < chance.choice([0, 0.2])] = 255
    refused = gate.singles_out(np.array_split(codes, 5), 20)
    assert not (refused and gate.together(codes, 20))
    assert gate.singles_out([chance.integers(0, 2, (5_000, 25), np.uint8)], 20)


def test_columns_are_crossed_as_long_as_every_combination_has_enough_people() -> None:
    """A column that splits a group too finely is left out, and the next one is tried; so is one of a single answer."""
    people = np.arange(80)
    first, second = people % 2, people // 2 % 2
    assert gate.columns_that_cross([first, people, second], 20) == [0, 2]
    assert gate.columns_that_cross([first, second], 21) == [0]
    assert gate.columns_that_cross([np.where(people % 2, 0, -1), first], 20) == [1]
    assert gate.columns_that_cross([], 20) == []


def test_the_rows_of_records_stay_where_they_are() -> None:
    """Undisguised answers are found beside them."""
    design = small_survey().design
    records = Records(design, np.array([[0, 1], [1, 1], [1, 0]], np.uint8), np.array([False, True, False]))
    assert gate.without_direct(records).codes.tolist() == [[0, 1], [design.not_asked] * 2, [1, 0]]
    assert not gate.without_direct(records).direct.any()


def test_one_forged_response_moves_no_figure_by_more_than_is_said() -> None:
    """Figures that leave the direct group out rest on fewer people than have answered."""
    version, people = small_survey(), one_skipper()
    people = replace(people, codes=np.where(people.direct[:, np.newaxis], np.uint8(0), people.codes))

    def share(of: People) -> float:
        told = estimate_shares(read_as(version, of).for_single_answers, [parse_pattern("drugs", version.design)], 20)[
            0
        ].all
        assert told is not None
        return told.value

    more = People(np.vstack([people.codes, [[1, 1]]]), np.append(people.direct, False), [*people.answers, {}])
    table = next(one.table for one in report.topics(read_as(version, people)) if one.heading == "Forged responses")
    assert table is not None
    assert 100 * abs(share(more) - share(people)) <= float(table.rows[0][1].split()[0])
