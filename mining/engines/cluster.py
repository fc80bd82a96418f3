"""Counting on a Dask cluster: its workers read and pack row groups, and what they hold is asked for, as of one process.

What is packed is a future, so that Dask packs again what a worker held that is lost. A refusal is the text that a task
returns and is passed on: what a task raises is written to the log of its worker, with what it was given.

>>> with connect("tcp://192.0.2.7:8786") as client:  # of another machine, and without TLS
...     candor.mine("records.parquet", 0.1, design=design, client=client)
Traceback (most recent call last):
privacy.errors.InputError: tcp://192.0.2.7:8786: a cluster that other machines reach must use TLS (tls://).
"""

import asyncio
import gc
import logging
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from hashlib import sha256
from importlib.metadata import version
from ipaddress import ip_address
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import dask
import numpy as np
import psutil
from dask.sizeof import sizeof
from distributed import Client, Future, KilledWorker, LocalCluster, get_worker
from distributed.comm import get_address_host, get_address_host_port
from distributed.security import Security

from mining.engines.allocating import counting_environment, keep_freed_memory
from mining.engines.bits import BitCounter, Packer
from mining.engines.counter import KilledError
from mining.engines.literals import Literals
from privacy.errors import InputError, InputWarning
from privacy.estimate.joint import View
from privacy.records import parquet
from privacy.records.bits import Batch

ALLOWED = ("spill", "http", "tcp")
_NOTHING = "so nothing was mined."
_GROUPS = 8  # for each worker: fewer wait for the slowest, more are all overhead
_TOGETHER = 8  # answers added up by one task, and by this process
_LOST = 6  # seconds that a scheduler may take to answer
_STILL = 60  # seconds in which no worker does anything
_OWN = {  # of workers that are started here: they hold records in memory alone, and answer nobody else
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.http.routes": [],
    "distributed.scheduler.http.routes": [],
}

sizeof.register(BitCounter)(attrgetter("nbytes"))  # else Dask takes columns for small, and moves them about


def _code() -> str:
    """A hash of all code that reads and counts: workers of another version might count otherwise.

    A process that is older than its files may have read what was there before; it has a hash like no other.
    """
    root, started = Path(__file__).parents[2], _start_time()
    files = sorted(file for room in ("privacy", "mining/engines") for file in (root / room).rglob("*.py"))
    with_what = [sys.version, np.__version__, version("pyarrow")]
    if max(file.stat().st_ctime for file in files) > started:
        with_what.append(f"{os.getpid()} {started} {platform.node()}")
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files) + repr(with_what).encode()).hexdigest()


def _start_time() -> float:
    """When this process started, by the clock that stamps files.

    Linux knows the time since the system started, to a hundredth of a second; psutil adds the time when the system
    started, which is in whole seconds: a process would seem to be older than it is by up to one.
    """
    process = psutil.Process()
    if sys.platform != "linux":
        return process.create_time()
    since_boot = process.create_time() - psutil.boot_time()
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + since_boot


CODE = _code()


class _Client(Client):
    """A client that gives up in time, whatever listens at the address and says something else, or nothing."""

    async def _start(self, timeout: float, **options: Any) -> None:
        try:
            async with asyncio.timeout(timeout):
                await super()._start(timeout=timeout, **options)
        except Exception as error:
            await self._close(fast=True)
            raise error if isinstance(error, OSError) and str(error) else OSError("no scheduler answers") from error


