"""What the process does that mines one run; `surveys.children.warm` forks it."""

import logging
from contextlib import suppress
from functools import cache

from django.conf import settings
from django.db import OperationalError

from mining.domain.claim import fail, finish, release_to_newer
from mining.domain.result import mine_run
from mining.domain.run import RUNNER
from mining.engines.reasons import MiningError
from mining.engines.request import READING
from mining.models import MiningRun
from privacy.errors import InputError
from surveys.children import cap_memory
from surveys.domain.database.jobs import Progress
from surveys.domain.responses.disclosure import last_snapshots
from surveys.models import Snapshot

logger = logging.getLogger(__name__)
NAME = "mining"
RUNS = MiningRun.objects.select_related("snapshot__version__survey")  # with all that is asked of a run's row
_MLXTEND = 210  # MiB of address space that mlxtend and pandas take; less than half of it is memory, which is shared


@cache
def prepare() -> None:
    """Import what mining needs, and let Django compile the first queries of every run to SQL, without sending them.

    Compiling the very first query makes Django resolve the relations of all models, which took each process a
    tenth of what it does besides reading and counting.
    """
    import scipy.special  # noqa: F401 — loaded before memory is capped: without it, that fails with ImportError

    with suppress(ImportError):  # without mlxtend a run makes its rules itself
        from mining.engines import reference  # noqa: F401 — pandas takes longer to import than most runs do

    for rows in (RUNS, last_snapshots(), Snapshot(pk=0).parts.all()):
        str(rows.query)


def main(run_id: int, token: str) -> None:
    """Mine a run under the claim of this token, and beat meanwhile, so that the worker knows that the process lives."""
    with RUNNER.beating():
        _mine(run_id, token)


def _can_read_questionnaire(run: MiningRun) -> bool:
    """Whether this version of Candor can read the run's questionnaire; a newer version may have published it."""
    try:
        run.snapshot.version.parsed  # noqa: B018
    except (InputError, LookupError, TypeError):
        return False
    except ValueError:  # it is not the one that was published: no version reads it, and mining says so
        pass
    return True


def _mine(run_id: int, token: str) -> None:
    """Mine the run and store its result, or the reason why it has none."""
    run = RUNS.get(pk=run_id)
    if not _can_read_questionnaire(run):
        logger.warning("Run %s is left to a newer worker: this one does not know its questionnaire.", run_id)
        release_to_newer(run_id, token)
        return
    progress = Progress(READING)

    def note(phase: str, level: int, candidates: int, share: float) -> None:
        progress(phase, phase=phase, level=level, candidates=candidates, share=round(share, 4))

    try:
        with RUNNER.ending(run_id, token):
            with cap_memory(settings.MINING_MEMORY_MIB + _MLXTEND):
                summary, columns = mine_run(run, note)
            finish(run_id, token, summary, columns)
    except OperationalError:
        raise  # the database is away: another attempt may find it there
    except Exception as error:  # the same records would break it again
        logger.exception("Mining run %s broke.", run_id)
        fail(run_id, token, MiningError("broke", error=type(error).__name__))
