"""What a release keeps of its table, beside figures that are worked out by hand or by brute force."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.errors import InputError
from privacy.release.measures.kept import KeptFigure, compare, picture

AGES = ["20", "22", "30", "38"]
ILLS = ["flu", "flu", "cold", "hiv"]
TABLE = {"age": AGES, "hours": ["1", "3", "5", "5"], "ill": ILLS}


def figure(figures: list[KeptFigure], about: str, name: str) -> tuple[float, float]:
    (found,) = [one for one in figures if (one.about, one.name) == (about, name)]
    return found.before, found.after


def test_a_range_is_read_as_its_middle() -> None:
    """Two people at 25, two at 35; what the table says is 27.5."""
    release = TABLE | {"age": ["[20, 30)", "[20, 30)", "[30, 40]", "[30, 40]"]}
    assert figure(compare(TABLE, release, ["age"]), "mean", "age") == (27.5, 30.0)


def test_a_label_in_words_is_read_as_all_values_that_it_covers() -> None:
    """Young are 20 and 22, so 21; nobody knows how many of them are of each age."""
    release = TABLE | {"age": ["young", "young", "30", "38"]}
    assert figure(compare(TABLE, release, ["age"]), "mean", "age") == (27.5, 27.5)


def test_the_first_digits_of_a_code_are_not_read_as_a_number() -> None:
    """Codes that are cut to 12 are about 12 450, and not 12; a mean of what it covers stays as it is."""
    table = {"zip": ["12300", "12600", "13010", "13500"]}
    cut, means = ({"zip": labels} for labels in (["12", "12", "13", "13"], ["12450", "12450", "13255", "13255"]))
    for release in (cut, means):
        assert figure(compare(table, release, ["zip"]), "mean", "zip") == (12852.5, 12852.5)


def test_suppressed_rows_are_in_no_figure_of_the_release() -> None:
    release = TABLE | {"age": ["20", "22", "30", "*"]}
    figures = compare(TABLE, release, ["age"])
    assert figure(figures, "mean", "age") == (27.5, 24.0)
    assert figure(figures, "mean", "hours") == (3.5, 3.0)


def test_a_correlation_is_that_of_the_numbers_as_they_are_read() -> None:
    """By the sum of products: hours are −2.5, −.5, 1.5, 1.5 around their mean; ages are read as 25, 25, 35, 35."""
    release = TABLE | {"age": ["[20, 30)", "[20, 30)", "[30, 40]", "[30, 40]"]}
    before, after = figure(compare(TABLE, release, ["age"]), "correlation", "age, hours")
    hours, ages = [-2.5, -0.5, 1.5, 1.5], [-7.5, -5.5, 2.5, 10.5]
    assert before == pytest.approx(
        sum(one * other for one, other in zip(hours, ages, strict=True)) / np.sqrt(11 * sum(one**2 for one in ages))
    )
    assert after == pytest.approx((2.5 + 0.5 + 1.5 + 1.5) * 5 / np.sqrt(11 * 100))


def test_the_table_of_two_columns_is_compared_cell_by_cell() -> None:
    """By brute force over all cells in fractions; a label falls to each of its values alike."""
    release = TABLE | {"age": ["young", "young", "[30, 40]", "[30, 40]"], "ill": ["flu", "flu", "*", "*"]}
    covers = {"young": ["20", "22"], "[30, 40]": ["30", "38"], "flu": ["flu"], "*": ["cold", "hiv"]}
    moved = Fraction(0)
    for age, ill in product(AGES, sorted(set(ILLS))):
        own = Fraction(sum(pair == (age, ill) for pair in zip(AGES, ILLS, strict=True)), 4)
        read = sum(
            Fraction(1, 4 * len(covers[one]) * len(covers[other]))
            for one, other in zip(release["age"], release["ill"], strict=True)
            if age in covers[one] and ill in covers[other]
        )
        moved += abs(own - read) / 2
    assert figure(compare(TABLE, release, ["age"], ["age", "ill"]), "table", "age, ill") == (0.0, float(moved))


def test_a_column_that_is_not_published_cannot_be_compared() -> None:
    with pytest.raises(InputError) as refused:
        compare(TABLE, TABLE, ["age"], ["sex"])
    assert str(refused.value) == "compare: 'sex' is not a column of the release; it has age, hours, ill."


def test_a_table_whose_rows_all_look_suppressed_is_compared_by_its_other_columns() -> None:
    """Every age becomes the mean of all; what people are ill with stays."""
    figures = compare(TABLE, TABLE | {"age": ["*"] * 4}, ["age"], ["ill"])
    assert figure(figures, "table", "ill") == (0.0, 0.0)
    assert figure(figures, "mean", "age")[0] == figure(figures, "mean", "age")[1]


def test_the_picture_shows_a_mean_as_a_share_of_it() -> None:
    """And all else in points; what cannot be said is left out."""
    drawn = picture([KeptFigure("mean", "age", 40.0, 42.0), KeptFigure("correlation", "age, hours", 0.5, float("nan"))])
    assert ("mean of age" in drawn, "correlation" in drawn) == (True, False)


def test_the_report_that_is_published_has_no_comparison() -> None:
    """It comes from the table as it is; what `candor.anonymize` prints for the owner has it."""
    spec = {
        "attributes": {
            "age": {"role": "quasi", "ranges": [[20, 40]]},
            "hours": {"role": "insensitive"},
            "ill": {"role": "sensitive"},
        },
        "model": {"k": 2},
    }
    made = candor.anonymize(pd.DataFrame(TABLE), spec, compare=["age"])
    assert "What the release keeps of the table" in str(made)
    assert "kept" not in made.release.to_json()