@contextmanager
def connect(address: str, patience: float = _LOST, allow: Collection[str] = ()) -> Iterator[Client]:
    """A client of the cluster at an address; Dask's own messages are not printed.

    It believes what answers there: Dask unpickles it, and that can be any code. TLS proves who answers.
    """
    try:
        if not address.startswith(("tls://", "tcp://")):
            raise ValueError
        get_address_host_port(address, strict=True)
    except ValueError:
        raise InputError(f"{address}: this is no address of a scheduler, such as tls://scheduler:8786.") from None
    _check_address(address, allow)
    if address.startswith("tcp://"):
        warnings.warn(
            f"{address}: without TLS any other user of this machine can answer there and run code as you.",
            InputWarning,
            stacklevel=3,
        )
    logging.disable()
    try:
        try:
            security = Security()  # once Dask finds by itself that these are missing, it cannot be asked again
            if address.startswith("tls") and not security.get_connection_args("client")["ssl_context"]:
                raise InputError(f"{address}: Dask's configuration names no certificate (distributed.comm.tls.client).")
            if address.startswith("tcp") and security.require_encryption:
                raise InputError(f"{address}: Dask's configuration asks for TLS (tls://).")
            client = _Client(address, timeout=patience, set_as_default=False, security=security)
        except (OSError, UnicodeError) as error:
            said = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
            raise KilledError(f"{address}: no cluster can be reached there ({said}).") from None
        client.loop.asyncio_loop.set_exception_handler(lambda *_of_a_task: None)  # nobody waits for it
        try:
            yield client
        finally:
            client.close(timeout=2)
            gc.collect()  # what Dask never looked at says so when it goes
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def start_workers(workers: int) -> Iterator[Client]:
    """A client of workers that are started on this machine, over TLS with a certificate of their own, and end with the
    block."""
    logging.disable()
    try:
        with (
            dask.config.set(_OWN | {"distributed.nanny.pre-spawn-environ": counting_environment()}),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                host="tls://127.0.0.1",
                security=Security.temporary(),
                dashboard_address="127.0.0.1:0",  # it answers nothing, and its usual port may be another cluster's
                silence_logs=logging.CRITICAL,
            ) as own,
            Client(own, set_as_default=False) as client,
        ):
            yield client
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def counting(
    blocks: Iterable[Any],
    read: Callable[[Any], Iterable[Batch]],
    literals: Literals,
    client: Client,
    allow: Collection[str] = (),
) -> Iterator["ClusterCounter"]:
    """A counter of row groups of Parquet files that the workers of a cluster hold.

    The workers find the files under the same names; they let the records go with the block. `allow` names what they may
    do besides: "spill" to disks that are encrypted, answer "http", listen on this machine by "tcp" without TLS. Raises
    KilledError where another attempt may succeed.
    """
    allow = [allow] if isinstance(allow, str) else allow
    if strange := [word for word in allow if word not in ALLOWED]:
        raise InputError(f"allow: {strange[0]!r} is not one of {', '.join(ALLOWED)}.")
    if not isinstance(client, Client) or client.asynchronous or client.status != "running":
        raise InputError("client: give a distributed.Client that is connected, made without asynchronous=True.")
    groups = [_with_full_path(block) for block in blocks]
    counter = ClusterCounter(literals, client, (CODE, tuple(allow)))
    workers = counter.workers()
    if not workers:
        raise KilledError(f"{client.scheduler.address}: this cluster has no workers, {_NOTHING}")
    cuts = np.linspace(0, len(groups), min(len(groups) or 1, _GROUPS * len(workers)) + 1).astype(int)
    shares = [groups[start:stop] for start, stop in pairwise(cuts)]
    try:
        counter.packed = counter.map(_pack_share, shares, read=read, literals=literals)
        yield counter
    finally:
        for future in counter.packed:
            future.release()


def _with_full_path(block: Any) -> parquet.ParquetPart:
    """Return a row group whose name leads a worker to the file."""
    if not isinstance(block, parquet.ParquetPart) or block.held is not None:
        raise InputError(f"{block.path}: workers of a cluster read Parquet files by their names, and nothing else.")
    return block if "://" in block.path else replace(block, path=os.path.abspath(block.path))


