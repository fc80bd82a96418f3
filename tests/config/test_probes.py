"""What machines ask of the site, and the page for its administrators: how it is, and nothing of who answers."""

import json
import logging
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
import redis
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from config import checks
from config.models import Backup
from config.run import heartbeats, pooler, state
from config.web.logs import JsonLine
from mining.models import MiningRun
from surveys.domain.closed import statement
from surveys.domain.database import duties
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, sealing_keys
from surveys.domain.responses.receive import receive
from surveys.management.commands.tend import Duty, do_if_due
from surveys.models import SealingKey, SealingRound
from surveys.notes import WAITING
from tests.cases import first
from tests.clocks import set_now, set_time
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until
from tests.surveys.inbox import wait
from tests.surveys.making import make_survey
from tests.surveys.sealed import list_in_steps
from tests.surveys.sending import send, submission
from tests.surveys.staff import page_of, somebody

TOKEN = "prometheus-may-look-here"
BREAKS_A_WORD = """cell => {
    const letters = document.createRange();
    letters.selectNodeContents(cell);
    const lines = new Set([...letters.getClientRects()].map(({bottom}) => Math.round(bottom / 8)));
    return cell.textContent.trim().length < 8 && lines.size > 1;
}"""
BLOCKS = "td|th|tr|tbody|thead|table|p|h2|ul|li"  # around which a template may break a line


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Nothing is known of the tables, and metrics are asked for with a token."""
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(state, "_all_tables", False)


@pytest.fixture
def heard(broker: redis.Redis) -> Iterator[redis.Redis]:
    keys = (heartbeats.KEY, heartbeats.DONE, heartbeats.FAILING, WAITING)
    broker.delete(*keys)
    yield broker
    broker.delete(*keys)


def test_a_process_that_serves_says_so_without_asking_anybody(client: Client) -> None:
    """By whatever name it is called, and without HTTPS: a load balancer calls a machine by its address."""
    answer = client.get("/healthz", headers={"Host": "10.0.0.7"})
    assert (answer.status_code, answer.content, answer["Cache-Control"]) == (200, b"ok\n", "no-store")
    assert answer.cookies == {}


def test_a_site_with_database_and_tables_is_ready(client: Client) -> None:
    answer = client.get("/readyz", headers={"Host": "10.0.0.7"})
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": True, "tables": True, "damaged": False, "key": True}


def test_who_asks_whether_the_site_is_ready_costs_one_query(client: Client, django_assert_num_queries: Any) -> None:
    client.get("/readyz")
    with django_assert_num_queries(1):
        assert client.get("/readyz").status_code == 200


def test_a_site_without_a_key_to_encrypt_to_is_not_ready(client: Client, admin_client: Client) -> None:
    """It would refuse every response; its runs are listed all the same, and once there is a key it is ready."""
    SealingKey.objects.all().delete()
    SealingRound.objects.all().delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"], answer.json()["key"]) == (503, True, False)
    assert "candor_sealing_key 0" in metrics(client)
    assert 'candor_runs{state="queued"} 0' in metrics(client)
    assert "The site hands out no questionnaires now." in system(admin_client)
    sealing_keys.prepare()
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("wrong", ["clock", "SECRET_KEY"])
def test_a_web_server_that_takes_no_key_of_others_is_not_ready(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """A month off, or with another SECRET_KEY, it does not know the mark of the keys, and refuses every response."""
    if wrong == "clock":
        now = time.time()
        set_time(monkeypatch, sealing_keys, lambda: now - 30 * 24 * 3600)
    else:
        settings.SECRET_KEY = "x" * 64
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["key"]) == (503, False)


def test_a_site_whose_database_is_away_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise OperationalError("away")

    monkeypatch.setattr(connection, "cursor", away)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "database": False, "tables": False, "damaged": False, "key": False}


def test_a_site_is_not_ready_before_its_tables_are_made(client: Client) -> None:
    """As while a new version starts beside an old one, whose database lacks the newest migration."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'mining'")
    assert client.get("/readyz").json() == {
        "ready": False,
        "database": True,
        "tables": False,
        "damaged": False,
        "key": False,
    }


