"""What people read who enter sheets: under every limit it is the same, whatever few people answered by web."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.messages.submission import Stored
from surveys.domain.responses.seal import seal
from surveys.features.paper.batches import enter_batch
from surveys.models import Inbox
from tests.cases import first
from tests.surveys.documents import options, question
from tests.surveys.features.paper.sheets_of import clerk_of, crosswise, of_paper, publish_paper, sheet_file, table_of
from tests.surveys.inbox import wait

FACULTY = question("faculty", "choice", options=options("arts", "law", "music"), required=True)
CHANGES = re.compile(r'value="\w{32,64}"|[0-9a-f]{64}')  # secrets of forms, and receipts
BY_WEB = 60
LATER = timezone.now() + timedelta(days=300)
LIMITS: dict[str, dict[str, Any]] = {
    "a quota that the stack fills": {"quota": BY_WEB + 20},
    "a quota": {"quota": 500},
    "an end": {"closes_at": LATER},
    "a beginning": {"opens_at": LATER},
}


def sent_by_web(rare: int) -> Iterator[Stored]:
    """So many people study music, whom nobody disguised."""
    for place in range(BY_WEB):
        faculty = "music" if place < rare else ("arts", "law")[place % 2]
        yield Stored(b"\0", json.dumps({"mode": "web", "faculty": faculty}).encode())


def read_all(limit: str, rare: int) -> list[tuple[int, str]]:
    """What a clerk is answered who opens each page, enters stacks rightly and wrongly, and looks again."""
    version = publish_paper(crosswise("copied"), FACULTY, **LIMITS[limit])
    wait(version, sent_by_web(rare))
    client, page = clerk_of(version), f"/staff/studio/{version.survey_id}/paper/"

    def enter(rows: list[str], counted: int, again: str = "") -> Any:
        files = {"file": sheet_file(version, *rows), "again": again}
        sent = {name: SimpleUploadedFile("sheets.csv", text.encode()) for name, text in files.items() if text}
        return client.post(page, {"counted": counted, "aside": 0} | sent)

    music, law = ["3,1"] * 20, ["2,1"] * 19
    look = ["/staff/studio/", page, "/s/study/questionnaire", "/s/study/groups"]
    answers = [client.get(address) for address in look]
    answers += [client.post(f"{page}typed/", "3,1", content_type="text/plain"), enter(law, 19), enter(music, 19)]
    answers += [enter(music, 20), enter(music, 20), enter(["4,1"] * 20, 20), enter(law * 2, 38)]
    seal(version)
    answers += [client.get(address) for address in look]
    return [(answer.status_code, CHANGES.sub("", answer.content.decode())) for answer in answers]


@pytest.mark.parametrize(("limit", "few"), first(1, product(LIMITS, (19, 1))))
def test_a_clerk_does_not_learn_whether_nobody_or_a_few_gave_an_answer(limit: str, few: int) -> None:
    """Each page and refusal before, between and after stacks of the same answer, and once it is sealed."""
    worlds = []
    for rare in (0, few):
        with transaction.atomic():
            worlds.append(read_all(limit, rare))
            transaction.set_rollback(True)

    assert worlds[0] == worlds[1]


def test_no_answer_that_is_asked_on_paper_has_a_limit() -> None:
    """So no entry can be the last one of a group: a sheet would show that by being refused."""
    with pytest.raises(EntryError, match="“faculty” has “enough”, which needs a screen"):
        of_paper(crosswise("copied"), FACULTY | {"enough": {"music": 20}}, checked=True)


def test_what_a_file_tells_that_was_entered_before_costs_a_stack_for_each_wrong_guess() -> None:
    """Somebody who knows all of it but one sheet may try what that one says, as the guide says."""
    version = publish_paper(crosswise("copied"), FACULTY)
    known = ["1,1"] * 19
    stored = []
    for last in ("3,1", "1,1", "2,1", "3,1"):
        with suppress(EntryError):
            enter_batch(version, 20, 0, table_of(sheet_file(version, *known, last)))
        stored.append(Inbox.objects.count())

    assert stored == [20, 40, 60, 60]
