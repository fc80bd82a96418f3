"""Attacks succeed on tables made to fall to them, and fail on tables that are safe from them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.errors import InputError
from privacy.release import anonymize, background, classes_of, complementary, parse_spec
from privacy.release.allowed import METHOD_KNOWN
from privacy.release.methods import METHODS
from tests.privacy.release.people import ATTRIBUTES, people


def test_background_knowledge_needs_few_values_in_a_class() -> None:
    """Classes of one, two and three illnesses, of two, three and four records."""
    ages = [20, 20, 30, 30, 30, 40, 40, 40, 40]
    ills = ["flu", "flu", "flu", "cold", "flu", "flu", "cold", "gout", "gout"]

    attack = background(classes_of([ages], ills))

    assert (attack.tried, attack.succeeded) == (9, 5)


def test_two_safe_releases_together_may_tell_everything() -> None:
    """Each class has two illnesses, and every pair of classes shares one."""
    ill = np.array([0, 1, 2, 3])
    first, second = (np.array([0, 0, 1, 1]), ill), (np.array([0, 1, 1, 0]), ill)

    assert complementary([first]).succeeded == complementary([second]).succeeded == 0
    assert complementary([first, second]).succeeded == 4


def test_suppressed_people_are_a_class_of_that_release() -> None:
    """One who is suppressed alone is known by that; what a second release joins is subtracted from the first."""
    ill, suppressed = np.array([0, 1, 1, 0]), 1

    assert complementary([(np.array([0, 0, 0, suppressed]), ill)]).succeeded == 1
    assert complementary([(np.array([0, 0, suppressed, suppressed]), ill)]).succeeded == 0
    assert complementary([(np.array([0, 0, 1, 1]), ill), (np.array([0, 0, 0, 1]), ill)]).succeeded == 2


@given(st.integers(0, 2**32 - 1))
def test_a_release_joined_with_itself_tells_no_more(seed: int) -> None:
    """The same classes twice leave open what they left open once."""
    random = np.random.default_rng(seed)
    release = np.unique(random.integers(0, 5, 20), return_inverse=True)[1], random.integers(0, 4, 20)

    assert complementary([release, release]) == complementary([release])


@given(st.permutations(range(40)))
def test_the_order_of_the_rows_tells_nothing_that_they_do_not_say(order: list[int]) -> None:
    """The same people in any order give the same bytes: there is no order left to be put back."""
    table = {name: column[:40] for name, column in people(40).items() if name != "note"}
    given_roles = {name: role for name, role in ATTRIBUTES.items() if name != "note"}
    spec = parse_spec({"attributes": given_roles, "model": {"k": 3}, "suppression": 0.2})

    first = anonymize(table, spec)
    other = anonymize({name: [column[place] for place in order] for name, column in table.items()}, spec)

    assert first.columns == other.columns


def test_releases_of_different_people_are_not_joined() -> None:
    """Tables of three and of four rows are refused."""
    releases = [(np.zeros(count, np.int64), np.zeros(count, np.int64)) for count in (3, 4)]

    with pytest.raises(InputError, match="releases: they"):
        complementary(releases)


@pytest.mark.parametrize("method", METHODS)
def test_every_release_says_that_nobody_looked_at_what_its_method_tells(method: str) -> None:
    """Minimality and downcoding are not tried, so no report may read as if nothing of the kind could be found."""
    table = {name: people(60)[name] for name in ("age", "disease")}
    attributes = {name: ATTRIBUTES[name] for name in table}
    model: dict[str, Any] = {"k": 2} | ({"l": {"kind": "distinct", "l": 2}} if method == "ilp-l" else {})
    release = anonymize(table, parse_spec({"attributes": attributes, "model": model, "method": method, "seed": 1}))

    assert [one.kind for one in release.attacks] == ["re-identification", "homogeneity", "background knowledge of 1"]
    assert METHOD_KNOWN in [one.sentence for one in release.remaining_risks()]
