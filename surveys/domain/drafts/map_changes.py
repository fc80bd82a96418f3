"""Named changes of the map of a place: its size, its outline and its sensitive zones."""

from dataclasses import fields
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design.grid.maps import read_map
from privacy.errors import EntryError
from privacy.location.outline import Outline, check_lines
from surveys.domain.drafts.named import Change, change, find
from surveys.domain.questionnaire.document import Document
from surveys.questions import disguise_of
from surveys.questions.place import NO_MAP, SIZE

PARTS = ("left", "bottom", "width", "height")  # of a zone
OWN = "epsilon"  # its fifth number


@change("map", gettext_lazy("map changed"))
def _change_map(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change one measure of the map of a place, or its outline, which was read from a file and brings all measures.

    An empty outline leaves a plain grid; so does a size that the outline does not fit into.
    """
    settings, field, value = find(document, said["question"])["settings"], said["field"], said["value"]
    own = dict(settings.get("map") or NO_MAP)
    size = {name: own[name] for name in SIZE}
    if field == "outline":
        own = {part.name: value[part.name] for part in fields(Outline)} if value else size
        read_map(own, "map")
        if not check_lines(own.get("lines", []), own["width"], own["height"]):
            raise ValueError(field)
    elif field in SIZE:
        size[field] = _parse_length(value)
        read_map(size, "map")
        keeps = check_lines(own.get("lines", []), size["width"], size["height"])
        own = {**own, **size} if keeps else size
    else:
        raise KeyError(field)
    settings["map"] = own


@change("zone", gettext_lazy("zones changed"))
def _change_zone(document: Document, said: Change, _wanted: set[str]) -> None:
    """Change a place's zone number `zone`, from 0: all its lengths, one of them (`part`), or null to remove the zone.

    Its own ε is a fifth number, which stays with a zone that is drawn elsewhere; nothing takes it away. A zone after
    the last one is new; so is one without a number. Without zones the whole map is hidden.
    """
    question = find(document, said["question"])
    zones = [list(zone) for zone in question["settings"].get("zones") or ()]
    number, part, value = said["zone"], said.get("part"), said["value"]
    number = len(zones) if number is None else number
    if part == OWN:
        zones[number][len(PARTS) :] = [] if value in ("", None) else [_parse_length(value)]
    elif part is not None:
        zones[number][PARTS.index(part)] = _parse_length(value)
    else:
        own = [kept for zone in zones[number : number + 1] for kept in zone[len(PARTS) :]]
        lengths = [] if value is None else [[*(_parse_length(value[place]) for place in range(len(PARTS))), *own]]
        zones[number : number + 1] = lengths
    others = {name: own for name, own in question["settings"].items() if name != "zones"}
    question["settings"] = others | ({"zones": zones} if zones else {})
    for block in document["blocks"]:
        if block["questions"] == [question["id"]]:
            block["kind"] = disguise_of(question["type"], "zone").form(question["settings"])


def _parse_length(value: Any) -> int | float:
    try:
        number = float(value)
    except ValueError:
        raise EntryError("'{written}' is not a number.", at="value", written=value) from None
    return int(number) if number.is_integer() else number
