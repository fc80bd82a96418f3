"""Read JSON documents that people write: one sentence names each mistake, its place and its value."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import isinf
from numbers import Number
from typing import Any

from privacy.design.rationals import ONE, fraction, numerator, vanishes
from privacy.errors import EntryError, InputError

LARGEST = 2**53  # of the numbers a design holds; far beyond every use, and every float below it can be written out


def document(source: str | bytes | Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object a JSON text holds; doubled keys, NaN and anything but an object are refused.

    >>> document('{"model": "warner"}', "the design")
    {'model': 'warner'}
    """
    if not isinstance(source, str | bytes):
        return mapping(source, name)
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
        content = json.loads(
            text, object_pairs_hook=_refuse_doubled_keys, parse_float=_read_float, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise InputError(f"{_capitalise(name)} is not UTF-8 text (byte {error.start}).") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{_capitalise(name)} is not JSON: {error.msg.lower()} at {place}.") from None
    except RecursionError:
        raise InputError(f"{_capitalise(name)} is nested too deeply.") from None
    except InputError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        raise InputError(f"{_capitalise(name)} holds a number of too many digits.") from None
    return mapping(content, name)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """The value, where it is an object with named fields; else a refusal.

    >>> mapping([1], "blocks[0]")
    Traceback (most recent call last):
    privacy.errors.InputError: blocks[0]: [1] is not an object with named fields.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {quote(value)} is not an object with named fields.")
    return value


def only_keys(entry: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Refuse an entry that has a field nobody knows.

    >>> only_keys({"teta": 0.3}, ("theta", "keep"), "blocks[0]")
    Traceback (most recent call last):
    privacy.errors.InputError: blocks[0]: the key 'teta' is unknown here; known keys are theta, keep.
    """
    for key in entry:
        if key not in known:
            raise InputError(f"{where}: the key {quote(key)} is unknown here; known keys are {', '.join(known)}.")


def items(value: Any, where: str) -> Sequence[Any]:
    """The value, where it is a list; else a refusal.

    >>> items("drugs", "items")
    Traceback (most recent call last):
    privacy.errors.InputError: items: 'drugs' is not a list.
    """
    if not isinstance(value, list | tuple):
        raise InputError(f"{where}: {quote(value)} is not a list.")
    return value


def entries(value: Any) -> list[Any] | None:
    """Any iterable as a list; None where the value is not iterable, such as an array of one number.

    >>> entries(("drugs", "cheating")), entries(5)
    (['drugs', 'cheating'], None)
    """
    return list(value) if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0 else None


def read_filled_list(entry: Mapping[str, Any], key: str, where: str) -> Sequence[Any]:
    """The list in a field, which has at least one entry; else a refusal.

    >>> read_filled_list({"items": ["drugs"]}, "items", "design")
    ['drugs']
    """
    if key not in entry:
        raise InputError(f"{where}: {key} is missing.")
    entries = items(entry[key], f"{where}.{key}")
    if not entries:
        raise InputError(f"{where}.{key}: the list is empty; it needs at least one entry.")
    return entries


def text(entry: Mapping[str, Any], key: str, where: str) -> str:
    """The text in a field, or a refusal.

    >>> text({"id": "drugs"}, "id", "items[0]")
    'drugs'
    """
    if not isinstance(entry.get(key), str):
        raise InputError(f"{where}.{key}: {quote(entry.get(key))} is not text.")
    return str(entry[key])


def labels(value: Any, where: str) -> tuple[str, ...]:
    """Option labels, which stand in patterns and in CSV headers and must not break them.

    >>> labels(["18-29", "30+"], "items[0].options")
    ('18-29', '30+')
    """
    for label in items(value, where):
        if not isinstance(label, str) or not label or label != label.strip() or "," in label or not label.isprintable():
            raise EntryError(
                "{label} is not a label: text without commas, edge spaces or controls.", at=where, label=quote(label)
            )
    return tuple(value)


def number(entry: Mapping[str, Any], key: str, where: str) -> Fraction:
    """The number in a field, as it was written, or a refusal.

    Where `key` is empty, `where` names the value.

    >>> number({"epsilon": 0.1}, "epsilon", "blocks[0]")
    Fraction(1, 10)
    """
    value = entry.get(key)
    place = f"{where}.{key}" if key else where
    if key and key not in entry:
        raise EntryError("{key} is missing.", at=where, key=key)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise EntryError("{value} is not a number.", at=place, value=quote(value))
    if abs(value) > LARGEST:
        raise EntryError("{value} is too large a number.", at=place, value=quote(value))
    return fraction(value)


def json_number(number: Fraction) -> int | float:
    """A number as JSON writes it back: whole where it is.

    >>> json_number(Fraction(4, 2)), json_number(Fraction(1, 2))
    (2, 0.5)
    """
    return int(number) if number.denominator == 1 else float(number)


def share(entry: Mapping[str, Any], key: str, where: str) -> Fraction:
    """A probability. Refuse one that steps of 2^−32 would round to 0 or 1: the promise would change.

    Where `key` is empty, `where` names the value.

    >>> share({"theta": 0.3}, "theta", "blocks[0]")
    Fraction(3, 10)
    """
    probability = number(entry, key, where)
    place = f"{where}.{key}" if key else where
    if not 0 <= probability <= 1:
        raise EntryError("{share:.10g} is outside 0 to 1.", at=place, share=float(probability))
    if 0 < probability < 1 and not 0 < numerator(probability) < ONE:
        raise EntryError(
            "{share:.10g} is closer to {end} than steps of 2^-32 allow.",
            at=place,
            share=float(probability),
            end=round(probability),
        )
    return probability


def whole_number(entry: Mapping[str, Any], key: str, where: str) -> int:
    """The whole number in a field, or a refusal.

    >>> whole_number({"k": 2.5}, "k", "model")
    Traceback (most recent call last):
    privacy.errors.InputError: model.k: 2.5 is not a whole number.
    """
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}.{key}: {quote(value)} is not a whole number.")
    return value


