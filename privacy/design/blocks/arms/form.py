"""How a form asks for a block in two arms: as for one coin or flips, and what the stronger arm has in place of that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from privacy.design.blocks.arms.design import ArmsBlock
from privacy.design.blocks.coin.form import FORMS as COINS
from privacy.design.blocks.flips.form import FORMS as FLIPS
from privacy.design.forms import Form, FormField, Value, Values
from privacy.errors import EntryError, to_translate

_PART = FormField(
    "stronger",
    Value.SHARE,
    to_translate("share of it that the second arm keeps"),
    help=to_translate("A random half of the devices keeps only this share of what the first arm keeps."),
    default=0.5,
)


def _in_arms(form: Form, name: str, label: str) -> Form:
    """The form of a kind, for two arms of it."""

    def write(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        if values.get(_PART.name) is None:
            raise EntryError("enter the share of the first arm's answers that the second arm keeps.", at=_PART.name)
        return [entry | {ArmsBlock.mark: values[_PART.name]} for entry in form.write(values, items)]

    return replace(form, name=name, label=label, fields=(*form.fields, _PART), write=write)


FORMS: tuple[Form, ...] = (
    _in_arms(COINS[0], "coin-arms", to_translate("one coin for all items, in two strengths")),
    _in_arms(FLIPS[0], "flip-arms", to_translate("flips (yes/no items only), in two strengths")),
)
