"""Copies of parts on a worker's disk: read in place of the parts, encrypted, and gone with their survey."""

import os
from contextlib import nullcontext
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import numpy as np
import pytest
from django.db import connection

from mining.child import main
from mining.domain.claim import claim, finish
from mining.domain.crew.copies import Copies, copies_here, copies_of, tidy
from mining.domain.crew.groups import Source
from mining.domain.crew.held import Held
from mining.domain.crew.lead import leading
from mining.domain.request import have_tidied
from mining.engines.literals import literals_of
from mining.engines.progress import silent
from mining.models import MiningRun
from surveys.domain.closed.erase import erase
from surveys.domain.responses import snapshots
from surveys.domain.responses.disclosure import Reportable, of_several
from surveys.models import CopyKey, Snapshot
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
PART = 100


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch, settings, tmp_path):
    settings.CANDOR_DATA = tmp_path
    for module in ("surveys.domain.responses.seal", "mining.domain.crew.groups"):
        monkeypatch.setattr(f"{module}.PART_SIZE", PART)
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)


@pytest.fixture
def survey():
    """Of ten full parts, and one that the next sealing may change."""
    return sealed_survey(10 * PART + 50, closed=True)


def held_of(survey, **fields):
    snapshot = snapshots.latest(survey)
    source = Source(snapshot, literals_of(snapshot.version.design), of_several(snapshot))
    return Held(source, copies_here(snapshot.version), **fields)


def counted(held):
    """What a run counts; then copies are made."""
    counts = held.answer(held.source.groups(), "singles", (), False)
    held.copy()
    return counts


def files(folder):
    return sorted(path for path in (folder / "copies").glob("*/*") if path.is_file())


def test_full_parts_are_copied_and_read_from_their_copies(survey, tmp_path, monkeypatch):
    """The second time only the part that may still change is read from the database; the counts are the same."""
    first = held_of(survey)
    groups = [group.name for group in first.source.groups()]
    counts = counted(first)
    assert sorted(path.name for path in files(tmp_path)) == sorted(groups[:-1])
    again, read = held_of(survey), []
    assert again.names == set(groups[:-1])
    monkeypatch.setattr(
        Source, "read", lambda self, group, own=Source.read: read.append(group.name) or own(self, group)
    )
    assert np.array_equal(counted(again), counts)
    assert read == groups[-1:]


@pytest.mark.parametrize("is_erased", [False, True])
def test_copies_are_made_once_the_result_is_stored(survey, tmp_path, settings, monkeypatch, broker, is_erased):
    """The result waits for no copy. Where its survey was erased meanwhile, the copies are noise, and go."""
    settings.MINING_SPREAD_FROM = 1
    # This process has more in memory than a run may have, and waits without end for a thread that finds no room.
    monkeypatch.setattr("mining.child.capped_memory", lambda _most: nullcontext())
    run = queued_run(survey)
    seen = []

    def finished(*result):
        seen.append((finish(*result), files(tmp_path)))
        if is_erased:
            erase(survey, with_findings=True)

    monkeypatch.setattr("mining.child.finish", finished)
    main(run.pk, claim(run.pk))
    assert (seen, len(files(tmp_path))) == ([(True, [])], 10)
    assert CopyKey.objects.exists() is not is_erased
    tidy()
    assert len(files(tmp_path)) == (0 if is_erased else 10)


@pytest.mark.parametrize("room", [256, 0])
def test_a_copy_is_made_before_its_columns_are_let_go(survey, tmp_path, settings, room):
    """They have no room in memory, and the next question reads the copy; or the direct group is left out."""
    settings.MINING_MEMORY_MIB = room
    held = held_of(survey)
    groups = held.source.groups()
    held.answer(groups, "sizes", (), False)
    assert len(files(tmp_path)) == (0 if room else 10)
    held.answer(groups, "sizes", (), True)
    assert len(files(tmp_path)) == 10
    whole = Held(held.source, None)
    assert np.array_equal(counted(held_of(survey)), counted(whole))