def quote(value: Any) -> str:
    """A value as it may stand in a sentence: short, whatever was given.

    At most 60 characters; of what nobody writes, such as a table or a list of records, only the type.

    >>> quote("abc"), quote(None), len(quote("a" * 100))
    ("'abc'", 'nothing', 58)
    """
    if getattr(value, "ndim", None) == 0:  # a number of numpy is Python's own
        value = value.item()
    if not _is_plain(value):
        return kind(value)
    try:
        text = "nothing" if value is None else repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return f"a number of more than {sys.get_int_max_str_digits()} digits"
    return text if len(text) <= 60 else text[:57] + "…"


def _is_plain(value: Any) -> bool:
    """Whether a value has only texts, numbers and dates, and so no records or tables, which may hold true answers."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, Mapping):
            left += one.items()
        elif isinstance(one, list | tuple):
            left += one
        elif not (one is None or isinstance(one, str | bytes | Number | date)):
            return False
    return True


def kind(value: Any) -> str:
    """Describe a value by its type only: its content may be long, or true answers.

    >>> kind([0, 1]), kind(None)
    ('what is of type list', 'nothing')
    """
    return "nothing" if value is None else f"what is of type {type(value).__name__}"


def _refuse_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    single: dict[str, Any] = {}
    for key, value in pairs:
        if key in single:
            raise InputError(f"The key {quote(key)} appears twice in one object.")
        single[key] = value
    return single


class _Endless(float):
    """A number that is infinite as a float, and is shown as it was written: 1e400."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _read_float(text: str) -> float:
    """Read a number of JSON; refuse one too small for a float, and keep the text of one too large."""
    if vanishes(text):
        raise InputError(f"{text} is too small a number.")
    number = float(text)
    return _Endless(text) if isinf(number) else number


def _refuse_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python's reader of JSON would accept."""
    raise InputError(f"{name} is not a number that JSON knows.")


def _capitalise(name: str) -> str:
    return name[:1].upper() + name[1:]
