"""What tests stand on: a data folder of their own, and real servers and browsers that they start for themselves.

`db` / `transactional_db`   the site's database: a SQLite file, or PostgreSQL where DATABASE_URL says so
`live`                      the site on a free port over that database: live.url
`broker`, `worker`          the private broker, and a Celery worker on the same database
`prepared`                  a data folder as the first start of a site leaves it; running_site(its copy) is `make run`
`browser`, `page`, `axe`    Debian's Chromium; a fresh page; `axe(page)` lists what axe-core finds wrong with it
`window`                    the same in Firefox and WebKit, each test in both
`shell`                     `candor` commands: what they print, and how they refuse
`node`                      the JavaScript runtime that the Playwright wheel carries: node("file.js") returns its output
`postgres`, `tables`        the URL of a PostgreSQL database: an empty one, one with the tables of a site
"""

import atexit
import fcntl
import gc
import logging
import os
import shutil
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from inspect import isfunction
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import django
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

# Each process would compile what it imports again, and rewrite every assert: as long as it takes to collect the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

gc.disable()  # until the tests are collected: what is imported and collected until then stays, and is looked at in vain

MEMORY = Path("/dev/shm")  # where Linux keeps files in memory: tests commit often, and need not wait for a disk
ROOMY = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 1 << 30
DATA = tempfile.mkdtemp(prefix="candor-test-", dir=MEMORY if ROOMY else None)
atexit.register(shutil.rmtree, DATA, ignore_errors=True)
os.environ.update(
    CANDOR_DATA=DATA,
    SECRET_KEY="tests-only-" + "0123456789" * 5,
    DJANGO_SETTINGS_MODULE="config.settings",
    OPENBLAS_NUM_THREADS="1",  # the processes share the processors already: threads of each would wait for one another
    DJANGO_ALLOW_ASYNC_UNSAFE="1",  # Playwright keeps an event loop in the test's thread; the tests stay synchronous
)
for name in ("ALLOWED_HOSTS", "BIND", "CELERY_BROKER_URL", "DEBUG", "DEMO", "HTTPS", "PORT", "SECRET_KEY_FILE"):
    os.environ.pop(name, None)
for name in ("MINING_LEASE", "MINING_MEMORY_MIB", "MINING_SECONDS"):
    os.environ.pop(name, None)

django.setup()

from django.contrib.auth.models import Permission  # noqa: E402
from django.contrib.contenttypes.models import ContentType  # noqa: E402
from django.core.management import BaseCommand, call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.backends.utils import CursorWrapper  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import TransactionTestCase  # noqa: E402
from django.utils import timezone, translation  # noqa: E402

from config.management.commands import prepare  # noqa: E402
from config.run import cache  # noqa: E402
from config.signin import attempts  # noqa: E402
from config.signin.hashing import OneAtATime  # noqa: E402
from config.web.logs import Bounded  # noqa: E402
from surveys.children import forked  # noqa: E402
from surveys.domain.database import duties  # noqa: E402
from surveys.domain.messages import invite  # noqa: E402
from surveys.domain.responses import sealing_keys  # noqa: E402
from surveys.models import Survey  # noqa: E402
from surveys.results import reading  # noqa: E402


# The tables are there. To find that nothing is to be changed in them takes longer than most tests that start the site.
def prepare_without_migrating(command_name: str | BaseCommand, *args: Any, **options: Any) -> Any:
    return None if command_name == "migrate" else call_command(command_name, *args, **options)


prepare.call_command = prepare_without_migrating

OneAtATime.iterations = 1000  # of a million, which take a third of a second for each test that signs somebody in

# A private key takes half a second, and nearly every survey by invitation has one: two serve them all by turns, in all
# processes that share the tests, which inherit where the first of them keeps its own.
make_private_key = rsa.generate_private_key
private_keys: deque[rsa.RSAPrivateKey] = deque()
KEYS = Path(os.environ.setdefault("KEYS_OF_TESTS", DATA))


def private_key(place: int) -> rsa.RSAPrivateKey:
    with (KEYS / f"{place}.der").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if kept := file.read():
            key = serialization.load_der_private_key(kept, None, unsafe_skip_rsa_key_validation=True)
            assert isinstance(key, rsa.RSAPrivateKey)
        else:
            key = make_private_key(invite.EXPONENT, invite.BITS)
            plain = serialization.NoEncryption()
            file.write(key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, plain))
        return key