@dataclass
class ClusterCounter:
    """A `mining.engines.counter.Counter` over all groups that the workers of a cluster hold.

    Each question is asked of all of them at once, and what they answer is added up.
    """

    literals: Literals
    client: Client
    terms: tuple[str, tuple[str, ...]]
    packed: Sequence[Future] = ()

    @property
    def sizes(self) -> np.ndarray:
        return self._sum("sizes")

    def without_direct(self) -> "ClusterCounter":
        """This counter, whose workers let the direct group go: they would hold both otherwise."""
        self.packed = self.map(_answer, self.packed, question="without_direct", arguments=())
        return self

    def singles(self) -> np.ndarray:
        return self._sum("singles")

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        rows = slice(first[0], second.max() + 1)  # a level is asked about bit by bit, and only these travel
        return self._sum("differences", itemsets[rows], first - rows.start, second - rows.start)

    def count_mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        return self._sum("count_mixed", prefixes, bounds, tails)

    def uneven(self, sets: np.ndarray) -> np.ndarray:
        return self._sum("uneven", sets)

    def parities(self, sets: np.ndarray) -> np.ndarray:
        return self._sum("parities", sets)

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        return self._sum("cells", itemsets)

    def views(self, columns: Sequence[int]) -> dict[View, np.ndarray]:
        return self._sum("views", columns)

    def _sum(self, question: str, *arguments: Any) -> Any:
        """Ask every packed counter the same question, a method or attribute, and add up the answers."""
        answers = self.map(_answer, self.packed, question=question, arguments=arguments)
        while len(answers) > _TOGETHER:
            some = [answers[start : start + _TOGETHER] for start in range(0, len(answers), _TOGETHER)]
            answers = self.map(_add_answers, some)
        return self._gather(answers)

    def map(self, work: Callable[..., Any], each: Sequence[Any], **alike: Any) -> list[Future]:
        """Let the workers do the work for each, and return futures; `alike` are arguments that all calls share."""
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
            try:
                # Large values that are named to `Client.map` get keys of these names, which the next call finds again.
                task = partial(_on_terms, work, self.terms, **alike)
                return self.client.map(task, each, key=work.__name__, pure=False)
            except (OSError, RuntimeError):
                raise self._no_answer_error() from None

    def workers(self) -> dict[str, Any]:
        """What the scheduler knows of each worker; refuses a cluster that is open to other machines."""
        try:
            known = self.client.sync(self.client.scheduler.identity, n_workers=-1, callback_timeout=_LOST)
        except (OSError, RuntimeError, CancelledError):
            raise self._no_answer_error() from None
        for address in [self.client.scheduler.address, known["address"], *known["workers"]]:
            _check_address(address, self.terms[1])
        return known["workers"]

    def _gather(self, answers: list[Future]) -> Any:
        """Wait for the answers and add them up; KilledError if no worker has done anything for a while."""
        loop = self.client.loop.asyncio_loop
        gathering = asyncio.run_coroutine_threadsafe(self.client.gather(answers, asynchronous=True), loop)
        worked, known = time.monotonic(), set[tuple[str, float]]()
        try:
            while not wait([gathering], 1).done:
                doing = {  # who stands still is not heard of again
                    (name, worker["last_seen"])
                    for name, worker in self.workers().items()
                    if worker["metrics"]["task_counts"].get("executing")
                }
                if doing - known:
                    worked = time.monotonic()
                known = doing
                if time.monotonic() > worked + _STILL:
                    raise KilledError(
                        f"No worker has done anything for {_STILL} s (do all have Candor, and memory?), {_NOTHING}"
                    )
            total = _add_answers(gathering.result())
        except InputError:
            gathering.cancel()
            raise
        except (KilledWorker, MemoryError):
            raise KilledError(
                f"Workers ended again and again before they had counted their records (out of memory?), {_NOTHING}"
            ) from None
        except (CancelledError, asyncio.CancelledError):
            raise self._no_answer_error() from None
        except Exception as error:
            said = str(error).partition("\n")[0].rstrip(".")
            raise InputError(
                f"A worker cannot do its part ({type(error).__name__}: {said}), {_NOTHING} "
                "All workers need the same version of Candor."
            ) from error
        if isinstance(total, str):
            raise InputError(total)
        return total

    def _no_answer_error(self) -> KilledError:
        return KilledError(f"{self.client.scheduler.address}: the scheduler does not answer any more, {_NOTHING}")


