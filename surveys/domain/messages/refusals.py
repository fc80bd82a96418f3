"""The refusal of a message from a respondent's device: a status, a code for the device, and a sentence.

The sentence repeats nothing of what was sent.
"""


class Refused(Exception):  # noqa: N818 - not an error of the program
    """`more` holds what the survey itself says to everybody, such as the text of a closed survey."""

    def __init__(self, status: int, code: str, message: str, **more: object) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.more = status, code, message, more


def json_refusal(message: str) -> Refused:
    return Refused(400, "json", message)


def unfit(message: str) -> Refused:
    return Refused(422, "content", message)
