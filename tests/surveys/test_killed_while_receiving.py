"""kill -9 of the web server and of the sealing job while responses arrive, on the site as `make run` starts it."""

from collections import Counter
from pathlib import Path

import pytest
from django.test import override_settings

from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_closed
from surveys.domain.responses.snapshots import latest
from tests.servers import running_site
from tests.surveys.databases import database_url
from tests.surveys.killing import WEB_WORKER, killing, number_submissions, send_all
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers

VICTIMS = (WEB_WORKER, "sealing job", "web server")


# Every run stops a sealing at its steps (test_sealing_stopped), and has devices send again (test_at_once, test_used).
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("victims", [[*VICTIMS[:2]], [*VICTIMS * 4]], ids=["few", "many"])
def test_no_response_is_lost_or_doubled(tmp_path: Path, victims: list[str]) -> None:
    """Whatever is killed, a device that sends until it is answered has its response sealed once.

    They send until each of the processes has been killed so many times.
    """
    sent = 0
    survey = make_survey()
    add_question(survey, "n", type="number")
    version = publish(survey)
    own = {"DATABASE_URL": database_url(), "DEMO": "0"}
    with running_site(tmp_path / "data", **own) as site, killing(site, victims, pause=0.3) as killed:
        while killed.total() < len(victims):
            send_all(site.port, "study", number_submissions(version, 100, first=sent))
            sent += 100
    close(survey)
    with override_settings(CANDOR_DATA=tmp_path / "data"):  # where the keys are
        seal_closed()
    snapshot = latest(survey)
    assert snapshot is not None
    assert Counter(answer["n"] for answer in open_answers(snapshot)) == Counter(range(sent))
