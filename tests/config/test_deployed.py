"""A site as operators build it: a database server, a broker of their own, and a proxy with a host name before it."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.servers import PATIENCE, ROOT, Prepared, Site, empty_database, running_site, wait_until, worker_answers


def address(broker: redis.Redis) -> str:
    return f"redis+socket://{broker.connection_pool.connection_kwargs['path']}?virtual_host=3"


@pytest.fixture(scope="module")
def big_site(
    postgres_server: tuple[Path, Path], broker: redis.Redis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site of three settings."""
    own = {"DATABASE_URL": empty_database(*postgres_server), "CELERY_BROKER_URL": address(broker)}
    folder = tmp_path_factory.mktemp("deployed")
    with running_site(folder / "data", ALLOWED_HOSTS="survey.example.org", **own) as site:
        yield site


def answer_of(site: Site, scheme: str, path: str = "/") -> tuple[http.client.HTTPResponse, bytes]:
    """What the site answers its proxy for somebody who came by this scheme."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": "survey.example.org", "X-Forwarded-Proto": scheme})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.long
def test_the_whole_site_runs_on_postgresql(big_site: Site) -> None:
    """DATABASE_URL is all it takes: tables, demo and administrator are made there, and no SQLite file appears."""
    definition = json.loads(answer_of(big_site, "https", "/s/demo/questionnaire")[1])
    assert definition["slug"] == "demo"
    printed = big_site.printed.read_text()
    assert f"Administrator: admin, password: in the file {big_site.data / 'first_password'} " in printed
    assert list(big_site.data.glob("*.sqlite3*")) == []


@pytest.mark.long
def test_a_broker_from_outside_is_used(big_site: Site, broker: redis.Redis) -> None:
    """With CELERY_BROKER_URL no second broker is started."""
    wait_until(lambda: worker_answers(address(broker)), PATIENCE, "the worker answers through the broker")
    assert big_site.held() == ["sealing job.pid", "web server.pid", "worker.pid"]


@pytest.mark.long
def test_a_site_behind_a_proxy_insists_on_https(big_site: Site) -> None:
    """A host name is all it takes: what came by HTTPS is answered, the rest is sent there for good."""
    answers = [answer_of(big_site, scheme)[0] for scheme in ("https", "http")]
    said = [(one.status, one.headers["Strict-Transport-Security"], one.headers["Location"]) for one in answers]
    assert said == [(200, "max-age=31536000", None), (301, None, "https://survey.example.org/")]
    assert "ERROR" not in big_site.printed.read_text()


def load_test(site: Site, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.load", f"http://127.0.0.1:{site.port}/s/demo-ten/", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_the_load_test_comes_as_the_proxy_does(big_site: Site) -> None:
    """The site answers to its own name alone, and to what came by HTTPS."""
    nameless = load_test(big_site)
    assert nameless.returncode == 2
    assert nameless.stderr.endswith("The site answers to another name: say which, as in --name survey.example.org.\n")
    few = ("--people", "3", "--at-once", "1", "--seconds", "600")
    done = load_test(big_site, "--name", "survey.example.org", *few)
    answered = re.findall(r"^(page|questionnaire|response) +(\d+) ", done.stdout, re.MULTILINE)
    assert answered == [("page", "3"), ("questionnaire", "3"), ("response", "3")], done.stdout + done.stderr


@pytest.mark.long
def test_nothing_outlives_a_data_folder_that_was_removed(prepared: Prepared, tmp_path: Path) -> None:
    """Ctrl-C ends every process also where the locks that tell of them are gone."""
    with running_site(prepared.copied(tmp_path / "data")) as site:
        numbers = [site.pid(name.removesuffix(".pid")) for name in site.held()]
        shutil.rmtree(site.data / "run")
        site.process.send_signal(signal.SIGINT)
        site.process.wait(PATIENCE)
    wait_until(lambda: not any(map(lives, numbers)), PATIENCE, "the children end")
