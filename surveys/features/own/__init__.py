"""Questions of which people draw the chance themselves.

in a document      "own": null | {"never": "moon", "held": ["mother", …]}    a question that nobody affirms, and facts
                   that somebody knows who may see the answers
in a definition    "own": {} | {"never": "moon"}    it follows from the design; "controls" in versions of before are
                   undisguised questions like others
"""

from collections.abc import Iterator
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


def _check(around: Around) -> None:
    own = around.source["own"]
    if not isinstance(own, dict) or not set(own) <= {"never", "controls"}:
        raise InputError("own holds the name of a question that is never true, or nothing.")
    by_item = {item.id: block for block in around.design.blocks for item in block.items}
    if "never" in own and (own["never"] not in by_item or not by_item[own["never"]].draw):
        raise InputError("own.never is no question that people draw for themselves.")
    if "never" in own and len(by_item[own["never"]].items) > 1:
        raise EntryError("a question that is never true needs a draw of its own: its answer is known beside others.")
    if around.design.direct:
        raise EntryError("who draws the chance answers disguised: a survey has either direct answers or own draws.")


def _look_as_question(design: Design, _source: Source) -> tuple[PublishedQuestion, ...]:
    return (LOOK_QUESTION,) if any(block.draw and block.draw.way.look for block in design.blocks) else ()


def _says(_source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "People draw the chance of their answers themselves. What they press is sent as it is, and nothing changes it."
    )


def _note_for_files(source: Source) -> tuple[str, str, str]:
    return "People drew the chance of their answers themselves.", "A question that is never true:", never(source) or "–"


OWN = Feature(
    "own",
    {"own": None},
    _check,
    _says,
    asked=_look_as_question,
    noted=_note_for_files,
    codebook=lambda source: {"drawn_by": "person", **source["own"]},
    parts=("draft", "staff"),
)
