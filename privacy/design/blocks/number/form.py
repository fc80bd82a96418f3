"""How a form asks for a number with noise: a block of its own for each number."""

from collections.abc import Callable, Sequence
from typing import Any

from privacy.design import forms
from privacy.design.blocks.number.noises import CLAMP, OPEN, WRAP
from privacy.design.forms import Advised, EnteredItem, Form, FormChoice, FormField, Value, Values
from privacy.errors import to_translate

_SPREAD = FormField(
    "spread",
    Value.NUMBER,
    to_translate("spread of the noise"),
    help=to_translate("Uniform noise lies from −spread to spread; of normal noise it is the standard deviation."),
    default=20.0,
)
_BEYOND = FormField(
    "edge",
    Value.CHOICE,
    to_translate("numbers beyond the ends"),
    help=to_translate("Noise can go below the minimum or above the maximum."),
    choices=(
        FormChoice(OPEN, to_translate("they are sent")),
        FormChoice(CLAMP, to_translate("the nearest end is sent")),
        FormChoice(WRAP, to_translate("they continue at the other end")),
    ),
)
_MIX = FormField(
    "mix",
    Value.SHARE,
    to_translate("chance that the noisy number is kept"),
    help=to_translate(
        "Otherwise a random number is sent. Without this, most noise gives some people away. Empty: always."
    ),
)
_STEP = FormField(
    "step",
    Value.NUMBER,
    to_translate("step"),
    help=to_translate("Numbers are rounded to whole steps from the minimum. Empty: 1."),
    elsewhere=to_translate("A step is for numbers that are disguised: leave it empty."),
)


def _entered_item(values: Values, item: EnteredItem) -> dict[str, Any]:
    """Return the item's JSON; while no scale is entered, a scale of two steps that suits every noise."""
    width = values.get("spread") or 1
    return {"id": item.id, **(item.scale or {"min": 0, "max": width, "step": width})}


def _written(name: str, own: str) -> Callable[[Values, Sequence[dict[str, Any]]], list[dict[str, Any]]]:
    def entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        forms.required(values, own)
        given = {key: values[key] for key in (own, "edge", "mix") if values.get(key) not in (None, "")}
        return [{"number": name, **given, "items": [item]} for item in items]

    return entries


_ADVISED = Advised(("min", "max", "step"), lambda entry: "min" in entry, forms.of_epsilon)

FORMS: tuple[Form, ...] = tuple(
    Form(
        name=name,
        label=label,
        fields=fields,
        item_fields=(_STEP,),
        takes=lambda item: "min" in item.scale,
        refusal=to_translate("this noise disguises numbers only."),
        write_item=_entered_item,
        write=_written(name, fields[0].name),
        advised=advised,
    )
    for name, label, fields, advised in (
        ("uniform", to_translate("uniform noise (numbers)"), (_SPREAD, _BEYOND, _MIX), None),
        ("normal", to_translate("normal noise (numbers)"), (_SPREAD, _BEYOND, _MIX), None),
        ("square-wave", to_translate("square wave (numbers)"), (forms.EPSILON, _MIX), _ADVISED),
    )
)
