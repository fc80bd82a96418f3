"""How far the making of a table is, and why none comes of what was asked for.

What is stored holds a code, so that every reader reads the sentence in their own language, however it is worded then.
A caller gives a function, which gets a share from 0 to 1 again and again; what it raises ends the work: so a job is
cancelled.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from privacy.errors import EntryError, to_translate


class ReleaseError(EntryError):
    """No table comes of what was asked for, for a reason that has a code."""

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "starred": to_translate("The column {column} holds the value '*', which is the mark of suppressed values."),
        "missing": to_translate("the value {value} of the column {column} is missing."),
        "root": to_translate(
            "even with every quasi-identifier generalised to its root, the table does not satisfy it; ask for less."
        ),
        "top": to_translate(
            "even with every quasi-identifier on its greatest level, the table does not satisfy it; allow greater "
            "levels, or ask for less."
        ),
        "bound": to_translate("the table has {value}, which is above {bound}; allow more, or ask for less elsewhere."),
        "low": to_translate("the table has {value}, which is below {bound}; allow less, or ask for less elsewhere."),
        "bounds": to_translate(
            "no table with one level for each attribute satisfies the model within these bounds; allow more, or ask "
            "for less elsewhere."
        ),
        "suppressed": to_translate(
            "The suppressed rows ({rows}) are a class too, because people who fit no other class are among them. This "
            "class does not satisfy {missed} of the model; suppress none, or ask for less."
        ),
        "few": to_translate(
            "Each group of direct respondents needs {least} answers to “{item}”, but all together gave {given}; ask "
            "for less."
        ),
        "few_undisguised": to_translate(
            "Each group needs {least} answers to “{item}”, but all together gave {given}; ask for less."
        ),
        "hidden": to_translate(  # no longer given; rows of older sites keep it
            "Every response would be hidden; ask for less, or mark fewer answers as known to others."
        ),
        "disclosed": to_translate(  # this, and the two that follow, are no longer given; rows of older sites keep them
            "Together with earlier releases about the same people, this one would reveal “{attribute}” of {count} of "
            "them; use coarser levels, or the same ones as before."
        ),
        "joined": to_translate(
            "Rows of this release could be linked with those of an earlier one about the same people, for {count} of "
            "them; use coarser levels, or the same ones as before."
        ),
        "drawn": to_translate(
            "“{attribute}” is disguised in this release or an earlier one, and both have it: together they tell more "
            "than γ allows. Publish it once."
        ),
        "follows": to_translate(
            "“{other}” tells of “{attribute}”, which is disguised: it is of the same question, or asked only after "
            "some answers to it. Leave it out, or disguise both."
        ),
        "listed": to_translate(
            "{rows} rows of the column {column} are on the list of safe harbour ({letter}: {about}); drop it, or make "
            "it coarser."
        ),
        "no_number": to_translate("{column} is no number in every row, and means need numbers; take another method."),
        "many_values": to_translate(
            "the column {column} has {count} values that stay, above {most}; give it ranges, and take another method."
        ),
        "unasked": to_translate("ilp-l changes values, so every row must have a sensitive one."),
        "values": to_translate("the sensitive attribute has fewer than {least} values."),
        "class": to_translate("a class of {k} records cannot have {l} values."),
        "utility_value": to_translate("the sensitive value {value} is missing."),
        "utility_name": to_translate("the sensitive value {value} has no utility for {name}."),
        "utility_alone": to_translate("utilities need a sensitive column, but no column is sensitive."),
    }

    def __init__(self, code: str, at: str = "", **values: object) -> None:
        super().__init__(self.SENTENCES[code], at, **values)
        self.code = code


Progress = Callable[[float], object]


def nobody(_share: float) -> None:
    """Ignore the progress: no caller waits for it."""


def part_of_work(progress: Progress, low: float, high: float) -> Progress:
    """Report progress of a part as its place in the whole.

    >>> part_of_work(print, 0.5, 1.0)(0.5)
    0.75
    """
    return lambda share: progress(low + (high - low) * share)
