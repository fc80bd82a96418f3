"""The work of a rehearsal: simulated people answer, and their answers are there whole or not at all."""

from __future__ import annotations

import numpy as np
from django.db import transaction

from privacy.design import ARM
from privacy.disguise import disguise
from privacy.records.packing import pack
from surveys.domain.rehearsal.people import open_lines, people, with_arm
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion


def fill(pk: int) -> None:
    """Let simulated people answer through the channel of the design, once."""
    version = SurveyVersion.objects.filter(survey=pk, survey__rehearses__isnull=False).select_related("survey").first()
    if version is None or version.snapshots.exists():
        return
    chance = np.random.default_rng()
    count = version.survey.expected
    truth, direct = people(version.design, count, chance, version.parsed.lot)
    records = disguise(version.design, truth, direct)
    packed = pack(records)
    lines = open_lines(version.parsed.open_questions, count, chance)
    if ARM in records.open_columns:
        lines = [with_arm(line, arm) for line, arm in zip(lines, records.open_columns[ARM].tolist(), strict=True)]
    with transaction.atomic():
        still = Survey.objects.select_for_update(no_key=True).filter(pk=pk, erasing_since=None).exists()
        if still and not version.snapshots.exists():
            append(version, packed, lines)
