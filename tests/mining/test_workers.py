"""Records that several workers of this machine count: the same findings to the last byte, or one sentence."""

import json
import os
import signal
import socket
import sys
from contextlib import contextmanager, suppress

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from candor.commands import main
from mining.engines import bits, cluster
from mining.engines.bits import Packer, pack
from mining.engines.literals import literals_of
from privacy.records import Records, write_records
from tests.mining.designs import design_of, records_of
from tests.privacy.records.arrow import arrow_table

KIND = "sampled coin"
MINE = ["--min-support", "0.1", "--min-confidence", "0.3", "--negated", "--engine", "bitset", "--json"]


@pytest.fixture
def files(tmp_path):
    """A file of records in many row groups, and one of their design."""
    design = design_of(KIND)
    table = arrow_table(Records(design, *records_of(design, 600)))
    pq.write_table(table, tmp_path / "records.parquet", row_group_size=31)
    (tmp_path / "design.json").write_text(json.dumps(design.to_json()))
    return [str(tmp_path / "records.parquet"), str(tmp_path / "design.json")]


def read_output(capsys):
    said = capsys.readouterr()
    return json.loads(said.out) | {"seconds": 0}, said.err


@pytest.mark.long
def test_the_command_finds_the_same_with_two_workers_and_ends_them(files, capfd):
    main(["mine", *files, *MINE])
    alone, _ = read_output(capfd)

    assert main(["mine", *files, *MINE, "--workers", "2"]) == 0

    assert read_output(capfd) == (alone, "")
    assert [child.name() for child in psutil.Process().children(recursive=True) if "nanny" in child.name()] == []


@pytest.mark.long
def test_workers_that_are_started_here_hold_records_in_memory_alone_and_speak_tls(files):
    """They keep to what a cluster must promise, with nothing allowed besides."""
    with cluster.start_workers(1) as client:
        assert client.scheduler.address.startswith("tls://127.0.0.1:")
        for address in client.scheduler_info()["workers"]:
            assert address.startswith("tls://127.0.0.1:")
        held = client.run(lambda dask_worker: (type(dask_worker.data), len(dask_worker.http_application.applications)))
        environment = client.run(lambda: os.environ["OMP_NUM_THREADS"])
    assert list(held.values()) == [(dict, 0)]
    assert list(environment.values()) == ["1"]


@pytest.mark.long
def test_workers_start_beside_another_cluster_and_listen_to_this_machine_alone():
    """Dask's usual port for its pages is taken by who started first; nothing is open to other machines."""
    with socket.socket() as taken:
        with suppress(OSError):  # another cluster has it already
            taken.bind(("", 8787))
            taken.listen()
        before = listening_places()
        with cluster.start_workers(1):
            own = listening_places() - before
    assert {address for address, _port in own} == {"127.0.0.1"}


def listening_places():
    """Where this process and those that it started listen: servers of other tests may be among them."""
    own = psutil.Process()
    return {
        one.laddr
        for process in [own, *own.children(recursive=True)]
        for one in process.net_connections("inet")
        if one.status == psutil.CONN_LISTEN
    }


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--workers", "0"], "--workers: 0 is outside 1 to 256."),
        (["--workers", "257"], "--workers: 257 is outside 1 to 256."),
        (["--workers", "1", "--engine", "mlxtend"], "Workers cannot take the engine mlxtend; leave out either."),
    ],
)
def test_what_workers_cannot_do_is_one_sentence(files, capsys, more, sentence):
    assert main(["mine", *files, "--min-support", "0.1", "--min-confidence", "0.3", *more]) == 2
    said = capsys.readouterr()
    assert (said.err, said.out) == (f"candor mine: {sentence}\n", "")


@pytest.mark.parametrize("lacks", ["Parquet", "Dask"])
def test_one_process_counts_where_workers_cannot_and_says_why(files, capsys, tmp_path, monkeypatch, lacks):
    """CSV is read by one process, and so is any file where Dask is not installed."""
    main(["mine", *files, *MINE])
    alone, _ = read_output(capsys)
    why = "Dask is not installed (pip install 'candor-survey[dask]')"
    if lacks == "Parquet":
        design = design_of(KIND)
        write_records(Records(design, *records_of(design, 600)), tmp_path / "records.csv")
        files[0] = str(tmp_path / "records.csv")
        why = f"{files[0]} is no Parquet"
    else:
        monkeypatch.setitem(sys.modules, "mining.engines.cluster", None)
        monkeypatch.delattr("mining.engines.cluster", raising=False)

    assert main(["mine", *files, *MINE, "--workers", "2"]) == 0

    found, said = read_output(capsys)
    assert found == alone
    assert f"--workers: {why}, so one process counts." in said


@pytest.mark.long
def test_where_a_worker_is_killed_the_others_count_its_share(files, capsys, monkeypatch):
    """Dask reads it again; half a count would be a wrong figure."""
    main(["mine", *files, *MINE])
    alone, _ = read_output(capsys)
    counting = cluster.counting

    def one_less(blocks, read, literals, client, allow=()):
        with counting(blocks, read, literals, client, allow) as counter:
            counter.sizes  # noqa: B018  # all is packed when it is known
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
            yield counter

    monkeypatch.setattr(cluster, "counting", contextmanager(one_less))

    assert main(["mine", *files, *MINE, "--workers", "2"]) == 0

    assert read_output(capsys)[0] == alone


def test_records_that_come_in_many_pieces_are_packed_as_ones_that_come_whole(monkeypatch):
    """Columns are put away as soon as there are many: every count stays."""
    design = design_of(KIND)
    codes, direct = records_of(design, 2000)
    whole = pack([(codes, direct)], literals_of(design))
    monkeypatch.setattr(bits, "_HELD_BYTES", 1 << 10)
    packer = Packer(literals_of(design))
    for rows in np.array_split(np.arange(2000), 37):
        packer.add(codes[rows], direct[rows])
    counter = packer.counter()
    assert len(counter.chunks) > 3
    assert np.array_equal(counter.sizes, whole.sizes)
    assert np.array_equal(counter.singles(), whole.singles())
    views, expected = counter.views([0, 1]), whole.views([0, 1])
    assert views.keys() == expected.keys()
    assert all(np.array_equal(views[view], expected[view]) for view in expected)
