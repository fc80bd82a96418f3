"""A definition is whole and checked, and what shows in it never depends on a sensitive answer."""

import math
from typing import Any

import pytest

from privacy.errors import InputError
from surveys.definition import Definition
from surveys.features import frames
from surveys.features.questions import late_references
from tests.surveys.documents import WORDS, document, options, question


@pytest.mark.parametrize(
    "sites",
    [
        [],
        "https://a.example",
        ["https://a.example"] * 2,
        ["http://a.example"],
        ["https://a.example/"],
        ["https://*.example"],
        ["https://A.example"],
        ["https://a.example; script-src *"],
        ["'self'"],
        ["https://a.example:0"],
        [f"https://{number}.example" for number in range(11)],
        [None],
    ],
)
def test_only_sites_as_a_header_has_them_may_hold_a_survey(sites: Any) -> None:
    """They go into a policy as they are, so that nothing else of it can be written there."""
    with pytest.raises(InputError):
        Definition.parse(document(frames=sites))


def test_sites_that_may_hold_a_survey_keep_their_order() -> None:
    """With a port, or on one's own computer to try it."""
    sites = ["https://b.example:8443", "https://a.example", "http://localhost:8000"]
    assert frames.sites(Definition.parse(document(frames=sites)).source) == tuple(sites)
    assert frames.sites(Definition.parse(document()).source) == ()


def test_the_pad_covers_values_that_json_escapes() -> None:
    """A quotation mark takes two bytes where it is sent."""
    plain, quoted = (
        Definition.parse(document(question("c", "choice", options=options("a", value)))).pad
        for value in ("nine", 'n"n"')
    )
    assert quoted == plain + 2


def test_the_pad_covers_the_longest_text() -> None:
    """A text of max UTF-16 units, three bytes each, fits beside the rest."""
    short = Definition.parse(document(question("note", "text", max=1))).pad
    assert Definition.parse(document(question("note", "text", max=101))).pad == short + 300


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (question("Drugs", "yesno"), "small letter"),
        (question("x", "essay"), "must be one of"),
        (question("x", "yesno", sensitive=True), "no block"),
        (question("x", "choice", options=options("a", "a")), "needs a different value"),
        (question("x", "number", min=True), "are numbers"),
        (question("x", "number", min=math.nan), "are numbers"),
        (question("x", "number", sensitive=True, min=0, max=math.inf), "are numbers"),
        (question("x", "number", sensitive=True, min=0, max=9, step=math.inf), "are numbers"),
        (question("x", "date", min="2026-02-30"), "YYYY-MM-DD"),
        (question("x", "text", max=0), "from 1 to 5000"),
        (question("x", "date", min="2026-01-02", max="2026-01-01"), "above max"),
        (question("x", "date", max=20260101), "YYYY-MM-DD"),
        (question("x", "scale", min=1.5, max=3), "whole numbers"),
        (question("x", "several", items=[{"id": "a", "label": WORDS}], max=1), "neither min nor max"),
        (question("x", "several"), "list the items"),
        (question("x", "yesno", text={"de": "nur deutsch"}), "'en' is missing"),
        (question("x", "yesno", colour="red"), "unknown field"),
        (question("x", "yesno", when={"question": "later", "is": ["1"]}), "earlier undisguised question"),
    ],
)
def test_a_wrong_question_is_refused_with_the_rule_it_breaks(entry: dict[str, Any], rule: str) -> None:
    """Those of test_refusals.py, and what no form enters."""
    with pytest.raises(InputError, match=rule):
        Definition.parse(document(entry))


@pytest.mark.parametrize(
    ("flags", "refused"),
    [
        ([{}, {}, {}], []),
        ([{"shuffle": True}, {}, {}], []),
        ([{"moves": True}, {"moves": True}, {}], []),
        ([{}, {"moves": True}, {"moves": True}], ["late"]),
        ([{"moves": True}, {}, {"moves": True}], ["late", "why"]),
        ([{}, {"shuffle": True}, {}], ["same"]),
    ],
)
def test_a_condition_needs_a_question_that_comes_earlier_in_every_order(
    flags: list[dict[str, bool]], refused: list[str]
) -> None:
    """Pages that move can be at each other's places, also after a page between them that stays."""
    names = [("sex", None), ("age", None)], [("born", None), ("same", "born")], [("late", "born"), ("why", "sex")]
    pages = [
        {**flag, "questions": [{"id": name, "when": when and {"question": when, "is": ["1"]}} for name, when in own]}
        for flag, own in zip(flags, names, strict=True)
    ]
    assert [name for name, _field in late_references(pages)] == refused


def test_options_must_be_those_of_the_item_in_the_design() -> None:
    """A code in a record means the same on the page and in the design."""
    changed = document()
    changed["pages"][0]["questions"][0]["options"] = options("1", "0")
    with pytest.raises(InputError, match="differ from those of the item"):
        Definition.parse(changed)


def test_an_item_that_nobody_asks_is_refused() -> None:
    """The design disguises what is asked, no more."""
    bare = document(question("x", "yesno"))
    bare["pages"][0]["questions"] = bare["pages"][0]["questions"][1:]
    with pytest.raises(InputError, match="asked by no sensitive question"):
        Definition.parse(bare)


def test_open_answers_that_could_outgrow_the_body_are_refused() -> None:
    """Sixteen texts of 5000 units do not fit 64 KiB."""
    with pytest.raises(InputError, match="allow shorter texts"):
        Definition.parse(document(*(question(f"t{n}", "text", max=5000) for n in range(16))))
