"""Records that a Dask cluster counts: the same findings to the last byte, and one sentence where that cannot be."""

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import dask
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from distributed import Client, LocalCluster

import candor
from candor.commands import main
from mining.engines import cluster
from mining.engines.bits import Packer, pack
from mining.engines.cluster import connect, counting
from mining.engines.literals import literals_of
from privacy.errors import InputError
from privacy.records import Records, read_batches, record_blocks
from tests.mining.designs import KINDS, design_of, records_of
from tests.privacy.records.arrow import arrow_table
from tests.privacy.records.commands import printed, refused
from tests.servers import PATIENCE, ROOT, free_port, listens, wait_until

MINE = ["--min-support", "0.1", "--min-confidence", "0.3", "--negated", "--json"]
SAFE = {
    "distributed.comm.require-encryption": None,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.http.routes": [],
}


@contextmanager
def start_cluster(folder, port, workers=2, memory="1GiB"):
    """The cluster of the guide, as its script starts it."""
    command = ["sh", str(ROOT / "deploy/cluster.sh"), str(folder), str(workers), memory, str(port)]
    with open(folder / "log", "ab") as log:
        process = subprocess.Popen(
            command, env=os.environ | {"PYTHON": sys.executable}, stdout=log, stderr=log, start_new_session=True
        )
    try:
        wait_until(lambda: listens(port), 60, "the scheduler listens")
        with dask.config.set(
            dask.config.merge(dask.config.config, yaml.safe_load(Path(folder, "dask.yaml").read_text()))
        ):
            address = f"tls://127.0.0.1:{port}"
            with connect(address, 60) as client:
                client.wait_for_workers(workers, timeout=PATIENCE)
            yield address
    finally:
        for member in members(process):
            member.kill()
        process.kill()
        process.wait()


def members(process):
    return psutil.Process(process.pid).children(recursive=True)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with start_cluster(tmp_path_factory.mktemp("cluster"), free_port()) as running:
        yield running


def store_records(folder, kind="sampled coin", n=600):
    """Records in many row groups, and their design."""
    design = design_of(kind)
    pq.write_table(arrow_table(Records(design, *records_of(design, n))), folder / "r.parquet", row_group_size=31)
    (folder / "design.json").write_text(json.dumps(design.to_json()))
    return str(folder / "r.parquet"), str(folder / "design.json")


@pytest.mark.long
def test_the_command_finds_the_same_on_a_cluster(address, tmp_path, capsys):
    """Over TLS, with the certificates of the cluster, for a design of which each respondent was asked a part."""
    files = store_records(tmp_path)
    alone = printed(capsys, "mine", *files, *MINE, "--engine", "bitset")
    for option in "--dask", "--cluster":
        assert printed(capsys, "mine", *files, *MINE, option, address) == alone
    assert alone["itemsets"]


@pytest.mark.long
def test_large_questions_one_after_the_other_keep_their_answers(address, tmp_path):
    """Each is asked as a value of its own, whatever Dask shares among tasks."""
    path, _ = store_records(tmp_path)
    design = design_of("sampled coin")
    literals, read = literals_of(design), partial(read_batches, design=design)
    groups = list(record_blocks(path))
    here = pack((batch for group in groups for batch in read(group)), literals)
    with connect(address) as client, counting(groups, read, literals, client) as there:
        for place in range(4):
            sets = np.full((30_000, 1), place)
            np.testing.assert_array_equal(there.parities(sets), here.parities(sets))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_question_of_the_counter_is_answered_as_in_one_process(address, kind, tmp_path):
    """Sampled designs, flips, choices: by `candor.mine` with a client, to the last bit."""
    path, _ = store_records(tmp_path, kind)
    design = design_of(kind)
    alone = candor.mine(path, 0.1, 0.3, negated=True, engine="bitset", design=design)
    with connect(address) as client:
        mined = candor.mine(path, 0.1, 0.3, negated=True, design=design, client=client)
    for there, here in (mined.columns.rules, alone.columns.rules), (mined.columns.itemsets, alone.columns.itemsets):
        assert there.keys() == here.keys()
        for name, figures in here.items():
            np.testing.assert_array_equal(there[name], figures)


