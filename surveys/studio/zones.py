"""The map of a question for a place as the writing page shows it: its zones as rows of numbers, and drawn.

Sensitive zones grow to the square, are clipped, and join where they overlap.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import Design
from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.design.sentences import three_digits
from privacy.errors import InputError
from surveys.domain.drafts.question_changes import OWN, PARTS
from surveys.domain.questionnaire.document import EnteredBlock, Question
from surveys.kinds import values_of_kind, write_item
from surveys.questions.place import SIZE
from surveys.sentences import sentence_of

LABELS = {
    "left": gettext_lazy("left"),
    "bottom": gettext_lazy("bottom"),
    "width": gettext_lazy("width"),
    "height": gettext_lazy("height"),
    OWN: gettext_lazy("own ε"),
}


def map_of(question: Question) -> dict[str, Any]:
    """The zones with the changes of them, what the page draws, and what zones mean, or why they cannot be used."""
    settings = question.settings
    own, zones = settings["map"], settings.get("zones") or []
    made = block_from_zones(question.block, settings) if zones else None
    change = {"do": "zone", "question": question.id}
    drawn = {
        "map": {name: own[name] for name in ("width", "height", "cell", "lines") if name in own},
        "zones": zones,
        "merged": made.zones if made else [],
    }
    return {
        "zones": [_row(change | {"zone": index}, zone, len(zones) > 1) for index, zone in enumerate(zones)],
        "new": json.dumps(change | {"zone": None, "value": _in_the_middle(own)}),
        "drawn": json.dumps(drawn, separators=(",", ":")),
        "said": made.said if made else "",
        "outlined": "lines" in own,
        "levels": len(zones) > 1,  # whether zones may have an ε of their own
    }


def _row(change: dict[str, Any], zone: list[float], beside_others: bool) -> dict[str, Any]:
    """A zone as a row of its numbers; beside other zones it may have an ε of its own."""
    values: dict[str, float | str] = dict(zip((*PARTS, OWN), zone, strict=False))
    if beside_others:
        values.setdefault(OWN, "")
    lengths = [
        {"label": LABELS[part], "value": value, "as_json": json.dumps(change | {"part": part})}
        for part, value in values.items()
    ]
    return {"lengths": lengths, "away": json.dumps(change | {"value": None})}


def _in_the_middle(own: dict[str, Any]) -> list[float]:
    """A zone of whole cells with a quarter of each side, or of one cell where that is longer."""
    cell = own["cell"]
    sides = [max(round(own[side] / 4 / cell), 1) for side in ("width", "height")]
    corner = [round((own[side] / cell - cells) / 2) for side, cells in zip(("width", "height"), sides, strict=True)]
    return [float(f"{cells * cell:.12g}") for cells in (*corner, *sides)]


@dataclass(frozen=True)
class MadeOfZones:
    """The zones as they are used, in units of the map, and a sentence on them; or none, and why they cannot be used."""

    zones: list[list[float]]
    said: str


def block_from_zones(block: EnteredBlock | None, settings: Mapping[str, Any]) -> MadeOfZones:
    if block is None or "zones" not in values_of_kind(block.kind) or not settings.get("map"):
        return MadeOfZones([], _("Zones need a map, and a block with sensitive zones."))
    scale = {name: settings["map"][name] for name in SIZE}
    try:
        item = write_item(block.kind, block.settings, EnteredItem("place", (), settings, scale))
        (made,) = Design.parse({"candor": 1, "blocks": RECIPES[block.kind].write(block.settings, [item])}).blocks
    except InputError as error:
        return MadeOfZones([], sentence_of(error))
    figures = made.figures
    sentence = _(
        "Dashed: the zones as they are used, grown to the square of {side}, kept inside the map, and joined where "
        "they overlap. A place in them is hidden by ε = {epsilon}. One outside is sent exactly by {sent} of "
        "people. Reported places are {distance} away (root mean square) if people live evenly."
    )
    levels = _(
        "Of a place in each zone, from left to right, a response tells no more than ε = {epsilons} against any other "
        "place: of two places the lesser."
    )
    own = "; ".join(three_digits(epsilon) for epsilon in figures.get("epsilon_zones", ()))
    return MadeOfZones(
        figures["merged"],
        sentence.format(
            side=three_digits(figures["side"]),
            epsilon=three_digits(figures["epsilon_sensitive"]),
            sent=f"{100 * figures['beta']:.1f}\N{NO-BREAK SPACE}%",
            distance=three_digits(sqrt(figures["expected_squared_error"])),
        )
        + (" " + levels.format(epsilons=own) if own else ""),
    )
