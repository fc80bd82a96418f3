"""What tests of several hosts on one PostgreSQL share: a survey, responses to it, and what was sealed of them."""

import json
from pathlib import Path

import psycopg

from tests.servers import run_python

MAKE = """
import json, sys
import django
django.setup()
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import sealing_keys
from tests.surveys.killing import number_submissions
from tests.surveys.making import add_question, make_survey
survey = make_survey("hosts")
add_question(survey, "n", type="number")
print(json.dumps([body.decode() for body in number_submissions(publish(survey), int(sys.argv[1]))]))
"""
SEALED = """
import json
import django
django.setup()
from surveys.domain.questionnaire.closing import close
from surveys.domain.responses.snapshots import latest
from tests.surveys.sealed import open_answers
from surveys.models import Survey
survey = Survey.objects.get(slug="hosts")
close(survey)
snapshot = latest(survey)
print(json.dumps(sorted(answer["n"] for answer in open_answers(snapshot)) if snapshot else []))
"""
SEND = """
import json, sys
import django
django.setup()
from surveys.domain.responses.receive import receive
print(json.dumps([receive("hosts", body.encode())[1] for body in json.loads(sys.argv[1])]))
"""
KEY = "the same key on every host of the site: 0123456789 abcdefghijklmnopqrstuvwxyz"

SIZES = "SELECT coalesce(sum(size), 0) FROM surveys_part"


def python(script: str, url: str, data: Path, *arguments: str) -> list[object]:
    """What a script prints that works on this database, as JSON."""
    data.mkdir(exist_ok=True)
    own = {"DATABASE_URL": url, "CANDOR_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    own["SECRET_KEY"] = KEY
    printed: list[object] = json.loads(run_python("-c", script, *arguments, **own).stdout)
    return printed


def ask_database(url: str, question: str) -> int:
    """The number that the database answers."""
    with psycopg.connect(url) as session:
        return int(session.execute(question).fetchall()[0][0])


def close(url: str) -> None:
    """As the studio does; but without the parts, which another may have locked for a moment."""
    with psycopg.connect(url) as session:
        session.execute("UPDATE surveys_survey SET closed_at = now()")
