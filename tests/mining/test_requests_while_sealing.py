"""Asking for a run while the same survey is being sealed: the second waits for the first."""

import threading

import numpy as np
import pytest
from django.db import connection

from mining.domain import request as requests
from mining.models import MiningRun
from privacy.records.packing import row_bytes
from surveys.domain.messages.submission import Stored
from surveys.domain.responses import seal
from surveys.models import Snapshot
from tests.mining.surveys import queued_run
from tests.surveys.inbox import wait

pytestmark = pytest.mark.django_db(transaction=True)
ENOUGH = 1.0  # seconds in which a sealing that nothing holds up ends


def test_a_snapshot_is_not_replaced_while_a_run_is_made_of_it(monkeypatch, survey):
    """A sealing that begins once the snapshot was chosen ends after the run refers to it, and then keeps it."""
    version = survey.versions.get()
    row = np.zeros(row_bytes(version.design), np.uint8).tobytes()
    wait(version, [Stored(row, b"")] * 40)  # twenty stay back

    def try_sealing() -> None:
        try:
            seal.seal(version)
        finally:
            connection.close()

    sealing = threading.Thread(target=try_sealing)
    chosen = requests.minable

    def chosen_slowly(survey):
        snapshot = chosen(survey)
        sealing.start()
        sealing.join(ENOUGH)
        return snapshot

    monkeypatch.setattr(requests, "minable", chosen_slowly)
    run = queued_run(survey)
    sealing.join()
    assert [snapshot.respondents for snapshot in Snapshot.objects.order_by("pk")] == [200, 220]
    assert MiningRun.objects.get(pk=run.pk).snapshot.respondents == 200
