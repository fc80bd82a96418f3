"""Settings come from the environment alone, and a wrong value stops the start with one sentence."""

import os
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest

from config import environment
from tests.cases import every, first
from tests.servers import ROOT, outside, run_python

MAIL = (
    "EMAIL_URL is not valid: write smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, "
    "or smtp://host:25?tls=no for a server without TLS."
)
BROKER = (
    "CELERY_BROKER_URL is not valid: write redis://host:6379/0, rediss://host:6379/0 or redis+socket:///path/to/socket."
)
PRODUCTION = {"ALLOWED_HOSTS": "survey.example.org", "SECRET_KEY": "s3cret-" * 10}


def manage(*arguments: str, data: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_python("manage.py", *arguments, CANDOR_DATA=str(data), **variables)


@pytest.mark.long
def test_production_settings_are_clean(tmp_path: Path) -> None:
    """Django's own list of what a public site must set is met by a host name alone."""
    done = manage("check", "--deploy", "--fail-level", "WARNING", data=tmp_path, **PRODUCTION)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "System check identified no issues (2 silenced).\n",
        "",
    )


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    every(4, [
        ("DEBUG", "maybe", "DEBUG=maybe is not valid: write 1 or 0."),
        ("PORT", "80a", "PORT=80a is not valid: write a whole number from 1 to 65535."),
        ("PORT", "70000", "PORT=70000 is not valid: write a whole number from 1 to 65535."),
        ("SECRET_KEY_FILE", "/no", "SECRET_KEY_FILE=/no cannot be read: it must be a text file that you may read."),
        ("DATABASE_URL", "mysql://x/y", "DATABASE_URL starts with mysql://, which is not supported: use sqlite:/// or "
        "postgresql://."),
        ("DATABASE_URL", "postgresql://host", "DATABASE_URL names no database: write postgresql://user:password@host:5432/name."),
        ("DATABASE_URL", "sqlite://x", "DATABASE_URL for SQLite is sqlite:////absolute/path or sqlite:///relative/path."),
        (
            "DATABASE_URL",
            "postgresql://u:p/w@h/n",
            "DATABASE_URL is not a URL: percent-encode special characters in the user name and password.",
        ),
        ("DATABASE_URL", "nonsense", "DATABASE_URL is not a URL: use sqlite:///path or postgresql://user:password@host:5432/name."),
        ("CELERY_BROKER_URL", "amqp://x", BROKER),
        ("CELERY_BROKER_URL", "redis://localhost:port/0", BROKER),
        ("CELERY_BROKER_URL", "redis+socket://relative", BROKER),
        ("CELERY_BROKER_URL", "redis+socket:///x?virtual_host=first", BROKER),
        (
            "PAGE_ORIGIN",
            "https://page.example.org/s/",
            "PAGE_ORIGIN=https://page.example.org/s/ is not valid: write https:// and a host name, and nothing after "
            "it.",
        ),
        (
            "SECURITY_CONTACT",
            "security@example.org",
            "SECURITY_CONTACT=security@example.org is not valid: write mailto:, https:// or tel: with an address.",
        ),
        ("EMAIL_URL", "http://mail.example.org", MAIL),
        ("EMAIL_URL", "smtp://mail.example.org?tls=maybe", MAIL),
        ("EMAIL_URL", "smtp://mail.example.org", "EMAIL_URL needs EMAIL_FROM, the address that mail comes from."),
        ("EMAIL_FROM", "nobody", "EMAIL_FROM=nobody is not valid: write an address, or Name <address>."),
        (
            "OIDC_NAME",
            "University",
            "The university's account needs OIDC_ISSUER and OIDC_CLIENT and OIDC_SECRET, too: set all four, or none.",
        ),
        (
            "OIDC_ISSUER",
            "http://id.example.org",
            "OIDC_ISSUER=http://id.example.org is not valid: write https:// and the address that the provider gives as "
            "its issuer.",
        ),
        ("OIDC_SECRET_FILE", "/no", "OIDC_SECRET_FILE=/no cannot be read: it must be a text file that you may read."),
        ("SECRET_KEY", "x" * 60, "SECRET_KEY is too easy to guess: use at least 50 random characters."),
        ("SECRET_KEY", "hunter2", "SECRET_KEY is too easy to guess: use at least 50 random characters."),
        (
            "ALLOWED_HOSTS",
            "localhost, https://survey.example.org",
            "ALLOWED_HOSTS holds https://survey.example.org, which is not a host name: write only names, without "
            "https:// or a port.",
        ),
    ]),
)  # fmt: skip
def test_a_wrong_value_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    """The variable, its value and the rule."""
    for known in os.environ.keys() - outside().keys():
        monkeypatch.delenv(known)
    monkeypatch.setenv("CANDOR_DATA", str(tmp_path))
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "config" / "settings.py"))
    assert end.value.args == (sentence,)


