"""How a form asks for a place: a block of its own for each, the map and the zones with the question."""

from collections.abc import Callable, Sequence
from typing import Any

from privacy.design import forms
from privacy.design.forms import Advised, EnteredItem, Form, FormField, Value, Values
from privacy.errors import EntryError, to_translate

SQUARE, ZONES = "square", "zones"  # in a design, and the names of the two forms

_SIDE = FormField(
    "side",
    Value.NUMBER,
    to_translate("side of the square"),
    help=to_translate("In the units of the map. Empty: the one with the smallest expected squared error."),
)
_MAP = FormField(
    "map",
    Value.MAP,
    to_translate("map"),
    help=to_translate(
        "A plain grid with a width, a height and a cell in one unit, such as metres; or an outline from a GeoJSON "
        "file, from which width and height come in metres."
    ),
    elsewhere=to_translate("A map is for a place: leave it empty."),
)
_ZONES = FormField(
    "zones",
    Value.ZONES,
    to_translate("sensitive zones"),
    help=to_translate(
        "Respondents see them. A place outside is often sent exactly, so include every place that somebody may want "
        "to hide. As text: one zone a line, left, bottom, width, height."
    ),
    elsewhere=to_translate("Zones are for a block with sensitive zones: leave them empty."),
    missing=to_translate("mark at least one sensitive zone."),
)


def _zoned_item(values: Values, item: EnteredItem) -> dict[str, Any]:
    if not item.values.get("zones"):
        raise EntryError(_ZONES.missing, at="zones")
    return forms.bare_item(values, item) | {"zones": item.values["zones"]}


def _written(name: str) -> Callable[[Values, Sequence[dict[str, Any]]], list[dict[str, Any]]]:
    def entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        own = {"epsilon": forms.required(values, "epsilon")}
        if values.get("side") is not None:
            own["side"] = values["side"]
        return [_entry({"place": name, **own}, **item) for item in items]

    return entries


def _entry(own: dict[str, Any], *, zones: Any = None, **item: Any) -> dict[str, Any]:
    """The zones of a question are those of its block."""
    return own | ({} if zones is None else {"zones": zones}) | {"items": [item]}


_KEYS = ("width", "height", "cell", "zones")

FORMS: tuple[Form, ...] = (
    Form(
        name="square",
        label=to_translate("square (places)"),
        fields=(forms.EPSILON, _SIDE),
        item_fields=(_MAP,),
        takes=lambda item: "width" in item.scale,
        refusal=to_translate("a square disguises places only."),
        write=_written(SQUARE),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" not in entry, forms.of_epsilon),
    ),
    Form(
        name="zones",
        label=to_translate("square in sensitive zones (places)"),
        fields=(forms.EPSILON, _SIDE),
        item_fields=(_MAP, _ZONES),
        takes=lambda item: "width" in item.scale,
        refusal=to_translate("sensitive zones are of places only."),
        write_item=_zoned_item,
        write=_written(ZONES),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" in entry, forms.of_epsilon),
    ),
)
