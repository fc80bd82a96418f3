"""The phrase beside the status of an answer, as RFC 9110 has it: Python has others in its older versions."""

from http import HTTPStatus

_RENAMED = {
    413: "Content Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
}  # in Python since 3.13


def phrase(status: int) -> str:
    """What a status says in words.

    >>> phrase(413), phrase(503)
    ('Content Too Large', 'Service Unavailable')
    """
    return _RENAMED.get(status) or HTTPStatus(status).phrase
