"""Records that several processes count: the same findings to the last byte, and one sentence where a process dies."""

import json
import os
import signal
import threading
import time
import weakref
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from candor.commands import main
from mining.engines import bits
from mining.engines.allocating import counting_environment
from mining.engines.bits import Packer, pack
from mining.engines.literals import literals_of
from mining.engines.processes import _work, counting
from privacy.errors import InputError
from privacy.records import Records, write_records
from tests.cases import first
from tests.mining.designs import design_of, records_of
from tests.servers import wait_until

KIND = "sampled coin"
MINE = ["--min-support", "0.1", "--min-confidence", "0.3", "--negated", "--engine", "bitset", "--json"]


@pytest.fixture
def files(tmp_path):
    """A file of records and one of their design."""
    design = design_of(KIND)
    write_records(Records(design, *records_of(design, 600)), tmp_path / "records.csv")
    (tmp_path / "design.json").write_text(json.dumps(design.to_json()))
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def printed(capsys):
    document = json.loads(capsys.readouterr().out)
    document["seconds"] = 0
    return document


def test_the_command_finds_the_same_with_two_workers(files, capsys, monkeypatch):
    """Over a file that comes in many small pieces, of which each worker takes every other one."""
    main(["mine", *files, *MINE])
    whole = printed(capsys)
    monkeypatch.setattr("privacy.files.BLOCK", 500)
    assert main(["mine", *files, *MINE, "--workers", "2"]) == 0
    assert printed(capsys) == whole


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system tells no environment of a process")
def test_each_worker_gets_its_memory_as_a_site_s_does(monkeypatch):
    """What is freed is kept for the next array, in large pages; nothing of it stays in this process's environment."""
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    design = design_of(KIND)
    asked, before = counting_environment(), dict(os.environ)
    with counting([records_of(design, 9), records_of(design, 9)], tuple, literals_of(design), 2) as counter:
        assert counter.sizes.sum() == 18
        for worker in counter.parts:
            lines = Path(f"/proc/{worker.process.pid}/environ").read_bytes().split(b"\0")
            assert {f"{name}={value}".encode() for name, value in asked.items()} <= set(lines)
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--workers", "0"], "0 workers are outside 1 to 256."),
        (["--workers", "2", "--engine", "mlxtend"], "Workers cannot take the engine mlxtend; leave out either."),
        (["--workers", "2", "--weights", "w"], "Workers cannot take weights, clusters or strata; leave out either."),
    ],
)
def test_what_workers_cannot_do_is_one_sentence(files, capsys, more, sentence):
    assert main(["mine", *files, "--min-support", "0.1", "--min-confidence", "0.3", *more]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert (said.err.count("\n"), said.out) == (1, "")


def test_a_file_without_records_is_one_sentence(files, capsys, tmp_path):
    path = tmp_path / "records.csv"
    path.write_text(path.read_text().partition("\n")[0] + "\n")
    assert main(["mine", *files, *MINE, "--workers", "2"]) == 2
    assert capsys.readouterr().err == f"candor mine: {path}: there are no records in it.\n"


def batch_read_elsewhere(piece):
    process, codes, direct = piece
    if os.getpid() == process:
        raise InputError("read by the process that asks")
    return codes, direct


def test_a_piece_is_read_by_the_process_that_counts_it():
    """Reading text takes most of the time: whoever hands it out must not do it for all others."""
    design = design_of(KIND)
    pieces = [(os.getpid(), *records_of(design, 200)) for _ in range(3)]
    with counting(pieces, batch_read_elsewhere, literals_of(design), 2) as counter:
        assert counter.sizes.sum() == 600


WRONG = {"a value": b"9", "text that is not UTF-8": b"\xff"}


@pytest.mark.parametrize(
    ("ending", "wrong"),
    first(
        2,
        [
            ("csv", {310: "a value", 590: "text that is not UTF-8"}),
            ("jsonl", {310: "a value", 320: "a value"}),
            ("csv", {310: "a value", 320: "a value"}),
            ("jsonl", {310: "a value", 590: "text that is not UTF-8"}),
        ],
    ),
)
def test_of_all_that_is_wrong_in_a_file_the_first_is_said(files, capsys, monkeypatch, tmp_path, ending, wrong):
    """Whichever process finds it, and however many find something at the same time."""
    path = tmp_path / f"records.{ending}"
    design = design_of(KIND)
    write_records(Records(design, *records_of(design, 600)), path)
    lines = path.read_bytes().splitlines()
    for line, what in wrong.items():
        at = max(lines[line].rfind(mark) for mark in (b"0", b"1"))
        lines[line] = lines[line][:at] + WRONG[what] + lines[line][at + 1 :]
    path.write_bytes(b"\n".join(lines) + b"\n")
    monkeypatch.setattr("privacy.files.BLOCK", 500)

    main(["mine", str(path), files[1], *MINE])
    alone = capsys.readouterr().err
    assert main(["mine", str(path), files[1], *MINE, "--workers", "3"]) == 2
    assert capsys.readouterr().err == alone
    assert "311" in alone


def test_columns_with_the_direct_group_are_let_go_once_it_is_left_out(monkeypatch):
    """A process holds one set of columns at a time."""
    design, first, held = design_of(KIND), [], []

    def counter(packer, own=Packer.counter):
        made = own(packer)
        first.append(weakref.ref(made.chunks[0].words))
        return made

    said = iter([(0, records_of(design, 200)), None, ("singles", (), False), ("singles", (), True)])

    def receive():
        for message in said:
            return message
        raise EOFError

    monkeypatch.setattr(Packer, "counter", counter)
    line = SimpleNamespace(recv=receive, send=lambda _answer: held.append(bool(first) and first[0]() is not None))
    _work(line, tuple, literals_of(design))
    assert held == [False, True, False]  # nothing is packed yet when all pieces have come


def test_a_worker_that_is_killed_ends_the_count_with_one_sentence():
    """Half a count would be a wrong figure."""
    design = design_of(KIND)
    with counting([records_of(design, 200), records_of(design, 200)], tuple, literals_of(design), 2) as counter:
        os.kill(counter.parts[1].process.pid, signal.SIGKILL)
        with pytest.raises(InputError, match=r"A worker ended before .* \(status -9\), so nothing was mined\."):
            counter.singles()


ENDED = "A worker ended before it had counted its records (status -9), so nothing was mined."


@pytest.fixture
def killed(monkeypatch):
    """Sends SIGKILL to a worker in each of so many counts, once all hold their records."""

    def kill(times):
        def one_less(pieces, read, literals, workers):
            nonlocal times
            with counting(pieces, read, literals, workers) as counter:
                if times:
                    times -= 1
                    os.kill(counter.parts[0].process.pid, signal.SIGKILL)
                yield counter

        monkeypatch.setattr("mining.engines.processes.counting", contextmanager(one_less))

    return kill


def test_where_workers_are_killed_others_count_the_file_anew(files, capsys, killed):
    main(["mine", *files, *MINE])
    alone = printed(capsys)
    killed(times=2)
    assert main(["mine", *files, *MINE, "--workers", "2"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document | {"seconds": 0} == alone
    assert said.err == f"candor mine: {ENDED} Counting starts again.\n" * 2


def test_where_workers_are_killed_again_and_again_nothing_is_mined(files, capsys, killed):
    killed(times=3)
    assert main(["mine", *files, *MINE, "--workers", "2"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("Counting starts again") == 2
    assert said.err.splitlines()[-1].endswith(ENDED)


def test_what_comes_through_a_pipe_cannot_be_counted_anew(files, capsys, killed, tmp_path):
    """It was read, and is gone: half of it would be a wrong figure."""
    pipe = tmp_path / "piped.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(Path(files[0]).read_bytes()))
    writer.start()
    killed(times=1)
    assert main(["mine", str(pipe), files[1], *MINE, "--workers", "2"]) == 2
    writer.join()
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "(status -9), so nothing was mined." in said.err


def too_large(_piece):
    raise MemoryError


def test_a_worker_without_memory_is_one_sentence(capfd):
    design = design_of(KIND)
    with (
        pytest.raises(InputError, match=r"\(it ran out of memory\), so nothing was mined\."),
        counting([records_of(design, 9)], too_large, literals_of(design), 2),
    ):
        pass
    assert capfd.readouterr() == ("", "")


def test_who_counts_beside_a_worker_that_is_killed_ends_without_a_word(capfd):
    """It has not read its last piece yet when nobody listens any more."""
    design = design_of(KIND)

    def pieces():
        yield False, *records_of(design, 9)
        yield True, *records_of(design, 9)
        wait_until(lambda: len(active_children()) == 1, 30, "the second worker ends")
        yield False, *records_of(design, 9)

    with (
        pytest.raises(InputError, match=r"\(status -9\), so nothing was mined"),
        counting(pieces(), killed_or_read, literals_of(design), 2),
    ):
        pass
    assert capfd.readouterr() == ("", "")


def killed_or_read(piece):
    kills, codes, direct = piece
    if kills:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.3)  # until nobody listens any more
    return codes, direct


def test_no_process_outlives_the_count():
    design = design_of(KIND)
    with counting([records_of(design, 200)], tuple, literals_of(design), 2) as counter:
        assert counter.sizes.sum() == 200
    assert [part.process.is_alive() for part in counter.parts] == [False, False]


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
