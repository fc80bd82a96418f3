"""Nothing that cannot be undone is done on the word of one clock: a survey is neither erased nor closed by it."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from surveys.domain.closed.erase import erase_due
from surveys.domain.database import clock
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import ClockReading, Survey
from tests.clocks import set_now
from tests.mining.surveys import sealed_survey
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody

NOON = datetime(2030, 6, 1, 12, tzinfo=UTC)
TODAY = NOON.date()
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Clocks:
    """What time it is, and what the clock of the machine says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ran, self.ahead = HOUR, timedelta()  # since the start of the machine, and of its clock
        self.behind: timedelta | None = None  # how far the clock of the database is, where it has one
        set_now(monkeypatch, lambda: NOON + self.ran - HOUR + self.ahead)
        monkeypatch.setattr(clock, "seconds_running", lambda: self.ran.total_seconds())
        monkeypatch.setattr(
            clock, "_of_database", lambda: None if self.behind is None else timezone.now() - self.behind
        )

    def passes(self, *waits: timedelta) -> list[int]:
        """The surveys that are left open after each pass of the duties; each waits first."""
        left = []
        for wait in waits:
            self.ran += wait
            erase_due()
            seal.seal_closed()
            left.append(Survey.objects.filter(closed_at=None).count())
        return left


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def two_surveys(*, kept: Any = TODAY, closes: Any = NOON + 2 * HOUR) -> None:
    """One that is erased after its day, and one that is closed by its date."""
    sealed_survey(75, "kept", keep_until=kept)
    survey = sealed_survey(75, "closing")
    Survey.objects.filter(pk=survey.pk).update(closes_at=closes)


@pytest.mark.each
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("before", [[], [MINUTE], [MINUTE, HOUR, HOUR]], ids=["first", "second", "late"])
def test_one_pass_under_a_clock_that_is_a_day_ahead_ends_nothing(clocks: Clocks, before: list[timedelta]) -> None:
    """Neither the first pass of a machine nor a later one; nor do those that follow while the clock stays wrong."""
    two_surveys(closes=NOON + 20 * HOUR)
    clocks.passes(*before)
    clocks.ahead = DAY
    call_command("tend", once=True)
    clocks.ran += HOUR - MINUTE
    call_command("tend", once=True)
    assert Survey.objects.filter(closed_at=None).count() == 2
    if before:
        assert clocks.passes(MINUTE, 2 * HOUR, HOUR) == [2, 2, 2]


def test_a_date_ends_a_survey_an_hour_after_it_has_passed(clocks: Clocks) -> None:
    """By two passes, at and after it: the first alone ends nothing."""
    two_surveys(kept=TODAY - DAY, closes=NOON)
    assert clocks.passes(MINUTE, HOUR - MINUTE, MINUTE) == [2, 2, 0]
    assert list(Survey.objects.values_list("slug", flat=True)) == ["closing"]


def test_a_jump_holds_for_an_hour_and_then_the_earlier_clock_decides(clocks: Clocks) -> None:
    """Also a jump back; a clock that is set right is the machine's only one again."""
    two_surveys(closes=NOON + 4 * HOUR)
    clocks.passes(MINUTE, HOUR)
    clocks.ahead = DAY
    assert clocks.passes(HOUR, 2 * HOUR, 2 * HOUR) == [2, 2, 1]  # an hour after 16:00, by how long the machine has run
    clocks.ahead = timedelta()  # it is 18:00
    assert clocks.passes(HOUR, 5 * HOUR, HOUR) == [1, 1, 0]  # an hour after midnight


def test_a_clock_that_began_wrong_and_was_set_right_is_not_believed_when_it_jumps_again(clocks: Clocks) -> None:
    """The earliest start that it has said counts. A clock that was set right differs from nothing."""
    two_surveys(closes=NOON + 20 * HOUR)
    clocks.ahead = DAY
    clocks.passes(MINUTE)
    clocks.ahead = timedelta()
    clocks.passes(MINUTE, HOUR)
    assert clock.difference() == timedelta()
    clocks.ahead = DAY
    assert (clocks.passes(MINUTE, HOUR, HOUR), clock.difference()) == ([2, 2, 2], DAY)


def test_a_small_step_is_no_jump(clocks: Clocks) -> None:
    """A clock that is set right by some minutes holds nothing."""
    two_surveys(kept=TODAY - DAY, closes=NOON)
    clocks.passes(MINUTE)
    clocks.ahead = 4 * MINUTE
    assert (clocks.passes(HOUR), clock.difference()) == ([0], timedelta())


def test_a_machine_that_starts_again_waits_for_an_hour(clocks: Clocks) -> None:
    """There is nothing to compare its clock with: an hour is there to set it right."""
    two_surveys(closes=NOON + 20 * HOUR)
    clocks.passes(MINUTE, HOUR)
    ClockReading.objects.update(machine="before it started again")
    clocks.ahead = 2 * DAY
    assert clocks.passes(MINUTE, HOUR - MINUTE) == [2, 2]
    clocks.ahead = timedelta()
    assert clocks.passes(MINUTE, HOUR, HOUR) == [2, 2, 2]


@pytest.mark.each
@pytest.mark.parametrize(("behind", "left"), [(DAY, 2), (timedelta(), 0)])
def test_the_clock_of_the_database_is_asked_where_it_has_one(clocks: Clocks, behind: timedelta, left: int) -> None:
    """A machine that started with a clock a day ahead of the database's ends nothing."""
    two_surveys(kept=TODAY - DAY, closes=NOON)
    clocks.behind = behind
    assert clocks.passes(MINUTE, 2 * HOUR)[-1] == left
    assert clock.difference() == behind


def test_the_database_of_a_real_site_has_this_clock_or_none() -> None:
    """PostgreSQL says its own time, SQLite has none; and the machine's clock runs as its seconds do."""
    moment = clock._of_database()
    assert moment is None or abs(moment - timezone.now()) < MINUTE
    first, before = clock.seconds_running(), time.monotonic()
    assert abs(clock.seconds_running() - first - (time.monotonic() - before)) < 1
    assert clock.read_sure() is None
    assert ClockReading.objects.get().machine == clock._MACHINE


def test_system_says_that_the_clocks_differ(clocks: Clocks, client: Client) -> None:
    """Until the clock is set right; nothing is said of clocks that agree."""
    staff, pages = somebody(), []
    for ahead in (timedelta(), DAY, timedelta()):
        clocks.ahead = ahead
        clocks.passes(MINUTE)
        client.force_login(staff)
        pages.append(client.get("/staff/system/").content.decode())
    sentence = "or differs from that of the database: by 1440 minutes."
    assert [sentence in page for page in pages] == [False, True, False]


def test_while_nothing_jumps_nothing_is_written(clocks: Clocks, django_assert_num_queries: Any) -> None:
    """A site that stands still writes nothing: each pass asks for one row."""
    clock.read_sure()
    clocks.ran += HOUR
    with django_assert_num_queries(1):
        clock.read_sure()


def test_between_its_date_and_its_end_pages_say_that_a_survey_closes(clocks: Clocks, client: Client) -> None:
    """It is not closed for good yet, and whether somebody has answered is not known either."""
    survey = publish(make_survey(closes_at=NOON + HOUR)).survey
    client.force_login(somebody())
    clocks.passes(MINUTE)
    shown = []
    for wait in (HOUR, HOUR):
        clocks.passes(wait)
        start = client.get("/staff/studio/").content.decode()
        field = client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
        shown.append(["sealed after an hour" in start, "later it closes for good" in field, "Nobody has" in start])
    assert shown == [[True, True, False], [False, False, True]]
