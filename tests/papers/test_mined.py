"""The part of `make papers` that mines: what is written, and that mild disguise errs less than strong."""

import csv

import pytest

from papers import mined
from papers.reference import how_to_get, reference_file


def rows_of(folder, name):
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_demo_is_mined_in_both_settings(tmp_path, monkeypatch):
    """Without reference data the demo alone is written: errors by length, rules, and a picture."""
    monkeypatch.setenv("CANDOR_REFERENCE", str(tmp_path / "nowhere"))
    mined.write(tmp_path)
    rows = rows_of(tmp_path, "mined_itemsets.csv")
    assert [(row["data"], row["length"]) for row in rows] == [("demo", str(n)) for n in (1, 2, 3)] * 2
    paper, mild = ([float(row["rho"]) for row in rows[start : start + 3]] for start in (0, 3))
    assert all(strong > weak for strong, weak in zip(paper, mild, strict=True))
    assert [row["data"] for row in rows_of(tmp_path, "mined_rules.csv")] == ["demo", "demo"]
    assert (tmp_path / "mined_itemsets.svg").read_text().startswith("<?xml")


@pytest.mark.long
@pytest.mark.skipif(not reference_file(mined.ADULT).exists(), reason=how_to_get(mined.ADULT))
def test_adult_keeps_its_itemsets_under_disguise(tmp_path):
    """On Adult with p = .3, θ = .6 nine of ten itemsets of every length are found, with few false ones."""
    mined.write(tmp_path)
    rows = [row for row in rows_of(tmp_path, "mined_itemsets.csv") if row["data"] == "adult"]
    assert len(rows) == 8
    assert all(float(row["sigma_minus"]) < 0.1 and float(row["sigma_plus"]) < 0.1 for row in rows)
    assert all(float(row["rho"]) < 0.05 for row in rows)
