"""The one error a person may read, and the mark of sentences that pages say in the reader's language."""

from collections.abc import Container


def to_translate(text: str) -> str:
    """The text itself; the call marks it for `make messages`.

    >>> to_translate("support")
    'support'
    """
    return text


class InputError(ValueError):
    """Input that cannot be used. Its text is one sentence that names the place, the value and the rule."""

    at = ""


def as_typed(error: InputError, options: Container[str]) -> str:
    """The refusal as a command prints it: arguments of the library get the names of their options.

    >>> as_typed(InputError("min_support: 0 is not a share."), {"min_support"})
    '--min-support: 0 is not a share.'
    """
    name, colon, rule = str(error).partition(":")
    return f"--{name.replace('_', '-')}{colon}{rule}" if name in options else str(error)


class NoFigureError(InputError):
    """These records tell nothing of a figure that others may tell."""


class InputWarning(UserWarning):
    """Input that is used, and that may not mean what it is taken to mean; its text is one sentence, too."""


class EntryError(InputError):
    """Input that may have been entered on a page, which says the sentence in the reader's language and at its field.

    `sentence` is a format for the values, such as "{share:.10g} is outside 0 to 1.", and `at` the place, such as
    "blocks[0].keep". `make messages` collects the sentences.
    """

    def __init__(self, sentence: str, at: str = "", **values: object) -> None:
        said = sentence.format(**values)
        super().__init__(f"{at}: {said}" if at else said)
        self.sentence, self.at, self.values = sentence, at, values
