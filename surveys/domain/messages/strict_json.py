"""JSON as the respondent's page writes it. What only a request made by hand would hold is refused."""

import json
from typing import Any

from privacy.errors import InputError
from privacy.options.notation import number
from surveys.definition import BODY_LIMIT
from surveys.domain.messages.refusals import Refused, json_refusal

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
