"""What the studio asks for and says of a block in two arms: as of one coin or flips, and how strong the second is."""

from dataclasses import replace

from privacy.errors import to_translate
from surveys.kinds import coin, flips
from surveys.kinds.forms import Form, FormField, Value

_PART = FormField(
    "stronger",
    Value.SHARE,
    to_translate("share of it that the second arm keeps"),
    help=to_translate("A random half of the devices keeps only this share of what the first arm keeps."),
    default=0.5,
)


def _in_arms(form: Form, label: str) -> Form:
    """The form of a block in two arms: that of the first arm, with the strength of the second."""
    return replace(form, label=label, fields=(*form.fields, _PART))


FORMS = {
    "coin-arms": _in_arms(coin.FORMS["coin"], to_translate("one coin for all items, in two strengths")),
    "flip-arms": _in_arms(flips.FORMS["flip"], to_translate("flips (yes/no items only), in two strengths")),
}
