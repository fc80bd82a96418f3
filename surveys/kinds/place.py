"""What the studio asks for and says of a place: the map and the zones with the question."""

from privacy.errors import to_translate
from surveys.kinds.forms import EPSILON, Form, FormField, Value

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

FORMS = {
    "square": Form(
        label=to_translate("square (places)"),
        fields=(EPSILON, _SIDE),
        item_fields=(_MAP,),
        refusal=to_translate("a square disguises places only."),
    ),
    "zones": Form(
        label=to_translate("square in sensitive zones (places)"),
        fields=(EPSILON, _SIDE),
        item_fields=(_MAP, _ZONES),
        refusal=to_translate("sensitive zones are of places only."),
    ),
}