def test_a_copy_is_of_what_was_told(survey):
    """Columns with the direct group and without it, and of other literals, are other copies."""
    snapshot = snapshots.latest(survey)
    design = snapshot.version.design
    kinds = [
        {group.name for group in Source(snapshot, literals_of(design, negated), Reportable(direct, open=True)).groups()}
        for negated in (False, True)
        for direct in (False, True)
    ]
    assert len(set.union(*kinds)) == sum(map(len, kinds)) == 4 * 11


def test_a_copy_that_another_version_packed_is_none(survey, monkeypatch):
    """Keys outlive upgrades. What was packed otherwise, and perhaps wrong, has other names, and is packed anew."""
    with monkeypatch.context() as before:
        before.setattr("mining.domain.crew.groups.PACKING", "before")
        counted(held_of(survey))
    groups = held_of(survey).source.groups()
    assert held_of(survey).names.isdisjoint(group.name for group in groups)


def test_copies_are_encrypted_and_only_their_owner_may_open_the_file(survey, tmp_path):
    held = held_of(survey)
    counted(held)
    columns = held.source.read(held.source.groups()[0]).chunks[0].words.tobytes()
    path = tmp_path / "copies" / CopyKey.objects.get().name / held.source.groups()[0].name
    assert columns not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    assert bytes(CopyKey.objects.get().key) not in path.read_bytes()


@pytest.mark.parametrize("harm", ["bit", "cut", "moved"])
def test_a_copy_that_was_changed_is_none(survey, tmp_path, harm):
    """The parts are read in its place, and the copy is made anew."""
    counts = counted(held_of(survey))
    first, second, *_ = files(tmp_path)
    whole = first.read_bytes()
    broken = {"bit": whole[:-1] + bytes([whole[-1] ^ 1]), "cut": whole[:20], "moved": second.read_bytes()}
    first.write_bytes(broken[harm])
    assert np.array_equal(counted(held_of(survey)), counts)
    assert copies_of(snapshots.latest(survey).version).read(first.name, literals_of(_design(survey))) is not None


def _design(survey):
    return snapshots.latest(survey).version.design