@pytest.mark.parametrize(
    ("token", "given"),
    [(TOKEN, given) for given in ("", "Bearer ", "Bearer prometheus-may-look", TOKEN)] + [("", ""), ("", "Bearer ")],
)
def test_metrics_are_for_who_has_the_token(client: Client, settings: Any, token: str, given: str) -> None:
    """Without a token there are none."""
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


def metrics(client: Client) -> str:
    return client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()


def test_prometheus_reads_every_line(client: Client, heard: redis.Redis) -> None:
    heartbeats.beat(heartbeats.WORKER)
    heard.lpush(WAITING, "a task")
    lines = metrics(client).splitlines()
    values = [line for line in lines if not line.startswith("#")]
    line = re.compile(r'candor_[a-z_]+(\{([a-z]+="[^"\\]*",?)+\})? [0-9.e+-]+')
    assert [value for value in values if not line.fullmatch(value)] == []
    assert {"candor_database_up 1", "candor_broker_up 1", "candor_queue_tasks 1"} <= set(values)
    assert sum(value.startswith('candor_part_silent_seconds{part="worker",host="') for value in values) == 1
    names = [text.split()[2] for text in lines if text.startswith("# TYPE")]
    assert len(names) == len(set(names))


def test_nothing_that_is_told_moves_when_somebody_answers(
    client: Client, admin_client: Client, heard: redis.Redis
) -> None:
    """The same before and after a response, but for the seconds since a part was heard."""

    def pages_now() -> list[str]:
        pages = [metrics(client), client.get("/readyz").content.decode(), system(admin_client)]
        return [re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page) for page in pages]

    version = publish(make_survey())
    send(client, "study", submission(version))
    before = pages_now()
    assert send(client, "study", submission(version)).status_code == 201
    assert pages_now() == before


def system(client: Client) -> str:
    page = client.get("/staff/system/").content.decode()
    return re.sub(rf"\s*(</?(?:{BLOCKS})(?: [^>]*)?>)\s*", r"\1", " ".join(page.split()))


@pytest.mark.long
def test_a_worker_says_that_it_runs(worker: object, heard: redis.Redis) -> None:
    """A real one, from its first heartbeat on, though nothing in it asks who else runs."""
    wait_until(
        lambda: [part.name for part in heartbeats.parts()] == [heartbeats.WORKER], PATIENCE, "the worker is heard"
    )


STRANGE = ["no JSON", "[1]", "7", '["a", "b", {}]', '[1e12, Infinity, "x"]', f'[1e12, {10**400}, "x"]', "[" * 100_000]


@pytest.mark.parametrize("text", first(2, STRANGE), ids=lambda text: text[:20])
def test_what_others_write_into_the_broker_hides_nothing(
    client: Client, admin_client: Client, settings: Any, heard: redis.Redis, text: str
) -> None:
    """One strange value there ended both pages in an error, until somebody removed it."""
    heartbeats.beat(heartbeats.WORKER)
    heard.zadd(heartbeats.KEY, {b"\xff\xfe": 1e12})
    heard.zadd(heartbeats.DONE, {"without a machine": 1e12})
    heard.hset(heartbeats.FAILING, "a duty\nhost", text)
    assert 'candor_part_silent_seconds{part="worker"' in metrics(client)
    assert f"worker <small>{settings.MACHINE}</small></th><td>runs <small>" in system(admin_client)


def test_administrators_see_which_parts_run(admin_client: Client, heard: redis.Redis) -> None:
    heard.zadd(heartbeats.KEY, {"worker\nfar.example.org": 1e12, "sealing job\ndead.example.org": 1e9})
    heartbeats.beat(heartbeats.WEB_SERVER)
    page = system(admin_client)
    assert "far.example.org</small></th><td>runs <small>" in page
    assert "dead.example.org" not in page  # silent for years: forgotten
    assert '<th scope="row">web server <small>' in page


