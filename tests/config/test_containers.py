"""`Containerfile` and `compose.yaml` agree with the site, with `deploy/` and with the guide.

What `Containerfile` does is also done without a container engine: its install, its user, its folders, a read-only root.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from candor import commands
from config import environment
from config.run.serve import PARTS
from tests.servers import PATIENCE, ROOT, free_port, wait_until

IMAGE = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8").split("\n## Containers\n", 1)[1].split("\n## ", 1)[0]
PINNED = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
by_root = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("unshare"), reason="mounts are made by root, on Linux"
)
USER = re.findall(r"useradd .*--uid (\d+)", IMAGE)[0]
BOX = """
set -e
mount --make-rprivate /
if test "$HIDDEN"; then  # Python itself lies in a folder that is closed to others
    mkdir -p "$BOX/python"
    mount --bind "$PYTHON" "$BOX/python"
    mount -t tmpfs -o mode=755 none "$HIDDEN"
    mkdir -p "$PYTHON"
    mount --bind "$BOX/python" "$PYTHON"
fi
mount --bind "$BOX/data" "$BOX/data"
mount -t tmpfs -o mode=1777 none /tmp
mount -o remount,bind,ro /
exec setpriv --reuid "$USER" --regid "$USER" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env -u HIDDEN -u BOX -u PYTHON -u USER "$@"
"""


def instructions(name: str) -> list[str]:
    """What follows this word in the last stage of the image, each on one line."""
    last = "FROM " + IMAGE.rpartition("\nFROM ")[2]
    return re.findall(rf"^ *{name} (.+)$", last.replace("\\\n", ""), re.MULTILINE)


def image_environment() -> dict[str, str]:
    """The environment that the image gives the site."""
    return dict(word.partition("=")[::2] for line in instructions("ENV") for word in shlex.split(line))


def read_by_settings() -> set[str]:
    """The variables that the settings ask the environment for."""
    asked = r"(?:environment\.\w+|matching|whole|flag|environ\.get)\(\s*\"([A-Z_]+)\""
    sources = [(ROOT / "config" / name).read_text(encoding="utf-8") for name in ("settings.py", "environment.py")]
    return {name for source in sources for name in re.findall(asked, source)} | {"CELERY_BROKER_URL", "DATABASE_URL"}


def port_of_image() -> str:
    (port,) = instructions("EXPOSE")
    return port


def test_the_image_is_pinned_and_runs_as_nobody_in_particular() -> None:
    """Both stages begin from one image by its digest; the last has a user, one folder to write in, and a command."""
    bases = re.findall(r"^FROM (\S+)", IMAGE, re.MULTILINE)
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert PINNED.fullmatch(bases[0])
    assert instructions("USER") == ["candor"]
    assert instructions("VOLUME") == [image_environment()["CANDOR_DATA"]]
    assert json.loads(instructions("CMD")[-1]) == ["candor", "serve"]


def test_every_file_that_the_image_runs_exists() -> None:
    """What the image starts is a command of `candor`, and what the guide runs in it one of the administrator's."""
    _, started = json.loads(instructions("CMD")[-1])
    called = {started, *re.findall(r"\bweb candor (\w+)", GUIDE)}
    assert called == {"serve", "manage"}
    assert called <= {command.name for command in commands.all_commands()}
    ran = set(re.findall(r"\bcandor manage (\w+)", GUIDE))
    assert ran == {"backup", "restore"}
    assert ran <= {path.stem for path in (ROOT / "config" / "management" / "commands").glob("*.py")}
    workflow = (ROOT / ".github" / "workflows" / "container.yml").read_text("utf-8")
    piped = set(re.findall(r"< (\S+)", workflow))
    assert piped == set(re.findall(r"- (tests/\S+)", workflow))  # a change of it runs the workflow


def test_every_variable_is_one_that_the_site_reads() -> None:
    """A misspelt one would be ignored without a word."""
    told = {name for name in image_environment() if name != "PATH"}
    told |= {name for part in PARTS for name in SERVICES[part]["environment"]}
    assert told - read_by_settings() == set()
    assert {part: SERVICES[part]["environment"]["ROLE"] for part in PARTS} == {part: part for part in PARTS}


