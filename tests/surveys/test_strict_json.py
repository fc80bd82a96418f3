"""The JSON a respondent's page writes is read; what only a hand could write is refused by kind."""

import pytest

from surveys.definition import BODY_LIMIT
from surveys.domain.messages import submission
from surveys.domain.messages.submission import Refused


def test_an_object_is_read() -> None:
    """Plain JSON in UTF-8 comes through unchanged."""
    assert submission.read_object('{"a": [1, 2.5, null, "é"]}'.encode()) == {"a": [1, 2.5, None, "é"]}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"a": "\xff"}', id="broken UTF-8"),
        pytest.param('{"a": 1}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b'\xef\xbb\xbf{"a": 1}', id="byte order mark"),
        pytest.param(b'{"a": "\x00"}', id="NUL"),
        pytest.param(b'{"a": "\\u0000"}', id="NUL escaped"),
        pytest.param(b'{"a": "\\ud800"}', id="lone surrogate"),
        pytest.param(b'{"\\udfff": 1}', id="lone surrogate in a name"),
        pytest.param(b'{"a": 1, "a": 1}', id="duplicate key"),
        pytest.param(b'{"a": {"b": 1, "b": 1}}', id="duplicate key inside"),
        pytest.param(b'{"a": NaN}', id="NaN"),
        pytest.param(b'{"a": -Infinity}', id="infinity"),
        pytest.param(b'{"a": 1e999}', id="overflow"),
        pytest.param(b'{"a": 1e-400}', id="underflow"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", id="5000 digits"),
        pytest.param(b"[" * 100_000, id="100 000 deep"),
        pytest.param(b'{"a":' * 12_000, id="12 000 objects deep"),
        pytest.param(b"[1]", id="no object"),
        pytest.param(b'{"a": 1} {}', id="two values"),
    ],
)
def test_malformed_is_400(body: bytes) -> None:
    """Each is refused as malformed."""
    with pytest.raises(Refused) as refusal:
        submission.read_object(body[: BODY_LIMIT + 1])
    assert refusal.value.status == 400


@pytest.mark.parametrize("letter", ["a", "é"])
def test_too_large_is_413(letter: str) -> None:
    """One byte over the limit is too large, also where the cut falls inside a character."""
    body = ('{"a": "' + letter * BODY_LIMIT + '"}').encode()
    with pytest.raises(Refused) as refusal:
        submission.read_object(body[: BODY_LIMIT + 1])
    assert refusal.value.status == 413
