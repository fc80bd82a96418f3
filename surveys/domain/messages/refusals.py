"""The refusal of a message from a respondent's device: a status, a code for the device, and a sentence.

The sentence repeats nothing of what was sent.
"""


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
