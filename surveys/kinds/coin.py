"""What the studio asks for and says of a coin block."""

from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Explanation, Form, FormField, Stays, Value

_THETA = Explanation(
    to_translate("θ: noise says yes"),
    to_translate("How often a random answer is yes. One half hides yes and no equally."),
    to_translate("Far from one half, the rarer random answer gives true answers away: γ grows fast."),
)
_FIELDS = (
    FormField(
        "keep",
        Value.SHARE,
        to_translate("chance that the truth is kept, p"),
        help=to_translate(
            "p is the chance that the true answers of the block are kept. Otherwise noise replaces them."
        ),
        default=0.3,
        term=Explanation(
            to_translate("p: the truth is kept"),
            to_translate(
                "With this chance the true answers of a block are stored. Otherwise a random answer replaces each."
            ),
            to_translate(
                "A larger p makes figures more exact and the promise weaker. At 0 nothing can be estimated; at 1 "
                "nothing is hidden."
            ),
        ),
    ),
    FormField(
        "theta",
        Value.SHARE,
        to_translate("chance that noise says yes, θ"),
        help=to_translate("θ is how often noise says yes; a question may have its own."),
        default=0.6,
        term=_THETA,
    ),
    ASK,
)
_ITEM_FIELDS = (
    FormField(
        "theta",
        Value.SHARE,
        to_translate("own θ"),
        help=to_translate("Empty: the block's."),
        yes_no=True,
        elsewhere=to_translate("θ is for yes/no answers under a coin: leave it empty."),
        term=_THETA,
    ),
    FormField(
        "noise",
        Value.SHARES,
        to_translate("noise"),
        help=to_translate(
            "Chance that noise gives this option. All empty: every option alike (several: the block's θ)."
        ),
        elsewhere=to_translate("Noise is for answers under a coin: leave it empty."),
    ),
)

FORMS = {
    name: Form(
        label=label,
        fields=_FIELDS,
        item_fields=_ITEM_FIELDS,
        refusal=to_translate("a coin works with options, not with numbers or places."),
        stays=Stays(
            (each,),
            lambda share: {"keep": share, "theta": 0.5},
            lambda settings: settings.get("keep"),
            to_translate("Each by itself"),
        ),
    )
    for name, label, each in (
        ("coin", to_translate("one coin for the whole block"), False),
        ("each", to_translate("a coin for each question"), True),
    )
}
