"""The examples in docstrings."""

import doctest
import re
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction, isgeneratorfunction, signature, unwrap
from pkgutil import iter_modules, walk_packages

import pytest

import privacy

MODULES = [name for _, name, _ in walk_packages(privacy.__path__, "privacy.") if "__" not in name]
ROOMS = [name for _, name, package in iter_modules(privacy.__path__) if package]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_prints_what_it_says(name: str) -> None:
    """A reader may copy any of them."""
    result = doctest.testmod(import_module(name))

    assert result.failed == 0


@pytest.mark.parametrize("room", ROOMS)
def test_the_face_of_a_room_is_shown_by_examples(room: str) -> None:
    """Each public function of a room says what goes in, what comes out, and shows it."""
    face = import_module(f"privacy.{room}")

    assert {
        name: lacking
        for name in getattr(face, "__all__", ())
        if isfunction(getattr(face, name)) and (lacking := _lacking(getattr(face, name)))
    } == {}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("privacy.guarantee.breach", ["belief", "breach_limit", "posterior", "worst_breach", "worst_posterior"]),
        ("privacy.guarantee.measures", ["delta", "distortion", "entropy", "mutual_information"]),
        ("privacy.guarantee.risk", ["risk"]),
        ("privacy.reconstruct.group_difference", ["compare", "leak"]),
        ("privacy.reconstruct.likelihood", ["em"]),
        ("privacy.reconstruct.tables", ["reconstruct_table"]),
        ("privacy.records.packing", ["pack", "unpack"]),
    ],
)
def test_what_analysts_call_behind_a_face_is_shown_by_an_example(module: str, names: list[str]) -> None:
    """The guides call these too."""
    assert {name: _lacking(getattr(import_module(module), name)) for name in names} == {name: [] for name in names}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("privacy.choices", ["described"]),
        ("privacy.design.blocks", ["matrix"]),
        ("privacy.design.fields", ["steps_between"]),
        ("privacy.design.patterns", ["parse_pattern"]),
        ("privacy.design.rationals", ["fraction", "numerator"]),
        ("privacy.design.reading", ["shown"]),
        ("privacy.disguise.random_words", ["seeded_words", "system_words"]),
        ("privacy.draw.bars", ["bars"]),
        ("privacy.draw.chart", ["chart", "svg_document"]),
        ("privacy.draw.forest", ["forest"]),
        ("privacy.draw.heat_map", ["heat_map", "percent"]),
        ("privacy.draw.histogram", ["histogram"]),
        ("privacy.draw.labels", ["shortened", "text_width", "wrapped"]),
        ("privacy.draw.map", ["draw_map"]),
        ("privacy.errors", ["to_translate"]),
        ("privacy.output", ["as_cell", "as_json", "as_table", "counted", "formula_safe", "strict", "whole"]),
        ("privacy.plan.connections", ["roughly"]),
        ("privacy.reconstruct.bit_columns", ["states_from_supports", "supports_from_states"]),
        ("privacy.reconstruct.intervals", ["standard_errors", "two_sided", "wald"]),
        ("privacy.reconstruct.weights", ["obstacle"]),
        ("privacy.records.files", ["keep_apart", "read_design", "read_text", "whole_file"]),
        ("privacy.records.open_texts", ["spreadsheet_safe"]),
        ("privacy.records.packing", ["row_bytes"]),
    ],
)
def test_what_other_packages_import_most_is_shown_by_an_example(module: str, names: list[str]) -> None:
    """Who reads a call of it elsewhere finds what goes in and what comes out."""
    functions = [getattr(import_module(module), name) for name in names]

    assert {
        function.__name__: lacking
        for function in functions
        if (lacking := _lacking(function)) not in ([], ["Parameters"]) or (lacking and signature(function).parameters)
    } == {}


def test_a_function_without_an_example_is_told() -> None:
    """The promise above is kept by what is lacking, not by there being a docstring."""
    assert _lacking(_lacking) == ["Parameters", "Returns", "Examples"]


def _lacking(function: Callable[..., object]) -> list[str]:
    """The numpydoc sections that the docstring of a function has not; one that yields has no Returns."""
    sections = {*re.findall(r"^ *(\w+)\n *-+$", function.__doc__ or "", re.MULTILINE)}
    out = "Yields" if isgeneratorfunction(unwrap(function)) else "Returns"
    return [section for section in ("Parameters", out, "Examples") if section not in sections]
