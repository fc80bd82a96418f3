"""Disguised answers in a release are judged by what they show; what earlier releases showed is taken into account."""

from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import Fingerprint, anonymize, judge_disguised, newly_disclosed, parse_spec, require_unbroken
from privacy.release.classes import tally
from privacy.release.measures import measure
from tests.cases import first

DESIGN = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})


def sent(truth: np.ndarray, direct: np.ndarray, seed: int) -> Records:
    return disguise(DESIGN, truth.astype(np.uint8).reshape(-1, 1), direct, words_from_seed(seed))


def test_a_large_class_with_both_answers_is_shown_diverse_and_a_small_one_is_not() -> None:
    """2 000 people of whom a third did it are distinguished from chance; five are not, although both records occur."""
    truth = np.array([0, 0, 1] * 667 + [0, 1, 0, 1, 0])
    records = sent(truth, np.zeros(len(truth), bool), 1)

    judged = judge_disguised(records, "drugs", np.repeat([0, 1], [2001, 5]))

    assert [(one.size, one.shown) for one in judged.classes] == [(2001, 2), (5, 0)]
    assert (sum(one.shown >= 2 for one in judged.classes), judged.gamma) == (1, 3)
    assert judged.classes[0].shares[1] == pytest.approx(1 / 3, abs=4.5 * 2 * 0.5 / np.sqrt(2001))


@pytest.mark.parametrize("classes", first(1, [100, 400]))
def test_a_class_in_which_everybody_has_one_answer_is_rarely_shown_diverse(classes: int) -> None:
    """All intervals of a class hold together with 95 %: of such classes at most a twentieth is, but for chance."""
    member = np.repeat(np.arange(classes), 50)
    records = sent(np.zeros(len(member)), np.zeros(len(member), bool), 7)

    judged = judge_disguised(records, "drugs", member)

    assert sum(one.shown >= 2 for one in judged.classes) <= classes * 0.05 + 4.5 * np.sqrt(classes * 0.05 * 0.95)


def test_the_direct_group_is_judged_as_it_stands() -> None:
    """Its measures are those of its own answers, class by class."""
    truth, direct = np.array([0, 1, 0, 0, 1, 1]), np.array([1, 1, 1, 1, 0, 0], bool)
    member = np.array([0, 0, 1, 1, 0, 1])

    judged = judge_disguised(sent(truth, direct, 3), "drugs", member)

    assert judged.direct == measure(tally(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0])))
    assert [one.size for one in judged.classes] == [1, 1]


def test_suppressed_records_are_a_class() -> None:
    """A reader sees that they are alike, as those of every other class are; direct ones are measured as one, too."""
    direct = np.repeat([True, False], [4, 6])
    records, suppressed = sent(np.array([0, 1] * 5), direct, 1), np.array([-1, -1, 0, 0, -1, -1, -1, 0, 0, 0])

    judged = judge_disguised(records, "drugs", suppressed)

    assert [one.size for one in judged.classes] == [3, 3]
    assert judged == judge_disguised(records, "drugs", suppressed + 1)
    assert judged.direct == measure(tally(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])))
    assert list(judged.to_json()) == ["item", "values", "level", "gamma", "classes", "direct"]


@pytest.mark.parametrize(
    ("item", "member", "sentence"),
    [
        ("other", [0, 0], "item: the design has no item 'other' with options."),
        ("drugs", [0], "member: 1 classes are given for 2 records."),
    ],
)
def test_what_does_not_fit_is_refused(item: str, member: list[int], sentence: str) -> None:
    """One sentence names it."""
    with pytest.raises(InputError) as refused:
        judge_disguised(sent(np.array([0, 1]), np.zeros(2, bool), 1), item, np.array(member))

    assert str(refused.value) == sentence


RELEASES = st.integers(2, 7).flatmap(
    lambda people: st.tuples(
        st.lists(st.integers(0, 2), min_size=people, max_size=people),
        st.lists(st.lists(st.integers(0, 3), min_size=people, max_size=people), min_size=2, max_size=3),
    )
)


def fitting(ill: list[int], members: list[list[int]]) -> np.ndarray:
    """Every way to give values to people so that each class of each release has its values as often as it has them."""
    ways = np.array(list(product(range(3), repeat=len(ill))))
    for member in members:
        for own in set(member):
            rows = [person for person, place in enumerate(member) if place == own]
            values = sorted(ill[person] for person in rows)
            ways = ways[(np.sort(ways[:, rows], axis=1) == values).all(axis=1)]
    return ways


def told(ill: list[int], members: list[list[int]]) -> np.ndarray:
    """Of whom all these ways say the same."""
    ways = fitting(ill, members)
    return np.asarray((ways == ways[0]).all(axis=0))


