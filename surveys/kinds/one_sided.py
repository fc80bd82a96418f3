"""What the studio asks for and says of a one-sided block."""

from dataclasses import replace

from privacy.design.recipes import Values
from privacy.errors import to_translate
from surveys.kinds.forms import ASK, HARMLESS, Form, FormField, Stays, Value

_SHARE = FormField(
    "turned",
    Value.SHARE,
    to_translate("chance that a harmless answer is turned, g"),
    help=to_translate("Only the other answer is hidden. The harmless one, marked at each question, is not."),
    default=0.2,
    key="one-sided",
)
_HARMLESS = replace(
    HARMLESS,
    value=Value.CHOICE,
    help=to_translate("It is not hidden: if stored, it is true. Respondents see this."),
    choices={"0": to_translate("no"), "1": to_translate("yes")},
    yes_no=True,
    missing=to_translate("mark which answer is the harmless one."),
)


def _chance_to_stay(settings: Values) -> float | None:
    turned = settings.get("turned")
    return 1 - turned if isinstance(turned, int | float) else None


FORMS = {
    "one-sided": Form(
        label=to_translate("one-sided (yes/no items only)"),
        fields=(_SHARE, ASK),
        item_fields=(_HARMLESS,),
        refusal=to_translate("a one-sided block takes plain yes/no answers only."),
        stays=Stays(
            (True, False),
            lambda share: {"turned": round(1 - share, 12)},
            _chance_to_stay,
            to_translate("One-sided"),
            {"harmless-yes": {"harmless": "1"}, "harmless-no": {"harmless": "0"}},
        ),
    ),
}
