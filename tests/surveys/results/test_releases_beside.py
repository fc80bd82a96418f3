"""Several tables of one version, side by side: what each loses and tells, and which no other one beats."""

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
    return TableRelease(pk=pk, report=report, state=TableRelease.State.READY)


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


def test_the_picture_names_each_table_as_the_list_beside_it_does() -> None:
    """Its number stands at its point, and who does not see it hears both figures; one that beats all says so."""
    eighth, seventh = made(8, {"age": 0.4}, 0.05, ("age",)), made(7, {"age": 0.1}, 0.2, ("age",))
    (picture,) = side_by_side([eighth, seventh]).pictures
    (other,) = side_by_side([eighth, made(7, {"age": 0.1}, 0.02, ("age",))]).pictures

    assert re.findall(r'class="note"[^>]*>([^<]*)<', picture) == ["8", "7"]
    assert re.findall(r'class="note"[^>]*>([^<]*)<', other) == ["8", "7, loses and tells least"]
    assert "Release 8: 40.0 % lost, 5.0 % found. Release 7: 10.0 % lost, 20.0 % found." in picture


def test_a_table_that_is_not_made_yet_has_no_figures() -> None:
    waits = TableRelease(pk=4, state=TableRelease.State.QUEUED)
    assert shown(waits, made(1, {"age": 0.5}, 0.3, ("age",))) == [(4, "", "", False), (1, "50.0 %", "30.0 %", False)]
