"""Child processes that are kept running, and found again after the process that started them was killed.

Each child leads a process group of its own and holds a lock on its `<name>.pid` file. Everything that it starts
inherits the open file, so the lock lasts exactly as long as the last process of the group. A locked file therefore
proves that the number in it still belongs to that group.
"""

import contextlib
import logging
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from config import settings
from config.environment import refuse
from config.web.logs import announce
from surveys.domain.database import locks

LONGEST_PAUSE = 30.0  # seconds between two starts of a child that keeps dying
STANDS = 10.0  # seconds after which a stopped process is killed: it does nothing, and nothing else would end it
LOOK = 1.0  # seconds between looks for such processes
STEADY = 10.0  # seconds after which a child counts as healthy: it was up and did its work
STARTED: list["Child"] = []


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock of this file."""
    if not path.exists():
        return False
    file = locks.lock(path)
    if file is not None:
        os.close(file)
    return file is None


def write(file: int, text: str) -> None:
    """Write one line into the file; a reader at the same time gets the old or the new line whole."""
    os.ftruncate(file, os.pwrite(file, f"{text}\n".encode(), 0))


def read_first_line(path: Path) -> str:
    return path.read_text().partition("\n")[0]


def end_groups(paths: list[Path], patience: float) -> None:
    """Ask the process groups that hold these files to end; kill them after `patience` seconds."""
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 5.0)):
        for path in filter(is_held, paths):
            leader = read_first_line(path)
            if leader.isdigit():
                signal_group(int(leader), number)
        end = time.monotonic() + seconds
        while any(map(is_held, paths)) and time.monotonic() < end:
            time.sleep(0.05)
    for path in filter(is_held, paths):
        refuse(f"A process of an earlier run still holds {path}: stop it and start again.")


def kill_started() -> None:
    """Kill every running child: somebody has removed the data folder, and with it the locks that name them."""
    for child in STARTED:
        if child.process is not None and child.process.poll() is None:
            signal_group(child.process.pid, signal.SIGKILL)


def signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, number)


def find_stopped(group: int) -> list[int]:
    """The processes of this group that were stopped by a signal.

    Where there is no /proc only the leader is asked about. (Not every system tells a parent that.)
    """
    if Path("/proc/self/stat").exists():
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _is_stopped_in(group, pid)]
    with contextlib.suppress(AttributeError, ChildProcessError):  # it has ended, and that was noticed
        if os.waitid(os.P_PID, group, os.WSTOPPED | os.WNOHANG | os.WNOWAIT):
            return [group]
    return []


def _is_stopped_in(group: int, pid: int) -> bool:
    """Say whether a process of this group is stopped, from /proc: its state follows its name in brackets."""
    try:
        return os.getpgid(pid) == group and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:  # it has ended
        return False


@dataclass
class Child:
    name: str
    command: list[str]
    folder: Path
    files: tuple[int, ...] = ()  # open files that it inherits
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    pause: float = 0.0  # seconds between its death and the next start
    due: float = 0.0  # when to start it again
    looked: float = 0.0  # when it was last asked which of its processes stand still
    stopped: dict[int, float] = field(default_factory=dict)  # since when each of them does

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.pid"

    def start(self) -> None:
        file = locks.lock(self.path)
        if file is None:
            refuse(f"A process of an earlier run still holds {self.path}: stop it and start again.")
        try:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                pass_fds=(file, *self.files),
                start_new_session=True,
                preexec_fn=lambda: write(file, str(os.getpid())),
            )
        finally:
            os.close(file)
        self.started = time.monotonic()
        if self not in STARTED:
            STARTED.append(self)

    def wait(self) -> int:
        assert self.process is not None
        return self.process.wait()

    @property
    def has_died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def keep(self) -> None:
        """Start it again if it has died: at once if it was healthy, else after pauses that grow. Whichever of its
        processes was stopped and does not go on is killed."""
        now = time.monotonic()
        if self.process is not None and now - self.looked >= LOOK:
            self.looked = now
            self.stopped = {pid: self.stopped.get(pid, now) for pid in find_stopped(self.process.pid)}
            self._end_stopped(self.process.pid, now)
        if self.has_died and self.process is not None:
            end_groups([self.path], 0.0)  # processes that a killed leader leaves behind would go on working unseen
            self.pause = 0.0 if now - self.started > STEADY else min(2 * self.pause + 1, LONGEST_PAUSE)
            self.due = now + self.pause
            announce(
                f"The {self.name} ended ({ending(self.process.returncode)}) and is started again.", logging.WARNING
            )
            self.process = None
        if self.process is None and now >= self.due:
            self.start()

    def _end_stopped(self, leader: int, now: float) -> None:
        """End all if the leader stood still for too long, else only processes that did: their parent starts others."""
        still = [pid for pid, since in self.stopped.items() if now - since > STANDS]
        if leader in still:
            announce(f"The {self.name} no longer responds and is stopped.", logging.WARNING)
            signal_group(leader, signal.SIGKILL)
            self.wait()
            return
        for pid in still:
            announce(f"A process of the {self.name} no longer responds and is stopped.", logging.WARNING)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def ending(status: int) -> str:
    """How a process ended, in words, by its exit status."""
    return f"status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"


_WATCHED = ("candor", "config", "docs", "locale", "mining", "privacy", "surveys", "templates")
_ENDINGS = (".css", ".html", ".js", ".json", ".md", ".mo", ".py")
_GRACE = 1.0  # seconds in which requests and tasks may end: what a killed worker had begun is taken up again


def times_of_files() -> dict[Path, float]:
    """When each file changed. Django's autoreloader looks at what its own process has loaded; a site has several."""
    found = {}
    for folder in _WATCHED:
        for path in (settings.BASE_DIR / folder).rglob("*.*"):
            if path.suffix in _ENDINGS:
                with contextlib.suppress(FileNotFoundError):  # an editor replaces it
                    found[path] = path.stat().st_mtime
    return found


def restart_if_changed(before: dict[Path, float], children: list[Child]) -> dict[Path, float]:
    """Start these again if a file was changed, added or removed since `before`; return the times of now."""
    after = times_of_files()
    if changed := sorted(path for path, _ in before.items() ^ after.items()):
        announce(f"{changed[0]} changed: the site starts again.")
        end_groups([child.path for child in children], _GRACE)
        for child in children:
            child.start()
    return after