def take_private_key(public_exponent: int, key_size: int, backend: object = None) -> rsa.RSAPrivateKey:
    if key_size != invite.BITS:
        return make_private_key(public_exponent, key_size, backend)
    if len(private_keys) < 2:
        private_keys.append(private_key(len(private_keys)))
    private_keys.rotate()
    return private_keys[0]


rsa.generate_private_key = take_private_key

# After a test with transactions of its own Django empties every table, on PostgreSQL by making each again, which takes
# longer than most of these tests, and finds out again which models and permissions there are. Here tables with rows are
# emptied. The database lets published rows go only with a survey that is being erased, which all are, and in an order;
# PostgreSQL can be asked to look away.
LASTING = [ContentType, Permission]
FIRST = ["surveys_snapshot_parts", "surveys_snapshot", "surveys_part", "surveys_inbox", "surveys_surveyversion"]
lasting: dict[type[Model], list[Model]] = {}


def let_go(_case: TransactionTestCase) -> None:
    if connection.vendor == "sqlite":
        Survey.objects.update(erasing_since=timezone.now())
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL session_replication_role = replica")
            emptied = with_rows(cursor)
            for table in emptied:
                cursor.execute(f"DELETE FROM {table}")
        if connection.vendor == "postgresql" and emptied:
            cursor.execute(f"VACUUM {', '.join(emptied)}")
    for model in LASTING:
        if set(model.objects.values_list("pk", flat=True)) != {row.pk for row in lasting[model]}:
            model.objects.all().delete()
            model.objects.bulk_create(lasting[model])
    # The database knows no key any more. Files that stay would be read again after every test, more each time.
    shutil.rmtree(Path(DATA) / "sealing_keys", ignore_errors=True)
    sealing_keys.prepare()


def with_rows(cursor: CursorWrapper) -> list[str]:
    """The tables that hold rows which do not last, in the order in which they may be emptied."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    cursor.execute(" UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables))
    filled = {table for (table,) in cursor.fetchall()} - {model._meta.db_table for model in LASTING}
    return sorted(filled, key=lambda table: FIRST.index(table) if table in FIRST else len(FIRST))


TransactionTestCase._fixture_teardown = let_go

# Each client of a test begins the site again. Its static files stay as they are, and are looked for once.
find_files = WhiteNoiseMiddleware.add_files_from_finders
files: dict[str, object] = {}


def find_files_once(self: WhiteNoiseMiddleware) -> None:
    if not files:
        find_files(self)
        files.update(self.files)
    self.files = dict(files)


WhiteNoiseMiddleware.add_files_from_finders = find_files_once

# A slow moment of a shared machine is no failure of a property. Each run looks at the same cases, so that it fails only
# for what was changed; those of `make test-long` are drawn each time, and twenty times as many.
settings.register_profile(
    "same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=10
)
settings.register_profile("drawn", settings.get_profile("same"), derandomize=False, max_examples=200)
settings.load_profile("same")

pytest_plugins = ["tests.commands", "tests.servers", "tests.browsers", "tests.webdriver", "tests.config.signing_in"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="files and the tests of each in a random order")


def pytest_configure(config: pytest.Config) -> None:
    """A process of xdist begins without settings: pytest-django would read those named before it has its own folder.

    The same cases are also the same whatever is loaded beside them: Hypothesis would read every module for constants.
    """
    if not config.getoption("hypothesis_profile", None):
        providers._get_local_constants = lambda: providers._local_constants
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        del os.environ["DJANGO_SETTINGS_MODULE"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: a third of the time tests wait for browsers and servers."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Processes that share all tests share rewriting their asserts, too: each imports files of its own before it
    collects, and finds what the others have compiled meanwhile.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes == 1 or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    for file in files[int(os.environ["PYTEST_XDIST_WORKER"][2:]) :: processes]:
        with suppress(Exception, pytest.skip.Exception):  # it is said when the file is collected
            import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test of the site's rooms has a database, by itself unless a server reads it, too, or it says how."""
    room = item.path.relative_to(Path(__file__).parent).parts[0]
    served = "live_server" in getattr(item, "fixturenames", ())
    if (served or room in ("config", "mining", "surveys")) and not item.get_closest_marker("django_db"):
        item.add_marker(pytest.mark.django_db(transaction=served))


