"""A file that somebody sends is read in a process apart, with little memory and time, one at a time for each person.

So no file makes the web server grow or keeps it busy. What is read, and what refuses a file, is `child`'s.
"""

import json
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

from privacy.errors import EntryError, to_translate
from surveys.children.forked import end_after, start
from surveys.domain.database.locks import lock
from surveys.domain.exchange.imported import ImportRefusedError, Note, TooLargeError, again

log = logging.getLogger(__name__)

SECONDS = 6  # of a processor
LONGEST = 60.0  # seconds, on a machine that has much other work
MEBIBYTES = 512  # of memory
ANSWER = 4_000_000  # bytes of what was read
AT_ONCE = 2  # files that one machine reads
PATIENCE = 1.0  # seconds for which a file waits for another one's end


class BusyError(EntryError):
    """This file was not looked at: others are being read."""


def read_apart(person: int | None, kind: str, content: bytes, *others: Any) -> Any:
    """Return what `child.READERS[kind]` reads in a process apart, or raise its refusal; `others`: more arguments.

    Of one `person`, a user's key, one file is read at a time, and few in all: BusyError while others are read.
    """
    if not content:
        raise EntryError("the file is empty.")
    with _reading_turn(person):
        arguments = kind, get_language() or settings.LANGUAGE_CODE, json.dumps(others)
        started = start("surveys.domain.exchange.child", *arguments, given=len(content))
        with end_after(started) as process, suppress(TimeoutError):
            said = process.communicate(content, ANSWER, LONGEST)
            if said or process.wait(LONGEST) != -signal.SIGXCPU:
                return _read_answer(said)
    raise TooLargeError(to_translate("reading the file takes more than {most} seconds."), most=SECONDS)


def _read_answer(said: bytes) -> Any:
    if len(said) > ANSWER:
        raise TooLargeError(to_translate("the content of the file has more than {most} bytes."), most=ANSWER)
    if not said:
        log.warning("A process that read a file ended without an answer.")
        raise EntryError("the file cannot be read.")
    answer = json.loads(said)
    if "faults" in answer:
        raise ImportRefusedError(Note(again(place), again(sentence)) for place, sentence in answer["faults"])
    if "sentence" in answer:
        kind = TooLargeError if answer["large"] else EntryError
        raise kind(answer["sentence"], answer["at"], **answer["values"])
    return answer["read"]


@contextmanager
def _reading_turn(person: int | None) -> Iterator[None]:
    """In the block no other file of this person is read, and few on this machine; the locks end with the process."""
    folder = settings.CANDOR_DATA / "run"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    own = lock(folder / f"reading-of-{person}.lock")
    if own is None:
        raise BusyError(to_translate("your last file is still being read: send this one afterwards."))
    try:
        place = _lock_one_of([folder / f"reading-{number}.lock" for number in range(AT_ONCE)])
        try:
            yield
        finally:
            os.close(place)
    finally:
        os.close(own)


def _lock_one_of(locks: list[Any]) -> int:
    end = time.monotonic() + PATIENCE
    while True:
        for path in locks:
            if (place := lock(path)) is not None:
                return place
        if time.monotonic() > end:
            raise BusyError(to_translate("the site is busy reading other files: send this one again in a moment."))
        time.sleep(0.05)
