"""The parts of a report that somebody asks for are values; a key in an address is read once."""

import pytest

from surveys.results.parts import Answer, AskedPart, ComparisonPart, RegressionPart, TablePart, WeightedPart, parse_key
from surveys.results.sample_choice import SampleColumns

DRUGS, SPORT = Answer("drugs", 1), Answer("sport", 0)
BY_WEIGHT = SampleColumns(weights="weight")


@pytest.mark.parametrize(
    ("part", "key"),
    [
        (TablePart(("drugs", "sport")), "table.drugs.sport"),
        (TablePart(("drugs",), SampleColumns("weight", "school", "town")), "table.drugs.~weight~school~town"),
        (RegressionPart(DRUGS, ("sport",)), "regression.drugs.1.sport"),
        (RegressionPart(DRUGS, ("sport", "age"), True, False, BY_WEIGHT), "together-alike.drugs.1.sport.age.~weight~~"),
        (ComparisonPart(((DRUGS, SPORT), (SPORT, None))), "compare.-.drugs.1.sport.0.sport.0.-"),
        (ComparisonPart(((DRUGS, None),), "region", BY_WEIGHT), "compare.by-region.drugs.1.-.~weight~~"),
        (WeightedPart(BY_WEIGHT), "weighted.~weight~~"),
        (WeightedPart(SampleColumns(margins=(("sex", ("51.5", "48.5")),))), "weighted.~~~~sex=51,5=48,5"),
    ],
)
def test_a_part_has_the_key_that_shared_links_hold(part: AskedPart, key: str) -> None:
    """Written and read back; keys of links that were given away stay what they are."""
    assert (part.key, parse_key(key)) == (key, part)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "answers",
        "table",
        "~a~b~c",
        "regression.drugs",
        "regression.drugs.one.sport",
        "regression-other.drugs.1",
        "compare.-.drugs.1",
        "compare.-.-.drugs.1",
        "compare.-.drugs.1.-.sport.0",
        "weighted",
        "weighted.drugs.~weight~~",
        "weighted.drugs.~~~~sex=51=x",
    ],
)
def test_a_key_that_names_no_such_part_gives_none(key: str) -> None:
    """Half an answer, a kind that is not known, or weights of nothing."""
    assert parse_key(key) is None
