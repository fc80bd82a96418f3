"""The shares of all options of a question are fitted as one, and so is what “prefer not to say” may hide."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.association import joint_table
from privacy.records import Records
from surveys.displays import ShareRow
from surveys.percent import FittedShare, Share, interval, percent
from surveys.questions import NOBODY, Answers, PublishedQuestion
from surveys.questions.make_displays import option_shares
from surveys.questions.rows import SKIP
from surveys.results.table_lines import lines_of_cells, lines_of_patterns
from surveys.results.weighted import rows_of_options
from surveys.shares import Tables, estimate_jointly, estimate_options, estimate_share, fit_options, patterns_of_options
from tests.cases import first
from tests.surveys.documents import WORDS

SAID = ["0", "1", SKIP]
CHOICE = ["arts", "law", "music", "none", SKIP]
OTHER = {"id": "other", "options": ["a", "b", "c"], "noise": [0.3, 0.3, 0.4]}
COIN = {"id": "asked", "options": SAID, "noise": [0.4, 0.4, 0.2]}
MARKED = {"id": "asked", "options": SAID, "harmless": "0"}
LOSS = {"length": 1, "base": 0.05, "own": 0.25, "full": 1}
PLAIN = [{"id": "asked"}, {"id": "other"}]
ONE_SIDED = [{"id": name, "harmless": "0"} for name in ("asked", "other")]
WORDS_OF = [{"word": word, "base": 0.05, "own": 0.25} for word in ("asked=1", f"asked={SKIP}", "other")]
BLOCKS: dict[str, dict[str, Any]] = {
    "coin": {"keep": 0.3, "items": [COIN, OTHER]},
    "coin of a choice": {"keep": 0.5, "items": [{"id": "asked", "options": CHOICE, "noise": [0.2] * 5}]},
    "sampled coin": {"keep": 0.5, "ask": 1, "items": [COIN, OTHER]},
    "a coin each": {"keep": 0.5, "ask": 1, "coin": "each", "items": [COIN, OTHER]},
    "several named": {
        "names": 2,
        "by-gamma": 9,
        "ask": 1,
        "items": [{"id": "asked", "options": CHOICE}, {"id": "other", "options": ["a", "b", "c", "d"]}],
    },
    "words": {"one-of": 0.3, "items": [MARKED, {"id": "other", "harmless": "0"}], "words": WORDS_OF},
    "words with losses": {
        "one-of": 0.2,
        "items": [MARKED, {"id": "other", "harmless": "0"}],
        "words": WORDS_OF,
        "losses": [LOSS],
    },
    "flips": {"flips": [0.5, 0.3, 0.2], "items": PLAIN},
    "one-sided": {"one-sided": 0.4, "items": ONE_SIDED},
}
ITEMS_OF_THREE = [{"id": name, "harmless": "0"} for name in "abc"]
THREE: dict[str, dict[str, Any]] = {
    "coin": {"keep": 0.4, "items": [{"id": name, "options": ["0", "1"], "noise": [0.5, 0.5]} for name in "abc"]},
    "flips": {"flips": [0.4, 0.3, 0.2, 0.1], "items": [{"id": name} for name in "abc"]},
    "one-sided": {"one-sided": 0.4, "items": ITEMS_OF_THREE},
    "words": {
        "one-of": 0.3,
        "items": ITEMS_OF_THREE,
        "words": [{"word": word, "base": 0.05, "own": 0.25} for word in ("a", "b", "c", "a,b")],
    },
}
PAIR_LISTED = {
    "one-of": 0.3,
    "items": [{"id": name, "harmless": "0"} for name in ("asked", "other")],
    "words": [{"word": word, "base": 0.05, "own": 0.25} for word in ("asked", "other", "asked,other")],
}
KINDS = (*BLOCKS, "direct", "weighted")


def survey(block: dict[str, Any], chance: np.random.Generator, *, direct: bool = False) -> tuple[np.ndarray, Records]:
    """Few say yes or prefer not to say; the true shares of the options, and the records of those who were drawn."""
    design = Design.parse({"direct": direct, "blocks": [block]})
    size, n = len(design.items[0].options), int(chance.choice([120, 400, 1000]))
    shares = chance.dirichlet([8, *[0.5] * (size - 1)])
    codes = np.zeros((n, len(design.items)), design.code_type)
    codes[:, 0] = chance.choice(size, n, p=shares)
    codes[:, 1:] = chance.random((n, len(design.items) - 1)) < 0.1
    chose = chance.random(n) < 0.3 * direct
    return shares, disguise(design, codes, chose, words_from_seed(int(chance.integers(2**62))))


def of_report(records: Records) -> list[ShareRow]:
    options = records.design.items[0].options
    question = PublishedQuestion("asked", "choice", sensitive=True, options=options)
    answers = Answers(question, {"id": "asked", "type": "choice", "text": WORDS}, "en", NOBODY, records, 20)
    return list(option_shares(answers, "asked", options).rows)


def of_sample(records: Records) -> list[ShareRow]:
    """With weights that differ by half."""
    weights = np.where(np.arange(len(records)) % 2, 1.0, 1.5)
    sampling = Sampling.from_columns({"weight": weights}, len(records), Sample(weights="weight"))
    return rows_of_options(records, 0, records.design.items[0].options, sampling)


def check_fitted(rows: Sequence[ShareRow]) -> None:
    """No share is negative, they sum to 1, none ≤ all, and the own interval lies inside the wider one."""
    shares = [row.all for row in rows if row.all]
    assert len(shares) == len(rows)
    assert min(one.value for one in shares) >= 0
    assert sum(one.value for one in shares) == pytest.approx(1, abs=1e-7)
    for row, own in zip(rows, shares, strict=True):
        if row.between:
            assert own.value == row.between.none <= row.between.all
            assert row.between.low == own.low <= row.between.none
            assert own.high <= row.between.high
            assert row.between.all <= row.between.high


def draw_report(kind: str, chance: np.random.Generator) -> tuple[np.ndarray, list[ShareRow]]:
    """The true shares and the rows that a simulated survey of this kind shows."""
    show = of_sample if kind == "weighted" else of_report
    block = BLOCKS["coin" if kind in ("weighted", "direct") else kind]
    shares, records = survey(block, chance, direct=kind == "direct")
    return shares, show(records)


@pytest.mark.parametrize("surveys", first(1, [3, 200]))
@pytest.mark.parametrize("kind", KINDS)
def test_shares_of_one_question_go_together_and_hold_the_truth(kind: str, surveys: int) -> None:
    """With weights, direct answers and noise: order, nesting, and either end of the range in .94 or more, less 4.5
    standard errors of that many answers."""
    chance, held = np.random.default_rng(12), []
    for _ in range(surveys):
        shares, rows = draw_report(kind, chance)
        check_fitted(rows)
        for row, share in zip(rows, shares, strict=False):
            if row.between:
                ends = share, share + shares[-1]
                held.append([row.between.low - 1e-9 <= end <= row.between.high + 1e-9 for end in ends])
    if held:
        least = 0.94 - 4.5 * np.sqrt(0.94 * 0.06 / surveys)
        assert np.mean(held, axis=0).min() >= least


@pytest.mark.parametrize("kind", [*BLOCKS, "direct"])
def test_a_share_asked_by_itself_is_that_of_the_page(kind: str) -> None:
    """Of each option, and that of all but the first is their sum; in three surveys of each kind of block."""
    chance = np.random.default_rng(14)
    for _ in range(3):
        _shares, records = survey(BLOCKS["coin" if kind == "direct" else kind], chance, direct=kind == "direct")
        rows, options = of_report(records), patterns_of_options(records.design, 0)

        asked = [estimate_share(records, pattern, 20) for pattern in options]
        others = estimate_share(records, Pattern(((0, frozenset(range(1, len(options)))),)), 20).all

        assert [one.all for one in asked] == [row.all for row in rows]
        assert others is not None
        assert others.value == pytest.approx(sum(one.all.value for one in asked[1:] if one.all), abs=1e-7)
        assert 0 <= others.low <= others.value <= others.high <= 1 or others == others.raw_estimate


@pytest.mark.parametrize("kind", [*(kind for kind in BLOCKS if kind != "coin of a choice"), "direct"])
def test_shares_of_two_questions_go_with_the_page_on_a_small_case(kind: str) -> None:
    """In two surveys of each kind of block none is negative or more than one of its answers; they sum to these where
    all can be estimated."""
    chance = np.random.default_rng(15)
    for _ in range(2):
        _shares, records = survey(BLOCKS["coin" if kind == "direct" else kind], chance, direct=kind == "direct")
        check_table(records)


def check_table(records: Records) -> None:
    """That the shares of the first two items' answers together go with those of each, in value and interval."""
    every = [patterns_of_options(records.design, column) for column in (0, 1)]
    options = [[one.all for one in estimate_options(records, own, 20)] for own in every]
    shares = [np.array([one.value if one else np.nan for one in own]) for own in options]
    table = np.full((len(shares[0]), len(shares[1])), np.nan)
    for row, column in np.ndindex(table.shape):
        pattern = Pattern((*every[0][row].literals, *every[1][column].literals))
        one = estimate_jointly(records, pattern, 20, options, {}).all
        if one:
            assert one.low <= one.value <= one.high
            table[row, column] = one.value
    known = table[np.isfinite(table)]
    assert (known >= 0).all()
    assert (table <= np.minimum(shares[0][:, np.newaxis], shares[1]) + 1e-7)[np.isfinite(table)].all()
    if len(known) == table.size:
        assert table.sum(axis=1) == pytest.approx(shares[0], abs=1e-7)
        assert table.sum(axis=0) == pytest.approx(shares[1], abs=1e-7)