@pytest.mark.long
def test_what_one_process_refuses_is_refused(address, tmp_path, capsys):
    """With the same sentence, of several wrong row groups about the first; weights, counts and CSV are not taken."""
    path, design = store_records(tmp_path, "one block")
    table = pq.read_table(path)
    wrong = table.set_column(1, "a", [[7 if row in (400, 500) else 1 for row in range(600)]])
    pq.write_table(wrong, path, row_group_size=31)
    alone = refused(capsys, "mine", path, design, *MINE)
    assert "row 401, column 'a': 7 is given" in alone
    assert refused(capsys, "mine", path, design, *MINE, "--dask", address) == alone
    for more, said in (
        (["--weights", "w"], "Workers cannot take weights, clusters or strata; leave out either."),
        (["--counts"], "Workers cannot take counts; leave out either."),
        (["--engine", "mlxtend"], "Workers cannot take the engine mlxtend; leave out either."),
        (["--workers", "2"], "--workers: a cluster has its own workers; leave --workers or --dask out."),
    ):
        assert refused(capsys, "mine", path, design, *MINE, "--dask", address, *more) == f"candor mine: {said}\n"
    pq.write_table(table.slice(0, 0), path)
    said = f"candor mine: {path}: there are no records in it.\n"
    assert refused(capsys, "mine", path, design, *MINE, "--dask", address) == said
    said = refused(capsys, "mine", design, design, *MINE, "--dask", address)
    assert said.endswith("workers of a cluster read Parquet files by their names, and nothing else.\n")


@pytest.mark.long
@pytest.mark.parametrize("phase", ["_pack_share", "singles", "count_mixed"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP], ids=lambda how: how.name)
@pytest.mark.parametrize("place", [0, 1])
def test_each_worker_that_is_lost_changes_nothing(place, how, phase, tmp_path, capsys, monkeypatch):
    """While it reads, and while it counts: what it held is read again by others, or by the one in its place."""
    files = store_records(tmp_path)
    alone = printed(capsys, "mine", *files, *MINE, "--engine", "bitset")
    struck = []
    own = cluster.ClusterCounter.map

    def strike(part, work, each, **alike):
        if phase in (work.__name__, alike.get("question")) and not struck:
            struck.append(list(part.client.run(os.getpid).values())[place])
            futures = own(part, work, each, **alike)
            os.kill(struck[0], how)
            return futures
        return own(part, work, each, **alike)

    with start_cluster(tmp_path, free_port()) as running:
        monkeypatch.setattr(cluster.ClusterCounter, "map", strike)
        assert printed(capsys, "mine", *files, *MINE, "--dask", running) == alone
    assert struck


def scheduler_of(port):
    return next(
        process
        for process in psutil.process_iter(["cmdline"])
        if "scheduler" in (line := process.info["cmdline"] or []) and line[-2:-1] == [str(port)]
    )


