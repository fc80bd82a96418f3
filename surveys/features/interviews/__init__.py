"""Interviews: interviewers ask people on a tablet that needs no network, beside the web.

in a document      "interviews": true | false | "named"
in a definition    "interviews": {"key": "04…"}     the public point (P-256) to which tablets encrypt what is finished
                   MODE in it: WEB                  what every page says of its response; an interview says INTERVIEW

The disguise is the same as by web, so only what a tablet cannot do without a network is refused.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.features.modes import INTERVIEW, MODE, WEB

NAMED = "named"  # an interview says that it is one
_OF_NETWORKS = {"parameter", "media", "out", "enough"}  # fields that need the site, or a link of one person


def has_interviews(source: Source) -> bool:
    return "interviews" in source


def mode_of_interviews(source: Source) -> str:
    """What an interview says of how it came; by default the same as every page."""
    return INTERVIEW if MODE in source["interviews"] else WEB


def check_interviews(around: Around) -> None:
    """Refuse what a tablet without a network cannot ask: EntryError names the question, or what else it is."""
    if around.design.direct or around.source["access"] != "open":
        raise EntryError(
            "In an interview nobody answers directly or by invitation: choose the open link, or take interviews away."
        )
    for entry in (entry for page in around.source["pages"] for entry in page["questions"]):
        if field := next(iter(sorted(_OF_NETWORKS.intersection(entry))), None):
            raise EntryError("“{name}” has “{field}”, which needs a network.", name=entry["id"], field=field)


def _check(around: Around) -> None:
    entry = around.source["interviews"]
    if not isinstance(entry, dict) or "key" not in entry or not entry.keys() <= {"key", MODE}:
        raise InputError("interviews holds a key, and how the page says that a response came.")
    if entry.get(MODE, WEB) != WEB:
        raise InputError(f"interviews.{MODE} is {WEB!r}, or is left out.")
    if MODE in entry and MODE in around.source:
        raise EntryError("Where people may answer on paper, an interview cannot say that it is one: take that away.")
    check_interviews(around)


def _says(source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "Interviewers may also ask people on a tablet, which disguises the answers as the page does, or lets people "
        "draw. It keeps finished interviews encrypted, without order and time, and sends twenty or more together."
    )
    if MODE in source["interviews"]:
        yield _(
            "Whether a response came by web or from an interview is stored beside it, undisguised; files leave it out "
            "where few came one way."
        )


INTERVIEWS = Feature(
    "interviews",
    {"interviews": False},
    _check,
    _says,
    rehearsed=False,
    lasting=True,
    noted=lambda source: (
        "Interviewers may have asked some people, on tablets.",
        "An interview says that it is one:",
        "yes" if MODE in source["interviews"] else "no",
    ),
    codebook=lambda source: MODE in source["interviews"],
    parts=("draft", "staff"),
)
