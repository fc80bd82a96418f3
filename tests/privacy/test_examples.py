"""The examples in docstrings."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import privacy

MODULES = [name for _, name, package in walk_packages(privacy.__path__, "privacy.") if not package and "__" not in name]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them."""
    result = doctest.testmod(import_module(name))

    assert result.failed == 0


@pytest.mark.parametrize(
    ("room", "names"),
    [
        ("privacy.design", ["check_item"]),
        ("privacy.disguise", ["disguise"]),
        (
            "privacy.guarantee",
            [
                "advice",
                "believed",
                "epsilon",
                "gamma",
                "guarantee",
                "notes",
                "outward",
                "posterior_bound",
                "posterior_floor",
                "promised",
                "rounded_up",
                "told",
            ],
        ),
        ("privacy.guarantee.breach", ["belief", "breach_limit", "posterior", "worst_breach", "worst_posterior"]),
        ("privacy.guarantee.measures", ["delta", "distortion", "entropy", "mutual_information"]),
        ("privacy.guarantee.risk", ["risk"]),
        ("privacy.reconstruct", ["count_patterns", "reconstruct", "reconstruct_supports"]),
        ("privacy.reconstruct.group_difference", ["compare", "leak"]),
        ("privacy.reconstruct.likelihood", ["em"]),
        ("privacy.reconstruct.tables", ["reconstruct_table"]),
        ("privacy.location", ["keep_of", "log_above", "whole_map"]),
        ("privacy.plan", ["advise", "errors", "frontier", "frontier_chart", "reach", "yes_no"]),
        (
            "privacy.records",
            ["check_answers", "check_codes", "check_direct", "read_answers", "read_records", "write_records"],
        ),
        ("privacy.release", ["attacks", "classes_of", "measure", "unicity"]),
        ("privacy.records.packing", ["pack", "unpack"]),
    ],
)
def test_what_a_room_offers_is_shown_by_an_example(room: str, names: list[str]) -> None:
    """The public functions of these rooms say what goes in, what comes out, and show it."""
    for name in names:
        said = getattr(import_module(room), name).__doc__

        assert [part for part in ("Parameters\n", "Returns\n", "Examples\n") if part not in said] == []
