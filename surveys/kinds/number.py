"""What the studio asks for and says of a number with noise."""

from privacy.design.blocks.number.noises import OPEN, WRAP
from privacy.errors import to_translate
from surveys.kinds.forms import EPSILON, Form, FormField, Value

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
    choices={
        OPEN: to_translate("they are sent"),
        WRAP: to_translate("they continue at the other end"),
    },
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
_HEAPS = FormField(
    "heaps",
    Value.NUMBERS,
    to_translate("numbers that many people share"),
    help=to_translate(
        "Such as 10, 20, 30 where people round. Reports look at each by itself, as they do at the minimum and the "
        "maximum."
    ),
    elsewhere=to_translate("Only disguised numbers have numbers that many people share: leave it empty."),
)

FORMS = {
    name: Form(
        label=label,
        fields=fields,
        item_fields=(_STEP, _HEAPS),
        refusal=to_translate("this noise disguises numbers only."),
    )
    for name, label, fields in (
        ("uniform", to_translate("uniform noise (numbers)"), (_SPREAD, _BEYOND, _MIX)),
        ("normal", to_translate("normal noise (numbers)"), (_SPREAD, _BEYOND, _MIX)),
        ("square-wave", to_translate("square wave (numbers)"), (EPSILON,)),
    )
}
