"""A second wave: the figures of an earlier version chose what this one asks, and its people do not answer here.

in a document      "protection": {"after": {…}}        the list that the earlier version makes likely; "way" is "word":
                   its "version" (the hash, and the number "of" it), how many sets are wanted ("top"), and the
                   "shares" of answers there with their errors, by answers as patterns write them
in a definition    "after": "…"                        the hash of the earlier version
"""

import re
from collections.abc import Iterator
from operator import itemgetter

from django.utils.translation import gettext as _, gettext_noop

from privacy.errors import InputError
from surveys.features.feature import Around, Feature, Named, Source

AFTER = "after"


def first_wave(source: Source) -> str | None:
    """The hash of the version whose figures chose what this one asks: its people do not answer here."""
    return source.get("after")


def _check(around: Around) -> None:
    if not re.fullmatch("[0-9a-f]{64}", around.source["after"]):
        raise InputError("after is the hash of a version.")


def _says(_source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "This is a second wave: people who answered the first do not answer. The page asks all whom no lot has "
        "kept for it."
    )


def _note(source: Source) -> tuple[str, str, str]:
    sentence = gettext_noop(
        "This is a second wave: the figures of an earlier version chose the sets of answers in its list, and people "
        "who answered that version were asked not to answer this one. These rows alone tell the sets."
    )
    return sentence, gettext_noop("The earlier version:"), source["after"]


SECOND_WAVE = Feature(
    "second_wave",
    {},
    _check,
    _says,
    entries=("after",),
    asks_others=True,
    noted=_note,
    codebook=itemgetter("after"),
    parts=("draft", "changes", "report", "staff"),
)
