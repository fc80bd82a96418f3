"""Two who enter sheets at one moment, and one who closes the survey meanwhile."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from privacy.errors import EntryError
from surveys.domain.questionnaire.closing import close
from surveys.domain.responses import receive
from surveys.features.paper.batches import enter_batch
from surveys.models import Inbox, PaperBatch, Survey, SurveyVersion
from tests.servers import PATIENCE, ROOT
from tests.surveys.features.paper.sheets_of import crosswise, publish_paper, sheet_file, table_of

pytestmark = pytest.mark.django_db(transaction=True)
SHEETS = 40


def enter() -> str:
    """The stack as another process would enter it: why it was refused, or nothing."""
    version = SurveyVersion.objects.select_related("survey").get()
    try:
        enter_batch(version, SHEETS, 0, table_of(sheet_file(version, *["1"] * SHEETS)))
    except EntryError as refusal:
        return str(refusal)
    return ""


def in_own_connection(task: Callable[[], Any]) -> Any:
    try:
        return task()
    finally:
        connection.close()


@pytest.fixture(autouse=True)
def _survey() -> None:
    publish_paper(crosswise("copied"))


def test_a_stack_that_two_send_at_one_moment_is_entered_once() -> None:
    """The second one waits for the first, and then it is the same file."""
    with ThreadPoolExecutor() as pool:
        said = sorted(pool.map(in_own_connection, [enter, enter]))

    assert said == ["", "This file was entered before: nothing was stored."]
    assert (Inbox.objects.count(), PaperBatch.objects.count()) == (SHEETS, 1)


def test_a_survey_that_is_closed_while_a_stack_is_stored_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits for the stack; a half of it would be sealed as a few."""
    begun, go_on = threading.Event(), threading.Event()
    store = receive._store_under_lock

    def pause(*arguments: Any) -> bool:
        begun.set()
        assert go_on.wait(PATIENCE)
        return store(*arguments)

    monkeypatch.setattr(receive, "_store_under_lock", pause)
    with ThreadPoolExecutor() as pool:
        entering = pool.submit(in_own_connection, enter)
        assert begun.wait(PATIENCE)
        closing = pool.submit(in_own_connection, lambda: close(Survey.objects.get()))
        threading.Timer(0.3, go_on.set).start()
        said = entering.result(PATIENCE)
        closing.result(PATIENCE)

    assert (said, Inbox.objects.count(), Survey.objects.get().closed_at is None) == ("", SHEETS, False)
    assert enter() == "This survey is closed: nothing was stored."


KILLED = """
import itertools, os, signal, sys
import django
django.setup()
from surveys.domain.responses import receive
from surveys.features.paper.batches import enter_batch
from surveys.features.paper.sheets import SheetTable
from surveys.domain.exchange.files import read_table
from surveys.models import SurveyVersion
store, count = receive._store_under_lock, itertools.count()
receive._store_under_lock = lambda *given: next(count) < 20 and store(*given) or os.kill(os.getpid(), signal.SIGKILL)
content = sys.argv[1].encode()
enter_batch(SurveyVersion.objects.get(), 40, 0, SheetTable(**read_table(content), content=content))
"""


def test_a_process_that_is_killed_half_way_through_a_stack_stores_none_of_it() -> None:
    """The stack is entered afterwards as one that nobody has seen."""
    text = sheet_file(SurveyVersion.objects.get(), *["1"] * SHEETS)
    command = [sys.executable, "-c", KILLED, text]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)

    assert (killed.returncode, killed.stderr) == (-signal.SIGKILL, "")
    assert not Inbox.objects.exists()
    assert not PaperBatch.objects.exists()
    assert (enter(), Inbox.objects.count()) == ("", SHEETS)
