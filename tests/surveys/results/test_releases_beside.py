"""Several tables of one version, side by side: what each loses and tells, and which no other one beats."""

import json
import re
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
    return [(one.release.pk, one.lost, one.found, one.best) for one in side_by_side(releases).rows]


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
    assert ([one.best for one in beside.rows], beside.pictures) == ([False, False], [])


def test_the_list_says_what_was_asked_of_groups_and_of_the_table() -> None:
    """Two tables of one model differ by their bounds, which stand beside it."""
    table = made(1, {"age": 0.1}, 0.04)
    spec = {"model": {"k": 5}, "bounds": {"marketer": 0.05}, "method": "full-domain"}
    table.asked = {"spec": json.dumps(spec)}
    assert [one.asked for one in side_by_side([table]).rows] == ["k = 5; marketer ≤ 0.05; full-domain"]


def test_the_picture_names_each_table_as_the_list_beside_it_does() -> None:
    """Its number stands at its point, and who does not see it hears both figures; one that beats all says so."""
    eighth, seventh = made(8, {"age": 0.4}, 0.05, ("age",)), made(7, {"age": 0.1}, 0.2, ("age",))
    (picture,) = side_by_side([eighth, seventh]).pictures
    (other,) = side_by_side([eighth, made(7, {"age": 0.1}, 0.02, ("age",))]).pictures

    assert re.findall(r'class="note"[^>]*>([^<]*)<', picture) == ["8", "7"]
    assert re.findall(r'class="note"[^>]*>([^<]*)<', other) == ["8", "7, loses and tells least"]
    assert "Release 8: 40.0 % lost, 5.0 % found. Release 7: 10.0 % lost, 20.0 % found." in picture


def test_a_table_that_is_not_made_yet_has_no_figures() -> None:
    waits = TableRelease(pk=4, asked={}, state=TableRelease.State.QUEUED)
    assert shown(waits, made(1, {"age": 0.5}, 0.3, ("age",))) == [(4, "", "", False), (1, "50.0 %", "30.0 %", False)]


def test_of_equal_tables_none_is_said_to_be_beaten() -> None:
    """The second and third lose and tell the same, so no other loses less and tells less than either."""
    equal = {"age": 0.1}, 0.2, ("age",)
    tables = [made(3, *equal), made(2, *equal), made(1, {"age": 0.3}, 0.3, ("age",))]

    assert [one.best for one in side_by_side(tables).rows] == [True, True, False]
    assert re.findall(r'class="note"[^>]*>([^<]*)<', side_by_side(tables).pictures[0]) == [
        "3, loses and tells least", "2, loses and tells least", "1",
    ]  # fmt: skip


def test_the_list_says_what_each_table_was_asked_for() -> None:
    """Who picks one of several sees conditions and method; of a table from an older site nothing is known."""
    spec = {"model": {"k": 20, "l": {"l": 2}}, "method": "local"}
    rows = side_by_side([TableRelease(pk=2, asked={"spec": json.dumps(spec)}), TableRelease(pk=1, asked={"k": 5})]).rows

    assert [one.asked for one in rows] == ["k = 20; l = 2 (distinct); local", ""]


def test_a_line_joins_the_tables_that_no_other_beats() -> None:
    """Left to right through both of the front, and past the one that is beaten; where one is best there is no line."""
    figures = (3, 0.5, 0.3), (2, 0.1, 0.2), (1, 0.6, 0.1)
    beaten, first, last = (made(pk, {"age": lost}, found, ("age",)) for pk, lost, found in figures)

    (joined,) = side_by_side([beaten, first, last]).pictures
    (alone,) = side_by_side([beaten, first]).pictures
    assert [len(re.findall(r'<path d="M[^"]*"[^>]*stroke-dasharray', one)) for one in (joined, alone)] == [1, 0]
