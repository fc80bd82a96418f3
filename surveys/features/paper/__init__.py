"""Paper: people may answer on sheets, which staff enter, beside the web.

in a document      "paper": true | false | "pooled"
in a definition    "mode": "web"        what every page says of its response; of a sheet, staff say "paper"
                   "modes": "pooled"    both together are weighed by how exactly each is known; else they are strata

A sheet disguises nothing, so every sensitive question must be drawn by the person.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.design import YES_NO, Design
from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.features.modes import MODE as MODE, PAPER_MODE as PAPER_MODE, WEB as WEB, mode_as_question
from surveys.questions import Asks, PublishedQuestion, type_asking, type_of

JOIN, POOLED = "modes", "pooled"  # how both are joined, decided before publishing
VERSION, LOT, SHEET = COLUMNS = ("version", "lot", "sheet")  # of a file, beside the questions
MOST_BOXES = 9  # of a question: each is one key
_ONE_BOX = (Asks.YES_OR_NO, Asks.ONE_OF, Asks.ON_A_SCALE)
_OF_SCREENS = {"when", "pipes", "chances", "parameter", "media", "out", "enough"}  # fields that need a device


def boxes(question: PublishedQuestion) -> tuple[str, ...]:
    """The answers to an undisguised question in the order of their boxes on a sheet: yes comes before no."""
    return question.options[::-1] if question.options == YES_NO else question.options


def check_paper(around: Around) -> None:
    """Refuse what no sheet can ask: EntryError names the question, or what else it is."""
    for block in around.design.blocks:
        if block.draw is None:
            raise EntryError(
                "“{item}” is disguised by the device, which a sheet of paper has not: let people draw it themselves, "
                "or take paper away.",
                item=block.items[0].id,
            )
    if around.design.direct or around.source["access"] != "open":
        raise EntryError("On paper nobody answers directly or by invitation: choose the open link, or take paper away.")
    for entry in (entry for page in around.source["pages"] for entry in page["questions"]):
        if field := next(iter(sorted(_OF_SCREENS.intersection(entry))), None):
            raise EntryError("“{name}” has “{field}”, which needs a screen.", name=entry["id"], field=field)
    for question in around.questions:
        if taken := {question.id, *question.items}.intersection(COLUMNS):
            raise EntryError(
                "“{name}” is a column of files of sheets: give the question another name.", name=min(taken)
            )
        asks = type_of(question).asks
        if not question.sensitive and (asks not in _ONE_BOX or len(question.options) > MOST_BOXES):
            raise EntryError(
                "“{name}” cannot be asked on paper: an undisguised question there has one box to cross, of at most "
                "{most}.",
                name=question.id,
                most=MOST_BOXES,
            )


def _check(around: Around) -> None:
    if around.source[MODE] != WEB:
        raise InputError(f"{MODE} is {WEB!r}, or is left out.")
    if around.source.get(JOIN, POOLED) != POOLED:
        raise InputError(f"{JOIN} is {POOLED!r}, or is left out: then web and paper are strata.")
    check_paper(around)


def is_pooled(source: Source) -> bool:
    """Whether the figure of both modes weighs each by how exactly it is known."""
    return JOIN in source


def _says(source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "People may also answer on paper, where they draw themselves; staff enter the sheets. Whether a response came "
        "by web or on paper is stored beside it, undisguised; files leave it out where few came one way."
    )
    if is_pooled(source):
        yield _(
            "Where the report compares web and paper, it joins both figures: the more exact one counts more. That is "
            "right only if the same people would have answered alike, so the report also shows the difference."
        )


def _note_for_files(source: Source) -> tuple[str, str, str]:
    sentence = (
        "Some people may have answered on paper; staff entered their sheets. The column “mode” says who, where enough "
        "answered by web and on paper; else it is in no file. "
        "Undisguised answers are as they were entered, with the errors of that."
    )
    return sentence, "The report joins web and paper as:", _codebook(source)


def _codebook(source: Source) -> str:
    return POOLED if is_pooled(source) else "strata"


PAPER = Feature(
    "paper",
    {"paper": False},
    _check,
    _says,
    entries=(MODE, JOIN),
    asked=mode_as_question,
    rehearsed=False,
    noted=_note_for_files,
    codebook=_codebook,
    parts=("draft", "report", "staff"),
)
