"""Reading sealed responses: the newest snapshot of a survey, and what it holds."""

import hmac
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet

from privacy.records import Records
from privacy.records.packing import row_bytes, unpack
from surveys.models import Part, Snapshot, Survey, SurveyVersion

Sealed = tuple[int, str, int]  # of a part: its key, its hash, how many responses it holds


def latest(survey: Survey) -> Snapshot | None:
    """The newest snapshot of the newest version that has one."""
    return Snapshot.objects.filter(version__survey=survey).order_by("version__number", "id").last()


def parts(snapshot: Snapshot) -> Iterator[Part]:
    """The parts of a snapshot in their order, one at a time; ValueError if they are not those that were sealed."""
    listed = list_parts(snapshot)
    yield from parts_of(snapshot, listed)


def list_parts(snapshot: Snapshot) -> list[Sealed]:
    """The list of a snapshot's parts; ValueError if it is not the one that was sealed under the snapshot's hash.

    The database refuses to change parts. A change that was made in spite of this is found here, by the hash of the
    snapshot (over the hashes of its parts), and where a part is read, by the hash of the part (over its bytes).
    """
    rows = snapshot.parts.filter(version=snapshot.version_id).order_by("id")  # by an index that has all of it
    listed = list(rows.values_list("pk", "sha256", "size"))
    hash_and_size = list_hash(snapshot.version, [digest for _, digest, _ in listed]), sum(size for _, _, size in listed)
    if hash_and_size != (snapshot.sha256, snapshot.respondents):
        raise ValueError(f"Snapshot {snapshot.pk} does not list the parts that were sealed under its hash.")
    return listed


def parts_of(snapshot: Snapshot, listed: Sequence[Sealed]) -> Iterator[Part]:
    """Read these parts, which follow one another in the snapshot's list; ValueError if one is not as it was sealed."""
    if not listed:
        return
    version = snapshot.version
    for (_, digest, _), line in zip(listed, _lines_of_list(snapshot, listed).iterator(chunk_size=1), strict=True):
        part = line.part
        is_whole = part_hash(version, part.records, part.open) == digest
        if not is_whole or len(part.records) != part.size * row_bytes(version.design):
            raise ValueError(f"Part {part.pk} does not hold the responses that were sealed under its hash.")
        yield part


def _lines_of_list(snapshot: Snapshot, listed: Sequence[Sealed]) -> QuerySet[Any]:
    """The lines of the snapshot's list, with their parts, as a query.

    In the order of an index of that list. By the keys of the parts themselves SQLite would sort them first, and write
    all records to a temporary file for it.
    """
    first, last = listed[0][0], listed[-1][0]
    lines = Snapshot.parts.through.objects.filter(snapshot=snapshot, part__gte=first, part__lte=last)
    return lines.order_by("part_id").select_related("part")


def records(snapshot: Snapshot) -> Records:
    return unpack(snapshot.version.design, b"".join(part.records for part in parts(snapshot)))


def part_hash(version: SurveyVersion, packed: bytes, answers: bytes) -> str:
    return sha256(b"".join((bytes.fromhex(version.sha256), packed, answers))).hexdigest()


def list_hash(version: SurveyVersion, hashes: Iterable[str]) -> str:
    return sha256(bytes.fromhex(version.sha256 + "".join(hashes))).hexdigest()


def cite(snapshot: Snapshot) -> str:
    """The name under which pages, files and the API cite the snapshot."""
    return cite_hash(snapshot.version.survey, snapshot.sha256)


def cite_hash(survey: Survey, digest: str) -> str:
    """What is printed in place of the hash of one of the survey's snapshots: always the same, and useless for guessing.

    The hash follows from the answers alone. Somebody who knows nearly all of them could try the others until the hash
    fits, so it stays in the database. The key of the HMAC is drawn at publication, of older surveys when it is first
    needed, and erased with the survey.
    """
    if survey.citation_key is None:
        Survey.objects.filter(pk=survey.pk, citation_key=None).update(citation_key=os.urandom(32))
        survey.refresh_from_db(fields=["citation_key"])
    return hmac.digest(bytes(survey.citation_key or b""), bytes.fromhex(digest), "sha256").hex()


def zip_lines(lines: list[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines)) if any(lines) else b""


def unzip_lines(compressed: bytes) -> list[bytes]:
    return zlib.decompress(compressed).split(b"\n") if compressed else []