def test_machines_of_one_host_name_stand_apart_by_the_names_they_are_given(heard: redis.Redis, settings: Any) -> None:
    """Copies of one image, for example: of each it says when it was heard."""
    for name in ("blue", "green"):
        settings.MACHINE = name
        heartbeats.beat(heartbeats.WORKER)
    assert [(part.name, part.host) for part in heartbeats.parts()] == [
        (heartbeats.WORKER, "blue"),
        (heartbeats.WORKER, "green"),
    ]


def test_administrators_see_which_machine_prepares_the_database(
    admin_client: Client, heard: redis.Redis, settings: Any
) -> None:
    """As long as it does: one that was killed meanwhile is silent."""
    settings.MACHINE = "new.example.org"
    with heartbeats.beat_while(heartbeats.PREPARATION):
        page = system(admin_client)
        assert "preparation of the database <small>new.example.org</small></th><td>runs <small>" in page
    assert heartbeats.parts() == []


def test_of_several_workers_the_one_that_stands_still_is_shown_silent(
    admin_client: Client, client: Client, heard: redis.Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each says itself that it runs, also without a run; that others go on hides nothing."""
    settings.METRICS_TOKEN, now = TOKEN, time.time()
    for name, silent in (("stopped", 60), ("works", 0)):
        settings.MACHINE = name
        set_time(monkeypatch, heartbeats, partial(float, now - silent))
        heartbeats.beat(heartbeats.WORKER)
    page = system(admin_client)
    assert "stopped</small></th><td><strong>silent</strong> <small>heard 60 s ago</small></td>" in page
    assert "works</small></th><td>runs <small>heard 0 s ago</small></td>" in page
    lines = metrics(client).splitlines()
    assert 'candor_part_silent_seconds{part="worker",host="stopped"} 60' in lines


def test_a_worker_whose_processes_do_not_answer_is_shown_by_the_run_that_nobody_takes(
    admin_client: Client, heard: redis.Redis
) -> None:
    """Its main process says that it runs. What waits for a moment, or while others are at work, is no sign of it."""
    heartbeats.beat(heartbeats.WORKER)
    heartbeats.beat(heartbeats.SEALING_JOB)
    survey = sealed_survey(200, closed=True)
    queued_run(survey)
    assert "nobody takes the waiting run" not in system(admin_client)
    ago = timezone.now() - timedelta(seconds=state.WAITS + 1)
    MiningRun.objects.update(requested_at=ago)
    assert "nobody takes the waiting run" in system(admin_client)
    MiningRun.objects.update(started_at=ago)  # it was taken, and left to a worker of a newer version
    assert "nobody takes the waiting run" not in system(admin_client)
    MiningRun.objects.update(started_at=None)
    another = queued_run(survey, min_support=0.2)
    MiningRun.objects.filter(pk=another.pk).update(state=MiningRun.State.RUNNING)
    assert "nobody takes the waiting run" not in system(admin_client)


def test_without_a_broker_the_page_says_what_is_not_known(admin_client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    page = system(admin_client)
    assert "The broker does not answer." in page
    assert '<th scope="row">broker <small></small></th><td><strong>silent</strong></td>' in page


def test_administrators_see_that_the_broker_answers_and_its_version(admin_client: Client, heard: redis.Redis) -> None:
    version = heard.info("server")["redis_version"]
    assert f'<th scope="row">broker <small>Redis {version}</small></th><td>runs</td>' in system(admin_client)


def test_a_broker_that_refuses_is_shown_with_what_it_says(admin_client: Client, monkeypatch: Any) -> None:
    """A wrong password stays wrong until somebody mends it; the page has the sentence that a start ends with."""
    raised = Mock(side_effect=redis.AuthenticationError("WRONGPASS"))
    monkeypatch.setattr(heartbeats, "client", raised)
    assert "refuses the name or password of CELERY_BROKER_URL. Answers are still stored" in system(admin_client)
    admin_client.cookies["staff_language"] = "zh-hans"
    assert "消息代理拒绝了 CELERY_BROKER_URL 中的用户名或密码。回答照常保存" in system(admin_client)
    raised.side_effect = redis.ResponseError("OOM command not allowed.")
    assert "The broker refuses: OOM command not allowed" in system(admin_client)


@pytest.mark.parametrize(("is_staff", "status"), [(True, 403), (False, 302)])
def test_the_page_is_for_administrators(client: Client, is_staff: bool, status: int) -> None:
    client.force_login(User.objects.create_user("ann", is_staff=is_staff))
    assert client.get("/staff/system/").status_code == status


def use_pooler(monkeypatch: pytest.MonkeyPatch, is_same: bool) -> None:
    """Connections come from a pool, which leads to this database or to another."""
    monkeypatch.setenv("DATABASE_POOL", "postgres://pool.example.org/candor")
    monkeypatch.setattr(pooler, "is_same", lambda: is_same)


@pytest.mark.parametrize(("same", "word"), [(True, "yes"), (False, "no")])
def test_administrators_see_whether_the_pooler_leads_to_the_same_database(
    client: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch, same: bool, word: str
) -> None:
    """Where it does not, no questionnaires are handed out, and the page says so as /readyz does; so do the metrics."""
    leads_here = '<th scope="row">is the one that DATABASE_POOL leads to</th>'
    assert leads_here not in system(admin_client)
    assert "candor_pool_same_database" not in metrics(client)
    use_pooler(monkeypatch, same)
    page = system(admin_client)
    assert f"{leads_here}<td>{word}</td>" in page
    assert ("The site hands out no questionnaires now." in page) is (not same)
    assert ("DATABASE_POOL does not seem to point to the database of DATABASE_URL" in page) is (not same)
    assert f"candor_pool_same_database {same:d}\n" in metrics(client)
    assert (client.get("/readyz").status_code, client.get("/readyz").json()["pool"]) == (200 if same else 503, same)


@pytest.mark.parametrize(
    ("hours", "shown", "metric", "checked"),
    [
        (
            None,
            "<span>No backup of this database has been made. Let one be made each night",
            ["candor_backup_made 0"],
            ["No backup of this database has been made (docs/deploy.md)."],
        ),
        (
            26,
            "hours since the last good backup</th><td>26</td></tr>",
            ["candor_backup_made 1", "candor_backup_done_seconds 93600"],
            [],
        ),
        (
            50,
            "<span>The last good backup is 50 hours old: one should be made each night.",
            ["candor_backup_made 1", "candor_backup_done_seconds 180000"],
            ["The last good backup of this database is 50 hours old (docs/deploy.md)."],
        ),
    ],
    ids=["never", "last night", "long ago"],
)
def test_how_old_the_last_good_backup_is_is_told(
    client: Client,
    admin_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    hours: int | None,
    shown: str,
    metric: list[str],
    checked: list[str],
) -> None:
    """On the page, in the metrics and among the checks; of one from last night nothing is said that would worry."""
    now = timezone.now()
    if hours is not None:
        Backup.objects.create(made_at=now - timedelta(hours=hours))
    set_now(monkeypatch, lambda: now)
    assert shown in system(admin_client)
    assert [line for line in metrics(client).splitlines() if line.startswith("candor_backup_")] == metric
    assert [message.msg for message in checks.backups_are_made()] == checked


@pytest.mark.django_db(transaction=True)
def test_administrators_see_which_lists_of_receipts_are_being_made(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made in steps, they may take minutes. Not of a survey that collects, or that has something to be sealed."""

    def rows_on_page() -> list[str]:
        page = system(admin_client)
        return re.findall(r'<th scope="row">study</th><td>(.+?)</td>', page)

    list_in_steps(monkeypatch)
    version = publish(make_survey(least=20, direct=False))
    for _ in range(21):
        assert receive("study", json.dumps(submission(version)).encode())[1]
    told = [rows_on_page()]
    close(version.survey)
    told.append(rows_on_page())
    seal.seal_closed()
    told.append(rows_on_page())
    while statement.state_all() is duties.MORE:
        told.append(rows_on_page())
    assert [lines for lines, before in zip(told, [None, *told], strict=False) if lines != before] == [
        [],
        ["is being hashed"],
        ["1 of 3 pieces are written"],
        ["2 of 3 pieces are written"],
    ]
    assert rows_on_page() == []
    assert "No list of receipts is being made." in system(admin_client)


SEAL = Duty(state.SEALING, seal.seal_all, 180, False)


@pytest.fixture
def sealing() -> Callable[[], None]:
    """One turn of the sealing, as `manage.py tend` does it, and what it says of it afterwards."""

    def turn() -> None:
        SEAL.due = 0.0
        do_if_due(SEAL, lambda: True)
        heartbeats.report_duties()

    return turn


@pytest.mark.django_db(transaction=True)
def test_a_sealing_that_fails_is_seen_until_one_succeeds(
    admin_client: Client,
    client: Client,
    heard: redis.Redis,
    sealing: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version that cannot be sealed raises an error inside the sealing, which goes on with the others and logs it."""
    version = publish(make_survey())
    wait(version, [Stored(b"\0", b"")] * 45)
    sealing()
    assert heard_of(client) == (True, [])
    wait(version, [Stored(b"\0", b"")] * 45)
    with monkeypatch.context() as broken:
        broken.setattr(seal, "part_hash", Mock(side_effect=OSError(28, "No space left on device")))
        sealing()
        assert "Sealing failed at its last turn on" in system(admin_client)
        sealing()
    page = system(admin_client)
    assert f"Sealing failed 2 times in a row on {platform.node()} (OSError)." in page
    assert "Answers are stored, encrypted, and nobody is turned away" in page
    assert heard_of(client) == (True, [2])
    admin_client.cookies["staff_language"] = "zh-hans"
    assert f"封存在 {platform.node()} 上已连续失败 2 次（OSError）。" in system(admin_client)
    assert client.get("/readyz").status_code == 200
    sealing()
    assert heard_of(client) == (True, [])
    assert "errornote" not in system(admin_client)


def test_a_failure_is_over_once_another_machine_has_done_it(
    heard: redis.Redis, sealing: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a duty that ends by an error of its own counts as one that failed."""
    with monkeypatch.context() as broken:
        broken.setattr(SEAL, "do", Mock(side_effect=OperationalError("database is locked")))
        sealing()
    failing = heartbeats.read_duties().failing
    assert failing == [heartbeats.Failing(state.SEALING, platform.node(), 1, "OperationalError")]
    another = heard.hgetall(heartbeats.FAILING).popitem()[1]
    heard.zadd(heartbeats.DONE, {f"{state.SEALING}\nanother": json.loads(another)[0]})  # within the same ten seconds
    assert heartbeats.read_duties().failing == []


def test_how_long_a_sealing_took_is_told_to_nobody(client: Client, settings: Any, heard: redis.Redis) -> None:
    """How much later the next duty was done would tell it, and so perhaps whether anybody had answered."""
    duties.end_duty(state.SEALING)
    heartbeats.report_duties()
    ((_, kept),) = heard.zrange(heartbeats.DONE, 0, -1, withscores=True)
    (line,) = (line for line in metrics(client).splitlines() if line.startswith("candor_duty_done_seconds{"))
    assert kept % heartbeats.COARSE == 0
    assert line.rpartition(" ")[2].isdigit()
    heartbeats.sealing_job()  # it is silent while it seals
    assert heard.zscore(heartbeats.KEY, f"{heartbeats.SEALING_JOB}\n{settings.MACHINE}") % heartbeats.COARSE == 0


def test_a_duty_that_somebody_keeps_from_its_work_is_not_done() -> None:
    """Nor has it failed: the time since it was last done grows, and an alarm can be set on it."""
    for returned in (None, False):
        do_if_due(Duty("a duty", Mock(return_value=returned), 0, False), lambda: True)
    outcome = duties.outcomes["a duty"]
    assert outcome.done is not None
    assert (outcome.done < outcome.tried, outcome.failures) == (True, 0)


def test_another_duty_that_fails_is_named_and_no_alarm(admin_client: Client, heard: redis.Redis) -> None:
    duties.end_duty("config.signin.sessions.purge", OperationalError("database is locked"))
    heartbeats.report_duties()
    page = system(admin_client)
    assert f"config.signin.sessions.purge, failed at its last turn on {platform.node()} (OperationalError)" in page
    assert "errornote" not in page


def test_a_sealing_that_is_long_ago_is_said(admin_client: Client, heard: redis.Redis) -> None:
    """One that hangs tells nothing more: the time since the last one tells."""
    assert "No sealing has ended without an error within a day." in system(admin_client)
    heard.zadd(heartbeats.DONE, {f"{state.SEALING}\nhere": time.time() - 200})
    assert "seconds ago: one is due" not in system(admin_client)
    heard.zadd(heartbeats.DONE, {f"{state.SEALING}\nhere": time.time() - 2 * state.LATE})
    assert "seconds ago: one is due every three minutes." in system(admin_client)


def heard_of(client: Client) -> tuple[bool, list[int]]:
    """Whether a sealing is said to have succeeded, and the failures in a row that are said of it."""
    lines = metrics(client).splitlines()
    failures = [int(line.split()[1]) for line in lines if line.startswith("candor_duty_failures{")]
    return any(line.startswith("candor_duty_done_seconds{duty=") for line in lines), failures


def test_a_line_of_the_log_as_json_is_one_object_without_a_time() -> None:
    """Line breaks and quotes inside are escaped, and what is long is shortened as in other lines."""
    try:
        raise ValueError('a "word"\nmore')
    except ValueError:
        record = logging.LogRecord("surveys", logging.ERROR, "", 0, "failed: %s", ("x" * 10_000,), sys.exc_info())
    written = JsonLine().format(record)
    line = json.loads(written)
    assert "\n" not in written
    assert list(line) == ["level", "logger", "message", "traceback"]
    assert (line["level"], line["logger"]) == ("ERROR", "surveys")
    assert len(line["message"]) < 8_100
    assert 'ValueError: a "word"\nmore' in line["traceback"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "colours", "language"),
    [(360, "dark", "en-GB"), (360, "dark", "zh-CN"), (1100, "light", "zh-CN")],
)
def test_the_page_is_accessible_and_whole(
    live: LiveServer,
    browser: Browser,
    axe: Callable[[Page], list[str]],
    heard: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    colours: Any,
    language: str,
) -> None:
    """From desk to phone, in both languages and colours."""
    making = [statement.Making("a-survey-with-a-long-name-2026", 12, 610), statement.Making("short", 0, 0)]
    monkeypatch.setattr(statement, "statement_progress", lambda: making)
    use_pooler(monkeypatch, False)
    heard.zadd(heartbeats.KEY, {"worker\na-machine-with-a-long-name.workers.example.org": 1e12})
    heard.zadd(heartbeats.DONE, {f"{state.SEALING}\nhere": time.time() - 2 * state.LATE})
    heartbeats.beat(heartbeats.WEB_SERVER)
    page = page_of(somebody(), browser, live, language, width, colours)
    page.goto(f"{live.url}/staff/system/")
    faults, wide = axe(page), page.evaluate("document.documentElement.scrollWidth")
    broken = [cell.text_content() for cell in page.locator(".system td").all() if cell.evaluate(BREAKS_A_WORD)]
    page.context.close()
    assert faults == []
    assert wide <= width
    assert broken == []
