"""The map of a question for a place as the writing page shows it: its zones as rows of numbers, and drawn."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.domain.drafts.map_changes import OWN, PARTS
from surveys.domain.questionnaire.draft import Question
from surveys.domain.questionnaire.zones import block_from_zones

LABELS = dict(zip((*PARTS, OWN), (_("left"), _("bottom"), _("width"), _("height"), _("own ε")), strict=True))


@dataclass(frozen=True)
class Length:
    """One of the numbers of a zone, and the change that writes it."""

    label: str
    value: float | str
    as_json: str


@dataclass(frozen=True)
class Zone:
    lengths: tuple[Length, ...]
    away: str  # the change that takes it away


@dataclass(frozen=True)
class ShownMap:
    zones: tuple[Zone, ...]
    new: str  # the change that adds a zone
    drawn: str  # what the page draws
    said: str  # what the zones mean, or why they cannot be used; empty without zones
    outlined: bool
    levels: bool  # whether zones may have an ε of their own


def map_of(question: Question) -> ShownMap:
    settings = question.settings
    own, zones = settings["map"], settings.get("zones") or []
    made = block_from_zones(question.block, settings) if zones else None
    change = {"do": "zone", "question": question.id}
    drawn = {
        "map": {name: own[name] for name in ("width", "height", "cell", "lines") if name in own},
        "zones": zones,
        "merged": made.zones if made else [],
    }
    return ShownMap(
        zones=tuple(_row(change | {"zone": place}, zone, len(zones) > 1) for place, zone in enumerate(zones)),
        new=json.dumps(change | {"zone": None, "value": _in_the_middle(own)}),
        drawn=json.dumps(drawn, separators=(",", ":")),
        said=made.said if made else "",
        outlined="lines" in own,
        levels=len(zones) > 1,
    )


def _row(change: dict[str, Any], zone: list[float], beside_others: bool) -> Zone:
    """A zone as a row of its numbers; beside other zones it may have an ε of its own."""
    values: dict[str, float | str] = dict(zip((*PARTS, OWN), zone, strict=False))
    if beside_others:
        values.setdefault(OWN, "")
    lengths = (Length(str(LABELS[part]), value, json.dumps(change | {"part": part})) for part, value in values.items())
    return Zone(tuple(lengths), json.dumps(change | {"value": None}))


def _in_the_middle(own: dict[str, Any]) -> list[float]:
    """A zone of whole cells with a quarter of each side, or of one cell where that is longer."""
    cell = own["cell"]
    sides = [max(round(own[side] / 4 / cell), 1) for side in ("width", "height")]
    corner = [round((own[side] / cell - cells) / 2) for side, cells in zip(("width", "height"), sides, strict=True)]
    return [float(f"{cells * cell:.12g}") for cells in (*corner, *sides)]
