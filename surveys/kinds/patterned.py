"""What the studio asks for and says of a patterned block."""

from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Form, FormField, Value

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

FORMS = {
    "patterned": Form(
        label=to_translate("patterns in an order (yes/no items only)"),
        fields=(_GAMMA, ASK, _TABLE),
        refusal=to_translate("a patterned block takes yes/no answers only."),
    ),
}