@given(RELEASES)
def test_what_releases_tell_together_is_counted_person_by_person(drawn: tuple[list[int], list[list[int]]]) -> None:
    """Everybody counts of whom just one value is in all the classes, and nobody of whom another value would fit."""
    ill, members = drawn

    def left(member: list[int], person: int) -> set[int]:
        return {value for value, place in zip(ill, member, strict=True) if place == member[person]}

    alone = np.logical_or.reduce([told(ill, [member]) for member in members])
    shared = [len(set.intersection(*(left(member, person) for member in members))) for person in range(len(ill))]
    first, *others = [
        Fingerprint(str(place), np.array(member), {"ill": np.array(ill)}) for place, member in enumerate(members)
    ]

    found = newly_disclosed(first, others).get("ill", 0)
    assert ((np.array(shared) == 1) & ~alone).sum() <= found <= (told(ill, members) & ~alone).sum()


@given(RELEASES)
def test_all_that_classes_within_classes_tell_is_found(drawn: tuple[list[int], list[list[int]]]) -> None:
    """A coarser release less a finer one: what remains of a class is told, as if it had been published."""
    ill, (fine, groups, *_) = drawn
    coarse = [groups[own] for own in fine] if len(groups) > max(fine) else [0] * len(fine)
    once = [Fingerprint("", np.array(member), {"ill": np.array(ill)}) for member in (fine, coarse)]

    expected = int((told(ill, [fine, coarse]) & ~told(ill, [fine]) & ~told(ill, [coarse])).sum())

    assert newly_disclosed(once[0], once[1:]).get("ill", 0) == expected


def test_what_one_release_suppresses_is_not_read_from_another_by_subtraction() -> None:
    """Two of three towns are suppressed in the first release; the second joins the town of three with one of them."""
    town, ill = np.array([0, 0, 0, 1, 2, 2]), {"ill": np.array([0, 1, 1, 1, 0, 1])}
    first = Fingerprint("first", np.where(town == 0, 0, 1), ill)
    second = Fingerprint("second", np.where(town == 2, 1, 0), ill)

    with pytest.raises(InputError, match="would reveal “ill” of 1 of them"):
        require_unbroken(second, [first])


def test_a_release_that_would_break_an_earlier_one_is_refused() -> None:
    """The sentence says of how many people what would be shown; the same release again tells nothing new."""
    ill = {"ill": np.array([0, 1, 2, 3])}
    first = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    crossing = Fingerprint("second", np.array([0, 1, 1, 0]), ill)

    require_unbroken(first, [first])
    with pytest.raises(InputError) as refused:
        require_unbroken(crossing, [first])

    assert str(refused.value) == (
        "Together with earlier releases about the same people, this one would reveal “ill” of 4 of them; use coarser "
        "levels, or the same ones as before."
    )


def test_releases_of_a_survey_that_nobody_answered_directly_stand_beside_each_other() -> None:
    """Then no disguised answer is in a class of known people, and two tables find nobody's row."""
    nobody = Fingerprint("one", np.zeros(0, np.int64), {}, {"drugs": np.zeros(0, np.int64)})

    require_unbroken(nobody, [nobody])
    assert newly_disclosed(nobody, [nobody]) == {}


def test_a_release_of_other_people_cannot_be_joined() -> None:
    """Fingerprints are in the order of one table."""
    one = Fingerprint("one", np.zeros(2, int), {"ill": np.zeros(2, int)})
    other = Fingerprint("other", np.zeros(3, int), {"ill": np.zeros(3, int)})

    with pytest.raises(InputError, match="the same people in the same number of rows"):
        newly_disclosed(one, [other])


@pytest.mark.parametrize("asked", [{"model": {"k": 2}, "suppression": 0.4}, {"model": {"k": 2}, "method": "local"}])
def test_a_fingerprint_stands_in_the_order_of_the_table(asked: dict[str, Any]) -> None:
    """Rows of a release are sorted; its fingerprint says of each row of the table where it went."""
    table = {"q": ["a", "b", "a", "c", "b", "d"], "d": ["x", "y", "z", "x", "y", "y"]}
    roles = {"q": {"role": "quasi"}, "d": {"role": "sensitive"}}
    release = anonymize(table, parse_spec({"attributes": roles} | asked))

    kept = release.fingerprint("one")

    labels = np.empty(6, object)
    labels[release.order] = release.columns["q"]
    assert [kept.secrets["d"][place] for place in range(6)] == [0, 1, 2, 0, 1, 1]
    for one in range(6):
        for other in range(6):
            assert (kept.member[one] == kept.member[other]) == (labels[one] == labels[other])
    assert np.bincount(kept.member)[kept.member[3]] == 2  # c and d are suppressed, or alike


@pytest.mark.parametrize("size", [5, 8, 10, 13, 30])
def test_a_class_of_one_true_answer_is_seldom_shown_to_have_two(size: int) -> None:
    """Also where disguise is mild (Warner, θ = .99): exactly, by the chance of all that can be seen."""
    design = Design.parse({"model": "warner", "theta": 0.99, "items": ["drugs"]})
    wrong = 0.0
    for turned in range(size + 1):
        codes = np.array([[1]] * turned + [[0]] * (size - turned), np.uint8)
        (one,) = judge_disguised(Records(design, codes, np.zeros(size, bool)), "drugs", np.zeros(size, int)).classes
        wrong += (one.shown >= 2) * comb(size, turned) * 0.01**turned * 0.99 ** (size - turned)
    assert wrong <= 0.05