def is_short(config: pytest.Config) -> bool:
    """Whether this is a run like `make test`, which tries one case of each promise."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS or "ONE_CASE" in os.environ
    return whole and bool(config.option.markexpr == "not long")


# Two thirds of all cases are long. A run that leaves them out does not make them: that would take a tenth of its time.
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    if not (name.startswith("test_") and isfunction(obj) and is_short(collector.config)):
        return None
    return [] if any(mark.name == "long" for mark in getattr(obj, "pytestmark", ())) else None


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """`make test` tries a promise of many cases on one of them, elsewhere for each promise. One room or file that
    is run alone tries all, and so does `make test-long`.
    """
    yield
    if is_short(metafunc.config) and metafunc._calls:
        promise = metafunc.definition
        cases = [case for case in metafunc._calls if all(mark.name != "long" for mark in case.marks)]
        cases = cases or metafunc._calls[:1]  # which is left out, as the others
        kept = crc32(promise.nodeid.encode()) % len(cases)
        metafunc._calls[:] = cases if promise.get_closest_marker("each") else [cases[kept]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is one long test begins first, so that the processes end together. Then comes what needs PostgreSQL: side by
    side in the order, these tests are shared by one process or two, and each has to start a server.

    With `--shuffle` the order is that of its seed, so that no test can depend on which ran before. The tests of one
    file stay together: they share what takes long to make.
    """
    if (seed := config.getoption("shuffle")) is not None:
        items.sort(key=lambda item: crc32(f"{seed} {item.nodeid}".encode()))
        items.sort(key=lambda item: crc32(f"{seed} {item.path.name}".encode()))
        return
    served = {item.path for item in items if "postgres_server" in getattr(item, "fixturenames", ())}
    first = ("test_on_postgresql", "test_worker_killed")
    items.sort(key=lambda item: (not item.path.name.startswith(first), item.path not in served))


def pytest_collection_finish() -> None:
    """What a million objects hold all the time is not looked through again and again for what may go.

    Nor is what tests make, as often as Python would: in some rooms a fifth of the processor went into that.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # ten megabytes more are held for it
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The seconds of each folder, over all processes: where to look when the tests take long."""
    seconds: Counter[str] = Counter()
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[str(Path(report.nodeid.partition("::")[0]).parent)] += report.duration
    if len(seconds) > 1:
        terminalreporter.section("seconds by folder")
        for folder, spent in seconds.most_common():
            terminalreporter.line(f"{spent:8.1f}  {folder}")


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A page asked for in Chinese leaves its thread in Chinese; the next test does not begin so."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _one_environment() -> Iterator[None]:
    """Pytest writes the name of each test into the environment; processes that stay warm last longer than a test."""
    own = forked.child_environment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            forked,
            "child_environment",
            lambda *tuned: {name: value for name, value in own(*tuned).items() if name != "PYTEST_CURRENT_TEST"},
        )
        yield


@pytest.fixture(autouse=True)
def _own_snapshots() -> None:
    """The snapshot of another test may have the same key in the database."""
    reading.load.cache_clear()


@pytest.fixture(autouse=True)
def _own_lines() -> None:
    """How many lines of the log were left out of a minute of earlier tests is told in no line of this one."""
    for bound in chain.from_iterable(handler.filters for handler in logging.getLogger().handlers):
        if isinstance(bound, Bounded):
            bound.left_out, bound.written = 0, Counter()


@pytest.fixture(autouse=True)
def _own_counts() -> None:
    """That no broker answered an earlier test, which had none, is not remembered here; nor what that one counted."""
    cache._ask_again.clear()
    attempts.ALONE.clear()
    duties.outcomes.clear()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A file that is there was copied by `same_tables`, and goes with the folder of the tests' data."""
    return connection.vendor == "sqlite"


@contextmanager
def same_tables(folder: Path) -> Iterator[None]:
    """The first of the processes that share the tests makes the tables; the others wait, and begin with a copy.

    Making them takes as long as most rooms of tests.
    """
    made = folder / "tables.sqlite3"
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made.exists():
            shutil.copy(made, connection.settings_dict["TEST"]["NAME"])
            yield
        else:
            yield
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(made)])


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Processes that a test starts, a worker or the child of a run, find the test's database in the environment."""
    shared = connection.vendor == "sqlite" and "PYTEST_XDIST_WORKER" in os.environ
    with django_db_blocker.unblock(), same_tables(tmp_path_factory.getbasetemp().parent) if shared else nullcontext():
        request.getfixturevalue("django_db_setup")
    name = connection.settings_dict["NAME"]
    url = urlsplit(os.environ.get("DATABASE_URL", ""))._replace(path=f"/{name}").geturl()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", f"sqlite:///{name}" if connection.vendor == "sqlite" else url)
        with django_db_blocker.unblock():
            lasting.update((model, list(model.objects.all())) for model in LASTING)
            sealing_keys.prepare()
        yield