@pytest.mark.long
@pytest.mark.parametrize("phase", ["_pack_share", "singles"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=lambda how: how.name)
def test_a_lost_scheduler_is_one_sentence_within_ten_seconds(how, phase, tmp_path, capsys, monkeypatch):
    files = store_records(tmp_path)
    port, lost = free_port(), []
    own = cluster.ClusterCounter.map

    def strike(part, work, each, **alike):
        if phase in (work.__name__, alike.get("question")):
            os.kill(scheduler_of(port).pid, how)
            lost.append(time.monotonic())
        return own(part, work, each, **alike)

    with start_cluster(tmp_path, port) as running:
        monkeypatch.setattr(cluster.ClusterCounter, "map", strike)
        said = refused(capsys, "mine", *files, *MINE, "--dask", running)
        assert time.monotonic() - lost[0] < 10
    assert said == f"candor mine: {running}: the scheduler does not answer any more, so nothing was mined.\n"


@pytest.mark.long
def test_where_told_the_command_begins_again(tmp_path, capsys, monkeypatch):
    """With another cluster at the same address."""
    files = store_records(tmp_path)
    alone = printed(capsys, "mine", *files, *MINE, "--engine", "bitset")
    port, others = free_port(), []
    own = cluster.ClusterCounter.map

    def strike(part, work, each, **alike):
        futures = own(part, work, each, **alike)
        if not others:
            (tmp_path / "other").mkdir()
            scheduler = scheduler_of(port)
            scheduler.kill()
            wait_until(lambda: not listens(port), 30, "the scheduler has ended")
            for name in ("ca.pem", "member.pem", "member.key"):
                shutil.copy(tmp_path / "first" / name, tmp_path / "other")
            others.append(running_again.enter_context(start_cluster(tmp_path / "other", port)))
        return futures

    (tmp_path / "first").mkdir()
    with ExitStack() as running_again, start_cluster(tmp_path / "first", port) as running:
        monkeypatch.setattr(cluster.ClusterCounter, "map", strike)
        assert main(["mine", *files, *MINE, "--dask", running, "--again"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    document.pop("seconds")
    assert document == alone
    assert said.err.endswith("so nothing was mined. Counting starts again.\n")


ANOTHER = (
    "this worker has another version of Candor, or of what it needs; install the same everywhere, and start workers "
    "and this program again."
)


def of_another_version():
    cluster.CODE = "another"


def older_than_its_files():
    cluster._start_time = lambda: 0.0
    cluster.CODE = cluster._code()


FIRST = """
import sys, time
from pathlib import Path
from mining.engines import cluster
cluster.__file__ = sys.argv[1]
print(cluster._code(), flush=True)
input()
print(cluster._code())
"""


@pytest.mark.long
def test_processes_that_start_after_a_file_changed_have_the_same_code(tmp_path):
    """Even in the same second; and one that had started before the file changed again has other code."""
    rooms = [tmp_path / "privacy", tmp_path / "mining/engines"]
    for room in rooms:
        room.mkdir(parents=True)
        (room / "cluster.py").write_text("")
    time.sleep(0.03)  # processes are dated by hundredths of a second
    command = [sys.executable, "-c", FIRST, str(rooms[1] / "cluster.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as other:
        before = [process.stdout.readline() for process in (one, other)]
        os.chmod(rooms[0] / "cluster.py", 0o600)  # its time is another, and its content the same
        after = [process.communicate("\n")[0] for process in (one, other)]

    assert before[0] == before[1]
    assert len({*before, *after}) == 3


def that_listens_to_others(dask_worker):
    dask_worker.listeners.append(SimpleNamespace(listen_address="tcp://0.0.0.0:8786", stop=lambda: None))


def without_memory():
    Packer.add = no_room


def no_room(*_given):
    raise MemoryError


def without_a_module():
    sys.modules["mining.engines.cluster"] = None


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (of_another_version, ANOTHER),
        (older_than_its_files, ANOTHER),
        (
            that_listens_to_others,
            "tcp://0.0.0.0:8786: this worker listens there, and a cluster that other machines reach must use TLS (tls://).",
        ),
        (without_memory, "(out of memory?), so nothing was mined."),
        (without_a_module, "(do all have Candor, and memory?), so nothing was mined."),
    ],
)
def test_a_worker_that_is_not_fit_is_one_sentence(change, said, tmp_path, capsys, monkeypatch):
    files = store_records(tmp_path)
    monkeypatch.setattr(cluster, "_STILL", 10)
    with start_cluster(tmp_path, free_port()) as running:
        with connect(running) as client:
            client.run(change)
        refusal = refused(capsys, "mine", *files, *MINE, "--dask", running)
    assert refusal.count("\n") == 1
    assert refusal.endswith(f"{said}\n")


@pytest.mark.long
def test_workers_whose_memory_does_not_suffice_are_one_sentence(tmp_path, capsys):
    """Each is ended when it holds too much, and so is the one in its place."""
    count = 20_000_000
    design = {"model": "warner", "theta": 0.7, "items": [f"q{place}" for place in range(50)]}
    (tmp_path / "design.json").write_text(json.dumps(design))
    columns = {name: np.zeros(count, bool) for name in ("direct", *design["items"])}
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    files = [str(tmp_path / "r.parquet"), str(tmp_path / "design.json")]
    with start_cluster(tmp_path, free_port(), memory="180MiB") as running:
        said = refused(capsys, "mine", *files, *MINE, "--dask", running)
    assert said.endswith("(out of memory?), so nothing was mined.\n")


@pytest.mark.long
def test_workers_that_do_nothing_are_one_sentence(tmp_path, capsys, monkeypatch):
    """All are gone and none comes in their place."""
    files = store_records(tmp_path)
    monkeypatch.setattr(cluster, "_STILL", 3)
    own = cluster.ClusterCounter.map

    def strike(part, work, each, **alike):
        part.client.retire_workers(close_workers=True, remove=True)
        return own(part, work, each, **alike)

    with start_cluster(tmp_path, free_port()) as running:
        monkeypatch.setattr(cluster.ClusterCounter, "map", strike)
        said = refused(capsys, "mine", *files, *MINE, "--dask", running)
    assert (
        said
        == "candor mine: No worker has done anything for 3 s (do all have Candor, and memory?), so nothing was mined.\n"
    )


@pytest.mark.long
def test_a_cluster_that_is_open_is_refused(tmp_path, capsys):
    """Without TLS for other machines; with workers that spill, or answer HTTP, unless that is allowed."""
    files = store_records(tmp_path, "one block")
    said = refused(capsys, "mine", *files, *MINE, "--dask", "tcp://192.0.2.1:8786")
    assert said == "candor mine: tcp://192.0.2.1:8786: a cluster that other machines reach must use TLS (tls://).\n"
    for option, usual, allowed, says in (
        ("distributed.worker.memory.target", 0.6, "spill", "spills records to its disk"),
        ("distributed.worker.http.routes", ["distributed.http.health"], "http", "answers HTTP"),
    ):
        unsafe = SAFE | {option: usual}
        with dask.config.set(unsafe), LocalCluster(n_workers=1, dashboard_address=":0") as local:
            without_tls = ("--dask", local.scheduler_address, "--allow", "tcp")
            assert says in refused(capsys, "mine", *files, *MINE, *without_tls)
            assert printed(capsys, "mine", *files, *MINE, *without_tls, "--allow", allowed)
    with dask.config.set(SAFE), ExitStack() as opened:
        local = opened.enter_context(LocalCluster(n_workers=1, dashboard_address=":0", host="0.0.0.0"))
        client = opened.enter_context(Client(local))
        with pytest.raises(InputError, match="must use TLS"):
            candor.mine(files[0], 0.1, design=design_of("one block"), client=client)


def test_who_holds_a_port_without_tls_is_not_believed(tmp_path, capsys):
    """Another user's process that listens there would run its code here: nothing is even sent to it."""
    files = store_records(tmp_path, "one block")
    heard = []
    with listening(heard.append) as port:
        said = refused(capsys, "mine", *files, *MINE, "--dask", f"tcp://127.0.0.1:{port}")
    assert heard == []
    assert said == (
        f"candor mine: tcp://127.0.0.1:{port}: other users of this machine reach it; use TLS (tls://), or say "
        "--allow tcp where there are none.\n"
    )


def test_a_client_of_a_cluster_without_tls_is_refused_unless_that_is_allowed(tmp_path):
    files = store_records(tmp_path, "one block")
    here = {"n_workers": 1, "processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with dask.config.set(SAFE), LocalCluster(**here) as local, Client(local) as client:
        mine = partial(candor.mine, files[0], 0.1, design=design_of("one block"), client=client)
        with pytest.raises(InputError, match="other users of this machine reach it"):
            mine()
        assert len(mine(allow="tcp").to_frame())


@contextmanager
def listening(answer):
    """A port at which something listens that is no scheduler."""
    lines = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server, answer, lines))
        thread.start()
        yield server.getsockname()[1]
        for one in (*lines, server):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        thread.join()


def serve(server, answer, lines):
    """Take one line after the other, until the port is closed."""
    while True:
        try:
            line, _ = server.accept()
        except OSError:
            return
        lines.append(line)
        line.settimeout(8)  # seconds
        with line, suppress(OSError):
            answer(line)


def say_http(line):
    line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    say_nothing(line)


def say_nothing(line):
    while line.recv(4096):
        pass


def say_the_same(line):
    while said := line.recv(4096):
        line.sendall(said)


def in_tls(answer):
    """The same answer of a peer whose certificate is right."""
    member = dask.config.get("distributed.comm.tls.client")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(member["cert"], member["key"])

    def answer_in_tls(line):
        with context.wrap_socket(line, server_side=True) as inside:
            answer(inside)

    return answer_in_tls


@pytest.mark.long
@pytest.mark.parametrize(
    ("protocol", "answer"),
    [
        ("tls", say_http),
        *(
            pytest.param(protocol, answer, marks=pytest.mark.long)
            for protocol in ("tcp", "tls", "tls without it")
            for answer in (say_http, say_nothing, say_the_same)
            if (protocol, answer) != ("tls", say_http)
        ),
    ],
)
def test_what_is_no_scheduler_is_one_sentence_within_ten_seconds(protocol, answer, address, tmp_path, capsys):
    """Whatever it says, or nothing: in TCP, in TLS with a certificate of the cluster, and in TCP where TLS is due."""
    files = store_records(tmp_path, "one block")
    scheme = protocol[:3]
    said_there = in_tls(answer) if protocol == "tls" else answer
    with listening(said_there) as port, dask.config.set({"distributed.comm.require-encryption": None}):
        begun = time.monotonic()
        said = refused(capsys, "mine", *files, *MINE, "--dask", f"{scheme}://127.0.0.1:{port}", "--allow", "tcp")
        assert time.monotonic() - begun < 10
    assert said.splitlines()[-1] == (
        f"candor mine: {scheme}://127.0.0.1:{port}: no cluster can be reached there (no scheduler answers)."
    )
    assert len(said.splitlines()) == (2 if scheme == "tcp" else 1)


@pytest.mark.long
def test_an_address_that_nobody_answers_is_one_sentence(tmp_path, capsys):
    files = store_records(tmp_path, "one block")
    with dask.config.set(SAFE):
        said = refused(capsys, "mine", *files, *MINE, "--dask", f"tcp://127.0.0.1:{free_port()}", "--allow", "tcp")
    warning, refusal = said.splitlines()
    assert warning.endswith("without TLS any other user of this machine can answer there and run code as you.")
    assert "no cluster can be reached there" in refusal
    for address in "nowhere", "tls://127.0.0.1", "tls://h:x", "tls://[:1", "inproc://x", "ucx://127.0.0.1:1":
        said = refused(capsys, "mine", *files, *MINE, "--dask", address)
        assert said == f"candor mine: {address}: this is no address of a scheduler, such as tls://scheduler:8786.\n"
