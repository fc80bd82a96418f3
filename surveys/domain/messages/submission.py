"""What a respondent's device sends: strict JSON, checked against the definition, and the bytes that are stored of it.

A message is refused by a status, a code for the device, and a sentence that repeats nothing of what was sent.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.disguise.table import draw_questions
from privacy.errors import InputError
from privacy.options.notation import number
from privacy.records.packing import pack_one
from surveys.conditions import ends_visit, is_asked
from surveys.definition import BODY_LIMIT, Definition
from surveys.features import MODE, modes_of
from surveys.questions import PublishedQuestion, type_of


class Refused(Exception):  # noqa: N818 - not an error of the program
    """`code`: for the device, where the sentence is for people; `more`: the survey's texts, as of a closed one."""

    def __init__(self, status: int, code: str, message: str, **more: object) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more


def json_refusal(message: str) -> Refused:
    return Refused(400, "json", message)


def unfit(message: str) -> Refused:
    """The refusal of a message whose content does not fit the survey."""
    return Refused(422, "content", message)


_LONGEST_NUMBER = 30


def read_object(body: bytes) -> dict[str, Any]:
    """Read the JSON object in a body, of which the caller has read at most one byte more than BODY_LIMIT."""
    try:
        document = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object_of_pairs,
            parse_constant=_refuse_constant,
            parse_int=_parse_integer,
            parse_float=_parse_real,
        )
        _check_strings(document)
    except RecursionError:
        raise json_refusal("The message is nested too deeply.") from None
    except UnicodeDecodeError:
        # A body that is too long may have been cut inside a character.
        raise _too_large() if len(body) > BODY_LIMIT else json_refusal("The message is not UTF-8.") from None
    except ValueError:
        raise _too_large() if len(body) > BODY_LIMIT else json_refusal("The message is not JSON.") from None
    if len(body) > BODY_LIMIT:
        raise _too_large()
    if not isinstance(document, dict):
        raise json_refusal("The message is not a JSON object.")
    return document


def _too_large() -> Refused:
    return Refused(413, "size", "The message is larger than 64 KiB.")


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise json_refusal("The message contains a field twice.")
    return document


def _refuse_constant(_: str) -> None:
    raise json_refusal("The message contains an invalid number.")


def _parse_integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise json_refusal("The message contains a number that is too long.")
    return int(digits)


def _parse_real(digits: str) -> float:
    if len(digits) > _LONGEST_NUMBER:
        raise json_refusal("The message contains a number that is too long.")
    try:
        return number(digits)
    except InputError:
        raise json_refusal("The message contains a number that is too large or too small.") from None


def _check_strings(value: object) -> None:
    """Refuse NUL and lone surrogates in names and values; databases and files would refuse them later, less clearly."""
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise json_refusal("The message contains an invalid character.")
    elif isinstance(value, dict):
        for name, entry in value.items():
            _check_strings(name)
            _check_strings(entry)
    elif isinstance(value, list):
        for entry in value:
            _check_strings(entry)


_FIELDS = frozenset(("version", "key", "direct", "record", "open", "pad"))
_HEX_64 = re.compile(r"[0-9a-f]{64}")
_HEX_32 = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Envelope:
    """The parts of a submission before its definition is known: their types are checked, their meaning is not."""

    version: str
    key: bytes
    direct: int
    record: list[Any]
    open: dict[str, Any]
    token: dict[str, Any] | None


@dataclass(frozen=True)
class Stored:
    """The two columns of an inbox row: the packed record, and the undisguised answers as canonical JSON."""

    record: bytes
    open: bytes


