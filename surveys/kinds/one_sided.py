"""What the studio asks for and says of a one-sided block."""

from privacy.design.recipes import Values
from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Explanation, Form, FormChoice, FormField, Stays, Value

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


def _stays(settings: Values) -> float | None:
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
            _stays,
            to_translate("One-sided"),
            {"harmless-yes": {"harmless": "1"}, "harmless-no": {"harmless": "0"}},
        ),
    ),
}
