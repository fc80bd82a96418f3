"""Questions of which people draw the chance themselves.

in a document      "own": null | {"never": "moon", "held": ["mother", …], "controls"?: ["reads", "reads-2"]}    a
                   question that nobody affirms, facts that somebody knows who may see the answers, and two undisguised
                   questions whose answer everybody knows
in a definition    "own": {} | {"never": "moon", "controls": {"reads": 1, "reads-2": 0}}    it follows from the design;
                   of each control the right answer
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.errors import EntryError, InputError
from privacy.own_draw.person_draw import LOOK, LOOKS
from surveys.features.feature import Around, Feature, Named, Source
from surveys.questions import Asks, PublishedQuestion, type_asking

LOOK_QUESTION = PublishedQuestion(LOOK, type_asking(Asks.ONE_OF).name, sensitive=False, required=True, options=LOOKS)


def is_drawn(design: Design) -> bool:
    """Whether people draw the chance of a block themselves."""
    return any(block.draw for block in design.blocks)


def never(source: Source) -> str | None:
    """The question that nobody affirms, and that people draw for, too; None where there is none."""
    name: str | None = (source.get("own") or {}).get("never")
    return name


def controls(source: Source) -> Mapping[str, int]:
    """The undisguised questions whose answer everybody knows, with the right one, 1 or 0."""
    known: Mapping[str, int] = (source.get("own") or {}).get("controls", {})
    return known


def _check(around: Around) -> None:
    own = around.source["own"]
    if not isinstance(own, dict) or not set(own) <= {"never", "controls"}:
        raise InputError("own holds the name of a question that is never true, two controls, or nothing.")
    if "controls" in own:
        undisguised = {one.id for one in around.questions if not one.sensitive and sorted(one.options) == ["0", "1"]}
        known = own["controls"]
        if not isinstance(known, dict) or not known.keys() <= undisguised or sorted(known.values()) != [0, 1]:
            raise InputError("own.controls holds two undisguised questions with the answers 1 and 0, one right each.")
    by_item = {item.id: block for block in around.design.blocks for item in block.items}
    if "never" in own and (own["never"] not in by_item or not by_item[own["never"]].draw):
        raise InputError("own.never is no question that people draw for themselves.")
    if "never" in own and len(by_item[own["never"]].items) > 1:
        raise EntryError("a question that is never true needs a draw of its own: its answer is known beside others.")
    if around.design.direct:
        raise EntryError("who draws the chance answers disguised: a survey has either direct answers or own draws.")


def _look_as_question(design: Design, _source: Source) -> tuple[PublishedQuestion, ...]:
    return (LOOK_QUESTION,) if any(block.draw and block.draw.way.look for block in design.blocks) else ()


def _says(source: Source, named: Named) -> Iterator[str]:
    yield _(
        "People draw the chance of their answers themselves. What they press is sent as it is, and nothing changes it."
    )
    if name := never(source):
        yield _("One question that nobody affirms shows how many do not follow the draw: %(question)s.") % {
            "question": named(name)
        }


def _note_for_files(source: Source) -> tuple[str, str, str]:
    return "People drew the chance of their answers themselves.", "A question that is never true:", never(source) or "–"


OWN = Feature(
    "own",
    {"own": None},
    _check,
    _says,
    follows=is_drawn,
    asked=_look_as_question,
    of_nobody=never,
    known=controls,
    noted=_note_for_files,
    codebook=lambda source: {"drawn_by": "person", **source["own"]},
    parts=("draft", "changes", "report", "staff"),
)
