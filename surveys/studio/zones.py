"""The map of a question for a place as the writing page shows it: its zones as rows of numbers, and drawn."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.domain.drafts.map_changes import OWN, PARTS
from surveys.domain.questionnaire.draft import Question
from surveys.domain.questionnaire.zones import block_from_zones

LABELS = dict(zip((*PARTS, OWN), (_("left"), _("bottom"), _("width"), _("height"), _("own ε")), strict=True))


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
        "zones": [_row(change | {"zone": place}, zone, len(zones) > 1) for place, zone in enumerate(zones)],
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