def test_a_command_ends_with_the_sentence(tmp_path: Path) -> None:
    """On stderr, without a traceback."""
    done = manage("check", data=tmp_path, DEBUG="maybe")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "DEBUG=maybe is not valid: write 1 or 0.\n",
    )


@pytest.mark.parametrize(
    "reachable", first(1, [{"ALLOWED_HOSTS": "localhost,survey.example.org"}, {"BIND": "0.0.0.0"}, {"HTTPS": "1"}])
)
def test_tracebacks_are_refused_where_others_reach_the_site(reachable: dict[str, str], tmp_path: Path) -> None:
    """By another name, from another machine, or by a proxy: DEBUG=1 starts on localhost alone, even with HTTPS=0."""
    done = manage("check", data=tmp_path, **({"DEBUG": "1", "HTTPS": "0"} | reachable))
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "DEBUG=1 shows tracebacks and works only on localhost: leave out ALLOWED_HOSTS, BIND and HTTPS, or DEBUG.\n",
    )


def test_names_of_every_kind_are_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain names, names of a network, addresses, a whole domain, everything."""
    given = ["survey.example.org", "my_box", "10.0.0.7", "[fe80::1]", ".example.org", "*"]
    monkeypatch.setenv("ALLOWED_HOSTS", ", ".join(given))
    assert environment.hosts("ALLOWED_HOSTS", []) == given


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("https://page.example.org:443", "https://page.example.org"),
        ("https://page.example.org:8443", "https://page.example.org:8443"),
        ("http://localhost:443", "http://localhost:443"),
    ],
)
def test_an_origin_is_as_browsers_name_it(monkeypatch: pytest.MonkeyPatch, written: str, named: str) -> None:
    """They leave the usual port of https out, and compare letter by letter."""
    monkeypatch.setenv("PAGE_ORIGIN", written)
    assert environment.origin("PAGE_ORIGIN") == named


def test_every_variable_is_documented() -> None:
    """The guide's table names what the code reads, and nothing else."""
    reading = re.compile(r"""environ(?:ment)?(?:\.\w+\(|\[)"([A-Z_]+)\"""")
    read = {name for path in ROOT.glob("config/**/*.py") for name in reading.findall(path.read_text())}
    table = re.findall(r"^\| (`[A-Z_`, ]+`) \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    assert {name for row in table for name in re.findall(r"[A-Z_]+", row)} == read - {
        "DJANGO_SETTINGS_MODULE",
        "PYTHONBREAKPOINT",
    }


@pytest.mark.long
def test_the_secret_key_is_made_once(tmp_path: Path) -> None:
    """Without a key in the environment one is made, kept for its owner alone, and used again."""
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    first, second = (manage("shell", "--no-imports", "-c", code, data=tmp_path).stdout for _ in range(2))
    assert first == second != ""


