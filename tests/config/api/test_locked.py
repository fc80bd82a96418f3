"""What only reads does not wait for a writer."""

import pytest
from django.db import connection

from config.api.document import OPERATIONS
from tests.config.api.conftest import caller, person, status, token_of
from tests.surveys.databases import hold_lock


@pytest.mark.django_db(transaction=True)
def test_reading_does_not_wait_for_the_lock_of_a_writer(address: dict[str, str]) -> None:
    """Every reading operation answers while another process holds the lock, by a token that was used that day.

    Files of drafts wait: they have the mark of a budget, which is read under its lock.
    """
    token = token_of(person("everything"))
    waits = {"getDraft", "getDraftFile", "getVersionFile"}
    reading = [operation for operation in OPERATIONS if operation.method == "GET" and operation.name not in waits]
    caller(token)("GET", "/surveys")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout=100")

    with hold_lock():
        statuses = {operation.name: status(operation, token, address) for operation in reading}

    assert [name for name, given in statuses.items() if given == 503] == []