def test_every_part_is_guarded_and_nginx_alone_has_a_port() -> None:
    """No part writes to its own file system, none has a capability, and who needs no network has none."""
    guards = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
    assert [name for name, one in SERVICES.items() if {word: one.get(word) for word in guards} != guards] == []
    assert [name for name, one in SERVICES.items() if one.get("user", "candor").startswith(("0", "root"))] == []
    assert [name for name, one in SERVICES.items() if "ports" in one] == ["nginx"]
    without = {name for name, one in SERVICES.items() if one.get("network_mode") == "none"}
    assert without == set(SERVICES) - {"nginx", "web"}
    assert (list(SERVICES["web"]["networks"]), COMPOSE["networks"]["inner"]["internal"]) == (["inner"], True)
    others = [one["image"] for one in SERVICES.values() if "build" not in one]
    assert [image for image in others if not PINNED.fullmatch(image)] == []


def test_secrets_are_files_and_no_variable_holds_one() -> None:
    """A list of processes, of containers or of their settings shows no key and no password."""
    assert {one["file"].startswith("./secrets/") for one in COMPOSE["secrets"].values()} == {True}
    variables = [one.get("environment", {}) for one in SERVICES.values()]
    assert not any(re.search("KEY$|PASSWORD$|TOKEN$", name) for names in variables for name in names)


