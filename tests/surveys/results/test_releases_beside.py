"""Several tables of one version, side by side: what each loses and tells, and which no other one beats."""

import json
from typing import Any

from surveys.models import TableRelease
from surveys.releases.beside import side_by_side


def made(pk: int, lost: dict[str, float], found: float, known: tuple[str, ...] = ("age", "town")) -> TableRelease:
    report: dict[str, Any] = {
        "known": [*known],
        "lost": lost,
        "metrics": {"k": 5, "risk": {"marketer": found}},
    }
    return TableRelease(pk=pk, asked={}, report=report, state=TableRelease.State.READY)


def shown(*releases: TableRelease) -> list[tuple[int, str, str, bool]]:
    return [(one.release.pk, one.lost, one.found, one.best) for one in side_by_side(releases)]


def test_no_table_of_the_front_is_beaten_in_both() -> None:
    """The third loses more than the first and tells more than the second, which it is beaten by."""
    tables = [
        made(3, {"age": 0.6, "town": 0.4}, 0.09),
        made(2, {"age": 0.5, "town": 0.3}, 0.05),
        made(1, {"age": 0.2, "town": 0.0}, 0.2),
    ]
    assert shown(*tables) == [
        (3, "50.0 %", "9.0 %", False),
        (2, "40.0 %", "5.0 %", True),
        (1, "10.0 %", "20.0 %", True),
    ]


def test_tables_that_suppose_other_knowledge_are_not_compared() -> None:
    """What is lost of the age alone is no measure of what is lost of age and town; one table alone has no front."""
    beside = side_by_side([made(2, {"age": 0.1}, 0.1, ("age",)), made(1, {"age": 0.5, "town": 0.5}, 0.3)])
    assert [one.best for one in beside] == [False, False]


def test_the_list_says_what_each_table_was_asked_for() -> None:
    """Who picks one of several sees conditions, bounds of the table and method; of a table from an older site nothing
    is known.
    """
    local = {"model": {"k": 20, "l": {"l": 2}}, "method": "local"}
    bound = {"model": {"k": 5}, "bounds": {"marketer": 0.05}, "method": "full-domain"}
    asked = [*({"spec": json.dumps(spec)} for spec in (local, bound)), {"k": 5}]
    rows = side_by_side([TableRelease(pk=pk, asked=one) for pk, one in enumerate(asked)])

    assert [one.asked for one in rows] == ["k = 20; l = 2 (distinct); local", "k = 5; marketer ≤ 0.05; full-domain", ""]
