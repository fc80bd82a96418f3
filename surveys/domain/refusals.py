"""Why a respondent's device is refused: a status, a code for the device, a sentence that echoes nothing."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - not an error of the program
    """`more` is what the survey itself has to say, the same for everybody."""

    def __init__(self, status: int, code: str, message: str, **more: object) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more


def malformed(message: str) -> Refused:
    return Refused(400, "json", message)


def unfit(message: str) -> Refused:
    return Refused(422, "content", message)
