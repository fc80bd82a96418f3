"""An order of several answers: each has a place, and reports show how common each place of an answer is."""

from typing import Any

import numpy as np
import pytest

from privacy.errors import EntryError
from surveys.definition import read_question
from surveys.questions import Answers, Given, type_of

GOODS = ("pay", "time", "peace")
ENTRY: dict[str, Any] = {
    "id": "goods",
    "type": "ranking",
    "sensitive": False,
    "text": {"en": "What matters most?"},
    "items": [{"id": name, "label": {"en": name.title()}} for name in GOODS],
}


def in_order(*names: str) -> dict[str, str]:
    return {name: str(place) for place, name in enumerate(names, 1)}


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"pay": "1", "time": "2"},
        {"pay": "1", "time": "2", "peace": "2"},
        {"pay": "0", "time": "1", "peace": "2"},
        {"pay": 1, "time": 2, "peace": 3},
        ["pay", "time", "peace"],
    ],
)
def test_what_leaves_a_place_open_is_no_order(value: object) -> None:
    """Each answer has one place, each place one answer, as texts."""
    question = read_question(ENTRY, ["en"])
    assert not type_of(question).fits(question, value)
    assert type_of(question).fits(question, in_order("time", "pay", "peace"))


@pytest.mark.parametrize("count", [1, 21])
def test_an_order_is_of_two_to_twenty(count: int) -> None:
    """One answer has no order, and nobody orders more than twenty."""
    items = [{"id": f"item{place}", "label": {"en": "x"}} for place in range(count)]
    with pytest.raises(EntryError, match="an order is of 2 to 20 answers"):
        read_question({**ENTRY, "items": items}, ["en"])


def shown_of(*orders: tuple[int, tuple[str, ...]]) -> list[Any]:
    question = read_question(ENTRY, ["en"])
    given = Given([in_order(*names) for _times, names in orders], np.array([times for times, _names in orders]))
    return list(type_of(question).displays(Answers(question, ENTRY, "en", given, None, 20)))  # type: ignore[arg-type]


def test_a_report_shows_the_places_of_each_answer() -> None:
    """Of 200 people 120, 50 and 30 begin with pay, time and peace; the mean place of each follows."""
    shown = shown_of((120, ("pay", "time", "peace")), (50, ("time", "peace", "pay")), (30, ("peace", "pay", "time")))
    assert [display.heading for display in shown] == ["Pay", "Time", "Peace"]
    assert [[row.all.value for row in display.rows] for display in shown] == [
        [0.6, 0.15, 0.25],
        [0.25, 0.6, 0.15],
        [0.15, 0.25, 0.6],
    ]
    assert [display.middle.mean for display in shown] == pytest.approx([1.65, 1.9, 2.45])


def test_no_rare_place_follows_from_the_others() -> None:
    """One person puts peace first: the shares of the first place that pay and time take would tell it. So only who
    came first is shown, where the rare answer is put together with another.
    """
    (first,) = shown_of((100, ("pay", "time", "peace")), (99, ("time", "peace", "pay")), (1, ("peace", "pay", "time")))
    assert (first.heading, [row.all and row.all.value for row in first.rows]) == (
        "In the first place",
        [0.5, None, None],
    )


def test_no_condition_depends_on_an_order() -> None:
    """Nor does one end the visit."""
    question = read_question(ENTRY, ["en"])
    own = type_of(question)
    assert (list(own.answers(question)), list(own.values(in_order(*GOODS)))) == ([], [])