def people_of_three(block: dict[str, Any], chance: np.random.Generator, *, direct: bool) -> Records:
    """Rare answers to three questions that go together, of 150 to 1 000 people."""
    design, n = Design.parse({"direct": direct, "blocks": [block]}), int(chance.choice([150, 300, 1000]))
    codes = (chance.random((n, 1)) < 0.15) & (chance.random((n, 3)) < 0.5) | (chance.random((n, 3)) < 0.04)
    chose = chance.random(n) < 0.3 * direct
    return disguise(design, codes.astype(design.code_type), chose, words_from_seed(int(chance.integers(2**62))))


def check_three(records: Records) -> bool:
    """That no share of three questions is below 0 or above a part, and that those of all answers sum to their parts.

    It returns whether three questions together have no share, as those of two contradict each other.
    """
    options = [
        [one.all for one in estimate_options(records, patterns_of_options(records.design, column), 20)]
        for column in range(3)
    ]
    tables: dict[tuple[int, ...], np.ndarray] = {}
    known: Tables = {}
    for columns in [(0,), (1,), (2,), *combinations(range(3), 2), (0, 1, 2)]:
        tables[columns] = np.full([2] * len(columns), np.nan)
        for row in np.ndindex(tables[columns].shape):
            pattern = Pattern(tuple((column, frozenset([value])) for column, value in zip(columns, row, strict=True)))
            own = estimate_share(records, pattern, 20)
            if len(columns) > 1:
                own = estimate_jointly(records, pattern, 20, [options[column] for column in columns], known)
            if own.all:
                assert own.all.low <= own.all.value <= own.all.high
                tables[columns][row] = own.all.value
    for columns, table in tables.items():
        assert not (table < -1e-9).any()
        for place in range(len(columns)):
            part = tables.get(columns[:place] + columns[place + 1 :], np.ones(()))
            assert not (table > np.expand_dims(part, place) + 1e-6).any()
            if np.isfinite(table).all():
                assert table.sum(axis=place) == pytest.approx(part, abs=1e-5)
    return bool(np.isfinite(tables[0, 1]).all() and not np.isfinite(tables[0, 1, 2]).any())


