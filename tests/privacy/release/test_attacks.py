"""Attacks succeed on tables made to fall to them, and fail on tables that are safe from them."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from privacy.release import anonymize, parse_spec
from privacy.release.attacks import METHOD_KNOWN
from privacy.release.methods import METHODS
from tests.privacy.release.people import ATTRIBUTES, people


@given(st.permutations(range(40)))
def test_the_order_of_the_rows_tells_nothing_that_they_do_not_say(order: list[int]) -> None:
    """The same people in any order give the same bytes: there is no order left to be put back."""
    table = {name: column[:40] for name, column in people(40).items() if name != "note"}
    given_roles = {name: role for name, role in ATTRIBUTES.items() if name != "note"}
    spec = parse_spec({"attributes": given_roles, "model": {"k": 3}, "suppression": 0.2})

    first = anonymize(table, spec)
    other = anonymize({name: [column[place] for place in order] for name, column in table.items()}, spec)

    assert first.columns == other.columns


@pytest.mark.parametrize("method", METHODS)
def test_every_release_says_that_nobody_looked_at_what_its_method_tells(method: str) -> None:
    """Minimality and downcoding are not tried, so no report may read as if nothing of the kind could be found."""
    table = {name: people(60)[name] for name in ("age", "disease")}
    attributes = {name: ATTRIBUTES[name] for name in table}
    model: dict[str, Any] = {"k": 2} | ({"l": {"kind": "distinct", "l": 2}} if method == "ilp-l" else {})
    release = anonymize(table, parse_spec({"attributes": attributes, "model": model, "method": method, "seed": 1}))

    assert [one.kind for one in release.attacks] == ["re-identification", "homogeneity", "background knowledge of 1"]
    assert METHOD_KNOWN in [one.sentence for one in release.remaining_risks()]