def envelope(document: dict[str, Any]) -> Envelope:
    """Check the types of a submission's fields; Refused if one is missing, unknown or of a wrong type."""
    names = document.keys() - {"token"}
    if names != _FIELDS:
        raise unfit("The message must contain exactly version, key, direct, record, open and pad.")
    if not _is_hex(_HEX_64, document["version"]) or not _is_hex(_HEX_32, document["key"]):
        raise unfit("version must be 64 and key 32 hexadecimal digits.")
    if type(document["direct"]) is not int or document["direct"] not in (0, 1):
        raise unfit("direct must be 0 or 1.")
    if not isinstance(document["record"], list) or not isinstance(document["open"], dict):
        raise unfit("record must be a list and open an object.")
    if not isinstance(document["pad"], str) or not isinstance(document.get("token", {}), dict):
        raise unfit("pad must be a text and token an object.")
    return Envelope(
        document["version"],
        bytes.fromhex(document["key"]),
        document["direct"],
        document["record"],
        document["open"],
        document.get("token"),
    )


def bytes_to_store(sent: Envelope, definition: Definition) -> Stored:
    """The bytes to store; Refused if something in the submission does not fit the definition."""
    design = definition.design
    if sent.direct and not design.direct:
        raise unfit("This survey does not allow direct answers.")
    codes = _codes_of(sent, design)
    answered = zip(design.items, codes, strict=True)
    if sent.direct and any(item.beyond_answers and not item.can_be_true(np.array(code)) for item, code in answered):
        raise unfit("A direct record must hold true answers.")
    _check_open(sent.open, definition.beside_records)
    answers = json.dumps(sent.open, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return Stored(pack_one(design, codes, bool(sent.direct)), answers if definition.beside_records else b"")


def check_asked(sent: Envelope, design: Design) -> None:
    """Refuse a record of other items than follow from the invitation's token, whose signature nobody can choose."""
    assert sent.token is not None  # it was checked before
    seed = f"candor asked {sent.version} {sent.token['signature']}".encode("ascii")
    if [value is not None for value in sent.record] != draw_questions(design, seed):
        raise unfit("record must answer the items that the invitation's token draws.")


def check_stated(sent: Envelope, definition: Definition, mode: str) -> None:
    """Refuse a message that says of itself what none that comes this way says."""
    if modes_of(definition.source) and sent.open.get(MODE, mode) != mode:
        raise unfit("open says that the response came otherwise than by the page.")


def receipt(version: str, key: bytes, response: Stored) -> tuple[bytes, bytes]:
    """Two hashes of 16 bytes: of the submission key, to recognise a retry, and of key and stored bytes (the proof).

    Neither can be computed from a stored response alone, because the server does not keep the key (128 random bits).
    """
    key_bytes = bytes.fromhex(version) + key
    return (
        sha256(b"candor key" + key_bytes).digest()[:16],
        sha256(
            b"candor proof" + key_bytes + len(response.record).to_bytes(4) + response.record + response.open
        ).digest()[:16],
    )


def _is_hex(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _codes_of(sent: Envelope, design: Design) -> list[int]:
    """The codes of the sent record, after a check that a device with this design can have sent it."""
    if len(sent.record) != len(design.fields):
        raise unfit("record must hold one entry for each item.")
    codes = []
    for value, field in zip(sent.record, design.fields, strict=True):
        if value is not None and (type(value) is not int or not 0 <= value < field.size):
            raise unfit("record contains a value that is not an option's number.")
        codes.append(design.not_asked if value is None else value)
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        own = codes[first : first + len(block.items)]
        if sum(code != design.not_asked for code in own) != block.items_per_person:
            raise unfit("record must answer exactly the items that were asked.")
        if not sent.direct and not block.can_send(own):
            raise unfit("record holds answers that no device sends.")
    return codes


def _check_open(answers: dict[str, Any], questions: tuple[PublishedQuestion, ...]) -> None:
    known = {question.id: question for question in questions}
    if not answers.keys() <= known.keys():
        raise unfit("open contains an answer to an unknown undisguised question.")
    for question in questions:
        given = question.id in answers
        if not is_asked(question, answers, known):
            if given:
                raise unfit("open contains an answer to a question that was not shown.")
        elif given and not type_of(question).fits(question, answers[question.id]):
            raise unfit("open contains an answer that does not fit its question.")
        elif given and ends_visit(question, answers[question.id]):
            raise unfit("open contains an answer that ends the visit.")
        elif not given and question.required:
            raise unfit("open lacks an answer to a required question.")