@pytest.mark.parametrize("surveys", first(1, [1, 250]))
@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("kind", THREE)
def test_shares_of_three_questions_go_with_those_of_two(kind: str, direct: bool, surveys: int) -> None:
    """Of rare answers that go together none is more than a part, and they sum to their parts; of many surveys some have
    no share of three questions."""
    chance = np.random.default_rng(17)
    without = [check_three(people_of_three(THREE[kind], chance, direct=direct)) for _ in range(surveys)]
    assert surveys == 1 or 0 < np.mean(without) < 0.9 or kind == "words"


def test_tables_of_three_questions_sum_to_1_or_have_no_share_of_all() -> None:
    """With weights and without, in six surveys, of which some have none."""
    chance, without = np.random.default_rng(18), []
    for _ in range(6):
        records = people_of_three(THREE["coin"], chance, direct=False)
        weights = {"weight": np.where(np.arange(len(records)) % 2, 1.0, 1.5)}
        for sampling in (None, Sampling.from_columns(weights, len(records), Sample(weights="weight"))):
            table = joint_table(records, [*"abc"], sampling=sampling)
            shares = [line.of_all for line in lines_of_cells(table, [["no", "yes"]] * 3, None)]
            without.append(shares == [None] * 8)
            assert without[-1] or sum(share.value for share in shares if share) == pytest.approx(1, abs=1e-6)
            assert without[-1] or min(share.value for share in shares if share) >= -1e-9
    assert {True, False} == set(without)


