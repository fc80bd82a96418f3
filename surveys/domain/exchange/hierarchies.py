"""A hierarchy for a release: the labels that may stand for each value, from a file or typed."""

from privacy.errors import EntryError, to_translate
from privacy.release.hierarchies import by_text
from surveys.domain.exchange.imported import TooLargeError

LARGEST = 1_000_000  # bytes of a file
LABELS = 100_000
TOO_MANY = to_translate("A hierarchy has at most {most} labels.")


def read_levels(content: bytes) -> list[list[str]]:
    if len(content) > LARGEST:
        raise EntryError("The file has {size} bytes, more than {most}.", size=len(content), most=LARGEST)
    try:
        return rows_of(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise EntryError("The file is not UTF-8.") from error


def rows_of(text: str) -> list[list[str]]:
    """A list for each value, of the labels that may stand for it; too many labels are refused before they are read."""
    if text.count(";") + max(map(text.count, "\r\n")) > LABELS:
        raise TooLargeError(TOO_MANY, most=LABELS)
    tree = by_text(text, "")
    return [
        [labels[own[place]] for labels, own in zip(tree.labels, tree.places, strict=True)]
        for place in range(len(tree.labels[0]))
    ]