def test_database_and_broker_are_reached_by_the_sockets_that_they_share(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The settings read both addresses as sockets, in volumes that both sides have at these places."""
    for part in PARTS:
        told = SERVICES[part]["environment"]
        monkeypatch.setenv("DATABASE_URL", told["DATABASE_URL"])
        monkeypatch.setenv("CELERY_BROKER_URL", told["CELERY_BROKER_URL"])
        database = environment.database(tmp_path)
        assert (database["NAME"], database["USER"], database["PASSWORD"]) == ("candor", "candor", "")
        assert environment.broker(tmp_path)[1] == "unix:///run/broker/redis.sock?db=0"
        for volume, service in (
            ("database-socket:/run/postgresql", "database"),
            ("broker-socket:/run/broker", "broker"),
        ):
            assert volume in SERVICES[part]["volumes"]
            assert volume in SERVICES[service]["volumes"]
        assert database["HOST"] == "/run/postgresql"
    assert "--unixsocket /run/broker/redis.sock " in SERVICES["broker"]["command"]


def test_ports_agree_from_the_visitor_to_the_site() -> None:
    """What is published is what nginx listens on; it asks the web server where that is, after the line of the guide."""
    (edit,) = re.findall(r'^sed "(.+)" deploy/nginx/candor\.conf', GUIDE, re.MULTILINE)
    edited = ["sed", edit.replace("$SITE", "a.example"), ROOT / "deploy" / "nginx" / "candor.conf"]
    proxy = subprocess.run(edited, capture_output=True, text=True, check=True).stdout
    published = {mapping.rpartition(":")[2] for mapping in SERVICES["nginx"]["ports"]}
    assert set(re.findall(r"^ *listen (?:\[::\]:)?(\d+)", proxy, re.MULTILINE)) == published
    address = SERVICES["web"]["networks"]["inner"]["ipv4_address"]
    assert re.findall(r"^ *server (\S+) ", proxy, re.MULTILINE)[:1] == [f"{address}:{port_of_image()}"]
    assert set(re.findall(r"^ *server_name (.+);", proxy, re.MULTILINE)) == {"a.example"}
    kept = {one["target"].replace("${SITE}", "a.example") for one in SERVICES["nginx"]["secrets"]}
    assert set(re.findall(r"^ *ssl_certificate(?:_key)? (.+);", proxy, re.MULTILINE)) == kept


def test_the_image_asks_for_its_health_where_the_site_answers(client: Client) -> None:
    """`/healthz` on the port that is exposed, which is the one the settings take by themselves."""
    (asked,) = re.findall(r"urlopen\('([^']+)'", *instructions("HEALTHCHECK"))
    host, _, path = asked.removeprefix("http://").partition("/")
    assert host == f"127.0.0.1:{port_of_image()}"
    assert re.search(rf'read_whole_number\("PORT", {port_of_image()},', (ROOT / "config" / "settings.py").read_text())
    assert client.get(f"/{path}").status_code == 200


def test_the_servers_beside_the_site_are_set_up_as_without_containers() -> None:
    """The broker as in `deploy/redis.conf`, nginx as the head of its file asks, the database as the guide makes it."""
    wanted = dict(
        re.findall(
            r"^(save|appendonly|maxmemory|maxmemory-policy|loglevel|slowlog-max-len) (.+)$",
            (ROOT / "deploy" / "redis.conf").read_text(), re.MULTILINE,
        )
    )  # fmt: skip
    words = shlex.split(SERVICES["broker"]["command"])[1:]
    options = dict(zip(words[::2], words[1::2], strict=True))
    assert {name: options[f"--{name}"] for name in wanted} == {name: value.strip('"') for name, value in wanted.items()}
    head = re.findall(r"^# {5}(.+)$", (ROOT / "deploy" / "nginx" / "candor.conf").read_text(), re.MULTILINE)
    around = (ROOT / "deploy" / "containers" / "nginx.conf").read_text().splitlines()
    assert [line for line in head if line not in around] == []
    guide = (ROOT / "docs" / "deploy.md").read_text()
    grants = re.findall(r"-c '(GRANT [^']+)'", guide)
    made = (ROOT / "deploy" / "containers" / "database.sql").read_text()
    assert len(grants) == 2
    assert [grant for grant in grants if f"{grant};" not in made] == []


def hidden(folder: Path) -> str:
    """The uppermost folder on the way to this one that others may not go through, or nothing."""
    return next((str(way) for way in reversed([folder, *folder.parents]) if not way.stat().st_mode & 0o001), "")


@pytest.fixture(scope="module")
def box() -> Iterator[Path]:
    """The stage `build`, by its own lines in a copy of the commit; and a folder for data that is the user's."""
    folder = Path(tempfile.mkdtemp(prefix="candor-box-", dir="/srv"))
    try:
        folder.chmod(0o755)
        checkout, data = folder / "candor", folder / "data"
        checkout.mkdir()
        data.mkdir(mode=0o700)
        shutil.chown(data, int(USER), int(USER))
        files = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "--extract", "--no-same-owner"], cwd=checkout, input=files, check=True)
        stage = IMAGE.rpartition("\nFROM ")[0].replace("\\\n", "")
        for line in re.findall(r"^RUN (.+)$", stage, re.MULTILINE):
            own = os.environ | {"COMMIT": "0123456789ab", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
            subprocess.run(["sh", "-ec", line], cwd=checkout, env=own, check=True, capture_output=True)
        yield folder
    finally:
        shutil.rmtree(folder)


def boxed(box: Path, *words: str, **own: str) -> list[str]:
    """A command as the image runs it: its user, without rights, and nothing to write on but its data and /tmp."""
    base = Path(sys.base_prefix)
    outer = {"BOX": str(box), "PYTHON": str(base), "HIDDEN": hidden(base), "USER": USER}
    inner = (
        image_environment() | {"CANDOR_DATA": str(box / "data"), "HOME": str(box / "data"), "BIND": "127.0.0.1"} | own
    )
    inner["PATH"] = f"{box / 'candor' / '.venv' / 'bin'}:/usr/bin:/bin"
    settings = [f"{name}={value}" for name, value in (outer | inner).items()]
    return ["env", "-i", *settings, "unshare", "--mount", "sh", "-c", BOX, "sh", *words]


@pytest.mark.long
@by_root
def test_the_image_serves_and_mines_where_it_can_write_on_its_data_alone(box: Path) -> None:
    port = str(free_port())
    site = subprocess.Popen(boxed(box, "candor", "serve", PORT=port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    asked = f"http://127.0.0.1:{port}/s/demo/"
    page = ["python", "-c", f"from urllib.request import urlopen; print(urlopen({asked!r}).status)"]

    def answers() -> bool:
        assert site.poll() is None, site.stdout and site.stdout.read().decode()
        return subprocess.run(boxed(box, *page), capture_output=True, check=False).stdout == b"200\n"

    try:
        wait_until(answers, PATIENCE, "the demo's page answers")
        script = (ROOT / "tests" / "config" / "mine_demo.py").read_bytes()
        mined = subprocess.run(
            boxed(box, "candor", "manage", "shell", PORT=port), input=script, capture_output=True, check=False
        )
        version = subprocess.run(boxed(box, "candor", "--version"), capture_output=True, text=True, check=True)
    finally:
        site.terminate()
        said = site.communicate(timeout=PATIENCE)[0]

    assert re.search(rb"^rules: [1-9]", mined.stdout, re.MULTILINE), (mined.stderr, said)
    assert version.stdout.endswith("+g0123456789ab\n")


@pytest.mark.long
@by_root
def test_the_image_can_write_on_nothing_else(box: Path) -> None:
    written = [f"{box}/candor/own", "/etc/own", "/var/own", "/tmp/own", f"{box}/data/own"]
    tried = "from sys import argv\nfor path in argv[1:]:\n try: print(open(path, 'w').name)\n except OSError: pass"

    done = subprocess.run(boxed(box, "python", "-c", tried, *written), capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == written[3:]