@pytest.mark.parametrize("surveys", first(1, [3, 8]))
def test_shares_of_all_in_tables_of_a_list_go_with_those_of_its_questions(surveys: int) -> None:
    """In some surveys of a list none is negative, and they sum to the shares of each question."""
    design = Design.parse({"direct": False, "blocks": [PAIR_LISTED]})
    chance, moved = np.random.default_rng(5), 0
    for _ in range(surveys):
        codes = (chance.random((400, 2)) < 0.05).astype(design.code_type)
        seed = words_from_seed(int(chance.integers(2**62)))
        records = disguise(design, codes, np.zeros(400, bool), seed)
        lines = lines_of_patterns(records, ["asked", "other"], (), [["no", "yes"]] * 2, None, None)
        table = np.array([line.of_all.value for line in lines if line.of_all]).reshape(2, 2)
        shares = [
            [one.all.value for one in estimate_options(records, patterns_of_options(design, column), 20) if one.all]
            for column in (1, 0)
        ]
        assert table.min() >= -1e-9
        assert table.sum(axis=1) == pytest.approx(shares[0], abs=1e-6)
        assert table.sum(axis=0) == pytest.approx(shares[1], abs=1e-6)
        moved += any(isinstance(line.of_all, FittedShare) for line in lines)
    assert moved > surveys // 4


@pytest.mark.parametrize(("surveys", "direct"), first(1, [(3, False), (8, False), (8, True)]))
def test_tables_show_the_shares_of_two_questions_that_are_asked_for_alone(surveys: int, direct: bool) -> None:
    """In each of eight surveys, some of which have a raw share below 0, all of one table are those of `/shares`."""
    chance, moved = np.random.default_rng(4), 0
    for _ in range(surveys):
        _shares, records = survey(BLOCKS["coin"], chance, direct=direct)
        labels = [item.options for item in records.design.items]
        every = [patterns_of_options(records.design, column) for column in (0, 1)]
        options = [[one.all for one in estimate_options(records, own, 20)] for own in every]
        table = lines_of_cells(joint_table(records, ["asked", "other"]), labels, None)
        for line in table:
            places = labels[0].index(line.answer), labels[1].index(line.group[0])
            pattern = Pattern(tuple((column, frozenset([place])) for column, place in enumerate(places)))
            alone = estimate_jointly(records, pattern, 20, options, {}).all
            assert alone
            assert line.of_all
            assert line.of_all.value == pytest.approx(alone.value, abs=1e-6)
        moved += any(line.of_all and line.of_all.raw_estimate.value < 0 for line in table)
    assert moved > surveys // 4


def test_a_share_that_no_answers_can_have_pulls_on_the_others() -> None:
    """Silence of −3.2 % becomes 0, and what it took from the others goes back by their errors; files have the raw."""
    raw = [Share(0.049, 0.05, -0.049, 0.154), Share(-0.032, 0.04, -0.11, 0.05), Share(0.983, 0.05, 0.88, 1.08)]
    yes, silence, no = fit_options(raw, lambda: np.diag([0.0025, 0.0016, 0.0025]))
    assert [percent(one) for one in (yes, silence, no)] == ["3.3 %", "about 0 %", "96.7 %"]
    assert interval(yes) == "0.0–15.4 %"
    assert [one.raw_estimate for one in (yes, silence, no)] == raw


def test_shares_that_answers_can_have_stay_as_they_are() -> None:
    """To the last digit, and with no second figure beside them."""
    raw = [Share(0.2, 0.05, 0.1, 0.3), Share(0.5, 0.04, 0.4, 0.6), Share(0.3, 0.05, -0.1, 0.5)]
    assert fit_options(raw, lambda: np.eye(3)) == raw


def test_shares_are_fitted_where_the_direct_people_were_asked_another_question_alone() -> None:
    """Too few gave one answer directly, so the question is that of the disguised; few of these sent a yes."""
    design = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.5, "direct": True, "items": ["a", "b"]})
    codes = np.array([[0, 0]] * 57 + [[1, 0]] * 3 + [[design.not_asked, 1]] * 40, np.uint8)
    records = Records(design, codes, np.arange(100) >= 60)

    no, yes = estimate_options(records, patterns_of_options(design, 0), 20)

    assert (no.n, yes.n) == (60, 60)
    assert no.all is not None
    assert yes.all is not None
    assert (no.all.value, yes.all.value) == (1, 0)
