"""What becomes of the sensitive zones of a map: they grow to the square, are clipped, and join where they overlap."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.design.sentences import three_digits
from privacy.errors import InputError
from surveys.domain.questionnaire.draft import EnteredBlock
from surveys.domain.questionnaire.languages import sentence_of
from surveys.kinds import values_of_kind, write_item
from surveys.questions.place import SIZE


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
