"""Making a table: a closed version's responses, what was asked for, and the table and report that come of it."""

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.conf import settings

from privacy.output import to_json_value
from privacy.release import as_csv, parse_spec
from privacy.release.reasons import ReleaseError
from privacy.release.responses import Released, release_responses
from privacy.release.specs import Spec
from surveys.children import cap_memory
from surveys.domain.database.jobs import Progress
from surveys.models import TableRelease
from surveys.releases.claim import RUNNER, finish
from surveys.releases.reasons import TableError
from surveys.releases.table import answers_of, columns_that_tell, to_release
from surveys.results.reading import ReportData

Step = TableRelease.Step
NAME = "releasing"


def main(pk: int, token: str) -> None:
    """What the process does that makes one release; `surveys.children.warm` forks it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # of a terminal, which asks the worker, too
    with RUNNER.beating():
        make(pk, token, cap_memory(settings.MINING_MEMORY_MIB))


def make(pk: int, token: str, capped: AbstractContextManager[None] | None = None) -> None:
    """Make the release for the holder of the claim, inside a cap on the memory of this process if it has one."""
    release = TableRelease.objects.select_related("version__survey").get(pk=pk)
    progress = Progress(Step.READING)

    def note(step: str, share: float) -> None:
        progress(step, step=step, share=share)

    with RUNNER.ending(pk, token):
        with capped or nullcontext():
            made = make_release(release, note)
            note(Step.WRITING, 0.95)
            report, table = report_of(made), as_csv(made.columns)
        finish(pk, token, report, table)


def read_request(release: TableRelease) -> tuple[Spec, ReportData, dict[str, list[str]]]:
    """The spec, the responses and their undisguised answers; refused where a table is out or a question forbids it."""
    if not release.spec:
        raise TableError("renewed")
    if release.version.releases.filter(state=TableRelease.State.DONE).exists():
        raise TableError("out")
    require_no_follower(release)
    spec, data = parse_spec(release.spec), to_release(release.version)
    if data.snapshot.sha256 != release.snapshot:
        raise TableError("changed")
    return spec, data, answers_of(data, list(spec.columns))


def require_no_follower(release: TableRelease) -> None:
    """Refuse a column that tells of a disguised one: whom a question is asked tells the answer that it depends on.

    If it is disguised, too, γ multiplies as the page says.
    """
    roles = release.roles
    for name in (name for name, role in roles.items() if role == "disguised"):
        telling = columns_that_tell(release.version, name)
        if other := next((each for each, role in roles.items() if each in telling and role != "disguised"), ""):
            raise ReleaseError("follows", attribute=name, other=other)


def make_release(release: TableRelease, progress: Callable[[str, float], None]) -> Released:
    progress(Step.READING, 0.0)
    spec, data, answers = read_request(release)
    progress(Step.GATHERING, 0.1)
    return release_responses(
        data.sealed,
        answers,
        spec,
        lambda share: progress(Step.GATHERING, 0.1 + 0.8 * share),
        release.asked.get("compared", []),
    )


def report_of(made: Released) -> dict[str, Any]:
    taken = made.generalisation
    report = {
        "node": taken and dict(zip(made.names, taken.node[1:], strict=True)),
        "heights": taken and list(taken.lattice.heights[1:]),
        "minimal": taken and [dict(zip(made.names, node[1:], strict=True)) for node in taken.lattice.minimal],
        "holding": taken and "".join("01"[int(one)] for one in taken.lattice.holding.ravel()),
        "path": taken and [list(step.node[1:]) for step in taken.lattice.path],
        "front": taken and [[one.node[1:], one.loss, one.leakage] for one in taken.front],
        "rule": [[said.sentence, dict(said.figures)] for said in taken.costs_of_rule] if taken else [],
        "known": list(made.names),
        "items": list(made.items),
        "undisguised": list(made.undisguised),
        "suppressed": made.suppressed,
        "distorted": made.distorted,
        "records": len(made),
        "direct": made.direct,
        "metrics": made.measures.to_json(),
        "before": made.before.to_json(),
        "lost": made.lost,
        "masked": made.masked,
        "disguised": [one.to_json() for one in made.judged],
        "attacks": [attack.to_json() for attack in made.attacks],
        "drawn": [one.to_json() for one in made.disguised],
        "design": made.design and made.design.to_json(),
        "kept": [one.to_json() for one in made.kept],
        "allowed": [[said.sentence, dict(said.figures)] for said in made.remaining_risks()],
    }
    return to_json_value(report)
