"""What the studio asks for and says of short kinds of block: coins, flips, one-sided blocks, numbers and places."""

from dataclasses import replace

from privacy.design.recipes import Values
from privacy.errors import to_translate
from surveys.kinds.forms import ASK, EPSILON, HARMLESS, Explanation, Form, FormField, Stays, Value

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

COIN = {
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
        ("coin", to_translate("unrelated question, k-ary: one coin for the whole block"), False),
        ("each", to_translate("unrelated question, k-ary: a coin for each question"), True),
    )
}

_STATED = FormField(
    "stated",
    Value.NUMBER,
    to_translate("γ of the coins"),
    help=to_translate(
        "Each device asks some questions, drawn at random, and keeps their answers as often as γ lets it."
    ),
    default=9.0,
    key="by-gamma",
)
_NAMES = FormField(
    "names",
    Value.COUNT,
    to_translate("answers named, d"),
    help=to_translate("A device sends a set of so many answers, the true one among them more often. Empty: one."),
)
BY_GAMMA = {
    "by-gamma": Form(
        label=to_translate("k-ary: some questions asked, their coin by γ"),
        fields=(_STATED, ASK, _NAMES),
        refusal=to_translate("a coin works with options, not with numbers or places."),
    )
}

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

FLIPS = {
    "flip": Form(
        label=to_translate("bit flipping: flips (yes/no items only)"),
        fields=(_GAMMA, _RADIUS, ASK, _TABLE),
        refusal=to_translate("a flip block takes yes/no answers only."),
    ),
}

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


ONE_SIDED = {
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

NUMBER = {
    "square-wave": Form(
        label=to_translate("square wave (numbers)"),
        fields=(EPSILON,),
        item_fields=(_STEP, _HEAPS),
        refusal=to_translate("this noise disguises numbers only."),
    )
}

_SIDE = FormField(
    "side",
    Value.NUMBER,
    to_translate("side of the square"),
    help=to_translate("In the units of the map. Empty: the one with the smallest expected squared error."),
)
_MAP = FormField(
    "map",
    Value.MAP,
    to_translate("map"),
    help=to_translate(
        "A plain grid with a width, a height and a cell in one unit, such as metres; or an outline from a GeoJSON "
        "file, from which width and height come in metres."
    ),
    elsewhere=to_translate("A map is for a place: leave it empty."),
)
_ZONES = FormField(
    "zones",
    Value.ZONES,
    to_translate("sensitive zones"),
    help=to_translate(
        "Respondents see them. A place outside is often sent exactly, so include every place that somebody may want "
        "to hide. As text: one zone a line, left, bottom, width, height."
    ),
    elsewhere=to_translate("Zones are for a block with sensitive zones: leave them empty."),
    missing=to_translate("mark at least one sensitive zone."),
)

PLACE = {
    "square": Form(
        label=to_translate("square (places)"),
        fields=(EPSILON, _SIDE),
        item_fields=(_MAP,),
        refusal=to_translate("a square disguises places only."),
    ),
    "zones": Form(
        label=to_translate("square in sensitive zones (places)"),
        fields=(EPSILON, _SIDE),
        item_fields=(_MAP, _ZONES),
        refusal=to_translate("sensitive zones are of places only."),
    ),
}
