"""How the duties of `manage.py tend` end, in the memory of its process: when each was last done, how often it failed.

`config.run.heartbeats` passes it to the pages that show how the site runs.
"""

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """The last results of one duty in this process. Times are those of time.monotonic()."""

    tried: float
    done: float | None = None  # when it last did all it had to
    failures: int = 0  # in a row
    why: str = ""  # the kind of the last error, and nothing that it says


# What a duty returns that has done a part of its work: it is called again as soon as the others have had their turn.
MORE = object()

outcomes: dict[str, Outcome] = {}
_undone: list[str] = []


def begin_duty() -> None:
    """A duty begins. What was noted as undone before, outside of any duty, is forgotten."""
    _undone.clear()


def note_undone(error: Exception) -> None:
    """Note that a duty goes on after an error which it has logged, so that part of its work is still to be done."""
    _undone.append(type(error).__name__)


def end_duty(name: str, error: Exception | None = None) -> None:
    """A duty ended: record its outcome, as failed if it raised `error` or noted something as undone."""
    now, before = time.monotonic(), outcomes.get(name)
    errors = [*_undone, *([type(error).__name__] if error else [])]
    if errors:
        failures = before.failures + 1 if before else 1
        outcomes[name] = Outcome(now, before.done if before else None, failures, errors[-1])
    else:
        outcomes[name] = Outcome(now, now)


def put_off(name: str) -> None:
    """Ask for another turn of a duty that neither failed nor is done: somebody is in its way, or more is to do."""
    before = outcomes.get(name)
    outcomes[name] = Outcome(time.monotonic(), before.done if before else None)
