"""What becomes of the sensitive zones of a map: they grow to the square, are clipped, and join where they overlap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from privacy.design import Design
from privacy.design.forms import EnteredItem
from surveys.kinds import form_of
from surveys.models import Block
from surveys.questions.place import SIZE

__all__ = ["Prepared", "prepared"]


@dataclass(frozen=True)
class Prepared:
    """In units of the map; `distance` is that of a report in the root mean square, people living evenly."""

    zones: list[list[float]]
    side: float
    epsilon: float
    beta: float
    distance: float


def prepared(block: Block, settings: Mapping[str, Any]) -> Prepared:
    """The zones of a question as its block uses them; InputError where they cannot be used."""
    form = form_of(block.kind)
    scale = {name: settings["map"][name] for name in SIZE}
    item = form.write_item(block.settings, EnteredItem("place", (), settings, scale))
    (made,) = Design.parse({"candor": 1, "blocks": form.write(block.settings, [item])}).blocks
    told = made.figures
    distance = sqrt(told["expected_squared_error"])
    return Prepared(told["merged"], told["side"], told["epsilon_sensitive"], told["beta"], distance)
