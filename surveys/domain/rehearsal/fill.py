"""The work of a rehearsal: simulated people answer; their answers and the truth are there whole or not at all."""

import numpy as np
from django.db import transaction

from privacy.design import ARM
from privacy.disguise import disguise
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.rehearsal.people import open_lines, people, with_arm
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import unzip_lines
from surveys.models import DemoTruth, Snapshot, Survey, SurveyVersion


def fill(pk: int) -> None:
    """Let simulated people answer through the channel of the design, once."""
    version = SurveyVersion.objects.filter(survey=pk, survey__rehearses__isnull=False).select_related("survey").first()
    if version is None or version.snapshots.exists():
        return
    chance = np.random.default_rng()
    count = version.survey.expected
    truth, direct = people(version.design, count, chance, version.parsed.lot)
    records = disguise(version.design, truth, direct)
    sent = pack(records)
    lines = open_lines(version.parsed.open_questions, count, chance)
    if ARM in records.open_columns:
        lines = [with_arm(line, arm) for line, arm in zip(lines, records.open_columns[ARM].tolist(), strict=True)]
    with transaction.atomic():
        still = Survey.objects.select_for_update(no_key=True).filter(pk=pk, erasing_since=None).exists()
        if still and not version.snapshots.exists():
            snapshot = append(version, sent, lines)
            order = whose(snapshot, sent, lines)
            answers = pack(Records(version.design, truth[order], direct[order]), may_be_complete=True)
            DemoTruth.objects.create(version=version, answers=answers.tobytes())


def whose(snapshot: Snapshot, sent: np.ndarray, lines: list[bytes]) -> np.ndarray:
    """The places of the people in the order in which their responses were sealed.

    Of several who sent the very same it does not matter who is who: what is shown of them is counted together.
    """
    part = snapshot.parts.get()  # a rehearsal is smaller than one part
    sealed = np.frombuffer(part.records, np.uint8).reshape(sent.shape)
    order = np.empty(len(sent), np.int64)
    order[_sorted(sealed, unzip_lines(part.open) or lines)] = _sorted(sent, lines)
    return order


def _sorted(rows: np.ndarray, lines: list[bytes]) -> list[int]:
    keys = [(line, row.tobytes()) for line, row in zip(lines, rows, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)