def sampled_keys():
    """The keys that the planner of PostgreSQL keeps for itself once it has looked, for longer than their rows."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SELECT attname FROM pg_stats WHERE tablename = %s", [CopyKey._meta.db_table])
        return cursor.fetchall()


def test_erasing_a_survey_ends_all_its_copies_even_of_a_worker_that_is_away(survey, tmp_path, settings, monkeypatch):
    """Its key is destroyed at once: the copies of a worker that is away are noise, and go when the worker is back."""
    settings.CANDOR_DATA = tmp_path / "away"
    away = held_of(survey)
    counted(away)
    settings.CANDOR_DATA = tmp_path / "here"
    counted(held_of(survey))
    other = sealed_survey(3 * PART, slug="other", closed=True)
    counted(held_of(other))
    lost = {path.name for path in files(tmp_path / "here")} & {path.name for path in files(tmp_path / "away")}
    assert len(lost) == 10
    assert sampled_keys() == []

    erase(survey)
    assert [key.version.survey.slug for key in CopyKey.objects.all()] == ["other"]
    tidy()  # of the workers that run
    assert len(files(tmp_path / "here")) == 3

    settings.CANDOR_DATA = tmp_path / "away"
    assert len(files(tmp_path / "away")) == 10
    key_of_another = copies_of(snapshots.latest(other).version)
    for path in files(tmp_path / "away"):
        (path.parent / path.name).rename(key_of_another.folder.parent / path.name)
        key_of_another.folder.mkdir(exist_ok=True)
        (key_of_another.folder.parent / path.name).rename(key_of_another.folder / path.name)
        assert key_of_another.read(path.name, away.source.literals) is None
    tidy()  # it is back
    assert files(tmp_path / "away") == []


def test_a_worker_tidies_when_it_is_told_to(survey, worker, broker, settings):
    """The sealing job tells everybody each minute; what nobody has a key of is removed, and the rest stays."""
    folder = os.environ["CANDOR_DATA"]
    settings.CANDOR_DATA = folder
    counted(held_of(survey))
    kept, lost = CopyKey.objects.get().name, "0" * 32
    os.makedirs(f"{folder}/copies/{lost}")

    def is_tidied():
        have_tidied()  # again and again, as the sealing job does: a worker that has just begun may not hear the first
        return not os.path.exists(f"{folder}/copies/{lost}")

    wait_until(is_tidied, PATIENCE, "the worker tidies")
    assert len(os.listdir(f"{folder}/copies/{kept}")) == 10


def test_what_was_used_longest_ago_makes_room(survey, tmp_path, settings, monkeypatch):
    counted(held_of(survey))
    size = files(tmp_path)[0].stat().st_size
    for age, path in enumerate(files(tmp_path)):
        os.utime(path, (10**9 - age, 10**9 - age))
    newest = files(tmp_path)[:3]
    monkeypatch.setattr("mining.domain.crew.copies._room", lambda: 3 * size)
    tidy()
    assert files(tmp_path) == newest


def test_where_copies_may_take_no_room_there_are_none(survey, tmp_path, settings):
    settings.MINING_COPIES_MIB = 0
    counted(held_of(survey))
    assert not (tmp_path / "copies").exists()
    assert not CopyKey.objects.exists()


def test_a_full_disk_is_no_obstacle(survey, tmp_path, monkeypatch):
    """A write that fails in its middle leaves nothing, and the count goes on."""
    failed = []

    def written(copies, name, counter, own=Copies.write):
        soft, hard = getrlimit(RLIMIT_FSIZE)
        setrlimit(RLIMIT_FSIZE, (20, hard))  # bytes
        try:
            own(copies, name, counter)
        finally:
            setrlimit(RLIMIT_FSIZE, (soft, hard))
        failed.append(name)

    monkeypatch.setattr(Copies, "write", written)
    assert counted(held_of(survey)).sum() > 0
    assert (len(failed), files(tmp_path)) == (10, [])


def test_copies_leave_room_for_others_on_the_disk(survey, tmp_path, monkeypatch):
    """On one machine the database may lie there: none is made, and those that are there go, the oldest first."""
    counted(held_of(survey))
    size = files(tmp_path)[0].stat().st_size
    for age, path in enumerate(files(tmp_path)):
        os.utime(path, (10**9 - age, 10**9 - age))
    newest = files(tmp_path)[:7]
    monkeypatch.setattr("mining.domain.crew.copies._spare", lambda: -3 * size)
    tidy()
    counted(held_of(survey))
    assert files(tmp_path) == newest


def test_what_a_killed_worker_has_not_finished_is_removed(survey, tmp_path):
    """But not what another is writing now."""
    counted(held_of(survey))
    whole = files(tmp_path)
    old, new = (whole[0].with_name(f"{name}.new") for name in ("old", "young"))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (10**9, 10**9))
    tidy()
    assert files(tmp_path) == sorted([*whole, new])


def test_another_secret_key_begins_other_copies(survey, tmp_path, settings):
    """What was wrapped under a key that nobody names any more is drawn anew; copies are made again."""
    counts = counted(held_of(survey))
    before = CopyKey.objects.get().name
    settings.SECRET_KEY = "another secret key" * 4
    assert np.array_equal(counted(held_of(survey)), counts)
    assert CopyKey.objects.get().name != before
    tidy()
    assert {path.parent.name for path in files(tmp_path)} == {CopyKey.objects.get().name}


def test_a_second_run_counts_from_copies(survey, broker, monkeypatch, tmp_path):
    """What a crew has read and packed for one run serves the next one over the same parts."""
    broker.flushall()
    read = []
    monkeypatch.setattr(
        Source, "read", lambda self, group, own=Source.read: read.append(group.name) or own(self, group)
    )
    for support in (0.1, 0.2):
        run = queued_run(survey, min_support=support)
        with leading(run, claim(run.pk), silent, lambda _members: None) as (counter, _):
            assert counter.singles().sum() > 0
    assert (len(read), Snapshot.objects.count(), MiningRun.objects.count()) == (12, 1, 2)
