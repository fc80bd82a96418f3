"""Making a release: a closed version's responses, what was asked for, and the table and report that come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from privacy.errors import EntryError, InputError
from privacy.output import strict
from privacy.release import Attack, as_csv
from privacy.release.hierarchies import Hierarchy, by_rows
from privacy.release.responses import Released, release_responses
from surveys.domain.results import disclosure
from surveys.models import SurveyVersion, TableRelease
from surveys.questions import Categories
from surveys.releases.claim import claim, fail, finish, renew
from surveys.results.report import data_of
from surveys.results.tables import Variable, variables

KNOWN, IN_STEPS, KEPT = "known", "steps", "kept"
"""The roles of an open answer: others may know it (it is kept or not, or neighbours are joined), or it is kept."""
NONE = "–"  # where somebody gave no answer


def open_questions(version: SurveyVersion, language: str) -> list[Variable]:
    """The open questions of a version that a release may have a column for; EntryError while it may not be released."""
    data = data_of(version)
    if not (data.version.parsed.simulated or disclosure.is_last(data.snapshot)):
        raise EntryError("Tables are released once this version is closed and its last response is sealed.")
    return [each for each in variables(data, language) if not each.sensitive]


def work(pk: int) -> None:
    """Take the release if it is free, and see it to its end."""
    token = claim(pk)
    if token is None:
        return
    release = TableRelease.objects.select_related("version__survey").get(pk=pk)
    try:
        made = made_of(release, lambda share: renew(pk, token, share))
        finish(pk, token, report_of(made), as_csv(made.columns), made.fingerprint)
    except InputError as error:
        fail(
            pk,
            token,
            error if isinstance(error, EntryError) else EntryError("It could not be made: {error}", error=str(error)),
        )


def made_of(release: TableRelease, progress: Callable[[float], object]) -> Released:
    """Read the responses, and make the table."""
    asked, version = release.asked, release.version
    data = data_of(version)
    progress(0.2)
    if data.snapshot.sha256 != release.snapshot or data.answers is None:
        raise EntryError("The responses have changed since this was asked; ask again.")
    known: dict[str, tuple[list[str], Hierarchy]] = {}
    kept: dict[str, list[str]] = {}
    for one in open_questions(version, asked["language"]):
        axis, role = one.axis, asked["roles"].get(one.axis.name)
        given = [_label(one, answers) for answers in data.answers]
        if role in (KNOWN, IN_STEPS):
            known[axis.name] = (given, _tree(axis, given, in_steps=role == IN_STEPS))
        elif role == KEPT:
            kept[axis.name] = given
    made = release_responses(data.records, known, kept, k=asked["k"], least=asked["l"], share=asked["share"])
    progress(0.9)
    return made


def _label(one: Variable, answers: dict[str, Any]) -> str:
    place = one.axis.place(answers[one.question]) if one.question in answers else -1
    return one.axis.labels[place] if place >= 0 else NONE


def _tree(axis: Categories, given: Sequence[str], *, in_steps: bool) -> Hierarchy:
    """An answer as it is, or `*`; in steps two neighbours, then four, and so on are joined before."""
    labels = [*axis.labels, *([NONE] if NONE in given else [])]
    rows = [[label] for label in labels]
    width = 2
    while in_steps and width < len(axis.labels):
        for place, row in enumerate(rows):
            first = place - place % width
            last = min(first + width, len(axis.labels)) - 1
            joined = place < len(axis.labels) and first < last
            row.append(f"{labels[first]} … {labels[last]}" if joined else labels[place])
        width *= 2
    return by_rows([[*row, "*"] for row in rows], axis.name)


def report_of(made: Released) -> dict[str, Any]:
    """What is kept of a release beside the table, as JSON."""
    taken = made.generalisation
    names, people = made.known, len(taken.kept)
    report = {
        "method": "full-domain",
        "node": dict(zip(names, taken.node, strict=True)),
        "heights": list(taken.lattice.heights),
        "minimal": [dict(zip(names, node, strict=True)) for node in taken.lattice.minimal],
        "holding": "".join("01"[int(one)] for one in taken.lattice.holding.ravel()),
        "suppressed": taken.suppressed,
        "records": people,
        "metrics": made.after.to_json(),
        "before": made.before.to_json(),
        "lost": made.penalties,
        "masked": made.masked,
        "disguised": [one.to_json() for one in made.judged],
        "attacks": [
            Attack("re-identification", people, round(made.after.unicity * people)).to_json(),
            # one that would succeed is refused before anything is published
            Attack("complementary release", len(made.fingerprint.member), 0).to_json(),
        ],
    }
    document: dict[str, Any] = strict(report)
    return document
