"""What the studio asks for and says of a flip block."""

from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Explanation, Form, FormField, Value

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

FORMS = {
    "flip": Form(
        label=to_translate("flips (yes/no items only)"),
        fields=(_GAMMA, _RADIUS, ASK, _TABLE),
        refusal=to_translate("a flip block takes yes/no answers only."),
    ),
}