def test_the_parts_of_a_postgresql_address_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Encoded characters are decoded; the query is handed to the driver."""
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:p%40ss@db.example.org:5433/answers?sslmode=verify-full")
    assert environment.database(tmp_path) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "answers",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": 5433,
        "OPTIONS": {"sslmode": "verify-full"},
    }


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://ann:p%40ss@mail.example.org", ("mail.example.org", 587, "ann", "p@ss", True, False)),
        ("smtps://ann:secret@mail.example.org", ("mail.example.org", 465, "ann", "secret", False, True)),
        ("smtp://localhost:25?tls=no", ("localhost", 25, "", "", False, False)),
    ],
)
def test_the_mail_server_is_that_of_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str, server: tuple[object, ...]
) -> None:
    """With encryption unless somebody says that there is none."""
    monkeypatch.setenv("EMAIL_URL", url)
    monkeypatch.setenv("EMAIL_FROM", "Survey <survey@example.org>")
    read = environment.mail("EMAIL_URL", tmp_path)
    names = ("host", "port", "username", "password", "use_tls", "use_ssl")
    assert (tuple(read[name] for name in names), environment.sender("EMAIL_FROM")) == (
        server,
        "Survey <survey@example.org>",
    )


@pytest.fixture
def server() -> dict[str, Any]:
    """PostgreSQL as the settings name it, for a person who needs sessions of their own."""
    options = {"options": "-c lock_timeout=4s ", "prepare_threshold": 5, "sslmode": "verify-full"}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": "db",
        "NAME": "x",
        "CONN_MAX_AGE": 60,
        "OPTIONS": options,
    }


def test_without_a_pool_visitors_only_have_less_patience(
    monkeypatch: pytest.MonkeyPatch, server: dict[str, Any]
) -> None:
    monkeypatch.delenv("DATABASE_POOL", raising=False)
    options = server["OPTIONS"] | {"options": "-c statement_timeout=20s -c lock_timeout=4s "}
    assert environment.for_visitors(server) == server | {"OPTIONS": options}


def test_a_number_is_a_pool_of_so_many_connections(monkeypatch: pytest.MonkeyPatch, server: dict[str, Any]) -> None:
    """Kept by the pool, and not by each thread."""
    monkeypatch.setenv("DATABASE_POOL", "12")
    pooled = environment.for_visitors(server)
    assert (pooled["CONN_MAX_AGE"], pooled["OPTIONS"]["pool"]) == (0, {"min_size": 1, "max_size": 12, "timeout": 4})


def test_through_a_pooler_nothing_is_set_or_prepared_in_a_session(
    monkeypatch: pytest.MonkeyPatch, server: dict[str, Any]
) -> None:
    """The next statement of the same visitor may come to another session."""
    monkeypatch.setenv("DATABASE_POOL", "postgresql://web:p%40ss@pooler:6432/answers?sslmode=disable")
    assert environment.for_visitors(server) == {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": "pooler",
        "PORT": 6432,
        "NAME": "answers",
        "USER": "web",
        "PASSWORD": "p@ss",
        "CONN_MAX_AGE": 60,
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "OPTIONS": {"prepare_threshold": None, "sslmode": "disable"},
    }


def test_the_shipped_way_to_the_pooler_speaks_no_tls(monkeypatch: pytest.MonkeyPatch, server: dict[str, Any]) -> None:
    """Inside one machine PgBouncer has none, whatever the database on another one asks for."""
    (address,) = re.findall(r"DATABASE_POOL=(\S+)$", (ROOT / "deploy" / "pgbouncer.ini").read_text(), re.MULTILINE)
    monkeypatch.setenv("DATABASE_POOL", address)
    pooled = environment.for_visitors(server)
    assert (pooled["HOST"], pooled["PORT"], pooled["OPTIONS"]["sslmode"]) == ("127.0.0.1", 6432, "disable")
    assert address in (ROOT / "docs" / "deploy.md").read_text()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("0", "DATABASE_POOL=0 is not valid: write a whole number from 1 to 1000."),
        ("many", "DATABASE_POOL=many is not valid: write a whole number from 1 to 1000."),
        (
            "http://x",
            "DATABASE_POOL=http://x is not valid: write a whole number, or postgresql:// with the pooler.",
        ),
        ("postgresql://x", "DATABASE_POOL names no database: write postgresql://user:password@host:5432/name."),
    ],
)  # fmt: skip
def test_a_pool_that_is_none_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, server: dict[str, Any], value: str, sentence: str
) -> None:
    monkeypatch.setenv("DATABASE_POOL", value)
    with pytest.raises(SystemExit) as end:
        environment.for_visitors(server)
    assert end.value.args == (sentence,)
