"""How a form asks for a patterned block."""

from collections.abc import Sequence
from typing import Any

from privacy.design import forms
from privacy.design.forms import Form, FormField, Value, Values
from privacy.design.notation import write_ask
from privacy.errors import EntryError, to_translate

_TABLE = FormField(
    "patterned",
    Value.SHARES,
    to_translate("table of patterns"),
    help=to_translate("The chances of each set of turned places: none, the first, the second, both, the third, …"),
)
_GAMMA = FormField(
    "patterned_gamma",
    Value.NUMBER,
    to_translate("patterns by γ"),
    help=to_translate("Instead of the table: the γ of the best table for combinations of three answers."),
    key="gamma",
)


def _entered(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = write_ask(values.get("ask"))
    table, gamma = values.get("patterned"), values.get("patterned_gamma")
    if table is not None and gamma:
        raise EntryError("Give either the table of patterns, or its γ.", at="patterned")
    if table is not None:
        return [{"patterned": table, "items": list(items), **ask}]
    if gamma is None:
        raise EntryError("a patterned block needs its table, or γ.", at="patterned_gamma")
    return [{"model": "patterned", "gamma": gamma, "items": list(items), **ask}]


def _needs(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 2)
    table = values.get("patterned")
    return max(len(table).bit_length() - 1, 2) if isinstance(table, list) else 2


FORMS: tuple[Form, ...] = (
    Form(
        name="patterned",
        label=to_translate("patterns in an order (yes/no items only)"),
        fields=(_GAMMA, forms.ASK, _TABLE),
        takes=lambda item: item.boolean,
        refusal=to_translate("a patterned block takes yes/no answers only."),
        write=_entered,
        needs=_needs,
    ),
)
