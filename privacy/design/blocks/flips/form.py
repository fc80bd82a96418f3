"""How a form asks for a flip block."""

from collections.abc import Sequence
from typing import Any

from privacy.design import forms
from privacy.design.forms import Explanation, Form, FormField, Value, Values
from privacy.design.notation import write_ask
from privacy.errors import EntryError, to_translate

_TABLE = FormField(
    "flips",
    Value.SHARES,
    to_translate("flips"),
    help=to_translate("The chances that 0, 1, 2, … of the answers asked are turned over: 0.5, 0.3, 0.2."),
    term=Explanation(
        to_translate("Flips"),
        to_translate(
            "The chances that none, one, two or more of the yes/no answers are turned over. Which ones is random."
        ),
        to_translate(
            "They can be more exact than a coin with the same γ. They allow no third answer such as “Prefer not to "
            "say”."
        ),
    ),
)
_GAMMA = FormField(
    "gamma",
    Value.NUMBER,
    to_translate("flips by γ"),
    help=to_translate("Instead of the flips: their γ, with the radius."),
    term=Explanation(
        to_translate("γ: the promise"),
        to_translate("A stored answer changes the odds between two possible truths at most by this factor."),
        to_translate(
            "Somebody who was 5 % sure can become at most γ ∕ (γ + 19) sure: 50 % with γ = 19, 33 % with 9.4."
        ),
    ),
)
_RADIUS = FormField(
    "radius",
    Value.COUNT,
    to_translate("radius"),
    help=to_translate("Up to this many turned answers are as likely as none."),
    term=Explanation(
        to_translate("Radius"),
        to_translate("Up to this many turned answers are as likely as none; more are rarer."),
        to_translate("The best radius depends on how many questions are asked. The proposal tries them all."),
    ),
)


def _entered(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = write_ask(values.get("ask"))
    flips, gamma, radius = (values.get(name) for name in ("flips", "gamma", "radius"))
    if flips is not None and (gamma or radius is not None):
        raise EntryError("Give either the flips, or γ and radius.", at="flips")
    if flips is not None:
        return [{"flips": flips, "items": list(items), **ask}]
    if gamma is None or radius is None:
        raise EntryError("a flip block needs its flips, or γ and radius.", at="gamma" if gamma is None else "radius")
    return [{"model": "flip", "gamma": gamma, "radius": radius, "items": list(items), **ask}]


def _needs(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 1)
    flips = values.get("flips")
    return len(flips) - 1 if isinstance(flips, list) else (values.get("radius") or 0) + 1


FORMS: tuple[Form, ...] = (
    Form(
        name="flip",
        label=to_translate("flips (yes/no items only)"),
        fields=(_GAMMA, _RADIUS, forms.ASK, _TABLE),
        takes=lambda item: item.boolean,
        refusal=to_translate("a flip block takes yes/no answers only."),
        write=_entered,
        needs=_needs,
    ),
)
