"""A snapshot that a mining run names stays whole while newer ones are sealed, and goes with its survey."""

import numpy as np
from django.utils import timezone

from mining.models import MiningRun
from privacy.records.packing import row_bytes
from surveys.domain.responses import seal
from surveys.domain.responses.snapshots import records
from surveys.models import Part, Snapshot, SurveyVersion


def seal_responses(version: SurveyVersion, count: int) -> Snapshot:
    return seal.append(version, np.zeros((count, row_bytes(version.design)), np.uint8), [b""] * count)


def held_by_a_run(snapshot: Snapshot) -> MiningRun:
    return MiningRun.objects.create(
        snapshot=snapshot,
        min_support=0.1,
        min_confidence=0.6,
        max_length=3,
        negated=False,
        estimator="stratified",
        engine="auto",
        requested_at=timezone.now(),
    )


def test_a_run_keeps_its_snapshot_through_later_sealings(version: SurveyVersion) -> None:
    """What was held can still be read, byte for byte; a snapshot in between that nobody named is gone."""
    first = seal_responses(version, 20)
    held_by_a_run(first)
    seal_responses(version, 30)
    newest = seal_responses(version, 40)
    assert list(version.snapshots.all()) == [first, newest]
    assert (len(records(first)), len(records(newest)), Part.objects.count()) == (20, 90, 2)


def test_a_snapshot_that_was_let_go_leaves_with_the_next_sealing(version: SurveyVersion) -> None:
    """With the run its reason to stay is gone."""
    run = held_by_a_run(seal_responses(version, 20))
    seal_responses(version, 30)
    run.delete()
    newest = seal_responses(version, 40)
    assert list(version.snapshots.all()) == [newest]
    assert Part.objects.count() == 1