def _check_address(address: str, allow: Collection[str]) -> None:
    if fault := _openness(address, allow):
        raise InputError(f"{address}: {fault}")


def _openness(address: str, allow: Collection[str]) -> str:
    """Return why others can reach an address, as the end of a sentence; "" if they cannot, or it is allowed."""
    if address.startswith(("tls://", "inproc://")):
        return ""
    try:
        host = get_address_host(address)
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        return "a cluster that other machines reach must use TLS (tls://)."
    if "tcp" in allow:
        return ""
    return "other users of this machine reach it; use TLS (tls://), or say --allow tcp where there are none."


def _on_terms(work: Callable[..., Any], terms: tuple[str, tuple[str, ...]], *given: Any, **alike: Any) -> Any:
    """Do the work on a worker, or return why it must not hold records; `terms`: hash of the code, what is allowed."""
    code, allow = terms
    worker = get_worker()
    if code != CODE:
        return (
            f"{worker.address}: this worker has another version of Candor, or of what it needs; install the same "
            "everywhere, and start workers and this program again."
        )
    for listener in worker.listeners:
        if fault := _openness(listener.listen_address, allow):
            return f"{listener.listen_address}: this worker listens there, and {fault}"
    if "spill" not in allow and not isinstance(worker.data, dict):
        return (
            f"{worker.address}: this worker spills records to its disk; switch that off "
            "(distributed.worker.memory.target and spill: false), or say --allow spill where the disk is encrypted."
        )
    answers = worker.http_application.wildcard_router.rules or worker.http_application.applications
    if "http" not in allow and answers:
        return (
            f"{worker.address}: this worker answers HTTP; switch that off (distributed.worker.http.routes: []), "
            "or say --allow http."
        )
    return work(*given, **alike)


def _pack_share(
    share: Sequence[parquet.ParquetPart], read: Callable[[Any], Iterable[Batch]], literals: Literals
) -> BitCounter | str:
    """Read row groups into a counter, on a worker; a refusal is returned as a text."""
    keep_freed_memory()
    packer = Packer(literals)
    try:
        for group in share:
            for batch in read(group):
                packer.add(*batch)
    except InputError as error:
        return str(error)
    return packer.counter()


def _answer(counter: BitCounter | str, question: str, arguments: tuple[Any, ...]) -> Any:
    """Call a method of a packed counter, or read an attribute; a refusal in its place is passed on."""
    if isinstance(counter, str):
        return counter
    asked = getattr(counter, question)  # a method, or an attribute
    return asked(*arguments) if callable(asked) else asked


def _add_answers(answers: Sequence[Any]) -> Any:
    """Add up the answers, or return the first refusal, in the order of the file."""
    return next((answer for answer in answers if isinstance(answer, str)), None) or sum_of_answers(answers)


def sum_of_answers(answers: Iterable[Any]) -> Any:
    """Add up the answers of several parts, each about its own records: arrays, or arrays under the same keys.

    Each is freed once it is added: all of them together would take several times the memory of their sum.

    >>> sum_of_answers([np.array([1, 2]), np.array([10, 20])]).tolist()
    [11, 22]
    """
    return reduce(_sum_of_two, answers)


def _sum_of_two(one: Any, other: Any) -> Any:
    if not isinstance(one, dict):
        return np.add(one, other)
    total: dict[Any, np.ndarray] = dict(one)
    for key, counts in other.items():
        total[key] = total[key] + counts if key in total else counts
    return total
