"""How a form asks for a one-sided block."""

from collections.abc import Sequence
from typing import Any

from privacy.design import forms
from privacy.design.forms import EnteredItem, Explanation, Form, FormChoice, FormField, Stays, Value, Values
from privacy.design.items import YES_NO
from privacy.design.notation import write_ask
from privacy.errors import EntryError, to_translate

_SHARE = FormField(
    "turned",
    Value.SHARE,
    to_translate("chance that a harmless answer is turned, g"),
    help=to_translate("Only the other answer is hidden. The harmless one, marked at each question, is not."),
    default=0.2,
    key="one-sided",
)
_HARMLESS = FormField(
    "harmless",
    Value.CHOICE,
    to_translate("harmless answer"),
    help=to_translate("It is not hidden: if stored, it is true. Respondents see this."),
    choices=(FormChoice("0", to_translate("no")), FormChoice("1", to_translate("yes"))),
    yes_no=True,
    elsewhere=to_translate("Only a one-sided block has harmless answers: leave it empty."),
    missing=to_translate("mark which answer is the harmless one."),
    term=Explanation(
        to_translate("The harmless answer"),
        to_translate(
            "A one-sided block hides one answer only: people with the harmless answer sometimes send the other."
        ),
        to_translate("A stored harmless answer is true. Choose this only if that answer can harm nobody."),
    ),
)


def _entered_item(values: Values, item: EnteredItem) -> dict[str, Any]:
    if item.values.get("harmless") not in YES_NO:
        raise EntryError(_HARMLESS.missing, at="harmless")
    return forms.bare_item(values, item) | {"harmless": item.values["harmless"]}


def _entered(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if values.get("turned") is None:
        raise EntryError("a one-sided block needs g, the chance that a harmless answer is turned.", at="turned")
    if len({item["harmless"] for item in items}) > 1:
        raise EntryError("its questions have different harmless answers; use a block for each.")
    return [{"one-sided": values["turned"], "items": list(items), **write_ask(values.get("ask"))}]


def _stays(settings: Values) -> float | None:
    turned = settings.get("turned")
    return 1 - turned if isinstance(turned, int | float) else None


FORMS: tuple[Form, ...] = (
    Form(
        name="one-sided",
        label=to_translate("one-sided (yes/no items only)"),
        fields=(_SHARE, forms.ASK),
        item_fields=(_HARMLESS,),
        # Respondents read which of "yes" and "no" is not hidden; under other words that would be the wrong one.
        takes=lambda item: item.options is None,
        refusal=to_translate("a one-sided block takes plain yes/no answers only."),
        write_item=_entered_item,
        write=_entered,
        stays=Stays(
            (True, False),
            lambda share: {"turned": round(1 - share, 12)},
            _stays,
            to_translate("One-sided"),
            {"harmless-yes": {"harmless": "1"}, "harmless-no": {"harmless": "0"}},
        ),
    ),
)
